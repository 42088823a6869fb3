"""Queries through the core pipeline, and each of its steps, beside bare FTS5 and a bare scan of the same vectors.

The vectors are made up (unit length, one for each text), so nothing has to be embedded and every machine can run
this; they cost what real ones cost. The query's own embedding is measured with the real model, apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.index.writer import Writer
from core.search.results import ModelName
from core.search.search import SearchRequest, answer, find_links, find_meaning, find_words, search
from core.search.terms import terms_of
from tests.benchmarks.floors import BareWords, nearest_rows
from tests.benchmarks.measure import in_turns, percentiles, ratio_to, shown
from tests.benchmarks.queries import NOTHING_TO_FIND, query_classes

DIMENSIONS = 384
KEY = "made-up"
REPEATS = 5


class FixedEncoder:
    """A model that gives every query the same unit vector."""

    key = KEY
    model = ModelName("made-up", DIMENSIONS, "0" * 64)

    def __init__(self) -> None:
        [self.vector] = unit_vectors(1, seed=2)

    def embed_query(self, text: str) -> np.ndarray:
        return self.vector


@dataclass
class Indexed:
    """An index with a vector for each passage, open for search, and the same open for the floors."""

    title: str
    file: Path
    reader: Reader
    bare: BareWords
    matrix: np.ndarray


@pytest.fixture(scope="module")
def indexed(notes, tmp_path_factory) -> Iterator[Indexed]:
    file = tmp_path_factory.mktemp("queries") / "index.db"
    update_index(notes.folder, file)
    writer = Writer(file)
    with writer.transaction():
        writer.use_model(KEY)
        hashes = [row[0] for row in writer.connection.execute("SELECT DISTINCT hash FROM passage ORDER BY hash")]
        vectors = unit_vectors(len(hashes), seed=1)
        writer.store_vectors(KEY, [(text, vector.tobytes()) for text, vector in zip(hashes, vectors, strict=True)])
    writer.close()
    reader, bare = Reader(file), BareWords(file)
    reader.begin()
    held = reader.vectors(KEY, DIMENSIONS)
    title = f"{notes.title}, {len(held.passages):,} passages"
    reader.end()
    yield Indexed(title, file, reader, bare, held.matrix)
    bare.close()
    reader.close()


def unit_vectors(count: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).standard_normal((count, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_classes_of_queries_beside_bare_fts5_and_a_bare_scan(indexed, table):
    reader, encoder = indexed.reader, FixedEncoder()
    group = f"Query, p50 / p95 / p99 ({indexed.title})"
    reader.begin()
    classes = query_classes(reader.connection)
    reader.end()
    found = {}
    everything, everything_floor = [], []
    for title, texts in classes.items():
        took = {"first": []}
        for text in texts:
            took["first"] += in_turns({"first": lambda text=text: search(reader, encoder, SearchRequest(text))}, 1)[
                "first"
            ]
            for name, seconds in _timed(indexed, encoder, text).items():
                took.setdefault(name, []).extend(seconds)
            found[title] = found.get(title, 0) + search(reader, encoder, SearchRequest(text)).legs["words"].notes
        both = [words + scan for words, scan in zip(took["bare words"], took["bare scan"], strict=True)]
        everything += took["search"]
        everything_floor += both
        table.add(group, title, percentiles(took["search"]), percentiles(both), ratio_to(both, took["search"]))
        for name, part, floor in (
            ("words leg, beside both tables by rank", "words", "bare words"),
            ("words leg, beside the table of notes by rank", "words", "bare notes"),
            ("meaning leg", "meaning", "bare scan"),
        ):
            table.add(
                group, f"  {name}", percentiles(took[part]), percentiles(took[floor]), ratio_to(took[floor], took[part])
            )
        for name, part in (
            ("links leg", "links"),
            ("fusion, evidence, 50 snippets", "answer"),
            ("all of it, the first time it is asked", "first"),
        ):
            table.add(group, f"  {name}", percentiles(took[part]))
    table.add(
        group,
        "all of them",
        percentiles(everything),
        percentiles(everything_floor),
        ratio_to(everything_floor, everything),
    )
    # What was timed must have been a search.
    assert not found["nonsense"]
    assert all(count for title, count in found.items() if title not in NOTHING_TO_FIND)


def test_first_query_of_a_reader_and_of_a_change(indexed, table, rounds):
    encoder, request = FixedEncoder(), SearchRequest("a first query")
    writer = Writer(indexed.file)
    reader = Reader(indexed.file)

    def opened():
        fresh = Reader(indexed.file)
        search(fresh, encoder, request)
        fresh.close()

    def changed():
        search(reader, encoder, request)

    search(reader, encoder, request)
    times = {"opened": [], "changed": [], "known": []}
    for number in range(rounds):
        with writer.transaction():
            writer.set_meta("benchmark", str(number))
        for name, part in (("opened", opened), ("changed", changed), ("known", changed)):
            times[name] += in_turns({name: part}, 1)[name]
    reader.close()
    writer.close()
    group = f"Query that finds nothing remembered; floor: the same query once more ({indexed.title})"
    for name, part in (
        ("first query after opening", "opened"),
        ("first query after a commit of the indexer", "changed"),
    ):
        known = times["known"]
        table.add(group, name, shown(median(times[part])), shown(median(known)), ratio_to(known, times[part]))


def _timed(indexed: Indexed, encoder: FixedEncoder, text: str) -> dict[str, list[float]]:
    """Return the seconds of a search, of its steps and of the floors, taken in turns."""
    reader, request = indexed.reader, SearchRequest(text)
    # All steps need what those before them found, so one run comes first; it also warms every part alike.
    reader.begin()
    words, meaning = find_words(reader, request), find_meaning(reader, encoder, request)
    links = find_links(reader, request, words, meaning)
    asked = [spelling.expression for term in terms_of(reader, request.query) for spelling in term.spellings]

    def bare_words():
        for name in ("note_words", "passage_words"):
            indexed.bare.best(name, asked)

    steps = {
        "words": lambda: find_words(reader, request),
        "meaning": lambda: find_meaning(reader, encoder, request),
        "links": lambda: find_links(reader, request, words, meaning),
        "answer": lambda: answer(reader, request, words, meaning, links, model=encoder.model),
        "bare words": bare_words,
        "bare notes": lambda: indexed.bare.best("note_words", asked),
        "bare scan": lambda: nearest_rows(indexed.matrix, encoder.vector, 50),
    }
    took = in_turns(steps, REPEATS)
    reader.end()
    return took | in_turns({"search": lambda: search(reader, encoder, request)}, REPEATS)
