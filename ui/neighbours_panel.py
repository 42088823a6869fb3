"""*Around this note*: what it links to, what links to it, and what is near to it in meaning; each opens by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.search.neighbours import Neighbour, Neighbours
from ui.folding_panel import FoldingPanel
from ui.plain_text import menu_text, one_line, tooltip_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Look

_MOST = 50  # rows of a kind; a page that everything links to has thousands


class NeighboursPanel(FoldingPanel):
    """Asks for what is around a note only while it is open."""

    wanted = Signal()
    chosen = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        self._around: Neighbours | None = None
        super().__init__(self.tr("Around this note"), self.tr("Notes around this one"), look, parent)
        self.toggled.connect(self._on_opened)

    def show_note(self) -> None:
        """Another note is shown: what was around the one before is gone, and asked for anew where the panel is open."""
        self._around = None
        self.button.setEnabled(True)
        self.renew()
        if self.button.isChecked():
            self.wanted.emit()

    def show_neighbours(self, around: Neighbours) -> None:
        """Show what is around the note."""
        self._around = around
        self.renew()

    def show_nothing(self) -> None:
        """No note is shown."""
        self._around = None
        self.button.setEnabled(False)
        self.renew()

    def rows(self) -> list[QPushButton]:
        """Return the rows that can be chosen, in order."""
        page = self._area.widget()
        return page.findChildren(QPushButton) if page else []

    def page(self) -> QWidget:
        page = QWidget()
        px, theme = self._look.px, self._look.theme
        column = QVBoxLayout(page)
        column.setContentsMargins(px(8), px(4), px(8), px(8))
        column.setSpacing(px(2))
        if self._around is None:
            column.addWidget(self.label(self.tr("Looking…"), theme.muted))
            return page
        groups = (
            (self.tr("Links from here"), self._around.links_to),
            (self.tr("Links to here"), self._around.linked_from),
            (self.tr("Near in meaning"), self._around.similar),
        )
        for name, notes in groups:
            if notes:
                self._add_group(column, self.tr("{} ({:,})").format(name, len(notes)), notes)
        if not any(notes for _name, notes in groups):
            column.addWidget(self.label(self.tr("No links, and nothing near in meaning."), theme.muted))
        return page

    def _on_opened(self, opened: bool) -> None:
        if opened and self._around is None and self.button.isEnabled():
            self.wanted.emit()

    def _add_group(self, column: QVBoxLayout, name: str, notes: Sequence[Neighbour]) -> None:
        px, theme = self._look.px, self._look.theme
        heading = self.label(name, theme.muted, strong=True)
        heading.setContentsMargins(0, px(4), 0, 0)
        column.addWidget(heading)
        for note in notes[:_MOST]:
            column.addWidget(self._row(note))
        if len(notes) > _MOST:
            rest = QCoreApplication.translate("NeighboursPanel", "and {:,} more").format(len(notes) - _MOST)
            column.addWidget(self.label(rest, theme.muted))

    def _row(self, note: Neighbour) -> QPushButton:
        px, theme = self._look.px, self._look.theme
        title = one_line(note.title) or note.path
        row = QPushButton(menu_text(title))
        row.setFlat(True)
        row.setFont(self._look.font(12))
        row.setAutoDefault(False)
        row.setCursor(Qt.CursorShape.PointingHandCursor)
        row.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.setAccessibleName(self.tr("{}, {}").format(title, note.path))
        row.setToolTip(tooltip_of(note.path))
        row.setStyleSheet(
            f"QPushButton {{ text-align: left; border: 1px solid transparent; border-radius: {px(4)}px;"
            f" padding: {px(2)}px {px(4)}px; color: {theme.text}; }}"
            f"QPushButton:hover {{ background: {theme.side}; text-decoration: underline; }}"
            f"QPushButton:focus {{ border-color: {theme.accent}; }}"
        )
        row.clicked.connect(lambda: self.chosen.emit(note))
        return row
