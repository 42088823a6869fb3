"""Whatever lies where the index should be: it is never answered from wrongly, is told, moved aside and made again."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import apsw
import pytest

from app.indexing_child import IndexingJob, _updated, is_damaged
from core.errors import IndexFileError
from core.index.database import move_aside
from core.index.indexer import IndexingSeams, needs_update
from tests.tools.fake_model import FakeModel
from tests.tools.living_notes import QUERIES, plant
from tests.tools.whole_answers import whole_answers

MODEL = FakeModel()


def execute(file: Path, statements: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(statements)
    connection.close()


def of_another_program(file: Path) -> None:
    file.unlink()
    execute(file, "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'theirs')")


def cut_to(size: int) -> Callable[[Path], None]:
    return lambda file: file.write_bytes(file.read_bytes()[:size])


def a_log_of_another_index(file: Path) -> None:
    other = file.with_name("other.db")
    connection = apsw.Connection(str(other))
    connection.execute(
        "PRAGMA journal_mode = wal; CREATE TABLE note (id, body); INSERT INTO note VALUES (1, 'other')"
    ).fetchall()
    for companion in ("-wal", "-shm"):
        shutil.copy(f"{other}{companion}", f"{file}{companion}")
    connection.close()


def a_log_of_nothing(file: Path) -> None:
    for companion in ("-wal", "-shm"):
        Path(f"{file}{companion}").write_bytes(random.Random(1).randbytes(70_000))


def rows_that_were_lost(file: Path) -> None:
    execute(file, "DELETE FROM note WHERE id % 2")


def a_journal_of_nothing(file: Path) -> None:
    Path(f"{file}-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(2000))


SPOILT = {
    "another kind of file": lambda file: file.write_bytes(b"not a database at all " * 100),
    "zero bytes": lambda file: file.write_bytes(b""),
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "of another program": of_another_program,
    "of an older version": lambda file: execute(file, "PRAGMA user_version = 1"),
    "of a newer version": lambda file: execute(file, "PRAGMA user_version = 9999; CREATE TABLE future (x)"),
    "cut in its first page": cut_to(1000),
    "cut at a page": cut_to(4096 * 4),
    "cut within a page": cut_to(4096 * 9 + 100),
    "a table was dropped": lambda file: execute(file, "DROP TABLE link"),
    "a table was added": lambda file: execute(file, "CREATE TABLE more (x)"),
    "rows are gone": rows_that_were_lost,
    "the log of another index beside it": a_log_of_another_index,
    "a log of nothing beside it": a_log_of_nothing,
    "a journal of nothing beside it": a_journal_of_nothing,
}


class Ground:
    """A folder with a sound index and what it answers."""

    def __init__(self, base: Path) -> None:
        self.folder = base / "notes"
        plant(self.folder)
        self.index_file = base / "home" / "index.db"
        self._kept = base / "kept.db"
        self.index()
        shutil.copy(self.index_file, self._kept)
        self.sound = whole_answers(self.index_file, QUERIES, MODEL)

    def set_out(self) -> None:
        shutil.rmtree(self.index_file.parent)
        self.index_file.parent.mkdir()
        shutil.copy(self._kept, self.index_file)

    def index(self, *, rebuild: bool = False) -> None:
        """Index as the indexing process does."""
        _updated(IndexingJob(self.folder, self.index_file, MODEL, rebuild), IndexingSeams())

    def ask(self) -> list[str] | None:
        """Return the answers, None where the index, or a leg of one of them, says that it cannot answer."""
        try:
            needs_update(self.folder, self.index_file, MODEL.key)
            answers = whole_answers(self.index_file, QUERIES, MODEL)
        except IndexFileError:
            return None
        return None if any('"state": "failed"' in answer for answer in answers) else answers


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    return Ground(tmp_path_factory.mktemp("damage"))


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_what_is_no_sound_index_is_told_and_made_again(ground, spoil):
    ground.set_out()
    spoil(ground.index_file)
    assert ground.ask() in (None, ground.sound)
    ground.index()
    assert ground.ask() == ground.sound


@pytest.mark.parametrize("kind", ["another kind of file", "of another program", "of a newer version", "cut at a page"])
def test_what_was_not_ours_or_is_ours_no_more_is_kept_beside(ground, kind):
    ground.set_out()
    SPOILT[kind](ground.index_file)
    before = ground.index_file.read_bytes()
    ground.index()
    assert ground.index_file.with_name("index.db.unusable").read_bytes() == before


@pytest.mark.timeout(1800)
def test_flipped_bits_are_found_out_or_harmless_or_gone_with_the_next_build(ground, life_length, life_figures):
    became: Counter[str] = Counter()
    seconds = []
    for _ in flips(ground, life_length(15, 400)):
        answers = ground.ask()
        if answers is None:
            became["told"] += 1
        elif answers == ground.sound:
            became["harmless"] += 1
        else:
            became["found by SQLite" if is_damaged(ground.index_file, quick=False) else "found by no one"] += 1
        started = time.monotonic()
        move_aside(ground.index_file)
        ground.index()
        seconds.append(time.monotonic() - started)
        assert ground.ask() == ground.sound
    made = f"made again in {median(seconds):.2f} s (median), {max(seconds):.2f} s (worst)"
    life_figures(f"flipped bits: {dict(became)}; {made}")


def flips(ground: Ground, count: int) -> Iterator[None]:
    """Set the index back and flip some of its bits, as often as asked."""
    chance = random.Random(8)
    for _ in range(count):
        ground.set_out()
        data = bytearray(ground.index_file.read_bytes())
        for _ in range(chance.choice([1, 1, 3, 20])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        ground.index_file.write_bytes(data)
        yield
