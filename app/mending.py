"""When an index is made again by itself: once, where it has gone, cannot be opened or shows damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.index_health import IndexCheck, identity_of

_AGAIN = "It is made again from your notes."


class Mending(QObject):
    """Looks at the index that is open and asks for it to be made again where that helps.

    `index_file` says which one is open, None for none; while `is_indexing` nothing is asked for.

    Signals:
        mend_requested: a sentence that says why, and whether it is to be a rebuild.
    """

    mend_requested = Signal(str, bool)

    def __init__(self, index_file: Callable[[], Path | None], is_indexing: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._index_file = index_file
        self._is_indexing = is_indexing
        self._asked = False
        self._check = IndexCheck(self)
        self._check.checked.connect(self._on_checked)

    def begin_anew(self) -> None:
        """Look and ask again: another index was opened, or a person asked for it."""
        self._asked = False
        self._check.forget()

    def look_again(self) -> None:
        """Let the next look be one: the index was written since."""
        self._check.forget()

    def look_for_damage(self) -> None:
        """See whether the index is why a search failed; one that is being written is looked at when that has ended."""
        file = self._index_file()
        if file is not None and not self._is_indexing():
            self._check.look(file)

    def mend_damaged(self) -> None:
        """Have a damaged index made again."""
        self._ask(f"The index was damaged. {_AGAIN}", rebuild=True)

    def mend_missing(self) -> None:
        """Have an index made again that cannot be opened, whether it has gone or is there and is none."""
        file = self._index_file()
        if file is not None and identity_of(file) is None:
            self._ask(f"The index has gone. {_AGAIN}", rebuild=False)
        else:
            self._ask(f"The index could not be opened. {_AGAIN}", rebuild=True)

    def close(self) -> None:
        """Wait for the last look to end; nothing is told of it."""
        self._check.close()

    def _on_checked(self, file: Path, damaged: bool) -> None:
        if damaged and file == self._index_file():
            self.mend_damaged()

    def _ask(self, sentence: str, *, rebuild: bool) -> None:
        """Ask once: what fails again after that is for a person to look at."""
        if not self._asked and not self._is_indexing():
            self._asked = True
            self.mend_requested.emit(sentence, rebuild)
