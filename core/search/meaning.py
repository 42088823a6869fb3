"""The meaning leg: an exact scan for the nearest passages. Depends on numpy; no database, no model.

Scores are cosines, since vectors have unit length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.index.schema import PASSAGE_BITS
from core.search.grouping import DEPTH, Row, Visible
from core.search.results import Ranking

if TYPE_CHECKING:
    from core.index.vectors import PassageVectors


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near every visible note with a vector is to a query.

    Attributes:
        notes: note ids, ascending, shape (n,).
        best: the cosine of each one's nearest passage, shape (n,).
        passages: the ids of all their passages, ascending, shape (p,).
        cosines: those of the passages, shape (p,).
    """

    notes: NDArray[np.int64]
    best: NDArray[np.float32]
    passages: NDArray[np.int64]
    cosines: NDArray[np.float32]

    def of(self, notes: Iterable[int]) -> dict[int, float]:
        """Return the cosine of those of some notes that have one."""
        wanted = _as_array(sorted(set(notes)))
        if not len(self.notes) or not len(wanted):
            return {}
        places = np.minimum(np.searchsorted(self.notes, wanted), len(self.notes) - 1)
        there = self.notes[places] == wanted
        return dict(zip(wanted[there].tolist(), self.best[places[there]].tolist(), strict=True))

    def passages_of(self, notes: Iterable[int]) -> dict[int, int]:
        """Return the nearest passage of those of some notes that have one; of equally near ones, the first."""
        found = {}
        for note in self.of(notes):
            start, end = np.searchsorted(self.passages, [note << PASSAGE_BITS, (note + 1) << PASSAGE_BITS]).tolist()
            found[note] = int(self.passages[start + int(np.argmax(self.cosines[start:end]))])
        return found


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

    Every visible vector is scored. A note is as near as its nearest passage; of equally near passages the first in
    the note shows it.
    """
    passages, scores = vectors.passages, cosines(vectors.matrix, query)[vectors.rows]
    if visible is not None:
        seen = np.isin(passages >> PASSAGE_BITS, _as_array(sorted(visible)))
        passages, scores = passages[seen], scores[seen]
    if not len(passages):
        return [], Nearness(passages, scores, passages, scores)
    notes = passages >> PASSAGE_BITS
    # Passage ids ascend, so a note's passages stand together.
    starts = np.flatnonzero(np.concatenate(([True], notes[1:] != notes[:-1])))
    best = np.maximum.reduceat(scores, starts)
    if len(best) > depth:
        floor = np.partition(best, len(best) - depth)[len(best) - depth]
        kept = np.flatnonzero(best >= floor)
    else:
        kept = np.arange(len(best))
    ends = np.append(starts[1:], len(passages))
    rows = []
    for group in kept.tolist():
        # argmax gives the first of equal values.
        at = starts[group] + int(np.argmax(scores[starts[group] : ends[group]]))
        rows.append(Row(int(notes[at]), int(passages[at]), float(scores[at])))
    return rows, Nearness(notes[starts], best, passages, scores)


def _as_array(notes: Sequence[int]) -> NDArray[np.int64]:
    return np.asarray(notes, dtype=np.int64)
