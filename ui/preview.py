"""Shows one note, rendered, centred on its best passage, with the query's words marked.

Nothing in a note acts: no HTML, no image or file is loaded, and a clicked link is only told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QKeyEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
    QTextTableFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from ui.plain_text import utf16_spans
from ui.preview_markdown import WIKILINK_SCHEME, readable_markdown, slice_around, without_front_matter
from ui.preview_place import current_mark, passage_span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.search.results import Hit
    from ui.theme import Look

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_PAINTED_MARKS = 300  # each mark is an object of Qt's; beyond these the ones round the current are painted


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
        self.shortened = False
        self.setReadOnly(True)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
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
        self.document().setDefaultFont(look.font(14))
        self.document().setDocumentMargin(look.px(16))
        self.document().setIndentWidth(look.px(20))
        if self._shown is not None:
            scroll = self.verticalScrollBar().value()
            self._render()
            self.verticalScrollBar().setValue(scroll)

    def show_note(self, hit: Hit, markdown: str, words: Sequence[str]) -> None:
        """Render a note. The same note with the same words and passage keeps its place."""
        shown = (hit, markdown, tuple(words))
        before, self._shown = self._shown, shown
        if before is not None and before[1:] == shown[1:] and _place(before[0]) == _place(hit):
            return
        self._render()

    def show_nothing(self) -> None:
        """Show an empty page."""
        self._shown = None
        self._marks, self._current, self._anchor = [], None, None
        self.shortened = False
        self.setExtraSelections([])
        self.document().clear()
        self.marks_changed.emit(0, 0)

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
        self._paint_marks()
        self._centre()

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Refuse everything: a note must not make the program read a file or ask the network."""
        return QImage()

    def _render(self) -> None:
        assert self._shown is not None
        hit, markdown, words = self._shown
        body, cut_lines = without_front_matter(markdown)
        line = (hit.passage.line if hit.passage is not None else hit.line or 1) - cut_lines
        part, self.shortened = slice_around(body, line)
        # 1. render
        self.setExtraSelections([])
        self.document().setMarkdown(readable_markdown(part), _FEATURES)
        self._style()
        # 2. find the passage and the words in what is shown
        plain = self.document().toPlainText()
        lines = part.count("\n") + 1
        relative = 0.5 if self.shortened else min(max((line - 1) / lines, 0.0), 1.0)
        passage = hit.passage.text if hit.passage is not None else ""
        span = passage_span(plain, passage, relative)
        marks = self._find_marks(plain, words) if words else []
        self._current = current_mark(marks, span)
        # 3. mark and centre, in Qt's positions
        *self._marks, place = utf16_spans(plain, [*marks, span])
        self._anchor = place[0]
        if self._current is not None and span[0] <= marks[self._current][0] < max(span[1], span[0] + 1):
            self._anchor = self._marks[self._current][0]
        self._paint_marks()
        self._centre()

    def _paint_marks(self) -> None:
        theme = self._look.theme
        selections = []
        middle = self._current or 0
        first = max(0, middle - _PAINTED_MARKS // 2)
        for number, (start, end) in enumerate(self._marks[first : first + _PAINTED_MARKS], start=first):
            current = number == self._current
            selection = QTextEdit.ExtraSelection()
            selection.cursor = _cursor(self.document(), start, end)
            selection.format.setBackground(QBrush(QColor(theme.current_mark if current else theme.mark)))
            selection.format.setForeground(QBrush(QColor(theme.current_mark_text if current else theme.text)))
            if current:  # told by more than colour
                selection.format.setFontUnderline(True)
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

    def _style(self) -> None:
        """Dress headings, code, quotes and tables in the theme's type scale and colours."""
        look = self._look
        document = self.document()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        block = document.begin()
        while block.isValid():
            block_format = block.blockFormat()
            level = block_format.headingLevel()
            cursor.setPosition(block.position())
            # Selecting makes Qt lay the text out: done only where the characters change.
            if level or block_format.hasProperty(QTextFormat.Property.BlockQuoteLevel):
                cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
            change = QTextBlockFormat()
            change.setLineHeight(125, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            if level:
                size = QTextCharFormat()
                size.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
                size.setProperty(QTextFormat.Property.FontPixelSize, look.px(18 if level == 1 else 14))
                size.setFontWeight(QFont.Weight.DemiBold)
                cursor.mergeCharFormat(size)
                change.setTopMargin(look.px(16 if block.blockNumber() else 0))
                change.setBottomMargin(look.px(4))
            elif _is_code(block):
                change.setBackground(QBrush(QColor(look.theme.side)))
                # Lines of code touch, so that their ground is one.
                change.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
                change.setLeftMargin(look.px(8))
                change.setTopMargin(0)
                change.setBottomMargin(0 if _is_code(block.next()) else look.px(8))
            elif block_format.hasProperty(QTextFormat.Property.BlockQuoteLevel):
                quoted = QTextCharFormat()
                quoted.setForeground(QBrush(QColor(look.theme.muted)))
                cursor.mergeCharFormat(quoted)
                change.setLeftMargin(look.px(24) * block_format.intProperty(QTextFormat.Property.BlockQuoteLevel))
                change.setTopMargin(look.px(8))
                change.setBottomMargin(look.px(8))
            elif cursor.currentTable() is None:
                gap = look.px(2 if block.textList() is not None else 8)
                change.setTopMargin(gap)
                change.setBottomMargin(gap)
            cursor.mergeBlockFormat(change)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                frame.setFormat(self._table_format(frame.format()))
        cursor.endEditBlock()

    def _table_format(self, given: QTextTableFormat) -> QTextTableFormat:
        given.setBorderCollapse(True)
        given.setBorder(1)
        given.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        given.setBorderBrush(QBrush(QColor(self._look.theme.line)))
        given.setCellPadding(self._look.px(4))
        given.setTopMargin(self._look.px(8))
        given.setBottomMargin(self._look.px(8))
        return given

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


def _is_code(block: QTextBlock) -> bool:
    given = block.blockFormat()
    return given.hasProperty(QTextFormat.Property.BlockCodeFence) or given.hasProperty(
        QTextFormat.Property.BlockCodeLanguage
    )


def _place(hit: Hit) -> object:
    return hit.path, hit.passage


def _cursor(document: QTextDocument, start: int, end: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor
