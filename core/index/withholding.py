"""What an index knows of the files that it withholds: digests and rules, never a name or a text.

Depends on one connection. What is private is decided in `core.notes.privacy`, when it leaves an index in `purging`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import apsw

from core.notes.folder import FolderScan, NoteFile
from core.notes.privacy import BY_FILE


@dataclass(frozen=True, slots=True)
class WithheldFile:
    """A file that is withheld: the digest of its path, that of its state, and the rule by which."""

    path: bytes
    state: bytes
    rule: str


def withheld_as(file: NoteFile, rule: str, *, refused: bool = False) -> WithheldFile:
    """Return what is stored of a file that is withheld by a rule; `refused`: the system did not let us read it."""
    return WithheldFile(path_digest(file.path), state_digest(file, refused=refused), rule)


def path_digest(path: str) -> bytes:
    """Return what a withheld file is known by."""
    return hashlib.sha256(os.fsencode(path)).digest()[:16]


def state_digest(file: NoteFile, *, refused: bool = False) -> bytes:
    """Return what tells that a withheld file, or what was asked of it, has changed."""
    state = "\0".join((file.path, file.stamp, str(refused), *file.private_tags))
    return hashlib.sha256(os.fsencode(state)).digest()[:16]


def withheld_files(connection: apsw.Connection) -> dict[bytes, WithheldFile]:
    """Return the files that an index withholds, by the digest of their path."""
    rows = connection.execute("SELECT path, state, rule FROM withheld_file")
    return {row[0]: WithheldFile(*row) for row in rows}


def withhold(connection: apsw.Connection, row: WithheldFile) -> None:
    """Keep that a file is private, and nothing else of it."""
    values = row.path, row.state, row.rule
    connection.execute("INSERT OR REPLACE INTO withheld_file VALUES (?, ?, ?)", values)


def forget_withheld(connection: apsw.Connection, row: WithheldFile) -> None:
    """Forget that a file was private."""
    connection.execute("DELETE FROM withheld_file WHERE path = ?", (row.path,))


def replace_withheld(connection: apsw.Connection, rows: Mapping[bytes, WithheldFile]) -> None:
    """Replace what is kept of withheld files."""
    connection.execute("DELETE FROM withheld_file")
    for path in sorted(rows):
        withhold(connection, rows[path])


def count_by_rule(connection: apsw.Connection) -> tuple[tuple[str, int], ...]:
    """Return how many files are withheld by each rule, the rules in order."""
    rows = connection.execute("SELECT rule, count(*) FROM withheld_file GROUP BY rule ORDER BY rule")
    return tuple((str(row[0]), int(row[1])) for row in rows)


def withheld_after(
    scan: FolderScan, stored: Iterable[str], withheld: Mapping[bytes, WithheldFile]
) -> dict[bytes, WithheldFile]:
    """Return what a scan by itself leaves of the withheld files: those private by their place, and those seen again.

    What is new or changed among the latter is for a run to read.
    """
    # Whether those have changed decides nothing, so their state is never compared.
    after = {row.path: row for row in (WithheldFile(path_digest(file.path), b"", BY_FILE) for file in scan.withheld)}
    if withheld:
        known = set(stored)
        for file in scan.files:
            if file.path not in known and (row := withheld.get(path_digest(file.path))) and row.rule != BY_FILE:
                after[row.path] = row
    return after


def paths_with_tags(connection: apsw.Connection, scan: FolderScan) -> list[str]:
    """Return the stored notes that carry a tag which makes them private where they lie, by path."""
    tags = sorted({tag for file in scan.files for tag in file.private_tags})
    if not tags:
        return []
    rows = connection.execute(
        "SELECT DISTINCT note.path, chosen.value FROM json_each(?) AS chosen "
        "JOIN note_tag ON note_tag.tag = chosen.value OR substr(note_tag.tag, 1, length(chosen.value) + 1) = "
        "chosen.value || '/' JOIN note ON note.id = note_tag.note",
        (json.dumps(tags),),
    )
    chosen_for = {file.path: file.private_tags for file in scan.files if file.private_tags}
    return sorted({path for path, tag in rows if tag in chosen_for.get(path, ())})
