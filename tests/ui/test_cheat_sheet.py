"""The page of keys: it says what is true, and all of it."""

from __future__ import annotations

import datetime as dt

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from core.search.parsing import parse_query
from core.search.query import Filter
from ui.actions import ACTIONS
from ui.cheat_sheet import TYPED, CheatSheet


def test_every_shortcut_of_the_table_stands_on_the_page(window, made, qtbot) -> None:
    sheet = CheatSheet(made["look"](100), window)
    qtbot.addWidget(sheet)
    text = sheet.page.toPlainText()
    for spec in ACTIONS:
        for keys in spec.shortcuts:
            assert QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) in text


@pytest.mark.parametrize("example", [shown for shown, _ in TYPED])
def test_every_example_is_understood_without_a_remark(example: str) -> None:
    query = parse_query(example, dt.date(2026, 3, 1))
    assert query.clauses
    assert query.message is None
    if ":" in example:
        assert all(isinstance(clause.part, Filter) for clause in query.clauses)


def test_f1_opens_the_page_and_esc_closes_it(window, qtbot) -> None:
    window.show()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    sheet = window.findChild(CheatSheet)
    qtbot.waitUntil(sheet.isVisible)
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not sheet.isVisible())
    assert QApplication.activeModalWidget() is None
