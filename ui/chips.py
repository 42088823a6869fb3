"""How a query was understood, under its box: a chip for each part that is more than a word, and a sentence.

A chip takes its part out of the query. Depends on core's clauses and on Qt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from core.search.query import Clause
from ui.plain_text import menu_text, one_line, tooltip_of
from ui.theme import mirrored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Look

MAX_LINES = 3
"""Lines of chips; a pasted page of quotations must leave the window to its results."""
_WIDEST = 320  # pixels at 100 %: room for a long phrase, and for two chips in a narrow window
_CLOSING = " ×"
_REMOVING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


def text_without(text: str, query: str, clause: Clause) -> tuple[str, int] | None:
    """Return `text` without a clause of `query`, and the place in code points where the clause stood.

    The box may have changed since `query` was read from it: the clause is then looked for by its own text, as whole
    words and nearest to where it stood. None where it is no longer there.
    """
    lead = len(text) - len(text.lstrip())
    start, end = clause.start + lead, clause.end + lead
    behind = text[lead + len(query) :]
    if not text.startswith(query, lead) or not (behind == "" or behind[0].isspace()):
        own = query[clause.start : clause.end]
        places = [found.span() for found in re.finditer(rf"(?<!\S){re.escape(own)}(?!\S)", text)]
        if not own or not places:
            return None
        start, end = min(places, key=lambda place: (abs(place[0] - clause.start), place))
    before, after = text[:start].rstrip(), text[end:].lstrip()
    kept = f"{before} " if before else ""
    return kept + after, len(kept)


class Chip(QToolButton):
    """One part of the query, with a cross: pressing it asks for the part to be taken out."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.clause: Clause | None = None
        self._whole = ""
        self.natural_width = 0
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setText(_CLOSING)
        self.setVisible(False)

    def show_clause(self, clause: Clause, widest: int) -> None:
        """Show a clause in at most `widest` pixels."""
        self.clause = clause
        self._whole = one_line(clause.shown)
        self.setAccessibleName(self._whole + _CLOSING)
        self.setAccessibleDescription(self.tr("Remove this from the query"))
        self.setText(menu_text(self._whole) + _CLOSING)
        self._whole_width = self.sizeHint().width()
        self.natural_width = min(self._whole_width, widest)

    def fit(self, width: int) -> None:
        """Elide what does not fit; the whole stays in the tooltip, and the cross in sight."""
        metrics = self.fontMetrics()
        room = metrics.horizontalAdvance(self._whole) - max(0, self._whole_width - width)
        shown = metrics.elidedText(self._whole, Qt.TextElideMode.ElideMiddle, room)
        if width >= self._whole_width:
            shown = self._whole
        self.setText(menu_text(shown) + _CLOSING)
        hint = self.accessibleDescription()
        self.setToolTip(tooltip_of(hint if shown == self._whole else f"{self._whole}\n{hint}"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVING_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


class ChipRow(QWidget):
    """Chips in as many lines as they need, then the sentence. There is no row where there is nothing to show.

    What a result says again moves nothing. Chips follow `after` when the keyboard goes from part to part.
    """

    remove_requested = Signal(object)

    def __init__(self, look: Look, after: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._after = after
        self._clauses: tuple[Clause, ...] = ()
        self._chips: list[Chip] = []
        self.message = QLabel(self)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setWordWrap(True)
        self._more = QLabel(self)
        self._more.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("How the query was understood"))
        self.setVisible(False)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(look.theme.side))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(look.theme.muted))
        self.setPalette(palette)
        for label in (self.message, self._more):
            label.setPalette(palette)
            label.setFont(look.font(12))
        for chip in self._chips:
            self._dress(chip)
        self._renew()

    def show_query(self, clauses: Sequence[Clause], message: str | None) -> None:
        """Show how a query was understood: the clauses that have something to show, and what there is to say."""
        shown = tuple(clause for clause in clauses if clause.shown)
        if shown == self._clauses and (message or "") == self.message.text():
            return
        self._clauses = shown
        self.message.setText(message or "")
        self.message.setAccessibleName(message or "")
        self._renew()

    def chips(self) -> list[Chip]:
        """Return the chips of the query, those of lines past the last one too."""
        return self._chips[: len(self._clauses)]

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arranged(width)[1]

    def sizeHint(self) -> QSize:
        width = max(self.width(), self.minimumSizeHint().width())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.px(120), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _dress(self, chip: Chip) -> None:
        px, theme = self._look.px, self._look.theme
        chip.setFont(self._look.font(12))
        chip.setStyleSheet(
            f"QToolButton {{ background: {theme.ground}; color: {theme.text}; border: 1px solid {theme.line};"
            f" border-radius: {px(6)}px; padding: {px(2)}px {px(4)}px; }}"
            f"QToolButton:hover {{ background: {theme.pressed}; }}"
            f"QToolButton:focus {{ border-color: {theme.accent}; }}"
        )

    def _renew(self) -> None:
        while len(self._chips) < max(1, len(self._clauses)):  # one is always there, to measure a line by
            chip = Chip(self)
            chip.clicked.connect(lambda _checked=False, chip=chip: self.remove_requested.emit(chip.clause))
            QWidget.setTabOrder(self._chips[-1] if self._chips else self._after, chip)
            self._dress(chip)
            self._chips.append(chip)
        for chip, clause in zip(self._chips, self._clauses, strict=False):
            chip.show_clause(clause, self._look.px(_WIDEST))
        self.setVisible(bool(self._clauses or self.message.text()))
        self.updateGeometry()
        self._place()

    def _place(self) -> None:
        """Put everything where it belongs in the width there is."""
        places, _height = self._arranged(self.width())
        from_right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self._more.setText(self._more_text(sum(chip not in places for chip in self.chips())))
        for widget in (*self._chips, self._more, self.message):
            rect = places.get(widget)
            if rect is not None:
                widget.setGeometry(mirrored(rect, self.width()) if from_right else rect)
                if isinstance(widget, Chip):
                    widget.fit(rect.width())
            widget.setVisible(rect is not None)

    def _arranged(self, width: int) -> tuple[dict[QWidget, QRect], int]:
        """Return the places of what is shown in a row of `width`, read from left to right, and the row's height."""
        px = self._look.px
        left, gap, room = px(16), px(4), max(1, width - px(32))
        places: dict[QWidget, QRect] = {}
        chips = self.chips()
        height = self._chips[0].sizeHint().height()
        x = y = 0
        line = 1
        for index, chip in enumerate(chips):
            wide = min(chip.natural_width, room)
            if x and x + wide > room:
                x, y, line = 0, y + height + gap, line + 1
            if line > MAX_LINES:
                y -= height + gap
                x = self._make_room(places, chips[:index], QRect(left, y, room, height), len(chips))
                break
            places[chip] = QRect(left + x, y, wide, height)
            x += wide + gap
        bottom = y + height if chips else 0
        if self.message.text():
            place = self._message_place(QRect(left, y, room, height), x)
            places[self.message] = place
            bottom = max(bottom, place.y() + place.height())
        return places, bottom + px(8) if places else 0

    def _make_room(self, places: dict[QWidget, QRect], placed: list[Chip], last_line: QRect, count: int) -> int:
        """Leave place at the end of the last line to say how many chips did not fit; return where the line ends."""
        needed = self._more.fontMetrics().horizontalAdvance(self._more_text(count)) + 2
        end = places[placed[-1]].right() + 1 - last_line.x() + self._look.px(4)
        for chip in reversed(placed):
            if end + needed <= last_line.width() or places[chip].y() != last_line.y():
                break
            end = places.pop(chip).x() - last_line.x()
        places[self._more] = QRect(last_line.x() + end, last_line.y(), needed, last_line.height())
        return end + needed

    def _more_text(self, count: int) -> str:
        return self.tr("and {} more").format(count)

    def _message_place(self, last_line: QRect, end: int) -> QRect:
        """Return the place of the sentence: behind the last chip where it fits, else in lines of its own."""
        px = self._look.px
        metrics = self.message.fontMetrics()
        wide = metrics.horizontalAdvance(self.message.text()) + px(4)
        if end and end + px(8) + wide <= last_line.width():
            return QRect(last_line.x() + end + px(8), last_line.y(), wide, last_line.height())
        y = last_line.y() + last_line.height() + px(4) if end else 0
        # Alone it is as high as a chip: `tag:` turns into one with the next letter, and nothing moves.
        high = max(self.message.heightForWidth(last_line.width()), 0 if end else last_line.height())
        return QRect(last_line.x(), y, last_line.width(), high)
