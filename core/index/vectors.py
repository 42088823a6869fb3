"""The vectors of an index as one array, kept between searches and brought up to date by what changed.

Depends on numpy and a read connection. A vector belongs to a text and a model, so passages with the same text
share a row.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

import apsw
import numpy as np
from numpy.typing import NDArray

from core.index.postings import numbers_in
from core.index.vector_codes import LONGEST_VECTOR, VectorCodes, can_encode, encode, room_for_codes

VECTOR_TYPE = np.dtype("<f4")
"""How a vector is stored: float32, little-endian, on every machine."""

CODED_FROM = 20_000
"""Vectors from which on codes pay (measured in docs/performance.md)."""

ENCODED_A_SEARCH = 32_768
"""Vectors that get their codes before one search, 20 to 40 ms: a single search would not win back what all cost."""

_SHORTEST = 0.98
"""Squared length of the shortest vector that takes part: unit length, rounding included."""

_READ_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """The vectors of the passages that have one.

    Attributes:
        passages: passage ids, ascending, shape (p,).
        rows: the row of `matrix` of each passage, shape (p,).
        matrix: unit vectors, float32, C-contiguous, shape (r, dimensions).
        codes: those of the first rows of `matrix`; None where there are none.
    """

    passages: NDArray[np.int64]
    rows: NDArray[np.int64]
    matrix: NDArray[np.float32]
    codes: VectorCodes | None = None


class VectorCache:
    """Holds the vectors of one model for one reader; a change of the index costs only the new vectors."""

    def __init__(self) -> None:
        self._model = ""
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._sound: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._codes: VectorCodes | None = None
        self._encoded = 0
        self._passages: PassageVectors | None = None
        self._generation = -1

    def current(self, connection: apsw.Connection, model: str, dimensions: int, generation: int) -> PassageVectors:
        """Return the vectors that the connection's snapshot holds for `model`."""
        if model != self._model or self._matrix.shape[1] != dimensions:
            self._forget(model, dimensions)
        if self._passages is not None and generation == self._generation:
            self._encode_some()
            return self._passages
        kept = connection.execute("SELECT value FROM meta WHERE key = 'model'").get
        # Passages have vectors of the index's own model and of no other.
        passages, used = (
            _passages_with_vectors(connection) if kept == model else (np.empty(0, np.int64), np.empty(0, np.int64))
        )
        self._load(connection, np.unique(used))
        rows = np.searchsorted(self._ids, used)
        sound = self._sound[rows]
        if not sound.all():
            passages, rows = passages[sound], rows[sound]
        self._passages = PassageVectors(passages, rows, self._matrix, self._codes and self._codes.first(self._encoded))
        self._generation = generation
        return self._passages

    def _forget(self, model: str, dimensions: int) -> None:
        self._model = model
        self._ids = np.empty(0, np.int64)
        self._matrix = np.empty((0, dimensions), np.float32)
        self._sound = np.empty(0, np.bool_)
        self._codes, self._encoded = None, 0
        self._passages = None

    def _load(self, connection: apsw.Connection, wanted: NDArray[np.int64]) -> None:
        """Make `_ids` and `_matrix` hold exactly the wanted vectors, reading only those that are new."""
        if np.array_equal(wanted, self._ids):
            return
        dimensions = self._matrix.shape[1]
        # What is not there or has another size stays zero, which is no unit vector and takes no part.
        matrix = np.zeros((len(wanted), dimensions), np.float32)
        kept = np.isin(wanted, self._ids, assume_unique=True)
        before = np.searchsorted(self._ids, wanted[kept])
        matrix[kept] = self._matrix[before]
        new = wanted[~kept]
        if len(new) > len(wanted) // 2:
            values = connection.execute("SELECT id, value FROM vector ORDER BY id")
        else:
            values = connection.execute(
                "SELECT id, value FROM vector WHERE id IN (SELECT json_each.value FROM json_each(?)) ORDER BY id",
                (json.dumps(new.tolist()),),
            )
        while read := list(islice(values, _READ_AT_ONCE)):
            ids, found = _unit_vectors(read, dimensions)
            places = np.minimum(np.searchsorted(wanted, ids), len(wanted) - 1)
            asked = (wanted[places] == ids) & ~kept[places]
            matrix[places[asked]] = found[asked]
        self._keep_codes(wanted, before, int(np.argmin(np.append(kept, False))))
        self._ids, self._matrix = wanted, matrix
        # A row of zeros is what was not there, not a vector's size, or damaged.
        self._sound = np.asarray(matrix.any(axis=1))

    def _keep_codes(self, wanted: NDArray[np.int64], before: NDArray[np.int64], kept: int) -> None:
        """Keep the codes of the first `kept` rows, which stood at `before`, and have room for those of all others."""
        if len(wanted) < CODED_FROM or not can_encode():
            self._codes, self._encoded = None, 0
            return
        codes = room_for_codes(len(wanted), self._matrix.shape[1])
        places = before[:kept]
        places = places[places < self._encoded]
        if self._codes is not None and len(places):
            codes.values[: len(places)] = self._codes.values[places]
            codes.scales[: len(places)] = self._codes.scales[places]
            codes.errors[: len(places)] = self._codes.errors[places]
        self._codes, self._encoded = codes, len(places)

    def _encode_some(self) -> None:
        """Give further vectors their codes, where some are without."""
        if self._codes is None or self._passages is None or self._encoded == len(self._codes):
            return
        first, self._encoded = self._encoded, min(self._encoded + ENCODED_A_SEARCH, len(self._codes))
        encode(self._matrix, self._codes, first, self._encoded)
        self._passages = replace(self._passages, codes=self._codes.first(self._encoded))


def _passages_with_vectors(connection: apsw.Connection) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids of the passages that have a vector, ascending, and the ids of their vectors."""
    # As two strings: a million pairs, one by one, take most of a second.
    [(passages, used)] = connection.execute(
        "SELECT group_concat(id), group_concat(vector) FROM "
        "(SELECT id, vector FROM passage WHERE vector IS NOT NULL ORDER BY id)"
    ).fetchall()
    return numbers_in(cast("str | None", passages)), numbers_in(cast("str | None", used))


def _unit_vectors(read: Sequence[tuple[int, bytes]], dimensions: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return ids and vectors of some rows, zeros for a vector that has another size or is not of unit length."""
    size = dimensions * VECTOR_TYPE.itemsize
    ids = np.fromiter((row[0] for row in read), np.int64, len(read))
    values = b"".join(value if len(value) == size else bytes(size) for _, value in read)
    vectors = np.frombuffer(values, VECTOR_TYPE).reshape(-1, dimensions).astype(np.float32)
    # A number that is none would spoil every comparison with it, and so would a vector that is too long.
    lengths = np.einsum("ij,ij->i", vectors, vectors)
    vectors[~((lengths > _SHORTEST) & (lengths < LONGEST_VECTOR))] = 0
    return ids, vectors
