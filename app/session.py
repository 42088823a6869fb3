"""One window and what works behind it: which folder is open, its index, its searches. Joins core to ui."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import apsw
from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtWidgets import QWidget

from app.exports import Exports
from app.index_controller import IndexController
from app.index_health import FileIdentity, IndexCheck, identity_of
from app.indexing_child import IndexingJob
from app.models import chosen_model
from app.note_reader import NoteReader
from app.opening import OPENED_SCHEMES, choose_folder
from app.paths import Places, indexing_threads
from app.search_controller import ModelSlot, SearchController
from app.settings import load_settings, save_settings
from app.trail import Trail, linked_hit
from core.errors import IndexFileError, TriskelError
from core.index.progress import IndexProgress, IndexReport, Phase
from core.index.tokenizer import Tokenizer
from core.notes.folder import check_folder
from core.search.results import Hit, LegState, SearchResult
from core.search.snippets import marks_in
from resources import SAMPLE_NOTES
from ui.main_window import MainWindow
from ui.notice import NoticeKind
from ui.status_text import changes_text

_SEARCH_AGAIN_MS = 1_000
"""How soon a search that found nothing is tried again while its folder is being read for the first time."""


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
        self._other = ""
        self._trail = Trail()
        self._opened: FileIdentity | None = None
        self._mended = False
        self._asked_for_changes = False
        self._phase: Phase | None = None
        self._model = ModelSlot(chosen_model(where, threads=1))
        self._searches: SearchController | None = None
        self._indexing = IndexController(self)
        self._check = IndexCheck(self)
        self._notes = NoteReader(self)
        self._again = QTimer(self, interval=_SEARCH_AGAIN_MS, singleShot=True)
        self.window = MainWindow(find_marks=self._marks_in)
        self.exports = Exports(self.window, self.window.show_notice)
        self.choose_folder: Callable[[QWidget, Path], Path | None] = choose_folder
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
        else:
            self.window.show_folder(None)
            if self._settings.folder:
                self.open_folder(Path(self._settings.folder))

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
        self._result = self._previewed = None
        self._mended = self._asked_for_changes = False
        self._check.forget()
        self._trail.forget()
        self.window.show_ways(back=False, forward=False)
        self._settings = replace(self._settings, folder=str(folder))
        self.window.show_folder(folder.name or str(folder), str(folder))
        self.window.show_notice(None)
        self.window.go_to_box()
        self._open_searches()
        self._index()
        self._search()

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
        self._check.close()
        self._close_searches()
        geometry = bytes(self.window.saveGeometry().data()).hex()
        # What can be lost is the window's place, and there is nobody left to tell.
        with contextlib.suppress(OSError):
            save_settings(self._where.settings_file, replace(self._settings, geometry=geometry))

    def _connect(self) -> None:
        window = self.window
        window.query_changed.connect(self._on_query_changed)
        window.open_requested.connect(self._on_open_requested)
        window.preview_requested.connect(self._on_preview_requested)
        window.choose_folder_requested.connect(self._on_choose_folder_requested)
        window.sample_requested.connect(lambda: self.open_folder(SAMPLE_NOTES))
        window.reindex_requested.connect(self._on_reindex_requested)
        window.cancel_indexing_requested.connect(self._indexing.stop)
        window.export_requested.connect(self._on_export_requested)
        window.copy_requested.connect(self._on_copy_requested)
        window.link_activated.connect(self._on_link_activated)
        window.go_requested.connect(self._on_go_requested)
        window.closing.connect(self.close)
        self._again.timeout.connect(self._search)
        self._notes.note_read.connect(self._on_note_read)
        self._notes.note_failed.connect(window.show_preview_error)
        self._check.checked.connect(self._on_index_checked)
        self._indexing.progressed.connect(self._on_indexing_progressed)
        self._indexing.finished.connect(self._on_indexing_finished)
        self._indexing.failed.connect(self._on_indexing_failed)

    # Searching -------------------------------------------------------------------------------------------------------

    def _open_searches(self) -> bool:
        """Open the folder's index for searching; return whether there is one."""
        if self._searches is None and self._folder is not None:
            file = self._where.index_file(self._folder)
            self._opened = identity_of(file)  # before: a file that comes in between is noticed the next time
            try:
                self._searches = SearchController(file, self._model, self)
            except IndexFileError:
                return False
            self._searches.result_ready.connect(self._on_result_ready)
            self._searches.search_failed.connect(self._on_search_failed)
            self._searches.index_damaged.connect(self._on_index_damaged)
            self._searches.warm_up()
        return self._searches is not None

    def _close_searches(self) -> None:
        if self._searches is not None:
            self._searches.close()
            self._searches.deleteLater()
            self._searches = None

    def _renew_searches(self) -> bool:
        """Open the index again where it is no longer the file that was opened; return whether it is another one now.

        SQLite goes on answering from a file that was deleted or moved away.
        """
        if self._searches is not None and self._folder is not None:
            if identity_of(self._where.index_file(self._folder)) == self._opened:
                return False
            self._close_searches()
        return self._open_searches()

    def _on_query_changed(self, text: str) -> None:
        self._text = text
        self._search()

    def _search(self) -> None:
        self._again.stop()
        self._renew_searches()
        if not self._text.strip():
            self._result = None
            if self._searches is not None:
                self._searches.cancel()
            self.window.clear_result()
        elif self._searches is not None:
            self._searches.search(self._text)
        elif self._folder is not None:
            self._result = None
            self.window.clear_result("This folder is being read. Results appear as soon as it is.")
            if not self._indexing.is_running():
                self._mend_missing()

    def _on_result_ready(self, result: SearchResult) -> None:
        self._result = result
        self.window.show_result(result)
        if result.interim:
            return
        if not result.hits and self._indexing.is_running():
            self._again.start()
        if any(report.state is LegState.FAILED for report in result.legs.values()):
            self._look_for_damage()

    def _on_search_failed(self, sentence: str) -> None:
        self._result = None
        if self._renew_searches():
            self._search()
        else:
            self.window.clear_result(sentence)
            self._look_for_damage()

    def _on_index_damaged(self, sentence: str) -> None:
        self._result = None
        if self._renew_searches():
            self._search()
        elif self._indexing.is_running():
            self.window.clear_result(sentence)
        else:
            self._mend("The index was damaged. It is made again from your notes.", rebuild=True)

    def _look_for_damage(self) -> None:
        """See whether the index is why a search failed; one that is being written is looked at when that has ended."""
        if self._folder is not None and not self._indexing.is_running():
            self._check.look(self._where.index_file(self._folder))

    def _on_index_checked(self, file: Path, damaged: bool) -> None:
        if damaged and self._folder is not None and file == self._where.index_file(self._folder):
            self._mend("The index was damaged. It is made again from your notes.", rebuild=True)

    def _mend_missing(self) -> None:
        """Mend an index that cannot be opened, whether it has gone or is there and is none."""
        if self._folder is not None and identity_of(self._where.index_file(self._folder)) is None:
            self._mend("The index has gone. It is made again from your notes.", rebuild=False)
        else:
            self._mend("The index could not be opened. It is made again from your notes.", rebuild=True)

    def _mend(self, sentence: str, *, rebuild: bool) -> None:
        """Index the folder by itself, once: what fails again after that is for a person to look at."""
        if self._mended or self._indexing.is_running():
            return
        self._mended = True
        self._close_searches()  # an open file cannot be moved aside on every system
        self._result = None
        self.window.clear_result(sentence)
        self.window.show_notice(sentence, NoticeKind.NEWS)
        self._index(rebuild=rebuild)

    def _marks_in(self, text: str, words: Sequence[str]) -> list[tuple[int, int]]:
        return marks_in(text, words, self._tokenizer)

    # Indexing --------------------------------------------------------------------------------------------------------

    def _on_reindex_requested(self) -> None:
        self._asked_for_changes = True
        self._mended = False
        self._index()

    def _index(self, *, rebuild: bool = False) -> None:
        if self._folder is None:
            return
        self._phase = None
        model = chosen_model(self._where, threads=indexing_threads())
        self._indexing.start(IndexingJob(self._folder, self._where.index_file(self._folder), model, rebuild=rebuild))
        self.window.show_progress(IndexProgress(Phase.SCAN, 0, 0))

    def _on_indexing_progressed(self, event: object) -> None:
        if not isinstance(event, IndexProgress):
            sentence = "Another Triskel is indexing this folder. This one waits until it has finished."
            self.window.show_notice(sentence, NoticeKind.NEWS)
            return
        self.window.show_progress(event)
        opened = self._renew_searches()
        # Words and links are complete when embedding begins, and what was found so far may be a part.
        if opened or (event.phase is Phase.EMBED and self._phase is not Phase.EMBED):
            self._search()
        self._phase = event.phase

    def _on_indexing_finished(self, report: IndexReport | None) -> None:
        asked, self._asked_for_changes = self._asked_for_changes, False
        self._check.forget()
        self.window.show_progress(None)
        renewed = self._renew_searches()
        if renewed or report is None or self._result is None or self._is_outdated(report):
            self._search()
        if report is None:
            self.window.show_stopped()
            return
        self.window.show_report(report)
        if self._searches is None:
            self._mend_missing()
        elif report.meaning_reason and not report.cancelled:
            self.window.show_notice(f"Words and links are searched; meaning is not complete. {report.meaning_reason}")
        elif asked and not report.cancelled:
            self.window.show_notice(changes_text(report), NoticeKind.DONE)

    def _is_outdated(self, report: IndexReport) -> bool:
        return self._result is not None and self._result.fingerprint != report.fingerprint

    def _on_indexing_failed(self, sentence: str) -> None:
        self._asked_for_changes = False
        self.window.show_progress(None)
        self.window.show_notice(sentence)
        self._renew_searches()
        if self._searches is None:
            self._mend_missing()

    # What the window asks for ----------------------------------------------------------------------------------------

    def _on_preview_requested(self, hit: Hit) -> None:
        if self._folder is not None:
            self._other = ""
            self._notes.read(self._folder, hit, self._where.index_file(self._folder))

    def _on_note_read(self, hit: Hit, text: str) -> None:
        self._previewed = hit
        words = self._result.words if self._result is not None else ()
        self._trail.take(hit)
        back, forward = self._trail.ways()
        self.window.show_ways(back=back, forward=forward)
        self.window.show_preview(hit, text, words, other=self._other)

    def _show(self, hit: Hit, reason: str) -> None:
        """Show a note: as the row that it is in the list, else as one that is not in it for a `reason`."""
        if self._folder is not None and not self.window.select_note(hit.path):
            self._other = reason
            self._notes.read(self._folder, hit, self._where.index_file(self._folder))

    def _on_go_requested(self, step: int) -> None:
        hit = self._trail.step(step)
        if hit is not None:
            self._show(hit, "Shown before; not in this list.")

    def _on_open_requested(self, hit: Hit) -> None:
        if self._folder is None:
            return
        file = self._folder / hit.path
        if not file.is_file():
            self.window.show_notice(f"“{hit.title}” was moved or deleted since the folder was indexed.")
        elif not self._opener(file):
            self.window.show_notice(f"No program was found that opens “{hit.title}”.")

    def _on_choose_folder_requested(self) -> None:
        start = self._folder.parent if self._folder is not None else Path.home()
        chosen = self.choose_folder(self.window, start)
        if chosen is not None:
            self.open_folder(chosen)

    def _on_export_requested(self, kind: str, file: Path, rows: tuple[int, ...] | None) -> None:
        if self._result is not None:
            self.exports.save(kind, file, self._result, rows, self._folder)

    def _on_copy_requested(self, kind: str, rows: tuple[int, ...] | None) -> None:
        if self._result is not None:
            self.exports.copy(kind, self._result, rows)

    def _on_link_activated(self, target: str) -> None:
        """Follow a link that was clicked: to a note of the folder, or to the web or a mail program; nowhere else."""
        if QUrl(target).scheme().lower() in OPENED_SCHEMES:
            if not self._open_address(target):
                self.window.show_notice(f"No program was found that opens {target:.200}.")
            return
        if self._folder is None or self._previewed is None:
            return
        hit = linked_hit(self._where.index_file(self._folder), self._previewed, target)
        if hit is None:
            self.window.show_notice(f"This link leads to no note of this folder: {target:.200}")
        else:
            self._show(hit, "Opened from a link; not in this list.")
