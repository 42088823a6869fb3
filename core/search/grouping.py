"""From scored rows to a ranking of notes. Pure: no database, no clock.

Every retriever goes through here, so filters act in one place: before notes are grouped, counted or shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.index.schema import PASSAGE_BITS
from core.search.results import RankedNote, Ranking

DEPTH = 50
"""Visible notes a leg is read for; what it surfaced is what stands among these."""

Visible: TypeAlias = Set[int] | None
"""The ids of the notes that may be seen; None means all of them."""


class Row(NamedTuple):
    """An answer of a retriever: a note, found by a passage or as a whole (None). Higher scores are better."""

    note: int
    passage: int | None
    score: float


Values = TypeVar("Values", np.float32, np.float64)


def nth_highest(values: NDArray[Values], n: int) -> Values:
    """Return the n-th highest of at least n values, n from 1: all that tie with the last of the first n reach it."""
    found: Values = np.partition(values, len(values) - n)[len(values) - n]
    return found


def note_starts(passages: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each note's passages begin in ascending passage ids, which keep them together; shape (notes,)."""
    notes = passages >> PASSAGE_BITS
    return np.flatnonzero(np.concatenate(([True], notes[1:] != notes[:-1]))[: len(notes)])


def visible_rows(rows: Iterable[Row], visible: Visible) -> Iterator[Row]:
    """Yield the rows whose notes may be seen, in the order given."""
    return (row for row in rows if visible is None or row.note in visible)


def best_rows(rows: Iterable[Row], visible: Visible, depth: int = DEPTH) -> list[Row]:
    """Return the best row of each note, for the first `depth` visible notes and all that tie with the last of them.

    `rows` come best first, ties in any order. They are read no further than needed: until a row scores
    strictly less than the last note's best, so that the cut never goes through a tie. A row that may not be seen
    takes no place, counts for nothing, and cannot be the one that shows its note. Among equal rows of a note the
    one of the lower passage stays.
    """
    best: dict[int, Row] = {}
    last_score = 0.0
    for row in visible_rows(rows, visible):
        if len(best) >= depth and row.score < last_score:
            break
        known = best.get(row.note)
        if known is None:
            best[row.note] = row
            last_score = row.score
        elif row.score == known.score and _passage_order(row) < _passage_order(known):
            best[row.note] = row
    return list(best.values())


def rank_notes(rows: Iterable[Row], path_by_note: Mapping[int, str], depth: int = DEPTH) -> Ranking:
    """Return the ranking of rows that are one a note: by score, equal ones by path, cut to `depth` notes."""
    ranked = sorted(rows, key=lambda row: (-row.score, path_by_note[row.note]))[:depth]
    return Ranking(tuple(RankedNote(row.note, row.score, path_by_note[row.note], row.passage) for row in ranked))


def _passage_order(row: Row) -> int:
    # A note found as a whole goes before its passages.
    return -1 if row.passage is None else row.passage
