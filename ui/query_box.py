"""The query box, where the cursor starts and stays: it tells what was typed and which row is wanted."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from ui.icons import icon
from ui.plain_text import utf16_spans
from ui.theme import Look

DEBOUNCE_MS = 30
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_END_KEYS = (Qt.Key.Key_Home, Qt.Key.Key_End)
_LONGEST = 4096  # characters; a pasted file is no query, and would cost a keystroke's time at every letter


class QueryBox(QLineEdit):
    """A line edit whose arrows move the selection in the list, whose Enter opens and whose Esc clears.

    While an input method composes, Enter, Esc and arrows belong to it alone.
    """

    query_changed = Signal(str)
    edited = Signal()
    move_requested = Signal(int)
    open_requested = Signal()
    copy_link_requested = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._composing = False
        self.setMaxLength(_LONGEST)
        self.setPlaceholderText(self.tr("Search your notes"))
        self.setAccessibleName(self.tr("Search your notes"))
        self._search_sign = QAction(self.tr("Search"), self)
        self.addAction(self._search_sign, QLineEdit.ActionPosition.LeadingPosition)
        self._clear_action = QAction(self.tr("Clear the search"), self)
        self._clear_action.setToolTip(self.tr("Clear the search (Esc)"))
        self._clear_action.triggered.connect(self.clear)
        self._clear_action.setVisible(False)
        self.addAction(self._clear_action, QLineEdit.ActionPosition.TrailingPosition)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(button.text())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._tell)
        self.textChanged.connect(self._on_text_changed)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        theme, px = look.theme, look.px
        self.setFont(look.font(14))
        self._search_sign.setIcon(icon("search", theme.muted))
        self._clear_action.setIcon(icon("close", theme.muted))
        self.setStyleSheet(
            f"QLineEdit {{ background: {theme.ground}; color: {theme.text}; border: 1px solid {theme.line};"
            f" border-radius: {px(6)}px; padding: {px(4)}px {px(4)}px; selection-background-color: {theme.accent};"
            f" selection-color: {theme.accent_text}; placeholder-text-color: {theme.muted}; }}"
            f"QLineEdit:focus {{ border-color: {theme.accent}; }}"
        )

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(self.fontMetrics().averageCharWidth() * 40, hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(self.fontMetrics().averageCharWidth() * 14, hint.height())

    @property
    def composing(self) -> bool:
        """Whether an input method is in the middle of a word."""
        return self._composing

    def change_text(self, text: str, place: int) -> None:
        """Put `text` here, the cursor at `place` in code points; undo brings back what stood here."""
        self.selectAll()
        self.insert(text)
        self.setCursorPosition(utf16_spans(text, [(0, place)])[0][1])

    def flush(self) -> None:
        """Tell a change that still waits at once."""
        if self._timer.isActive():
            self._timer.stop()
            self._tell()

    def stop(self) -> None:
        """Tell nothing more."""
        self._timer.stop()

    def _on_text_changed(self, text: str) -> None:
        self._clear_action.setVisible(bool(text))
        self.edited.emit()
        self._timer.start()

    def _tell(self) -> None:
        self.query_changed.emit(self.text())

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and key in (*_LIST_KEYS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            if not self._composing:
                self._act(Qt.Key(key))
            event.accept()
            return
        if not self._composing and self._is_for_the_list(event):
            event.accept()
            return
        super().keyPressEvent(event)

    def _is_for_the_list(self, event: QKeyEvent) -> bool:
        """Act on a key that has nothing to do in the text, and say whether it was one.

        Home and End go to the ends of the list where the cursor stands at that end of the text already, and with Ctrl
        always; Ctrl+C copies a link to the note where no text is selected.
        """
        if event.matches(QKeySequence.StandardKey.Copy) and not self.hasSelectedText():
            self.copy_link_requested.emit()
            return True
        key, held = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key not in _END_KEYS or held not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
            return False
        there = self.cursorPosition() == (0 if key == Qt.Key.Key_Home else len(self.text().encode("utf-16-le")) // 2)
        if held or (there and not self.hasSelectedText()):
            self.move_requested.emit(int(key))
            return True
        return False

    def _act(self, key: Qt.Key) -> None:
        if key in _LIST_KEYS:
            self.move_requested.emit(int(key))
        elif key == Qt.Key.Key_Escape:
            self.clear()
        else:
            self.open_requested.emit()
