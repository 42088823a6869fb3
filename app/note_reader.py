"""Reads the note that is to be shown, on a worker: a file on a slow disk must not hold the window up."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.workers import Dispatcher, Finished, Task, make_pool
from core.notes.decoding import NotText, decode, normalise_newlines
from core.search.results import Hit


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
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._number = 0
        self._hit: Hit | None = None

    def read(self, folder: Path, hit: Hit) -> None:
        """Begin to read the note of `hit`."""
        self.cancel()
        self._hit = hit
        self._pool.start(Task(self._number, "note", lambda: _text_of(folder / hit.path), self._dispatcher))

    def cancel(self) -> None:
        """Drop what was asked for."""
        self._number += 1
        self._pool.clear()

    def close(self) -> None:
        """Wait for the last read to end; nothing is told of it."""
        self.cancel()
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number != self._number:
            return
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


def _text_of(file: Path) -> str:
    return normalise_newlines(decode(file.read_bytes()).text)
