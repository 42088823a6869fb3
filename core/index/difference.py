"""What an index has to do to answer for a folder: the difference between a scan and what is stored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from core.notes.folder import FolderScan, NoteFile, is_readable

REFUSED = " refused"
"""Ends the stamp of a file that the system did not let us read. Rights of folders above it, and disks, come back
without a change of the file, so such a file is tried by its first byte instead of by its times alone."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What the index knows of a file. `content_hash` is None for one that could not be read as a note."""

    path: str
    stamp: str
    content_hash: bytes | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The files to read, notes before attachments and each in path order, and the stored ones that are gone."""

    to_read: tuple[NoteFile, ...]
    gone: tuple[StoredFile, ...]

    def __bool__(self) -> bool:
        return bool(self.to_read or self.gone)


_STORED = "SELECT path, stamp, content_hash FROM note {0} UNION ALL SELECT path, stamp, NULL FROM unread_file {0}"


def stored_files(connection: apsw.Connection, only: Collection[str] | None = None) -> dict[str, StoredFile]:
    """Return what an index knows of each file, by path; with `only` of these paths and what lies below them alone."""
    if only is None or "" in only:
        rows: list[Any] = connection.execute(_STORED.format("")).fetchall()
    else:
        below = _STORED.format("WHERE path = ?1 OR (path >= ?1 || '/' AND path < ?1 || '0')")  # "0" follows "/"
        rows = [row for path in sorted(only) for row in connection.execute(below, (path,))]
    return {row[0]: StoredFile(*row) for row in rows}


def difference(folder: Path, scan: FolderScan, stored: dict[str, StoredFile]) -> Difference:
    """Return what differs, by size and times; contents are compared when a file is read.

    Of files that could not be read, those that still cannot are no difference: trying again would give the same.
    """
    found = (*scan.files, *scan.attachments)
    to_read = tuple(file for file in found if _looks_changed(folder, file, stored.get(file.path)))
    present = {file.path for file in found}
    gone = tuple(stored[path] for path in sorted(stored) if path not in present)
    return Difference(to_read, gone)


def _looks_changed(folder: Path, file: NoteFile, stored: StoredFile | None) -> bool:
    if stored is None:
        return True
    if stored.stamp.endswith(REFUSED):
        return file.attachment or is_readable(folder / file.path)
    return file.stamp != stored.stamp
