"""Bootstrap intervals: what must hold of them whatever the numbers."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.comparison import NO_QUERIES, differences, interval_of, paired_interval, pooled_interval

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_an_interval_holds_its_estimate_and_is_always_the_same():
    values = [0.0, 1.0] * 50
    interval = interval_of(values)
    assert interval.estimate == 0.5
    assert interval.low < 0.5 < interval.high
    assert interval_of(values) == interval


def test_an_interval_is_about_as_wide_as_theory_says():
    # The mean of 400 coins: 1.96 standard errors of 0.5 / 20 each way.
    interval = interval_of([0.0, 1.0] * 200)
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.1)


@given(VALUES)
def test_an_interval_lies_between_the_smallest_and_the_largest_value(values):
    interval = interval_of(values)
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12
    assert interval.queries == len(values)


def test_equal_values_have_no_width():
    interval = interval_of([0.25] * 7)
    assert (interval.low, interval.high) == (0.25, 0.25)


@given(VALUES)
def test_a_run_against_itself_gains_nothing(values):
    run = {f"q{place}": value for place, value in enumerate(values)}
    interval = paired_interval(run, run)
    assert (interval.estimate, interval.low, interval.high) == (0, 0, 0)
    assert not interval.is_above_zero
    assert not interval.is_below_zero


def test_turning_the_comparison_round_turns_the_interval_round():
    chosen = np.random.default_rng(3)
    first = {f"q{place}": float(value) for place, value in enumerate(chosen.random(60))}
    second = {f"q{place}": float(value) for place, value in enumerate(chosen.random(60))}
    one, other = paired_interval(first, second), paired_interval(second, first)
    assert (one.estimate, one.low, one.high) == pytest.approx((-other.estimate, -other.high, -other.low))


def test_pairs_tell_what_two_separate_intervals_cannot():
    # Queries differ far more than the runs do: only query by query is the gain seen.
    before = {f"q{place}": place / 100 for place in range(100)}
    after = {query: value + 0.01 for query, value in before.items()}
    assert paired_interval(after, before).is_above_zero
    assert interval_of(list(after.values())).low < interval_of(list(before.values())).high


def test_only_queries_of_both_are_compared_whatever_order_they_stand_in():
    assert differences({"b": 1.0, "a": 0.5, "x": 1.0}, {"a": 0.0, "b": 0.0}) == [0.5, 1.0]
    assert paired_interval({"a": 1.0}, {"b": 1.0}) == NO_QUERIES
    assert interval_of([]) == NO_QUERIES


def test_pooled_sets_weigh_by_their_queries():
    pooled = pooled_interval([[1.0] * 30, [], [0.0] * 10])
    assert pooled.estimate == 0.75
    assert pooled.queries == 40
    # Each set is resampled within itself, and within these nothing varies.
    assert (pooled.low, pooled.high) == (0.75, 0.75)


def test_many_queries_are_resampled_in_blocks_that_fit_in_memory():
    values = [0.0, 1.0] * 6_000
    assert interval_of(values).estimate == 0.5


@pytest.mark.parametrize("seed", ["0", "1", "12345"])
def test_another_process_with_another_hash_seed_finds_the_same_bits(seed):
    program = (
        "from core.evaluation.comparison import paired_interval\n"
        "run = {f'q{n}': (n * 7 % 11) / 11 for n in range(80)}\n"
        "other = {f'q{n}': (n * 5 % 13) / 13 for n in range(80)}\n"
        "print(repr(paired_interval(run, other)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    run = {f"q{n}": (n * 7 % 11) / 11 for n in range(80)}
    other = {f"q{n}": (n * 5 % 13) / 13 for n in range(80)}
    assert done.stdout.strip() == repr(paired_interval(run, other))
