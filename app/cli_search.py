"""`triskel search`: one query, or a file of them, answered by the same functions as in the window."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.cli_index import index_folder, made_again, purge_failure
from app.indexing_child import IndexingJob
from app.indexing_jobs import job_for
from app.indexing_process import IndexBusy
from app.models import chosen_model
from app.paths import Places
from app.rerankers import chosen_reranker
from app.terminal import UsageError, put, say
from app.today import today
from core.errors import FolderError, IndexDamaged, IndexFileError, IndexTainted, ModelError, TriskelError
from core.export import EXPORT_FORMATS, to_json, to_text, write_export
from core.index.database import as_index_errors, is_there
from core.index.indexer import needs_update
from core.index.progress import PurgeState
from core.index.reader import Reader
from core.index.taint import is_tainted
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
    index_file = where.index_file(folder, reveal=given.reveal)
    # Where there is something to answer from, another process that writes it is not waited for.
    wait = not is_there(index_file) or is_tainted(index_file)
    job = job_for(where, folder, meaning=not given.no_meaning, reveal=given.reveal, wait=wait)
    with _timed("update", timings):
        if given.no_update:
            if not is_there(index_file):
                check_folder(folder)
        else:
            _bring_up_to_date(job)
    if given.reveal:
        say("Private notes are shown.")
    try:
        texts = _answers(given, asked, requests, index_file, where, timings)
    except IndexDamaged as error:
        if given.no_update:
            raise
        say(str(error))
        index_folder(replace(job, rebuild=True, wait=True))
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

    Where notes have become private meanwhile, answers from before are dropped, and all are asked for again.

    Raises:
        IndexFileError: the index cannot be read; IndexDamaged where making it again helps.
    """
    reader = Reader(index_file)
    try:
        with _timed("model", timings):
            unused = given.no_meaning or not requests or Leg.MEANING not in requests[0].legs_to_run
            encoder = _encoder(where, switched_off=unused)
            loader = chosen_reranker(where, given.reranker, allow_download=given.allow_download)
            reranker = loader.load_or_say() if loader is not None else None
        while True:
            texts, generations = [], []
            for each, request in zip(asked, requests, strict=True):
                one = dict(timings) if timings is not None else None
                with _timed("search", one), as_index_errors(index_file):
                    result = search(reader, encoder, request, reranker=reranker)
                _check_sound(result, reader, index_file)
                generations.append(result.generation)
                texts.append(_rendered(result, given, each, one))
            if not generations or not reader.was_withdrawn(min(generations)):
                break
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
    if result.reranker is not None and result.reranker.state is LegState.FAILED:
        say(f"The list is in the fused order. {result.reranker.reason}")
    if result.message and not result.hits:
        say(result.message)


def _bring_up_to_date(job: IndexingJob) -> None:
    """Update the index where the folder has changed; where that cannot be done, say so and use what is there.

    Raises:
        IndexTainted: what has become private could not be taken out, so nothing is answered.
    """
    index_file = job.index_file
    try:
        with as_index_errors(index_file):
            key = job.model.key if job.model else None
            if not needs_update(job.folder, index_file, key, reveal=job.reveal):
                return
    except FolderError as error:
        _say_it_is_offline(error, index_file)
        return
    except IndexDamaged:
        job = replace(job, rebuild=True, wait=True)
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
        if not is_there(index_file):
            raise
        say(f"{error} The answer is from the index as it was.")
        return
    if report is not None and report.purge.state is PurgeState.FAILED:
        raise IndexTainted(purge_failure(report))
    if report is not None and (sentence := made_again(report)):
        say(sentence)
    if report is None or report.cancelled:
        say("Indexing was stopped. The answer is from what is indexed so far.")


def _say_it_is_offline(error: FolderError, index_file: Path) -> None:
    """Say that the folder cannot be read and its index is asked all the same; raises the error where there is none."""
    if not is_there(index_file):
        raise error
    say(f"{error} The answer is from the index as it was.")


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
