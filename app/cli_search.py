"""`triskel search`: one query, or a file of them, answered by the same functions as in the window."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.cli_index import index_folder
from app.indexing_child import IndexingJob
from app.indexing_process import IndexBusy
from app.models import chosen_model
from app.paths import Places, indexing_threads
from app.terminal import UsageError, put, say
from app.today import today
from core.errors import FolderError, IndexDamaged, IndexFileError, ModelError, TriskelError
from core.export import EXPORT_FORMATS, to_json, to_text, write_export
from core.index.database import as_index_errors, is_there
from core.index.indexer import needs_update
from core.index.reader import Reader
from core.notes.folder import check_folder
from core.search.results import Failed, Leg, LegState, SearchResult, Skipped
from core.search.search import EncoderOrReason, SearchRequest, search


@dataclass(frozen=True, slots=True)
class _Asked:
    id: str | int | None
    text: str


def run_search(given: argparse.Namespace, folder: Path, where: Places) -> int:
    """Answer the query or queries of `given` (see `cli`) and return the exit code."""
    asked = list(_queries_of(given.queries)) if given.queries else [_Asked(None, given.query)]
    day = today()
    requests = [
        SearchRequest(each.text, given.legs, given.limit, given.formula, day, not given.exact) for each in asked
    ]
    timings: dict[str, float] | None = {} if given.timings else None
    index_file = where.index_file(folder)
    with _timed("update", timings):
        if given.no_update:
            if not is_there(index_file):
                check_folder(folder)
        else:
            _bring_up_to_date(folder, index_file, where, meaning=not given.no_meaning)
    try:
        texts = _answers(given, asked, requests, index_file, where, timings)
    except IndexDamaged as error:
        if given.no_update:
            raise
        say(str(error))
        index_folder(_job(folder, index_file, where, meaning=not given.no_meaning, rebuild=True))
        texts = _answers(given, asked, requests, index_file, where, timings)
    text = "".join(texts)
    if given.output is not None:
        write_export(given.output, text)
    else:
        put(text)
    return 0


def _answers(
    given: argparse.Namespace,
    asked: Sequence[_Asked],
    requests: Sequence[SearchRequest],
    index_file: Path,
    where: Places,
    timings: dict[str, float] | None,
) -> list[str]:
    """Return the answer to each query in the format that was asked for.

    Raises:
        IndexFileError: the index cannot be read; IndexDamaged where making it again helps.
    """
    reader = Reader(index_file)
    texts = []
    try:
        with _timed("model", timings):
            unused = given.no_meaning or not requests or Leg.MEANING not in requests[0].legs_to_run
            encoder = _encoder(where, switched_off=unused)
        for each, request in zip(asked, requests, strict=True):
            one = dict(timings) if timings is not None else None
            with _timed("search", one), as_index_errors(index_file):
                result = search(reader, encoder, request)
            _check_sound(result, reader, index_file)
            texts.append(_rendered(result, given, each, one))
            if given.queries is None:
                _say_what_is_wrong(result)
    finally:
        reader.close()
    return texts


def _check_sound(result: SearchResult, reader: Reader, index_file: Path) -> None:
    """Raise IndexDamaged where a leg failed because the index is no longer what was written."""
    failed = any(result.legs[leg].state is LegState.FAILED for leg in (Leg.WORDS, Leg.LINKS))
    if failed and (faults := reader.integrity_faults()):
        raise IndexDamaged(f"The index {index_file} is damaged ({faults[0]}).")


class _timed:  # noqa: N801 - reads as a word of the sentence at each call
    """Adds the block's milliseconds to `timings` under a name, where timings are wanted."""

    def __init__(self, step: str, timings: dict[str, float] | None) -> None:
        self._step = step
        self._timings = timings

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *exception: object) -> None:
        if self._timings is not None:
            self._timings[self._step] = (time.perf_counter() - self._started) * 1000


def _rendered(result: SearchResult, given: argparse.Namespace, asked: _Asked, timings: dict[str, float] | None) -> str:
    if given.format == "json":
        return to_json(result, indent=given.queries is None, query_id=asked.id, timings_ms=timings)
    if timings is not None:
        say(", ".join(f"{step} {milliseconds:.1f} ms" for step, milliseconds in timings.items()))
    if given.format == "text":
        return to_text(result, explain=given.explain)
    return EXPORT_FORMATS[given.format](result, None)


def _say_what_is_wrong(result: SearchResult) -> None:
    for leg, report in result.legs.items():
        if report.state is LegState.FAILED:
            say(f"{leg} could not answer: {report.reason}")
    if result.message and not result.hits:
        say(result.message)


def _bring_up_to_date(folder: Path, index_file: Path, where: Places, *, meaning: bool) -> None:
    """Update the index where the folder has changed; where that cannot be done, say so and use what is there."""
    job = _job(folder, index_file, where, meaning=meaning, rebuild=False)
    try:
        with as_index_errors(index_file):
            if not needs_update(folder, index_file, job.model.key if job.model else None):
                return
    except FolderError as error:
        _say_it_is_offline(error, index_file)
        return
    except IndexDamaged:
        job = _job(folder, index_file, where, meaning=meaning, rebuild=True)
    except IndexFileError:
        pass  # One of another version is made anew by any run.
    try:
        report = index_folder(job)
    except IndexBusy as error:
        say(f"{error} The answer is from what it has stored so far.")
        return
    except FolderError as error:
        _say_it_is_offline(error, index_file)
        return
    except IndexFileError as error:
        if not index_file.is_file():
            raise
        say(f"{error} The answer is from the index as it was.")
        return
    if report is None or report.cancelled:
        say("Indexing was stopped. The answer is from what is indexed so far.")


def _say_it_is_offline(error: FolderError, index_file: Path) -> None:
    """Say that the folder cannot be read and its index is asked all the same; raises the error where there is none."""
    if not is_there(index_file):
        raise error
    say(f"{error} The answer is from the index as it was.")


def _job(folder: Path, index_file: Path, where: Places, *, meaning: bool, rebuild: bool) -> IndexingJob:
    model = chosen_model(where, threads=indexing_threads()) if meaning else None
    return IndexingJob(folder, index_file, model, rebuild, wait=rebuild or not index_file.is_file())


def _encoder(where: Places, *, switched_off: bool) -> EncoderOrReason:
    if switched_off:
        return Skipped("switched off")
    try:
        return chosen_model(where, threads=1).load()
    except ModelError as error:
        return Failed(str(error))


def _queries_of(file: Path) -> Iterator[_Asked]:
    """Yield the queries of a file of JSON lines.

    Raises:
        UsageError: a line is not an object with an id and a text; the sentence names the line.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise TriskelError(f"The file {file} could not be read: {error.strerror}.") from error
    for number, line in enumerate(lines, start=1):
        try:
            value = json.loads(line)
            query, text = value["id"], value["text"]
        except (ValueError, KeyError, TypeError, RecursionError):
            query, text = None, None
        if not isinstance(query, str | int) or isinstance(query, bool) or not isinstance(text, str):
            raise UsageError(f'Line {number} of {file} is not an object {{"id": …, "text": …}}.')
        yield _Asked(query, text)
