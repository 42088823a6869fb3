"""Vectors from one index of a folder to another: a text that either of them has embedded is not embedded again."""

from __future__ import annotations

from pathlib import Path

import apsw

from core.errors import IndexFileError
from core.index.writer import Writer


def take_vectors(writer: Writer, other: Path, key: str) -> None:
    """Take the vectors of a model that another index has of passages without one; one that cannot be read has none."""
    try:
        writer.connection.execute("ATTACH ? AS other", (f"{other.absolute().as_uri()}?mode=ro",))
    except apsw.Error:
        return
    try:
        with writer.transaction():
            writer.connection.execute(
                "INSERT OR IGNORE INTO vector (hash, model, value) SELECT hash, model, value FROM other.vector "
                "WHERE model = ? AND hash IN (SELECT hash FROM passage WHERE vector IS NULL) ORDER BY hash",
                (key,),
            )
            writer.use_model(key)
    except IndexFileError:
        pass
    finally:
        writer.connection.execute("DETACH other")
