"""A reranked list says so in every export, and shows both places of a note."""

import csv
import io

import pytest

from core.export import as_object, to_csv, to_html, to_markdown, to_text
from core.search.results import LegState, RerankedPlace, RerankerName, RerankerReport
from tests.core.export_samples import hit, result

RAN = RerankerReport(LegState.RAN, 20, model=RerankerName("ms-<b>marco</b>", "b" * 64))
FAILED = RerankerReport(LegState.FAILED, None, "There is no folder x to take a model from.")
RERANKED = result(hit(reranked=RerankedPlace(-3.5, 7)), hit(2), reranker=RAN)


def test_json_names_the_reranker_and_gives_both_places():
    value = as_object(RERANKED)
    assert value["reranker"] == {
        "state": "ran",
        "notes": 20,
        "reason": None,
        "model": {"name": "ms-<b>marco</b>", "sha256": "b" * 64},
    }
    first, second = value["results"]
    assert (first["rank"], first["reranked"]) == (1, {"score": -3.5, "fused_rank": 7})
    assert second["reranked"] is None


def test_without_one_no_export_has_a_key_or_column_of_it():
    value = as_object(result(hit()))
    assert "reranker" not in value
    assert "reranked" not in value["results"][0]
    assert "rerank" not in to_csv(result(hit()))


def test_json_says_why_there_was_none():
    value = as_object(result(hit(), reranker=FAILED))["reranker"]
    assert value == {"state": "failed", "notes": None, "reason": FAILED.reason, "model": None}


def test_csv_gives_both_places():
    first, second = csv.DictReader(io.StringIO(to_csv(RERANKED), newline=""))
    assert (first["rank"], first["fused_rank"], first["reranker_score"]) == ("1", "7", "-3.5")
    assert (second["fused_rank"], second["reranker_score"]) == ("", "")
    assert first["reranker"] == "put the first 20 notes in order: ms-<b>marco</b>"


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (to_text, "ms-<b>marco</b>"),
        (to_markdown, r"ms-\<b\>marco\</b\>"),
        (to_html, "ms-&lt;b&gt;marco&lt;/b&gt;"),
    ],
)
def test_what_people_read_names_the_reranker_or_says_why_there_was_none(write, name):
    assert f"put the first 20 notes in order: {name}" in write(RERANKED)
    assert "failed: There is no folder x" in write(result(hit(), reranker=FAILED))
    assert "eranker" not in write(result(hit()))


def test_an_explanation_in_text_has_a_line_of_its_own_for_the_reranker():
    told = to_text(RERANKED, explain=True)
    assert "reranker rank  1   was rank 7   own score -3.5" in told
    assert told.count("was rank") == 1
