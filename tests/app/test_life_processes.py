"""Many processes use one index at once: two that index, two readers that stay open, and command lines that search.

Nobody meets a locked database, whoever writes second waits, and each answer is that of a committed generation.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import time

import pytest

from app.paths import places
from core.index.indexer import update_index
from core.index.reader import Reader
from core.index.writer import Writer
from tests.tools.fake_model import FakeModel
from tests.tools.living_notes import QUERIES, plant
from tests.tools.recording_cli import digest_of, generation_and_answers
from tests.tools.whole_answers import whole_answers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="readers wait on a pipe")

MODEL = FakeModel(seconds=0.01)


@pytest.fixture
def start(project, tmp_path):
    """Return a function that starts a command line or a reader; all are ended with the test."""
    started = []

    def call(*arguments):
        # Into files, since no one reads while they run.
        out, err = (tmp_path / f"{name}{len(started)}" for name in ("out", "err"))
        with out.open("w") as to_out, err.open("w") as to_err:
            process = subprocess.Popen(
                [sys.executable, "tests/tools/recording_cli.py", *map(str, arguments)],
                cwd=project,
                env={**os.environ, "TRISKEL_RECORD": str(tmp_path / "record")},
                stdin=subprocess.PIPE,
                stdout=to_out,
                stderr=to_err,
            )
        started.append(process)
        process.number = len(started) - 1
        return process

    yield call
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()


class Crowd:
    """The processes around one index."""

    def __init__(self, start, folder, home, tmp_path):
        self._start, self._folder, self._home, self._base = start, folder, home, tmp_path
        self.index_file = places(home).index_file(folder)
        self.readers = [start("ask", self.index_file) for _ in range(2)]
        self.ended = []

    def index(self):
        return self._start("index", self._folder, "--home", self._home, "--json")

    def search(self, *options):
        asked = ("search", "apple", "--folder", self._folder, "--home", self._home, "--format", "json", "--no-meaning")
        return self._start(*asked, *options)

    def wait(self, processes):
        for process in processes:
            process.wait(timeout=120)
            self.ended.append(process)

    def said(self, process):
        out, err = (self._base / f"{name}{process.number}" for name in ("out", "err"))
        return out.read_text("utf-8"), err.read_text("utf-8")


def digest_before_the_first(file):
    """Return the digest of what an index answers that has been made, and of which nothing is committed yet."""
    Writer(file).close()
    with contextlib.closing(Reader(file)) as reader:
        generation, answers = generation_and_answers(reader, file)
        reader.end()
    assert generation == 0
    return digest_of(answers)


def change_some(folder, chance, turn):
    """Edit, delete, rename and add some notes."""
    notes = sorted(folder.rglob("*.md"))
    for note in chance.sample(notes, 6):
        note.write_text(
            f"# Turn {turn}\n\nchanged apple {chance.choice(QUERIES)} [[n{chance.randrange(36)}]]\n", "utf-8"
        )
    for note in chance.sample(notes, 2):
        note.unlink()
    for number in range(3):
        (folder / f"turn{turn}-{number}.md").write_text(f"plums fig {turn} [[n{number}]]", "utf-8")


@pytest.mark.timeout(900)
def test_all_see_committed_generations_and_no_one_meets_a_lock(start, tmp_path, life_length, life_figures):
    folder, home = tmp_path / "notes", tmp_path / "home"
    plant(folder)
    chance = random.Random(3)
    crowd = Crowd(start, folder, home, tmp_path)
    searches = []
    for turn in range(life_length(3, 25)):
        indexers = [crowd.index(), crowd.index()]
        if turn:
            asking = [crowd.search("--no-update"), crowd.search()]
            searches += asking
            crowd.wait(asking)
            change_some(folder, chance, turn)
        crowd.wait(indexers)
    crowd.wait([crowd.index()])
    time.sleep(0.5)
    for reader in crowd.readers:
        reader.stdin.close()
    crowd.wait(crowd.readers)

    for process in crowd.ended:
        assert process.returncode == 0, crowd.said(process)
        assert "locked" not in crowd.said(process)[1]
        assert "Traceback" not in crowd.said(process)[1]
    committed = [json.loads(line) for line in (tmp_path / "record").read_text("utf-8").splitlines()]
    digest_by_generation = {0: digest_before_the_first(tmp_path / "empty.db")}
    digest_by_generation |= {line["generation"]: line["digest"] for line in committed}
    seen = [json.loads(line) for reader in crowd.readers for line in crowd.said(reader)[0].splitlines()]
    assert len({line["generation"] for line in seen}) > 3
    for line in seen:
        assert line["digest"] == digest_by_generation[line["generation"]], line["generation"]
    plain = {line["plain"] for line in committed}
    assert searches
    for process in searches:
        assert crowd.said(process)[0] in plain

    fresh = tmp_path / "fresh" / "index.db"
    update_index(folder, fresh, MODEL)
    assert whole_answers(crowd.index_file, QUERIES, MODEL) == whole_answers(fresh, QUERIES, MODEL)
    generations = len({line["generation"] for line in seen})
    life_figures(
        f"processes at once: {len(crowd.ended)} ended well, {len(seen)} answers of {generations} of "
        f"{len(digest_by_generation)} generations and {len(searches)} searches, all of a committed one"
    )
