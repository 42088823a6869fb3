"""Whether an open index is still the file that was opened, and whether it is sound. The look inside is on a worker."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal

from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import IndexFileError
from core.index.reader import Reader

FileIdentity: TypeAlias = "tuple[int, int]"


def identity_of(file: Path) -> FileIdentity | None:
    """Return which file lies there, as device and number; None where there is none or it cannot be looked at.

    An open connection goes on answering from a file that was deleted or moved away, so the path alone tells nothing.
    """
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class IndexCheck(QObject):
    """Looks for damage in an index, once a file until `forget`.

    Signals:
        checked: the index file, and whether it is damaged.
    """

    checked = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._looked_at: FileIdentity | None = None
        self._file: Path | None = None
        self._number = 0

    def look(self, file: Path) -> bool:
        """Begin to look for damage; return False for a file that was looked at already."""
        identity = identity_of(file)
        if identity is None or identity == self._looked_at:
            return False
        self._looked_at, self._file = identity, file
        self._number += 1
        self._pool.start(Task(self._number, "check", lambda: _is_damaged(file), self._dispatcher))
        return True

    def forget(self) -> None:
        """Look again where asked: the file was written since, or another folder was opened."""
        self._looked_at = None
        self._number += 1

    def close(self) -> None:
        """Wait for the last look to end; nothing is told of it."""
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number != self._number:
            return
        if finished.fault is not None:
            raise finished.fault
        self.checked.emit(self._file, bool(finished.value))


def _is_damaged(file: Path) -> bool:
    try:
        reader = Reader(file, to_mend=True)
        try:
            return bool(reader.integrity_faults())
        finally:
            reader.close()
    except IndexFileError:
        # It was there a moment ago and was no index then, or is none now: only making it again helps.
        return True
