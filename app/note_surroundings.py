"""Looks for what lies around the note in the preview, on a worker: reading all vectors takes longer than a frame."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import IndexFileError
from core.index.reader import Reader
from core.search.neighbours import Neighbours, neighbours_of


class NoteSurroundings(QObject):
    """Answers for one note at a time; a newer wish replaces the one before. `found` tells the Neighbours.

    The reader is used by the one worker alone, and stays open, so that the next note's answer has the vectors already.
    """

    found = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._number = 0
        self._reader: tuple[Path, Reader] | None = None

    def ask(self, index_file: Path, path: str) -> None:
        """Begin to look for what lies around the note at `path`."""
        self.cancel()
        self._pool.start(Task(self._number, path, lambda: self._look(index_file, path), self._dispatcher))

    def cancel(self) -> None:
        """Drop what was asked for."""
        self._number += 1
        self._pool.clear()

    def forget(self) -> None:
        """Drop what was asked for, and let go of the index."""
        self.cancel()
        self._pool.start(Task(self._number, "", self._shut, self._dispatcher))

    def close(self) -> None:
        """Wait for the last look to end; nothing is told of it."""
        self.cancel()
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()
        self._shut()

    def _look(self, index_file: Path, path: str) -> Neighbours:
        try:
            if self._reader is None or self._reader[0] != index_file:
                self._shut()
                self._reader = (index_file, Reader(index_file))
            reader = self._reader[1]
            reader.begin()
            try:
                key = reader.model_key()
                dimensions = reader.dimensions(key) if key is not None else 0
                return neighbours_of(reader, path, key if dimensions else None, dimensions)
            finally:
                reader.end()
        except IndexFileError:
            # It is being made anew, which is told elsewhere.
            self._shut()
            return Neighbours()

    def _shut(self) -> None:
        if self._reader is not None:
            self._reader[1].close()
            self._reader = None

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number != self._number:
            return
        if finished.fault is not None:
            raise finished.fault
        if finished.value is not None:
            self.found.emit(finished.value)
