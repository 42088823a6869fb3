"""What lies around one note: the notes it links to, those that link to it, and those nearest to it in meaning.

Depends on an index reader and numpy. No query takes part, so nothing here is a hit, and nothing is scored for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.index.schema import PASSAGE_BITS
from core.search.grouping import note_starts, nth_highest
from core.search.meaning import cosines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.index.reader import Reader

MOST_SIMILAR = 8


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A note beside another. `line` is that of the link, from 1: in the note itself, or in the one that links to it."""

    path: str
    title: str
    date: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """`links_to` in the order of the note, each once; `linked_from` by path; `similar` the nearest first."""

    links_to: tuple[Neighbour, ...] = ()
    linked_from: tuple[Neighbour, ...] = ()
    similar: tuple[Neighbour, ...] = ()


def neighbours_of(reader: Reader, path: str, model_key: str | None = None, dimensions: int = 0) -> Neighbours:
    """Return what lies around the note at `path`; nothing where the index holds no such note.

    Similar notes need the key and dimensions of the model whose vectors the index holds, and a vector of the note.
    """
    note = reader.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).get
    if note is None:
        return Neighbours()
    to = reader.connection.execute(
        "SELECT note.path, note.title, note.date, min(link.line) FROM link JOIN note ON note.id = link.note "
        "WHERE link.source = ?1 AND link.note <> ?1 GROUP BY note.id ORDER BY min(link.ordinal)",
        (note,),
    )
    links_to = tuple(Neighbour(*row) for row in to)
    back = reader.connection.execute(
        "SELECT note.path, note.title, note.date, min(link.line) FROM link JOIN note ON note.id = link.source "
        "WHERE link.note = ?1 AND link.source <> ?1 GROUP BY note.id ORDER BY note.path",
        (note,),
    )
    linked_from = tuple(Neighbour(*row) for row in back)
    ids = [] if model_key is None else _nearest(reader, note, model_key, dimensions)
    found = reader.notes(ids)
    similar = tuple(Neighbour(found[each].path, found[each].title, found[each].date) for each in ids)
    return Neighbours(links_to, linked_from, similar)


def _nearest(reader: Reader, note: int, model_key: str, dimensions: int) -> Sequence[int]:
    """Return the ids of the notes whose mean vectors are nearest to that of `note`; equal ones by path."""
    notes, means = reader.kept(("mean vectors", model_key), lambda: _mean_vectors(reader, model_key, dimensions))
    at = int(np.searchsorted(notes, note))
    if at >= len(notes) or notes[at] != note:
        return []
    near = cosines(means, means[at])
    near[at] = -np.inf
    most = min(MOST_SIMILAR, len(notes) - 1)
    if most < 1:
        return []
    tied = np.flatnonzero(near >= nth_highest(near, most))
    paths = reader.notes(notes[tied].tolist())
    in_order = sorted(tied.tolist(), key=lambda row: (-float(near[row]), paths[int(notes[row])].path))
    return [int(notes[row]) for row in in_order[:most]]


def _mean_vectors(reader: Reader, model_key: str, dimensions: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the ids of the notes that have a vector, ascending, and their mean vectors of unit length, a row each.

    A note's sum runs over its own passages in their order, so its bits depend on no other note.
    """
    vectors = reader.vectors(model_key, dimensions)
    starts = note_starts(vectors.passages)
    notes = vectors.passages[starts] >> PASSAGE_BITS
    if not len(notes):
        return notes, np.empty((0, dimensions), np.float32)
    sums = np.add.reduceat(vectors.matrix[vectors.rows], starts, axis=0)
    lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
    lengths[lengths == 0] = 1  # passages that cancel out have no direction, and are near to nothing
    return notes, np.ascontiguousarray(sums / lengths[:, None], np.float32)
