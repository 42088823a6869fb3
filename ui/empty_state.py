"""What stands in place of a list: welcome, an empty box, nothing found, the first indexing, a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.icons import pixmap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Look


class EmptyState(QWidget):
    """A sign, a headline, a sentence or two and at most a few buttons, in the middle of the room."""

    def __init__(self, look: Look, actions: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = "triskel"
        self._sign = QLabel(self)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._headline = _label(self)
        self._sentence = _label(self)
        self.buttons: list[QPushButton] = []
        row = QHBoxLayout()
        row.addStretch(1)
        for action in actions:
            button = QPushButton(action.text(), self)
            button.setIcon(action.icon())
            button.setAccessibleName(action.text().rstrip("…"))
            button.setAutoDefault(False)
            # A click leaves the cursor in the query box; Tab still comes here.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(action.trigger)
            action.changed.connect(lambda button=button, action=action: button.setIcon(action.icon()))
            self.buttons.append(button)
            row.addWidget(button)
        row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addStretch(2)
        for widget in (self._sign, self._headline, self._sentence):
            self._column.addWidget(widget)
        self._column.addLayout(row)
        self._column.addStretch(3)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        px, theme = look.px, look.theme
        self._headline.setFont(look.font(18, strong=True))
        self._sentence.setFont(look.font(12))
        for label, colour in ((self._headline, theme.text), (self._sentence, theme.muted)):
            palette = label.palette()
            palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
            label.setPalette(palette)
        for button in self.buttons:
            button.setFont(look.font(12))
            button.setMinimumHeight(px(30))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.ground))
        self.setPalette(palette)
        self.setAutoFillBackground(True)
        self._column.setContentsMargins(px(24), px(24), px(24), px(24))
        self._column.setSpacing(px(12))
        self._draw_sign()

    def show_text(self, icon: str, headline: str, sentence: str, *, buttons: bool = True) -> None:
        """Show a sign, a headline and a sentence; either text may be empty."""
        for button in self.buttons:
            button.setVisible(buttons)
        self._icon = icon
        self._headline.setText(headline)
        self._headline.setVisible(bool(headline))
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self.setAccessibleName(". ".join(part for part in (headline, sentence) if part))
        self._draw_sign()

    def texts(self) -> tuple[str, str]:
        """Return headline and sentence."""
        return self._headline.text(), self._sentence.text()

    def _draw_sign(self) -> None:
        colour = self._look.theme.accent if self._icon == "triskel" else self._look.theme.muted
        size = self._look.px(56 if self._icon == "triskel" else 32)
        self._sign.setPixmap(pixmap(self._icon, colour, size, self.devicePixelRatioF()))


def _label(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    return label
