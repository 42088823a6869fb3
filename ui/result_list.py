"""The list of results: a list view that keeps the note, not the row, selected. Depends on the model and delegate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from ui.result_delegate import ResultDelegate
from ui.result_model import HIT_ROLE, ResultModel

if TYPE_CHECKING:
    from core.search.results import Hit, SearchResult
    from ui.theme import Look

_MOVES = {
    Qt.Key.Key_Up: QAbstractItemView.CursorAction.MoveUp,
    Qt.Key.Key_Down: QAbstractItemView.CursorAction.MoveDown,
    Qt.Key.Key_PageUp: QAbstractItemView.CursorAction.MovePageUp,
    Qt.Key.Key_PageDown: QAbstractItemView.CursorAction.MovePageDown,
    Qt.Key.Key_Home: QAbstractItemView.CursorAction.MoveHome,
    Qt.Key.Key_End: QAbstractItemView.CursorAction.MoveEnd,
}


class ResultList(QListView):
    """A click selects and leaves the cursor in the query box; Tab brings the keyboard here."""

    current_hit_changed = Signal(object)
    selection_changed = Signal()
    open_requested = Signal(object)
    escape_pressed = Signal()
    text_typed = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._query: str | None = None
        self._restoring = False
        self._chosen = False
        self.result_model = ResultModel(self)
        self.setModel(self.result_model)
        self.delegate = ResultDelegate(self.result_model, look, self)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName(self.tr("Results"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A scroll bar that comes and goes would change every row's width.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.clicked.connect(self._on_clicked)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self.delegate.set_look(look)
        self.verticalScrollBar().setSingleStep(max(1, self.delegate.metrics.row_height // 3))
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def show_result(self, result: SearchResult) -> None:
        """Show the hits; a new query starts at its first note.

        A later result of the same query keeps the notes selected that the person chose; where none was chosen, its
        first note is the one that Enter should open, not that of the interim list before it.
        """
        same = result.query == self._query and self._chosen
        self._chosen = same
        self._query = result.query
        current = self.current_hit()
        paths = [self.result_model.hits[row].path for row in self.selected_rows()] if same else []
        scroll = self.verticalScrollBar().value()
        self._restoring = True
        # Rows are of one height, which scrolls fastest, unless a heading stands over one.
        self.setUniformItemSizes(result.weak_from is None)
        self.result_model.set_hits(result.hits, result.weak_from)
        row = self.result_model.row_of(current.path) if same and current is not None else None
        rows = [found for path in paths if (found := self.result_model.row_of(path)) is not None]
        if row is None:
            row, rows = 0, [0]
        if result.hits:
            self._select(row, rows or [row])
            if same:
                self.verticalScrollBar().setValue(scroll)
                self.scrollTo(self.result_model.index(row))
            else:
                self.scrollToTop()
        self._restoring = False
        self._tell(current, renew=not same)

    def clear(self) -> None:
        """Show nothing."""
        self._query = None
        current = self.current_hit()
        self._restoring = True
        self.result_model.set_hits(())
        self._restoring = False
        self._tell(current)

    def current_hit(self) -> Hit | None:
        """Return the hit that drives the preview."""
        hit: Hit | None = self.currentIndex().data(HIT_ROLE)
        return hit

    def selected_rows(self) -> tuple[int, ...]:
        """Return the selected rows, in the order of the list."""
        return tuple(sorted(index.row() for index in self.selectionModel().selectedIndexes()))

    def move_current(self, key: int) -> None:
        """Move the selection as an arrow or page key would; the keyboard stays where it is."""
        index = self.moveCursor(_MOVES[Qt.Key(key)], Qt.KeyboardModifier.NoModifier)
        if index.isValid() and index.row() != self.currentIndex().row():
            self._select(index.row(), [index.row()])
            self.scrollTo(index)

    def select_path(self, path: str) -> bool:
        """Select the note at `path`; return whether it is in the list."""
        row = self.result_model.row_of(path)
        if row is None:
            return False
        self._select(row, [row])
        self._chosen = True
        self.scrollTo(self.result_model.index(row))
        return True

    def _select(self, row: int, rows: list[int]) -> None:
        selection = QItemSelection()
        for chosen in rows:
            index = self.result_model.index(chosen)
            selection.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flags.ClearAndSelect)
        self.selectionModel().setCurrentIndex(self.result_model.index(row), flags.NoUpdate)

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not self._restoring:
            self._chosen = True
            self.current_hit_changed.emit(current.data(HIT_ROLE))

    def _on_clicked(self, _index: QModelIndex) -> None:
        self._chosen = True

    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        if not self._restoring:
            self._tell_selection()

    def _tell(self, before: Hit | None, *, renew: bool = False) -> None:
        now = self.current_hit()
        if now != before or (renew and now is not None):
            self.current_hit_changed.emit(now)
        self._tell_selection()

    def _tell_selection(self) -> None:
        self.delegate.set_several_selected(len(self.selected_rows()) > 1)
        self.selection_changed.emit()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if (hit := self.current_hit()) is not None:
                self.open_requested.emit(hit)
        elif _is_typing(event):
            self.text_typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.open_requested.emit(index.data(HIT_ROLE))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.delegate.forget_rows()
        return super().viewportEvent(event)


def _is_typing(event: QKeyEvent) -> bool:
    """Say whether a key press writes text; space and Ctrl+A keep their meaning in a list."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    return not held and event.text().isprintable() and event.text().strip() != ""
