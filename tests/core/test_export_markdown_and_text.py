"""Exports for people to read: Markdown that opens, and text that no terminal obeys."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export import (
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
from tests.core.export_samples import REPORTS, hit, link_targets, markdown_html, result, table_cells

# All formats ---------------------------------------------------------------------------------------------------------


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


def test_explaining_shows_what_a_leg_adds_that_did_not_find_the_note_and_an_exact_title() -> None:
    explained = to_text(result(hit(unranked_parts={"links": 0.25, "title": 0.5})), explain=True).splitlines()
    assert any(line.split() == ["links", "did", "not", "find", "it", "contribution", "0.250000"] for line in explained)
    assert any(line.split() == ["title", "is", "the", "query", "contribution", "0.500000"] for line in explained)


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
