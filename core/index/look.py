"""The look that a run begins with: at the whole folder, or at the part of it that is known to have changed.

Reads names, sizes and times, opens no note and writes nothing. Depends on the file system and the index's rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw

from core.errors import FolderEmptied
from core.index.difference import difference
from core.index.taint import is_tainted
from core.index.writer import Writer
from core.notes.folder import FolderScan, displayed, scan_folder

SUDDENLY = 10
"""A folder does not lose this many files at once and all it had: the place of a disk that is not mounted is empty."""


def scan_part(
    folder: Path,
    index_file: Path,
    writer: Writer,
    only: frozenset[str],
    rules_for: Callable[[FolderScan], str],
    should_stop: Callable[[], bool],
    *,
    reveal: bool,
) -> FolderScan | None:
    """Return what lies at some paths and below them; None where only a look at everything is right.

    That is so where links lead to files, since which of them counts depends on the rest; where something cannot be
    looked at, or is private by its place; where much is gone, which may be the whole folder; and where the index
    follows other rules or may not be answered from.

    Raises:
        FolderError: the folder cannot be read.
    """
    if is_tainted(index_file):
        return None
    rules = writer.meta("rules")
    scan = scan_folder(folder, should_stop, reveal=reveal, only=only)
    # Whether the folder is Dendron's cannot be seen in a part of it; it is as it was, or the rules differ anyway.
    dendron = replace(scan, dendron=True)
    scan = dendron if rules == rules_for(dendron) else scan
    if rules != rules_for(scan) or scan.linked or scan.problems or scan.withheld:
        return None
    return scan if len(difference(folder, scan, writer.connection, only).gone) < SUDDENLY else None


def scan_everything(
    folder: Path, connection: apsw.Connection, should_stop: Callable[[], bool], *, reveal: bool, insists: bool
) -> FolderScan:
    """Return what the folder holds.

    Raises:
        FolderError: the folder cannot be read.
        FolderEmptied: it holds nothing, its index at least `SUDDENLY` files, and the person does not insist.
    """
    scan = scan_folder(folder, should_stop, reveal=reveal)
    count = int(connection.execute("SELECT count(*) FROM note").get)
    if not (scan.files or scan.attachments or scan.withheld or scan.stopped or insists) and count >= SUDDENLY:
        raise FolderEmptied(
            f"The folder {displayed(str(folder))} holds nothing now, and its index {count:,} files. "
            "A disk that is not mounted looks like this, so the index was kept as it is. "
            "If they are gone for good, run “triskel index FOLDER --rebuild”."
        )
    return scan
