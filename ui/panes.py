"""List and note side by side; in a narrow window the note lies below the list, and only where asked for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

NARROW = 860  # pixels at 100 %


class _Line(QSplitterHandle):
    def paintEvent(self, event: QPaintEvent) -> None:
        # Painted here since a style sheet on the splitter would undo the palettes of everything inside it.
        QPainter(self).fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Mid))


class Panes(QSplitter):
    """Remembers for wide and for narrow windows apart whether the note is wanted."""

    note_shown = Signal(bool)

    def __init__(self, results: QWidget, note: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._note = note
        self._threshold = NARROW
        self._wanted = {False: True, True: False}  # by narrow
        self.addWidget(results)
        self.addWidget(note)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1)
        self.setSizes([500, 500])

    def set_threshold(self, width: int) -> None:
        """Set the width below which the window is narrow, in pixels of the current font size."""
        self._threshold = width
        self.fit()

    def show_note(self, wanted: bool) -> None:
        """Show the note or not, in windows of this kind."""
        self._wanted[self._narrow()] = wanted
        self.fit()

    def fit(self) -> None:
        """Lay the panes out for the width there is."""
        narrow = self._narrow()
        self.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        self._note.setVisible(self._wanted[narrow])
        self.note_shown.emit(self._wanted[narrow])

    def _narrow(self) -> bool:
        return self.window().width() < self._threshold

    def createHandle(self) -> QSplitterHandle:
        return _Line(self.orientation(), self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
