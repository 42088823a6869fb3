"""Figures of ranked lists, each reckoned by hand."""

import math

import pytest

from core.errors import TriskelError
from core.evaluation import metrics
from core.evaluation.datasets import JudgedQuery
from core.evaluation.metrics import FoundList, figures_of, mean_of, tied_pairs, tied_queries


def figures(grades: dict[str, int], documents: str, scores: list[float] | None = None):
    names = tuple(documents)
    found = FoundList("q", names, tuple(scores or [float(len(names) - place) for place in range(len(names))]))
    return figures_of([JudgedQuery("q", "text", grades)], [found])[0]


GAIN_AT_2, GAIN_AT_3 = 1 / math.log2(3), 1 / math.log2(4)


@pytest.mark.parametrize(
    "grades, documents, expected",
    [
        ({"a": 1}, "abc", {"hit@1": 1, "recall@5": 1, "recall@10": 1, "mrr@10": 1, "ndcg@10": 1}),
        ({"a": 1}, "xa", {"hit@1": 0, "recall@5": 1, "recall@10": 1, "mrr@10": 1 / 2, "ndcg@10": GAIN_AT_2}),
        ({"a": 1}, "uvwxyza", {"hit@1": 0, "recall@5": 0, "recall@10": 1, "mrr@10": 1 / 7, "ndcg@10": 1 / 3}),
        ({"a": 1}, "xyz", {"hit@1": 0, "recall@5": 0, "recall@10": 0, "mrr@10": 0, "ndcg@10": 0}),
        ({"a": 1}, "", {"hit@1": 0, "recall@5": 0, "recall@10": 0, "mrr@10": 0, "ndcg@10": 0}),
        ({"a": 1, "b": 1}, "ax", {"hit@1": 1, "recall@5": 0.5, "recall@10": 0.5, "mrr@10": 1}),
        # Grades are gains: the better document second gives 1 + 3 / log2(3) of 3 + 1 / log2(3).
        ({"a": 3, "b": 1}, "ba", {"hit@1": 1, "ndcg@10": (1 + 3 * GAIN_AT_2) / (3 + GAIN_AT_2)}),
        ({"a": 3, "b": 1}, "axb", {"ndcg@10": (3 + GAIN_AT_3) / (3 + GAIN_AT_2)}),
    ],
)
def test_figures_are_those_reckoned_by_hand(grades, documents, expected):
    values = figures(grades, documents).values
    assert {measure: values[measure] for measure in expected} == pytest.approx(expected)


def test_equal_scores_keep_the_order_of_the_list():
    assert figures({"z": 1}, "az", [1.0, 1.0]).values["mrr@10"] == 0.5
    assert figures({"a": 1}, "za", [1.0, 1.0]).values["mrr@10"] == 0.5


def test_only_ten_notes_count():
    assert figures({"a": 1}, "bcdefghijka").values["recall@10"] == 0


@pytest.mark.parametrize("name", ["q 1", "", "1\t2", "日本", "q" * 500])
def test_any_name_of_a_query_or_document_can_be_measured(name):
    found = FoundList(name, ("other document", name), (2.0, 1.0))
    assert figures_of([JudgedQuery(name, "text", {name: 1})], [found])[0].values["mrr@10"] == 0.5


def test_more_than_ten_judgements_are_not_mixed_up_with_what_was_found():
    grades = {f"d{number}": 1 for number in range(40)}
    found = FoundList("q", ("x", "d39", "d0"), (3.0, 2.0, 1.0))
    assert figures_of([JudgedQuery("q", "text", grades)], [found])[0].values["recall@10"] == pytest.approx(2 / 40)


def test_a_mean_counts_queries_that_found_nothing_and_leaves_out_those_without_the_measure():
    queries = [JudgedQuery(name, "text", {"a": 1}) for name in ("q1", "q2", "q3")]
    found = [
        FoundList("q1", ("a",), (1.0,), holds_answer=True),
        FoundList("q2", (), ()),
        FoundList("q3", ("a",), (1.0,)),
    ]
    measured = figures_of(queries, found)
    assert mean_of(measured, "hit@1") == pytest.approx(2 / 3)
    assert mean_of(measured, "content_hit") == 1
    assert mean_of(measured[1:], "content_hit") is None
    assert mean_of([], "hit@1") is None


def test_ties_are_neighbours_with_exactly_the_same_score():
    queries = [JudgedQuery(name, "text", {"a": 1}) for name in ("q1", "q2", "q3")]
    found = [
        FoundList("q1", tuple("abcd"), (2.0, 2.0, 2.0, 1.0)),
        FoundList("q2", tuple("ab"), (1.0, 1.0 - 2**-53)),
        FoundList("q3", (), ()),
    ]
    measured = figures_of(queries, found)
    assert tied_pairs(measured) == pytest.approx(2 / 4)
    assert tied_queries(measured) == pytest.approx(1 / 3)
    assert tied_pairs([]) == tied_queries([]) == 0


def test_without_ir_measures_one_sentence_says_how_to_add_it(monkeypatch):
    monkeypatch.setattr(metrics.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(TriskelError, match=r"Measuring needs ir-measures.*triskel\[evaluation\]"):
        figures({"a": 1}, "a")
