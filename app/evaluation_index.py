"""The index of a data set: its documents as notes in Triskel's own cache, indexed the way any folder is.

Notes lie in a folder named by their content, indexes beside them by the rules and the model that fill them, so that a
second run finds both. An index under other rules begins as a copy of the last one, whose vectors it keeps where the
text is equal.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from app.cli_index import index_folder
from app.indexing_child import IndexingJob
from app.models import chosen_model
from app.paths import Places, indexing_threads, make_private_folder
from core.errors import IndexDamaged, IndexFileError, TriskelError
from core.evaluation.datasets import DataSet
from core.evaluation.note_files import NOTE_FILE_RULES, note_paths, write_notes
from core.index.database import as_index_errors, is_there
from core.index.indexer import RULES, needs_update

_SHOW_AGAIN = "!*.md\n"
"""Whoever keeps the cache in a repository may ignore Markdown there; the notes of a data set are all to be found."""


@dataclass(frozen=True, slots=True)
class SetIndex:
    """Where a data set's notes and index lie. `paths` are those of the notes by document id."""

    folder: Path
    index_file: Path
    paths: Mapping[str, str]

    @property
    def notes(self) -> Path:
        """The folder of notes."""
        return self.folder / "notes"

    @property
    def document_by_path(self) -> dict[str, str]:
        """The document ids by path, as an index of this folder spells it."""
        return {path: document for document, path in self.paths.items()}


def set_index(data_set: DataSet, where: Places) -> SetIndex:
    """Return where the notes and the index of a data set lie; nothing is made yet."""
    folder = where.evaluation / f"{data_set.corpus_key}-{NOTE_FILE_RULES.replace('/', '-')}"
    # One index holds the vectors of one model.
    rules = sha256(f"{RULES}\n{chosen_model(where, threads=1).key}".encode()).hexdigest()[:12]
    paths = note_paths(document.id for document in data_set.documents)
    return SetIndex(folder, folder / f"index-{rules}.db", paths)


def bring_up_to_date(data_set: DataSet, index: SetIndex, where: Places, *, meaning: bool) -> bool:
    """Write the notes that are missing and index what has changed; return False where that was stopped.

    Raises:
        TriskelError: the cache cannot be written, or there is no index to answer from.
    """
    try:
        make_private_folder(index.notes)
        (index.notes / ".triskelignore").write_text(_SHOW_AGAIN, "utf-8")
    except OSError as error:
        raise IndexFileError(f"The folder {index.notes} cannot be written: {error.strerror}.") from error
    write_notes(data_set.documents, index.paths, index.notes)
    model = chosen_model(where, threads=indexing_threads()) if meaning else None
    rebuild = False
    try:
        with as_index_errors(index.index_file):
            if not needs_update(index.notes, index.index_file, model.key if model else None):
                return True
    except IndexDamaged:
        rebuild = True
    except IndexFileError:
        pass  # One of another version is made anew by any run.
    if not is_there(index.index_file):
        _begin_as_copy(index)
    report = index_folder(IndexingJob(index.notes, index.index_file, model, rebuild))
    if report is None:
        raise TriskelError("Stopped before there was an index to ask.")
    if report.meaning_reason and model is not None and not report.cancelled:
        raise TriskelError(f"The meaning of {data_set.name} could not be indexed. {report.meaning_reason}")
    return not report.cancelled


def _begin_as_copy(index: SetIndex) -> None:
    """Copy the last index of the same notes under other rules, if there is one that was closed well."""
    others = [file for file in index.folder.glob("index-*.db") if file != index.index_file and not _has_log(file)]
    if not others:
        return
    latest = max(others, key=lambda file: file.stat().st_mtime_ns)
    partial = index.index_file.with_suffix(".partial")
    try:
        shutil.copyfile(latest, partial)
        partial.replace(index.index_file)
    except OSError as error:
        raise IndexFileError(f"The folder {index.folder} cannot be written: {error.strerror}.") from error


def _has_log(index_file: Path) -> bool:
    """Return whether something was written to an index that does not stand in the file itself yet."""
    log = index_file.with_name(f"{index_file.name}-wal")
    return log.exists() and log.stat().st_size > 0
