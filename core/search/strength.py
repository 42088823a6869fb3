"""How much a note holds of what was asked, on an absolute scale, and whether it is more than a weak match. Pure.

The scale is that of `evidence/v1` without its links: the share of the query's information in the note's words, the
cosine of its nearest passage, and an exact title. It is the same whatever else was found and whichever formula orders
the list. How the numbers were found, and how often they err: docs/decisions/0004-weak-matches-and-bands.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.search.evidence import Evidence
from core.search.formulas.evidence import TITLE_BONUS, meaning_part
from core.search.results import Leg, Ranking
from core.search.words import WordsRanking

LEAST_OF_WORDS = 0.25
LEAST_OF_MEANING = 0.55
"""`weak/v1`: a note is a weak match below the first, and the second on top for the share of the query's letters that
the model can read, where meaning looked at the note."""

CLEARLY = 0.2
"""So far above the least is a clear match."""

_ALL = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Strength:
    """What a note holds, and the least that more than a weak match holds.

    `holds_all` says that every word of the query stands in it: short queries have little to hold, and whoever finds
    all of it there has found no weak match.
    """

    value: float
    least: float
    holds_all: bool = False

    @property
    def is_weak(self) -> bool:
        """Whether it holds too little of what was asked."""
        return self.value < self.least and not self.holds_all

    @property
    def is_clear(self) -> bool:
        """Whether it holds plainly enough."""
        return self.value >= self.least + CLEARLY


def strength_of(note: int, rankings: Mapping[str, Ranking], evidence: Evidence) -> Strength | None:
    """Return what a note holds by the legs that may speak; None where none of them weighs notes.

    Links weigh none, and symbols alone are found or not.
    """
    weighs_words = isinstance(rankings.get(Leg.WORDS), WordsRanking)
    value, least, holds_all = 0.0, LEAST_OF_WORDS, False
    if weighs_words:
        held = evidence.words.get(note)
        if held is not None:
            value += held.information or held.share  # an attachment has a name alone
            holds_all = held.share >= _ALL
        if note in evidence.titled:
            value += TITLE_BONUS
    elif Leg.WORDS in rankings and any(ranked.note == note for ranked in rankings[Leg.WORDS].notes):
        return None
    by_meaning = Leg.MEANING in rankings and note in evidence.cosines
    if by_meaning:
        value += meaning_part(note, evidence)
        least += LEAST_OF_MEANING * evidence.readable
    return Strength(value, least, holds_all) if weighs_words or by_meaning else None
