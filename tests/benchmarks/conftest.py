"""The folders that are measured, and the one table of figures that ends the run.

Options: `make bench ARGS="--vault cpp-docs --notes 48000"`. The vault is a real folder of notes in ../shared; where
that is missing only the generated folder is measured.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.notes.folder import FolderScan, scan_folder
from tests.benchmarks.measure import Table
from tests.tools.generate_notes import write_notes

_TABLE = pytest.StashKey[Table]()


@dataclass(frozen=True)
class Notes:
    """A folder to measure, what it is called, and what a scan finds in it."""

    name: str
    folder: Path
    scan: FolderScan

    @property
    def size(self) -> int:
        """Bytes of all notes together."""
        return sum(file.size for file in self.scan.files)

    @property
    def title(self) -> str:
        """The folder as a heading of the table names it."""
        return f"{self.name}: {len(self.scan.files):,} notes, {self.size / 1e6:.1f} MB"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("triskel benchmarks")
    group.addoption("--vault", default="dendron-site", help="the real folder of notes to measure (dendron-site)")
    group.addoption("--notes", type=int, default=6_600, help="notes of the generated folder (6600)")
    group.addoption("--rounds", type=int, default=5, help="how often a part and its floor take turns (5)")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_TABLE] = Table()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    table = config.stash[_TABLE]
    if table.groups:
        terminalreporter.section("medians beside floors of the same run; ratio: how many times the floor's time")
        for line in table.lines():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def table(request: pytest.FixtureRequest) -> Table:
    """The table that ends the run."""
    return request.config.stash[_TABLE]


@pytest.fixture(scope="session")
def rounds(request: pytest.FixtureRequest) -> int:
    """How often a part and its floor take turns."""
    return request.config.getoption("--rounds")


@pytest.fixture(scope="session")
def generated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Notes:
    """The generated folder."""
    folder = tmp_path_factory.mktemp("generated")
    write_notes(folder, request.config.getoption("--notes"))
    return Notes("generated", folder, scan_folder(folder))


@pytest.fixture(scope="session", params=["vault", "generated"])
def notes(request: pytest.FixtureRequest) -> Notes:
    """Each folder in turn; the real one is skipped where it is missing."""
    if request.param == "generated":
        return request.getfixturevalue("generated")
    name = request.config.getoption("--vault")
    vault: Callable[[str], Path] = request.getfixturevalue("vault")
    folder = vault(name)
    return Notes(name, folder, scan_folder(folder))


@pytest.fixture
def new_file(tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """Return a function that names a file which does not exist yet, and removes the one it named before."""
    numbers = iter(range(1_000_000))

    def name_one() -> Path:
        for old in tmp_path.glob("index-*"):
            old.unlink()
        return tmp_path / f"index-{next(numbers)}.db"

    return name_one
