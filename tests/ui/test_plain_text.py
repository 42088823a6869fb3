"""Positions, direction, dates and counts."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.progress import IndexProgress, Phase
from ui.plain_text import (
    count_of,
    file_name_of,
    is_right_to_left,
    one_line,
    ordinal,
    shown_date,
    shown_seconds,
    tooltip_of,
    utf16_spans,
    with_natural_direction,
)
from ui.status_text import ProgressRate

TODAY = dt.date(2026, 3, 15)


@pytest.mark.parametrize(
    ("iso", "shown"),
    [
        ("2026-03-15", "today"),
        ("2026-03-14", "yesterday"),
        ("2026-03-12", "3 days ago"),
        ("2026-03-09", "6 days ago"),
        ("2026-03-08", "8 Mar 2026"),
        ("2026-03-16", "16 Mar 2026"),
        ("2025-12-01T10:00:00", "1 Dec 2025"),
        ("", ""),
        ("soon", "soon"),
        ("2026-02-30", "2026-02-30"),
    ],
)
def test_a_date_is_shown_as_a_person_says_it(iso: str, shown: str) -> None:
    assert shown_date(iso, TODAY) == shown


def test_an_emoji_before_a_match_shifts_it_by_one_unit() -> None:
    assert utf16_spans("😀 publish", [(2, 9)]) == [(3, 10)]
    assert utf16_spans("a publish", [(2, 9)]) == [(2, 9)]
    assert utf16_spans("x😀y😀", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 4)]) == [(0, 1), (1, 3), (3, 4), (4, 6), (6, 6)]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.data())
def test_utf16_spans_cut_the_same_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    ((first, last),) = utf16_spans(text, [(start, end)])
    assert text.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le") == text[start:end]


@pytest.mark.parametrize(
    ("text", "right"), [("نشر", True), ("123 שלום", True), ("abc نشر", False), ("", False), ("42", False)]
)
def test_the_first_letter_decides_the_direction(text: str, right: bool) -> None:
    assert is_right_to_left(text) is right


def test_markup_in_a_tooltip_is_shown_not_rendered() -> None:
    assert tooltip_of("<b>x</b> & y") == "<qt>&lt;b&gt;x&lt;/b&gt; &amp; y</qt>"


def test_a_title_is_one_line_without_control_characters() -> None:
    assert one_line("a\nb\t c\x00d") == "a b c d"


def test_counts_say_of_how_many_only_where_some_are_missing() -> None:
    assert count_of(6591, 6591) == "6,591"
    assert count_of(4120, 6591) == "4,120 of 6,591"


def test_time_left_is_told_in_one_coarse_unit() -> None:
    assert [shown_seconds(s) for s in (0.2, 7.2, 41, 61, 3700)] == ["1 s", "7 s", "45 s", "2 min", "2 h"]


def test_a_rate_is_told_only_after_half_a_second_and_starts_afresh_with_each_phase() -> None:
    times = iter([0.0, 0.1, 2.0, 3.0])
    rate = ProgressRate(lambda: next(times))
    assert rate.take(IndexProgress(Phase.READ, 0, 100)) is None
    assert rate.take(IndexProgress(Phase.READ, 50, 100)) is None
    assert rate.take(IndexProgress(Phase.READ, 80, 100)) == 40.0
    assert rate.take(IndexProgress(Phase.EMBED, 10, 100)) is None


def test_places_are_told_as_ordinals() -> None:
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 22, 50, 101, 111, 1003)
    assert [ordinal(number) for number in numbers] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "50th", "101st", "111th", "1,003rd",
    ]  # fmt: skip


def test_a_title_cannot_turn_the_direction_of_what_follows_it() -> None:
    assert one_line("a\u202egnp\u202c b") == "agnp b"
    assert with_natural_direction("a\u202eb") == "a\u2060b"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("boiler", "boiler"),
        ("what did we decide?", "what did we decide"),
        ("../../etc/passwd", "etc passwd"),
        ('a<b>:"c"|*\\', "a b c"),
        ("…", "results"),
        ("", "results"),
        ("CON", "results CON"),
        ("com1", "results com1"),
        ("京都の朝", "京都の朝"),
        ("x" * 300, "x" * 60),
        ("\u202egnp", "gnp"),
    ],
)
def test_a_query_becomes_a_file_name_that_is_safe_everywhere(query: str, name: str) -> None:
    assert file_name_of(query) == name
