"""Exports: what is written is what was found, and nothing in a note can act on the reader's machine."""

from __future__ import annotations

import csv
import errno
import html
import io
import json
import os
import re
import stat
import string
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pyromark
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
    write_export,
)
from core.search.results import (
    Band,
    Hit,
    Leg,
    LegEvidence,
    LegReport,
    LegState,
    LinkStep,
    Mode,
    ModelName,
    SearchResult,
    Snippet,
)

MODEL = ModelName("all-MiniLM-L6-v2", 384, "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
REPORTS = {
    Leg.WORDS: LegReport(LegState.RAN, 50, (6591, 6591)),
    Leg.MEANING: LegReport(LegState.RAN, 50, (4120, 6591), model=MODEL),
    Leg.LINKS: LegReport(LegState.RAN, 12, (30000, 38963)),
}


def hit(rank: int = 1, **changes: Any) -> Hit:
    made = Hit(
        rank=rank,
        title="Overdue tasks",
        path=f"folder/note {rank}.md",
        date="2026-01-02",
        line=12,
        band=Band.GOOD,
        compatibility=0.7,
        score=1 / 61 + 1 / 62,
        evidence={
            Leg.WORDS: LegEvidence(1, 7.123456789, 1 / 61),
            Leg.MEANING: LegEvidence(2, 0.61, 1 / 62),
            Leg.LINKS: None,
        },
        matched_words=("overdue", "tasks"),
        snippet=Snippet("Find overdue tasks with a query", ((5, 12), (13, 18))),
        passage=None,
        links_from=(LinkStep("seed.md", "Seed", 3, 40),),
    )
    return replace(made, **changes)


def result(*hits: Hit, **changes: Any) -> SearchResult:
    made = SearchResult(
        query="overdue tasks",
        mode=Mode.HYBRID if hits else Mode.NONE,
        formula="rrf/k=60/v1",
        fingerprint="f1n6e2",
        total=len(hits),
        legs=REPORTS,
        hits=hits,
    )
    return replace(made, **changes)


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def markdown_html(text: str) -> str:
    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_MATH
    options |= pyromark.Options.ENABLE_WIKILINKS | pyromark.Options.ENABLE_FOOTNOTES
    return pyromark.html(text, options=options)


def link_targets(text: str) -> list[str]:
    targets = []
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES):
        match event:
            case {"Start": {"Link": {"dest_url": target}}}:
                targets.append(target)
            case _:
                pass
    return targets


def table_cells(text: str) -> list[str]:
    """The text of every body cell, tags taken off, as a reader sees it."""
    body = markdown_html(text).split("<tbody>")[1]
    return [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<td>(.*?)</td>", body, re.DOTALL)]


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
    assert list(value) == ["query", "mode", "formula", "fingerprint", "total", "message", "legs", "results"]
    assert list(value["legs"]) == ["words", "meaning", "links"]
    assert list(value["legs"]["words"]) == ["state", "notes", "coverage", "reason"]
    assert list(value["legs"]["meaning"]) == ["state", "notes", "coverage", "reason", "model"]
    designed = ["rank", "title", "path", "line", "band", "compatibility", "score", "pinned", "ranks", "snippet"]
    assert [key for key in value["results"][0] if key in designed] == designed


def test_the_worked_example_of_the_design_comes_out() -> None:
    value = as_object(result(hit()))["results"][0]
    assert value["ranks"] == {"words": 1, "meaning": 2, "links": None}
    assert (value["band"], value["compatibility"], value["score"]) == ("good", 0.7, 0.032522)
    assert value["contributions"] == {"words": 0.016393, "meaning": 0.016129, "links": None}
    assert value["snippet"][slice(*value["marks"][0])] == "overdue"


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
        "missing_legs": "links skipped: Switched off.",
        "rank": "1",
        "title": 'says "no", twice; really',
        "path": "a, b/c  d.md",
        "line": "12",
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


@given(st.text(st.characters(blacklist_characters="\x00"), min_size=1, max_size=40))
def test_a_markdown_link_gives_back_any_path(path: str) -> None:
    try:
        expected = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        expected = path.encode("utf-8", "surrogatepass")
    (target,) = link_targets(to_markdown(result(hit(path=path))))
    assert unquote_to_bytes(target) == expected


@pytest.mark.parametrize(
    "path",
    ["a b.md", "a(b.md", "a)b.md", "[a]/b.md", "a#b.md", "a?b.md", "100%25.md", "a\nb.md", "a&amp;b.md", "a|b.md",
     "<a>.md", "mailto:a.md", "a\\b.md", "Größe/日本.md", "`a`.md", '"a".md'],
)  # fmt: skip
def test_a_link_to_an_awkward_file_name_opens_and_its_path_is_shown(path: str) -> None:
    text = to_markdown(result(hit(path=path)))
    (target,) = link_targets(text)
    assert unquote_to_bytes(target).decode() == path
    assert re.fullmatch(r"[A-Za-z0-9_.~/%-]+", target)
    assert table_cells(text)[2] == path.replace("\n", "␊")


@given(st.text(st.sampled_from("ab1 \\`*_{}[]<>()#+-.!|~$=%^&:@/\"';?\n") | st.characters(), max_size=25))
def test_any_title_and_snippet_are_shown_as_they_are(text: str) -> None:
    shown = " ".join(re.sub("[\ud800-\udfff\x80-\x84\x86-\x9f]", "\ufffd", text).split())
    shown = re.sub("[\x00-\x1b]", lambda match: chr(0x2400 + ord(match[0])), shown).replace("\x7f", "␡")
    cells = table_cells(to_markdown(result(hit(title=text, snippet=Snippet(text)))))
    assert len(cells) == 11
    assert cells[1] == (shown or "folder/note 1.md")
    assert cells[10].split() == shown.split()


@pytest.mark.parametrize(
    "title",
    [
        "==a==",
        "%%a%%",
        ":a:",
        "https://a.b",
        "www.a.b",
        "a@b.cd",
        "#a",
        "===",
        "![[a]]",
        "a](b)",
        "*a*",
        "**a**",
        "_a_",
        "`a`",
        "<b>a</b>",
        "![a](b)",
        "[a](b)",
        "[[a]]",
        "~~a~~",
        "$a$",
        "&lt;",
        "<https://a.b>",
    ],
)
def test_markup_in_a_title_is_shown_and_not_rendered(title: str) -> None:
    text = to_markdown(result(hit(title=title)))
    assert table_cells(text)[1] == title
    rendered = markdown_html(text)
    assert rendered.count("<a ") == 1
    assert not re.search(r"<(em|b|code|img|del|span)\b", rendered)


def test_marks_are_bold_and_touching_ones_are_one() -> None:
    snippet = Snippet("see notebook * C++", ((4, 8), (8, 12), (13, 14), (15, 18)))
    assert "see <strong>notebook</strong> * C++" in markdown_html(to_markdown(result(hit(snippet=snippet))))


def test_markdown_without_results_still_has_the_header() -> None:
    text = to_markdown(result())
    assert text.splitlines()[-2].startswith("| Rank | Note | Path | Line |")
    assert "<thead>" in markdown_html(text)


def test_markdown_names_the_legs_that_did_not_run() -> None:
    legs = REPORTS | {Leg.MEANING: LegReport(LegState.FAILED, None, (0, 9), "The model file is *damaged*.")}
    rendered = markdown_html(to_markdown(result(hit(), legs=legs)))
    assert "Meaning: failed, The model file is *damaged*." in rendered


# Text for the terminal -----------------------------------------------------------------------------------------------


@given(st.text(st.characters(), max_size=30))
def test_no_note_can_send_a_control_character_to_the_terminal(text: str) -> None:
    found = hit(
        title=text,
        path=text or "p",
        date=text,
        snippet=Snippet(text),
        matched_words=(text,),
        links_from=(LinkStep(text or "p", text, 1, 1),),
    )
    legs = REPORTS | {Leg.LINKS: LegReport(LegState.FAILED, None, (0, 0), text)}
    written = to_text(result(found, query=text, legs=legs, message=text), explain=True)
    plain = to_text(result(replace(found, title="t"), query="q", legs=legs, message=text), explain=True)
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", written) is None
    assert written.count("\n") == plain.count("\n"), "a note cannot add lines"


def test_an_escape_sequence_is_shown_by_signs() -> None:
    written = to_text(result(hit(title="\x1b[2Jgone\x07", snippet=Snippet("\x9b31mred"))))
    assert "␛[2Jgone␇" in written
    assert "\ufffd31mred" in written


def test_the_text_of_a_hit_is_aligned() -> None:
    lines = to_text(result(hit(1), hit(100))).splitlines()
    title_columns = {line.index("Overdue tasks") for line in lines if "Overdue tasks" in line}
    other_columns = {len(line) - len(line.lstrip()) for line in lines if ".md:12" in line or "Find overdue" in line}
    assert title_columns == other_columns == {6}


def test_explaining_adds_contributions_matched_words_and_the_link_path() -> None:
    plain, explained = to_text(result(hit())), to_text(result(hit()), explain=True)
    for fact in ("contribution 0.016393", "contribution 0.016129", "did not find it", "overdue, tasks", "seed.md:40"):
        assert fact in explained
        assert fact not in plain


def test_nothing_matches_is_said_only_if_every_leg_could_search() -> None:
    assert "Nothing matches." in to_text(result())
    for leg in (Leg.WORDS, Leg.MEANING, Leg.LINKS):
        failed = REPORTS | {leg: LegReport(LegState.FAILED, None, (0, 9), "It broke.")}
        text = to_text(result(legs=failed))
        assert "Nothing matches" not in text
        assert "It broke." in text


def test_a_message_about_the_query_takes_the_place_of_nothing_matches() -> None:
    text = to_text(result(message="Type a word."))
    assert "Type a word." in text
    assert "Nothing matches" not in text


# Files ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that holds no left-over temporary file after the test."""
    yield tmp_path
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _no_hard_links(*_arguments: object, **_options: object) -> None:
    raise OSError(errno.EOPNOTSUPP, "no hard links here")


@pytest.fixture(params=["hard links", "no hard links"])
def any_file_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no hard links":
        monkeypatch.setattr(os, "link", _no_hard_links)


@pytest.mark.usefixtures("any_file_system")
def test_a_new_file_holds_the_text_byte_for_byte(folder: Path) -> None:
    write_export(folder / "out.csv", "a\r\nü\n")
    assert (folder / "out.csv").read_bytes() == "a\r\nü\n".encode()
    assert names_in(folder) == ["out.csv"]


def test_a_byte_order_mark_is_written_on_request(folder: Path) -> None:
    write_export(folder / "out.csv", "ü", bom=True)
    assert (folder / "out.csv").read_bytes() == b"\xef\xbb\xbf\xc3\xbc"


@pytest.mark.usefixtures("any_file_system")
def test_an_existing_file_is_never_overwritten_unasked(folder: Path) -> None:
    target = folder / "out.csv"
    target.write_text("old")
    with pytest.raises(ExportError, match=r"out\.csv already exists and was left as it is\.$"):
        write_export(target, "new")
    assert target.read_text() == "old"


@pytest.mark.usefixtures("any_file_system")
def test_a_file_that_appears_while_writing_is_never_overwritten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = folder / "out.csv"
    sync = os.fsync

    def appear(descriptor: int) -> None:
        target.write_text("from elsewhere")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", appear)
    with pytest.raises(ExportError, match="already exists"):
        write_export(target, "new")
    assert target.read_text() == "from elsewhere"


@pytest.mark.usefixtures("any_file_system")
def test_of_many_writers_at_once_exactly_one_wins(folder: Path) -> None:
    target = folder / "out.csv"
    start = threading.Barrier(8)
    refused: list[str] = []

    def write(number: int) -> None:
        start.wait()
        try:
            write_export(target, f"writer {number}")
        except ExportError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7
    assert re.fullmatch(r"writer \d", target.read_text())


def test_overwriting_replaces_the_whole_file_and_keeps_its_permissions(folder: Path) -> None:
    target = folder / "out.csv"
    target.write_text("old and longer")
    target.chmod(0o640)
    write_export(target, "new", overwrite=True)
    assert target.read_text() == "new"
    assert os.name != "posix" or stat.S_IMODE(target.stat().st_mode) == 0o640


def test_overwriting_a_file_that_is_not_there_writes_it(folder: Path) -> None:
    write_export(folder / "out.csv", "new", overwrite=True)
    assert (folder / "out.csv").read_text() == "new"


def test_overwriting_a_symbolic_link_writes_the_file_behind_it(folder: Path) -> None:
    behind, link = folder / "behind.csv", folder / "link.csv"
    behind.write_text("old")
    link.symlink_to(behind)
    write_export(link, "new", overwrite=True)
    assert link.is_symlink()
    assert behind.read_text() == "new"


def test_a_dangling_symbolic_link_is_not_followed_unasked(folder: Path) -> None:
    link = folder / "link.csv"
    link.symlink_to(folder / "nowhere.csv")
    with pytest.raises(ExportError, match="already exists"):
        write_export(link, "new")
    assert not (folder / "nowhere.csv").exists()


@pytest.mark.skipif(os.name != "posix", reason="named pipes in the file system are POSIX")
def test_a_pipe_or_device_is_not_replaced(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(ExportError, match="device or a pipe"):
        write_export(folder / "pipe", "new", overwrite=True)
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="umask is POSIX")
def test_a_new_file_has_the_usual_permissions(folder: Path) -> None:
    (folder / "usual").write_text("")
    write_export(folder / "out.csv", "text")
    assert (folder / "out.csv").stat().st_mode == (folder / "usual").stat().st_mode


def _failing(number: int) -> Callable[..., None]:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file_whole(folder: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    target = folder / "out.csv"
    target.write_text("old")
    monkeypatch.setattr(os, step, _failing(errno.ENOSPC))
    with pytest.raises(ExportError, match=r"no space left on the disk\.$"):
        write_export(target, "new", overwrite=True)
    assert target.read_text() == "old"
    assert names_in(folder) == ["out.csv"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_no_new_file(folder: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setattr(os, "link", _no_hard_links)
    monkeypatch.setattr(os, step, _failing(errno.EIO))
    with pytest.raises(ExportError, match="could not be written"):
        write_export(folder / "out.csv", "new")
    assert names_in(folder) == []


def test_an_interrupt_while_writing_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_export(folder / "out.csv", "new")
    assert names_in(folder) == []


def test_a_folder_that_cannot_be_synced_is_no_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def files_only(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "folders cannot be synced here")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", files_only)
    write_export(folder / "out.csv", "new")
    assert (folder / "out.csv").read_text() == "new"


@pytest.mark.parametrize(
    "number, sentence",
    [
        (errno.ENOSPC, "there is no space left on the disk."),
        (errno.EDQUOT, "there is no space left on the disk."),
        (errno.EACCES, "no permission."),
        (errno.EROFS, "the disk is read-only."),
    ],
)
def test_what_the_disk_refuses_is_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    monkeypatch.setattr(os, "open", _failing(number))
    with pytest.raises(ExportError) as caught:
        write_export(folder / "out.csv", "new")
    assert str(caught.value) == f"{folder / 'out.csv'} could not be written: {sentence}"


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    "name, sentence",
    [
        ("", "is a folder; give the name of a file."),
        ("missing/out.csv", "missing does not exist."),
        ("file/out.csv", "file is not a folder."),
        ("n" * 300, "the name is too long."),
        ("a\0b", "is not a possible file name."),
    ],
)
def test_an_impossible_place_is_a_sentence(folder: Path, name: str, sentence: str, overwrite: bool) -> None:
    (folder / "file").write_text("")
    with pytest.raises(ExportError) as caught:
        write_export(folder / name, "new", overwrite=overwrite)
    assert str(caught.value).endswith(sentence)
    assert names_in(folder) == ["file"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_permission_is_a_sentence(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(ExportError, match="no permission"):
        write_export(closed / "out.csv", "new")
