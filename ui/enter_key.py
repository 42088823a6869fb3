"""What Enter in the box opens: the selected note of the list that answers what is typed, not of the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from ui.query_box import QueryBox
    from ui.result_list import ResultList


class EnterKey(QObject):
    """Enter right after the last letter waits for that letter's answer; `open_requested` tells the hit."""

    open_requested = Signal(object)

    def __init__(self, box: QueryBox, rows: ResultList, parent: QObject) -> None:
        super().__init__(parent)
        self._box = box
        self._rows = rows
        self._answered, self._waits = True, False
        box.edited.connect(self._on_edited)
        box.move_requested.connect(self._on_move_requested)
        box.open_requested.connect(self._on_enter)

    def take_answer(self) -> None:
        """Say that the list shows the answer to what is typed, or a part of it."""
        self._answered = True

    def open_if_waiting(self) -> None:
        """Say that the answer is whole: open its selected note if Enter was pressed for it."""
        if self._waits:
            self._waits = False
            self.open_current()

    def forget(self) -> None:
        """Say that there is no list."""
        self._answered, self._waits = True, False

    def open_current(self) -> None:
        """Ask for the selected note to be opened."""
        hit = self._rows.current_hit()
        if hit is not None:
            self.open_requested.emit(hit)

    def _on_edited(self) -> None:
        self._answered = self._waits = False

    def _on_move_requested(self, key: int) -> None:
        self._waits = False
        self._rows.move_current(key)

    def _on_enter(self) -> None:
        if self._answered:
            self.open_current()
        else:
            self._waits = True
            self._box.flush()
