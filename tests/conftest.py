"""What every test stands on: no display, no network, a home of its own, and nothing left behind.

The environment is set before any test module imports Qt or the model's libraries.
"""

import gc
import multiprocessing
import os
import socket
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parent.parent
HOME_VARIABLES = {
    "TRISKEL_HOME": "triskel",
    "HOME": "home",
    "USERPROFILE": "home",
    "APPDATA": "home/roaming",
    "LOCALAPPDATA": "home/local",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
}
LIFE_FIGURES = pytest.StashKey[list[str]]()
GRACE_SECONDS = 1.0
"""A task that was told to stop must stop within this time: the design's budget for cancel and quit."""

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"
# Fixtures of a wider scope run before any test's own home exists: they get this one.
_session_home = tempfile.TemporaryDirectory(prefix="triskel-tests-", ignore_cleanup_errors=True)
for _name, _below in HOME_VARIABLES.items():
    os.environ[_name] = str(Path(_session_home.name) / _below)

# Derandomised, so that a failure is everyone's failure; `--hypothesis-profile=long` goes looking for new ones.
settings.register_profile("quick", max_examples=50, derandomize=True, deadline=None, database=None)
settings.register_profile("long", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="try the life of an index (test_life_*) for minutes, not seconds"
    )


@pytest.fixture(scope="session")
def life_length(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Return a function that chooses between a short and a long count of tries."""
    return lambda short, long: long if request.config.getoption("--long") else short


@pytest.fixture
def life_figures(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Return a function that adds a line to the figures which are shown when all tests have ended."""
    return request.config.stash.setdefault(LIFE_FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if lines := terminalreporter.config.stash.get(LIFE_FIGURES, []):
        terminalreporter.section("faults, and what became of the index")
        terminalreporter.write_line("\n".join(lines))


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test an empty home; return the folder that TRISKEL_HOME names (it does not exist yet)."""
    base = tmp_path_factory.mktemp("home")
    for name, below in HOME_VARIABLES.items():
        monkeypatch.setenv(name, str(base / below))
    (base / "home").mkdir()
    return base / HOME_VARIABLES["TRISKEL_HOME"]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail the test on any attempt of this process to reach beyond it, even one whose error the code swallowed."""
    attempts: list[str] = []

    def guarded(real: Callable) -> Callable:
        def connect(self: socket.socket, address: object, *rest: object) -> object:
            if _leaves_the_machine(self, address):
                attempts.append(str(address))
                raise OSError(f"a test tried to connect to {address}")
            return real(self, address, *rest)

        return connect

    def look_up(host: object, *rest: object, **options: object) -> object:
        if host and not _is_loopback(str(host)):
            attempts.append(str(host))
            raise socket.gaierror(socket.EAI_NONAME, f"a test tried to look up {host}")
        return real_look_up(host, *rest, **options)

    real_look_up = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for method in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, method, guarded(getattr(socket.socket, method)))
    yield
    if attempts:
        pytest.fail(f"the test tried to reach the network: {', '.join(attempts)}")


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a non-daemon thread, a job on a QThreadPool or a child process behind."""
    threads = set(threading.enumerate())
    children = set(_children())
    yield
    deadline = time.monotonic() + GRACE_SECONDS
    left = _left_behind(threads, children, request)
    while left and time.monotonic() < deadline:
        time.sleep(0.01)
        left = _left_behind(threads, children, request)
    if left:
        pytest.fail(f"the test left behind: {'; '.join(left)}")


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's root folder."""
    return PROJECT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The measuring data beside the project; they are no part of it, and tests that want them skip without."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the measuring data in ../shared, seen from the project's root")
    return folder


@pytest.fixture(scope="session")
def vault(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that unpacks a real folder of notes by name, once a session. Read only: tests share it."""
    unpacked: dict[str, Path] = {}

    def unpack(name: str) -> Path:
        archive = shared / "vaults" / f"{name}.tar.xz"
        if not archive.is_file():
            pytest.skip(f"needs ../shared/vaults/{name}.tar.xz, seen from the project's root")
        if name not in unpacked:
            target = tmp_path_factory.mktemp("vault")
            with tarfile.open(archive) as archived:
                archived.extractall(target, filter="data")
            entries = list(target.iterdir())
            # An archive holds either the folder itself or what is in it.
            unpacked[name] = entries[0] if len(entries) == 1 and entries[0].is_dir() else target
        return unpacked[name]

    return unpack


def _leaves_the_machine(connection: socket.socket, address: object) -> bool:
    if connection.family not in {socket.AF_INET, socket.AF_INET6} or not isinstance(address, tuple):
        return False
    return not _is_loopback(str(address[0]))


def _is_loopback(host: str) -> bool:
    return host in {"localhost", "::1", "0.0.0.0", "::", ""} or host.startswith("127.")


def _children() -> list[psutil.Process]:
    """Return this process's children that should end with the test."""
    return [child for child in psutil.Process().children() if not _may_stay(child)]


def _may_stay(child: psutil.Process) -> bool:
    # Started by the first spawned process and kept by Python itself until the interpreter ends.
    try:
        return child.status() == psutil.STATUS_ZOMBIE or "multiprocessing.resource_tracker" in " ".join(child.cmdline())
    except psutil.Error:
        return True


def _left_behind(
    threads: set[threading.Thread], children: set[psutil.Process], request: pytest.FixtureRequest
) -> list[str]:
    # Reaps children that have ended, which would otherwise be seen as zombies.
    multiprocessing.active_children()
    left = [
        f"thread {thread.name}"
        for thread in threading.enumerate()
        if thread not in threads and not thread.daemon and thread.is_alive()
    ]
    left += [f"process {child.pid} {_command(child)}" for child in _children() if child not in children]
    if "qapp" in request.fixturenames or "qtbot" in request.fixturenames:
        left += _busy_pools()
    return left


def _command(child: psutil.Process) -> str:
    try:
        return " ".join(child.cmdline())
    except psutil.Error:
        return "(ended)"


def _busy_pools() -> list[str]:
    """Name every QThreadPool of this process that still runs a job."""
    if "PySide6.QtCore" not in sys.modules:
        return []
    from PySide6.QtCore import QThreadPool
    from shiboken6 import isValid

    pools = [found for found in gc.get_objects() if isinstance(found, QThreadPool)]
    pools.append(QThreadPool.globalInstance())
    return [f"{pool.activeThreadCount()} job(s) on a QThreadPool" for pool in pools
            if isValid(pool) and pool.activeThreadCount()]  # fmt: skip
