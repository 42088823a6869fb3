"""How the window tells of an index that is paused, offline or late, and offers a newer list."""

import pytest
from PySide6.QtCore import Qt

from core.index.progress import IndexProgress, Phase
from ui.status_text import progress_text, upkeep_hint, upkeep_text
from ui.upkeep import Upkeep

AWAY = "There is no folder here."


@pytest.mark.parametrize(
    "upkeep, text",
    [
        (Upkeep(), "Up to date"),
        (Upkeep(paused=True), "Paused"),
        (Upkeep(offline=AWAY), "Offline: the folder is not there; its index is searched"),
        (Upkeep(offline=AWAY, paused=True), "Offline: the folder is not there; its index is searched"),
        (Upkeep(offline=AWAY, emptied=True), "Offline: the folder is empty; its index is searched"),
        (Upkeep(late="a network drive"), "Up to date · changes are found within half a minute"),
    ],
)
def test_what_matters_most_is_said(upkeep, text):
    assert upkeep_text(upkeep, "Up to date") == text


def test_while_a_run_goes_on_lateness_is_not_said():
    assert upkeep_text(Upkeep(late="a network drive"), "") == ""


@pytest.mark.parametrize(
    "upkeep, words",
    [
        (Upkeep(offline=AWAY), [AWAY]),
        (Upkeep(offline=AWAY, emptied=True), [AWAY, "empty the index"]),
        (Upkeep(late="a network drive"), ["a network drive"]),
        (Upkeep(deaf=2), ["2 times"]),
    ],
)
def test_the_reasons_stand_in_the_tooltip(upkeep, words):
    hint = upkeep_hint(upkeep)
    assert all(word in hint for word in words)
    assert upkeep_hint(Upkeep()) == ""


def test_embedding_on_battery_says_that_it_is_slower():
    assert progress_text(IndexProgress(Phase.EMBED, 1, 9), None, slowed=True).endswith("slower, on battery")
    assert "battery" not in progress_text(IndexProgress(Phase.READ, 1, 9), None, slowed=True)


def test_pause_and_resume_are_named_buttons_that_tab_reaches(window, qtbot):
    status = window.status_line
    asked = []
    window.pause_requested.connect(asked.append)
    window.show_progress(IndexProgress(Phase.EMBED, 1, 9))
    assert status.pause.accessibleName() == "Pause indexing"
    qtbot.mouseClick(status.pause, Qt.MouseButton.LeftButton)
    window.show_progress(None)
    window.show_upkeep(Upkeep(paused=True))
    assert status.resume.accessibleName() == "Resume indexing"
    assert window.actions_by_key["pause"].isChecked()
    qtbot.mouseClick(status.resume, Qt.MouseButton.LeftButton)
    assert asked == [True, False]
    assert all(button.focusPolicy() == Qt.FocusPolicy.TabFocus for button in (status.pause, status.resume))


def test_the_pause_key_asks_for_a_pause_and_then_for_its_end(window, qtbot):
    asked = []
    window.pause_requested.connect(asked.append)
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for paused in (True, False):
        qtbot.keyClick(window.query_box, Qt.Key.Key_P, held)
        window.show_upkeep(Upkeep(paused=paused))
    assert asked == [True, False]
