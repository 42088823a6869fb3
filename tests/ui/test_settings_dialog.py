"""The settings page: each change is told at once, and only changes are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QListWidget

from core.export.note_link import LinkForm
from ui.preferences import IndexRow, Preferences, ThemeChoice
from ui.settings_dialog import SettingsDialog

EDITORS = (("Code", "code -g {file}:{line}"), ("Kate", "kate -l {line} {file}"))
INDEXES = (IndexRow("/notes/a", 3 * 1024**2, is_open=True), IndexRow("/notes/b", 1024), IndexRow("", 5))


@pytest.fixture
def dialog(qtbot, made) -> SettingsDialog:
    one = SettingsDialog(Preferences(), EDITORS, INDEXES, made["look"](100))
    qtbot.addWidget(one)
    one.show()
    return one


def test_it_shows_what_is_set(qtbot, made):
    preferences = Preferences(ThemeChoice.DARK, 150, "vi {file}", LinkForm.PATH, "/models/x")
    one = SettingsDialog(preferences, EDITORS, INDEXES, made["look"](100))
    qtbot.addWidget(one)
    assert (one.theme.currentData(), one.text_size.currentData()) == ("dark", 150)
    assert (one.editor.currentText(), one.link_form.currentData()) == ("vi {file}", "path")
    assert one.preferences == preferences


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("theme", Qt.Key.Key_Down, Preferences(theme=ThemeChoice.LIGHT)),
        ("text_size", Qt.Key.Key_End, Preferences(text_percent=200)),
        ("link_form", Qt.Key.Key_Down, Preferences(link_form=LinkForm.MARKDOWN)),
    ],
)
def test_a_choice_by_keys_is_told_at_once(dialog, qtbot, name, key, expected):
    with qtbot.waitSignal(dialog.preferences_changed) as told:
        qtbot.keyClick(getattr(dialog, name), key)
    assert told.args == [expected]


def test_an_editor_is_told_when_it_is_typed_to_its_end(dialog, qtbot):
    line = dialog.editor.lineEdit()
    line.setFocus()
    with qtbot.assertNotEmitted(dialog.preferences_changed):
        qtbot.keyClicks(line, "vi {file}")
    with qtbot.waitSignal(dialog.preferences_changed) as told:
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert told.args[0].editor == "vi {file}"
    with qtbot.assertNotEmitted(dialog.preferences_changed):
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert dialog.isVisible()


def test_why_an_editor_cannot_be_used_stands_below_it(dialog):
    assert not dialog.fault.isVisible()
    dialog.show_fault("The editor was not found.")
    assert (dialog.fault.isVisible(), dialog.fault.text()) == (True, "The editor was not found.")
    dialog.show_fault("")
    assert not dialog.fault.isVisible()


def test_the_index_that_is_open_cannot_be_forgotten_and_another_can(dialog, qtbot):
    assert not dialog.forget.isEnabled()
    dialog.indexes.setCurrentRow(0)
    assert not dialog.forget.isEnabled()
    dialog.indexes.setCurrentRow(1)
    with qtbot.waitSignal(dialog.forget_requested) as told:
        qtbot.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    assert told.args == ["/notes/b"]
    dialog.remove_index("/notes/b")
    assert [dialog.indexes.item(row).text() for row in range(dialog.indexes.count())] == [
        "/notes/a: 3.0 MB (open now)",
        "(folder not known): 0.0 MB",
    ]


def test_going_back_to_the_built_in_model_is_offered_only_from_another(dialog, qtbot):
    assert not dialog.built_in_model.isEnabled()
    dialog.use_model("/models/x")
    dialog.show_model("x. It reads German.", built_in=False)
    with qtbot.waitSignal(dialog.preferences_changed) as told:
        qtbot.mouseClick(dialog.built_in_model, Qt.MouseButton.LeftButton)
    assert told.args[0].model is None


def test_every_control_is_named_and_reached_by_tab(dialog, qtbot):
    reached = set()
    for _ in range(40):
        focused = dialog.focusWidget()
        reached.add(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    for control in (dialog.theme, dialog.text_size, dialog.link_form, dialog.indexes, dialog.choose_model):
        assert control in reached
    for box in dialog.findChildren(QComboBox):
        assert box.accessibleName()
    for control in dialog.findChildren(QAbstractButton) + dialog.findChildren(QListWidget):
        if control.isVisible():
            assert control.accessibleName() or control.text()
