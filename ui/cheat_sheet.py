"""Every key and everything that can be typed, on one page; F1 shows it. Reads the table of actions."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from ui.actions import ACTIONS
from ui.theme import Look

BOX_KEYS: tuple[tuple[str, object], ...] = (
    ("↑ ↓ PageUp PageDown", QT_TRANSLATE_NOOP("cheat sheet", "Choose a note; the cursor stays in the box")),
    ("Enter", QT_TRANSLATE_NOOP("cheat sheet", "Open the chosen note")),
    ("Esc", QT_TRANSLATE_NOOP("cheat sheet", "Clear the box; from elsewhere, back to the box")),
    ("Tab", QT_TRANSLATE_NOOP("cheat sheet", "Go through the parts of the window")),
)
"""What keys do in the query box; these are no actions, since they act there alone."""

TYPED: tuple[tuple[str, object], ...] = (
    ("starter bread", QT_TRANSLATE_NOOP("cheat sheet", "Notes with one or both, those with both first")),
    ('"wild yeast"', QT_TRANSLATE_NOOP("cheat sheet", "Only notes with these words in this order")),
    ("-rye", QT_TRANSLATE_NOOP("cheat sheet", "No notes with it")),
    ("rye OR wheat", QT_TRANSLATE_NOOP("cheat sheet", "One word of two spellings")),
    ("bak*", QT_TRANSLATE_NOOP("cheat sheet", "Words that begin with it")),
    ("tag:project", QT_TRANSLATE_NOOP("cheat sheet", "Only notes with this tag, or one below it")),
    ("path:2026/", QT_TRANSLATE_NOOP("cheat sheet", "Only notes in this place")),
    ("title:plan", QT_TRANSLATE_NOOP("cheat sheet", "Only notes of this name")),
    ("ext:pdf", QT_TRANSLATE_NOOP("cheat sheet", "Only files of this kind")),
    ("after:2026-01  before:2w", QT_TRANSLATE_NOOP("cheat sheet", "Only notes from this time")),
    ('link:"Weekly review"', QT_TRANSLATE_NOOP("cheat sheet", "Notes that link to it, or that it links to")),
    ("[status:done]", QT_TRANSLATE_NOOP("cheat sheet", "Notes with this property")),
)
"""The query language by examples. A test types each one and looks how it is understood."""


class CheatSheet(QDialog):
    """Two lists, read only; Esc closes it."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = look.px
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys and what you can type"))
        self.page = QTextBrowser(self)
        self.page.setAccessibleName(self.windowTitle())
        self.page.setFont(look.font(12))
        self.page.setOpenLinks(False)
        self.page.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keys = _table(self.tr("Keys"), [*_translated(BOX_KEYS), *_shortcuts()], look)
        typed = _table(self.tr("What you can type"), _translated(TYPED), look, fixed=True)
        self.page.setHtml(keys + typed)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(16))
        column.setSpacing(px(12))
        column.addWidget(self.page, 1)
        column.addWidget(buttons)
        self.resize(px(620), px(640))


def _translated(rows: tuple[tuple[str, object], ...]) -> list[tuple[str, str]]:
    return [(shown, QCoreApplication.translate("cheat sheet", str(what))) for shown, what in rows]


def _shortcuts() -> list[tuple[str, str]]:
    """Return (keys, what they do) of every action that has keys, in the order of the table."""
    native = QKeySequence.SequenceFormat.NativeText
    return [
        (
            ", ".join(QKeySequence(keys).toString(native) for keys in spec.shortcuts),
            QCoreApplication.translate("actions", str(spec.text)).rstrip("…"),
        )
        for spec in ACTIONS
        if spec.shortcuts
    ]


def _table(title: str, rows: list[tuple[str, str]], look: Look, *, fixed: bool = False) -> str:
    """Return a heading and a table of two columns; the left one in a fixed pitch where it is typed letter by letter."""
    px, theme = look.px, look.theme
    face = "font-family: monospace;" if fixed else "font-weight: 600;"
    cells = "".join(
        f'<tr><td style="{face} color: {theme.text}; padding: {px(3)}px {px(20)}px {px(3)}px 0;">{escape(left)}</td>'
        f'<td style="color: {theme.muted}; padding: {px(3)}px 0;">{escape(right)}</td></tr>'
        for left, right in rows
    )
    heading = f'<p style="font-size: {px(14)}px; font-weight: 600; color: {theme.text};">{escape(title)}</p>'
    return f'{heading}<table cellspacing="0">{cells}</table>'
