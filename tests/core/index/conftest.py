"""Folders of notes made by a test, indexed without a model unless it asks for one."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.index.indexer import update_index
from core.index.progress import IndexReport
from core.index.reader import Reader

WriteNotes = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder of notes."""
    place = tmp_path / "notes"
    place.mkdir()
    return place


@pytest.fixture
def write(folder: Path) -> WriteNotes:
    """Write notes into the folder by path."""

    def write_notes(notes: Mapping[str, str]) -> Path:
        for path, text in notes.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return folder

    return write_notes


@pytest.fixture
def index_file(tmp_path: Path) -> Path:
    """Where the index goes."""
    return tmp_path / "home" / "index.db"


@pytest.fixture
def update(folder: Path, index_file: Path) -> Callable[..., IndexReport]:
    """Bring the index up to date and return the report."""

    def run(**options: object) -> IndexReport:
        return update_index(folder, index_file, **options)

    return run


@pytest.fixture
def reader(update: Callable[..., IndexReport], index_file: Path) -> Callable[[], Reader]:
    """Index the folder and return a reader in a snapshot; it is closed with the test."""
    opened = []

    def open_one() -> Reader:
        update()
        one = Reader(index_file)
        one.begin()
        opened.append(one)
        return one

    yield open_one
    for one in opened:
        one.end()
        one.close()
