"""The export menu: save or copy the results, all of them or the selected rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from ui.actions import FORMATS, Actions
from ui.plain_text import file_name_of

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIXES = {"csv": "csv", "json": "json", "markdown": "md", "html": "html"}


def row_menu(actions: Actions, parent: QWidget) -> QMenu:
    """Return the menu of the selected rows; it goes when it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(actions["open"])
    menu.addAction(actions["why"])
    menu.addSeparator()
    for key in ("copy_selected_markdown", "export_selected_markdown", "export_selected_csv"):
        menu.addAction(actions[key])
    return menu


def with_suffix(file: Path, name: str) -> Path:
    """Return the file with the suffix of its format; one that was typed for another format stays in the name."""
    suffixes = (".md", ".markdown") if name == "markdown" else (f".{_SUFFIXES[name]}",)
    return file if file.suffix.lower() in suffixes else file.with_name(f"{file.name}{suffixes[0]}")


def first_folder() -> Path:
    """Return where a save dialog starts the first time: the person's documents, else their home."""
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_absolute() and is_folder(documents) else Path.home()


def is_folder(path: Path) -> bool:
    """Say whether there is a folder; one that may not be looked at counts as none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def choose_file(parent: QWidget, name: str, suggested: Path) -> Path | None:
    """Ask where to save; None where the person thought again.

    The system's dialog asks before it replaces a file, and so does this where the suffix made it another one.
    """
    suffix = _SUFFIXES[name]
    dialog = QFileDialog(parent, parent.tr("Save the results"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setNameFilters([f"{name.upper() if name != 'markdown' else 'Markdown'} (*.{suffix})"])
    dialog.setDefaultSuffix(suffix)  # added before the question about overwriting, so it asks about the real name
    dialog.setDirectory(str(suggested.parent))
    dialog.selectFile(suggested.name)
    if not dialog.exec():
        return None
    chosen = Path(dialog.selectedFiles()[0])
    file = with_suffix(chosen, name)
    question = parent.tr("{} is there already. Replace it?").format(file.name)
    return file if file == chosen or not file.exists() or ask(parent, question) else None


def ask(parent: QWidget, question: str) -> bool:
    """Ask a question that "no" answers safely."""
    buttons = QMessageBox.StandardButton
    answer = QMessageBox.question(parent, parent.tr("Save the results"), question, buttons.Yes | buttons.No, buttons.No)
    return answer == buttons.Yes


class ExportMenu(QObject):
    """Joins the export actions to two requests; nothing is written here."""

    export_requested = Signal(str, object, object)
    copy_requested = Signal(str, object)

    def __init__(self, actions: Actions, selected_rows: Callable[[], tuple[int, ...]], parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions
        self._selected_rows = selected_rows
        self._window = parent
        self._query = ""
        self._folder: Path | None = None
        self.choose_file: Callable[[QWidget, str, Path], Path | None] = choose_file
        for name in FORMATS:
            actions[f"export_{name}"].triggered.connect(lambda _=False, name=name: self._export(name, None))
            actions[f"copy_{name}"].triggered.connect(lambda _=False, name=name: self._copy(name, None))
            actions[f"export_selected_{name}"].triggered.connect(
                lambda _=False, name=name: self._export(name, self._selected_rows())
            )
            actions[f"copy_selected_{name}"].triggered.connect(
                lambda _=False, name=name: self._copy(name, self._selected_rows())
            )
        self.menu = QMenu(parent)
        self.menu.setAccessibleName(self.tr("Export"))
        # A disabled entry, since many styles glue the text of a section to the border above it.
        self._all = self.menu.addAction("")
        self._all.setEnabled(False)
        self._add(self.menu, "")
        self.selected_menu = self.menu.addMenu(self.tr("Only the selected"))
        self._add(self.selected_menu, "selected_")
        self.menu.insertSeparator(self.selected_menu.menuAction())
        self.set_state(exportable=False, rows=0, selected=0)

    def _add(self, menu: QMenu, which: str) -> None:
        for verb in ("export", "copy"):
            for name in FORMATS:
                menu.addAction(self._actions[f"{verb}_{which}{name}"])
            if verb == "export":
                menu.addSeparator()

    def set_state(self, *, exportable: bool, rows: int, selected: int, query: str = "") -> None:
        """Say whether there is a final result and of which query, how many rows it has and how many are selected."""
        self._query = query
        self._all.setText(
            self.tr("The one note of the list") if rows == 1 else self.tr("All {:,} notes of the list").format(rows)
        )
        one = self.tr("Only the selected note")
        self.selected_menu.setTitle(one if selected < 2 else self.tr("Only the {:,} selected notes").format(selected))
        self.selected_menu.setEnabled(exportable and selected > 0)
        for name in FORMATS:
            for verb in ("export", "copy"):
                self._actions[f"{verb}_{name}"].setEnabled(exportable)
                self._actions[f"{verb}_selected_{name}"].setEnabled(exportable and selected > 0)

    def _export(self, name: str, rows: tuple[int, ...] | None) -> None:
        folder = self._folder if self._folder is not None and is_folder(self._folder) else first_folder()
        path = self.choose_file(self._window, name, folder / f"{file_name_of(self._query)}.{_SUFFIXES[name]}")
        if path is not None:
            self._folder = path.parent
            self.export_requested.emit(name, path, rows)

    def _copy(self, name: str, rows: tuple[int, ...] | None) -> None:
        self.copy_requested.emit(name, rows)
