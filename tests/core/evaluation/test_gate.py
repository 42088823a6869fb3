"""The gate's rules, each shown by figures that meet or break it."""

import json
from types import MappingProxyType

import pytest

from core.errors import DataSetError
from core.evaluation.answers import Overlap
from core.evaluation.datasets import Series
from core.evaluation.decision_record import record_text
from core.evaluation.earlier_run import read_earlier_run
from core.evaluation.experiment import Measured, Run
from core.evaluation.gate import (
    GATED,
    MODES,
    Pair,
    judge,
    leg_ahead_on_every_size,
    pairs_of,
    results_of,
    weight_reasons,
)
from core.evaluation.metrics import FoundList, QueryFigures
from core.evaluation.summary import query_lines
from core.search.results import Leg, Mode

QUERIES = 200


def values(right: int, of: int = QUERIES) -> dict[str, dict[str, float]]:
    """Return figures where the first `right` queries have all they could, by every measure."""
    return {measure: {f"q{n:03}": float(n < right) for n in range(of)} for measure in GATED}


def pair(candidate: int, default: int, mode: Mode = Mode.HYBRID, data_set: str = "set", of: int = QUERIES) -> Pair:
    return Pair(data_set, mode, values(candidate, of), values(default, of))


def test_a_gain_beyond_the_interval_and_no_fall_is_adopted():
    verdict = judge([pair(150, 120), pair(100, 100, Mode.WORDS), pair(100, 100, Mode.MEANING)])
    assert verdict.adopted
    assert verdict.reasons == ()
    assert verdict.falls == ()
    assert verdict.pooled["hit@1"].estimate == pytest.approx(30 / QUERIES)


def test_no_gain_is_not_adopted():
    verdict = judge([pair(120, 120)])
    assert not verdict.adopted
    assert verdict.reasons == ("Neither hit@1 nor mrr@10, pooled over the sets, rises beyond the interval.",)


def test_one_query_of_twenty_is_no_gain():
    assert not judge([pair(15, 14, of=20)]).adopted


def test_a_gain_in_words_alone_is_no_gain():
    assert not judge([pair(150, 100, Mode.WORDS), pair(100, 100)]).adopted


def test_a_gain_in_mrr_alone_is_enough():
    one = pair(120, 120)
    better = {**one.candidate, "mrr@10": dict.fromkeys(one.candidate["mrr@10"], 0.9)}
    assert judge([Pair("set", Mode.HYBRID, better, one.default)]).adopted


@pytest.mark.parametrize("mode", MODES)
def test_a_fall_of_more_than_the_limit_in_any_mode_is_not_adopted(mode):
    pairs = [pair(150, 100, data_set="other"), pair(95, 100, mode)]
    verdict = judge(pairs)
    assert not verdict.adopted
    assert all("by more than 0.02" in reason or "below zero" in reason for reason in verdict.reasons)
    assert {(fall.data_set, fall.mode) for fall in verdict.falls} == {("set", mode)}


def test_a_fall_of_exactly_the_limit_passes_where_it_may_be_chance():
    # Two of 100 lost and none won lies below zero wholly or not by the interval alone.
    pairs = [pair(160, 100, data_set="other"), pair(98, 100, Mode.WORDS, of=100)]
    verdict = judge(pairs)
    assert verdict.adopted == (not any(gain.interval.is_below_zero for gain in verdict.gains))
    assert {round(fall.interval.estimate, 6) for fall in verdict.falls} == {-0.02}


def test_a_small_fall_that_is_sure_is_not_adopted():
    steady = {measure: {f"q{n}": 0.5 for n in range(50)} for measure in GATED}
    lower = {measure: {f"q{n}": 0.49 for n in range(50)} for measure in GATED}
    verdict = judge([pair(160, 100, data_set="other"), Pair("set", Mode.MEANING, lower, steady)])
    assert not verdict.adopted
    assert "set, meaning, hit@1: the whole interval lies below zero (-0.010, -0.010 to -0.010)." in verdict.reasons


def test_a_set_without_answers_is_judged_by_the_other_measures():
    candidate, default = values(150), values(120)
    del candidate["content_hit"], default["content_hit"]
    verdict = judge([Pair("set", Mode.HYBRID, candidate, default)])
    assert verdict.adopted
    assert "content_hit" not in {gain.measure for gain in verdict.gains}


def test_nothing_compared_is_not_adopted():
    assert not judge([]).adopted


def run(name: str, mode: Mode, right: int, *, is_leg: bool = False, of: int = 20) -> Run:
    figures = []
    for n in range(of):
        found = FoundList(f"q{n:02}", ("a",) if n < right else (), (1.0,) if n < right else ())
        figures.append(QueryFigures(found, MappingProxyType(dict.fromkeys(GATED, float(n < right)))))
    return Run(name, mode, is_leg, tuple(figures))


def measured(name: str, *runs: Run, series: Series | None = None) -> Measured:
    queries = {one.found.query: Overlap.REST for one in runs[0].figures}
    return Measured(name, 10, series, "f" * 32, 1.0, "default/v1", runs, queries, queries)


def sizes(*rights: int, name: str = "candidate/v1") -> list[Measured]:
    return [
        measured(
            f"tier{place}",
            run("default/v1", Mode.HYBRID, 10),
            run(name, Mode.HYBRID, right),
            series=Series("hay", place),
        )
        for place, right in enumerate(rights, start=1)
    ]


def test_the_sizes_of_a_series_are_one_set_in_which_each_query_counts_once():
    tiers = sizes(11, 10, 10, 10)
    (pooled,) = pairs_of(tiers, "candidate/v1", results_of(tiers, "default/v1"))
    assert pooled.data_set == "hay"
    assert len(pooled.candidate["hit@1"]) == 20
    assert pooled.candidate["hit@1"]["q10"] == 0.25
    assert judge([pooled]).gains[0].interval.queries == 20


def leg_sizes(*pairs: tuple[int, int]) -> list[Measured]:
    return [
        measured(
            f"tier{place}",
            run(Leg.WORDS, Mode.WORDS, words, is_leg=True),
            run(Leg.MEANING, Mode.MEANING, meaning, is_leg=True),
            series=Series("hay", place),
        )
        for place, (words, meaning) in enumerate(pairs, start=1)
    ]


@pytest.mark.parametrize(
    "pairs, leg",
    [
        ([(18, 5), (17, 6)], Leg.WORDS),
        ([(5, 18), (6, 17)], Leg.MEANING),
        ([(18, 5), (12, 12)], None),
        ([(18, 5), (5, 18)], None),
        ([(11, 10), (11, 10)], None),
        ([], None),
    ],
)
def test_a_leg_is_ahead_only_where_it_is_on_every_size_beyond_chance(pairs, leg):
    assert leg_ahead_on_every_size(leg_sizes(*pairs)) == leg


@pytest.mark.parametrize(
    "name, refused",
    [
        ("rrf/k=60/v1", False),
        ("rrf/k=60/weights=1:1:0.5/v1", False),
        ("rrf/k=60/weights=2:1:1/v1", False),
        ("rrf/k=60/weights=1:2:1/v1", True),
        ("rrf/k=60/weights=1:2:1/completed/v1", True),
    ],
)
def test_a_weight_needs_its_leg_ahead_on_every_size(name, refused):
    assert bool(weight_reasons(leg_sizes((18, 5), (17, 6)), name)) is refused


def test_the_record_says_the_decision_the_reasons_and_every_fall():
    tiers = [*sizes(5, 5), measured("plain", run("default/v1", Mode.HYBRID, 10), run("candidate/v1", Mode.HYBRID, 20))]
    verdict = judge(pairs_of(tiers, "candidate/v1", results_of(tiers, "default/v1")))
    text = record_text(verdict, tiers, "candidate/v1", "default/v1", "make gate CANDIDATE=candidate/v1")
    assert text.startswith("# candidate/v1 against default/v1\n\n**candidate/v1 is not adopted.**\n\n- ")
    assert "    make gate CANDIDATE=candidate/v1\n" in text
    assert "| plain | hybrid | 20 | +0.500* |" in text
    assert "- hay, hybrid, hit@1: -0.2500 (" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_an_earlier_run_is_read_back_as_it_was_written(tmp_path):
    tiers = sizes(12, 8)
    file = tmp_path / "before.jsonl"
    file.write_text(query_lines(tiers), "utf-8")
    name, found = read_earlier_run(file)
    assert name == "default/v1"
    assert found == results_of(tiers, "default/v1")


@pytest.mark.parametrize(
    "text, said",
    [
        ("{}\n", "Line 1 of"),
        ("x\n", "Line 1 of"),
        ("", "one default formula"),
        (json.dumps({"default": True, "formula": "f", "dataset": "d", "mode": "odd", "query": "q"}), "Line 1 of"),
    ],
)
def test_a_file_that_is_no_earlier_run_is_refused_in_a_sentence(tmp_path, text, said):
    file = tmp_path / "before.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(DataSetError, match=said):
        read_earlier_run(file)
    with pytest.raises(DataSetError, match="could not be read"):
        read_earlier_run(tmp_path / "nowhere")
