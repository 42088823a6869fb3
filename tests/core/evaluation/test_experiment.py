"""What is measured is what a search shows: lists, modes, legs, slices and rows of a small set."""

import itertools
import json

import pytest

from core.evaluation.answers import Overlap
from core.evaluation.experiment import Plan, measure
from core.evaluation.summary import as_object, query_lines, table_text
from core.search.fusion import DEFAULT_FORMULA, FORMULAS
from core.search.results import Mode, Skipped
from core.search.search import SearchRequest, search

NO_MODEL = Skipped("switched off")
WORDS_PLAN = Plan(tuple(FORMULAS), (Mode.WORDS,), DEFAULT_FORMULA)


@pytest.fixture
def small(index_of, small_set):
    with index_of(small_set) as (reader, document_by_path):
        yield reader, document_by_path


def measured(small, small_set, plan: Plan = WORDS_PLAN, **options):
    reader, document_by_path = small
    return measure(reader, NO_MODEL, small_set, document_by_path, plan, **options)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_run_holds_what_the_search_itself_returns(small, small_set, formula):
    one = measured(small, small_set)
    reader, document_by_path = small
    for query, figures in zip(small_set.queries, one.run(formula, Mode.WORDS).figures, strict=True):
        hits = search(reader, NO_MODEL, SearchRequest(query.text, formula=formula)).hits[:10]
        assert figures.found.documents == tuple(document_by_path[hit.path] for hit in hits)
        assert figures.found.scores == tuple(hit.score for hit in hits)


def test_figures_of_the_small_set_are_those_reckoned_by_hand(small, small_set):
    one = measured(small, small_set)
    words = one.run("words", Mode.WORDS)
    assert words.is_leg
    # "rye starter" finds bread alone by words, one of two answers; the others find theirs first.
    assert words.by_query("recall@10") == {"q1": 0.5, "q2": 1.0, "q3": 1.0}
    assert words.by_query("hit@1") == {"q1": 1.0, "q2": 1.0, "q3": 1.0}
    assert words.by_query("content_hit") == {"q1": 1.0, "q2": 1.0}
    # Bread links to the oven, the second answer of q1.
    links = one.run("links", Mode.LINKS)
    assert links.figures[0].found.documents == ("oven",)
    assert one.run(DEFAULT_FORMULA, Mode.WORDS).by_query("recall@10")["q1"] == 1.0


def test_a_leg_that_never_ran_has_no_run_and_no_failure(small, small_set):
    one = measured(small, small_set)
    assert one.run("meaning", Mode.MEANING) is None
    assert [run.name for run in one.runs if run.is_leg] == ["words", "links"]
    assert one.problems == {}
    assert one.embedded == 0


def test_a_leg_that_fails_is_counted(small, small_set, monkeypatch):
    from core.search import search as searching

    def broken(*_arguments: object) -> None:
        raise searching.TriskelError("no words today")

    monkeypatch.setattr(searching, "rank_by_words", broken)
    one = measured(small, small_set)
    assert list(one.problems.values()) == [3]
    assert "no words today" in next(iter(one.problems))


def test_every_formula_is_asked_in_every_mode(small, small_set):
    one = measured(small, small_set, Plan(("rrf/k=20/v1", DEFAULT_FORMULA), (Mode.WORDS, Mode.HYBRID)))
    made = [(run.name, run.mode) for run in one.runs if not run.is_leg]
    assert made == list(itertools.product(("rrf/k=20/v1", DEFAULT_FORMULA), (Mode.WORDS,))) + list(
        itertools.product(("rrf/k=20/v1", DEFAULT_FORMULA), (Mode.HYBRID,))
    )


def test_rows_have_the_same_keys_and_nothing_that_varies(small, small_set):
    clocks = (itertools.count(0, 0.001), itertools.count(5, 0.25))
    objects = [as_object([measured(small, small_set, clock=clock.__next__)], DEFAULT_FORMULA) for clock in clocks]
    assert json.dumps(objects[0]) == json.dumps(objects[1])
    assert set(objects[0]) == {"default", "rows", "comparisons"}
    assert len({tuple(row) for row in objects[0]["rows"]}) == 1
    row = next(row for row in objects[0]["rows"] if row["formula"] == "rrf/k=60/v1")
    assert row["dataset"] == "small"
    assert row["queries"] == 3
    # By rank, the oven goes first for q2: it holds "the", and bread, which does too, links to it.
    assert row["hit@1"] == 0.666667
    assert row["recall@10"] == 1.0
    assert row["answers"] == 2
    assert sum(part["queries"] for part in row["overlap"].values()) == 3
    assert row["intervals"]["hit@1"] == [0.0, 1.0]


def test_times_stand_apart_and_only_where_they_are_asked_for(small, small_set):
    clock = itertools.count(0, 0.001)
    value = as_object([measured(small, small_set, clock=clock.__next__)], DEFAULT_FORMULA, timings=True)
    words = next(row for row in value["timings"] if row["formula"] == "words")
    assert words["p50_ms"] == words["p95_ms"] == 1.0
    whole = next(row for row in value["timings"] if row["formula"] == DEFAULT_FORMULA)
    assert whole["p50_ms"] == 2.0, "the words leg, then links and fusion"


def test_a_line_for_each_query_names_what_was_found(small, small_set):
    one = measured(small, small_set)
    lines = [json.loads(line) for line in query_lines([one]).splitlines()]
    assert len(lines) == len(one.runs) * 3
    first = next(line for line in lines if line["formula"] == DEFAULT_FORMULA)
    assert (first["query"], first["default"], first["leg"]) == ("q1", True, False)
    assert first["found"][:2] == ["bread", "oven"]
    assert not any(line["default"] for line in lines if line["formula"] != DEFAULT_FORMULA)


def test_the_table_names_set_formulas_and_legs(small, small_set):
    text = table_text([measured(small, small_set)], DEFAULT_FORMULA)
    assert text.splitlines()[0].split()[:3] == ["notes", "queries", "hit@1"]
    assert f"  {DEFAULT_FORMULA}, words (default)" in text
    assert "  words alone" in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_progress_counts_the_queries(small, small_set):
    seen = []
    measured(small, small_set, on_query=seen.append)
    assert seen == [0, 1, 2]


def test_how_much_query_and_answer_share_is_kept_by_query(small, small_set):
    one = measured(small, small_set)
    assert one.overlap["q1"] is Overlap.REST
    assert one.title_overlap["q2"] is Overlap.NONE
