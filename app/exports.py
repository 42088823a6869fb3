"""Saving and copying the result that is shown. The text is core's; this asks, writes and tells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from core.errors import TriskelError
from core.export import EXPORT_FORMATS, write_export
from core.export.note_link import LinkForm, note_link
from core.notes.suffixes import NOTE_SUFFIXES
from core.search.results import Hit, SearchResult
from ui.export_menu import ask
from ui.notice import NoticeKind

_NAMES = {"csv": "CSV", "json": "JSON", "markdown": "Markdown", "html": "HTML"}


class Exports:
    """Writes what it is given; `tell` shows a sentence."""

    def __init__(self, window: QWidget, tell: Callable[[str, NoticeKind], None]) -> None:
        self._window = window
        self._tell = tell
        self._allowed: Path | None = None
        self.ask: Callable[[QWidget, str], bool] = ask

    def save(
        self, kind: str, file: Path, result: SearchResult, rows: tuple[int, ...] | None, folder: Path | None
    ) -> None:
        """Save a result; into the open notes `folder` only after a question, asked once."""
        if folder is not None and self._allowed != folder and _lies_in(file, folder):
            found = "; the file would be found as one of them" if file.suffix.lower() in NOTE_SUFFIXES else ""
            question = f"This folder holds your notes{found}. Save there all the same?"
            if not self.ask(self._window, question):
                return
            self._allowed = folder
        try:
            # The save dialog has asked whether an existing file may be replaced.
            write_export(file, EXPORT_FORMATS[kind](result, rows), overwrite=True)
        except TriskelError as error:
            self._tell(str(error), NoticeKind.PROBLEM)
        else:
            self._tell(f"Saved as {file}", NoticeKind.DONE)

    def copy(self, kind: str, result: SearchResult, rows: tuple[int, ...] | None) -> None:
        """Copy a result to the clipboard."""
        try:
            text = EXPORT_FORMATS[kind](result, rows)
        except TriskelError as error:
            self._tell(str(error), NoticeKind.PROBLEM)
            return
        QGuiApplication.clipboard().setText(text)
        count = len(result.hits) if rows is None else len(rows)
        notes = "1 note" if count == 1 else f"{count:,} notes"
        self._tell(f"{notes} copied as {_NAMES[kind]}", NoticeKind.DONE)

    def copy_link(self, hit: Hit) -> None:
        """Copy a link to one note, as text that can be pasted into another."""
        link = note_link(hit, LinkForm.WIKILINK)
        QGuiApplication.clipboard().setText(link)
        self._tell(f"Copied {link}", NoticeKind.DONE)


def _lies_in(file: Path, folder: Path) -> bool:
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False
