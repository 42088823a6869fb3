"""A one-line label that elides what does not fit and gives the whole as tooltip. Depends on Qt alone."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.plain_text import tooltip_of, without_direction


class ElidedLabel(QWidget):
    """Plain text, never markup. Its width follows the layout, not the text, so counters shift nothing."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        fits_text: bool = False,
    ) -> None:
        """With `fits_text` the label asks for its text's width; meant for texts that seldom change."""
        super().__init__(parent)
        self._fits_text = fits_text
        self._text = ""
        self._elide = elide
        self._hint = ""
        self._alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        across = QSizePolicy.Policy.Maximum if fits_text else QSizePolicy.Policy.Expanding
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """Return the whole text."""
        return self._text

    def set_text(self, text: str, hint: str = "") -> None:
        """Show `text`; `hint` is a tooltip that is shown even where nothing is elided."""
        text = without_direction(text)
        if (text, hint) == (self._text, self._hint):
            return
        self._text, self._hint = text, hint
        self.setAccessibleName(text)
        self._renew_tooltip()
        self.update()
        if self._fits_text:
            self.updateGeometry()

    def set_alignment(self, alignment: Qt.AlignmentFlag) -> None:
        """Align the text."""
        self._alignment = alignment

    def set_colour(self, colour: str) -> None:
        """Set the colour of the text."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, colour)
        self.setPalette(palette)

    def shown_text(self) -> str:
        """Return the text as it is painted now."""
        return self.fontMetrics().elidedText(self._text, self._elide, self.width())

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.averageCharWidth() * 12
        if self._fits_text:
            width = min(metrics.horizontalAdvance(self._text) + 2, 5 * width)
        return QSize(width, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._renew_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.rect(), self._alignment | Qt.TextFlag.TextSingleLine, self.shown_text())

    def _renew_tooltip(self) -> None:
        parts = [self._text] if self.shown_text() != self._text else []
        if self._hint:
            parts.append(self._hint)
        self.setToolTip(tooltip_of("\n".join(parts)) if parts else "")
