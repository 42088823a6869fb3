"""Shows one note, rendered, centred on its best passage, with the query's words marked.

Nothing in a note acts: no HTML, no image or file is loaded, and a clicked link is only told. A long note is shown in
parts, so that no note holds the window up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from ui.front_matter import property_rows, split_front_matter
from ui.plain_text import utf16_spans
from ui.preview_markdown import WIKILINK_SCHEME, readable_markdown
from ui.preview_place import current_mark, nearest_line, passage_span
from ui.preview_slice import Part, part_around, part_from, part_until
from ui.preview_style import rendered

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.search.results import Hit
    from ui.theme import Look

_PAINTED_MARKS = 400  # each mark is a piece of text of its own to Qt; of more, the ones round the current are painted


class Preview(QTextBrowser):
    """`find_marks(text, words)` gives the spans of folded words in a text, in code points."""

    link_activated = Signal(str)
    marks_changed = Signal(int, int)
    """The current match from 1 (0 where there is none) and their number."""
    escape_pressed = Signal()

    def __init__(
        self,
        look: Look,
        find_marks: Callable[[str, Sequence[str]], list[tuple[int, int]]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._find_marks = find_marks
        self._shown: tuple[Hit, str, tuple[str, ...]] | None = None
        self._marks: list[tuple[int, int]] = []
        self._current: int | None = None
        self._anchor: int | None = None
        self._painted = range(0)
        self._body = ""
        self._properties: list[tuple[str, str]] = []
        self._cut_lines = 0
        self._part = Part("", 0, 0, 0)
        self.setReadOnly(True)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # A scroll bar that comes with the text would have all of it laid out twice.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setAccessibleName(self.tr("Note"))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        self.setFont(look.font(14))
        if self._shown is not None:
            scroll = self.verticalScrollBar().value()
            self._render(self._part)
            self.verticalScrollBar().setValue(scroll)

    def show_note(self, hit: Hit, markdown: str, words: Sequence[str]) -> None:
        """Render a note. The same note with the same words and passage keeps its place."""
        shown = (hit, markdown, tuple(words))
        before, self._shown = self._shown, shown
        if before is not None and before[1:] == shown[1:] and _place(before[0]) == _place(hit):
            return
        lines, self._body, self._cut_lines = split_front_matter(markdown)
        self._properties = property_rows(lines)
        passage = hit.passage
        line = _first_line(hit) - self._cut_lines
        self._render(part_around(self._body, line, passage.text if passage is not None else ""))

    def renew_note(self, markdown: str) -> None:
        """Show the note with its text as it is now: the line at the top stays there, or what is left near it."""
        if self._shown is None or self._shown[1] == markdown:
            return
        hit, _, words = self._shown
        block = self.cursorForPosition(QPoint(1, 1)).block()
        offset = self.cursorRect(QTextCursor(block)).top()
        text, number, current = block.text(), block.blockNumber(), self._current
        self._shown = (hit, markdown, words)
        lines, self._body, self._cut_lines = split_front_matter(markdown)
        self._properties = property_rows(lines)
        self._render(part_from(self._body, self._part.first + 1), turned=True)
        if current is not None and current < len(self._marks):
            self._current = current
            self._paint_current()
        same = self.document().findBlockByNumber(nearest_line(self.document().toPlainText(), text, number))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(QTextCursor(same)).top() - offset)

    def show_nothing(self) -> None:
        """Show an empty page."""
        self._shown = None
        self._marks, self._current, self._anchor = [], None, None
        self._part = Part("", 0, 0, 0)
        self.setExtraSelections([])
        self.document().clear()
        self.marks_changed.emit(0, 0)

    @property
    def part(self) -> Part:
        """Which lines of the note's body are shown."""
        return self._part

    def show_part(self, step: int) -> None:
        """Show the part of a long note that follows the one shown now, or with -1 the one before it."""
        if self._shown is None:
            return
        if step > 0 and self._part.last < self._part.total:
            self._render(part_from(self._body, self._part.last + 1), turned=True)
            self.verticalScrollBar().setValue(0)
        elif step < 0 and self._part.first > 0:
            self._render(part_until(self._body, self._part.first), turned=True)
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    @property
    def marks(self) -> list[tuple[int, int]]:
        """The matches, as spans of Qt positions in the document."""
        return list(self._marks)

    def go_to_next(self, step: int = 1) -> None:
        """Go to the next match, or with -1 to the one before; round at the ends."""
        if self._current is None:
            return
        self._current = (self._current + step) % len(self._marks)
        self._anchor = self._marks[self._current][0]
        if self._current not in self._painted:
            self._mark(self.document())
        self._paint_current()
        self._centre()

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Refuse everything: a note must not make the program read a file or ask the network."""
        return QImage()

    def _render(self, part: Part, *, turned: bool = False) -> None:
        """Show a part; one that was `turned` to has no passage to be centred on."""
        assert self._shown is not None
        hit, _, words = self._shown
        self._part = part
        # 1. render, in a document that nothing shows yet
        self.setExtraSelections([])
        document = QTextDocument(self)
        rendered(document, readable_markdown(part.text), self._properties if not part.first else (), self._look)
        # 2. find the passage and the words in what is shown
        plain = document.toPlainText()
        line = _first_line(hit) - self._cut_lines
        relative = (line - 1 - part.first) / max(1, part.last - part.first)
        passage = hit.passage.text if hit.passage is not None and not turned else ""
        span = passage_span(plain, passage, min(max(relative, 0.0), 1.0))
        marks = self._find_marks(plain, words) if words else []
        self._current = current_mark(marks, span)
        # 3. show, mark and centre, in Qt's positions
        *self._marks, place = utf16_spans(plain, [*marks, span])
        self._anchor = place[0]
        if self._current is not None and span[0] <= marks[self._current][0] < max(span[1], span[0] + 1):
            self._anchor = self._marks[self._current][0]
        self._mark(document)
        self.setDocument(document)  # which deletes the one before, as its parent
        self._paint_current()
        if turned:
            self._anchor = None
        self._centre()

    def _mark(self, document: QTextDocument) -> None:
        """Give the marks round the current one their ground.

        As formats of the text: Qt paints a line again for every selection in it, which a line full of marks shows.
        """
        middle = self._current or 0
        first = max(0, min(middle - _PAINTED_MARKS // 2, len(self._marks) - _PAINTED_MARKS))
        self._painted = range(first, min(first + _PAINTED_MARKS, len(self._marks)))
        look = QTextCharFormat()
        look.setBackground(QBrush(QColor(self._look.theme.mark)))
        look.setForeground(QBrush(QColor(self._look.theme.text)))
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for start, end in self._marks[first : self._painted.stop]:
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)
        cursor.endEditBlock()

    def _paint_current(self) -> None:
        selections = []
        if self._current is not None:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = _cursor(self.document(), *self._marks[self._current])
            selection.format.setBackground(QBrush(QColor(self._look.theme.current_mark)))
            selection.format.setForeground(QBrush(QColor(self._look.theme.current_mark_text)))
            selection.format.setFontUnderline(True)  # told by more than colour
            selections.append(selection)
        self.setExtraSelections(selections)
        self.marks_changed.emit(0 if self._current is None else self._current + 1, len(self._marks))

    def _centre(self) -> None:
        if self._anchor is None:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(self._anchor, self.document().characterCount() - 1))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).center().y() - self.viewport().height() // 2)
        self.horizontalScrollBar().setValue(0)

    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme() == WIKILINK_SCHEME:
            encoded = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
            self.link_activated.emit(unquote(encoded.removeprefix(f"{WIKILINK_SCHEME}:")))
        else:
            self.link_activated.emit(url.toString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
            return
        self._anchor = None
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._anchor = None  # from here on the reader decides what is looked at
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._centre()


def _first_line(hit: Hit) -> int:
    """Return the line where what was found begins; 1 in a format that has no lines."""
    line = hit.passage.line if hit.passage is not None else hit.line
    return line or 1


def _place(hit: Hit) -> object:
    return hit.path, hit.passage


def _cursor(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor
