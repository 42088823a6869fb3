"""The status line: mode and coverage, how the index stands, problems; and a line of its own while indexing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ui.elided_label import ElidedLabel
from ui.icons import icon
from ui.status_text import (
    ProgressRate,
    coverage_hint,
    coverage_text,
    problems_text,
    progress_text,
    report_text,
    upkeep_hint,
    upkeep_text,
)
from ui.theme import flat_button_style
from ui.upkeep import Upkeep

if TYPE_CHECKING:
    from core.index.progress import IndexProgress, IndexReport
    from core.search.results import SearchResult
    from ui.theme import Look


class StatusLine(QWidget):
    """Texts are elided where the window is narrow; the whole is in the tooltip and the accessible name."""

    cancel_requested = Signal()
    pause_requested = Signal(bool)
    problems_requested = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rate = ProgressRate(time.monotonic)
        self._upkeep = Upkeep()
        self._ended = ""
        self.coverage = ElidedLabel(self)
        self.state = ElidedLabel(self, fits_text=True)
        self.state.set_alignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.problems = QToolButton(self)
        self.problems.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.problems.setAutoRaise(True)
        self.problems.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.problems.setVisible(False)
        self.problems.clicked.connect(self.problems_requested)
        self.progress_text = ElidedLabel(self)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Indexing"))
        self.cancel = _button(self, self.tr("Stop"), self.tr("Stop indexing"))
        self.cancel.setToolTip(self.tr("Stop indexing; what is done stays"))
        self.cancel.clicked.connect(self._on_cancel)
        self.pause = _button(self, self.tr("Pause"), self.tr("Pause indexing"))
        self.pause.setToolTip(self.tr("Pause indexing; what is done stays (Ctrl+Shift+P)"))
        self.pause.clicked.connect(lambda: self.pause_requested.emit(True))
        self.resume = _button(self, self.tr("Resume"), self.tr("Resume indexing"))
        self.resume.setToolTip(self.tr("Go on indexing (Ctrl+Shift+P)"))
        self.resume.setVisible(False)
        self.resume.clicked.connect(lambda: self.pause_requested.emit(False))
        self._busy = QWidget(self)
        self._busy_row = QHBoxLayout(self._busy)
        self._busy_row.addWidget(self.progress_text, 3)
        self._busy_row.addWidget(self.bar, 1)
        self._busy_row.addWidget(self.pause)
        self._busy_row.addWidget(self.cancel)
        self._busy.setVisible(False)
        self._row = QHBoxLayout()
        self._row.addWidget(self.coverage, 1)
        self._row.addWidget(self.state)
        self._row.addWidget(self.resume)
        self._row.addWidget(self.problems)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._busy)
        self._column.addLayout(self._row)
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        px, theme = look.px, look.theme
        buttons = (self.problems, self.cancel, self.pause, self.resume)
        for widget in (self.coverage, self.state, self.progress_text, *buttons):
            widget.setFont(look.font(11))
        for label in (self.coverage, self.progress_text):
            label.set_colour(theme.muted)
        self._tell_end(self._ended)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.side))
        self.setPalette(palette)
        self.problems.setIcon(icon("warning", theme.text))
        self.cancel.setIcon(icon("close", theme.text))
        self.pause.setIcon(icon("pause", theme.text))
        self.resume.setIcon(icon("resume", theme.text))
        for button in buttons:
            button.setIconSize(QSize(px(12), px(12)))
            button.setStyleSheet(flat_button_style(look))
        self.bar.setFixedHeight(px(6))
        self.bar.setStyleSheet(
            f"QProgressBar {{ background: {theme.track}; border: none; border-radius: {px(3)}px; }}"
            f"QProgressBar::chunk {{ background: {theme.accent}; border-radius: {px(3)}px; }}"
        )
        self._busy_row.setContentsMargins(0, 0, 0, 0)
        self._busy_row.setSpacing(px(12))
        self._row.setSpacing(px(12))
        self._column.setContentsMargins(px(16), px(4), px(8), px(4))
        self._column.setSpacing(px(4))
        self.coverage.setMinimumHeight(self.problems.sizeHint().height())  # the button comes without moving anything

    def show_result(self, result: SearchResult) -> None:
        """Tell mode and coverage."""
        self.coverage.set_text(coverage_text(result), coverage_hint(result))

    def clear_result(self) -> None:
        """Tell nothing of a search."""
        self.coverage.set_text("")

    def show_progress(self, progress: IndexProgress | None) -> None:
        """Show how far indexing is; None when it is over."""
        if progress is None:
            self._rate.forget()
            self._busy.setVisible(False)
            return
        if not self._busy.isVisibleTo(self):
            self.cancel.setEnabled(True)
            self._tell_end("")
        text = progress_text(progress, self._rate.take(progress), slowed=self._upkeep.slowed)
        self.progress_text.set_text(text)
        self.bar.setRange(0, progress.total)  # 0 to 0 is Qt's way to say that the end is not known
        self.bar.setValue(min(progress.done, progress.total))
        self._busy.setVisible(True)

    def show_report(self, report: IndexReport) -> None:
        """Tell how a run ended and how many problems there are."""
        self._tell_end(report_text(report))
        count = len(report.problems)
        self.problems.setText(problems_text(count))
        self.problems.setAccessibleName(problems_text(count))
        self.problems.setToolTip(self.tr("Show which files, and why"))
        self.problems.setVisible(count > 0)

    def show_stopped(self) -> None:
        """Tell that a run was stopped before it had a report."""
        self._tell_end(self.tr("Stopped; F5 goes on"))

    def show_upkeep(self, upkeep: Upkeep) -> None:
        """Tell how the index is kept up to date."""
        self._upkeep = upkeep
        self.resume.setVisible(upkeep.paused)
        self._tell_end(self._ended)

    def clear_report(self) -> None:
        """Tell nothing of an index: another folder was opened."""
        self._tell_end("")
        self.problems.setVisible(False)

    def _tell_end(self, ended: str) -> None:
        """Tell how the last run ended, or what is to be known before that; "" while one is going on."""
        self._ended = ended
        theme = self._look.theme
        self.state.set_colour(theme.text if self._upkeep.offline or self._upkeep.paused else theme.muted)
        self.state.set_text(upkeep_text(self._upkeep, ended), upkeep_hint(self._upkeep))

    def _on_cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.cancel_requested.emit()


def _button(parent: QWidget, text: str, name: str) -> QToolButton:
    button = QToolButton(parent)
    button.setText(text)
    button.setAccessibleName(name)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
