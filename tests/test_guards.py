"""The guards of conftest.py, each shown to fail a test that deserves it, in a test session of its own."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent

SESSION = """
import os, socket, subprocess, sys, threading, time, warnings
import multiprocessing
from pathlib import Path
import pytest
from PySide6.QtCore import QRunnable, QThreadPool, qWarning

class Sleep(QRunnable):
    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds
    def run(self):
        time.sleep(self.seconds)

def start_job(seconds, kept=[]):
    kept.append(QThreadPool())
    kept[-1].start(Sleep(seconds))

def test_bad_thread(): threading.Thread(target=time.sleep, args=(2.5,)).start()
def test_bad_pool(qapp): start_job(2.5)
def test_bad_process(): globals()["child"] = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(4)"])
def test_bad_swallowed_connection():
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    except OSError:
        pass
def test_bad_look_up():
    with pytest.raises(OSError):
        socket.getaddrinfo("example.org", 80)
def test_bad_warning(): warnings.warn("old")
def test_bad_qt_warning(qapp): qWarning("odd")

def test_good_thread_that_ends(): threading.Thread(target=time.sleep, args=(0.1,)).start()
def test_good_pool_that_ends(qapp): start_job(0.1)
def test_good_spawned_child():
    spawn = multiprocessing.get_context("spawn")
    child = spawn.Process(target=time.sleep, args=(0.01,))
    child.start()
    child.join()
def test_good_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
def test_good_home(own_home):
    assert os.environ["TRISKEL_HOME"] == str(own_home)
    assert not own_home.exists()
    assert own_home.parent in Path.home().parents
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Run the session once; return the outcomes of each of its tests: of the test itself, and of its teardown."""
    folder = tmp_path_factory.mktemp("guards")
    (folder / "tests").mkdir()
    shutil.copy(PROJECT / "pyproject.toml", folder)
    shutil.copy(PROJECT / "tests" / "conftest.py", folder / "tests")
    (folder / "tests" / "test_session.py").write_text(SESSION, encoding="utf-8")
    # One after the other as written: a thread that a bad test leaves would be counted to no later one anyhow.
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:randomly", "-p", "no:cacheprovider", "--tb=short"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=50)
    found: dict[str, set[str]] = {}
    for name, outcome in re.findall(r"::test_(\w+) (PASSED|FAILED|ERROR)", run.stdout):
        found.setdefault(name, set()).add(outcome)
    assert found, run.stdout + run.stderr
    return found


NAMES = re.findall(r"def test_(\w+)", SESSION)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("bad_")])
def test_a_test_that_misbehaves_fails(name: str, outcomes: dict[str, set[str]]):
    assert outcomes[name] & {"FAILED", "ERROR"}


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("good_")])
def test_a_test_that_cleans_up_passes(name: str, outcomes: dict[str, set[str]]):
    assert outcomes[name] == {"PASSED"}
