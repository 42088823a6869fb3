"""A disk that is really full: a small file system in memory, filled by the index itself, then given more room."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import apsw
import pytest

from app.paths import places
from tests.tools.living_notes import QUERIES, plant, tend
from tests.tools.whole_answers import whole_answers

ENOUGH_KB = 20_000


@pytest.fixture
def small_disk(tmp_path):
    """Return the folder of a small file system, and a function that gives it another size."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("needs root on Linux, to mount a small file system; the failing disk is tried without one")
    place = tmp_path / "disk"
    place.mkdir()

    def mount(kilobytes, *options):
        settings = ",".join([f"size={kilobytes}k", "mode=700", *options])
        return subprocess.run(["mount", "-t", "tmpfs", "-o", settings, "tmpfs", place], capture_output=True)

    if (done := mount(ENOUGH_KB)).returncode != 0:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.decode().strip()}")
    yield place, lambda kilobytes: mount(kilobytes, "remount").check_returncode()
    subprocess.run(["umount", place], check=True)


def used_kb(place):
    found = os.statvfs(place)
    return (found.f_blocks - found.f_bfree) * found.f_frsize // 1024


@pytest.mark.timeout(300)
@pytest.mark.parametrize("more_kb", [0, 60, 400])
def test_a_full_disk_is_told_in_one_sentence_and_the_next_run_finishes(
    small_disk, tmp_path, triskel, more_kb, life_figures
):
    place, resize = small_disk
    folder, home = tmp_path / "notes", place / "home"
    plant(folder)
    sound = tmp_path / "sound"
    assert triskel("index", folder, "--home", home, "--no-meaning").code == 0
    index_file = places(home).index_file(folder)
    before = whole_answers(index_file, QUERIES)
    tend(folder)
    assert triskel("index", folder, "--home", sound, "--no-meaning").code == 0

    resize(used_kb(place) + more_kb)
    full = triskel("index", folder, "--home", home, "--no-meaning")
    if full.code:
        assert full.code == 1
        assert (
            full.err == f"triskel: The disk that holds the index {index_file} is full. Free some space and try again.\n"
        )
    connection = apsw.Connection(str(index_file), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    answers = whole_answers(index_file, QUERIES)
    assert not any('"state": "failed"' in answer for answer in answers)
    after = whole_answers(places(sound).index_file(folder), QUERIES)
    if more_kb == 0:
        assert full.code == 1
        assert answers == before
    # A search goes on meanwhile, and says why it is not up to date.
    found = triskel("search", "apple", "--folder", folder, "--home", home, "--no-meaning")
    assert found.code == 0, found.err
    assert found.out
    assert full.code == 0 or "is full" in found.err

    resize(ENOUGH_KB)
    started = time.monotonic()
    assert triskel("index", folder, "--home", home, "--no-meaning").code == 0
    assert whole_answers(index_file, QUERIES) == after
    life_figures(
        f"full disk, {more_kb} kB left: exit {full.code}; lost 0; recovered in {time.monotonic() - started:.2f} s"
    )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("size_kb", [4, 150])
def test_a_first_build_on_a_full_disk_is_told_and_finishes_later(small_disk, tmp_path, triskel, size_kb):
    place, resize = small_disk
    folder, home = tmp_path / "notes", place / "home"
    plant(folder)
    resize(size_kb)
    full = triskel("index", folder, "--home", home, "--no-meaning")
    assert full.code == 1
    assert len(full.err.splitlines()) == 1, full.err
    assert "is full" in full.err or "No space left" in full.err
    resize(ENOUGH_KB)
    assert triskel("index", folder, "--home", home, "--no-meaning").code == 0
    assert triskel("index", folder, "--home", tmp_path / "sound", "--no-meaning").code == 0
    sound = whole_answers(places(tmp_path / "sound").index_file(folder), QUERIES)
    assert whole_answers(places(home).index_file(folder), QUERIES) == sound
