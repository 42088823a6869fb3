"""The mark of an index that still holds what has become private: a file beside it, there before the purge begins.

A file, and not a row, since it must be seen by every process, outlive one that is killed, and need no room in a
database whose disk is full. While it is there nobody answers from the index.
"""

from __future__ import annotations

import os
from pathlib import Path

from core.errors import IndexTainted

_SUFFIXES = ("", "-wal", "-shm")


def is_tainted(index_file: Path) -> bool:
    """Return whether the index may not be answered from."""
    return os.path.lexists(_mark_of(index_file))


def refuse_if_tainted(index_file: Path) -> None:
    """Raise IndexTainted where the index may not be answered from."""
    if is_tainted(index_file):
        raise IndexTainted(
            f"The index {index_file} may still hold notes that have become private, so it is not used. "
            "Index the folder again to have them taken out."
        )


def mark_tainted(index_file: Path) -> None:
    """Mark the index; one that cannot be marked is deleted, which needs no room on the disk.

    Raises:
        OSError: neither can be done.
    """
    try:
        mark = os.open(_mark_of(index_file), os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            os.fsync(mark)
        finally:
            os.close(mark)
    except OSError:
        for suffix in _SUFFIXES:
            index_file.with_name(index_file.name + suffix).unlink(missing_ok=True)


def clear_taint(index_file: Path) -> None:
    """Take the mark away: the index holds nothing any more that it should not.

    Raises:
        OSError: it cannot be taken away.
    """
    _mark_of(index_file).unlink(missing_ok=True)


def _mark_of(index_file: Path) -> Path:
    return index_file.with_name(index_file.name + ".tainted")
