"""Scripted rows in, a ranking of notes out: filters act before anything is grouped, counted or shown."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from core.index.schema import passage_id
from core.search.grouping import DEPTH, Row, best_rows, rank_notes
from core.search.results import Ranking


def row(note: int, ordinal: int, score: float) -> Row:
    return Row(note, passage_id(note, ordinal), score)


def path(note: int) -> str:
    return f"{note:05}.md"


def ranking(rows: list[Row], visible: set[int] | None, depth: int = DEPTH) -> Ranking:
    best = best_rows(rows, visible, depth)
    return rank_notes(best, {one.note: path(one.note) for one in best}, depth)


def test_a_filtered_row_takes_no_result_slot() -> None:
    rows = [row(note, 0, 1000.0 - note) for note in range(120)]
    even = {note for note in range(120) if note % 2 == 0}
    ranked = ranking(rows, even)
    assert [one.note for one in ranked.notes] == [2 * place for place in range(50)]


def test_a_filtered_row_uses_no_depth() -> None:
    # A thousand hidden rows come first; the one visible note stands behind all of them.
    rows = [row(note, 0, 2000.0 - note) for note in range(1000)] + [row(5000, 0, 1.0)]
    assert [one.note for one in ranking(rows, {5000}).notes] == [5000]


def test_a_filtered_row_cannot_decide_which_passage_of_a_visible_note_is_shown() -> None:
    rows = [row(1, 9, 9.0), row(2, 3, 8.0), row(1, 0, 7.5), row(2, 0, 7.0)]
    alone = ranking([one for one in rows if one.note == 2], None)
    assert ranking(rows, {2}) == alone
    assert alone.notes[0].passage == passage_id(2, 3)


def test_of_equal_passages_of_a_note_the_first_is_shown() -> None:
    assert ranking([row(1, 4, 2.0), row(1, 2, 2.0), row(1, 3, 2.0)], None).notes[0].passage == passage_id(1, 2)


def test_a_note_counts_once_by_its_best_passage() -> None:
    ranked = ranking([row(1, 0, 3.0), row(2, 0, 2.5), row(1, 1, 2.0)], None)
    assert [(one.note, one.score) for one in ranked.notes] == [(1, 3.0), (2, 2.5)]


def test_the_cut_never_goes_through_a_tie() -> None:
    # Three notes tie for the last place; whichever comes first, the path decides.
    rows = [row(7, 0, 5.0), row(9, 0, 1.0), row(3, 0, 1.0), row(5, 0, 1.0), row(1, 0, 0.5)]
    assert [one.note for one in ranking(rows, None, depth=2).notes] == [7, 3]
    assert [one.note for one in best_rows(rows, None, depth=2)] == [7, 9, 3, 5]


def test_rows_are_read_no_further_than_the_first_that_scores_less_than_the_last_note() -> None:
    read = []

    def rows() -> Iterator[Row]:
        for note in range(1000):
            read.append(note)
            yield row(note, 0, 1000.0 - note)

    assert len(best_rows(rows(), None)) == DEPTH
    assert len(read) == DEPTH + 1


ROWS = st.lists(st.builds(row, st.integers(0, 12), st.integers(0, 3), st.integers(0, 5).map(float)), max_size=60)


@given(ROWS, st.sets(st.integers(0, 12)), st.randoms(use_true_random=False))
def test_a_ranking_with_a_filter_equals_that_of_the_visible_rows_in_any_order_of_ties(rows, visible, random) -> None:
    shuffled = random.sample(rows, len(rows))
    first = sorted(rows, key=lambda one: -one.score)
    second = sorted((one for one in shuffled if one.note in visible), key=lambda one: -one.score)
    assert ranking(first, visible, depth=4) == ranking(second, None, depth=4)


@given(ROWS)
def test_every_ranking_is_in_a_total_order(rows) -> None:
    ranked = ranking(sorted(rows, key=lambda one: -one.score), None).notes
    keys = [(-one.score, one.path) for one in ranked]
    assert keys == sorted(set(keys))
