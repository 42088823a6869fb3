"""The result list as a Qt item model: one row a hit, roles for the delegate and for screen readers."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl

from core.export.note_link import LinkForm, note_link
from core.search.results import LEGS, Hit, Leg
from ui.plain_text import full_date, one_line, shown_date, shown_path, tooltip_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HIT_ROLE = Qt.ItemDataRole.UserRole + 1
DATE_ROLE = Qt.ItemDataRole.UserRole + 2
HEADING_ROLE = Qt.ItemDataRole.UserRole + 3


class ResultModel(QAbstractListModel):
    """Rows in the order of the result; `today` is asked when a date is shown."""

    def __init__(self, parent: QObject | None = None, *, today: Callable[[], dt.date] = dt.date.today) -> None:
        super().__init__(parent)
        self._hits: tuple[Hit, ...] = ()
        self._today = today
        self._weak_from: int | None = None
        self._folder: Path | None = None

    def set_folder(self, folder: Path | None) -> None:
        """Say which folder the hits' paths lie in: rows are dragged out as its files."""
        self._folder = folder

    def set_hits(self, hits: Sequence[Hit], weak_from: int | None = None) -> None:
        """Show these hits, those from the rank `weak_from` on under a heading; an equal list changes nothing."""
        if (tuple(hits), weak_from) == (self._hits, self._weak_from):
            return
        self.beginResetModel()
        self._hits, self._weak_from = tuple(hits), weak_from
        self.endResetModel()

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The hits in the order of the rows."""
        return self._hits

    def row_of(self, path: str) -> int | None:
        """Return the row of the note at `path`, None where it is not in the list."""
        return next((row for row, hit in enumerate(self._hits) if hit.path == path), None)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._hits):
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.title_of(hit)
        if role == HIT_ROLE:
            return hit
        if role == HEADING_ROLE:
            return self.tr("Weak matches") if hit.rank == self._weak_from else ""
        if role == DATE_ROLE:
            return shown_date(hit.date, self._today())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.accessible_text(hit)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return one_line(hit.snippet.text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip_of(self._tooltip(hit))
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def supportedDragActions(self) -> Qt.DropAction:
        # Never a move: the program that takes the file would take it out of the notes folder.
        return Qt.DropAction.CopyAction | Qt.DropAction.LinkAction

    def mimeTypes(self) -> list[str]:
        return ["text/uri-list", "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the rows as files, for file managers and editors, and as links, for text."""
        hits = [self._hits[row] for row in sorted({index.row() for index in indexes if index.isValid()})]
        data = QMimeData()
        data.setText("\n".join(note_link(hit, LinkForm.WIKILINK) for hit in hits))
        if self._folder is not None:
            data.setUrls([QUrl.fromLocalFile(str(self._folder / hit.path)) for hit in hits])
        return data

    def title_of(self, hit: Hit) -> str:
        """Return the title on one line; a note without one is called by its file name."""
        return one_line(hit.title) or hit.path.rsplit("/", 1)[-1]

    def band_word(self, hit: Hit) -> str:
        """Return the word for the hit's band, or that it is a weak match; "" in an interim result."""
        if hit.band is None:
            return ""
        return self.band_words()["weak" if hit.weak else hit.band]

    def band_words(self) -> dict[str, str]:
        """Return all words that stand beside a bar."""
        return {
            "strong": self.tr("strong"),
            "good": self.tr("good"),
            "partial": self.tr("partial"),
            "weak": self.tr("weak"),
        }

    def leg_word(self, leg: Leg) -> str:
        """Return the name of a leg."""
        words = {Leg.WORDS: self.tr("Words"), Leg.MEANING: self.tr("Meaning"), Leg.LINKS: self.tr("Links")}
        return words[leg]

    def badges(self, hit: Hit) -> list[tuple[Leg, str, str]]:
        """Return (leg, text, short text) for every leg that found the note, in the fixed order of the legs."""
        found = [(leg, hit.evidence.get(leg)) for leg in LEGS]
        return [(leg, f"{self.leg_word(leg)} {seen.rank}", f"{seen.rank}") for leg, seen in found if seen is not None]

    def accessible_text(self, hit: Hit) -> str:
        """Return what a screen reader says of a row: title, band, badges, folder and date."""
        parts = [self.title_of(hit)]
        if hit.band is not None:
            parts.append(self.tr("{} match").format(self.band_word(hit)))
        parts += [text for _, text, _ in self.badges(hit)]
        folder = shown_path(hit.path)
        if folder:
            parts.append(folder)
        parts.append(full_date(hit.date))
        return ", ".join(parts)

    def _tooltip(self, hit: Hit) -> str:
        place = f":{hit.line}" if hit.line is not None else f" ({hit.place})" if hit.place else ""
        lines = [hit.path + place, full_date(hit.date)]
        if hit.compatibility is not None:
            lines.append(self.tr("Compatibility {:.2f}, {}").format(hit.compatibility, self.band_word(hit)))
        found = ", ".join(text for _, text, _ in self.badges(hit))
        if found:
            lines.append(self.tr("Found by: {}").format(found))
        return "\n".join(lines)
