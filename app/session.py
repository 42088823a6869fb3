"""One window and what works behind it: which folder is open, its index, its searches. Joins core to ui."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import apsw
from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app.index_controller import IndexController
from app.indexing_child import IndexingJob
from app.note_reader import NoteReader
from app.paths import Places, built_in_model, indexing_threads
from app.search_controller import ModelSlot, SearchController
from app.settings import Settings, load_settings, save_settings
from core.errors import IndexFileError, TriskelError
from core.export import EXPORT_FORMATS, write_export
from core.index.progress import IndexProgress, IndexReport, Phase
from core.index.reader import NoteRow, Reader
from core.index.tokenizer import Tokenizer
from core.notes.folder import check_folder
from core.notes.links import targets_of
from core.search.results import Hit, SearchResult, Snippet
from core.search.snippets import marks_in
from resources import SAMPLE_NOTES
from ui.main_window import MainWindow

_SEARCH_AGAIN_MS = 1_000
"""How soon a search that found nothing is tried again while its folder is being read for the first time."""

_OPENED_SCHEMES = frozenset({"http", "https", "mailto"})
"""What a click on a link in a note may start. A note is untrusted text: no files, no other programs."""


def open_with_system(file: Path) -> bool:
    """Open a file with the system's program for its kind; return whether one could be started."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))


def open_address_with_system(address: str) -> bool:
    """Open a web or mail address with the system's program for it; return whether one could be started."""
    return QDesktopServices.openUrl(QUrl(address))


class Session(QObject):
    """The open folder, the window on it, and the controllers behind both."""

    def __init__(
        self,
        where: Places,
        *,
        opener: Callable[[Path], bool],
        open_address: Callable[[str], bool],
    ) -> None:
        super().__init__()
        self._where = where
        self._opener = opener
        self._open_address = open_address
        self._settings = load_settings(where.settings_file)
        self._tokenizer = Tokenizer(apsw.Connection(":memory:"))
        self._folder: Path | None = None
        self._text = ""
        self._result: SearchResult | None = None
        self._previewed: Hit | None = None
        self._followed: Hit | None = None
        self._phase: Phase | None = None
        self._model = ModelSlot(built_in_model(where, threads=1))
        self._searches: SearchController | None = None
        self._indexing = IndexController(self)
        self._notes = NoteReader(self)
        self._again = QTimer(self, interval=_SEARCH_AGAIN_MS, singleShot=True)
        self.window = MainWindow(find_marks=self._marks_in)
        self._connect()

    def start(self, folder: Path | None) -> None:
        """Open `folder`, else the one that was open last, else show the welcome.

        Raises:
            FolderError: `folder` was named and cannot be read.
        """
        if self._settings.geometry:
            with contextlib.suppress(ValueError):
                self.window.restoreGeometry(bytes.fromhex(self._settings.geometry))
        if folder is not None:
            check_folder(folder)
            self.open_folder(folder)
        elif self._settings.folder and Path(self._settings.folder).is_dir():
            self.open_folder(Path(self._settings.folder))
        else:
            self.window.show_folder(None)

    def open_folder(self, folder: Path) -> None:
        """Show a folder: what its index holds at once, and what is new as it is read."""
        try:
            check_folder(folder)
            self._where.index_file(folder)
        except TriskelError as error:
            self.window.show_notice(str(error))
            return
        self._close_searches()
        self._folder = folder
        self._result = None
        self._settings = Settings(str(folder), self._settings.geometry)
        self.window.show_folder(folder.name or str(folder), str(folder))
        self.window.show_notice(None)
        self._open_searches()
        self._search()
        self._index()

    def is_searching(self) -> bool:
        """Return whether a final result is still to come."""
        return self._searches is not None and self._searches.is_searching()

    def is_indexing(self) -> bool:
        """Return whether the folder is being indexed."""
        return self._indexing.is_running()

    def close(self) -> None:
        """End all work, and remember the folder and the window's place."""
        self._again.stop()
        self._notes.close()
        self._indexing.close()
        self._close_searches()
        geometry = bytes(self.window.saveGeometry().data()).hex()
        # What can be lost is the window's place, and there is nobody left to tell.
        with contextlib.suppress(OSError):
            save_settings(self._where.settings_file, Settings(self._settings.folder, geometry))

    def _connect(self) -> None:
        window = self.window
        window.query_changed.connect(self._on_query_changed)
        window.open_requested.connect(self._on_open_requested)
        window.preview_requested.connect(self._on_preview_requested)
        window.choose_folder_requested.connect(self._on_choose_folder_requested)
        window.sample_requested.connect(lambda: self.open_folder(SAMPLE_NOTES))
        window.reindex_requested.connect(self._index)
        window.cancel_indexing_requested.connect(self._indexing.stop)
        window.export_requested.connect(self._on_export_requested)
        window.copy_requested.connect(self._on_copy_requested)
        window.link_activated.connect(self._on_link_activated)
        window.closing.connect(self.close)
        self._again.timeout.connect(self._search)
        self._notes.note_read.connect(self._on_note_read)
        self._notes.note_failed.connect(window.show_preview_error)
        self._indexing.progressed.connect(self._on_indexing_progressed)
        self._indexing.finished.connect(self._on_indexing_finished)
        self._indexing.failed.connect(self._on_indexing_failed)

    # Searching -------------------------------------------------------------------------------------------------------

    def _open_searches(self) -> bool:
        """Open the folder's index for searching; return whether there is one."""
        if self._searches is None and self._folder is not None:
            try:
                self._searches = SearchController(self._where.index_file(self._folder), self._model, self)
            except IndexFileError:
                return False
            self._searches.result_ready.connect(self._on_result_ready)
            self._searches.search_failed.connect(self._on_search_failed)
            self._searches.warm_up()
        return self._searches is not None

    def _close_searches(self) -> None:
        if self._searches is not None:
            self._searches.close()
            self._searches.deleteLater()
            self._searches = None

    def _on_query_changed(self, text: str) -> None:
        self._text = text
        self._search()

    def _search(self) -> None:
        self._again.stop()
        if not self._text.strip():
            self._result = None
            if self._searches is not None:
                self._searches.cancel()
            self.window.clear_result()
        elif self._searches is not None:
            self._searches.search(self._text)
        elif self._folder is not None:
            self.window.clear_result("This folder is being read for the first time. Results appear as soon as it is.")

    def _on_result_ready(self, result: SearchResult) -> None:
        self._result = result
        self.window.show_result(result)
        if not result.interim and not result.hits and self._indexing.is_running():
            self._again.start()

    def _on_search_failed(self, sentence: str) -> None:
        self._result = None
        self.window.clear_result(sentence)

    def _marks_in(self, text: str, words: Sequence[str]) -> list[tuple[int, int]]:
        return marks_in(text, words, self._tokenizer)

    # Indexing --------------------------------------------------------------------------------------------------------

    def _index(self) -> None:
        if self._folder is None:
            return
        self._phase = None
        model = built_in_model(self._where, threads=indexing_threads())
        self._indexing.start(IndexingJob(self._folder, self._where.index_file(self._folder), model))
        self.window.show_progress(IndexProgress(Phase.SCAN, 0, 0))

    def _on_indexing_progressed(self, event: object) -> None:
        if not isinstance(event, IndexProgress):
            self.window.show_notice("Another Triskel is indexing this folder. This one waits until it has finished.")
            return
        self.window.show_progress(event)
        opened = self._searches is None and self._open_searches()
        # Words and links are complete when embedding begins, and what was found so far may be a part.
        if opened or (event.phase is Phase.EMBED and self._phase is not Phase.EMBED):
            self._search()
        self._phase = event.phase

    def _on_indexing_finished(self, report: IndexReport | None) -> None:
        self.window.show_progress(None)
        if self._open_searches() and (report is None or self._result is None or self._is_outdated(report)):
            self._search()
        if report is None:
            return
        self.window.show_report(report)
        if report.meaning_reason and not report.cancelled:
            self.window.show_notice(f"Words and links are searched; meaning is not complete. {report.meaning_reason}")

    def _is_outdated(self, report: IndexReport) -> bool:
        return self._result is not None and self._result.fingerprint != report.fingerprint

    def _on_indexing_failed(self, sentence: str) -> None:
        self.window.show_progress(None)
        self.window.show_notice(sentence)

    # What the window asks for ----------------------------------------------------------------------------------------

    def _on_preview_requested(self, hit: Hit) -> None:
        if self._folder is not None:
            self._notes.read(self._folder, hit)

    def _on_note_read(self, hit: Hit, text: str) -> None:
        self._previewed = hit
        words = self._result.words if self._result is not None else ()
        followed = self._followed == hit
        self._followed = None
        self.window.show_preview(hit, text, words, followed=followed)

    def _on_open_requested(self, hit: Hit) -> None:
        if self._folder is None:
            return
        file = self._folder / hit.path
        if not file.is_file():
            self.window.show_notice(f"“{hit.title}” was moved or deleted since the folder was indexed.")
        elif not self._opener(file):
            self.window.show_notice(f"No program was found that opens “{hit.title}”.")

    def _on_choose_folder_requested(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self.window, "Choose a folder of notes")
        if chosen:
            self.open_folder(Path(chosen))

    def _on_export_requested(self, kind: str, file: Path, rows: tuple[int, ...] | None) -> None:
        if self._result is None:
            return
        try:
            # The save dialog has asked whether an existing file may be replaced.
            write_export(file, EXPORT_FORMATS[kind](self._result, rows), overwrite=True)
        except TriskelError as error:
            self.window.show_notice(str(error))
        else:
            self.window.show_notice(f"Saved as {file}.")

    def _on_copy_requested(self, kind: str, rows: tuple[int, ...] | None) -> None:
        if self._result is not None:
            with contextlib.suppress(TriskelError):
                QGuiApplication.clipboard().setText(EXPORT_FORMATS[kind](self._result, rows))

    def _on_link_activated(self, target: str) -> None:
        """Follow a link that was clicked: to a note of the folder, or to the web or a mail program; nowhere else."""
        if QUrl(target).scheme().lower() in _OPENED_SCHEMES:
            if not self._open_address(target):
                self.window.show_notice(f"No program was found that opens {target:.200}.")
            return
        note = self._linked_note(target)
        if note is None or self._folder is None or self._previewed is None:
            self.window.show_notice(f"This link leads to no note of this folder: {target:.200}")
            return
        hit = replace(
            self._previewed,
            path=note.path,
            title=note.title,
            date=note.date,
            line=None,
            passage=None,
            snippet=Snippet(""),
        )
        self._followed = hit
        self._notes.read(self._folder, hit)

    def _linked_note(self, target: str) -> NoteRow | None:
        if self._folder is None or self._previewed is None:
            return None
        try:
            reader = Reader(self._where.index_file(self._folder))
        except IndexFileError:
            return None
        try:
            return reader.linked_note(self._previewed.path, targets_of(target))
        finally:
            reader.close()
