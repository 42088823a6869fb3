"""Progress and messages on stderr, and Ctrl+C as a request to stop."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

from app.indexing_child import Withdrawn
from app.indexing_process import IndexingEvent
from core.errors import TriskelError
from core.index.progress import IndexProgress, Phase

_LINE_EVERY_SECONDS = 10.0
"""How often progress is said where stderr is a file or a pipe, and a line cannot be written over."""

_WHAT = {Phase.SCAN: "looking at files", Phase.READ: "reading", Phase.LINK: "following links", Phase.EMBED: "embedding"}
_UNIT = {Phase.READ: "notes", Phase.EMBED: "passages"}


class UsageError(Exception):
    """What was typed cannot be meant; `str(error)` says why in a sentence."""


class ProgressLine:
    """Shows how far indexing is: one line that is written over on a terminal, now and then a line elsewhere."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        # Nothing is said of a run that is over before the first line would be due.
        self._said_at = time.monotonic()
        self._width = 0

    def show(self, event: IndexingEvent) -> None:
        """Show one event."""
        if isinstance(event, Withdrawn):
            return
        if not isinstance(event, IndexProgress):
            self._write("another Triskel is indexing this folder; waiting for it")
        elif self._live or event.total:
            self.tell(progress_words(event))

    def tell(self, words: str) -> None:
        """Show how far something is; where no line can be written over, only now and then."""
        if self._live:
            self._write(words)
        elif time.monotonic() - self._said_at > _LINE_EVERY_SECONDS:
            self._said_at = time.monotonic()
            self._write(words)

    def end(self) -> None:
        """Take the line away, so that what follows starts clean."""
        if self._live and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def _write(self, text: str) -> None:
        if not self._live:
            say(text)
            return
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)


def progress_words(progress: IndexProgress) -> str:
    """Return a step of indexing in words, with counts and the time left where it is known."""
    words = _WHAT[progress.phase]
    if progress.phase in _UNIT:
        words += f" {progress.done:,} of {progress.total:,} {_UNIT[progress.phase]}"
    if progress.seconds_left is not None:
        words += f", about {duration_words(progress.seconds_left)} left"
    return words


def duration_words(seconds: float) -> str:
    """Return a length of time as a person would say it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


@contextlib.contextmanager
def ctrl_c_asks() -> Iterator[Callable[[], bool]]:
    """While the block runs, Ctrl+C asks it to stop instead of breaking it off; yield how to see that it did."""
    asked = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        asked.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def counted(number: int, noun: str) -> str:
    """Return "1 note", "2 notes"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def put(text: str) -> None:
    """Write data to stdout, all of it, now: at the interpreter's end nobody could tell what went wrong.

    Raises:
        BrokenPipeError: whoever read it has gone.
        TriskelError: it cannot be written.
    """
    if sys.stdout is None:
        raise TriskelError("There is no standard output to write to.")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise TriskelError(f"The output could not be written: {error.strerror}.") from error


def say(sentence: str) -> None:
    """Write a sentence to stderr."""
    print(f"triskel: {sentence}", file=sys.stderr)
