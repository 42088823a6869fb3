"""Reads the note that is to be shown, on a worker: a file on a slow disk must not hold the window up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.workers import Finished, NewestWish
from core.index.reader import PassageRow, Reader
from core.notes.decoding import NotText, decode, normalise_newlines
from core.notes.suffixes import is_note_name
from core.search.results import Hit

SHOWN_AS_WRITTEN = (".md", ".markdown", ".txt")

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~!-]|(?<=\d)[.)]")


class NoteReader(QObject):
    """Reads one note at a time; a newer wish replaces the one before.

    Signals:
        note_read: the Hit, and the note's text, its newlines plain.
        note_failed: the Hit, and a sentence.
    """

    note_read = Signal(object, str)
    note_failed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wish = NewestWish(self)
        self._wish.finished.connect(self._on_finished)
        self._reading = False
        self._hit: Hit | None = None

    def read(self, folder: Path, hit: Hit, index_file: Path) -> None:
        """Begin to read the note of `hit`: its file, or what the index holds of a format that is no plain text."""
        self._hit, self._reading = hit, True
        self._wish.begin("note", lambda: _text_of(folder / hit.path, hit.path, index_file))

    def is_reading(self) -> bool:
        """Return whether a note is still to come."""
        return self._reading

    def cancel(self) -> None:
        """Drop what was asked for."""
        self._reading = False
        self._wish.cancel()

    def close(self) -> None:
        """Wait for the last read to end; nothing is told of it."""
        self._reading = False
        self._wish.close()

    def _on_finished(self, finished: Finished) -> None:
        self._reading = False
        if finished.fault is None:
            self.note_read.emit(self._hit, finished.value)
        elif isinstance(finished.fault, FileNotFoundError):
            self.note_failed.emit(self._hit, "This note was moved or deleted since the folder was indexed.")
        elif isinstance(finished.fault, OSError):
            self.note_failed.emit(self._hit, f"This note cannot be read: {finished.fault.strerror}.")
        elif isinstance(finished.fault, NotText):
            self.note_failed.emit(self._hit, str(finished.fault))
        else:
            raise finished.fault


def _text_of(file: Path, path: str, index_file: Path) -> str:
    if not is_note_name(path):
        file.stat()
        raise NotText("This file is found by its name and is not read. Enter opens it.")
    if path.lower().endswith(SHOWN_AS_WRITTEN):
        return normalise_newlines(decode(file.read_bytes()).text)
    # Parsers of other formats run in the indexing process alone, so what it read is shown.
    file.stat()
    reader = Reader(index_file)
    try:
        reader.begin()
        return _as_markdown(reader.passages_of(path))
    finally:
        reader.end()
        reader.close()


def _as_markdown(passages: Sequence[PassageRow]) -> str:
    """Return passages as Markdown in which nothing is markup but the places; each begins at its own line."""
    text = ""
    place = None
    for passage in passages:
        if passage.place is not None and passage.place != place:
            place = passage.place
            text += f"\n\n###### {_escaped(place)}\n\n"
        elif passage.line is not None:
            text += "\n" * max(1, passage.line - 1 - text.count("\n"))
        else:
            text += "\n\n"
        text += _escaped(passage.text)
    return text.lstrip("\n") if place is not None else text


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", text)
