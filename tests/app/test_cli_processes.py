"""Commands as a shell runs them: two at once, broken off by Ctrl+C, killed; and no process is left behind."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

from app.paths import places

needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

LOTS = 800


@pytest.fixture
def start(project):
    """Return a function that starts `python -m app` in a process group of its own, as a shell would."""
    started = []

    def call(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *map(str, arguments)],
            cwd=project, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        started.append(process)
        return process

    yield call
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def until(what, seconds=30.0):
    """Wait until `what` gives something true, and return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s in vain")


def indexing_processes(parent):
    """Return the indexing processes below a process."""
    found = []
    with contextlib.suppress(psutil.Error):
        for process in psutil.Process(parent).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if "spawn_main" in " ".join(process.cmdline()):
                    found.append(process)
    return found


@pytest.fixture(scope="module")
def lots(tmp_path_factory, write_many):
    """Notes that are not embedded to the end by any test, on any number of cores."""
    return write_many(tmp_path_factory.mktemp("lots") / "notes", LOTS)


@pytest.fixture(scope="module")
def home_of_lots(lots, tmp_path_factory, triskel):
    home = tmp_path_factory.mktemp("home-of-lots")
    assert triskel("index", lots, "--home", home, "--no-meaning").code == 0
    return home


@pytest.fixture
def home_with_words(home_of_lots, tmp_path):
    """A home whose index of `lots` has its words and no vector yet."""
    return shutil.copytree(home_of_lots, tmp_path / "home")


def test_two_processes_at_once_both_end_well(start, lots, tmp_path):
    home = tmp_path / "home"
    both = [start("index", lots, "--home", home, "--no-meaning", "--json") for _ in range(2)]
    answers = [process.communicate(timeout=50) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    assert answers[0][0] == answers[1][0]
    assert json.loads(answers[0][0])["notes"] == LOTS
    assert "Traceback" not in answers[0][1] + answers[1][1]


@needs_posix
def test_ctrl_c_during_the_update_of_a_search_answers_from_what_is_done(start, lots, home_with_words, embedded):
    file = places(home_with_words).index_file(lots)
    process = start("search", "winter bread", "--folder", lots, "--home", home_with_words, "--format", "json")
    until(lambda: embedded(file))
    below = indexing_processes(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=50)
    assert process.returncode == 0, err
    assert err == "triskel: Indexing was stopped. The answer is from what is indexed so far.\n"
    result = json.loads(out)
    assert result["mode"] == "hybrid"
    seen, there = result["legs"]["meaning"]["coverage"]
    assert 0 < seen < there == LOTS
    assert not any(each.is_running() for each in below)


@needs_posix
def test_ctrl_c_while_the_process_starts_says_so_and_shows_no_traceback(start, lots, tmp_path):
    process = start("index", lots, "--home", tmp_path / "home", "--no-meaning")
    below = until(lambda: indexing_processes(process.pid))
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=50)
    assert process.returncode == 1
    assert err == "triskel: Stopped. What was done is kept, and the next run goes on from there.\n"
    assert not any(each.is_running() for each in below)


@needs_posix
def test_the_process_ends_when_the_one_that_started_it_is_killed(start, lots, home_with_words, embedded):
    file = places(home_with_words).index_file(lots)
    process = start("index", lots, "--home", home_with_words)
    until(lambda: embedded(file))
    (below,) = indexing_processes(process.pid)
    process.kill()
    until(lambda: not below.is_running() or below.status() == psutil.STATUS_ZOMBIE, seconds=10)
    assert embedded(file) < LOTS


@pytest.mark.skipif(shutil.which("pgrep") is None, reason="needs pgrep")
def test_no_process_is_left_when_a_command_has_ended(start, indexed):
    process = start("search", "overdue", "--folder", indexed.folder, "--home", indexed.home)
    group = process.pid
    process.communicate(timeout=50)
    assert subprocess.run(["pgrep", "-g", str(group)], capture_output=True).stdout == b""
