"""What runs in the indexing process: one `update_index`, with its progress sent to the parent.

Imports no Qt. The parent's side is `indexing_process`.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from app.paths import make_private_folder
from core.errors import IndexDamaged, IndexFileError, TriskelError
from core.index.builds import aside_of
from core.index.database import as_index_errors, is_there, move_aside
from core.index.embedding import ModelLoader
from core.index.indexer import IndexingSeams, update_index
from core.index.progress import IndexProgress, IndexReport, Phase
from core.index.reader import Reader

TELL_EVERY_SECONDS = 0.1
_LOOK_FOR_LOCK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class IndexingJob:
    """What is to be indexed. `wait` says whether to wait for another process that is writing the same index.

    With `reveal` the index holds private notes too. `vectors_from` is another index of the same folder, from which
    vectors are taken.

    `unreadable` names files that are not to be read again in this run, with the reason, by path.
    """

    folder: Path
    index_file: Path
    model: ModelLoader | None
    rebuild: bool = False
    wait: bool = True
    unreadable: dict[str, str] = field(default_factory=dict)
    reveal: bool = False
    vectors_from: Path | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Another process is writing this index; this run goes on when that one has ended."""


@dataclass(frozen=True, slots=True)
class Busy:
    """Another process is writing this index, and the job said not to wait."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Indexed notes have become private; `done` says that they are out, and until then nobody answers."""

    done: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """The file that is being read now."""

    path: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The run could not be made, and the sentence that says why."""

    sentence: str


def index_in_child(job: IndexingJob, parent: Connection) -> None:
    """Run the job and send what happens; the last message is an IndexReport, Refused or Busy.

    The parent asks for an end by sending anything, or by going away.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which then asks.
    lower_priority()
    stop = threading.Event()
    threading.Thread(target=_wait_for_stop, args=(parent, stop), daemon=True).start()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        try:
            with _write_lock(job, parent, stop) as locked:
                if locked:
                    seams = IndexingSeams(
                        on_progress=_now_and_then(parent.send),
                        should_stop=stop.is_set,
                        reading=lambda path: parent.send(Reading(path)),
                        unreadable=job.unreadable,
                        on_withdrawn=lambda done: parent.send(Withdrawn(done)),
                    )
                    parent.send(_updated(job, seams))
        except TriskelError as error:
            parent.send(Refused(str(error)))
        except Exception as fault:  # noqa: BLE001 - the parent cannot see it otherwise, and would blame a note
            place = traceback.extract_tb(fault.__traceback__)[-1]
            where = f"{Path(place.filename).name}, line {place.lineno}"
            parent.send(Refused(f"Indexing met a fault of Triskel: {type(fault).__name__}: {fault} ({where})."))


def _updated(job: IndexingJob, seams: IndexingSeams) -> IndexReport:
    """Update the index; one that cannot be used is moved aside and made again, and the report says so."""
    before = _what_lies_aside(job.index_file)
    report = _report_of_a_sound_index(job, seams)
    return replace(report, made_again=_what_lies_aside(job.index_file) not in (None, before))


def _what_lies_aside(index_file: Path) -> tuple[int, int] | None:
    """Return which file was moved aside last, None for none; who moved it may have been the writer or we."""
    try:
        found = aside_of(index_file).stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def _report_of_a_sound_index(job: IndexingJob, seams: IndexingSeams) -> IndexReport:
    if is_damaged(job.index_file, quick=not job.rebuild):
        # A rebuild keeps the vectors, and so would keep what is damaged in them.
        move_aside(job.index_file)
    try:
        with as_index_errors(job.index_file):
            return _update(job, seams)
    except IndexDamaged:
        pass
    # Outside the handler, so that nothing holds the damaged file open any more.
    move_aside(job.index_file)
    with as_index_errors(job.index_file):
        return _update(job, seams)


def _update(job: IndexingJob, seams: IndexingSeams) -> IndexReport:
    return update_index(
        job.folder,
        job.index_file,
        job.model,
        seams,
        rebuild=job.rebuild,
        reveal=job.reveal,
        vectors_from=job.vectors_from,
    )


def is_damaged(index_file: Path, *, quick: bool) -> bool:
    """Return whether an index is there and is no longer what was written."""
    if not is_there(index_file):
        return False
    try:
        reader = Reader(index_file, to_mend=True)
        try:
            return bool(reader.integrity_faults(quick=quick))
        finally:
            reader.close()
    except IndexDamaged:
        return True
    except IndexFileError:
        return False


def lower_priority() -> None:
    """Give every other program the right of way."""
    process = psutil.Process()
    with contextlib.suppress(psutil.Error, OSError):
        # By name, since each constant exists on its own system only.
        process.nice(getattr(psutil, "IDLE_PRIORITY_CLASS", 19))
    with contextlib.suppress(psutil.Error, OSError, AttributeError):
        # Windows' lowest is 0, so no "or" here.
        lowest = "IOPRIO_VERYLOW" if hasattr(psutil, "IOPRIO_VERYLOW") else "IOPRIO_CLASS_IDLE"
        process.ionice(getattr(psutil, lowest))


@contextlib.contextmanager
def _write_lock(job: IndexingJob, parent: Connection, stop: threading.Event) -> Iterator[bool]:
    """Hold the index's one write lock for the block; yield False where it could not be had."""
    try:
        make_private_folder(job.index_file.parent)
        lock = FileLock(job.index_file.with_suffix(".lock"))
        lock.acquire(blocking=False)
    except Timeout:
        if not job.wait:
            parent.send(Busy())
            yield False
            return
        parent.send(Waiting())
        while not lock.is_locked:
            if stop.is_set():
                parent.send(Busy())
                yield False
                return
            with contextlib.suppress(Timeout):
                lock.acquire(timeout=_LOOK_FOR_LOCK_SECONDS)
    except OSError as error:
        reason = error.strerror or error
        parent.send(Refused(f"The index folder {job.index_file.parent} cannot be written: {reason}."))
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def _wait_for_stop(parent: Connection, stop: threading.Event) -> None:
    with contextlib.suppress(EOFError, OSError):
        parent.recv()
    stop.set()


def _now_and_then(send: Callable[[IndexProgress], None]) -> Callable[[IndexProgress], None]:
    """Return a callback that passes progress on ten times a second at most, and a phase's start and end at once."""
    last: list[tuple[Phase, float]] = []

    def tell(progress: IndexProgress) -> None:
        now = time.monotonic()
        at_an_end = not last or last[0][0] is not progress.phase or progress.done == progress.total
        if at_an_end or now - last[0][1] > TELL_EVERY_SECONDS:
            last[:] = [(progress.phase, now)]
            send(progress)

    return tell
