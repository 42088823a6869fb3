"""The meaning leg: an exact scan for the nearest passages. Depends on numpy; no database, no model.

Scores are cosines, since vectors have unit length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.index.schema import PASSAGE_BITS
from core.search.grouping import DEPTH, Row, Visible

if TYPE_CHECKING:
    from core.index.vectors import PassageVectors


def cosines(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the dot product of each row of `matrix`, shape (r, d), with `query`, shape (d,); shape (r,).

    The sum runs in a fixed order, so a row's bits depend on nothing but the row: `matrix @ query` gives equal rows
    different values by position, length and thread count.
    """
    products: NDArray[np.float32] = np.einsum("ij,j->i", matrix, np.ascontiguousarray(query, dtype=np.float32))
    return products


def best_by_meaning(
    vectors: PassageVectors, query: NDArray[np.float32], visible: Visible = None, depth: int = DEPTH
) -> list[Row]:
    """Return the best row of the `depth` nearest visible notes and of all that tie with the last of them.

    Every visible vector is scored. A note is as near as its nearest passage; of equally near passages the first in
    the note shows it.
    """
    passages, scores = vectors.passages, cosines(vectors.matrix, query)[vectors.rows]
    if visible is not None:
        seen = np.isin(passages >> PASSAGE_BITS, _as_array(sorted(visible)))
        passages, scores = passages[seen], scores[seen]
    if not len(passages):
        return []
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
    return rows


def _as_array(notes: Sequence[int]) -> NDArray[np.int64]:
    return np.asarray(notes, dtype=np.int64)
