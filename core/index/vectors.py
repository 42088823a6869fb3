"""The vectors of an index as one array, kept between searches and brought up to date by what changed.

Depends on numpy and a read connection. A vector belongs to a text and a model, so passages with the same text
share a row.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

VECTOR_TYPE = np.dtype("<f4")
"""How a vector is stored: float32, little-endian, on every machine."""

_SHORTEST, _LONGEST = 0.98, 1.02
"""Squared lengths between which a stored unit vector lies, rounding included."""


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """The vectors of the passages that have one.

    Attributes:
        passages: passage ids, ascending, shape (p,).
        rows: the row of `matrix` of each passage, shape (p,).
        matrix: unit vectors, float32, C-contiguous, shape (r, dimensions).
    """

    passages: NDArray[np.int64]
    rows: NDArray[np.int64]
    matrix: NDArray[np.float32]


class VectorCache:
    """Holds the vectors of one model for one reader; a change of the index costs only the new vectors."""

    def __init__(self) -> None:
        self._model = ""
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._passages: PassageVectors | None = None
        self._generation = -1

    def current(self, connection: apsw.Connection, model: str, dimensions: int, generation: int) -> PassageVectors:
        """Return the vectors that the connection's snapshot holds for `model`."""
        if model != self._model or self._matrix.shape[1] != dimensions:
            self._forget(model, dimensions)
        if self._passages is not None and generation == self._generation:
            return self._passages
        kept = connection.execute("SELECT value FROM meta WHERE key = 'model'").get
        # Passages have vectors of the index's own model and of no other.
        pairs = (
            connection.execute("SELECT id, vector FROM passage WHERE vector IS NOT NULL ORDER BY id").fetchall()
            if kept == model
            else []
        )
        used = np.array(pairs, np.int64).reshape(-1, 2)
        wanted = np.unique(used[:, 1])
        self._load(connection, wanted)
        rows = np.searchsorted(self._ids, used[:, 1])
        # A vector that is not of unit length is damaged; a number that is none would spoil every comparison with it.
        lengths = np.einsum("ij,ij->i", self._matrix, self._matrix)[rows]
        sound = (lengths > _SHORTEST) & (lengths < _LONGEST)
        self._passages = PassageVectors(np.ascontiguousarray(used[sound, 0]), rows[sound], self._matrix)
        self._generation = generation
        return self._passages

    def _forget(self, model: str, dimensions: int) -> None:
        self._model = model
        self._ids = np.empty(0, np.int64)
        self._matrix = np.empty((0, dimensions), np.float32)
        self._passages = None

    def _load(self, connection: apsw.Connection, wanted: NDArray[np.int64]) -> None:
        """Make `_ids` and `_matrix` hold exactly the wanted vectors, reading only those that are new."""
        if np.array_equal(wanted, self._ids):
            return
        dimensions = self._matrix.shape[1]
        # What is not there or has another size stays zero, which is no unit vector and takes no part.
        matrix = np.zeros((len(wanted), dimensions), np.float32)
        kept = np.isin(wanted, self._ids, assume_unique=True)
        matrix[kept] = self._matrix[np.searchsorted(self._ids, wanted[kept])]
        row_of = {identity: row for row, identity in enumerate(wanted.tolist()) if not kept[row]}
        if len(row_of) > len(wanted) // 2:
            values = connection.execute("SELECT id, value FROM vector")
        else:
            values = connection.execute(
                "SELECT id, value FROM vector WHERE id IN (SELECT json_each.value FROM json_each(?))",
                (json.dumps(list(row_of)),),
            )
        for identity, value in values:
            if identity in row_of and len(value) == dimensions * VECTOR_TYPE.itemsize:
                matrix[row_of[identity]] = np.frombuffer(value, VECTOR_TYPE)
        self._ids, self._matrix = wanted, matrix
