"""Indexing beside the window: a child process, followed by one worker, told on the main thread."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Signal

from app.indexing_child import IndexingJob
from app.indexing_process import IndexingEvent, run_indexing
from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import TriskelError


class IndexController(QObject):
    """Runs one indexing job at a time.

    Signals:
        progressed: an IndexProgress or Waiting.
        finished: an IndexReport, or None where the run was stopped before it had one.
        failed: a sentence.
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._stop: threading.Event | None = None
        self._number = 0

    def start(self, job: IndexingJob) -> None:
        """Begin a job; one that is running is stopped first, and not heard of again."""
        self.stop()
        self._pool.clear()
        self._number += 1
        stop = self._stop = threading.Event()
        number = self._number

        def tell(event: IndexingEvent) -> None:
            self._dispatcher.finished.emit(Finished(number, "progress", event))

        self._pool.start(Task(number, "index", lambda: run_indexing(job, tell, stop.is_set), self._dispatcher))

    def stop(self) -> None:
        """Ask the running job to end; it keeps what it has done and is over within a second."""
        if self._stop is not None:
            self._stop.set()

    def is_running(self) -> bool:
        """Return whether a job is still going on."""
        return self._stop is not None

    def close(self) -> None:
        """End the running job and wait for its end."""
        self.stop()
        self._pool.clear()
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number != self._number:
            return
        if finished.name == "progress":
            self.progressed.emit(finished.value)
            return
        self._stop = None
        if isinstance(finished.fault, TriskelError):
            self.failed.emit(str(finished.fault))
        elif finished.fault is not None:
            raise finished.fault
        else:
            self.finished.emit(finished.value)
