"""Which note stands in the preview: the selected one once the selection rests, or one that a link or Back led to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.search.results import Hit, SearchResult
    from ui.preview_pane import PreviewPane
    from ui.result_list import ResultList

_REST_MS = 40  # the arrow held down repeats faster: notes passed on the way are not read
_TYPING_MS = 120  # about the time between two keys: a long note is not rendered between them


class Reading(QObject):
    """Joins the list to the preview pane."""

    preview_requested = Signal(object)

    def __init__(self, rows: ResultList, pane: PreviewPane, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._pane = pane
        self._result: SearchResult | None = None
        self._shown: str | None = None
        self._taking = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask)
        rows.current_hit_changed.connect(self._on_current_hit_changed)
        rows.clicked.connect(self._on_clicked)

    def take(self, result: SearchResult | None) -> None:
        """Say that the list is about to show a result, or nothing."""
        self._result = result
        self._taking = result is not None

    def settle(self) -> None:
        """Say that the list shows the result: its selected note is explained, and read where it is not there yet."""
        self._taking = False
        hit = self._rows.current_hit()
        if hit is not None and self._result is not None:
            self._pane.show_hit(hit, self._result)
            if self._shown != hit.path:
                self._timer.start(_TYPING_MS)

    def stop(self) -> None:
        """Ask for nothing more."""
        self._timer.stop()

    def show_note(self, hit: Hit, markdown: str, words: Sequence[str], *, other: str) -> None:
        """Show a note that was read. One no longer selected is dropped, unless `other` says why it is shown."""
        if not other and self._is_late(hit):
            return
        self._shown = hit.path
        self._pane.show_note(hit, markdown, words, other=bool(other))
        if other:
            self._timer.stop()
            self._pane.explain_other(other)

    def renew_note(self, hit: Hit, markdown: str) -> None:
        """Show the text of the note that stands in the preview as it is now, where the reader is."""
        if self._shown == hit.path:
            self._pane.renew_note(markdown)

    def show_error(self, hit: Hit, sentence: str) -> None:
        """Say why a note cannot be shown."""
        if not self._is_late(hit):
            self._shown = hit.path
            self._pane.show_error(hit, sentence)

    def select(self, path: str) -> bool:
        """Select the note at `path` and ask for it at once; return whether the list holds it."""
        if not self._rows.select_path(path):
            return False
        self._timer.stop()
        self._explain()
        self._ask()
        return True

    def _on_current_hit_changed(self, hit: Hit | None) -> None:
        if hit is None:
            self._timer.stop()
            self._shown = None
            self._pane.show_nothing()
            return
        self._explain()
        self._timer.start(_TYPING_MS if self._taking else _REST_MS)

    def _on_clicked(self) -> None:
        hit = self._rows.current_hit()
        if hit is not None and self._shown != hit.path:
            self._explain()
            self._timer.start(_REST_MS)

    def _explain(self) -> None:
        hit = self._rows.current_hit()
        if hit is not None and self._result is not None:
            self._pane.show_hit(hit, self._result)

    def _ask(self) -> None:
        hit = self._rows.current_hit()
        if hit is not None:
            self.preview_requested.emit(hit)

    def _is_late(self, hit: Hit) -> bool:
        """Say whether the selection has moved on to another note while this one was read."""
        current = self._rows.current_hit()
        return current is not None and current.path != hit.path
