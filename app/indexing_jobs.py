"""The run that brings an index up to date, as every command and the window ask for it."""

from __future__ import annotations

from pathlib import Path

from app.indexing_child import IndexingJob
from app.models import chosen_model
from app.paths import Places, indexing_threads


def job_for(
    where: Places,
    folder: Path,
    *,
    meaning: bool = True,
    reveal: bool = False,
    rebuild: bool = False,
    wait: bool = True,
) -> IndexingJob:
    """Return the run for a folder's index, with `reveal` for the one that holds private notes too.

    The two take vectors from each other, so nothing is embedded twice.
    """
    return IndexingJob(
        folder,
        where.index_file(folder, reveal=reveal),
        chosen_model(where, threads=indexing_threads()) if meaning else None,
        rebuild,
        wait=wait,
        reveal=reveal,
        vectors_from=where.index_file(folder, reveal=not reveal),
    )
