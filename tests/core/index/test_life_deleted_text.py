"""Deleted text does not stay: the raw bytes of the index's files are searched for it, whatever happened on the way."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from core.index import indexing_run
from core.index.indexer import IndexingSeams, needs_update, update_index
from core.index.reader import Reader
from core.index.writer import Writer
from tests.tools.fake_model import FakeModel

MODEL = FakeModel()
WORD = "xyzzyplugh"
ALIAS = "frobozzname"
SECRET = f"---\naliases: [{ALIAS}]\ntags: [{ALIAS}]\n---\n# {WORD}\n\nthe word is {WORD}, see [[{WORD}]]\n"


@pytest.fixture
def garden(write, folder):
    """Thirty ordinary notes, and one whose words stand nowhere else, in its path too."""
    write({f"{number}.md": f"ordinary note {number} with a link [[secret]]" for number in range(30)})
    write({f"{ALIAS}/secret.md": SECRET, f"{ALIAS}/picture.png": ""})
    return folder


@pytest.fixture
def run(folder, index_file):
    def update(**options):
        return update_index(folder, index_file, MODEL, **options)

    return update


def delete(folder: Path) -> None:
    (folder / ALIAS / "secret.md").unlink()
    (folder / ALIAS / "picture.png").unlink()
    (folder / ALIAS).rmdir()


def edit_and_rename(folder: Path) -> None:
    (folder / ALIAS / "secret.md").write_text("nothing to see any more")
    (folder / ALIAS).rename(folder / "plain")


def hide_by_rule(folder: Path) -> None:
    (folder / ".triskelignore").write_text(f"{ALIAS}/\n")


def become_binary(folder: Path) -> None:
    (folder / ALIAS / "secret.md").write_bytes(bytes(range(256)) * 20)
    (folder / ALIAS).rename(folder / "plain")


def files_of(index_file: Path) -> list[Path]:
    return [file for file in sorted(index_file.parent.iterdir()) if file.is_file()]


def left_in(index_file: Path) -> dict[str, list[str]]:
    """Return which of the secret's words stand in which file of the index, whatever their case."""
    found = {}
    for file in files_of(index_file):
        data = file.read_bytes().lower()
        if words := [word for word in (WORD, ALIAS) if word.encode() in data]:
            found[file.name] = words
    return found


@pytest.mark.parametrize("change", [delete, edit_and_rename, hide_by_rule, become_binary])
def test_no_byte_of_it_is_left_after_the_next_run(garden, run, index_file, change):
    run()
    assert left_in(index_file)["index.db"] == [WORD, ALIAS]
    change(garden)
    run()
    assert left_in(index_file) == {}


def test_a_deleted_attachment_leaves_no_name(garden, run, folder, index_file, write):
    write({"wyvernpicture.png": ""})
    run()
    (folder / "wyvernpicture.png").unlink()
    run()
    assert not any(b"wyvernpicture" in file.read_bytes() for file in files_of(index_file))


def test_a_file_that_may_not_be_read_any_more_leaves_no_word(garden, run, index_file, monkeypatch):
    run()
    real = os.open

    def refuse(file: Path, *rest: int) -> int:
        if Path(file).name == "secret.md":
            raise PermissionError(13, "Permission denied")
        return real(file, *rest)

    os.utime(garden / ALIAS / "secret.md")
    monkeypatch.setattr(os, "open", refuse)
    run()
    monkeypatch.undo()
    # Its path is listed with the reason.
    assert WORD not in left_in(index_file)["index.db"]


def test_a_file_that_vanishes_while_it_is_read_leaves_no_word(garden, run, index_file):
    run()
    (garden / ALIAS / "secret.md").write_text("soon gone")

    def lose(path: str) -> None:
        if path.endswith("secret.md"):
            delete(garden)

    run(seams=IndexingSeams(reading=lose))
    run()
    assert left_in(index_file) == {}


@pytest.mark.parametrize("change", [delete, edit_and_rename])
def test_a_run_that_ends_before_it_tidies_leaves_that_to_the_next(garden, run, index_file, monkeypatch, change):
    run()
    change(garden)
    monkeypatch.setattr(Writer, "tidy", end_the_run)
    with pytest.raises(KilledError):
        run()
    monkeypatch.undo()
    assert needs_update(garden, index_file, MODEL.key)
    run()
    assert left_in(index_file) == {}
    assert not needs_update(garden, index_file, MODEL.key)


def test_a_stopped_run_leaves_it_to_the_next(garden, run, index_file, monkeypatch):
    run()
    delete(garden)
    (garden / "0.md").write_text("changed")
    read = []
    assert run(seams=IndexingSeams(should_stop=lambda: bool(read), reading=read.append)).cancelled
    run()
    assert left_in(index_file) == {}


@pytest.mark.parametrize("change", [delete, edit_and_rename])
def test_a_reader_that_looks_on_keeps_it_until_it_has_ended_and_a_run_has_passed(garden, run, index_file, change):
    run()
    with contextlib.closing(Reader(index_file)) as reader:
        reader.begin()
        before = reader.fingerprint()
        change(garden)
        run()
        assert reader.fingerprint() == before
        assert [row.title for row in reader.notes([reader_note(reader)]).values()] == [WORD]
        reader.end()
        # An open reader that looks at nothing is in nobody's way.
        run()
        assert left_in(index_file) == {}


def test_a_rebuild_leaves_none_of_what_was_there(garden, run, index_file, monkeypatch):
    run()
    delete(garden)
    monkeypatch.setattr(indexing_run, "BIG_RUN", 10)
    run(rebuild=True)
    assert left_in(index_file) == {}


def reader_note(reader: Reader) -> int:
    return int(reader.connection.execute("SELECT id FROM note WHERE path GLOB '*secret.md'").get)


class KilledError(Exception):
    """Stands for the end of the process."""


def end_the_run(_writer: Writer) -> None:
    raise KilledError
