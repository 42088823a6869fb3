"""What runs in the indexing process: one `update_index` after another, with their progress sent to the parent.

Imports no Qt. The parent's side is `indexing_process`.
"""

from __future__ import annotations

import contextlib
import queue
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
from core.index.embedding import EmbeddingModel, Loader
from core.index.indexer import IndexingSeams, update_index
from core.index.progress import IndexProgress, IndexReport, Phase
from core.index.reader import Reader

TELL_EVERY_SECONDS = 0.1
_LOOK_FOR_LOCK_SECONDS = 0.2
_LOOK_FOR_BATTERY_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class IndexingJob:
    """What is to be indexed. `wait` says whether to wait for another process that is writing the same index.

    With `reveal` the index holds private notes too. `vectors_from` is another index of the same folder, from which
    vectors are taken.

    `unreadable` names files that are not to be read again in this run, with the reason, by path. `only` names the paths
    that have changed, where they are known (see `update_index`). `beside` says that the process that holds the write
    lock is one of ours and only embeds: no other Triskel can write, and the two get in each other's way for moments.
    """

    folder: Path
    index_file: Path
    model: Loader | None
    rebuild: bool = False
    wait: bool = True
    unreadable: dict[str, str] = field(default_factory=dict)
    reveal: bool = False
    vectors_from: Path | None = None
    only: frozenset[str] | None = None
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Another process is writing this index; this run goes on when that one has ended."""


@dataclass(frozen=True, slots=True)
class Slowed:
    """Meanings are learned at half the speed from now on, since the machine runs on its battery; or not any more."""

    slowed: bool


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
    """The run could not be made, and why."""

    error: TriskelError


@dataclass(frozen=True, slots=True)
class Stop:
    """What the parent sends to end the job that is running."""


def serve_jobs(parent: Connection) -> None:
    """Do the jobs that the parent sends, until it goes away.

    The last message of each is an IndexReport, Refused or Busy. A loaded model is kept for the jobs that follow.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which then asks.
    lower_priority()
    jobs: queue.SimpleQueue[IndexingJob | None] = queue.SimpleQueue()
    stop = threading.Event()
    threading.Thread(target=_listen, args=(parent, jobs, stop), daemon=True).start()
    models: dict[str, EmbeddingModel] = {}
    looked_into: set[Path] = set()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while (job := jobs.get()) is not None:
            _serve(job, parent, stop, models, looked_into)


def _serve(
    job: IndexingJob,
    parent: Connection,
    stop: threading.Event,
    models: dict[str, EmbeddingModel],
    looked_into: set[Path],
) -> None:
    report = None
    try:
        with _write_lock(job, parent, stop) as locked:
            if locked:
                seams = IndexingSeams(
                    on_progress=_now_and_then(parent.send, _Pace(stop, parent.send)),
                    should_stop=stop.is_set,
                    reading=lambda path: parent.send(Reading(path)),
                    unreadable=job.unreadable,
                    on_withdrawn=lambda done: parent.send(Withdrawn(done)),
                )
                # Looking for damage reads all of the index: once a process, and when everything is made anew.
                look_into = job.rebuild or (job.only is None and job.index_file not in looked_into)
                report = _updated(job, seams, look_into=look_into, models=models)
                if look_into:
                    looked_into.add(job.index_file)
        if report is not None:
            # Not before the lock is free: who hears of it may begin the next run at once, in another process.
            parent.send(report)
    except TriskelError as error:
        parent.send(Refused(error))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as fault:  # noqa: BLE001 - the parent cannot see it otherwise, and would blame a note
        place = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        sentence = f"Indexing met a fault of Triskel: {type(fault).__name__}: {fault} ({where})."
        parent.send(Refused(IndexFileError(sentence)))


def _updated(
    job: IndexingJob, seams: IndexingSeams, *, look_into: bool = True, models: dict[str, EmbeddingModel] | None = None
) -> IndexReport:
    """Update the index; one that cannot be used is moved aside and made again, and the report says so."""
    if job.model is not None:
        job = replace(job, model=_KeptModel(job.model, {} if models is None else models))
    before = _what_lies_aside(job.index_file)
    report = _report_of_a_sound_index(job, seams, look_into=look_into)
    return replace(report, made_again=_what_lies_aside(job.index_file) not in (None, before))


def _what_lies_aside(index_file: Path) -> tuple[int, int] | None:
    """Return which file was moved aside last, None for none; who moved it may have been the writer or we."""
    try:
        found = aside_of(index_file).stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def _report_of_a_sound_index(job: IndexingJob, seams: IndexingSeams, *, look_into: bool) -> IndexReport:
    if look_into and is_damaged(job.index_file, quick=not job.rebuild):
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
        return _update(replace(job, only=None), seams)


def _update(job: IndexingJob, seams: IndexingSeams) -> IndexReport:
    return update_index(
        job.folder,
        job.index_file,
        job.model,
        seams,
        rebuild=job.rebuild,
        reveal=job.reveal,
        vectors_from=job.vectors_from,
        only=job.only,
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
    if job.beside:
        yield True
        return
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
        parent.send(Refused(IndexFileError(f"The index folder {job.index_file.parent} cannot be written: {reason}.")))
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def _listen(parent: Connection, jobs: queue.SimpleQueue[IndexingJob | None], stop: threading.Event) -> None:
    """Take what the parent sends, in its order: a stop is for the job before it, however late it comes."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            message = parent.recv()
            if isinstance(message, IndexingJob):
                stop.clear()
                jobs.put(message)
            else:
                stop.set()
    stop.set()
    jobs.put(None)


@dataclass(frozen=True, slots=True)
class _KeptModel:
    """A loader that loads its model once, whatever the number of jobs."""

    loader: Loader
    kept: dict[str, EmbeddingModel]

    @property
    def key(self) -> str:
        return self.loader.key

    def load(self) -> EmbeddingModel:
        if self.key not in self.kept:
            self.kept[self.key] = self.loader.load()
        return self.kept[self.key]


class _Pace:
    """Takes a break after each piece of embedding, as long as the piece took, while the machine is on its battery."""

    def __init__(self, stop: threading.Event, send: Callable[[Slowed], None]) -> None:
        self._stop = stop
        self._send = send
        self._slowed = False
        self._look_at = 0.0
        self._began = time.monotonic()

    def rest(self, phase: Phase) -> None:
        """Say that a piece is done, and return when the next one may begin."""
        took = time.monotonic() - self._began
        if phase is Phase.EMBED and self._is_slowed():
            self._stop.wait(took)
        self._began = time.monotonic()

    def _is_slowed(self) -> bool:
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + _LOOK_FOR_BATTERY_SECONDS
            slowed = on_battery()
            if slowed is not self._slowed:
                self._slowed = slowed
                self._send(Slowed(slowed))
        return self._slowed


def on_battery() -> bool:
    """Return whether the machine runs on its battery; False where it has none or does not say."""
    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, RuntimeError, psutil.Error):
        return False
    return battery is not None and battery.power_plugged is False


def _now_and_then(send: Callable[[IndexProgress], None], pace: _Pace) -> Callable[[IndexProgress], None]:
    """Return a callback that passes progress on ten times a second at most, and a phase's start and end at once."""
    last: list[tuple[Phase, float]] = []

    def tell(progress: IndexProgress) -> None:
        now = time.monotonic()
        at_an_end = not last or last[0][0] is not progress.phase or progress.done == progress.total
        if at_an_end or now - last[0][1] > TELL_EVERY_SECONDS:
            last[:] = [(progress.phase, now)]
            send(progress)
        pace.rest(progress.phase)

    return tell
