"""The published JSON Schema: every result that a search can give is valid, and what breaks the contract is not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from core.export import as_object, to_json
from core.search.results import (
    LEGS,
    Band,
    Hit,
    Leg,
    LegEvidence,
    LegReport,
    LegState,
    LinkStep,
    Mode,
    ModelName,
    RerankedPlace,
    RerankerName,
    RerankerReport,
    SearchResult,
    Snippet,
)
from resources import RESOURCES

SCHEMA = json.loads((RESOURCES / "result.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

RAN = LegReport(LegState.RAN, 1, (5, 5))
SKIPPED = LegReport(LegState.SKIPPED, None, (0, 5), "Switched off.")
FAILED = LegReport(LegState.FAILED, None, (0, 5), "The model file is damaged.")
MODEL = ModelName("all-MiniLM-L6-v2", 384, "a" * 64)


def a_result(mode: Mode, legs: tuple[LegReport, LegReport, LegReport], found_by: tuple[Leg, ...]) -> SearchResult:
    hit = Hit(
        rank=1,
        title="A note",
        path="folder/a note.md",
        date="2026-01-02",
        line=None if mode is Mode.MEANING else 3,
        band=(Band.PARTIAL, Band.GOOD, Band.STRONG)[len(found_by) - 1],
        compatibility=0.6,
        score=len(found_by) / 61,
        evidence={leg: LegEvidence(1, 2.5, 1 / 61) if leg in found_by else None for leg in LEGS},
        matched_words=("note",) if Leg.WORDS in found_by else (),
        snippet=Snippet("a note", ((2, 6),)),
        passage=None,
        links_from=(LinkStep("seed.md", "Seed", 1, 4),) if Leg.LINKS in found_by else (),
    )
    hits = (hit,) if found_by else ()
    return SearchResult("note", mode, "rrf/k=60/v1", "abc", len(hits), dict(zip(LEGS, legs, strict=True)), hits)


MEANING_RAN = LegReport(LegState.RAN, 1, (3, 5), model=MODEL)
EMPTY = LegReport(LegState.RAN, 0, (5, 5))
RESULTS = {
    "hybrid, all three": a_result(Mode.HYBRID, (RAN, MEANING_RAN, RAN), LEGS),
    "hybrid without links": a_result(Mode.HYBRID, (RAN, MEANING_RAN, SKIPPED), (Leg.WORDS, Leg.MEANING)),
    "words, meaning failed": a_result(Mode.WORDS, (RAN, FAILED, RAN), (Leg.WORDS, Leg.LINKS)),
    "meaning, line null": a_result(Mode.MEANING, (EMPTY, MEANING_RAN, EMPTY), (Leg.MEANING,)),
    "links alone": a_result(Mode.LINKS, (SKIPPED, SKIPPED, RAN), (Leg.LINKS,)),
    "none": a_result(Mode.NONE, (EMPTY, MEANING_RAN, EMPTY), ()),
    "none, all failed": a_result(Mode.NONE, (FAILED, FAILED, FAILED), ()),
}
RERANKED = RerankerReport(LegState.RAN, 1, model=RerankerName("ms-marco", "b" * 64))


def reranked_result() -> SearchResult:
    value = RESULTS["hybrid, all three"]
    [hit] = value.hits
    return replace(value, reranker=RERANKED, hits=(replace(hit, reranked=RerankedPlace(-3.5, 2)),))


RESULTS["reranked"] = reranked_result()
RESULTS["reranker failed"] = replace(
    RESULTS["hybrid, all three"], reranker=RerankerReport(LegState.FAILED, None, "There is no folder x.")
)


@pytest.mark.parametrize("name", RESULTS)
def test_every_mode_is_valid(name: str) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(as_object(RESULTS[name]))] == []


def test_every_mode_of_the_program_is_among_the_examples_and_in_the_schema() -> None:
    assert {result.mode for result in RESULTS.values()} == set(Mode)
    assert SCHEMA["properties"]["mode"]["enum"] == [str(mode) for mode in Mode]


@pytest.mark.parametrize("name", RESULTS)
def test_written_json_is_valid_with_id_and_timings_too(name: str) -> None:
    written = to_json(RESULTS[name], indent=False, query_id="q7", timings_ms={"words": 1.5})
    assert [error.message for error in VALIDATOR.iter_errors(json.loads(written))] == []


def test_the_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_required_keys_stand_in_the_order_in_which_they_are_written() -> None:
    value = as_object(RESULTS["hybrid, all three"])
    assert SCHEMA["required"] == list(value)
    assert SCHEMA["$defs"]["hit"]["required"] == list(value["results"][0])
    for leg in LEGS:
        assert SCHEMA["properties"]["legs"]["properties"][leg]["required"] == list(value["legs"][leg])


def _every_object(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        return [place] + [found for key, inner in value.items() for found in _every_object(inner, (*place, key))]
    if isinstance(value, list):
        return [found for number, inner in enumerate(value) for found in _every_object(inner, (*place, number))]
    return []


def _at(value: Any, place: tuple[str | int, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


def test_an_unknown_or_a_missing_key_is_invalid_at_every_depth() -> None:
    value = as_object(RESULTS["reranked"])
    places = _every_object(value)
    assert len(places) == 13, "object, legs, three legs, two models, reranker, hit, ranks, contributions, place, link"
    for place in places:
        more = copy.deepcopy(value)
        _at(more, place)["surplus"] = 1
        assert not VALIDATOR.is_valid(more), f"a surplus key at {place}"
        for key in list(_at(value, place)):
            less = copy.deepcopy(value)
            del _at(less, place)[key]
            # The whole of it is an option.
            assert VALIDATOR.is_valid(less) == (key == "reranker"), f"no {key} at {place}"


def _set(*place_and_value: Any) -> Callable[[dict[str, Any]], None]:
    *place, key, new = place_and_value

    def change(value: dict[str, Any]) -> None:
        _at(value, tuple(place))[key] = new

    return change


@pytest.mark.parametrize(
    "break_it",
    [
        _set("mode", "semantic"),
        _set("total", -1),
        _set("legs", "words", "state", "pending"),
        _set("legs", "words", "notes", None),
        _set("legs", "words", "reason", "but it ran"),
        _set("legs", "words", "coverage", [1]),
        _set("legs", "links", "state", "skipped"),
        _set("legs", "meaning", "model", "sha256", "short"),
        _set("results", 0, "rank", 0),
        _set("results", 0, "line", 0),
        _set("results", 0, "path", ""),
        _set("results", 0, "date", "yesterday"),
        _set("results", 0, "band", None),
        _set("results", 0, "band", "weak"),
        _set("results", 0, "compatibility", 1.01),
        _set("results", 0, "ranks", "words", 0),
        _set("results", 0, "marks", [[1, 2, 3]]),
    ],
)
def test_what_breaks_the_contract_is_invalid(break_it: Callable[[dict[str, Any]], None]) -> None:
    value = as_object(RESULTS["hybrid, all three"])
    break_it(value)
    assert not VALIDATOR.is_valid(value)
