"""One window and what works behind it: which folder is open, its index, its searches. Joins core to ui."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.cli_index import made_again, purge_failure
from app.exports import Exports
from app.indexing_jobs import job_for
from app.live_index import LiveIndex
from app.mending import Mending
from app.models import chosen_model
from app.open_index import OpenIndex
from app.opening import choose_folder, open_note
from app.paths import Places
from app.rerankers import chosen_reranker
from app.search_controller import ModelSlot, RerankerSlot
from app.settings import load_settings, save_settings
from app.shown_note import ShownNote
from app.shown_result import ShownResult
from core.errors import FolderError, IndexFileError, TriskelError
from core.index.database import is_there
from core.index.progress import IndexProgress, IndexReport, PurgeState
from core.index.tokenizer import Tokenizer
from core.notes.folder import check_folder
from core.search.results import Hit
from core.search.snippets import marks_in
from resources import SAMPLE_NOTES
from ui.main_window import MainWindow
from ui.notice import NoticeKind
from ui.status_text import changes_text
from ui.upkeep import Upkeep


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
        self._settings = load_settings(where.settings_file)
        self._tokenizer = Tokenizer(apsw.Connection(":memory:"))
        self._folder: Path | None = None
        self._asked_for_changes = False
        self._reveal = False  # at every start: what was shown to one person is not there for the next
        model, reranker = ModelSlot(chosen_model(where, threads=1)), RerankerSlot(chosen_reranker(where))
        self._searches = OpenIndex(model, reranker, self)
        self._live = LiveIndex(self)
        self._mending = Mending(lambda: self._index_file() if self._folder else None, self._cannot_mend, self)
        self.window = MainWindow(find_marks=lambda text, words: marks_in(text, words, self._tokenizer))
        self.exports = Exports(self.window, self.window.show_notice)
        self._list = ShownResult(self.window, self._searches, self._live.is_running, self)
        self._note = ShownNote(self.window, words=self._list.words, open_address=open_address, parent=self)
        self.choose_folder: Callable[[QWidget, Path], Path | None] = choose_folder
        self._connect()

    def start(self, folder: Path | None) -> None:
        """Open `folder`, else the one that was open last, else show the welcome.

        Raises:
            FolderError: `folder` was named, cannot be read, and has no index.
        """
        if self._settings.geometry:
            with contextlib.suppress(ValueError):
                self.window.restoreGeometry(bytes.fromhex(self._settings.geometry))
        if folder is not None:
            self._check(folder)
            self.open_folder(folder)
        else:
            self.window.show_folder(None)
            if self._settings.folder:
                self.open_folder(Path(self._settings.folder))

    def open_folder(self, folder: Path) -> None:
        """Show a folder: what its index holds at once, and what is new as it is read.

        One that is not there now is shown by its index, if it has one.
        """
        try:
            self._check(folder)
            self._where.index_file(folder)
        except TriskelError as error:
            self.window.show_notice(str(error))
            return
        self._folder = folder
        self._asked_for_changes = self._reveal = False
        self._settings = replace(self._settings, folder=str(folder))
        self.window.actions_by_key["reveal"].setChecked(False)
        self.window.show_notice(None)
        self._show_folder(folder)
        self.window.go_to_box()

    def _show_folder(self, folder: Path) -> None:
        """Show the folder by the index that is to be seen of it now."""
        index_file = self._index_file()
        self._searches.use(index_file)
        self._list.clear("")
        name = folder.name or str(folder)
        self.window.show_folder(f"{name} (private notes shown)" if self._reveal else name, str(folder))
        self._note.open(folder, index_file)
        self._mending.begin_anew()
        reveal = self._reveal
        self._live.open(folder, lambda meaning: job_for(self._where, folder, meaning=meaning, reveal=reveal))
        self._list.search()

    def _index_file(self) -> Path:
        """Return where the open folder's index lies: the one with private notes while they are shown."""
        assert self._folder is not None
        return self._where.index_file(self._folder, reveal=self._reveal)

    def _cannot_mend(self) -> bool:
        return self._live.is_running() or bool(self._live.upkeep.offline)

    def is_searching(self) -> bool:
        """Return whether a final result is still to come."""
        return self._searches.is_searching()

    def is_indexing(self) -> bool:
        """Return whether the folder is being indexed."""
        return self._live.is_running()

    def close(self) -> None:
        """End all work, and remember the folder and the window's place."""
        self._list.stop()
        self._note.close()
        self._live.close()
        self._mending.close()
        self._searches.close()
        geometry = bytes(self.window.saveGeometry().data()).hex()
        # What can be lost is the window's place, and there is nobody left to tell.
        with contextlib.suppress(OSError):
            save_settings(self._where.settings_file, replace(self._settings, geometry=geometry))

    def _check(self, folder: Path) -> None:
        """Return if the folder can be shown; raises FolderError."""
        try:
            check_folder(folder)
        except FolderError:
            with contextlib.suppress(IndexFileError):
                if is_there(self._where.index_file(folder)):
                    return
            raise

    def _connect(self) -> None:
        window = self.window
        window.open_requested.connect(self._on_open_requested)
        window.choose_folder_requested.connect(self._on_choose_folder_requested)
        window.sample_requested.connect(lambda: self.open_folder(SAMPLE_NOTES))
        window.reindex_requested.connect(self._on_reindex_requested)
        window.cancel_indexing_requested.connect(self._live.stop)
        window.pause_requested.connect(self._on_pause_requested)
        window.accept_empty_requested.connect(self._on_accept_empty_requested)
        window.export_requested.connect(self._on_export_requested)
        window.copy_requested.connect(self._on_copy_requested)
        window.query_box.copy_link_requested.connect(self._on_copy_link_requested)
        window.closing.connect(self.close)
        window.actions_by_key["reveal"].triggered.connect(self._on_reveal_requested)
        self._list.leg_failed.connect(self._mending.look_for_damage)
        self._list.unreadable.connect(self._mending.look_for_damage)
        self._list.index_missing.connect(self._mending.mend_missing)
        self._list.withdrawn.connect(self._note.drop)
        self._searches.damaged.connect(self._on_index_damaged)
        self._mending.mend_requested.connect(self._on_mend_requested)
        self._live.progressed.connect(self._on_indexing_progressed)
        self._live.words_changed.connect(self._on_index_changed)
        self._live.finished.connect(self._on_indexing_finished)
        self._live.failed.connect(self._on_indexing_failed)
        self._live.upkeep_changed.connect(self._on_upkeep_changed)
        self._live.files_changed.connect(self._note.files_changed)
        self._live.withdrawn.connect(self._on_withdrawn)

    # An index that cannot be used, or holds what may not be seen any more --------------------------------------------

    def _on_index_damaged(self, sentence: str) -> None:
        if self._searches.renew():
            self._list.search()
        elif self._live.is_running():
            self._list.clear(sentence)
        else:
            self._mending.mend_damaged()

    def _on_mend_requested(self, sentence: str, rebuild: bool) -> None:
        self._searches.shut()  # an open file cannot be moved aside on every system
        self._list.clear(sentence)
        self.window.show_notice(sentence, NoticeKind.NEWS)
        self._live.look(rebuild=rebuild)

    def _on_withdrawn(self, done: bool) -> None:
        if done:
            self._list.search()
        else:
            self._list.clear("Notes that have become private are being taken out.")
            self._note.drop()

    def _on_reveal_requested(self, reveal: bool) -> None:
        """Show private notes too, from an index of their own, or withhold them again."""
        self._reveal = reveal
        if self._folder is not None:
            self._show_folder(self._folder)
            self.window.show_notice("Private notes are shown." if reveal else None, NoticeKind.NEWS)

    # Indexing --------------------------------------------------------------------------------------------------------

    def _on_reindex_requested(self) -> None:
        self._list.refresh()
        self._asked_for_changes = True
        self._mending.begin_anew()
        self._live.look()

    def _on_accept_empty_requested(self) -> None:
        self._asked_for_changes = True
        self._live.look(rebuild=True)

    def _on_pause_requested(self, paused: bool) -> None:
        if paused:
            self._live.pause()
        else:
            self._live.resume()

    def _on_indexing_progressed(self, event: object) -> None:
        if not isinstance(event, IndexProgress):
            sentence = "Another Triskel is indexing this folder. This one waits until it has finished."
            self.window.show_notice(sentence, NoticeKind.NEWS)
            return
        self.window.show_progress(event)
        if self._searches.renew():
            self._list.search()

    def _on_index_changed(self, asked: bool = False) -> None:
        self._mending.look_again()
        self._note.index_changed()
        if asked:
            self._list.index_asked_for()
        else:
            self._list.index_changed()

    def _on_indexing_finished(self, report: IndexReport | None) -> None:
        if report is not None and report.purge.state is PurgeState.FAILED:
            self._on_indexing_failed(purge_failure(report))
            return
        asked, self._asked_for_changes = self._asked_for_changes, False
        self.window.show_progress(None)
        shown = self._list.result
        if report is None or shown is None or shown.fingerprint != report.fingerprint:
            self._on_index_changed(asked=asked)
        if report is None:
            self.window.show_stopped()
            return
        self.window.show_report(report)
        if not self._searches.is_open():
            self._mending.mend_missing()
        elif report.meaning_reason and not report.cancelled:
            self.window.show_notice(f"Words and links are searched; meaning is not complete. {report.meaning_reason}")
        elif asked and not report.cancelled:
            self.window.show_notice(changes_text(report), NoticeKind.DONE)
        elif sentence := made_again(report):
            self.window.show_notice(sentence, NoticeKind.NEWS)

    def _on_indexing_failed(self, sentence: str) -> None:
        self._asked_for_changes = False
        self.window.show_progress(None)
        self.window.show_notice(sentence)
        self._searches.renew()
        if not self._searches.is_open():
            self._mending.mend_missing()

    def _on_upkeep_changed(self, upkeep: Upkeep) -> None:
        self.window.show_upkeep(upkeep)
        if upkeep.offline and self._asked_for_changes:
            self._asked_for_changes = False
            self.window.show_notice(upkeep.offline)

    # What the window asks for ----------------------------------------------------------------------------------------

    def _on_open_requested(self, hit: Hit) -> None:
        if self._folder is None:
            return
        if self._live.upkeep.offline and not self._folder.is_dir():
            self.window.show_notice(f"“{hit.title}” cannot be opened: its folder is not there now.")
        elif problem := open_note(self._folder / hit.path, hit.title, self._opener):
            self.window.show_notice(problem)

    def _on_choose_folder_requested(self) -> None:
        start = self._folder.parent if self._folder is not None else Path.home()
        chosen = self.choose_folder(self.window, start)
        if chosen is not None:
            self.open_folder(chosen)

    def _on_export_requested(self, kind: str, file: Path, rows: tuple[int, ...] | None) -> None:
        if self._list.result is not None:
            self.exports.save(kind, file, self._list.result, rows, self._folder)

    def _on_copy_link_requested(self) -> None:
        hit = self.window.result_list.current_hit()
        if hit is not None:
            self.exports.copy_link(hit)

    def _on_copy_requested(self, kind: str, rows: tuple[int, ...] | None) -> None:
        if self._list.result is not None:
            self.exports.copy(kind, self._list.result, rows)
