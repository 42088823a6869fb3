"""That neither searching nor bringing an index up to date leaves memory or disk behind; `--long` for days of it.

What Python, numpy and SQLite hold is counted, not what the system gives the process, so that the counts are steady.
"""

from __future__ import annotations

import gc
import itertools
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import psutil
import pytest

from core.index import postings as postings_module
from core.index import reader as reader_module
from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.search import SearchRequest, search
from tests.tools.fake_model import FakeModel
from tests.tools.generate_notes import write_notes

NOTES = 40
MODEL = FakeModel()
KEPT = 40
"""Instead of some hundred, so that few searches fill what is kept of earlier ones, and the oldest is given up."""

KEPT_BYTES = 100_000
WARM_UP = 100

MOST_GROWTH = 300_000
"""Bytes. Where nothing is given up, 250 searches leave 750,000 behind; now it is some 10,000."""

MOST_PROCESS_GROWTH = 60_000_000


pytestmark = pytest.mark.timeout(1800)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_notes(tmp_path / "notes", NOTES)
    return tmp_path / "notes"


@pytest.fixture
def index_file(folder: Path, tmp_path: Path) -> Path:
    file = tmp_path / "index" / "index.db"
    update_index(folder, file, MODEL)
    return file


@pytest.fixture
def held() -> Iterator[Callable[[], int]]:
    """Return a function that tells the bytes which Python, numpy and SQLite hold now."""
    tracemalloc.start()

    def count() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0] + apsw.memory_used()

    yield count
    tracemalloc.stop()


def own_memory() -> int:
    memory = psutil.Process().memory_info()
    return memory.rss - getattr(memory, "shared", 0)


def queries(index_file: Path) -> Iterator[str]:
    """Yield queries without end, hardly one like another."""
    draw = random.Random(4)
    reader = Reader(index_file)
    words = [row[0] for row in reader.connection.execute("SELECT term FROM vocabulary ORDER BY doc DESC LIMIT 200")]
    reader.close()
    forms = ("{0} {1}", "{0} {1} {2}", '"{0} {1}"', "{0} -{1}", "{0}* {1}", "path:{0} {1}", "{2} -{0} -{1}", "zq{0}{1}")
    while True:
        yield draw.choice(forms).format(*draw.sample(words, 3))


def test_searches_leave_no_memory_behind(index_file, held, life_length, life_figures, monkeypatch):
    monkeypatch.setattr(reader_module, "MOST_KEPT", KEPT)
    monkeypatch.setattr(postings_module, "MOST_KEPT_BYTES", KEPT_BYTES)
    count = life_length(250, 10_000)
    asked = queries(index_file)
    reader = Reader(index_file)
    try:
        for text in itertools.islice(asked, WARM_UP):
            search(reader, MODEL, SearchRequest(text))
        before, process_before = held(), own_memory()
        for text in itertools.islice(asked, count):
            search(reader, MODEL, SearchRequest(text))
        after, process_after = held(), own_memory()
    finally:
        reader.close()
    grown, process_grown = (after - before) / 1e3, (process_after - process_before) / 1e6
    life_figures(f"{count:,} searches: {grown:+,.0f} kB held, process {process_grown:+,.1f} MB")
    assert after - before < MOST_GROWTH
    assert process_after - process_before < MOST_PROCESS_GROWTH


def test_updates_leave_neither_memory_nor_disk_behind(folder, index_file, held, life_length, life_figures):
    count = life_length(40, 1_000)
    files = sorted(folder.rglob("*.md"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    reader = Reader(index_file)

    def update(number: int) -> None:
        """Edit a note, and take another one away or put it back, as days of writing do."""
        place = number % len(files)
        edited = texts[place].replace("a", "e" if number % 3 else "o")
        files[place].write_text(f"{edited}\nday {number:06}\n", encoding="utf-8")
        os.utime(files[place], ns=(number * 10**9, number * 10**9))
        other = files[(place + 7) % len(files)]
        if number % 4 == 0 and other.exists():
            other.unlink()
        report = update_index(folder, index_file, MODEL)
        assert report.changed or report.added
        search(reader, MODEL, SearchRequest(f"day {number:06}"))

    try:
        for number in range(1, 41):
            update(number)
        before, process_before, size_before = held(), own_memory(), index_file.stat().st_size
        for number in range(41, 41 + count):
            update(number)
        after, process_after, size_after = held(), own_memory(), index_file.stat().st_size
    finally:
        reader.close()
    grown, process_grown = (after - before) / 1e3, (process_after - process_before) / 1e6
    life_figures(
        f"{count:,} updates: {grown:+,.0f} kB held, process {process_grown:+,.1f} MB, "
        f"index {size_before / 1e6:.1f} MB, then {size_after / 1e6:.1f}"
    )
    assert after - before < MOST_GROWTH
    assert process_after - process_before < MOST_PROCESS_GROWTH
    assert size_after < 1.5 * size_before
