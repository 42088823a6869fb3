"""Exports: what is written is what was found, and nothing in a note can act on the reader's machine."""

from __future__ import annotations

import csv
import io
import json
import re
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ExportError
from core.export import (
    CSV_COLUMNS,
    EXPORT_FORMATS,
    SUFFIX_BY_FORMAT,
    as_object,
    neutralised_cells,
    to_csv,
    to_json,
    to_markdown,
    to_text,
)
from core.search.results import (
    Leg,
    LegReport,
    LegState,
    LinkStep,
    Snippet,
)
from tests.core.export_samples import REPORTS, hit, link_targets, result, table_cells


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


# All formats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_refuses_an_interim_result_with_a_sentence(name: str) -> None:
    with pytest.raises(ExportError, match=r"still running.*\.$"):
        EXPORT_FORMATS[name](result(hit(), interim=True), None)


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_equal_results_are_equal_bytes(name: str) -> None:
    assert EXPORT_FORMATS[name](result(hit(1), hit(2)), None) == EXPORT_FORMATS[name](result(hit(1), hit(2)), None)


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_a_mapping_of_another_order_gives_the_same_bytes(name: str) -> None:
    found = hit()
    turned = replace(found, evidence=dict(reversed(list(found.evidence.items()))))
    legs = dict(reversed(list(REPORTS.items())))
    assert EXPORT_FORMATS[name](result(turned, legs=legs), None) == EXPORT_FORMATS[name](result(found), None)


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_carries_what_explains_a_result(name: str) -> None:
    text = EXPORT_FORMATS[name](result(hit()), None)
    for fact in ("overdue tasks", "hybrid", "rrf/k=60/v1", "f1n6e2", "good", "12", "0.7"):
        assert fact in text
    assert text.endswith("\n")


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_format_encodes_where_file_names_are_no_utf8(name: str) -> None:
    text = EXPORT_FORMATS[name](result(hit(path="caf\udce9.md", title="caf\udce9", snippet=Snippet("\ud83d"))), None)
    assert text.encode()


@pytest.mark.parametrize("name", EXPORT_FORMATS)
@pytest.mark.parametrize("row", [-1, 2])
def test_a_row_outside_the_list_is_an_error(name: str, row: int) -> None:
    with pytest.raises(IndexError):
        EXPORT_FORMATS[name](result(hit(1), hit(2)), [0, row])


def test_every_format_has_a_suffix() -> None:
    assert list(SUFFIX_BY_FORMAT) == list(EXPORT_FORMATS)


def test_selected_rows_keep_the_order_of_the_list_and_their_ranks() -> None:
    found = result(hit(1), hit(2), hit(3), hit(4))
    assert [each["rank"] for each in as_object(found, [3, 1, 3])["results"]] == [2, 4]
    assert [each["rank"] for each in csv_rows(to_csv(found, [3, 1]))] == ["2", "4"]
    assert link_targets(to_markdown(found, [3, 1])) == ["folder/note%202.md", "folder/note%204.md"]
    assert re.findall(r"^ +(\d)  ", to_text(found, [3, 1]), re.MULTILINE) == ["2", "4"]


def test_an_empty_selection_exports_no_hits() -> None:
    found = result(hit(1))
    assert as_object(found, [])["results"] == []
    assert as_object(found, [])["total"] == 1


# JSON ----------------------------------------------------------------------------------------------------------------


def test_json_parses_back_to_the_object() -> None:
    found = result(hit(1, title='a "quoted" \\ title\x1b\x9b\u2028 😀'), hit(2, line=None))
    assert json.loads(to_json(found)) == as_object(found)
    assert json.loads(to_json(found, indent=False)) == as_object(found)


@given(st.text(st.characters(), max_size=30))
def test_json_of_any_text_parses_back_and_sends_no_control_to_a_terminal(text: str) -> None:
    found = result(hit(title=text), query=text)
    written = to_json(found, indent=False)
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", written) is None
    assert json.loads(written.encode()) == json.loads(json.dumps(as_object(found)))


def test_json_has_the_keys_of_the_design_in_their_order() -> None:
    value = as_object(result(hit()))
    assert list(value) == ["query", "mode", "formula", "fingerprint", "total", "message", "filters", "legs", "results"]
    assert list(value["legs"]) == ["words", "meaning", "links"]
    assert list(value["legs"]["words"]) == ["state", "notes", "coverage", "reason"]
    assert list(value["legs"]["meaning"]) == ["state", "notes", "coverage", "reason", "model"]
    designed = ["rank", "title", "path", "line", "band", "compatibility", "score", "pinned", "ranks", "snippet"]
    assert [key for key in value["results"][0] if key in designed] == designed


def test_the_worked_example_of_the_design_comes_out() -> None:
    value = as_object(result(hit()))["results"][0]
    assert value["ranks"] == {"words": 1, "meaning": 2, "links": None}
    assert (value["band"], value["compatibility"], value["score"]) == ("good", 0.7, 0.032522)
    assert value["contributions"] == {"words": 0.016393, "meaning": 0.016129, "links": None, "title": None}
    assert value["snippet"][slice(*value["marks"][0])] == "overdue"


def test_a_completed_value_is_a_contribution_and_gives_no_rank() -> None:
    value = as_object(result(hit(unranked_parts={"links": 0.25, "title": 0.5})))["results"][0]
    assert value["contributions"] == {"words": 0.016393, "meaning": 0.016129, "links": 0.25, "title": 0.5}
    assert value["ranks"] == {"words": 1, "meaning": 2, "links": None}
    assert value["band"] == "good"


def test_keys_are_the_same_with_no_results() -> None:
    empty = as_object(result())
    assert list(empty) == list(as_object(result(hit())))
    assert empty["results"] == []
    assert empty["legs"] == as_object(result(hit()))["legs"]


@pytest.mark.parametrize(
    "given_score, written",
    [(1 / 3, "0.333333"), (2 / 3, "0.666667"), (-1e-9, "0.0"), (-0.0, "0.0"), (1, "1.0"), (1234.00000049, "1234.0")],
)
def test_numbers_are_rounded_to_six_decimals_and_zero_has_no_sign(given_score: float, written: str) -> None:
    found = result(hit(score=given_score))
    assert f'"score": {written},' in to_json(found)
    assert csv_rows(to_csv(found))[0]["score"] == written


def test_single_line_json_is_one_line_also_for_readers_of_unicode_line_ends() -> None:
    found = result(hit(snippet=Snippet("one\ntwo\u2028three\x85four")))
    assert len(to_json(found, indent=False).splitlines()) == 1


def test_the_id_of_a_query_comes_first_and_timings_last() -> None:
    value = json.loads(to_json(result(hit()), query_id="q1", timings_ms={"words": 1.23456789}))
    assert next(iter(value.items())) == ("id", "q1")
    assert list(value.items())[-1] == ("timings", {"words": 1.234568})
    assert "timings" not in json.loads(to_json(result(hit())))


def test_json_has_exactly_one_newline_at_the_end() -> None:
    for text in (to_json(result()), to_json(result(), indent=False)):
        assert text.endswith("}\n")


# CSV -----------------------------------------------------------------------------------------------------------------


def test_csv_without_results_is_the_header_alone() -> None:
    assert to_csv(result()) == ",".join(CSV_COLUMNS) + "\r\n"


def test_csv_parses_back_to_the_data() -> None:
    awkward = hit(title='says "no", twice; really', path="a, b/c  d.md", snippet=Snippet("one\ntwo, three"))
    legs = REPORTS | {Leg.LINKS: LegReport(LegState.SKIPPED, None, (0, 9), "Switched off.")}
    (row,) = csv_rows(to_csv(result(awkward, legs=legs)))
    assert row == {
        "query": "overdue tasks",
        "mode": "hybrid",
        "formula": "rrf/k=60/v1",
        "fingerprint": "f1n6e2",
        "filters": "",
        "missing_legs": "links skipped: Switched off.",
        "rank": "1",
        "title": 'says "no", twice; really',
        "path": "a, b/c  d.md",
        "line": "12",
        "place": "",
        "date": "2026-01-02",
        "band": "good",
        "compatibility": "0.7",
        "score": "0.032522",
        "rank_words": "1",
        "rank_meaning": "2",
        "rank_links": "",
        "pinned": "no",
        "matched_words": "overdue tasks",
        "links_from": "seed.md:40",
        "snippet": "one two, three",
    }


FORMULAS = [
    ("=1+1", "'=1+1"),
    ("@x", "'@x"),
    ("-2", "'-2"),
    ("+3", "'+3"),
    ("  =1+1", "'=1+1"),
    ("\t=1+1", "'=1+1"),
    ("\r=1+1", "'=1+1"),
    ("\n=1+1", "'=1+1"),
    ("\xa0=1+1", "'=1+1"),
    ("\ufeff=1+1", "'\ufeff=1+1"),
    ('"=1+1', "'\"=1+1"),
    ("'=1+1", "''=1+1"),
    ("' \"=1+1", "'' \"=1+1"),
    ("\uff1d1+1", "'\uff1d1+1"),
    ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
    ('=HYPERLINK("x","y")', '\'=HYPERLINK("x","y")'),
    ("a;=1+1", "a;'=1+1"),
    ('a"; =1+1', "a\";' =1+1"),
]


@pytest.mark.parametrize("text, cell", FORMULAS)
def test_a_cell_that_a_spreadsheet_would_run_is_neutralised(text: str, cell: str) -> None:
    row = csv_rows(to_csv(result(hit(title=text, snippet=Snippet(text), matched_words=(text,)), query=text)))[0]
    assert [row[column] for column in ("title", "snippet", "matched_words", "query")] == [cell] * 4


@pytest.mark.parametrize("path", ["=1+1.md", "-2.md", "@inbox/a.md", "+3.md"])
def test_a_path_that_a_spreadsheet_would_run_is_neutralised(path: str) -> None:
    row = csv_rows(to_csv(result(hit(path=path, links_from=(LinkStep(path, "t", 1, 2),)))))[0]
    assert row["path"] == "'" + path
    assert row["links_from"] == f"'{path}:2"


@pytest.mark.parametrize("text", ["a=b", "2 - 1", "mail@example", "well-known", "C++", "x; y", "1;2"])
def test_signs_that_start_no_formula_stay(text: str) -> None:
    assert csv_rows(to_csv(result(hit(title=text))))[0]["title"] == text


def test_numeric_columns_are_numbers_even_below_zero() -> None:
    assert csv_rows(to_csv(result(hit(score=-0.25))))[0]["score"] == "-0.25"


@given(st.text(st.characters(blacklist_categories=["Cs"]) | st.sampled_from("=+-@;'\"\t\r\n ,"), max_size=12))
def test_no_text_leads_to_a_formula_in_a_cell_whatever_the_separator(text: str) -> None:
    written = to_csv(result(hit(title=text, path=text or "p"), query=text))
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    split_at_semicolons = [part for cell in cells for part in cell.split(";")]
    for cell in split_at_semicolons:
        assert cell.strip(string.whitespace + "\"'")[:1] not in tuple("=+-@\t\r") or cell.startswith("'")


def test_the_number_of_neutralised_cells_can_be_told() -> None:
    assert neutralised_cells(result(hit(1, title="=1"), hit(2, path="-2.md"), hit(3))) == 2
    assert neutralised_cells(result(hit(1, title="=1"), hit(3)), [1]) == 0


def test_json_and_markdown_leave_formulas_as_they_are() -> None:
    found = result(hit(title="=1+1"))
    assert as_object(found)["results"][0]["title"] == "=1+1"
    assert table_cells(to_markdown(found))[1] == "=1+1"


# Markdown ------------------------------------------------------------------------------------------------------------
