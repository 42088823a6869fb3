"""A reranker in an evaluation: each formula off and on, as the search itself lists; the gate judges both."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from core.errors import ModelError
from core.evaluation.decision_record import record_text
from core.evaluation.experiment import RERANKED, Plan, measure
from core.evaluation.gate import judge, pairs_of, reranked_pairs_of, results_of
from core.evaluation.remembered_scores import RememberedScores
from core.evaluation.summary import as_object, query_lines, table_text, timing_lines
from core.search.fusion import DEFAULT_FORMULA, FORMULAS
from core.search.results import Mode, RerankerName, Skipped
from core.search.search import SearchRequest, search

NO_MODEL = Skipped("switched off")
OTHER = next(name for name in FORMULAS if name != DEFAULT_FORMULA)
PLAN = Plan((DEFAULT_FORMULA, OTHER), (Mode.WORDS, Mode.HYBRID), DEFAULT_FORMULA)


@dataclass
class Shortest:
    """Puts short texts first; counts what it was asked."""

    fault: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    model: RerankerName = field(default_factory=lambda: RerankerName("shortest", "0" * 64))

    def score(self, query: str, text: str) -> float:
        self.asked.append((query, text))
        if self.fault:
            raise ModelError(self.fault)
        return -float(len(text))


@pytest.fixture
def small(index_of, small_set):
    with index_of(small_set) as (reader, document_by_path):
        yield reader, document_by_path


@pytest.fixture
def run_with(small, small_set):
    reader, document_by_path = small
    return lambda reranker, **options: measure(
        reader, NO_MODEL, small_set, document_by_path, PLAN, reranker=reranker, **options
    )


@pytest.mark.parametrize("formula", PLAN.formulas)
def test_a_reranked_run_holds_what_the_search_itself_returns(run_with, small, small_set, formula):
    one = run_with(Shortest())
    reader, document_by_path = small
    run = one.run(formula + RERANKED, Mode.HYBRID)
    for query, figures in zip(small_set.queries, run.figures, strict=True):
        hits = search(reader, NO_MODEL, SearchRequest(query.text, formula=formula), reranker=Shortest()).hits[:10]
        assert figures.found.documents == tuple(document_by_path[hit.path] for hit in hits)
        assert figures.found.scores == tuple(hit.reranked.score for hit in hits)


def test_off_stands_beside_on_and_is_what_it_is_without_a_reranker(run_with):
    without, both = run_with(None), run_with(Shortest())
    plain = [DEFAULT_FORMULA, OTHER]
    names = sorted(run.name for run in both.runs if not run.is_leg and run.mode is Mode.HYBRID)
    assert names == sorted([*plain, *(name + RERANKED for name in plain)])
    for run in without.runs:
        again = both.run(run.name, run.mode)
        assert [one.found.documents for one in again.figures] == [one.found.documents for one in run.figures]
    assert (without.reranker, both.reranker) == (None, RerankerName("shortest", "0" * 64))


def test_rows_lines_and_table_name_both_and_compare_on_with_off(run_with):
    one = run_with(Shortest())
    value = as_object([one], DEFAULT_FORMULA)
    assert value["reranker"] == {"name": "shortest", "sha256": "0" * 64}
    reranked = f"{DEFAULT_FORMULA}, reranked"
    assert {DEFAULT_FORMULA, reranked} <= {row["formula"] for row in value["rows"]}
    compared = [each["against"] for each in value["comparisons"] if each["formula"] == reranked]
    assert compared == [DEFAULT_FORMULA] * 2
    assert f'"formula": "{reranked}"' in query_lines([one])
    assert f"  {reranked} " in table_text([one], DEFAULT_FORMULA)
    assert "reranker" not in as_object([run_with(None)], DEFAULT_FORMULA)


def test_each_query_and_text_is_read_once_and_counted_in_every_time(run_with):
    reranker = Shortest()
    seconds = iter(range(1_000_000))
    one = run_with(reranker, clock=lambda: float(next(seconds)))
    assert len(reranker.asked) == len(set(reranker.asked)) > 0
    lines = [line for line in timing_lines([one]) if RERANKED in line]
    assert len(lines) == 4
    for name in (DEFAULT_FORMULA, OTHER):
        for mode in PLAN.modes:
            off, on = one.run(name, mode), one.run(name + RERANKED, mode)
            for before, after in zip(off.figures, on.figures, strict=True):
                # One tick for each of two looks at the clock, and one a text, asked for or remembered.
                assert after.found.milliseconds > before.found.milliseconds


def test_one_that_fails_is_a_problem_and_its_lists_are_the_fused_ones(run_with):
    one = run_with(Shortest(fault="It fell over."))
    assert one.problems == {"It fell over.": 3 * 4}
    off, on = one.run(DEFAULT_FORMULA, Mode.WORDS), one.run(DEFAULT_FORMULA + RERANKED, Mode.WORDS)
    assert [each.found.documents for each in on.figures] == [each.found.documents for each in off.figures]


def test_remembered_scores_save_time_and_are_forgotten():
    reranker = Shortest()
    ticks = iter(range(100))
    remembered = RememberedScores(reranker, lambda: float(next(ticks)))
    assert [remembered.score("q", "text") for _ in range(3)] == [-4.0] * 3
    assert (len(reranker.asked), remembered.saved) == (1, 2.0)
    remembered.forget()
    remembered.score("q", "text")
    assert len(reranker.asked) == 2


# The gate ------------------------------------------------------------------------------------------------------------


def verdict_of(one, candidate: str):
    pairs = pairs_of([one], candidate, results_of([one], DEFAULT_FORMULA))
    return judge(pairs + reranked_pairs_of([one], candidate, DEFAULT_FORMULA))


def test_the_gate_judges_off_and_on_and_pools_off_alone(run_with):
    one = run_with(Shortest())
    verdict = verdict_of(one, OTHER)
    assert {(gain.mode, gain.reranked) for gain in verdict.gains} == {
        (mode, reranked) for mode in PLAN.modes for reranked in (False, True)
    }
    assert verdict.pooled["hit@1"].queries == one.queries
    record = record_text(verdict, [one], OTHER, DEFAULT_FORMULA, "make gate")
    assert "Reranker off, and on (shortest)." in record
    assert "| small | hybrid, reranked | 3 |" in record
    assert f"| small | {OTHER}, reranked |" in record


def test_the_record_says_when_on_was_not_measured(run_with):
    one = run_with(None)
    record = record_text(verdict_of(one, OTHER), [one], OTHER, DEFAULT_FORMULA, "make gate")
    assert "Reranker off. Reranker on was not measured." in record
    assert "reranked" not in record


def test_a_fall_with_the_reranker_on_alone_keeps_a_candidate_out():
    from dataclasses import replace

    from tests.core.evaluation.test_gate import pair

    pairs = [pair(150, 120), replace(pair(100, 120), reranked=True)]
    verdict = judge(pairs)
    assert not verdict.adopted
    assert all(reason.startswith("set, hybrid, reranked, ") for reason in verdict.reasons)
    assert judge(pairs[:1]).adopted
