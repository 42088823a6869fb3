"""Vectors from one file to another: a text that either of them has embedded is not embedded again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import apsw

from core.errors import IndexFileError
from core.index.builds import current_build
from core.index.writer import Writer

_AT_ONCE = 4_096
"""Vectors copied in one transaction: 6 MB of 384 dimensions."""

_TAKE = (
    "INSERT OR IGNORE INTO vector (hash, model, value) SELECT hash, model, value FROM other.vector "
    "WHERE id > ? AND id <= ? AND hash IN (SELECT hash FROM passage WHERE vector IS NULL) ORDER BY id"
)


def take_vectors(writer: Writer, other: Path, should_stop: Callable[[], bool] = lambda: False) -> None:
    """Take the vectors that another index has, of whatever model, of texts without one here; commit on the way.

    One that cannot be read has none. `should_stop` ends it early; what was taken stays.
    """
    connection = writer.connection
    if not writer.count_without_vector():
        return
    try:
        connection.execute("ATTACH ? AS other", (f"{current_build(other).absolute().as_uri()}?mode=ro",))
    except apsw.Error:
        return
    try:
        with contextlib.suppress(IndexFileError, apsw.SQLError):
            done, last = 0, int(connection.execute("SELECT max(id) FROM other.vector").get or 0)
            while done < last and not should_stop():
                with writer.transaction():
                    connection.execute(_TAKE, (done, done + _AT_ONCE))
                done += _AT_ONCE
    finally:
        connection.execute("DETACH other")
