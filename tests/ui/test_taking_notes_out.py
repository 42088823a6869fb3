"""Notes are taken out of the list by drag and by Ctrl+C, and the ends of the list are reached from the box."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QAbstractItemModelTester

from ui.query_box import QueryBox
from ui.result_model import ResultModel

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def model(made) -> ResultModel:
    one = ResultModel()
    QAbstractItemModelTester(one, QAbstractItemModelTester.FailureReportingMode.Fatal)
    one.set_hits(made["ten"]())
    return one


def test_dragged_rows_are_files_of_the_folder_and_links(model, tmp_path):
    model.set_folder(tmp_path)
    hits = model.hits
    data = model.mimeData([model.index(2), model.index(0), model.index(2)])
    assert data.urls() == [QUrl.fromLocalFile(str(Path(tmp_path) / hits[row].path)) for row in (0, 2)]
    assert data.text().count("[[") == 2


def test_without_a_folder_rows_are_dragged_as_links_alone(model):
    assert not model.mimeData([model.index(0)]).hasUrls()


def test_a_drag_never_moves_a_file(model):
    assert not model.supportedDragActions() & Qt.DropAction.MoveAction
    assert not model.flags(model.index(0)) & Qt.ItemFlag.ItemIsDropEnabled


@pytest.fixture
def box(qtbot, made) -> QueryBox:
    one = QueryBox(made["look"](100))
    qtbot.addWidget(one)
    one.setText("some 🐘 text")
    return one


def test_ctrl_c_copies_a_link_where_no_text_is_selected_and_the_text_where_some_is(box, qtbot, qapp):
    qapp.clipboard().setText("before")
    with qtbot.waitSignal(box.copy_link_requested):
        qtbot.keyClick(box, Qt.Key.Key_C, CTRL)
    assert qapp.clipboard().text() == "before"
    box.selectAll()
    with qtbot.assertNotEmitted(box.copy_link_requested):
        qtbot.keyClick(box, Qt.Key.Key_C, CTRL)
    assert qapp.clipboard().text() == "some 🐘 text"


@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_End])
def test_home_and_end_first_go_to_the_end_of_the_text_then_of_the_list(box, qtbot, key):
    box.setCursorPosition(3)
    with qtbot.assertNotEmitted(box.move_requested):
        qtbot.keyClick(box, key)
    with qtbot.waitSignal(box.move_requested) as told:
        qtbot.keyClick(box, key)
    assert told.args == [int(key)]
    box.setCursorPosition(3)
    with qtbot.waitSignal(box.move_requested):
        qtbot.keyClick(box, key, CTRL)
    assert box.cursorPosition() == 3
