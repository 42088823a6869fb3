"""Indexing beside the window: a child process, followed by one worker, told on the main thread."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, QTimer, Signal

from app.indexing_child import IndexingJob
from app.indexing_process import IndexingEvent, IndexingProcess
from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import TriskelError

MODEL_KEPT_MS = 60_000
"""How long a process with the model waits for the next edit: half a gigabyte, against two seconds to have it again."""


class IndexController(QObject):
    """Runs one indexing job at a time. Between jobs the process waits, so that an edit need not wait for it; one that
    holds the model waits a minute.

    Signals:
        progressed: an IndexProgress, Waiting or Slowed.
        finished: an IndexReport, or None where the run was stopped before it had one.
        failed: a TriskelError.
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = make_pool(1)
        self._process = IndexingProcess()
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._stop: threading.Event | None = None
        self._number = 0
        self._end = QTimer(self, interval=MODEL_KEPT_MS, singleShot=True)
        self._end.timeout.connect(self._on_end_due)

    def start(self, job: IndexingJob) -> None:
        """Begin a job; one that is running is stopped first, and not heard of again."""
        self.stop()
        self._pool.clear()
        self._end.stop()
        self._number += 1
        stop = self._stop = threading.Event()
        number, process = self._number, self._process

        def tell(event: IndexingEvent) -> None:
            self._dispatcher.finished.emit(Finished(number, "progress", event))

        self._pool.start(Task(number, "index", lambda: process.run(job, tell, stop.is_set), self._dispatcher))

    def stop(self) -> None:
        """Ask the running job to end; it keeps what it has done and is over within a second."""
        if self._stop is not None:
            self._stop.set()

    def is_running(self) -> bool:
        """Return whether a job is still going on."""
        return self._stop is not None

    def close(self) -> None:
        """End the running job, wait for its end, and end the process."""
        self._process.is_closing = True
        self._number += 1  # what is on its way to this thread already is not heard either
        self.stop()
        self._end.stop()
        self._pool.clear()
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()
        self._process.close()

    def _on_end_due(self) -> None:
        if self._stop is None:
            self._pool.start(Task(0, "end", self._process.close, self._dispatcher))

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number != self._number:
            return
        if finished.name == "progress":
            self.progressed.emit(finished.value)
            return
        self._stop = None
        if self._process.holds_model():
            self._end.start()
        if isinstance(finished.fault, TriskelError):
            self.failed.emit(finished.fault)
        elif finished.fault is not None:
            raise finished.fault
        else:
            self.finished.emit(finished.value)
