"""Notes, indexes and calls of the command line for the tests of `app`."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.cli import run
from core.index.reader import Reader

NOTES = {
    "overdue.md": "# Overdue tasks\n\nA query for tasks that are overdue. See [[queries]] and [[calendar]].\n",
    "queries.md": "---\ntags: [query]\n---\n# Queries\n\nHow to ask the graph for blocks. More in [[advanced]].\n",
    "advanced.md": "# Advanced queries\n\nRules, inputs and result transforms for late work. Back to [[queries]].\n",
    "calendar.md": "# Calendar\n\nEach day has a page of its own: the journal.\n",
    "cooking/soup.md": "# Soup\n\nOnions, carrots and a bay leaf, simmered for an hour.\n",
    "cooking/brot.txt": "Sauerteig braucht Zeit und Wärme.\n",
    "=1+1.md": "# =1+1\n\nA tasks page whose title a spreadsheet would run.\n",
}


WORDS = ["bread", "river", "table", "stone", "green", "winter", "letter", "garden", "paper", "music", "water", "horse"]


@dataclass(frozen=True)
class Answer:
    """What a call of the command line came to."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Indexed:
    """A notes folder and the home that holds its index. Tests share it and change neither."""

    folder: Path
    home: Path


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than 20 s; runs only where -m asks for it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") and "slow" not in config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="slow: run it with -m slow"))


@pytest.fixture
def cli(capsys: pytest.CaptureFixture) -> Callable[..., Answer]:
    """Return a function that calls the command line in this process; its indexing still has a process of its own."""

    def call(*arguments: object) -> Answer:
        capsys.readouterr()
        code = run([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


@pytest.fixture(scope="session")
def triskel(project: Path) -> Callable[..., Answer]:
    """Return a function that runs `python -m app` as a process of its own."""

    def call(*arguments: object, env: Mapping[str, str] | None = None, prefix: tuple[str, ...] = ()) -> Answer:
        done = subprocess.run(
            [*prefix, *command(*arguments)],
            cwd=project,
            env={**os.environ, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=50,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory, triskel: Callable[..., Answer]) -> Indexed:
    """A small folder, indexed with the real model."""
    base = tmp_path_factory.mktemp("indexed")
    made = Indexed(write_notes(base / "notes"), base / "home")
    answer = triskel("index", made.folder, "--home", made.home)
    assert answer.code == 0, answer.err
    return made


@pytest.fixture
def own_index(indexed: Indexed, tmp_path: Path) -> Indexed:
    """A copy of the small folder, and an empty home, for tests that change them."""
    folder = tmp_path / "notes"
    shutil.copytree(indexed.folder, folder)
    return Indexed(folder, tmp_path / "triskel-home")


@pytest.fixture(scope="session")
def write_many() -> Callable[[Path, int], Path]:
    """Return a function that makes a folder of many small notes, the same each time."""

    def write(folder: Path, count: int) -> Path:
        folder.mkdir()
        chosen = random.Random(7)
        for number in range(count):
            text = " ".join(chosen.choice(WORDS) for _ in range(50))
            (folder / f"n{number:04}.md").write_text(f"# Note {number}\n\n{text} [[n{number // 2:04}]]\n", "utf-8")
            os.utime(folder / f"n{number:04}.md", (1_700_000_000, 1_700_000_000))
        return folder

    return write


@pytest.fixture(scope="session")
def embedded() -> Callable[[Path], int]:
    """Return a function that says how many passages of an index have a vector now."""

    def count(index_file: Path) -> int:
        reader = Reader(index_file)
        try:
            reader.begin()
            return reader.coverage().passages_embedded
        finally:
            reader.end()
            reader.close()

    return count


@pytest.fixture(scope="session")
def without_root_rights() -> tuple[str, ...]:
    """What to put in front of a command so that the rights of files count for it, root or not."""
    if os.name != "posix":
        pytest.skip("needs POSIX rights")
    if os.geteuid() != 0:
        return ()
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("root may read everything, and its rights cannot be dropped here")
    return prefix


def command(*arguments: object) -> list[str | bytes]:
    return [sys.executable, "-m", "app", *(each if isinstance(each, bytes) else str(each) for each in arguments)]


def write_notes(folder: Path, notes: Mapping[str, str] = NOTES) -> Path:
    """Write notes, all with the same time, and return the folder."""
    for path, text in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return folder
