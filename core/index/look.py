"""What a run begins with: a look at the folder, whole or in part, and how it differs from what the index holds.

Reads names, sizes and times, opens no note and writes nothing. Depends on the file system and the index's rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import FolderEmptied
from core.index.difference import Difference, StoredFile, difference, stored_files
from core.index.writer import Writer
from core.notes.folder import FolderScan, displayed, scan_folder

SUDDENLY = 10
"""A folder does not lose this many files at once and all it had: the place of a disk that is not mounted is empty."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was found, what the index holds of it, and the difference; `in_part`: only some paths were looked at."""

    scan: FolderScan
    stored: dict[str, StoredFile]
    work: Difference
    in_part: bool


def look_at_part(
    folder: Path,
    writer: Writer,
    only: frozenset[str],
    rules_of: Callable[[FolderScan], str],
    should_stop: Callable[[], bool],
) -> Look | None:
    """Return what became of some paths and of what lies below them; None where only a look at everything is right.

    That is so where links lead to files, since which of them counts depends on the rest; where something cannot be
    looked at; where much is gone, which may be the whole folder; and where the index follows other rules.

    Raises:
        FolderError: the folder cannot be read.
    """
    rules = writer.meta("rules")
    scan = scan_folder(folder, should_stop, only=only)
    # Whether the folder is Dendron's cannot be seen in a part of it; it is as it was, or the rules differ anyway.
    dendron = replace(scan, dendron=True)
    scan = dendron if rules == rules_of(dendron) else scan
    stored = stored_files(writer.connection, only)
    work = difference(folder, scan, stored)
    if rules != rules_of(scan) or scan.linked or scan.problems or len(work.gone) >= SUDDENLY:
        return None
    return Look(scan, stored, work, in_part=True)


def look_at_everything(folder: Path, writer: Writer, should_stop: Callable[[], bool], *, insists: bool) -> Look:
    """Return what became of the folder.

    Raises:
        FolderError: the folder cannot be read.
        FolderEmptied: it holds nothing, its index at least `SUDDENLY` files, and the person does not insist.
    """
    scan = scan_folder(folder, should_stop)
    stored = stored_files(writer.connection)
    nothing = not (scan.files or scan.attachments or scan.stopped)
    if nothing and len(stored) >= SUDDENLY and not insists:
        raise FolderEmptied(
            f"The folder {displayed(str(folder))} holds nothing now, and its index {len(stored):,} files. "
            "A disk that is not mounted looks like this, so the index was kept as it is. "
            "If they are gone for good, run “triskel index FOLDER --rebuild”."
        )
    return Look(scan, stored, difference(folder, scan, stored), in_part=False)
