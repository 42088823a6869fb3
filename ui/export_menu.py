"""The export menu: save or copy the results, all of them or the selected rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from ui.actions import FORMATS, Actions

if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIXES = {"csv": "csv", "json": "json", "markdown": "md"}


def choose_file(parent: QWidget, name: str) -> Path | None:
    """Ask where to save; the system's dialog asks before a file is overwritten. None where the person thought again."""
    suffix = _SUFFIXES[name]
    dialog = QFileDialog(parent, parent.tr("Save the results"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setNameFilters([f"{name.upper() if name != 'markdown' else 'Markdown'} (*.{suffix})"])
    dialog.setDefaultSuffix(suffix)  # added before the question about overwriting, so it asks about the real name
    dialog.selectFile(f"results.{suffix}")
    if not dialog.exec():
        return None
    return Path(dialog.selectedFiles()[0])


class ExportMenu(QObject):
    """Joins the export actions to two requests; nothing is written here."""

    export_requested = Signal(str, object, object)
    copy_requested = Signal(str, object)

    def __init__(self, actions: Actions, selected_rows: Callable[[], tuple[int, ...]], parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions
        self._selected_rows = selected_rows
        self._window = parent
        self.choose_file: Callable[[QWidget, str], Path | None] = choose_file
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
        self._all = self.menu.addSection(self.tr("All results"))
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

    def set_state(self, *, exportable: bool, rows: int, selected: int) -> None:
        """Say whether there is a final result, how many rows it has and how many are selected."""
        self._all.setText(self.tr("All {:,} notes of the list").format(rows))
        self.selected_menu.setTitle(self.tr("Only the {:,} selected").format(selected))
        self.selected_menu.setEnabled(exportable and selected > 0)
        for name in FORMATS:
            for verb in ("export", "copy"):
                self._actions[f"{verb}_{name}"].setEnabled(exportable)
                self._actions[f"{verb}_selected_{name}"].setEnabled(exportable and selected > 0)

    def _export(self, name: str, rows: tuple[int, ...] | None) -> None:
        path = self.choose_file(self._window, name)
        if path is not None:
            self.export_requested.emit(name, path, rows)

    def _copy(self, name: str, rows: tuple[int, ...] | None) -> None:
        self.copy_requested.emit(name, rows)
