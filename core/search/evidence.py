"""The evidence table: what each leg says of each candidate on its own scale, filled before any formula runs.

Pure data. `completion` fills it; formulas and ties read it. What surfaced a note stands in the rankings, not here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from core.search.words import WordsValue

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Seed:
    """A note that links are followed from, and how many different targets its links are written to.

    As written, so that a note that is filtered out, withheld or deleted changes nothing for the others.
    """

    note: int
    out_degree: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The true values of candidates and seeds by note id. A leg that did not run has no values at all.

    Attributes:
        words: what the note's words are worth; absent where the words leg did not weigh words.
        cosines: the cosine of the note's nearest passage; absent for a note without a vector.
        seeds: the notes that links were followed from, best first; they have values whether or not they are candidates.
        links: the ids of the seeds that link to the note, best first; absent for a note that none links to.
        titled: the notes whose title or alias is the query, all folded.
        readable: the share of the query's letters that the model can read.
    """

    words: Mapping[int, WordsValue] = field(default_factory=lambda: MappingProxyType({}))
    cosines: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    seeds: tuple[Seed, ...] = ()
    links: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    titled: frozenset[int] = frozenset()
    readable: float = 1.0

    def without(self, notes: Collection[int]) -> Evidence:
        """Return the table as if some notes, which must not be seeds, were no candidates."""
        return Evidence(
            _without(self.words, notes),
            _without(self.cosines, notes),
            self.seeds,
            _without(self.links, notes),
            self.titled.difference(notes),
            self.readable,
        )


NO_EVIDENCE = Evidence()


def _without(column: Mapping[int, _T], notes: Collection[int]) -> Mapping[int, _T]:
    return {note: value for note, value in column.items() if note not in notes}
