"""That codes leave out only what is not among the nearest: the same notes, passages and bits as looking at all."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.schema import PASSAGE_BITS, passage_id
from core.index.vector_codes import VectorCodes, can_encode, encode, room_for_codes
from core.index.vectors import PassageVectors
from core.search.meaning import best_by_meaning, cosines, places_near


def unit_rows(rows: np.ndarray) -> np.ndarray:
    rows = np.asarray(rows, np.float64)
    return np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def codes_of(matrix: np.ndarray) -> VectorCodes:
    codes = room_for_codes(*matrix.shape)
    encode(matrix, codes, 0, len(matrix))
    return codes


def folder_of(draw: np.random.Generator, dimensions: int, kind: str) -> tuple[PassageVectors, np.ndarray]:
    """Return passages of notes of one to six, of a kind that makes it hard to tell them apart, and a query."""
    count = 900
    if kind == "clusters":
        centres = draw.standard_normal((12, dimensions))
        matrix = unit_rows(centres[draw.integers(12, size=count)] + 0.4 * draw.standard_normal((count, dimensions)))
        query = centres[0] + 0.2 * draw.standard_normal(dimensions)
    elif kind == "few different":
        matrix = unit_rows(draw.standard_normal((17, dimensions)))[draw.integers(17, size=count)]
        query = matrix[3]
    elif kind == "a last bit apart":
        matrix = np.repeat(unit_rows(draw.standard_normal((1, dimensions))), count, axis=0)
        nearby = np.nextafter(matrix, np.float32(2))
        matrix = np.where(draw.random(matrix.shape) < 0.1, nearby, matrix)
        query = matrix[0]
    else:
        matrix = unit_rows(draw.standard_normal((count, dimensions)) ** 5)
        query = draw.standard_normal(dimensions) ** 5
    rows = draw.permutation(np.concatenate((np.arange(count), draw.integers(count, size=100))))
    ids, note = [], 0
    while len(ids) < len(rows):
        note += int(draw.integers(1, 4))
        ids += [passage_id(note, ordinal) for ordinal in range(int(draw.integers(1, 7)))]
    vectors = PassageVectors(np.array(ids[: len(rows)], np.int64), rows, np.ascontiguousarray(matrix, np.float32))
    [query] = unit_rows(query[None])
    return vectors, query


KINDS = st.sampled_from(["clusters", "few different", "a last bit apart", "a few large numbers"])
SEEDS = st.integers(0, 2**32 - 1)
DIMENSIONS = st.sampled_from([1, 2, 3, 8, 33, 384])


@given(SEEDS, DIMENSIONS, KINDS, st.integers(1, 60), st.sampled_from([None, 0.02, 0.5, 0.95]), st.integers(1, 900))
def test_codes_change_no_bit_of_what_is_found(seed, dimensions, kind, depth, visible_share, encoded):
    draw = np.random.default_rng(seed)
    vectors, query = folder_of(draw, dimensions, kind)
    coded = replace(vectors, codes=codes_of(vectors.matrix).first(encoded))
    notes = np.unique(vectors.passages >> PASSAGE_BITS).tolist()
    visible = None if visible_share is None else {note for note in notes if draw.random() < visible_share}
    rows, nearness = best_by_meaning(vectors, query, visible, depth)
    coded_rows, coded_nearness = best_by_meaning(coded, query, visible, depth)
    assert coded_rows == rows
    asked = [0, *notes, notes[-1] + 1]
    assert coded_nearness.of(asked) == nearness.of(asked)
    assert coded_nearness.passages_of(asked) == nearness.passages_of(asked)
    assert nearness.of(asked).keys() == {note for note in notes if visible is None or note in visible}


@given(SEEDS, DIMENSIONS, KINDS)
def test_no_cosine_is_above_its_bound(seed, dimensions, kind):
    vectors, query = folder_of(np.random.default_rng(seed), dimensions, kind)
    assert (codes_of(vectors.matrix).highest_cosines(query) >= cosines(vectors.matrix, query)).all()


def test_bounds_are_near_enough_to_leave_nearly_all_out():
    draw = np.random.default_rng(5)
    matrix = unit_rows(draw.standard_normal((20_000, 384)))
    ids = np.array([passage_id(1 + row // 4, row % 4) for row in range(len(matrix))], np.int64)
    vectors = PassageVectors(ids, np.arange(len(ids)), matrix, codes_of(matrix))
    assert (vectors.codes.highest_cosines(matrix[0]) - cosines(matrix, matrix[0])).max() < 0.05
    assert len(places_near(vectors, matrix[0], None, 50)) < 1_000


def test_a_row_has_the_same_code_wherever_it_stands():
    matrix = unit_rows(np.random.default_rng(6).standard_normal((5_000, 48)))
    whole, turned = codes_of(matrix), codes_of(np.ascontiguousarray(matrix[::-1]))
    for one, other in ((whole.values, turned.values), (whole.scales, turned.scales), (whole.errors, turned.errors)):
        assert np.array_equal(one, other[::-1])


def test_rows_of_zeros_have_codes_too():
    codes = codes_of(np.zeros((3, 4), np.float32))
    assert not codes.values.any()
    assert (codes.highest_cosines(np.array([1, 0, 0, 0], np.float32)) >= 0).all()


def test_without_anything_to_multiply_bytes_with_there_are_no_codes(monkeypatch: pytest.MonkeyPatch):
    assert can_encode()
    monkeypatch.setitem(sys.modules, "simsimd", None)
    assert not can_encode()
