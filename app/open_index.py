"""The index that is searched: opened, and opened anew when another file lies in its place.

SQLite goes on answering from a file that was deleted or moved away, so which file is open is remembered.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.index_health import FileIdentity, identity_of
from app.search_controller import ModelSlot, RerankerSlot, SearchController
from core.errors import IndexFileError


class OpenIndex(QObject):
    """The searches of one folder's index at a time.

    Signals:
        result_ready, search_failed: see SearchController.
        damaged: a sentence; a search met damage in the index.
    """

    result_ready = Signal(object)
    search_failed = Signal(str)
    damaged = Signal(str)

    def __init__(self, model: ModelSlot, reranker: RerankerSlot, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._reranker = reranker
        self._file: Path | None = None
        self._opened: FileIdentity | None = None
        self._searches: SearchController | None = None

    def use(self, file: Path) -> None:
        """Search the index at `file` from now on, once it is there."""
        self.shut()
        self._file = file
        self.renew()

    def renew(self) -> bool:
        """Open the index again where it is no longer the file that was opened; return whether it is another one now."""
        if self._file is None:
            return False
        identity = identity_of(self._file)  # before: a file that comes in between is noticed the next time
        if self._searches is not None:
            if identity == self._opened:
                return False
            self.shut()
        self._opened = identity
        try:
            self._searches = SearchController(self._file, self._model, self, reranker=self._reranker)
        except IndexFileError:
            return False
        self._searches.result_ready.connect(self.result_ready)
        self._searches.search_failed.connect(self.search_failed)
        self._searches.index_damaged.connect(self.damaged)
        self._searches.warm_up()
        return True

    def is_open(self) -> bool:
        """Return whether there is an index to search."""
        return self._searches is not None

    def search(self, text: str) -> None:
        """Begin a search, if there is an index; every earlier one is called off."""
        if self._searches is not None:
            self._searches.search(text)

    def cancel(self) -> None:
        """Call the running search off."""
        if self._searches is not None:
            self._searches.cancel()

    def is_searching(self) -> bool:
        """Return whether a final result is still to come."""
        return self._searches is not None and self._searches.is_searching()

    def shut(self) -> None:
        """Close the index; an open file cannot be moved aside on every system."""
        if self._searches is not None:
            self._searches.close()
            self._searches.deleteLater()
            self._searches = None

    def close(self) -> None:
        """End all work; nothing is opened any more."""
        self._file = None
        self.shut()
