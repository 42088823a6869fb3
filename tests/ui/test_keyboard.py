"""The keyboard: everything from the query box, which the cursor never leaves by itself."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from core.index.progress import IndexProgress, IndexReport, Phase, Problem
from ui.theme import DARK


def _keys(window, qtbot, *keys) -> None:
    for key in keys:
        qtbot.keyClick(window.query_box, key)


def _row(window) -> int:
    return window.result_list.currentIndex().row()


def test_the_cursor_starts_in_the_box(window) -> None:
    assert QApplication.focusWidget() is window.query_box


def test_typing_is_told_once_after_a_pause_and_at_clear(window, qtbot) -> None:
    told = []
    window.query_changed.connect(told.append)
    qtbot.keyClicks(window.query_box, "abc")
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["abc"]
    _keys(window, qtbot, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == ["abc", ""]


def test_arrows_and_pages_move_the_selection_while_the_cursor_stays(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    assert _row(window) == 0
    _keys(window, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up)
    assert _row(window) == 1
    _keys(window, qtbot, Qt.Key.Key_PageDown)
    assert _row(window) > 3
    _keys(window, qtbot, *[Qt.Key.Key_Down] * 10)
    assert _row(window) == 9
    assert (
        window.result_list.viewport()
        .rect()
        .intersects(window.result_list.visualRect(window.result_list.currentIndex()))
    )
    _keys(window, qtbot, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp)
    assert _row(window) == 0
    assert window.query_box.hasFocus()


def test_home_and_end_keep_their_meaning_in_the_text(window, qtbot, made) -> None:
    window.query_box.setText("abc")
    window.show_result(made["result"](made["ten"]()))
    _keys(window, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Home)
    assert (window.query_box.cursorPosition(), _row(window)) == (0, 1)
    _keys(window, qtbot, Qt.Key.Key_End)
    assert (window.query_box.cursorPosition(), _row(window)) == (3, 1)


def test_enter_opens_the_selected_note(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    _keys(window, qtbot, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.open_requested) as got:
        _keys(window, qtbot, Qt.Key.Key_Return)
    assert got.args[0].path == "garden/note-2.md"


def test_enter_right_after_the_last_letter_opens_what_that_letter_finds(window, qtbot, made) -> None:
    opened = []
    window.open_requested.connect(lambda hit: opened.append(hit.path))
    window.show_result(made["result"](made["ten"](), query="pub"))
    qtbot.keyClicks(window.query_box, "l")
    with qtbot.waitSignal(window.query_changed):
        _keys(window, qtbot, Qt.Key.Key_Return)
    assert opened == []
    window.show_result(made["result"]([made["hit"](1, path="new.md", interim=True)], query="publ", interim=True))
    assert opened == []
    window.show_result(made["result"]([made["hit"](1, path="new.md")], query="publ"))
    assert opened == ["new.md"]


def test_nothing_acts_while_an_input_method_composes(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    opened, told = [], []
    window.open_requested.connect(opened.append)
    window.query_changed.connect(told.append)
    QApplication.sendEvent(window.query_box, QInputMethodEvent("こう", []))
    assert window.query_box.composing
    _keys(window, qtbot, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Escape)
    qtbot.wait(60)
    assert (opened, told, _row(window)) == ([], [], 0)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("公開")
    QApplication.sendEvent(window.query_box, commit)
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["公開"]
    _keys(window, qtbot, Qt.Key.Key_Down)
    assert _row(window) == 1


def test_escape_in_list_and_preview_comes_back_to_the_box(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    window.show_preview(made["hit"](1), "text", ())
    for part in (window.result_list, window.preview_pane.preview):
        part.setFocus()
        assert part.hasFocus()
        qtbot.keyClick(part, Qt.Key.Key_Escape)
        assert window.query_box.hasFocus()


def test_typing_in_the_list_goes_on_in_the_box(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    window.result_list.setFocus()
    qtbot.keyClicks(window.result_list, "x")
    assert window.query_box.text() == "x"
    assert window.query_box.hasFocus()


def test_no_method_of_the_window_moves_the_focus(window, qtbot, made) -> None:
    hit = made["hit"](1)
    for act in (
        lambda: window.show_result(made["result"](made["ten"](interim=True), interim=True)),
        lambda: window.show_result(made["result"](made["ten"]())),
        lambda: window.show_preview(hit, "# x\n\npublish", ("publish",)),
        lambda: window.show_preview_error(hit, "The note was moved or deleted."),
        lambda: window.show_notice("Meaning is off."),
        lambda: window.show_progress(IndexProgress(Phase.READ, 1, 2)),
        lambda: window.show_progress(None),
        lambda: window.show_report(IndexReport(1, 1, 0, 0, 1, 1, (Problem("a.md", "no"),))),
        lambda: window.show_notice(None),
        window.actions_by_key["why"].trigger,
        window.actions_by_key["preview"].trigger,
        lambda: window.use_theme(DARK),
        lambda: window.resize(700, 600),
        lambda: window.show_result(made["result"]([], query="y")),
        lambda: window.clear_result("A quotation mark is missing."),
        lambda: window.show_folder(None),
        lambda: window.show_folder("Notes"),
    ):
        act()
        qtbot.wait(1)
        assert QApplication.focusWidget() is window.query_box


def test_a_click_on_a_row_selects_it_and_leaves_the_cursor_in_the_box(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    place = window.result_list.visualRect(window.result_list.model().index(2, 0)).center()
    qtbot.mouseClick(window.result_list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert _row(window) == 2
    assert window.query_box.hasFocus()
    with qtbot.waitSignal(window.open_requested):
        qtbot.mouseDClick(window.result_list.viewport(), Qt.MouseButton.LeftButton, pos=place)
