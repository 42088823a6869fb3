"""A quiet line over a long note: that a part of it is shown, and the way to the parts before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from ui.elided_label import ElidedLabel
from ui.theme import flat_button_style

if TYPE_CHECKING:
    from ui.preview_slice import Part
    from ui.theme import Look


class PartBar(QWidget):
    """Hidden where the whole note is shown."""

    turned = Signal(int)
    """1 for the part after, -1 for the one before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ElidedLabel(self)
        self.before = self._button(self.tr("Part before"), -1)
        self.after = self._button(self.tr("Part after"), 1)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.text, 1)
        self._row.addWidget(self.before)
        self._row.addWidget(self.after)
        self.setVisible(False)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self.text.setFont(look.font(11))
        self.text.set_colour(look.theme.muted)
        for button in (self.before, self.after):
            button.setFont(look.font(11))
            button.setStyleSheet(flat_button_style(look))
        self._row.setContentsMargins(look.px(16), look.px(2), look.px(8), look.px(2))
        self._row.setSpacing(look.px(4))

    def show_part(self, part: Part | None) -> None:
        """Say which part is shown."""
        self.setVisible(part is not None and part.shortened)
        if part is None:
            return
        self.before.setEnabled(part.first > 0)
        self.after.setEnabled(part.last < part.total)
        if part.first or part.last < part.total:
            told = self.tr("A long note: lines {:,} to {:,} of {:,}").format(part.first + 1, part.last, part.total)
        else:
            told = self.tr("Very long lines are shown in part")
        self.text.set_text(told)

    def _button(self, text: str, step: int) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setAccessibleName(text)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.turned.emit(step))
        return button
