"""Work on QThreadPool threads: a task holds plain data and a bound signal, and gives a value or a fault, never raises.

The signal belongs to a dispatcher that lives on the main thread, so its slots run there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finished:
    """What a task came to: its number, its name, and its value or the exception that ended it."""

    number: int
    name: str
    value: object = None
    fault: BaseException | None = None


class Dispatcher(QObject):
    """Brings what tasks come to back to the main thread."""

    finished = Signal(object)


class Task(QRunnable):
    """One call of a function on a pool thread."""

    def __init__(self, number: int, name: str, work: Callable[[], object], dispatcher: Dispatcher) -> None:
        super().__init__()
        self._number = number
        self._name = name
        self._work = work
        self._finished = dispatcher.finished

    def run(self) -> None:
        """Call the function; the one place of the program where every exception is caught."""
        try:
            outcome = Finished(self._number, self._name, self._work())
        except BaseException as fault:  # noqa: BLE001 - told on the main thread, where it can be shown
            outcome = Finished(self._number, self._name, fault=fault)
        self._finished.emit(outcome)


class NewestWish(QObject):
    """One piece of work at a time on a worker of its own; a newer wish replaces the one before, which is not heard of.

    `finished` tells the Finished of the newest one.
    """

    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._number = 0

    def begin(self, name: str, work: Callable[[], object]) -> None:
        """Begin to work on the newest wish."""
        self.cancel()
        self._pool.start(Task(self._number, name, work, self._dispatcher))

    def cancel(self) -> None:
        """Drop what was wished for."""
        self._number += 1
        self._pool.clear()

    def close(self) -> None:
        """Wait for the last work to end; nothing is told of it."""
        self.cancel()
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number == self._number:
            self.finished.emit(finished)


def make_pool(threads: int) -> QThreadPool:
    """Return a pool of our own, whose threads stay: starting one for each key press would cost more than a search."""
    pool = QThreadPool()
    pool.setMaxThreadCount(threads)
    pool.setExpiryTimeout(-1)
    return pool
