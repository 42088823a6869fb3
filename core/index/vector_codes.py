"""Vectors in one byte a dimension, which tell in a fraction of the time how near each can be to a query at most.

What is shown never comes from here: the bounds only choose which vectors are worth an exact look. Depends on numpy
and, for its products of bytes, on simsimd; without it there are no codes, and every vector is looked at exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LONGEST_VECTOR = 1.02
"""Squared length of the longest vector that takes part."""

_LARGEST = 127
_AT_ONCE = 16_384
"""Rows of one product, about 0.3 ms: it holds Python's lock, which the window needs as well."""

_ENCODED_AT_ONCE = 2_048


@dataclass(frozen=True, slots=True)
class VectorCodes:
    """The codes of the first rows of a matrix: `scale * code` is as near to the vector as `error` says.

    Attributes:
        values: shape (n, dimensions).
        scales: shape (n,).
        errors: the length of the difference between a vector and its code, shape (n,).
    """

    values: NDArray[np.int8]
    scales: NDArray[np.float32]
    errors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.values)

    def first(self, rows: int) -> VectorCodes:
        """Return the codes of the first rows, in the same memory."""
        return VectorCodes(self.values[:rows], self.scales[:rows], self.errors[:rows])

    def highest_cosines(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row a value that its product with `query`, summed in float32, does not exceed; shape (n,).

        With v = s*c + e and q = t*d + f, where c and d are whole numbers: q·v = s*t*(c·d) + f·(s*c) + q·e. The first
        term is a sum of whole numbers, the others are at most |f| * (|v| + |e|) and |q| * |e|.
        """
        import simsimd

        largest = float(np.abs(query).max(initial=0.0))
        scale = largest / _LARGEST if largest else 1.0
        digits = np.rint(query / scale).astype(np.int8)
        length, rest = float(np.linalg.norm(query)), float(np.linalg.norm(query - digits * np.float32(scale)))
        highest = np.empty(len(self.values), np.float32)
        for start in range(0, len(highest), _AT_ONCE):
            products = simsimd.cdist(self.values[start : start + _AT_ONCE], digits[None], "dot")
            highest[start : start + _AT_ONCE] = np.asarray(products).reshape(-1)
        highest *= self.scales * np.float32(scale)
        highest += self.errors * np.float32(length + rest)
        # Each product of the exact sum is rounded, and each step of it, and what was reckoned here.
        rounding = (len(query) + 16) * 2.0**-22 * (length + rest)
        highest += np.float32(rest * LONGEST_VECTOR + rounding)
        return highest


def can_encode() -> bool:
    """Return whether there is something to multiply bytes with."""
    try:
        import simsimd  # noqa: F401
    except ImportError:
        return False
    return True


def room_for_codes(rows: int, dimensions: int) -> VectorCodes:
    """Return codes that say nothing yet, for `encode` to fill."""
    return VectorCodes(np.empty((rows, dimensions), np.int8), np.empty(rows, np.float32), np.empty(rows, np.float32))


def encode(matrix: NDArray[np.float32], codes: VectorCodes, first: int, last: int) -> None:
    """Fill in the codes of the rows from `first` to below `last`; a row's code depends on the row alone."""
    for start in range(first, last, _ENCODED_AT_ONCE):
        part = slice(start, min(start + _ENCODED_AT_ONCE, last))
        rows = matrix[part]
        largest = np.maximum(rows.max(axis=1, initial=0.0), -rows.min(axis=1, initial=0.0))
        codes.scales[part] = scale = np.where(largest > 0, largest / np.float32(_LARGEST), np.float32(1))
        exact = rows / scale[:, None]
        rounded = np.rint(exact)
        codes.values[part] = rounded
        exact -= rounded
        codes.errors[part] = np.sqrt(np.einsum("ij,ij->i", exact, exact)) * scale
