"""Indexing in a process of its own: of lowest priority, with limits on time a file and on memory, and killable.

A parser can hold Python's lock for seconds, and a hung extension cannot be ended inside a thread, so neither may
live in the window's process. `run_indexing` blocks the calling thread; the command line calls it from the main one.
The window keeps an `IndexingProcess` on a worker: one that waits for the next edit has nothing to load any more.
The child's side is `indexing_child`.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

import psutil

from app.indexing_child import Busy, IndexingJob, Reading, Refused, Slowed, Stop, Waiting, Withdrawn, serve_jobs
from core.errors import IndexFileError, TriskelError
from core.index.indexer import what_is_held
from core.index.progress import IndexProgress, IndexReport, Phase
from core.notes.folder import check_folder

FILE_SECONDS = 60.0
"""How long one file may hold the process. The largest file that is read takes a quarter of it on a slow machine."""

MEMORY_BYTES = 3 * 1024**3
"""Above this the process is ended; the model needs 0.5 GB, and the rest is far more than any readable file takes."""

STOP_SECONDS = 0.8
"""How long a process that was asked to stop may finish its batch before it is ended."""

_POLL_SECONDS = 0.05
_MEMORY_EVERY_SECONDS = 0.5

IndexingEvent: TypeAlias = IndexProgress | Waiting | Withdrawn | Slowed


class IndexBusy(TriskelError):
    """Another process is writing the index, and the job said not to wait."""


@dataclass(frozen=True, slots=True)
class _EndedEarly:
    """The process ended without a report; `path` is the file it was reading, None where it was reading none.

    `by_limit`: it passed a limit and was ended by us.
    """

    path: str | None
    how: str
    by_limit: bool


def run_indexing(
    job: IndexingJob, on_event: Callable[[IndexingEvent], None], should_stop: Callable[[], bool]
) -> IndexReport | None:
    """Index in a child process of this job's own; see `IndexingProcess.run`."""
    with contextlib.closing(IndexingProcess()) as process:
        return process.run(job, on_event, should_stop)


class IndexingProcess:
    """A child process that does one job after the other. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self.is_closing = False
        """Set from any thread: the job's report will interest nobody, so a stop need not look at what is held."""

    def run(
        self, job: IndexingJob, on_event: Callable[[IndexingEvent], None], should_stop: Callable[[], bool]
    ) -> IndexReport | None:
        """Do a job and return its report; None where it was stopped before there was an index.

        A process that did not obey in time is ended, and the report then says what the index holds, not what the run
        did.

        A file that passes a limit, or at which the process ends twice, is listed with its reason, and the run goes on
        without it. Once may be chance: whoever killed the process did not mean the file.

        Raises:
            FolderError: the folder cannot be read, or has been emptied (FolderEmptied).
            IndexFileError: the index cannot be written, or the process ended by itself.
            IndexBusy: another process is writing the index, and the job says not to wait for it.
        """
        # Before there is a process and an index: a folder that was mistyped leaves neither.
        check_folder(job.folder)
        if should_stop():
            return None
        unreadable = dict(job.unreadable)
        ended_at: set[str] = set()
        while True:
            outcome = self._outcome_of(replace(job, unreadable=unreadable), on_event, should_stop)
            if outcome is None:
                return None if self.is_closing else _held_after_a_stop(job.index_file)
            if isinstance(outcome, IndexReport):
                return outcome
            if isinstance(outcome, Refused):
                raise outcome.error
            if isinstance(outcome, Busy):
                raise IndexBusy("Another Triskel is indexing this folder.")
            if outcome.path is None or outcome.path in unreadable:
                raise IndexFileError(f"The indexing process {outcome.how}. What it had done is kept; try again.")
            if not outcome.by_limit and outcome.path not in ended_at:
                ended_at.add(outcome.path)
                continue
            unreadable[outcome.path] = f"Reading it, the indexing process {outcome.how}, so it was left out."

    def holds_model(self) -> bool:
        """Return whether the process has a model in memory, which takes ten times what it needs to wait."""
        return self._child is not None and self._child.holds_model

    def close(self) -> None:
        """End the process. One that waits for work loses nothing."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _outcome_of(
        self, job: IndexingJob, on_event: Callable[[IndexingEvent], None], should_stop: Callable[[], bool]
    ) -> _Outcome:
        if self._child is not None and not self._child.process.is_alive():
            self.close()
        if self._child is None:
            self._child = _Child()
        outcome: _Outcome = None
        try:
            outcome = _Supervision(self._child, on_event, should_stop).follow(job)
        finally:
            if outcome is None or isinstance(outcome, _EndedEarly):
                self.close()
        return outcome


def _held_after_a_stop(index_file: Path) -> IndexReport | None:
    try:
        return replace(what_is_held(index_file), cancelled=True)
    except IndexFileError:
        return None


_Outcome: TypeAlias = IndexReport | Refused | Busy | _EndedEarly | None


class _Child:
    """The process and our end of its pipe."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve_jobs, args=(theirs,), name="triskel-indexing", daemon=True)
        self.holds_model = False
        with _ctrl_c_held_back():
            self.process.start()
        theirs.close()

    def end(self) -> None:
        """Leave nothing of it behind."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class _Supervision:
    """One job of a child process, from its start to its end."""

    def __init__(
        self, child: _Child, on_event: Callable[[IndexingEvent], None], should_stop: Callable[[], bool]
    ) -> None:
        self._child = child
        self._on_event = on_event
        self._should_stop = should_stop
        self._reading: str | None = None
        self._heard = time.monotonic()
        self._stop_at: float | None = None
        self._look_at_memory_at = 0.0

    def follow(self, job: IndexingJob) -> _Outcome:
        """Give the child a job and return how it ended; None where it did not stop in time."""
        pipe, process = self._child.pipe, self._child.process
        with contextlib.suppress(OSError):  # it has just ended, which shows below
            pipe.send(job)
        while True:
            self._pass_a_stop_on(pipe)
            if pipe.poll(_POLL_SECONDS):
                try:
                    message = pipe.recv()
                except (EOFError, OSError):  # OSError: it ended in the middle of a message.
                    process.join(STOP_SECONDS)
                    return self._ended(f"ended with code {process.exitcode}", by_limit=False)
                if isinstance(message, IndexReport | Refused | Busy):
                    return message
                self._hear(message)
            if over := self._limit_passed(process.pid):
                return self._ended(over, by_limit=True)

    def _hear(self, message: object) -> None:
        self._heard = time.monotonic()
        if isinstance(message, Reading):
            self._reading = message.path
        elif isinstance(message, IndexProgress | Waiting | Withdrawn | Slowed):
            self._reading = None
            if isinstance(message, IndexProgress) and message.phase is Phase.EMBED:
                self._child.holds_model = True
            self._on_event(message)

    def _pass_a_stop_on(self, pipe: Connection) -> None:
        if self._stop_at is None and self._should_stop():
            self._stop_at = time.monotonic() + STOP_SECONDS
            with contextlib.suppress(OSError):
                pipe.send(Stop())

    def _limit_passed(self, pid: int | None) -> str | None:
        """Return how the process passed a limit, None where it keeps them."""
        now = time.monotonic()
        if self._stop_at is not None and now > self._stop_at:
            return "was stopped"
        if self._reading is not None and now - self._heard > FILE_SECONDS:
            return f"took longer than {FILE_SECONDS:.0f} seconds"
        if now > self._look_at_memory_at:
            self._look_at_memory_at = now + _MEMORY_EVERY_SECONDS
            with contextlib.suppress(psutil.Error):
                if psutil.Process(pid).memory_info().rss > MEMORY_BYTES:
                    return f"took more than {MEMORY_BYTES // 1024**3} GB of memory"
        return None

    def _ended(self, how: str, *, by_limit: bool) -> _EndedEarly | None:
        return None if self._stop_at is not None else _EndedEarly(self._reading, how, by_limit)


@contextlib.contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Start a process that Ctrl+C, which a terminal sends to all of them, does not break off while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting this helper of Python's own lets Ctrl+C through again, so it is started before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
