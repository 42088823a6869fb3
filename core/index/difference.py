"""What an index has to do to answer for a folder: the difference between a scan and what is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from core.index.withholding import (
    WithheldFile,
    path_digest,
    paths_with_tags,
    state_digest,
    withheld_after,
    withheld_files,
)
from core.notes.folder import FolderScan, NoteFile, is_readable
from core.notes.privacy import BY_FILE

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
    """The files to read, notes before attachments and each in path order, and the stored ones that are gone.

    `private` are paths that the index holds, or tells a problem of, and that a rule has made private since, whatever
    the files say. `withheld` is what is to be kept of withheld files before any is read; `withheld_changed` says that
    it differs from what is kept, `newly_withheld` that a file is withheld by its place for the first time.
    """

    to_read: tuple[NoteFile, ...]
    gone: tuple[StoredFile, ...]
    private: tuple[str, ...] = ()
    stored: Mapping[str, StoredFile] = field(default_factory=dict)
    withheld: Mapping[bytes, WithheldFile] = field(default_factory=dict)
    withheld_changed: bool = False
    newly_withheld: bool = False

    def __bool__(self) -> bool:
        return bool(self.to_read or self.gone or self.private or self.withheld_changed)


_STORED = "SELECT path, stamp, content_hash FROM note {0} UNION ALL SELECT path, stamp, NULL FROM unread_file {0}"


def stored_files(connection: apsw.Connection, only: Collection[str] | None = None) -> dict[str, StoredFile]:
    """Return what an index knows of each file, by path; with `only` of these paths and what lies below them alone."""
    if only is None or "" in only:
        rows: list[Any] = connection.execute(_STORED.format("")).fetchall()
    else:
        below = _STORED.format("WHERE path = ?1 OR (path >= ?1 || '/' AND path < ?1 || '0')")  # "0" follows "/"
        rows = [row for path in sorted(only) for row in connection.execute(below, (path,))]
    return {row[0]: StoredFile(*row) for row in rows}


def difference(
    folder: Path, scan: FolderScan, connection: apsw.Connection, only: Collection[str] | None = None
) -> Difference:
    """Return what differs, by size and times; contents are compared when a file is read.

    `only` says that the scan looked for these paths alone. It found none that is private by its place.

    Of files that could not be read, those that still cannot are no difference: trying again would give the same.
    """
    stored = stored_files(connection, only)
    withheld = withheld_files(connection)
    found = (*scan.files, *scan.attachments)
    present = {file.path for file in found}
    problems = {str(row[0]) for row in connection.execute("SELECT path FROM problem")}
    by_place = sorted({file.path for file in scan.withheld} & (stored.keys() | problems))
    after = withheld_after(scan, stored, withheld) if only is None else withheld
    return Difference(
        to_read=tuple(file for file in found if _looks_changed(folder, file, stored.get(file.path), withheld)),
        gone=tuple(stored[path] for path in sorted(stored) if path not in present),
        private=(*by_place, *paths_with_tags(connection, scan)),
        stored=stored,
        withheld=after,
        withheld_changed=after != withheld,
        newly_withheld=any(path not in withheld for path in after),
    )


def _looks_changed(
    folder: Path, file: NoteFile, stored: StoredFile | None, withheld: Mapping[bytes, WithheldFile]
) -> bool:
    if stored is not None:
        if stored.stamp.endswith(REFUSED):
            return stored.stamp != file.stamp + REFUSED or file.attachment or is_readable(folder / file.path)
        return file.stamp != stored.stamp
    row = withheld.get(path_digest(file.path)) if withheld and not file.attachment else None
    if row is None or row.rule == BY_FILE:
        return True
    if row.state == state_digest(file, refused=True):
        return is_readable(folder / file.path)
    return row.state != state_digest(file)
