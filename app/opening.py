"""What is asked of the system: to open a file or an address, and to let a person choose a folder. Depends on Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

OPENED_SCHEMES = frozenset({"http", "https", "mailto"})
"""What a click on a link in a note may start. A note is untrusted text: no files, no other programs."""


def open_with_system(file: Path) -> bool:
    """Open a file with the system's program for its kind; return whether one could be started."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))


def open_address_with_system(address: str) -> bool:
    """Open a web or mail address with the system's program for it; return whether one could be started."""
    return QDesktopServices.openUrl(QUrl(address))


def choose_folder(parent: QWidget, start: Path) -> Path | None:
    """Ask for a folder, beginning in `start`; None where the person thought again."""
    chosen = QFileDialog.getExistingDirectory(parent, "Choose a folder of notes", str(start))
    return Path(chosen) if chosen else None


def open_note(file: Path, title: str, opener: Callable[[Path], bool]) -> str | None:
    """Open a note with the program for it; return a sentence where that could not be done."""
    if not file.is_file():
        return f"“{title}” was moved or deleted since the folder was indexed."
    return None if opener(file) else f"No program was found that opens “{title}”."
