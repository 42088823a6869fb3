"""Compatibility, band and mode, against values worked out by hand."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.compatibility import band_for, compatibility, mode_for
from core.search.results import LEGS, Band, Leg, Mode

W, M, L = LEGS


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1, 1, 1), 1.0),
        ((1, 2), 0.7),  # 0.6 * 2/3 + 0.4 * (1 + 1/2) / 2, design section 6
        ((1,), 0.6),  # 0.2 + 0.4
        ((4,), 0.3),  # 0.2 + 0.4 / 4
        ((50,), 0.208),  # 0.2 + 0.4 / 50
        ((1, 2, 4), 0.6 + 0.4 * 7 / 12),
        ((2, 2, 2), 0.8),
    ],
)
def test_compatibility_equals_the_value_worked_out_by_hand(ranks: tuple[int, ...], expected: float) -> None:
    assert compatibility(ranks) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=3))
def test_compatibility_stays_within_zero_and_one(ranks: list[int]) -> None:
    assert 0 < compatibility(ranks) <= 1


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=3))
def test_compatibility_is_the_same_whichever_leg_answers_first(ranks: list[int]) -> None:
    assert len({compatibility(order) for order in itertools.permutations(ranks)}) == 1


@given(st.lists(st.integers(1, 100), min_size=1, max_size=3), st.integers(0, 2))
def test_a_better_rank_never_lowers_compatibility(ranks: list[int], which: int) -> None:
    better = list(ranks)
    better[which % len(ranks)] = max(1, better[which % len(ranks)] - 1)
    assert compatibility(better) >= compatibility(ranks)


@pytest.mark.parametrize("ranks", [(), (0,), (1, 2, 3, 4), (-1, 1)])
def test_ranks_that_no_leg_can_give_are_refused(ranks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ranks from 1"):
        compatibility(ranks)


def test_three_legs_are_strong_two_good_one_partial() -> None:
    assert [band_for(legs) for legs in (3, 2, 1)] == [Band.STRONG, Band.GOOD, Band.PARTIAL]


@pytest.mark.parametrize(
    ("contributed", "off", "mode"),
    [
        ((W, M), (), Mode.HYBRID),
        ((W, M, L), (), Mode.HYBRID),
        ((W, L), (), Mode.WORDS),
        ((M, L), (), Mode.MEANING),
        ((W,), (M, L), Mode.WORDS),
        ((M,), (W,), Mode.MEANING),
        ((L,), (W, M), Mode.LINKS),
        ((L,), (W,), Mode.NONE),
        ((L,), (), Mode.NONE),
        ((), (), Mode.NONE),
        ((), (W, M), Mode.NONE),
    ],
)
def test_the_mode_is_never_more_generous_than_what_ran(contributed, off, mode: Mode) -> None:
    assert mode_for(contributed, off) is mode
    assert mode_for(frozenset(contributed), list(reversed(off))) is mode


def test_every_leg_has_a_mode_of_its_name() -> None:
    assert {leg.value for leg in Leg} <= {mode.value for mode in Mode}
