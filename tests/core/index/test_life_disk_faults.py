"""A disk that is full, that fails, or that loses its power, at each change which SQLite makes on it.

Nothing is lost that was kept before, what is there is whole and answers, the run says one sentence, and the next one
finishes the rest.
"""

from __future__ import annotations

import contextlib
import random
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from unittest import mock

import apsw
import pytest

from app.indexing_child import IndexingJob, _updated
from core.errors import IndexFileError
from core.index import building, indexing_run
from core.index.builds import current_build
from core.index.indexer import IndexingSeams
from core.index.reader import Reader
from tests.tools.fake_model import FakeModel
from tests.tools.living_notes import QUERIES, plant, tend
from tests.tools.watched_vfs import Change, Failing, after_a_power_cut, watched
from tests.tools.whole_answers import whole_answers

MODEL = FakeModel()
KINDS = ("first build", "update", "rebuild")


@pytest.fixture
def often(monkeypatch):
    """Commit each note and each vector by itself, so that a small folder has many states on the disk."""
    monkeypatch.setattr(indexing_run, "COMMIT_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(indexing_run, "BIG_RUN", 10)


class Ground:
    """A folder, the index of its earlier state, and what a sound index of its later state answers."""

    def __init__(self, base: Path, kind: str) -> None:
        self.base, self.kind = base, kind
        self.folder = base / "notes"
        self.index_file = base / "home" / "index.db"
        plant(self.folder, 18)
        self._old = base / "old" / "index.db"
        self.index(self._old)
        self._words_before = hits_by_words(self._old)
        tend(self.folder, 18)
        sound = base / "sound" / "index.db"
        self.index(sound)
        self._after = whole_answers(sound, QUERIES, MODEL)
        self._words_after = hits_by_words(sound)

    def set_out(self) -> None:
        """Put the index back to what each run starts from."""
        shutil.rmtree(self.index_file.parent, ignore_errors=True)
        self.index_file.parent.mkdir()
        if self.kind != "first build":
            shutil.copy(self._old, self.index_file)

    def index(self, file: Path | None = None, *, rebuild: bool = False) -> None:
        _updated(IndexingJob(self.folder, file or self.index_file, MODEL, rebuild), IndexingSeams())

    def run(self) -> None:
        """Make the run that something befalls."""
        self.index(rebuild=self.kind == "rebuild")

    def files(self) -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in self.index_file.parent.iterdir() if file.suffix != ".db-shm"}

    def check_what_is_there(self) -> None:
        """Check that the index is whole, and answers for what it holds."""
        assert not self.index_file.with_name("index.db.unusable").exists()
        if not current_build(self.index_file).exists() or self.is_empty():
            assert self.kind == "first build"
            return
        reader = Reader(self.index_file)
        assert reader.integrity_faults() == []
        reader.close()
        answers = whole_answers(self.index_file, QUERIES, MODEL)
        assert not any('"failed"' in answer for answer in answers)
        if self.kind == "rebuild":
            # All of its notes change in one step; vectors follow.
            assert hits_by_words(self.index_file) in (self._words_before, self._words_after)

    def is_empty(self) -> bool:
        connection = apsw.Connection(str(current_build(self.index_file)))
        try:
            return not connection.execute("SELECT count(*) FROM sqlite_schema").get
        finally:
            connection.close(True)

    def check_the_rest(self) -> float:
        """Check that the next run finishes, and return its seconds."""
        started = time.monotonic()
        self.index()
        seconds = time.monotonic() - started
        assert whole_answers(self.index_file, QUERIES, MODEL) == self._after
        return seconds


@contextlib.contextmanager
def switch_told(tell: Callable[[Change], None]) -> Iterator[None]:
    """Tell what is changed when another build answers, which does not go through SQLite: synced, then in one step."""

    def publish(index_file: Path, build: Path) -> None:
        real_publish(index_file, build)
        pointer = index_file.with_name("index.db.current")
        tell(Change("write", str(pointer), 0, pointer.read_bytes()))
        tell(Change("sync", str(pointer)))

    def remove_old_builds(index_file: Path) -> None:
        there = sorted(index_file.parent.iterdir())
        real_remove(index_file)
        for file in there:
            if not file.exists():
                tell(Change("delete", str(file)))

    real_publish, real_remove = building.publish, building.remove_old_builds
    with mock.patch.multiple(building, publish=publish, remove_old_builds=remove_old_builds):
        yield


def hits_by_words(index_file: Path) -> list[str]:
    """Return the lists of notes that words and links give, without what tells of vectors."""
    return [answer.partition('"results"')[2] for answer in whole_answers(index_file, QUERIES)]


def evenly(count: int, most: int, chance: random.Random) -> list[int]:
    """Return numbers from 1 to `count`: all, or `most` of them spread evenly."""
    if count <= most:
        return list(range(1, count + 1))
    return [1 + int((step + chance.random()) * count / most) for step in range(most)]


def line_of_figures(kind: str, what: str, seconds: list[float]) -> str:
    recovered = f"recovered in {median(seconds):.2f} s (median), {max(seconds):.2f} s (worst)"
    return f"{what}, {kind}: {len(seconds)} times; lost 0; {recovered}"


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("fault", ["full", "failing", "failing once"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_disk_that_fails_at_any_change(often, tmp_path, kind, fault, life_length, life_figures):
    ground = Ground(tmp_path, kind)
    seen: list[Change] = []
    ground.set_out()
    with watched(seen.append):
        ground.run()
    error = apsw.FullError if fault == "full" else apsw.IOError
    seconds, sentences = [], []
    for number in evenly(len(seen), life_length(4, 250), random.Random(5)):
        ground.set_out()
        with watched(Failing(number, error, once=fault == "failing once")):
            try:
                ground.run()
            except IndexFileError as failure:
                sentences.append(str(failure))
        ground.check_what_is_there()
        seconds.append(ground.check_the_rest())
    # The last changes are those of closing, when all is kept already.
    assert len(sentences) > len(seconds) / 2
    told = (
        "The disk that holds the index .* is full" if fault == "full" else "The index .* could not be read or written"
    )
    assert all(re.match(told, each) for each in sentences), sentences
    life_figures(line_of_figures(kind, f"disk {fault}", seconds))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", KINDS)
def test_power_that_goes_at_any_change_leaves_an_index_that_goes_on(often, tmp_path, kind, life_length, life_figures):
    ground = Ground(tmp_path, kind)
    ground.set_out()
    before = ground.files()
    seen: list[Change] = []
    with watched(seen.append), switch_told(seen.append):
        ground.run()
    at_the_switch = {number for number, change in enumerate(seen, 1) if change.path.endswith(".current")}
    assert bool(at_the_switch) is (kind == "rebuild")
    chance = random.Random(7)
    seconds = []
    for last in sorted({*evenly(len(seen), life_length(7, 300), chance), *at_the_switch, len(seen)}):
        shutil.rmtree(ground.index_file.parent)
        ground.index_file.parent.mkdir()
        for path, content in after_a_power_cut(before, seen[:last], chance).items():
            Path(path).write_bytes(content)
        ground.check_what_is_there()
        seconds.append(ground.check_the_rest())
    life_figures(line_of_figures(kind, "power cut", seconds))
