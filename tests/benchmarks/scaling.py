"""How the whole grows: a folder of made-up notes of some size, indexed, given vectors and searched, beside its floors.

The vectors are made up too, unit vectors around random centres, written through the writer's own methods, so that a
million of them are really scanned and nothing has to be embedded.

    python -m tests.benchmarks.scaling WORKPLACE --notes 48000 [--keep]

Prints one JSON object; The folder is that of an earlier run in WORKPLACE, if there is one; `--keep` uses its index too.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import numpy as np
import psutil

from core.index.indexer import update_index
from core.index.reader import Reader
from core.index.writer import Writer
from core.notes.folder import scan_folder
from core.search.results import ModelName
from core.search.search import SearchRequest, answer, find_links, find_meaning, find_words, search
from core.search.terms import terms_of
from tests.benchmarks.floors import (
    BareWords,
    cut_notes,
    fold_notes,
    insert_folded_rows,
    merge_full_text,
    nearest_rows,
    open_writer,
    read_notes,
)
from tests.benchmarks.measure import in_turns, percentile, seconds_of
from tests.benchmarks.queries import query_classes
from tests.tools.generate_notes import write_notes

DIMENSIONS = 384
KEY = "made-up"
CENTRES = 500
NOISE = 0.9
"""Length of what is added to a centre of length 1: two passages of one centre have a cosine of about 0.55."""

REPEATS = 3
_BY_THE_CLOCK = ("in a row", "side by side")
"""Steps timed by the clock, since they are threads; the others by their processor time, since others work too."""

_AT_ONCE = 2_000


class ClusteredVectors:
    """Unit vectors around random centres; the same ones for the same seed. Also the model that queries go through."""

    key = KEY
    model = ModelName(KEY, DIMENSIONS, "0" * 64)

    def __init__(self, seed: int = 1) -> None:
        draw = np.random.Generator(np.random.PCG64(seed))
        self._centres = _unit(draw.standard_normal((CENTRES, DIMENSIONS), dtype=np.float32))
        self._seed = seed

    def of(self, first: int, count: int) -> np.ndarray:
        """Return `count` vectors; those of one `first` are always the same."""
        draw = np.random.Generator(np.random.PCG64((self._seed, first)))
        noise = _unit(draw.standard_normal((count, DIMENSIONS), dtype=np.float32))
        return _unit(self._centres[draw.integers(CENTRES, size=count)] + np.float32(NOISE) * noise)

    def embed_query(self, text: str) -> np.ndarray:
        """Return a vector near one of the centres, another one for each text."""
        return self.of(-1 - zlib.crc32(text.encode()) & 0x7FFFFFFF, 1)[0]


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def store_made_up_vectors(index_file: Path, vectors: ClusteredVectors) -> int:
    """Give every text of an index a vector; return how many there are."""
    writer = Writer(index_file)
    hashes = [row[0] for row in writer.connection.execute("SELECT DISTINCT hash FROM passage ORDER BY hash")]
    with writer.transaction():
        writer.use_model(KEY)
    for start in range(0, len(hashes), _AT_ONCE):
        some = hashes[start : start + _AT_ONCE]
        with writer.transaction():
            made = vectors.of(start, len(some))
            writer.store_vectors(KEY, [(text, made[place].tobytes()) for place, text in enumerate(some)])
    writer.close()
    return len(hashes)


def build_in_a_process(folder: Path, index_file: Path) -> dict[str, float]:
    """Index a folder in a process of its own; return its seconds and, from outside, its most memory in MB.

    `peak` is all of it, `own` without what it maps of files, which the system takes back when it needs it.
    """
    command = [sys.executable, "-m", "tests.benchmarks.scaling", str(index_file), "--build", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watched, peak, own = psutil.Process(process.pid), 0, 0
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                memory = watched.memory_info()
                peak = max(peak, memory.rss)
                own = max(own, memory.rss - getattr(memory, "shared", 0))
            time.sleep(0.05)
        assert process.stdout is not None
        told = json.loads(process.stdout.read())
    return {**told, "peak": peak / 1e6, "own": own / 1e6}


def _build(folder: Path, index_file: Path) -> None:
    started, worked = time.perf_counter(), time.process_time()
    report = update_index(folder, index_file)
    built = {"seconds": time.perf_counter() - started, "cpu": time.process_time() - worked}
    again = seconds_of(lambda: update_index(folder, index_file))
    counts = {"notes": report.notes, "passages": report.passages, "links": report.links}
    print(json.dumps({**built, "no change": again, **counts}))


def bare_inserts(folder: Path, file: Path) -> float:
    """Return the processor time of inserting the same folded text and merging it, reading and folding not counted."""
    files, took, first = scan_folder(folder).files, 0.0, 1
    connection = open_writer(file)
    for start in range(0, len(files), _AT_ONCE):
        notes = read_notes(folder, files[start : start + _AT_ONCE], dendron=False)
        folded = fold_notes(notes, cut_notes(notes))
        began = time.process_time()
        connection.execute("BEGIN IMMEDIATE")
        insert_folded_rows(connection, folded, first)
        connection.execute("COMMIT")
        took += time.process_time() - began
        first += len(folded)
    connection.close()
    began = time.process_time()
    merge_full_text(file)
    return took + time.process_time() - began


def openings(index_file: Path, vectors: ClusteredVectors, queries: Sequence[str]) -> dict[str, list[float]]:
    """Return the seconds of opening, of the first query's steps, and of queries until vectors have their codes."""
    request = SearchRequest(queries[0])
    reader: Reader | None = None

    def open_it() -> None:
        nonlocal reader
        reader = Reader(index_file)
        reader.begin()

    took = {"open": [seconds_of(open_it)]}
    assert reader is not None
    opened = reader
    took["words"] = [seconds_of(lambda: find_words(opened, request))]
    took["vectors"] = [seconds_of(lambda: opened.vectors(KEY, DIMENSIONS))]
    took["meaning"] = [seconds_of(lambda: find_meaning(opened, vectors, request))]
    took["fingerprint"] = [seconds_of(opened.fingerprint)]
    took["coverage"] = [seconds_of(opened.coverage)]
    opened.end()
    took["whole"] = [
        seconds_of(lambda text=text: search(opened, vectors, SearchRequest(text))) for text in (queries * 40)[:40]
    ]
    opened.close()
    return took


def measure_queries(index_file: Path, vectors: ClusteredVectors) -> dict[str, dict[str, list[float]]]:
    """Return, by class of queries, the seconds of each step, of the whole, of legs side by side, and of the floors."""
    reader, beside, bare = Reader(index_file), Reader(index_file), BareWords(index_file)
    for one in (reader, beside):
        one.begin()
    classes = {title: texts for title, texts in query_classes(reader.connection).items() if texts}
    for _ in range(40):  # until all vectors have their codes
        held = reader.vectors(KEY, DIMENSIONS)
        beside.vectors(KEY, DIMENSIONS)
    found: dict[str, dict[str, list[float]]] = {}
    with ThreadPoolExecutor(2) as pool:
        for title, texts in classes.items():
            took = found.setdefault(title, {})
            for text in texts:
                request = SearchRequest(text)
                words, meaning = find_words(reader, request), find_meaning(beside, vectors, request)
                links = find_links(reader, request, words, meaning)
                asked = [spelling.expression for term in terms_of(reader, request.query) for spelling in term.spellings]
                vector = vectors.embed_query(text)

                def bare_words(asked: Sequence[str] = asked) -> None:
                    for name in ("note_words", "passage_words"):
                        bare.best(name, asked)

                def in_a_row(request: SearchRequest = request) -> None:
                    find_words(reader, request)
                    find_meaning(beside, vectors, request)

                def side_by_side(request: SearchRequest = request) -> None:
                    both = [
                        pool.submit(find_words, reader, request),
                        pool.submit(find_meaning, beside, vectors, request),
                    ]
                    for one in both:
                        one.result()

                steps: dict[str, Callable[[], object]] = {
                    "words": lambda r=request: find_words(reader, r),
                    "meaning": lambda r=request: find_meaning(beside, vectors, r),
                    "links": lambda r=request, w=words, m=meaning: find_links(reader, r, w, m),
                    "answer": lambda r=request, w=words, m=meaning, n=links: answer(
                        reader, r, w, m, n, model=vectors.model
                    ),
                    "in a row": in_a_row,
                    "side by side": side_by_side,
                    "bare words": bare_words,
                    "bare scan": lambda v=vector: nearest_rows(held.matrix, v, 50),
                }
                for name, seconds in _timed(steps).items():
                    took.setdefault(name, []).extend(seconds)
            took["whole"] = [
                sum(parts) for parts in zip(took["words"], took["meaning"], took["links"], took["answer"], strict=True)
            ]
            took["floor"] = [sum(parts) for parts in zip(took["bare words"], took["bare scan"], strict=True)]
    for one in (reader, beside, bare):
        one.close()
    return found


def _timed(steps: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {name: [] for name in steps}
    gc.disable()  # a collection of all that the harness holds would fall upon one step by chance
    for number in range(REPEATS):
        for name in list(steps)[:: -1 if number % 2 else 1]:
            clock = time.perf_counter if name in _BY_THE_CLOCK else time.thread_time
            began = clock()
            steps[name]()
            took[name].append(clock() - began)
    gc.enable()
    return took


def bytes_a_second(index_file: Path) -> float:
    """Return how fast this machine, as busy as it is, adds up the bytes of all vectors: what a scan cannot beat."""
    reader = Reader(index_file)
    reader.begin()
    matrix = reader.vectors(KEY, DIMENSIONS).matrix
    numbers = matrix.reshape(-1).view(np.int64)
    took = in_turns({"sum": lambda: int(numbers.sum())}, 5)["sum"]
    reader.close()
    return matrix.nbytes / median(took)


def measure(workplace: Path, notes: int, *, keep: bool = False, seed: int = 1) -> dict[str, object]:
    """Measure all of it for a folder of `notes` notes; times in seconds, sizes in MB."""
    folder, index_file = workplace / f"notes-{notes}", workplace / f"index-{notes}" / "index.db"
    vectors = ClusteredVectors(seed)
    if not folder.is_dir():
        write_notes(folder, notes, seed)
    found: dict[str, object] = {"notes": notes, "text": sum(file.size for file in scan_folder(folder).files) / 1e6}
    if not (keep and index_file.is_file()):
        for file in index_file.parent.glob("*"):
            file.unlink()
        found["build"] = build_in_a_process(folder, index_file)
        found["index without vectors"] = index_file.stat().st_size / 1e6
        bare = workplace / "bare.db"
        bare.unlink(missing_ok=True)
        found["bare inserts"] = bare_inserts(folder, bare)
        bare.unlink()
        found["store vectors"] = seconds_of(lambda: store_made_up_vectors(index_file, vectors))
    found["index"] = index_file.stat().st_size / 1e6
    reader = Reader(index_file)
    some = query_classes(reader.connection)["two common words"]
    reader.close()
    found["openings"] = openings(index_file, vectors, some)
    found["own memory after it"] = _own_memory()
    found["bytes a second"] = bytes_a_second(index_file)
    found["queries"] = measure_queries(index_file, vectors)
    return found


def _own_memory() -> float:
    memory = psutil.Process().memory_info()
    return (memory.rss - getattr(memory, "shared", 0)) / 1e6


def told(found: dict[str, object]) -> Iterator[str]:
    """Yield what was found as lines to read; milliseconds, p50 / p95."""
    for name, value in found.items():
        if name == "queries":
            continue
        if name == "openings":
            for step, seconds in value.items():  # type: ignore[attr-defined]
                yield f"{step:24}{', '.join(f'{one * 1e3:.1f}' for one in seconds)} ms"
        else:
            yield f"{name:24}{value}"
    steps = (
        "words",
        "meaning",
        "links",
        "answer",
        "whole",
        "floor",
        "bare words",
        "bare scan",
        "in a row",
        "side by side",
    )
    yield "\t".join(("class", *steps))
    for title, took in found["queries"].items():  # type: ignore[attr-defined]
        shown = (f"{percentile(took[one], 0.5) * 1e3:.1f}/{percentile(took[one], 0.95) * 1e3:.1f}" for one in steps)
        yield "\t".join((title, *shown))


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Measure one size of folder.")
    parser.add_argument("place", type=Path)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--build", type=Path)
    options = parser.parse_args()
    if options.build:
        _build(options.build, options.place)
        return
    found = measure(options.place, options.notes, keep=options.keep)
    (options.place / f"found-{options.notes}.json").write_text(json.dumps(found), encoding="utf-8")
    print("\n".join(told(found)))


if __name__ == "__main__":
    main()
