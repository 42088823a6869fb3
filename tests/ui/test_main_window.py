"""The window as a person and the app meet it."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from core.index.progress import IndexProgress, IndexReport, Phase, Problem
from core.search.results import Leg, LegReport, LegState, Mode
from ui.elided_label import ElidedLabel
from ui.main_window import MainWindow
from ui.result_model import ResultModel


def _keys(window, qtbot, *keys) -> None:
    for key in keys:
        qtbot.keyClick(window.query_box, key)


def _row(window) -> int:
    return window.result_list.currentIndex().row()


def test_the_selected_note_stays_selected_when_a_late_result_comes(window, qtbot, made) -> None:
    early = made["ten"](interim=True)
    window.show_result(made["result"](early, interim=True))
    _keys(window, qtbot, Qt.Key.Key_Down)
    late = [made["hit"](n, path=path) for n, path in enumerate(("z.md", "y.md", "garden/note-2.md", "x.md"), start=1)]
    window.show_result(made["result"](late))
    assert _row(window) == 2
    assert window.selected_rows() == (2,)
    window.show_result(made["result"](late, query="another"))
    assert window.selected_rows() == (0,)


def test_several_selected_notes_stay_selected_too(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    rows = window.result_list
    for row, held in ((1, Qt.KeyboardModifier.NoModifier), (3, Qt.KeyboardModifier.ControlModifier)):
        place = rows.visualRect(rows.model().index(row, 0)).center()
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, held, place)
    assert window.selected_rows() == (1, 3)
    window.show_result(made["result"](list(reversed(made["ten"]()))))
    assert window.selected_rows() == (6, 8)
    assert rows.current_hit().path == "garden/note-4.md"


def test_the_preview_is_asked_for_once_the_selection_rests(window, qtbot, made) -> None:
    asked = []
    window.preview_requested.connect(lambda hit: asked.append(hit.path))
    window.show_result(made["result"](made["ten"]()))
    _keys(window, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == ["garden/note-3.md"]
    window.show_result(made["result"](made["ten"](), query="other"))
    window.clear_result()
    qtbot.wait(200)
    assert len(asked) == 1


def test_a_note_that_was_read_too_late_is_not_shown(window, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    window.show_preview(made["hit"](1), "the right one", ())
    window.show_preview(made["hit"](2), "the one before", ())
    window.show_preview_error(made["hit"](2), "Gone.")
    assert window.preview_pane.preview.isVisible()
    assert window.preview_pane.preview.toPlainText() == "the right one"


def test_interim_rows_show_no_band_and_cannot_be_exported(window, made) -> None:
    window.show_result(made["result"](made["ten"](interim=True), interim=True))
    rows = window.result_list
    prepared = rows.delegate.prepared(rows.model().index(0, 0), 500)
    assert (prepared.band, prepared.compatibility) == ("", None)
    assert not window.actions_by_key["export_csv"].isEnabled()
    assert not window.actions_by_key["copy_selected_json"].isEnabled()
    before = prepared.layout
    window.show_result(made["result"](made["ten"]()))
    after = rows.delegate.prepared(rows.model().index(0, 0), 500)
    assert after.band == "good"
    assert (after.layout.title, after.layout.snippet_lines) == (before.title, before.snippet_lines)
    assert window.actions_by_key["export_csv"].isEnabled()


def test_the_model_keeps_the_rules_of_item_models(qapp, made) -> None:
    model = ResultModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_hits(made["ten"]())
    model.set_hits(made["ten"]()[:3])
    model.set_hits([])
    assert tester.model() is model


def test_a_row_is_spoken_with_title_band_badges_folder_and_date(qapp, made) -> None:
    model = ResultModel()
    model.set_hits([made["hit"](1, ranks=(1, 4, 2))])
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Publishing your notes, strong match, Words 1, Meaning 4, Links 2, garden, 12 Mar 2026"


def test_markup_in_a_title_is_shown_not_rendered(window, made) -> None:
    hit = made["hit"](1, title="<b>x</b>")
    window.show_result(made["result"]([hit]))
    window.show_preview(hit, "x", ())
    assert window.preview_pane.title.text() == "<b>x</b>"
    for label in window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or "<" not in label.text()


@pytest.mark.parametrize(("total", "text"), [(1, "first 10 of 312"), (10, "10 notes")], ids=["cut", "whole"])
def test_a_cut_list_says_so(window, made, total: int, text: str) -> None:
    window.show_result(made["result"](made["ten"](), total=312 if total == 1 else total))
    assert window._results.count.text() == text


def test_the_status_line_names_mode_and_coverage(window, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    assert window.status_line.coverage.text() == "Hybrid · Words 6,591 · Meaning 4,120 of 6,591 · Links 38,963"


def test_where_every_leg_sees_all_the_status_line_says_so_and_the_rest_is_one_hover_away(window, made) -> None:
    whole = LegReport(LegState.RAN, 5, (6591, 6591))
    result = made["result"](made["ten"](), meaning=whole)
    legs = {**result.legs, Leg.LINKS: LegReport(LegState.RAN, 5, (38963, 40010))}
    window.show_result(replace(result, legs=legs))
    line = window.status_line.coverage
    assert line.text() == "Hybrid · searched: 6,591 notes by words, 6,591 by meaning, 38,963 links"
    for told in ("Words: 6,591 of 6,591", "Meaning: 6,591 of 6,591", "Links: 38,963 of 40,010 links lead to a note"):
        assert told in line.toolTip()


def test_nothing_matches_is_said_only_if_every_leg_had_its_say(window, made) -> None:
    window.show_result(replace(made["result"]([], mode=Mode.NONE), message="Nothing matches."))
    assert window._results.empty.texts()[0] == "Nothing matches"
    failed = LegReport(LegState.FAILED, None, (0, 6591), "The model file is damaged.")
    window.show_result(made["result"]([], mode=Mode.NONE, meaning=failed))
    headline, sentence = window._results.empty.texts()
    assert headline == "Nothing found"
    assert "The model file is damaged." in sentence
    window.show_progress(IndexProgress(Phase.READ, 1, 2))
    window.show_result(made["result"]([], mode=Mode.NONE, meaning=failed, query="z"))
    assert window._results.empty.texts()[0] == "Nothing found so far"


def test_a_failed_leg_says_why_beside_the_count(window, made) -> None:
    failed = LegReport(LegState.FAILED, None, (0, 6591), "The model file is damaged.")
    window.show_result(made["result"](made["ten"](), meaning=failed, mode=Mode.WORDS))
    assert window._results.notes.text() == "Meaning failed: The model file is damaged."


def test_why_tells_the_evidence_and_nothing_as_per_cent(window, made) -> None:
    window.show_result(made["result"]([made["hit"](1, ranks=(1, 2, 4))]))
    window.show_preview(made["hit"](1), "text", ())
    window.actions_by_key["why"].setChecked(True)
    told = window.preview_pane.why.texts()
    assert told[:4] == [
        "All three searches agree: strong",
        "1st by words: publish",
        "2nd by meaning",
        "4th by links: linked from Static <i>site</i> (line 14)",
    ]
    texts = "\n".join(told[4:])
    assert "0.83, how well the searches agree: 0.6 × 3/3 + 0.4 × (1/1 + 1/2 + 1/4) / 3" in texts
    assert "rank 2 · score 5 · adds 0.016129" in texts
    assert "rrf/k=60/v1" in texts
    assert "3f9a2c41" in texts
    assert "%" not in texts


def test_why_tells_the_reason_of_a_leg_that_did_not_run(window, made) -> None:
    skipped = LegReport(LegState.SKIPPED, None, (0, 6591), "No vectors yet.")
    window.show_result(made["result"]([made["hit"](1, ranks=(1, 0, 0))], meaning=skipped))
    window.show_preview(made["hit"](1), "text", ())
    window.actions_by_key["why"].setChecked(True)
    texts = window.preview_pane.why.texts()
    assert texts[0] == "One of three searches found it: partial"
    assert "Meaning did not run: No vectors yet." in texts
    assert "Links did not find this note among its first 50" in texts


def test_export_names_format_file_and_rows(window, qtbot, made, tmp_path: Path) -> None:
    window.show_result(made["result"](made["ten"]()))
    window.export_menu.choose_file = lambda _parent, name, _suggested: tmp_path / f"out.{name}"
    with qtbot.waitSignal(window.export_requested) as got:
        window.actions_by_key["export_json"].trigger()
    assert got.args == ["json", tmp_path / "out.json", None]
    with qtbot.waitSignal(window.export_requested) as got:
        window.actions_by_key["export_selected_csv"].trigger()
    assert got.args == ["csv", tmp_path / "out.csv", (0,)]
    with qtbot.waitSignal(window.copy_requested) as got:
        window.actions_by_key["copy_markdown"].trigger()
    assert got.args == ["markdown", None]
    window.export_menu.choose_file = lambda _parent, _name, _suggested: None
    with qtbot.assertNotEmitted(window.export_requested):
        window.actions_by_key["export_csv"].trigger()


def test_a_result_without_hits_can_be_exported(window, made) -> None:
    window.show_result(made["result"]([]))
    assert window.actions_by_key["export_json"].isEnabled()
    assert not window.actions_by_key["export_selected_json"].isEnabled()
    window.clear_result()
    assert not window.actions_by_key["export_json"].isEnabled()


def test_progress_shows_counts_and_can_be_stopped(window, qtbot) -> None:
    window.show_progress(IndexProgress(Phase.READ, 1234, 6591, 7.2))
    status = window.status_line
    assert status.progress_text.text() == "Reading notes: 1,234 of 6,591 · 7 s left"
    assert (status.bar.value(), status.bar.maximum()) == (1234, 6591)
    with qtbot.waitSignal(window.cancel_indexing_requested):
        qtbot.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    window.show_progress(None)
    assert not status.cancel.isVisible()


def test_problems_open_as_a_list_with_path_and_reason(window, qtbot) -> None:
    problems = (Problem("a/<b>.md", "Not text."), Problem("b.md", "Permission denied."), Problem("c.md", "x"))
    window.show_report(IndexReport(5, 5, 0, 0, 5, 3, problems))
    assert window.status_line.problems.text() == "3 problems"
    assert window.status_line.state.text() == "Up to date"
    dialog = window.open_problems()
    assert dialog.isVisible()
    cells = [[dialog.table.item(row, column).text() for column in (0, 1)] for row in range(3)]
    assert cells == [[problem.path, problem.reason] for problem in problems]
    dialog.close()


def test_a_dismissed_notice_stays_away_until_another_comes(window, qtbot) -> None:
    notice = window._notice
    window.show_notice("one")
    qtbot.mouseClick(notice.close_button, Qt.MouseButton.LeftButton)
    window.show_notice("one")
    assert not notice.isVisible()
    window.show_notice("two")
    assert notice.isVisible()


def test_welcome_offers_a_folder_and_the_samples(window, qtbot) -> None:
    window.show_folder(None)
    choose, sample = window._welcome.buttons
    with qtbot.waitSignal(window.choose_folder_requested):
        qtbot.mouseClick(choose, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(window.sample_requested):
        qtbot.mouseClick(sample, Qt.MouseButton.LeftButton)
    assert window.query_box.hasFocus()


def test_closing_is_told_once(window) -> None:
    told = []
    window.closing.connect(lambda: told.append(1))
    window.close()
    window.close()
    assert told == [1]


def _dress(window, made, percent: int, width: int) -> None:
    font = made["look"](percent).scale.base
    QApplication.setFont(font)
    window.resize(width, 700)
    window.show_notice("Meaning is off.")
    window.show_progress(IndexProgress(Phase.EMBED, 123456, 654321, 4000.0))
    window.show_report(IndexReport(5, 5, 0, 0, 5, 3, (Problem("a.md", "Not text."),) * 3))
    window.show_result(made["result"](made["ten"]()))
    window.show_preview(made["hit"](1), "publish", ("publish",))
    QApplication.processEvents()


@pytest.mark.parametrize(("percent", "width"), [(100, 700), (100, 1120), (200, 1400), (200, 700)])
def test_no_button_or_label_is_clipped(window, made, percent: int, width: int) -> None:
    before = QApplication.font()
    try:
        _dress(window, made, percent, width)
        assert window.width() == width
        for button in window.findChildren(QAbstractButton):
            if button.isVisible() and not isinstance(button.parent(), QLineEdit):
                assert button.width() >= button.sizeHint().width(), button.accessibleName()
                assert button.height() >= button.fontMetrics().height(), button.accessibleName()
        for label in window.findChildren(QLabel):
            if label.isVisible() and label.text() and not label.wordWrap():
                assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()
        for elided in window.findChildren(ElidedLabel):
            if elided.isVisible() and elided.text():
                assert elided.height() >= elided.fontMetrics().height()
                assert elided.shown_text() == elided.text() or elided.text() in elided.toolTip()
        if (percent, width) == (100, 700):
            assert window.status_line.coverage.shown_text() == window.status_line.coverage.text()
            assert window.status_line.progress_text.shown_text() == window.status_line.progress_text.text()
    finally:
        QApplication.setFont(before)


def test_a_changed_counter_moves_nothing(window, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    window.show_preview(made["hit"](1), "publish " * 3, ("publish",))
    QApplication.processEvents()
    parts: list[QWidget] = [window.result_list, window.preview_pane.previous, window.preview_pane.next]
    before = [part.mapTo(window, QPoint(0, 0)) for part in parts] + [window.result_list.viewport().size()]
    window.show_preview(made["hit"](1), "publish " * 3000, ("publish",))
    window.show_result(made["result"](made["ten"](), total=99999))
    window.show_report(IndexReport(5, 5, 0, 0, 5, 3, (Problem("a.md", "Not text."),)))
    QApplication.processEvents()
    after = [part.mapTo(window, QPoint(0, 0)) for part in parts] + [window.result_list.viewport().size()]
    assert after == before


def test_a_narrow_window_shows_the_note_only_when_asked(window, made, qtbot) -> None:
    window.resize(700, 700)
    assert not window.preview_pane.isVisible()
    window.actions_by_key["preview"].trigger()
    assert window.preview_pane.isVisible()
    assert window.preview_pane.mapTo(window, QPoint(0, 0)).y() > window.result_list.mapTo(window, QPoint(0, 0)).y()
    window.resize(1200, 700)
    assert window.preview_pane.isVisible()


def test_asking_why_in_a_narrow_window_shows_the_note_with_it(window, made) -> None:
    window.resize(700, 700)
    window.show_result(made["result"](made["ten"]()))
    window.show_preview(made["hit"](1), "text", ())
    window.actions_by_key["why"].trigger()
    assert window.preview_pane.why.isVisible()
    assert "Compatibility" in window.preview_pane.why.texts()


def test_windows_come_and_go_without_leaving_the_collector_a_broken_object(qtbot, made) -> None:
    for _ in range(3):
        shown = MainWindow(find_marks=made["find_marks"])
        qtbot.addWidget(shown)
        shown.show_result(made["result"](made["ten"]()))
        shown.close()
        gc.collect()
    assert shown.selected_rows() == (0,)


def test_every_control_has_an_accessible_name(window, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    nameless = [
        button
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and not (button.accessibleName() or button.text() or button.toolTip())
    ]
    assert [(button.objectName(), button.parent()) for button in nameless] == []
    for part in (window.query_box, window.result_list, window.preview_pane.preview):
        assert part.accessibleName()


def test_a_key_that_means_nothing_to_the_list_is_left_to_qt(window, qtbot, made) -> None:
    window.show_result(made["result"](made["ten"]()))
    window.result_list.setFocus()
    select_all = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier, "\x01")
    QApplication.sendEvent(window.result_list, select_all)
    assert window.selected_rows() == tuple(range(10))
