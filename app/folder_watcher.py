"""Watches a folder of notes and tells, in batches, which of its files may have changed.

Depends on watchfiles, which asks the system (inotify, FSEvents, ReadDirectoryChangesW), and on core's rules of what is
left aside. What is told is a hint: the system drops events when many come at once, and tells nothing of changes that
another machine makes on a network drive. The look through the whole folder, now and then, is the truth.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import watchfiles
from PySide6.QtCore import QObject, Signal

from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import FolderError
from core.notes import ignoring
from core.notes.folder import scan_folder
from core.notes.privacy import PRIVATE_FILE

log = logging.getLogger(__name__)

STEP_MS = 200
"""How often the watching thread wakes: five times a second, and a change is told one or two steps later."""

MOST_GATHERED_MS = 1_000
"""How long changes that go on and on are gathered before they are told."""

MOST_PATHS = 1_000
"""Of more changes at once only that there were any is told: looking at everything is then the shorter way."""

EVERYTHING = frozenset({""})
"""Any file of the folder may have changed."""

_RULE_FILES = frozenset({ignoring.GIT_FILE, ignoring.OWN_FILE, PRIVATE_FILE, "dendron.yml", "pyvenv.cfg"})
_NETWORK = frozenset({
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afpfs", "webdav", "davfs", "fuse.davfs2", "ncpfs",
    "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gvfsd-fuse", "fuse.google-drive-ocamlfuse", "vboxsf", "ceph",
})  # fmt: skip
_BY_FOLDER = sys.platform == "linux"
"""inotify knows single folders only. watchfiles would add those below by itself, and with them what links lead to and
what holds no notes: a link to "/" would have the whole disk watched."""


@dataclass(frozen=True, slots=True)
class WatchBegan:
    """The folder is watched from now on; `limit` says what is not seen of it, "" where all is."""

    limit: str = ""


@dataclass(frozen=True, slots=True)
class WatchEnded:
    """The folder is watched no more: it is not at its place (`gone`), or it cannot be watched, for a `reason`."""

    gone: bool
    reason: str = ""


class FolderWatcher(QObject):
    """Watches one folder at a time, on a thread of its own.

    Signals:
        changed: a frozenset of paths relative to the folder, "/" between their parts. Each stands for itself and
            for everything below it; "" is the folder itself.
        began: a WatchBegan.
        ended: a WatchEnded; not sent for an end that was asked for.
    """

    changed = Signal(object)
    began = Signal(object)
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = make_pool(1)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._stop: threading.Event | None = None
        self._number = 0

    def watch(self, folder: Path) -> None:
        """Begin to watch a folder; one that is watched already is watched anew."""
        self.stop()
        stop = self._stop = threading.Event()
        number = self._number

        def tell(event: object) -> None:
            self._dispatcher.finished.emit(Finished(number, "event", event))

        self._pool.start(Task(number, "watch", lambda: watch_folder(folder, tell, stop), self._dispatcher))

    def is_watching(self) -> bool:
        """Return whether a folder is being watched, or about to be."""
        return self._stop is not None

    def stop(self) -> None:
        """Watch no more; nothing more is told."""
        self._number += 1
        self._pool.clear()
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def close(self) -> None:
        """End the thread, which takes one step at most."""
        self.stop()
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()

    def _on_task_finished(self, finished: Finished) -> None:
        if finished.number != self._number:
            return
        if finished.fault is not None:
            raise finished.fault
        match finished.value:
            case WatchBegan() as began:
                self.began.emit(began)
            case WatchEnded() as ended:
                self._stop = None
                self.ended.emit(ended)
            case frozenset() as paths:
                self.changed.emit(paths)


def watch_folder(folder: Path, tell: Callable[[object], None], stop: threading.Event) -> WatchEnded | None:
    """Tell what happens in a folder until `stop` is set (None) or it cannot be watched any more."""
    limit = _limit_of(folder)
    place = None if limit else _identity(folder)
    began = False
    again: frozenset[str] = frozenset()
    while not stop.is_set():
        try:
            folders = _folders(folder) if _BY_FOLDER else [str(folder)]
            for paths in _batches(folder, folders, stop):
                # No event tells that a disk was unmounted, or another one mounted there.
                if not limit and _identity(folder) != place:
                    return WatchEnded(gone=True)
                if not began:
                    began = True
                    tell(WatchBegan(limit))
                if again:
                    # What came into a new folder before it was watched.
                    tell(again)
                    again = frozenset()
                told = _worth_telling(folder, paths)
                if told:
                    tell(told)
                if "" in paths:
                    return WatchEnded(gone=True)
                again = frozenset(path for path in told if (folder / path).is_dir()) if _BY_FOLDER else frozenset()
                if again:
                    break
        except FileNotFoundError:
            if not folder.is_dir():
                return WatchEnded(gone=True)
            # A folder below it went away while the watch was set up.
        except (OSError, RuntimeError) as error:
            log.warning("the folder cannot be watched: %s", error)
            return WatchEnded(gone=False, reason=_reason(error))
    return None


def _batches(folder: Path, folders: list[str], stop: threading.Event) -> Iterator[frozenset[str]]:
    """Yield what changed, as paths relative to `folder`: an empty set where nothing did, at each step."""
    root = str(folder)
    changes = watchfiles.watch(
        *folders,
        watch_filter=None,
        debounce=MOST_GATHERED_MS,
        step=STEP_MS,
        stop_event=stop,
        rust_timeout=STEP_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
        force_polling=False,
        recursive=not _BY_FOLDER,
        ignore_permission_denied=True,
    )
    with contextlib.closing(changes):
        for batch in changes:
            yield frozenset(_relative(path, root) for _change, path in batch)


def _relative(path: str, root: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/") if path != root else ""


def _folders(folder: Path) -> list[str]:
    """Return the folder and all below it that may hold notes, by their names alone."""
    found: list[str] = []
    pending = [str(folder)]
    while pending:
        current = pending.pop()
        try:
            with os.scandir(current) as entries:
                below = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            if current == str(folder):
                raise
            continue
        found.append(current)
        parent = Path(current).name
        pending += [
            entry.path for entry in below if ignoring.hidden_by_name(entry.name, parent, is_folder=True) is None
        ]
    return found


def _worth_telling(folder: Path, paths: Collection[str]) -> frozenset[str]:
    """Return the paths of a batch by which the index may have to change: no temporary, ignored or other files."""
    if any(path == "" or path.rpartition("/")[2] in _RULE_FILES for path in paths) or len(paths) > MOST_PATHS:
        return EVERYTHING
    named = {path for path in paths if not _hidden(folder, path)}
    files = {path for path in named if (folder / path).is_file()}
    try:
        scan = scan_folder(folder, only=files)
    except FolderError:
        return EVERYTHING
    found = {file.path for file in (*scan.files, *scan.attachments)}
    # What is no file now was one, or is a folder.
    return frozenset((named - files) | found)


def _hidden(folder: Path, path: str) -> bool:
    *parents, name = path.split("/")
    above = ["", *parents]
    if any(ignoring.hidden_by_name(each, above[place], is_folder=True) for place, each in enumerate(parents)):
        return True
    return ignoring.hidden_by_name(name, above[-1], is_folder=(folder / path).is_dir()) is not None


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return which folder lies at the place, None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _limit_of(folder: Path) -> str:
    """Return what the system cannot tell of changes in a folder, "" where it tells all."""
    # Drives without a system are left out by psutil, and a drive that does not answer is not asked.
    kinds = {part.mountpoint: part for part in psutil.disk_partitions(all=True)}
    for place in (folder, *folder.parents):
        part = kinds.get(str(place))
        if part is not None:
            network = part.fstype.lower() in _NETWORK or "remote" in part.opts.split(",")
            return "what other machines change on a network drive is not told" if network else ""
    return ""


def _reason(error: OSError | RuntimeError) -> str:
    if "limit" in str(error).lower() or getattr(error, "errno", None) in (24, 28):
        return "the system's limit for watched folders is reached"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
