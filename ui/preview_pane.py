"""The right side: the note's title, its matches counted, the preview; below, *Why this note?* and what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from ui.elided_label import ElidedLabel
from ui.empty_state import EmptyState
from ui.neighbours_panel import NeighboursPanel
from ui.part_bar import PartBar
from ui.plain_text import one_line
from ui.preview import Preview
from ui.theme import flat_button_style
from ui.why_panel import WhyPanel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.search.results import Hit, SearchResult
    from ui.actions import Actions
    from ui.theme import Look


class PreviewPane(QWidget):
    """Shows a note, a sentence why it cannot be shown, or nothing."""

    def __init__(
        self,
        look: Look,
        actions: Actions,
        find_marks: Callable[[str, Sequence[str]], list[tuple[int, int]]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = ElidedLabel(self)
        self.place = ElidedLabel(self, elide=Qt.TextElideMode.ElideMiddle)
        self.counter = QLabel(self)
        self.counter.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.counter.setTextFormat(Qt.TextFormat.PlainText)
        self.previous = _button(actions["previous_match"], self)
        self.next = _button(actions["next_match"], self)
        self.back = _button(actions["back"], self)
        self.back.setVisible(False)
        self.preview = Preview(look, find_marks, self)
        self.preview.marks_changed.connect(self._on_marks_changed)
        self.parts = PartBar(self)
        self.parts.turned.connect(self._on_turned)
        self.sentence = EmptyState(look, (), self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.preview)
        self._stack.addWidget(self.sentence)
        self.why = WhyPanel(look, self)
        self.around = NeighboursPanel(look, self)
        self._rules = [QFrame(self), QFrame(self), QFrame(self)]
        self._head = QWidget(self)
        self._texts = QVBoxLayout()
        self._texts.addWidget(self.title)
        self._texts.addWidget(self.place)
        self._head_row = QHBoxLayout(self._head)
        self._head_row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignVCenter)
        self._head_row.addLayout(self._texts, 1)
        for widget in (self.previous, self.counter, self.next):
            self._head_row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        rules = self._rules
        parts: tuple[QWidget, ...] = (self._head, rules[0], self.parts, self._stack, rules[1], self.why, rules[2])
        for part in (*parts, self.around):
            column.addWidget(part)
        column.setStretch(3, 1)
        self.setAutoFillBackground(True)
        self.set_look(look)
        self.show_nothing()

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        px, theme = look.px, look.theme
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.ground))
        self.setPalette(palette)
        self.title.setFont(look.font(14, strong=True))
        self.title.set_colour(theme.text)
        self.place.setFont(look.font(11))
        self.place.set_colour(theme.muted)
        self.counter.setFont(look.font(11))
        # As wide as the widest count, so that the buttons never move.
        self.counter.setFixedWidth(
            self.counter.fontMetrics().horizontalAdvance(self._count(9999, 9999, more=True)) + px(4)
        )
        self.parts.set_look(look)
        for button in (self.back, self.previous, self.next):
            button.setIconSize(QSize(px(14), px(14)))
            button.setStyleSheet(flat_button_style(look))
        for rule in self._rules:
            rule.setFixedHeight(1)
            rule.setAutoFillBackground(True)
            line = rule.palette()
            line.setColor(QPalette.ColorRole.Window, QColor(theme.line))
            rule.setPalette(line)
        self._head_row.setContentsMargins(px(16), px(8), px(8), px(8))
        self._head_row.setSpacing(px(4))
        self._texts.setSpacing(px(2))
        for part in (self.preview, self.sentence, self.why, self.around):
            part.set_look(look)

    def show_hit(self, hit: Hit, result: SearchResult) -> None:
        """Explain a hit at once, before its note was read."""
        self.why.show_hit(hit, result)

    def explain_other(self, sentence: str) -> None:
        """Say in place of the evidence why a note is shown that the list does not hold."""
        self.why.show_sentence(sentence)

    def show_note(self, hit: Hit, markdown: str, words: Sequence[str], *, other: bool = False) -> None:
        """Show a note; with `other` it is not the selected one, and a button leads back."""
        self._name(hit)
        self._show_frame(True)
        self.around.show_note()
        self.back.setVisible(other)
        if not markdown.strip():
            self._say("preview", self.tr("This note is empty."))
            return
        self._stack.setCurrentWidget(self.preview)
        self.preview.show_note(hit, markdown, words)
        self.parts.show_part(self.preview.part)

    def renew_note(self, markdown: str) -> None:
        """Show the same note with its text as it is now, where the reader is."""
        if self._stack.currentWidget() is self.preview and markdown.strip():
            self.preview.renew_note(markdown)
            self.parts.show_part(self.preview.part)

    def _say(self, sign: str, sentence: str) -> None:
        self.preview.show_nothing()
        self.parts.show_part(None)
        self.sentence.show_text(sign, "", sentence)
        self._stack.setCurrentWidget(self.sentence)

    def show_error(self, hit: Hit, sentence: str) -> None:
        """Say why a note cannot be shown."""
        self._name(hit)
        self._show_frame(True)
        self.around.show_nothing()
        self.back.setVisible(False)
        self._say("warning", sentence)

    def show_nothing(self) -> None:
        """Show that no note is selected."""
        self.title.set_text("")
        self.place.set_text("")
        self.why.show_nothing()
        self.around.show_nothing()
        self._show_frame(False)
        self._say("preview", self.tr("The note you select is shown here."))

    def _show_frame(self, shown: bool) -> None:
        for part in (self._head, self.why, self.around, *self._rules):
            part.setVisible(shown)

    def _name(self, hit: Hit) -> None:
        self.title.set_text(one_line(hit.title) or hit.path.rsplit("/", 1)[-1])
        self.place.set_text(hit.path)

    def _count(self, current: int, total: int, *, more: bool = False) -> str:
        return self.tr("{} of {}").format(current, f"{total}+" if more else total)

    def _on_turned(self, step: int) -> None:
        self.preview.show_part(step)
        self.parts.show_part(self.preview.part)

    def _on_marks_changed(self, current: int, total: int) -> None:
        # Matches are counted in the part that is shown.
        counted = self._count(current, total, more=self.preview.part.shortened)
        self.counter.setText(counted if total else "")
        self.counter.setAccessibleName(self.tr("match {} of {}").format(current, total) if total else "")
        for button in (self.previous, self.next):
            button.defaultAction().setEnabled(total > 0)


def _button(action: object, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setDefaultAction(action)  # type: ignore[arg-type]
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAccessibleName(button.text())
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
