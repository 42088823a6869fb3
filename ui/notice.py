"""A quiet line under the query box that tells something and can be sent away; what was done goes by itself."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from ui.icons import icon, pixmap
from ui.theme import flat_button_style

if TYPE_CHECKING:
    from ui.theme import Look


DONE_MS = 6_000  # long enough to be read twice


class NoticeKind(Enum):
    """What a notice is about: its value is its sign."""

    PROBLEM = "warning"
    NEWS = "info"
    DONE = "check"


class Notice(QWidget):
    """Hidden until there is a sentence; a dismissed sentence stays away until another one comes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dismissed: str | None = None
        self._sentence: str | None = None
        self.kind = NoticeKind.PROBLEM
        self._away = QTimer(self, interval=DONE_MS, singleShot=True)
        self._away.timeout.connect(self._dismiss)
        self._sign = QLabel(self)
        self._sign.setAccessibleName(self.tr("Notice"))
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.close_button = QToolButton(self)
        self.close_button.setAutoRaise(True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.setAccessibleName(self.tr("Dismiss the notice"))
        self.close_button.setToolTip(self.tr("Dismiss the notice"))
        self.close_button.clicked.connect(self._dismiss)
        self._row = QHBoxLayout(self)
        for widget in (self._sign, self._text, self.close_button):
            self._row.addWidget(widget)
        self._row.setStretch(1, 1)
        self.setAutoFillBackground(True)
        self.setVisible(False)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        theme, px = look.theme, look.px
        palette = self.palette()
        grounds = {
            NoticeKind.PROBLEM: theme.problem, NoticeKind.NEWS: theme.notice, NoticeKind.DONE: theme.done
        }  # fmt: skip
        palette.setColor(QPalette.ColorRole.Window, QColor(grounds[self.kind]))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(theme.text))
        self.setPalette(palette)
        self._text.setFont(look.font(12))
        self._sign.setPixmap(pixmap(self.kind.value, theme.text, px(16), self.devicePixelRatioF()))
        self.close_button.setStyleSheet(flat_button_style(look))
        self.close_button.setIcon(icon("close", theme.text))
        self.close_button.setIconSize(QSize(px(12), px(12)))
        self._row.setContentsMargins(px(16), px(4), px(8), px(4))
        self._row.setSpacing(px(8))

    def show_sentence(self, sentence: str | None, kind: NoticeKind = NoticeKind.PROBLEM) -> None:
        """Show a sentence, or nothing with None."""
        self._away.stop()
        self._sentence = sentence
        if sentence is None or kind is NoticeKind.DONE:
            self._dismissed = None
        if kind is not self.kind:
            self.kind = kind
            self.set_look(self._look)
        if sentence and kind is NoticeKind.DONE:
            self._away.start()
        self._text.setText(sentence or "")
        self.setAccessibleName(sentence or "")
        self.setVisible(bool(sentence) and sentence != self._dismissed)

    def text(self) -> str:
        """Return the sentence, "" where there is none."""
        return self._text.text()

    def _dismiss(self) -> None:
        self._dismissed = self._sentence
        self.setVisible(False)
