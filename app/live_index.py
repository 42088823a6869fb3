"""The index of the open folder, kept up to date while the folder changes, goes away and comes back.

Joins the watcher, which tells at once and may miss something, to the indexing process, whose look through the whole
folder is the truth and comes now and then. Decides what is done next; what is shown is for the session.

There are two indexing processes. One reads notes and waits for the next edit; the other, which holds the model, embeds
and ends when that is done. So an edit is found by its words while a long embedding goes on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.folder_watcher import EVERYTHING, FolderWatcher, WatchBegan, WatchEnded
from app.index_controller import IndexController
from app.indexing_child import IndexingJob, Slowed, Waiting, Withdrawn
from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import FolderEmptied, FolderError, TriskelError
from core.index.progress import IndexProgress, IndexReport, Phase
from core.notes.folder import check_folder
from ui.upkeep import Upkeep

log = logging.getLogger(__name__)

LOOK_EVERY_MS = 5 * 60_000
"""How often the whole folder is looked through where the watcher tells of changes."""

LOOK_OFTEN_MS = 30_000
"""The same where it cannot: a network drive, or more folders than the system watches."""

LOOK_SHARE = 20
"""A look that takes long is repeated after so many times its length: five per cent of one core at most."""

QUIET_MS = 20_000
"""After so long without an edit everything is looked through once, and deleted words leave the index file."""

MEANING_ALONE_SECONDS = 60.0
"""How long an embedding goes on before a look that nobody asked for may interrupt it."""

BACK_EVERY_MS = 3_000
"""How often a folder that went away is looked for."""

DEAF_AFTER_MS = 2_000
"""How long after a look that found changes the watcher may still tell of them before it counts as deaf."""

SHOWN_AFTER_SECONDS = 1.0
"""A run that nobody asked for is shown when it takes longer than this: an edit is no news."""


class LiveIndex(QObject):
    """Keeps one folder's index up to date.

    Signals:
        progressed: an IndexProgress or Waiting, of runs that were asked for or that last.
        words_changed: what words and links find may have changed; vectors may still be to come.
        finished: the IndexReport of a run, or None where it was stopped before it had one.
        failed: a sentence; not sent where the folder has gone away, which is a state.
        upkeep_changed: an Upkeep.
        files_changed: a frozenset of paths that may have changed (see FolderWatcher.changed).
        withdrawn: False when indexed notes turn out to have become private, True when they are out of the index.
    """

    progressed = Signal(object)
    words_changed = Signal()
    finished = Signal(object)
    failed = Signal(str)
    upkeep_changed = Signal(object)
    files_changed = Signal(object)
    withdrawn = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder: Path | None = None
        self._new_job: Callable[[bool], IndexingJob] | None = None
        self._upkeep = Upkeep()
        self._wanted: frozenset[str] = frozenset()
        self._job: IndexingJob | None = None
        self._asked = False
        self._began = self._meaning_began = self._took = 0.0
        self._report: IndexReport | None = None
        self._told = self._was_told = False
        self._without_meaning = False
        self._watched_since: float | None = None
        self._looked_at: float | None = None
        self._heard = 0.0
        self._words = IndexController(self)
        self._words.progressed.connect(self._on_progressed)
        self._words.finished.connect(self._on_words_finished)
        self._words.failed.connect(self._on_failed)
        self._meaning = IndexController(self)
        self._meaning.progressed.connect(self._on_meaning_progressed)
        self._meaning.finished.connect(self._on_meaning_finished)
        self._meaning.failed.connect(self._on_failed)
        self._watcher = FolderWatcher(self)
        self._watcher.changed.connect(self._on_changed)
        self._watcher.began.connect(self._on_watch_began)
        self._watcher.ended.connect(self._on_watch_ended)
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_looked_for)
        self._look_timer = self._timer(self._look_through)
        self._quiet_timer = self._timer(self._look_through)
        self._deaf_timer = self._timer(self._on_deaf)
        self._back_timer = self._timer(self._look_whether_back)

    def _timer(self, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True)
        timer.timeout.connect(then)
        return timer

    def open(self, folder: Path, new_job: Callable[[bool], IndexingJob]) -> None:
        """Begin to keep the index of a folder, and leave the one before as it is.

        `new_job` gives a whole run of it, with meaning or without.
        """
        self._rest()
        self._folder, self._new_job = folder, new_job
        self._without_meaning = False
        self._looked_at = None
        self._show(Upkeep())
        self.look()

    def look(self, *, rebuild: bool = False) -> None:
        """Bring everything up to date now, as was asked for; with `rebuild` even where the folder holds nothing."""
        self._without_meaning = False
        self._wanted = EVERYTHING
        if self._folder is not None and not self._watcher.is_watching():
            self._watch()
        if self._upkeep.paused:
            self._show(replace(self._upkeep, paused=False))
        if self._upkeep.offline:
            self._back_timer.stop()
            self._show(replace(self._upkeep, offline="", emptied=False))
        self._begin(asked=True, rebuild=rebuild)
        self.progressed.emit(IndexProgress(Phase.SCAN, 0, 0))

    def stop(self) -> None:
        """End the run; vectors wait until they are asked for, while edits go on to be found by their words."""
        self._without_meaning = True
        self._words.stop()
        self._meaning.stop()

    def pause(self) -> None:
        """Do nothing until `resume`; what changes meanwhile is gathered."""
        self._show(replace(self._upkeep, paused=True))
        for timer in (self._look_timer, self._quiet_timer):
            timer.stop()
        if self._words.is_running():
            self._wanted |= EVERYTHING
        self._words.stop()
        self._meaning.stop()

    def resume(self) -> None:
        """Go on after a pause."""
        self._show(replace(self._upkeep, paused=False))
        if not self._upkeep.offline:
            self._wanted |= EVERYTHING
            self._go_on()

    @property
    def upkeep(self) -> Upkeep:
        """How the index is kept up to date."""
        return self._upkeep

    def is_running(self) -> bool:
        """Return whether something is being indexed."""
        return self._words.is_running() or self._meaning.is_running()

    def close(self) -> None:
        """End all work."""
        self._rest()
        self._watcher.close()
        self._words.stop()
        self._meaning.close()
        self._words.close()
        self._dispatcher.finished.disconnect(self._on_looked_for)
        self._pool.waitForDone()

    def _rest(self) -> None:
        for timer in (self._look_timer, self._quiet_timer, self._deaf_timer, self._back_timer):
            timer.stop()
        self._folder = None
        self._wanted = frozenset()
        self._watcher.stop()
        self._watched_since = None
        self._words.stop()
        self._meaning.stop()

    def _show(self, upkeep: Upkeep) -> None:
        if upkeep != self._upkeep:
            self._upkeep = upkeep
            self.upkeep_changed.emit(upkeep)

    # What is done next -----------------------------------------------------------------------------------------------

    def _want(self, paths: frozenset[str]) -> None:
        self._wanted |= paths
        self._go_on()

    def _go_on(self) -> None:
        idle = self._folder is None or self._upkeep.paused or self._upkeep.offline
        if self._wanted and not idle and not self._words.is_running():
            self._begin(asked=self._asked and self._meaning.is_running())

    def _begin(self, *, asked: bool, rebuild: bool = False) -> None:
        if self._folder is None or self._new_job is None:
            return
        for timer in (self._look_timer, self._quiet_timer, self._deaf_timer):
            timer.stop()
        only = None if "" in self._wanted else self._wanted
        self._wanted = frozenset()
        if only is None:
            self._meaning.stop()  # which lets go of the write lock; it goes on after the look
        beside = only is not None and self._meaning.is_running()
        self._job = replace(self._new_job(False), rebuild=rebuild, only=only, beside=beside)
        self._asked = asked
        self._was_told, self._told = self._told, False
        self._began = time.monotonic()
        self._words.start(self._job)

    def _begin_meaning(self) -> None:
        if self._new_job is not None:
            self._meaning_began = time.monotonic()
            self._meaning.start(replace(self._new_job(True), only=frozenset()))

    def _look_through(self) -> None:
        # The look stops an embedding for its time, so one that has hardly begun would never come to anything.
        if self._meaning.is_running() and time.monotonic() - self._meaning_began < MEANING_ALONE_SECONDS:
            self._look_timer.start(min(LOOK_OFTEN_MS, QUIET_MS))
        else:
            self._want(EVERYTHING)

    def _on_progressed(self, event: object) -> None:
        if isinstance(event, Withdrawn):
            self.withdrawn.emit(event.done)
            return
        ours = isinstance(event, Waiting) and self._meaning.is_running()
        if not ours and (self._asked or time.monotonic() - self._began > SHOWN_AFTER_SECONDS):
            self.progressed.emit(event)

    def _on_meaning_progressed(self, event: object) -> None:
        if isinstance(event, Slowed):
            self._show(replace(self._upkeep, slowed=event.slowed))
        if isinstance(event, Withdrawn):
            self.withdrawn.emit(event.done)
        told = isinstance(event, Waiting) or (isinstance(event, IndexProgress) and event.phase is Phase.EMBED)
        if told and (self._asked or time.monotonic() - self._meaning_began > SHOWN_AFTER_SECONDS):
            self.progressed.emit(event)

    def _on_words_finished(self, report: IndexReport | None) -> None:
        job = self._job
        assert job is not None
        self._took = time.monotonic() - self._began
        first = self._looked_at is None
        done = report is not None and report.is_whole
        if report is not None and done and job.only is None:
            self._look_at_the_watch(report)
            self._looked_at = self._began
        self._report = report
        self.words_changed.emit()
        if self._folder is None or self._upkeep.paused or self._wanted:
            self._go_on()
        else:
            self._look_timer.start(self._interval())
            if job.only is not None:
                self._quiet_timer.start(QUIET_MS)
            if report is not None and done:
                self._go_on_with_meaning(report, first=first)
        self._settle()

    def _go_on_with_meaning(self, report: IndexReport, *, first: bool) -> None:
        """Embed what has no vector. The first time the model may be another one than that of the index's vectors."""
        lacks = report.embedded < report.passages
        if self._without_meaning:
            self._report = replace(report, cancelled=lacks, meaning_reason=None)
        elif (lacks or first) and not self._meaning.is_running():
            self._begin_meaning()

    def _on_meaning_finished(self, report: IndexReport | None) -> None:
        self._show(replace(self._upkeep, slowed=False))
        words = self._report
        done = report is not None and report.is_whole
        if report is not None and words is not None and done:
            counts = {name: getattr(words, name) for name in ("added", "changed", "moved", "removed")}
            made_again = report.made_again or words.made_again
            report = replace(report, **counts, made_again=made_again, renewed=report.renewed or words.renewed)
        self._report = report
        if report is not None and done and report.meaning_reason is None:
            self._go_on_with_meaning(report, first=False)  # passages that came meanwhile
        self._settle()

    def _settle(self) -> None:
        """Tell the end of a run, unless another goes on."""
        if not self.is_running():
            self._asked = False
            self.finished.emit(self._report)

    def _interval(self) -> int:
        often = self._upkeep.late or not self._watcher.is_watching()
        return max(LOOK_OFTEN_MS if often else LOOK_EVERY_MS, round(self._took * 1000) * LOOK_SHARE)

    def _on_failed(self, error: TriskelError) -> None:
        if isinstance(error, FolderError) and self._folder is not None:
            self._go_offline(str(error), emptied=isinstance(error, FolderEmptied))
            return
        self.failed.emit(str(error))
        if self._folder is not None and not self._upkeep.paused:
            self._look_timer.start(self._interval())

    # The folder goes away and comes back -----------------------------------------------------------------------------

    def _go_offline(self, sentence: str, *, emptied: bool) -> None:
        log.info("the folder is offline")
        self._meaning.stop()
        self._watcher.stop()
        self._watched_since = None
        self._wanted = frozenset()
        self._show(replace(self._upkeep, offline=sentence, emptied=emptied, slowed=False))
        self.finished.emit(None)
        self._back_timer.start(BACK_EVERY_MS)

    def _look_whether_back(self) -> None:
        """Look on a worker: a drive that does not answer must not hold the window up."""
        folder, emptied = self._folder, self._upkeep.emptied
        if folder is not None:
            self._pool.start(Task(0, str(folder), lambda: _is_back(folder, emptied=emptied), self._dispatcher))

    def _on_looked_for(self, finished: Finished) -> None:
        if finished.fault is not None:
            raise finished.fault
        if self._folder is None or str(self._folder) != finished.name or not self._upkeep.offline:
            return
        if not finished.value:
            self._back_timer.start(BACK_EVERY_MS)
            return
        self._show(replace(self._upkeep, offline="", emptied=False))
        self._watch()
        self._want(EVERYTHING)

    # The watcher -----------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        self._watched_since = None
        if self._folder is not None:
            self._watcher.watch(self._folder)

    def _on_changed(self, paths: frozenset[str]) -> None:
        self._heard = time.monotonic()
        self._told = True
        self.files_changed.emit(paths)
        self._want(paths)

    def _on_watch_began(self, began: WatchBegan) -> None:
        self._watched_since = time.monotonic()
        self._show(replace(self._upkeep, late=began.limit))
        # What changed between the look that has begun already and the watch is told by nobody.
        self._quiet_timer.start(QUIET_MS)

    def _on_watch_ended(self, ended: WatchEnded) -> None:
        self._watched_since = None
        if ended.gone:
            # Offline, or another folder at its place: the look will tell, and the watch begins again after it.
            self._want(EVERYTHING)
        else:
            self._show(replace(self._upkeep, late=ended.reason))
            if self._look_timer.isActive():
                self._look_timer.start(self._interval())

    def _look_at_the_watch(self, report: IndexReport) -> None:
        """After a look at everything, see whether the watcher should have told of what was found."""
        found = report.added + report.changed + report.moved + report.removed
        if self._watched_since is None:
            if not self._watcher.is_watching() and not self._upkeep.late:
                self._watch()
            return
        was_watched = self._looked_at is not None and self._watched_since < self._looked_at
        if found and was_watched and not self._was_told and not self._upkeep.late:
            self._deaf_timer.start(DEAF_AFTER_MS)

    def _on_deaf(self) -> None:
        if self._looked_at is not None and self._heard < self._looked_at - DEAF_AFTER_MS / 1000:
            log.warning("the watcher missed a change; the folder is watched anew")
            self._show(replace(self._upkeep, deaf=self._upkeep.deaf + 1))
            self._watch()


def _is_back(folder: Path, *, emptied: bool) -> bool:
    """Return whether the folder can be read again; one that was found empty must hold something."""
    try:
        check_folder(folder)
        return not emptied or any(folder.iterdir())
    except (FolderError, OSError):
        return False
