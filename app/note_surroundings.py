"""Looks for what lies around the note in the preview, on a worker: reading all vectors takes longer than a frame."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.workers import Finished, NewestWish
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
        self._wish = NewestWish(self)
        self._wish.finished.connect(self._on_finished)
        self._asked = False
        self._reader: tuple[Path, Reader] | None = None

    def ask(self, index_file: Path, path: str) -> None:
        """Begin to look for what lies around the note at `path`."""
        self._asked = True
        self._wish.begin(path, lambda: self._look(index_file, path))

    def forget(self) -> None:
        """Drop what was asked for, and let go of the index."""
        self._wish.cancel()
        if self._asked:
            self._asked = False
            self._wish.begin("", self._shut)

    def close(self) -> None:
        """Wait for the last look to end; nothing is told of it."""
        self._wish.close()
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

    def _on_finished(self, finished: Finished) -> None:
        if finished.fault is not None:
            raise finished.fault
        if finished.value is not None:
            self.found.emit(finished.value)
