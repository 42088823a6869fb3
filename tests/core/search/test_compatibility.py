"""Compatibility, band and mode, against values worked out by hand."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.compatibility import band_for, compatibility, mode_for
from core.search.results import LEGS, Band, HeldBack, Leg, Mode
from core.search.strength import Strength

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


CLEAR, ENOUGH, WEAK = Strength(1.5, 0.8), Strength(0.85, 0.8), Strength(0.7, 0.8)
UNTOLD = (Band.GOOD, HeldBack.EVIDENCE)


@pytest.mark.parametrize(
    ("ranks", "legs", "strength", "band"),
    [
        ((1, 1, 1), 3, CLEAR, (Band.STRONG, None)),
        ((1, 2, 4), 3, CLEAR, (Band.STRONG, None)),  # 0.6 + 0.4 * 7/12 = 0.83
        ((1, 1), 3, CLEAR, (Band.STRONG, None)),  # 0.4 + 0.4
        ((1, 2), 3, CLEAR, (Band.GOOD, HeldBack.AGREEMENT)),  # 0.7
        ((1, 2), 2, CLEAR, (Band.STRONG, None)),  # 0.9: a folder without links has two legs
        ((1,), 3, CLEAR, (Band.PARTIAL, HeldBack.AGREEMENT)),  # 0.6
        ((1,), 2, CLEAR, (Band.GOOD, HeldBack.AGREEMENT)),  # 0.7
        ((2,), 2, CLEAR, (Band.PARTIAL, HeldBack.AGREEMENT)),  # 0.5
        ((1,), 1, CLEAR, (Band.GOOD, HeldBack.AGREEMENT)),  # 1.0, but with nobody to agree with
        ((9,), 1, CLEAR, (Band.PARTIAL, HeldBack.AGREEMENT)),  # 0.644
        ((1, 1, 1), 3, ENOUGH, (Band.GOOD, HeldBack.EVIDENCE)),
        ((1, 1, 1), 3, WEAK, (Band.PARTIAL, HeldBack.EVIDENCE)),
        ((1, 1, 1), 3, replace(WEAK, holds_all=True), (Band.GOOD, HeldBack.EVIDENCE)),
        ((1, 1, 1), 3, None, UNTOLD),
        ((50, 50, 50), 3, WEAK, (Band.PARTIAL, HeldBack.EVIDENCE)),
    ],
)
def test_a_band_needs_agreement_and_evidence_and_says_what_is_missing(ranks, legs, strength, band) -> None:
    assert band_for(ranks, legs, strength) == band


@given(st.lists(st.integers(1, 100), min_size=1, max_size=3), st.integers(0, 2), st.floats(0, 3), st.floats(0, 3))
def test_a_better_rank_or_more_evidence_never_lowers_a_band(ranks, which, one, other) -> None:
    order = [Band.PARTIAL, Band.GOOD, Band.STRONG]
    better = list(ranks)
    better[which % len(ranks)] = max(1, better[which % len(ranks)] - 1)
    low, high = (Strength(value, 0.8) for value in sorted((one, other)))
    assert order.index(band_for(better, 3, high)[0]) >= order.index(band_for(ranks, 3, low)[0])


def test_more_ranks_than_legs_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 1 legs"):
        band_for((1, 2), 1, CLEAR)


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
