"""The list of files that could not be read, or not wholly, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ui.plain_text import tooltip_of, without_direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.index.progress import Problem
    from ui.theme import Look


class ProblemsDialog(QDialog):
    """Two columns, path and reason; nothing can be changed here."""

    def __init__(self, problems: Sequence[Problem], look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = look.px
        self.setWindowTitle(self.tr("Problems"))
        head = QLabel(
            self.tr("These files were left out, or could be read only in part. Everything else is searchable."), self
        )
        head.setWordWrap(True)
        head.setFont(look.font(12))
        self.table = QTableWidget(len(problems), 2, self)
        self.table.setAccessibleName(self.tr("Problems"))
        self.table.setFont(look.font(12))
        self.table.setHorizontalHeaderLabels([self.tr("File"), self.tr("Reason")])
        self.table.verticalHeader().setVisible(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(True)
        self.table.setTextElideMode(Qt.TextElideMode.ElideNone)  # a reason wraps, and is read to its end
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.horizontalHeader().setHighlightSections(False)
        for row, problem in enumerate(problems):
            for column, text in enumerate((problem.path, problem.reason)):
                item = QTableWidgetItem(without_direction(text))
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                item.setToolTip(tooltip_of(text))
                self.table.setItem(row, column, item)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(0, px(260))
        self.table.verticalHeader().setDefaultSectionSize(px(28))
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        # No padding by style sheet: rows are then measured without it, and the last line of a reason is cut off.
        self.table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column_box = QVBoxLayout(self)
        column_box.setContentsMargins(px(16), px(16), px(16), px(16))
        column_box.setSpacing(px(12))
        column_box.addWidget(head)
        column_box.addWidget(self.table, 1)
        column_box.addWidget(buttons)
        self.resize(px(820), px(420))
