"""A real indexing process is killed at any moment: the index is whole, answers, and the next run does only the rest."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import apsw
import pytest

from app.paths import places
from core.index.builds import current_build, pending_build
from tests.tools.fake_model import FakeModel
from tests.tools.living_notes import QUERIES, plant, tend
from tests.tools.whole_answers import whole_answers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills a process group")

MODEL = FakeModel()
PHASES = ("open", "scan", "read", "link", "tidy", "embed", "switch", "close")
KINDS = ("first build", "update", "rebuild")


@dataclass(frozen=True)
class Ground:
    """What the runs of one kind start from: a folder, the home before them, and what a sound index answers after."""

    folder: Path
    home: Path
    options: tuple[str, ...]
    moments: tuple[str, ...]
    expected: list[str]
    embedded: int


@pytest.fixture(scope="module")
def run_cli(project):
    """Return a function that runs the command line in a group of its own, to its end or to the chosen moment."""

    def run(ground_folder, home, *options, die_at=0, moments=None, embedded=None):
        files = {"TRISKEL_EMBEDDED": str(embedded or home.with_name("embedded"))}
        if moments:
            files["TRISKEL_MOMENTS"] = str(moments)
        return subprocess.run(
            [sys.executable, "tests/tools/dying_cli.py", "index", ground_folder, "--home", home, "--json", *options],
            cwd=project,
            env={**os.environ, **files, "TRISKEL_DIE_AT": str(die_at)},
            start_new_session=True,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


@pytest.fixture(scope="module")
def grounds(tmp_path_factory, run_cli):
    """The three kinds of run, each run once undisturbed, so that its moments are known."""
    base = tmp_path_factory.mktemp("killed")
    folder, empty, old = base / "notes", base / "empty", base / "old"
    plant(folder)
    empty.mkdir()
    assert run_cli(folder, old).returncode == 0
    tend(folder)
    made = {}
    for kind, home, options in (("first build", empty, ()), ("update", old, ()), ("rebuild", old, ("--rebuild",))):
        place = base / kind
        shutil.copytree(home, place / "home")
        done = run_cli(folder, place / "home", *options, moments=place / "moments", embedded=place / "embedded")
        assert done.returncode == 0, done.stderr
        moments = tuple((place / "moments").read_text().split("\n"))
        answers = whole_answers(places(place / "home").index_file(folder), QUERIES, MODEL)
        made[kind] = Ground(folder, home, options, moments, answers, len((place / "embedded").read_text().split()))
    assert made["first build"].expected == made["update"].expected == made["rebuild"].expected
    return made


def chosen_moments(grounds, count):
    """Return (kind, phase, moment) triples, spread evenly over phases, at random within each."""
    chance = random.Random(4)
    found = []
    while len(found) < count:
        for phase in PHASES:
            kind = chance.choice([kind for kind in KINDS if phase in grounds[kind].moments])
            at = [number for number, name in enumerate(grounds[kind].moments, start=1) if name == phase]
            if len(found) < count:
                found.append((kind, phase, chance.choice(at)))
    return found


def vectors_kept(index_file):
    """Return which texts have a vector, in the build that answers or in the one that was begun after it."""
    return vectors_in(current_build(index_file)) | vectors_in(pending_build(index_file))


def vectors_in(build):
    if not build.exists():
        return set()
    connection = apsw.Connection(str(build), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return set(connection.execute("SELECT hash FROM vector WHERE model = ?", (MODEL.key,)).fetchall())
    except apsw.SQLError:
        return set()  # Killed before there were tables.
    finally:
        connection.close(True)


def check_what_is_there(index_file):
    """Check that an index whose writer was killed is whole, and that it answers for what it holds."""
    connection = apsw.Connection(str(current_build(index_file)), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").get
    connection.close(True)
    if not tables:
        return
    for answer in map(json.loads, whole_answers(index_file, QUERIES, MODEL)):
        assert "failed" not in {leg["state"] for leg in answer["legs"].values()}, answer
        assert len(answer["results"]) == min(answer["total"], 50)


@pytest.mark.timeout(1800)
def test_a_killed_run_loses_nothing_and_the_next_one_does_only_the_rest(
    grounds, run_cli, tmp_path, life_length, life_figures
):
    seconds, tried = [], Counter()
    for number, (kind, phase, moment) in enumerate(chosen_moments(grounds, life_length(5, 120))):
        ground = grounds[kind]
        home = tmp_path / f"{number}" / "home"
        shutil.copytree(ground.home, home)
        index_file = places(home).index_file(ground.folder)
        tried[f"{kind}/{phase}"] += 1
        killed = run_cli(ground.folder, home, *ground.options, die_at=moment)
        assert killed.returncode == -9, (kind, phase, moment, killed.stderr)
        before = set()
        if current_build(index_file).exists():
            check_what_is_there(index_file)
            before = vectors_kept(index_file)
        log = home.with_name("after")
        started = time.monotonic()
        done = run_cli(ground.folder, home, embedded=log)
        seconds.append(time.monotonic() - started)
        assert done.returncode == 0, (kind, phase, moment, done.stderr)
        assert whole_answers(index_file, QUERIES, MODEL) == ground.expected, (kind, phase, moment)
        embedded = len(log.read_text().split()) if log.exists() else 0
        new = len(vectors_kept(index_file) - before)
        assert embedded == new, (kind, phase, moment)
        shutil.rmtree(home)
    kinds = ", ".join(f"{what} {count}" for what, count in sorted(tried.items()))
    recovered = f"recovered in {median(seconds):.2f} s (median), {max(seconds):.2f} s (worst)"
    life_figures(f"killed {len(seconds)} times ({kinds}); lost 0; {recovered}")
