"""SQLite's way to the disk with someone watching: each change of a file is told before it is made.

Whoever is told may count, write down, end the process, or raise apsw.FullError or apsw.IOError in place of the change.
Depends on apsw; stands in place of SQLite's own way for every connection that is opened meanwhile.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

NAME = "watched"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one file: `kind` is open (where it makes the file), write, truncate, sync or delete."""

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""


class _File(apsw.VFSFile):
    def __init__(self, below: str, name: Any, flags: list[int], told: Callable[[Change], None]) -> None:
        self._path = str(name.filename() if isinstance(name, apsw.URIFilename) else name)
        self._told = told
        self._read_only = bool(flags[0] & apsw.SQLITE_OPEN_READONLY)
        super().__init__(below, name, flags)

    def xLock(self, level: int) -> None:
        if self._read_only and level > apsw.SQLITE_LOCK_SHARED:
            # Asked of the last one that closes a log, and refused by the system with an error that SQLite passes over.
            raise apsw.BusyError("only read")
        super().xLock(level)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._told(Change("write", self._path, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._told(Change("truncate", self._path, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self._told(Change("sync", self._path))
        super().xSync(flags)


class WatchedVfs(apsw.VFS):
    """The default way to the disk until it is unregistered."""

    def __init__(self, told: Callable[[Change], None]) -> None:
        self._told = told
        # The first is the default until this one is.
        self._below = apsw.vfs_names()[0]
        super().__init__(NAME, self._below, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if flags[0] & apsw.SQLITE_OPEN_CREATE and path is not None and not Path(path).exists():
            self._told(Change("open", str(path)))
        return _File(self._below, name, flags, self._told)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._told(Change("delete", filename))
        super().xDelete(filename, syncdir)


@contextlib.contextmanager
def watched(told: Callable[[Change], None]) -> Iterator[None]:
    """Tell of every change that SQLite makes in this process during the block."""
    vfs = WatchedVfs(told)
    try:
        yield
    finally:
        vfs.unregister()


def after_a_power_cut(changes: Sequence[Change], chance: random.Random) -> dict[str, bytes]:
    """Return what a disk may hold, by path, where the power went after these changes.

    What was synced is there. Of what was written to a file since, each write is there whole, in part, or not at all,
    since a disk's cache writes in an order of its own. Files are made, cut and deleted at once.
    """
    files: dict[str, bytearray] = {}
    last_sync = {change.path: number for number, change in enumerate(changes) if change.kind == "sync"}
    for number, change in enumerate(changes):
        content = files.setdefault(change.path, bytearray())
        if change.kind == "delete":
            del files[change.path]
        elif change.kind == "truncate":
            _lengthen(content, change.offset)
            del content[change.offset :]
        elif change.kind == "write":
            data = change.data
            if number > last_sync.get(change.path, -1):
                # Sectors of 512 bytes are written whole or not at all.
                data = data[: 512 * chance.randint(0, len(data) // 512 + 1)] if chance.random() < 0.5 else data
                if chance.random() < 0.3:
                    continue
            _lengthen(content, change.offset)
            content[change.offset : change.offset + len(data)] = data
    return {path: bytes(content) for path, content in files.items()}


def _lengthen(content: bytearray, size: int) -> None:
    if len(content) < size:
        content.extend(bytes(size - len(content)))
