"""The meaning leg: an exact search for the nearest passages. Depends on numpy; no database, no model.

Scores are cosines, since vectors have unit length. Where vectors have codes, these tell which can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.index.schema import PASSAGE_BITS
from core.search.grouping import DEPTH, Row, Visible, note_starts, nth_highest
from core.search.results import Ranking

if TYPE_CHECKING:
    from core.index.vectors import PassageVectors

_FEWER = 8
"""Where more than one passage in so many is left to be looked at, going through all in a row is as fast."""

_FIRST_LOOK = 4
"""Passages that are looked at first, for each note that is wanted; and by how much more each time."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near every visible note with a vector is to a query.

    Attributes:
        vectors: those of all passages.
        query: the query's vector.
        seen: whether a passage is of a visible note, shape (p,); None where all are.
        known: the cosines of all passages, where they have been reckoned; else those that are asked for will be, and
            have the same bits.
    """

    vectors: PassageVectors
    query: NDArray[np.float32]
    seen: NDArray[np.bool_] | None = None
    known: NDArray[np.float32] | None = None

    def of(self, notes: Iterable[int]) -> dict[int, float]:
        """Return the cosine of those of some notes that have one."""
        found, places, starts = self._passages_of(notes)
        if not found:
            return {}
        return dict(zip(found, np.maximum.reduceat(self._cosines(places), starts).tolist(), strict=True))

    def passages_of(self, notes: Iterable[int]) -> dict[int, int]:
        """Return the nearest passage of those of some notes that have one; of equally near ones, the first."""
        found, places, starts = self._passages_of(notes)
        scores, ends = self._cosines(places), [*starts.tolist(), len(places)][1:]
        nearest = {}
        for note, start, end in zip(found, starts.tolist(), ends, strict=True):
            nearest[note] = int(self.vectors.passages[places[start + int(np.argmax(scores[start:end]))]])
        return nearest

    def _passages_of(self, notes: Iterable[int]) -> tuple[list[int], NDArray[np.int64], NDArray[np.int64]]:
        """Return those notes that have a vector and are visible, where their passages stand, and where each begins."""
        wanted = as_array(sorted(set(notes)))
        passages = self.vectors.passages
        firsts = np.searchsorted(passages, wanted << PASSAGE_BITS)
        counts = np.searchsorted(passages, (wanted + 1) << PASSAGE_BITS) - firsts
        there = counts > 0
        if self.seen is not None:
            there[there] = self.seen[firsts[there]]
        firsts, counts = firsts[there], counts[there]
        starts = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(firsts - starts, counts)
        return wanted[there].tolist(), places, starts

    def _cosines(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        if self.known is not None:
            return self.known[places]
        return cosines(self.vectors.matrix[self.vectors.rows[places]], self.query)


@dataclass(frozen=True, slots=True)
class MeaningRanking(Ranking):
    """The ranking of the meaning leg; `nearness` keeps what its scan found of all the other notes."""

    nearness: Nearness = field(repr=False, compare=False)


def cosines(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the dot product of each row of `matrix`, shape (r, d), with `query`, shape (d,); shape (r,).

    The sum runs in a fixed order, so a row's bits depend on nothing but the row: `matrix @ query` gives equal rows
    different values by position, length and thread count.
    """
    products: NDArray[np.float32] = np.einsum("ij,j->i", matrix, np.ascontiguousarray(query, dtype=np.float32))
    return products


def best_by_meaning(
    vectors: PassageVectors, query: NDArray[np.float32], visible: Visible = None, depth: int = DEPTH
) -> tuple[list[Row], Nearness]:
    """Return the best row of the `depth` nearest visible notes and of all that tie with the last, and all cosines.

    A note is as near as its nearest passage; of equally near passages the first in the note shows it. Every visible
    vector takes part: where codes or filters leave out most of them, it is certain that none of those is among the
    nearest, and what is found has the same bits.
    """
    passages, seen = vectors.passages, None
    if visible is not None:
        seen = np.isin(passages >> PASSAGE_BITS, as_array(sorted(visible)))
    near = places_near(vectors, query, seen, depth)
    if near is None:
        scores = cosines(vectors.matrix, query)[vectors.rows]
        nearness = Nearness(vectors, query, seen, scores)
        if seen is not None:
            passages, scores = passages[seen], scores[seen]
    else:
        nearness = Nearness(vectors, query, seen)
        passages, scores = passages[near], cosines(vectors.matrix[vectors.rows[near]], query)
    if not len(passages):
        return [], nearness
    notes, starts, best = best_of_notes(passages, scores)
    kept = np.flatnonzero(best >= nth_highest(best, depth)) if len(best) > depth else np.arange(len(best))
    ends = np.append(starts[1:], len(passages))
    rows = []
    for group in kept.tolist():
        # argmax gives the first of equal values.
        at = starts[group] + int(np.argmax(scores[starts[group] : ends[group]]))
        rows.append(Row(int(notes[group]), int(passages[at]), float(scores[at])))
    return rows, nearness


def places_near(
    vectors: PassageVectors, query: NDArray[np.float32], seen: NDArray[np.bool_] | None, depth: int
) -> NDArray[np.int64] | None:
    """Return where the passages stand that the nearest notes must be found among; None where too few fall away.

    1. Bound each passage's cosine from above: by its vector's code, else by the cosine itself.
    2. Look exactly at passages with the highest bounds, more and more, until they are of `depth` notes.
    3. The last of these notes is at most as near as the last of the nearest ones. So a passage whose bound is below
       that is in no way among the nearest; all others are returned.
    """
    passages, codes = vectors.passages, vectors.codes
    most = len(passages) // _FEWER
    if seen is not None and np.count_nonzero(seen) <= most:
        return np.flatnonzero(seen)
    if codes is None or not len(codes):
        return None
    # 1
    by_row = codes.highest_cosines(query)
    if len(codes) < len(vectors.matrix):
        by_row = np.concatenate((by_row, cosines(vectors.matrix[len(codes) :], query)))
    highest = by_row[vectors.rows]
    if seen is not None:
        highest[~seen] = -np.inf
    # 2
    looked_at = _FIRST_LOOK * depth
    while looked_at <= most:
        places = np.flatnonzero(highest >= nth_highest(highest, looked_at))
        if len(places) > most:
            return None
        scores = cosines(vectors.matrix[vectors.rows[places]], query)
        best = best_of_notes(passages[places], scores)[2]
        if len(best) >= depth:
            # 3
            found = np.flatnonzero(highest >= nth_highest(best, depth))
            return found if len(found) <= most else None
        looked_at *= _FIRST_LOOK
    return None


def best_of_notes(
    passages: NDArray[np.int64], scores: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return the notes of some passages, ascending, where each one's passages begin, and its highest score."""
    starts = note_starts(passages)
    return passages[starts] >> PASSAGE_BITS, starts, np.maximum.reduceat(scores, starts)


def as_array(notes: Sequence[int]) -> NDArray[np.int64]:
    """Return note ids as an array."""
    return np.asarray(notes, dtype=np.int64)
