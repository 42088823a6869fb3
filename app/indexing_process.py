"""Indexing in a process of its own: of lowest priority, with limits on time a file and on memory, and killable.

A parser can hold Python's lock for seconds, and a hung extension cannot be ended inside a thread, so neither may
live in the window's process. `run_indexing` blocks the calling thread; the command line calls it from the main one,
the window from a worker. The child's side is `indexing_child`.
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

from app.indexing_child import Busy, IndexingJob, Reading, Refused, Waiting, Withdrawn, index_in_child
from core.errors import IndexFileError, TriskelError
from core.index.indexer import what_is_held
from core.index.progress import IndexProgress, IndexReport
from core.notes.folder import check_folder

FILE_SECONDS = 60.0
"""How long one file may hold the process. The largest file that is read takes a quarter of it on a slow machine."""

MEMORY_BYTES = 3 * 1024**3
"""Above this the process is ended; the model needs 0.5 GB, and the rest is far more than any readable file takes."""

STOP_SECONDS = 0.8
"""How long a process that was asked to stop may finish its batch before it is ended."""

_POLL_SECONDS = 0.05
_MEMORY_EVERY_SECONDS = 0.5

IndexingEvent: TypeAlias = IndexProgress | Waiting | Withdrawn


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
    """Index in a child process and return its report; None where it was stopped before there was an index.

    A process that did not obey in time is ended, and the report then says what the index holds, not what the run did.

    A file that passes a limit, or at which the process ends twice, is listed with its reason, and the run goes on
    without it. Once may be chance: whoever killed the process did not mean the file.

    Raises:
        FolderError: the folder cannot be read.
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
        outcome = _Supervision(replace(job, unreadable=unreadable), on_event, should_stop).run()
        if outcome is None:
            return _held_after_a_stop(job.index_file)
        if not isinstance(outcome, _EndedEarly):
            return outcome
        if outcome.path is None or outcome.path in unreadable:
            raise IndexFileError(f"The indexing process {outcome.how}. What it had done is kept; try again.")
        if not outcome.by_limit and outcome.path not in ended_at:
            ended_at.add(outcome.path)
            continue
        unreadable[outcome.path] = f"Reading it, the indexing process {outcome.how}, so it was left out."


def _held_after_a_stop(index_file: Path) -> IndexReport | None:
    try:
        return replace(what_is_held(index_file), cancelled=True)
    except IndexFileError:
        return None


class _Supervision:
    """One child process, from its start to its end."""

    def __init__(
        self, job: IndexingJob, on_event: Callable[[IndexingEvent], None], should_stop: Callable[[], bool]
    ) -> None:
        self._job = job
        self._on_event = on_event
        self._should_stop = should_stop
        self._reading: str | None = None
        self._heard = time.monotonic()
        self._stop_at: float | None = None
        self._look_at_memory_at = 0.0

    def run(self) -> IndexReport | _EndedEarly | None:
        """Start the process, follow it, and leave nothing of it behind."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=index_in_child, args=(self._job, theirs), name="triskel-indexing", daemon=True)
        with _ctrl_c_held_back():
            process.start()
        theirs.close()
        try:
            while True:
                self._pass_a_stop_on(ours)
                if ours.poll(_POLL_SECONDS):
                    try:
                        message = ours.recv()
                    except (EOFError, OSError):  # OSError: it ended in the middle of a message.
                        process.join(STOP_SECONDS)
                        return self._ended(f"ended with code {process.exitcode}", by_limit=False)
                    if isinstance(message, IndexReport):
                        process.join(STOP_SECONDS)
                        return message
                    self._hear(message)
                if over := self._limit_passed(process.pid):
                    return self._ended(over, by_limit=True)
        finally:
            process.kill()
            process.join()
            process.close()
            ours.close()

    def _hear(self, message: object) -> None:
        self._heard = time.monotonic()
        if isinstance(message, Reading):
            self._reading = message.path
        elif isinstance(message, IndexProgress | Waiting | Withdrawn):
            self._reading = None
            self._on_event(message)
        elif isinstance(message, Refused):
            raise IndexFileError(message.sentence)
        elif isinstance(message, Busy):
            raise IndexBusy("Another Triskel is indexing this folder.")

    def _pass_a_stop_on(self, child: Connection) -> None:
        if self._stop_at is None and self._should_stop():
            self._stop_at = time.monotonic() + STOP_SECONDS
            with contextlib.suppress(OSError):
                child.send("stop")

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
