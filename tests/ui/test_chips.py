"""The chips under the box say how the query was understood, and take parts of it out again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication

from core.search.parsing import parse_query
from core.search.results import LEGS, LegReport, LegState, Mode
from ui.chips import MAX_LINES, text_without
from ui.theme import DARK, LIGHT, contrast

TODAY = date(2026, 12, 1)
QUERY = 'budget tag:project/a after:2w -draft "exact words" a OR b'
SHOWN = ["tag: project/a ×", "after: 2026-11-17 ×", "without: draft ×", "“exact words” ×", "a or b ×"]


@pytest.fixture
def show(window, made, qapp):
    """Return a function that types a query and shows its result, as the app does after a search."""

    def typed(text: str, *, hits: int = 10, interim: bool = False) -> None:
        window.query_box.setText(text)
        query = parse_query(text, TODAY)
        result = made["result"](made["ten"](interim=interim)[:hits], query=query.text, interim=interim)
        window.show_result(replace(result, clauses=query.clauses, message=query.message, remark=query.message))
        qapp.processEvents()

    return typed


def _texts(window) -> list[str]:
    return [chip.text() for chip in window.chip_row.chips()]


def _top_of_list(window) -> int:
    return window.result_list.mapTo(window, QPoint(0, 0)).y()


def test_every_part_that_is_more_than_a_word_has_a_chip(window, show) -> None:
    show(QUERY)
    assert _texts(window) == SHOWN
    assert all(chip.isVisible() for chip in window.chip_row.chips())
    assert [chip.accessibleName() for chip in window.chip_row.chips()] == SHOWN
    assert {chip.toolTip() for chip in window.chip_row.chips()} == {"<qt>Remove this from the query</qt>"}


def test_plain_words_have_no_row_at_all(window, show) -> None:
    show("plain words")
    without = _top_of_list(window)
    assert not window.chip_row.isVisible()
    show("plain words tag:x")
    assert window.chip_row.isVisible()
    assert _top_of_list(window) == without + window.chip_row.height()
    show("plain words")
    assert _top_of_list(window) == without


def test_an_empty_box_has_no_row_either(window, show) -> None:
    show(QUERY)
    window.clear_result()
    assert not window.chip_row.isVisible()
    assert _texts(window) == []


def test_the_final_result_moves_nothing_that_the_interim_one_showed(window, show, qapp) -> None:
    show(QUERY, interim=True)
    before = [chip.geometry() for chip in window.chip_row.chips()], _top_of_list(window)
    show(QUERY)
    assert ([chip.geometry() for chip in window.chip_row.chips()], _top_of_list(window)) == before


def test_nothing_moves_while_the_value_of_a_filter_is_typed(window, show) -> None:
    tops = []
    for text in ("tag:", "tag:a", "tag:ab", "tag:ab "):
        show(text)
        tops.append(_top_of_list(window))
    assert len(set(tops)) == 1


def test_pressing_a_chip_takes_its_part_out_and_searches_at_once(window, qtbot, show) -> None:
    show(QUERY)
    window.query_box.flush()
    with qtbot.waitSignal(window.query_changed, timeout=0) as told:
        qtbot.mouseClick(window.chip_row.chips()[1], Qt.MouseButton.LeftButton)
    left = 'budget tag:project/a -draft "exact words" a OR b'
    assert told.args == [left]
    assert window.query_box.text() == left
    assert window.query_box.cursorPosition() == len("budget tag:project/a ")
    assert window.query_box.hasFocus()


def test_undo_in_the_box_brings_a_removed_part_back(window, qtbot, show) -> None:
    show("a tag:x")
    qtbot.mouseClick(window.chip_row.chips()[0], Qt.MouseButton.LeftButton)
    assert window.query_box.text() == "a "
    window.query_box.undo()
    assert window.query_box.text() == "a tag:x"


def test_tab_goes_from_the_box_through_the_chips_in_order(window, qtbot, show) -> None:
    show(QUERY)
    reached = []
    for _ in SHOWN:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        reached.append(window.focusWidget().accessibleName())
    assert reached == SHOWN


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_the_keyboard_removes_a_chip_and_the_cursor_is_in_the_box_again(window, qtbot, show, key) -> None:
    show("a tag:x tag:y")
    qtbot.keyClick(window.query_box, Qt.Key.Key_Tab)
    qtbot.keyClick(window.focusWidget(), key)
    assert window.query_box.text() == "a tag:y"
    assert window.query_box.hasFocus()


def test_escape_on_a_chip_goes_back_to_the_box_and_keeps_the_query(window, qtbot, show) -> None:
    show("a tag:x")
    qtbot.keyClick(window.query_box, Qt.Key.Key_Tab)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert window.query_box.hasFocus()
    assert window.query_box.text() == "a tag:x"


def test_a_part_that_the_box_no_longer_holds_is_not_removed(window, qtbot, show) -> None:
    show("a tag:x")
    window.query_box.setText("a tag:xyz")
    qtbot.mouseClick(window.chip_row.chips()[0], Qt.MouseButton.LeftButton)
    assert window.query_box.text() == "a tag:xyz"
    assert window.query_box.hasFocus()


def test_emoji_before_a_part_shift_neither_the_part_nor_the_cursor(window, qtbot, show) -> None:
    show("🐘🐘 tag:x b")
    qtbot.mouseClick(window.chip_row.chips()[0], Qt.MouseButton.LeftButton)
    assert window.query_box.text() == "🐘🐘 b"
    assert window.query_box.cursorPosition() == 5  # UTF-16 units: two for each elephant


@pytest.mark.parametrize(
    ("box", "query", "part", "expected"),
    [
        ("a tag:x b", "a tag:x b", "tag:x", ("a b", 2)),
        ("tag:x", "tag:x", "tag:x", ("", 0)),
        ("tag:x b", "tag:x b", "tag:x", ("b", 0)),
        ("  a  tag:x  b", "a  tag:x  b", "tag:x", ("  a b", 4)),
        ("a tag:x and more", "a tag:x", "tag:x", ("a and more", 2)),
        ("new a tag:x", "a tag:x", "tag:x", ("new a ", 6)),
        ("tag:xy tag:x", "a tag:x", "tag:x", ("tag:xy ", 7)),
        ("tag:x b tag:x", "b tag:x", "tag:x", ("b tag:x", 0)),
        ("a tag:xy", "a tag:x", "tag:x", None),
        ("", "tag:x", "tag:x", None),
        ('"a b"c', '"a b"c', '"a b"', ("c", 0)),
        ("a-x", "-x", "-x", None),
    ],
)
def test_a_part_is_taken_out_where_it_stands_now(box, query, part, expected) -> None:
    (clause,) = [
        clause
        for clause in parse_query(query, TODAY).clauses
        if query[clause.start : clause.end] == part and clause.shown
    ]
    assert text_without(box, query, clause) == expected


@given(st.lists(st.sampled_from(["a", "🐘", "tag:x", '-"b c"', "「変 数」", "[k:v]", "  "]), max_size=8).map(" ".join))
def test_what_is_left_is_understood_as_before(text: str) -> None:
    query = parse_query(text, TODAY)
    for taken in query.clauses:
        left = text_without(text, query.text, taken)
        assert left is not None
        kept = [clause.part for clause in query.clauses if clause is not taken]
        again = [clause.part for clause in parse_query(left[0] + " ", TODAY).clauses]
        assert again == [replace(part, last=False) if hasattr(part, "last") else part for part in kept]


def test_what_there_is_to_say_about_the_query_stands_in_the_row_alone(window, show) -> None:
    sentence = "“tag:” at character 7 has no value, so it was left out."
    show("words tag:")
    assert window.chip_row.message.isVisible()
    assert window.chip_row.message.text() == sentence
    assert window._results.notes.text() == ""
    show("words tag:", hits=0)
    assert window.chip_row.message.text() == sentence
    assert sentence not in window._results.empty.texts()
    show("words")
    assert not window.chip_row.isVisible()


def test_filters_that_leave_no_note_keep_their_chips_and_say_so_without_naming_searches(window, made, qapp) -> None:
    query = parse_query("ext:org", TODAY)
    skipped = LegReport(LegState.SKIPPED, None, (5, 5), "The query holds filters alone.")
    result = replace(
        made["result"]([], query=query.text, mode=Mode.NONE),
        clauses=query.clauses,
        message="No note is left by these filters.",
        legs=dict.fromkeys(LEGS, skipped),
    )
    window.show_result(result)
    assert _texts(window) == ["ext: org ×"]
    assert window._results.empty.texts() == ("Nothing found", "No note is left by these filters.")


def test_an_empty_list_says_nothing_matches_once(window, made) -> None:
    window.show_result(replace(made["result"]([]), message="Nothing matches."))
    assert window._results.empty.texts() == ("Nothing matches", "Try other words, or fewer of them.")
    assert not window.chip_row.isVisible()


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("width", [340, 640, 1120])
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_chips_wrap_inside_the_window_and_lie_on_nothing_else(window, show, qapp, percent, width, direction) -> None:
    font = QFont(QApplication.font())
    before = QFont(font)
    font.setPixelSize(12 * percent // 100)
    try:
        QApplication.setFont(font)
        window.setLayoutDirection(direction)
        window.resize(width * percent // 100, 640)
        show(f'{QUERY} path:"{"a long folder name " * 9}" x OR')
        row = window.chip_row
        parts = [*row.chips(), row.message, row._more]
        shown = [part for part in parts if part.isVisible()]
        assert row.message in shown
        for part in shown:
            assert row.rect().contains(part.geometry()), part
            assert part.height() >= part.fontMetrics().height()
        for index, part in enumerate(shown):
            assert not any(part.geometry().intersects(other.geometry()) for other in shown[index + 1 :])
        for chip in row.chips():
            if chip.isVisible():
                assert chip.text().endswith(" ×")
                # The style asks for some room on both sides of the text that it can do without.
                assert chip.fontMetrics().horizontalAdvance(chip.text()) <= chip.width()
        assert row.heightForWidth(row.width()) == row.height()
        assert _top_of_list(window) >= row.mapTo(window, QPoint(0, row.height())).y()
    finally:
        QApplication.setFont(before)


def test_an_elided_chip_keeps_its_cross_and_tells_the_whole_in_its_tooltip(window, show) -> None:
    name = "a long folder name " * 9
    show(f'path:"{name}"')
    (chip,) = window.chip_row.chips()
    assert "…" in chip.text()
    assert chip.text().endswith(" ×")
    assert name.strip() in chip.toolTip()
    assert chip.accessibleName() == f"path: {name.strip()} ×"


def test_a_page_of_filters_takes_three_lines_and_says_how_many_more(window, show) -> None:
    show(" ".join(f"tag:project{number}" for number in range(80)))
    row = window.chip_row
    seen = [chip for chip in row.chips() if chip.isVisible()]
    assert len({chip.y() for chip in seen}) == MAX_LINES
    assert row._more.isVisible()
    assert row._more.text() == f"and {80 - len(seen)} more"
    assert row._more.geometry().right() < row.width()
    assert not any(row._more.geometry().intersects(chip.geometry()) for chip in seen)


def test_markup_and_ampersands_in_a_query_are_shown_as_typed(window, show) -> None:
    show('tag:R&D "<b>x</b> y"')
    assert _texts(window) == ["tag: R&&D ×", "“<b>x</b> y” ×"]
    assert [chip.accessibleName() for chip in window.chip_row.chips()] == ["tag: R&D ×", "“<b>x</b> y” ×"]


def test_characters_that_turn_the_direction_do_not_reach_a_chip(window, show) -> None:
    show("tag:\u202eabc")
    assert _texts(window) == ["tag: abc ×"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_chips_are_painted_in_the_colours_of_their_theme(window, show, qtbot, theme) -> None:
    window.use_theme(theme)
    show("tag:x")
    (chip,) = window.chip_row.chips()
    picture = chip.grab().toImage()
    inside, edge = QPoint(chip.width() // 2, 2), QPoint(chip.width() // 2, 0)
    assert picture.pixelColor(inside) == QColor(theme.ground)
    assert picture.pixelColor(edge) == QColor(theme.line)
    pixels = [picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(2, picture.height() - 2)]
    assert max(contrast(pixel, theme.ground) for pixel in pixels) > 7  # the text's
    row = window.chip_row.grab().toImage()
    assert row.pixelColor(row.width() - 2, 2) == QColor(theme.side)
    qtbot.keyClick(window.query_box, Qt.Key.Key_Tab)
    assert chip.grab().toImage().pixelColor(edge) == QColor(theme.accent)
