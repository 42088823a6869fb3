"""The note in the preview: read on a worker, followed from link to link, and read again when its file changes.

Joins the note reader and the trail to the window.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QUrl

from app.note_reader import SHOWN_AS_WRITTEN, NoteReader
from app.note_surroundings import NoteSurroundings
from app.opening import OPENED_SCHEMES
from app.trail import Trail, linked_hit, unfound_hit
from core.search.neighbours import Neighbour
from core.search.results import Hit
from ui.main_window import MainWindow


class ShownNote(QObject):
    """What the window shows of one folder's notes; `words` gives what is marked in them."""

    def __init__(
        self,
        window: MainWindow,
        *,
        words: Callable[[], tuple[str, ...]],
        open_address: Callable[[str], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._words = words
        self._open_address = open_address
        self._folder: Path | None = None
        self._index_file = Path()
        self._hit: Hit | None = None
        self._other = ""
        self._renewing = self._stale = False
        self._trail = Trail()
        self._notes = NoteReader(self)
        self._notes.note_read.connect(self._on_note_read)
        self._notes.note_failed.connect(self._on_note_failed)
        self._surroundings = NoteSurroundings(self)
        self._around = window.preview_pane.around
        self._around.wanted.connect(self._on_surroundings_wanted)
        self._around.chosen.connect(self._on_neighbour_chosen)
        self._surroundings.found.connect(self._around.show_neighbours)
        window.preview_requested.connect(self._on_preview_requested)
        window.link_activated.connect(self._on_link_activated)
        window.go_requested.connect(self._on_go_requested)

    def open(self, folder: Path, index_file: Path) -> None:
        """Show notes of this folder from now on."""
        self._folder, self._index_file = folder, index_file
        self.drop()

    def drop(self) -> None:
        """Show nothing, and forget what was shown: it may not be shown any more."""
        self._notes.cancel()
        self._surroundings.forget()
        self._hit = None
        self._trail.forget()
        self._window.show_ways(back=False, forward=False)
        self._window.preview_pane.show_nothing()

    def close(self) -> None:
        """Wait for the last read to end."""
        self._notes.close()
        self._surroundings.close()

    def files_changed(self, paths: frozenset[str]) -> None:
        """Read the shown note again if it may be among the changed files."""
        if self._hit is None:
            return
        path = self._hit.path
        if not paths.isdisjoint(("", path, *(path[:place] for place, letter in enumerate(path) if letter == "/"))):
            if path.lower().endswith(SHOWN_AS_WRITTEN):
                self._renew()
            else:
                self._stale = True  # what is shown of it comes from the index, which is behind still

    def index_changed(self) -> None:
        """Say that the index has caught up with the files."""
        if self._stale:
            self._renew()

    def _renew(self) -> None:
        self._stale = False
        # A note that is being read for the first time is read as it is now anyway.
        if self._hit is not None and self._folder is not None and not self._notes.is_reading():
            self._renewing = True
            self._notes.read(self._folder, self._hit, self._index_file)

    def _read(self, hit: Hit, other: str) -> None:
        if self._folder is not None:
            self._other, self._renewing, self._stale = other, False, False
            self._notes.read(self._folder, hit, self._index_file)

    def _on_preview_requested(self, hit: Hit) -> None:
        self._read(hit, "")

    def _on_note_read(self, hit: Hit, text: str) -> None:
        if self._renewing:
            self._window.renew_preview(hit, text)
            return
        self._hit = hit
        self._trail.take(hit)
        back, forward = self._trail.ways()
        self._window.show_ways(back=back, forward=forward)
        self._window.show_preview(hit, text, self._words(), other=self._other)

    def _on_note_failed(self, hit: Hit, sentence: str) -> None:
        # One that went away stays readable for as long as it is shown.
        if not self._renewing:
            self._window.show_preview_error(hit, sentence)

    def _show(self, hit: Hit, reason: str) -> None:
        """Show a note: as the row that it is in the list, else as one that is not in it for a `reason`."""
        if not self._window.select_note(hit.path):
            self._read(hit, reason)

    def _on_surroundings_wanted(self) -> None:
        if self._hit is not None:
            self._surroundings.ask(self._index_file, self._hit.path)

    def _on_neighbour_chosen(self, note: Neighbour) -> None:
        if self._hit is not None:
            self._show(unfound_hit(self._hit, note.path, note.title, note.date), "Beside another; not in this list.")

    def _on_go_requested(self, step: int) -> None:
        hit = self._trail.step(step)
        if hit is not None:
            self._show(hit, "Shown before; not in this list.")

    def _on_link_activated(self, target: str) -> None:
        """Follow a link that was clicked: to a note of the folder, or to the web or a mail program; nowhere else."""
        if QUrl(target).scheme().lower() in OPENED_SCHEMES:
            if not self._open_address(target):
                self._window.show_notice(f"No program was found that opens {target:.200}.")
            return
        if self._folder is None or self._hit is None:
            return
        hit = linked_hit(self._index_file, self._hit, target)
        if hit is None:
            self._window.show_notice(f"This link leads to no note of this folder: {target:.200}")
        else:
            self._show(hit, "Opened from a link; not in this list.")
