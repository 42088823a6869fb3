"""Bringing an index up to date with its folder: the difference is found, and only the difference is done.

Runs in whichever process calls it; the application gives it a child process of its own. Reads the notes folder and
never writes there. Progress goes to a callback, and `should_stop` is asked often enough to end within a second.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.errors import IndexFileError, ModelError
from core.index.building import Building
from core.index.builds import pending_build
from core.index.database import as_index_errors, is_there
from core.index.difference import difference
from core.index.embedding import Loader
from core.index.indexing_run import (
    RULES,
    IndexingRun,
    IndexingSeams,
    Stopped,
    local_zone,
    modification_date,
    rules_for,
)
from core.index.progress import IndexReport, Purge, PurgeState
from core.index.purging import PurgeFailed
from core.index.reader import Reader
from core.index.taint import is_tainted
from core.index.vector_sharing import take_vectors
from core.index.withholding import count_by_rule
from core.notes.folder import FolderScan, scan_folder

__all__ = ["RULES", "IndexingSeams", "Stopped", "modification_date", "needs_update", "update_index", "what_is_held"]


def update_index(
    folder: Path,
    index_file: Path,
    model: Loader | None = None,
    seams: IndexingSeams | None = None,
    *,
    rebuild: bool = False,
    reveal: bool = False,
    vectors_from: Path | None = None,
    only: frozenset[str] | None = None,
) -> IndexReport:
    """Make the index answer for the folder as it is now, and return what it holds then.

    1. Scan the folder. 2. Take out what has become private. 3. Compare with the index. 4. Take out what is gone.
    5. Read, parse and store what is new or changed. 6. Point the links at their notes. 7. Embed the passages that have
    no vector, newest notes first. Without a model, or with one that cannot be used, words and links are complete all
    the same, and the report says why meaning is not.

    An index that was filled by other rules, or of which a `rebuild` is asked, goes on answering while a new build of it
    is made beside it; a run that is ended before leaves that to be gone on with.

    With `reveal` it is an index of its own, which holds private notes like any other. `vectors_from` is another index
    of the folder: what it has embedded is not embedded again.

    `only` names paths that have changed, with what lies below them, and makes a short run of it: nothing else is looked
    at, and deleted words leave the full-text tables with the next run that looks at everything. It is a hint: where it
    cannot be enough, everything is looked at.

    Where step 2 fails nothing further is done: the report says so and tells nothing else of the index, which is
    refused by all until a later run has succeeded.

    Raises:
        FolderError: the folder cannot be read at all.
        FolderEmptied: it holds nothing now and its index at least `SUDDENLY` files; a `rebuild` empties the index.
        IndexFileError: the index cannot be written.
    """
    seams = seams or IndexingSeams()
    building = Building(index_file)
    run = IndexingRun(folder, index_file, building, seams, rebuild=rebuild, reveal=reveal, only=only)
    cancelled = False
    meaning_reason = "Meaning is switched off for this run." if model is None else None
    try:
        run.update_notes()
        if model is not None:
            if vectors_from is not None and is_there(vectors_from):
                take_vectors(building.writer, vectors_from, seams.should_stop)
            run.embed(model)
        building.publish()
    except Stopped:
        cancelled = True
    except ModelError as error:
        meaning_reason = str(error)
        building.publish()
    except PurgeFailed as error:
        return IndexReport(0, 0, 0, 0, 0, 0, purge=Purge(PurgeState.FAILED, str(error)))
    finally:
        building.close()
    try:
        held = what_is_held(index_file)
    except IndexFileError:
        if not cancelled:
            raise
        # Ended before there was a build that can answer.
        return IndexReport(0, 0, 0, 0, 0, 0, cancelled=True, meaning_reason=meaning_reason)
    counts = run.counts
    return replace(
        held,
        added=counts.added,
        changed=counts.changed,
        moved=counts.moved,
        removed=counts.removed - counts.moved,
        cancelled=cancelled,
        meaning_reason=meaning_reason if held.embedded < held.passages else None,
        purge=counts.purge,
        renewed=building.is_renewed,
    )


def what_is_held(index_file: Path) -> IndexReport:
    """Return a report of what an index holds, and of no run.

    Raises:
        IndexFileError: there is none, or it cannot be read.
    """
    reader = Reader(index_file)
    try:
        with as_index_errors(index_file):
            reader.begin()
            coverage = reader.coverage()
            return IndexReport(
                notes=coverage.notes,
                passages=coverage.passages,
                links=coverage.links,
                resolved_links=coverage.links_resolved,
                embedded=coverage.passages_embedded,
                skipped=reader.count_unread(),
                problems=reader.problems(),
                fingerprint=reader.fingerprint(),
                withheld=count_by_rule(reader.connection),
            )
    finally:
        reader.end()
        reader.close()


def needs_update(folder: Path, index_file: Path, model_key: str | None, *, reveal: bool = False) -> bool:
    """Return whether a run would find work, by looking at names, sizes and times only.

    Raises:
        FolderError: the folder cannot be read.
        IndexFileError: the index is there and cannot be read.
    """
    if not is_there(index_file) or is_tainted(index_file):
        return True
    scan = scan_folder(folder, reveal=reveal)
    reader = Reader(index_file)
    try:
        with as_index_errors(index_file):
            reader.begin()
            return (
                reader.rules() != rules_for(scan)
                or reader.zone() != local_zone()
                or reader.is_unfinished()
                or (model_key is not None and (reader.model_key() != model_key or reader.coverage().lacks_vectors))
                or pending_build(index_file).is_file()
                or bool(difference(folder, scan, reader.connection))
                or _folder_problems_changed(scan, reader)
            )
    finally:
        reader.end()
        reader.close()


def _folder_problems_changed(scan: FolderScan, reader: Reader) -> bool:
    files = {file.path for file in scan.files}
    stored = {problem for problem in reader.problems() if problem.path not in files}
    return stored != set(scan.problems)
