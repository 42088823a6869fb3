"""The exact scan, on arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.schema import passage_id
from core.index.vectors import PassageVectors
from core.search.grouping import rank_notes
from core.search.meaning import best_by_meaning as rows_and_nearness
from core.search.meaning import cosines

DIMENSIONS = 384


@pytest.fixture(scope="module")
def matrix() -> np.ndarray:
    rows = np.random.default_rng(7).standard_normal((5_003, DIMENSIONS)).astype(np.float32)
    return np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@pytest.fixture(scope="module")
def query() -> np.ndarray:
    vector = np.random.default_rng(8).standard_normal(DIMENSIONS).astype(np.float32)
    return vector / np.linalg.norm(vector)


def best_by_meaning(*given, **options):
    return rows_and_nearness(*given, **options)[0]


def bits(scores: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(scores, dtype=np.float32).view(np.uint32)


def vectors_of(*notes: list[list[float]]) -> PassageVectors:
    """Notes 1, 2, …, each a list of passage vectors."""
    ids = [passage_id(note, ordinal) for note, rows in enumerate(notes, 1) for ordinal in range(len(rows))]
    matrix = np.array([row for rows in notes for row in rows], np.float32)
    return PassageVectors(np.array(ids, np.int64), np.arange(len(ids)), matrix)


def test_permuted_vectors_give_the_same_cosines_bit_for_bit(matrix, query) -> None:
    order = np.random.default_rng(1).permutation(len(matrix))
    assert np.array_equal(bits(cosines(matrix[order], query)), bits(cosines(matrix, query))[order])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000, 5002])
def test_a_subset_of_the_vectors_gives_the_same_cosines_bit_for_bit(matrix, query, size: int) -> None:
    chosen = np.sort(np.random.default_rng(size).choice(len(matrix), size, replace=False))
    assert np.array_equal(bits(cosines(matrix[chosen], query)), bits(cosines(matrix, query))[chosen])


def test_a_slice_that_starts_anywhere_gives_the_same_cosines_bit_for_bit(matrix, query) -> None:
    whole = bits(cosines(matrix, query))
    for start in range(1, 40):
        assert np.array_equal(bits(cosines(matrix[start:], query)), whole[start:])


def test_duplicated_vectors_give_the_same_cosines_bit_for_bit(matrix, query) -> None:
    doubled = np.concatenate((matrix, matrix[::-1], matrix[:17]))
    whole = bits(cosines(matrix, query))
    assert np.array_equal(bits(cosines(doubled, query)), np.concatenate((whole, whole[::-1], whole[:17])))


def test_cosines_are_dot_products(matrix, query) -> None:
    expected = matrix.astype(np.float64) @ query.astype(np.float64)
    np.testing.assert_allclose(cosines(matrix, query), expected, atol=1e-6)


def test_a_note_is_as_near_as_its_nearest_passage() -> None:
    vectors = vectors_of([[0.1, 0.9], [0.8, 0.2]], [[0.5, 0.5]])
    rows = best_by_meaning(vectors, np.array([1, 0], np.float32))
    assert [(row.note, row.passage) for row in rows] == [(1, passage_id(1, 1)), (2, passage_id(2, 0))]
    assert rows[0].score == pytest.approx(0.8)


def test_of_equally_near_passages_the_first_shows_the_note() -> None:
    vectors = vectors_of([[0, 1], [1, 0], [1, 0]])
    assert best_by_meaning(vectors, np.array([1, 0], np.float32))[0].passage == passage_id(1, 1)


def test_passages_that_share_a_row_are_scored_alike() -> None:
    ids = np.array([passage_id(1, 0), passage_id(2, 0), passage_id(3, 0)], np.int64)
    shared = PassageVectors(ids, np.array([1, 0, 1]), np.array([[0, 1], [1, 0]], np.float32))
    assert [row.score for row in best_by_meaning(shared, np.array([1, 0], np.float32))] == [1, 0, 1]


def test_the_cut_never_goes_through_a_tie() -> None:
    vectors = vectors_of(*[[[1.0 if note == 9 else 0.5, 0]] for note in range(1, 21)])
    rows = best_by_meaning(vectors, np.array([1, 0], np.float32), depth=3)
    assert len(rows) == 20
    by_backward_path = {row.note: f"{99 - row.note}.md" for row in rows}
    assert [one.note for one in rank_notes(rows, by_backward_path, 3).notes] == [9, 20, 19]


def test_no_more_notes_than_the_depth_where_nothing_ties(matrix, query) -> None:
    ids = np.array([passage_id(1 + number // 4, number % 4) for number in range(len(matrix))], np.int64)
    rows = best_by_meaning(PassageVectors(ids, np.arange(len(ids)), matrix), query, depth=50)
    scores = cosines(matrix, query)
    best = sorted(((float(scores[4 * n : 4 * n + 4].max()), n + 1) for n in range((len(ids) + 3) // 4)), reverse=True)
    assert sorted((row.score, row.note) for row in rows) == sorted(best[:50])


def test_no_visible_note_means_no_row() -> None:
    vectors = vectors_of([[1, 0]])
    assert best_by_meaning(vectors, np.array([1, 0], np.float32), set()) == []
    empty = PassageVectors(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 2), np.float32))
    assert best_by_meaning(empty, np.array([1, 0], np.float32)) == []


@given(
    st.lists(st.lists(st.sampled_from([[1, 0], [0, 1], [0.6, 0.8]]), min_size=1, max_size=3), min_size=1, max_size=9),
    st.sets(st.integers(1, 9)),
    st.integers(1, 5),
)
def test_hidden_notes_leave_no_trace(notes, visible, depth) -> None:
    vectors, query = vectors_of(*notes), np.array([1, 0], np.float32)
    seen = np.array([(passage >> 16) in visible for passage in vectors.passages.tolist()], bool)
    without = PassageVectors(vectors.passages[seen], vectors.rows[seen], vectors.matrix)
    assert best_by_meaning(vectors, query, visible, depth) == best_by_meaning(without, query, None, depth)
