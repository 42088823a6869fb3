"""One table of everything the window can be told to do: text, shortcut, icon. Menus and tooltips read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QAction, QKeySequence

from ui.icons import icon
from ui.plain_text import tooltip_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Look


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What an action is called, which keys call it, and its icon ("" for none)."""

    key: str
    text: object  # a str: what QT_TRANSLATE_NOOP returns, by its stub
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("choose_folder", QT_TRANSLATE_NOOP("actions", "Choose folder…"), ("Ctrl+O",), "folder"),
    ActionSpec("sample", QT_TRANSLATE_NOOP("actions", "Try the sample notes"), (), "sample"),
    ActionSpec("reindex", QT_TRANSLATE_NOOP("actions", "Look for changed notes"), ("F5", "Ctrl+R"), "reindex"),
    ActionSpec("cancel", QT_TRANSLATE_NOOP("actions", "Stop indexing"), (), "close"),
    ActionSpec("pause", QT_TRANSLATE_NOOP("actions", "Pause indexing"), ("Ctrl+Shift+P",), "pause", True),
    ActionSpec("accept_empty", QT_TRANSLATE_NOOP("actions", "The notes are gone: empty the index"), (), ""),
    ActionSpec("focus_box", QT_TRANSLATE_NOOP("actions", "Go to the search box"), ("Ctrl+L", "Ctrl+F"), "search"),
    ActionSpec("open", QT_TRANSLATE_NOOP("actions", "Open note"), ("Ctrl+Return",), "open"),
    ActionSpec("next_match", QT_TRANSLATE_NOOP("actions", "Next match"), ("F3", "Ctrl+G"), "next"),
    ActionSpec("previous_match", QT_TRANSLATE_NOOP("actions", "Previous match"), ("Shift+F3",), "previous"),
    ActionSpec("back", QT_TRANSLATE_NOOP("actions", "Back to the note before"), ("Alt+Left",), "back"),
    ActionSpec("forward", QT_TRANSLATE_NOOP("actions", "Forward again"), ("Alt+Right",), "forward"),
    ActionSpec("why", QT_TRANSLATE_NOOP("actions", "Why this note?"), ("Ctrl+I",), "info", True),
    ActionSpec("preview", QT_TRANSLATE_NOOP("actions", "Show the note beside the list"), ("Ctrl+P",), "preview", True),
    ActionSpec("reveal", QT_TRANSLATE_NOOP("actions", "Show private notes"), (), "", True),
    ActionSpec("problems", QT_TRANSLATE_NOOP("actions", "Problems…"), (), "warning"),
    ActionSpec("export_csv", QT_TRANSLATE_NOOP("actions", "Save as CSV…"), (), "export"),
    ActionSpec("export_json", QT_TRANSLATE_NOOP("actions", "Save as JSON…"), (), "export"),
    ActionSpec("export_markdown", QT_TRANSLATE_NOOP("actions", "Save as Markdown…"), ("Ctrl+S",), "export"),
    ActionSpec("export_html", QT_TRANSLATE_NOOP("actions", "Save as HTML…"), (), "export"),
    ActionSpec("copy_csv", QT_TRANSLATE_NOOP("actions", "Copy as CSV"), (), "copy"),
    ActionSpec("copy_json", QT_TRANSLATE_NOOP("actions", "Copy as JSON"), (), "copy"),
    ActionSpec("copy_markdown", QT_TRANSLATE_NOOP("actions", "Copy as Markdown"), ("Ctrl+Shift+C",), "copy"),
    ActionSpec("copy_html", QT_TRANSLATE_NOOP("actions", "Copy as HTML"), (), "copy"),
    ActionSpec("export_selected_csv", QT_TRANSLATE_NOOP("actions", "Save as CSV…"), (), "export"),
    ActionSpec("export_selected_json", QT_TRANSLATE_NOOP("actions", "Save as JSON…"), (), "export"),
    ActionSpec("export_selected_markdown", QT_TRANSLATE_NOOP("actions", "Save as Markdown…"), (), "export"),
    ActionSpec("export_selected_html", QT_TRANSLATE_NOOP("actions", "Save as HTML…"), (), "export"),
    ActionSpec("copy_selected_csv", QT_TRANSLATE_NOOP("actions", "Copy as CSV"), (), "copy"),
    ActionSpec("copy_selected_json", QT_TRANSLATE_NOOP("actions", "Copy as JSON"), (), "copy"),
    ActionSpec("copy_selected_markdown", QT_TRANSLATE_NOOP("actions", "Copy as Markdown"), (), "copy"),
    ActionSpec("copy_selected_html", QT_TRANSLATE_NOOP("actions", "Copy as HTML"), (), "copy"),
    ActionSpec("keys", QT_TRANSLATE_NOOP("actions", "Keys and what you can type"), ("F1",), "info"),
    ActionSpec("quit", QT_TRANSLATE_NOOP("actions", "Close"), ("Ctrl+Q",), ""),
)

FORMATS = ("csv", "json", "markdown", "html")


class Actions:
    """The actions of a window, by their key in the table; they work wherever the keyboard is in it."""

    def __init__(self, window: QWidget) -> None:
        self._by_key: dict[str, QAction] = {}
        for spec in ACTIONS:
            action = QAction(QCoreApplication.translate("actions", str(spec.text)), window)
            action.setObjectName(spec.key)
            action.setShortcuts([QKeySequence(keys) for keys in spec.shortcuts])
            action.setCheckable(spec.checkable)
            action.setToolTip(tooltip_of(_with_keys(action)))
            window.addAction(action)
            self._by_key[spec.key] = action

    def __getitem__(self, key: str) -> QAction:
        return self._by_key[key]

    def set_look(self, look: Look) -> None:
        """Draw the icons in the theme's colours."""
        for spec in ACTIONS:
            if spec.icon:
                self._by_key[spec.key].setIcon(icon(spec.icon, look.theme.text, look.theme.muted))


def _with_keys(action: QAction) -> str:
    text = action.text().rstrip("…")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text} ({keys})" if keys else text
