"""Dresses a rendered note in the theme's type scale and colours. Depends on Qt's text documents alone.

Works on a document that no view shows yet: each change to a shown one would lay it out again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
    QTextTableFormat,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Look

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value


def rendered(
    document: QTextDocument, markdown: str, properties: Sequence[tuple[str, str]], look: Look
) -> QTextDocument:
    """Fill a document with Markdown, a note's properties as muted lines above it, and return it."""
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(look.font(14))
    document.setDocumentMargin(look.px(16))
    document.setIndentWidth(look.px(20))
    document.setMarkdown(markdown, _FEATURES)
    _dress(document, look)
    if properties:
        _put_above(document, properties, look)
    return document


def _put_above(document: QTextDocument, properties: Sequence[tuple[str, str]], look: Look) -> None:
    name_format, value_format = QTextCharFormat(), QTextCharFormat()
    for characters in (name_format, value_format):
        characters.setForeground(QBrush(QColor(look.theme.muted)))
        characters.setProperty(QTextFormat.Property.FontPixelSize, look.px(12))
    name_format.setFontWeight(QFont.Weight.DemiBold)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    alone = document.isEmpty()
    if not alone:
        cursor.insertBlock()
        cursor.setPosition(0)
    for number, (name, value) in enumerate(properties):
        lines = QTextBlockFormat()
        lines.setLineHeight(125, _PROPORTIONAL)
        lines.setBottomMargin(look.px(16 if number == len(properties) - 1 else 2))
        if number:
            cursor.insertBlock(lines, value_format)
        else:
            cursor.setBlockFormat(lines)
        if name:
            cursor.insertText(f"{name}  ", name_format)
        cursor.insertText(value, value_format)
    cursor.endEditBlock()


def _dress(document: QTextDocument, look: Look) -> None:
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        _dress_block(block, cursor, look)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            frame.setFormat(_table_format(frame.format(), look))
            # After a quotation Qt gives the first cell that one's margins.
            cursor.setPosition(frame.firstPosition())
            cursor.setBlockFormat(_like(frame))
    cursor.endEditBlock()


def _like(table: QTextTable) -> QTextBlockFormat:
    """Return the format of a cell that Qt made as it should."""
    second = table.cellAt(0, 1) if table.columns() > 1 else table.cellAt(0, 0)
    made = QTextBlockFormat()
    made.setAlignment(second.firstCursorPosition().blockFormat().alignment())
    made.setLineHeight(125, _PROPORTIONAL)
    return made


def _dress_block(block: QTextBlock, cursor: QTextCursor, look: Look) -> None:
    given = block.blockFormat()
    level = given.headingLevel()
    quoted = given.hasProperty(QTextFormat.Property.BlockQuoteLevel)
    cursor.setPosition(block.position())
    if level or quoted:
        cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    change = QTextBlockFormat()
    change.setLineHeight(125, _PROPORTIONAL)
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
        change.setLineHeight(100, _PROPORTIONAL)
        change.setLeftMargin(look.px(8))
        change.setTopMargin(0)
        change.setBottomMargin(0 if _is_code(block.next()) else look.px(8))
    elif quoted:
        muted = QTextCharFormat()
        muted.setForeground(QBrush(QColor(look.theme.muted)))
        cursor.mergeCharFormat(muted)
        change.setLeftMargin(look.px(24) * given.intProperty(QTextFormat.Property.BlockQuoteLevel))
        change.setTopMargin(look.px(8))
        change.setBottomMargin(look.px(8))
    elif cursor.currentTable() is None:
        gap = look.px(2 if block.textList() is not None else 8)
        change.setTopMargin(gap)
        change.setBottomMargin(gap)
    cursor.mergeBlockFormat(change)


def _table_format(given: QTextTableFormat, look: Look) -> QTextTableFormat:
    given.setBorderCollapse(True)
    given.setBorder(1)
    given.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    given.setBorderBrush(QBrush(QColor(look.theme.line)))
    given.setCellPadding(look.px(4))
    given.setTopMargin(look.px(8))
    given.setBottomMargin(look.px(8))
    return given


def _is_code(block: QTextBlock) -> bool:
    given = block.blockFormat()
    return given.hasProperty(QTextFormat.Property.BlockCodeFence) or given.hasProperty(
        QTextFormat.Property.BlockCodeLanguage
    )
