"""SQLite's way to the disk with someone watching: each change of a file is told before it is made.

Whoever is told may count, write down, end the process, or raise apsw.FullError or apsw.IOError in place of the change.
Depends on apsw; stands in place of SQLite's own way for every connection that is opened meanwhile.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
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


class Failing:
    """Refuses the change of that number, counted from 1, and all later ones unless it is to be `once`."""

    def __init__(self, number: int, error: type[apsw.Error], *, once: bool = False) -> None:
        self._left, self._error, self._once = number, error, once

    def __call__(self, change: Change) -> None:
        self._left -= 1
        # A full disk lets files be cut and deleted.
        if self._left == 0 or (self._left < 0 and not self._once and change.kind in ("open", "write", "sync")):
            raise self._error("refused by the test")


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


def after_a_power_cut(
    before: Mapping[str, bytes], changes: Sequence[Change], chance: random.Random
) -> dict[str, bytes]:
    """Return what a disk may hold, by path, where the power went after these changes to what was there `before`.

    What was synced is there. Of what was written to a file since, each write is there whole, in part, or not at all,
    since a disk's cache writes in an order of its own. Files are made, cut and deleted at once.
    """
    files = {path: bytearray(content) for path, content in before.items()}
    last_sync = {change.path: number for number, change in enumerate(changes) if change.kind == "sync"}
    for number, change in enumerate(changes):
        if change.kind == "delete":
            files.pop(change.path, None)
            continue
        content = files.setdefault(change.path, bytearray())
        if change.kind == "truncate":
            _lengthen(content, change.offset)
            del content[change.offset :]
        elif change.kind == "write":
            data = change.data
            if number > last_sync.get(change.path, -1):
                data = data[: _SECTOR * _sectors_that_arrived(len(data), chance)]
            _lengthen(content, change.offset)
            content[change.offset : change.offset + len(data)] = data
    return {path: bytes(content) for path, content in files.items()}


_SECTOR = 512
"""Bytes that a disk writes whole or not at all."""


def _sectors_that_arrived(size: int, chance: random.Random) -> int:
    most = -(-size // _SECTOR)
    return chance.choice([0, most, most, chance.randint(0, most)])


def _lengthen(content: bytearray, size: int) -> None:
    if len(content) < size:
        content.extend(bytes(size - len(content)))
