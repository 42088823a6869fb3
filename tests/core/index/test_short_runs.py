"""Short runs, told which paths have changed: a run over everything finds nothing left to do after them."""

import shutil
from pathlib import Path

import pytest

from core.errors import FolderEmptied, FolderError
from core.index import indexing_run
from core.index import look as look_module
from core.index.indexer import IndexingSeams, needs_update, update_index
from core.index.reader import Reader
from core.index.writer import Writer
from core.notes.folder import scan_folder

NOTES = {
    "a.md": "# Apple\n\nSee [[pear]] and [[plum]].\n",
    "garden/pear.md": "# Pear\n\nSee [[apple]].\n",
    "garden/deep/plum.md": "# Plum\n\nStones. See [[a]].\n",
    "data.json": "{}",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in NOTES.items():
        write(tmp_path / "notes", path, text)
    return tmp_path / "notes"


@pytest.fixture
def index_file(folder: Path, tmp_path: Path) -> Path:
    update_index(folder, tmp_path / "index.db")
    return tmp_path / "index.db"


def write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, "utf-8")


def move(folder: Path) -> None:
    (folder / "garden").rename(folder / "yard")


CHANGES = {
    "an edit": (lambda folder: write(folder, "a.md", "# Apple\n\nGreen now, see [[plum]].\n"), {"a.md"}),
    "another title": (lambda folder: write(folder, "garden/pear.md", "# Quince\n"), {"garden/pear.md"}),
    "a new note": (lambda folder: write(folder, "new/fig.md", "# Fig\n\nSee [[a]].\n"), {"new", "new/fig.md"}),
    "a new attachment": (lambda folder: write(folder, "fig.png", "x"), {"fig.png"}),
    "a deleted note": (lambda folder: (folder / "a.md").unlink(), {"a.md"}),
    "a deleted folder": (lambda folder: shutil.rmtree(folder / "garden"), {"garden"}),
    "a moved folder": (move, {"garden", "yard"}),
    "a hint about nothing": (lambda _folder: None, {"nowhere.md", "a.md"}),
    "a link to a note": (lambda folder: (folder / "link.md").symlink_to(folder / "a.md"), {"link.md"}),
    "another rule": (lambda folder: write(folder, ".gitignore", "garden/\n"), {""}),
}


@pytest.mark.parametrize("change, only", CHANGES.values(), ids=CHANGES)
def test_a_short_run_leaves_what_a_run_over_everything_would(folder, index_file, tmp_path, change, only):
    change(folder)
    short = update_index(folder, index_file, only=frozenset(only))
    whole = update_index(folder, index_file)
    assert (whole.added, whole.changed, whole.moved, whole.removed) == (0, 0, 0, 0)
    assert not needs_update(folder, index_file, None)
    fresh = update_index(folder, tmp_path / "fresh.db")
    assert (short.fingerprint, short.notes, short.links, short.resolved_links, short.problems) == (
        fresh.fingerprint, fresh.notes, fresh.links, fresh.resolved_links, fresh.problems,
    )  # fmt: skip


def test_a_short_run_looks_at_the_paths_of_the_hint_alone(folder, index_file, monkeypatch):
    looked_at = []
    real = scan_folder

    def seen(*given, **how):
        looked_at.append(how.get("only"))
        return real(*given, **how)

    monkeypatch.setattr(look_module, "scan_folder", seen)
    write(folder, "a.md", "# Apple\n\nEdited.\n")
    write(folder, "garden/pear.md", "# Pear\n\nEdited, and not told.\n")
    report = update_index(folder, index_file, only=frozenset({"a.md"}))
    assert looked_at == [frozenset({"a.md"})]
    assert report.changed == 1
    assert update_index(folder, index_file).changed == 1


def test_an_edit_is_committed_before_the_links_are_pointed(folder, index_file, monkeypatch):
    found = []
    real = Writer.resolve_links

    def look(writer: Writer) -> None:
        reader = Reader(index_file)
        found.append(reader.connection.execute("SELECT count(*) FROM passage WHERE text GLOB '*zebra*'").get)
        reader.close()
        real(writer)

    monkeypatch.setattr(Writer, "resolve_links", look)
    write(folder, "a.md", "# Zebra\n\nA zebra. See [[pear]].\n")
    update_index(folder, index_file, only=frozenset({"a.md"}))
    assert found == [1]


def test_deleted_words_leave_the_file_with_the_next_run_over_everything(folder, index_file):
    def held() -> bool:
        return b"xylophone" in index_file.read_bytes()

    write(folder, "a.md", "# Apple\n\nA xylophone.\n")
    update_index(folder, index_file, only=frozenset({"a.md"}))
    write(folder, "a.md", "# Apple\n\nNothing.\n")
    update_index(folder, index_file, only=frozenset({"a.md"}))
    assert held()
    assert update_index(folder, index_file).changed == 0
    assert not held()


def many(folder: Path, count: int) -> None:
    for number in range(count):
        write(folder, f"{number}.md", f"# Note {number}\n")


def empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


@pytest.mark.parametrize("only", [None, frozenset(f"{number}.md" for number in range(30)), frozenset({""})])
def test_a_folder_that_suddenly_holds_nothing_is_taken_for_a_disk_that_is_not_mounted(tmp_path, only):
    folder, index_file = tmp_path / "notes", tmp_path / "index.db"
    many(folder, 30)
    before = update_index(folder, index_file)
    empty(folder)
    with pytest.raises(FolderEmptied, match=r"holds nothing now, and its index 30 files.*--rebuild"):
        update_index(folder, index_file, only=only)
    many(folder, 30)
    assert update_index(folder, index_file, rebuild=False).notes == before.notes
    empty(folder)
    assert update_index(folder, index_file, rebuild=True).notes == 0


def test_a_folder_that_held_little_may_be_emptied(folder, index_file):
    empty(folder)
    assert update_index(folder, index_file).notes == 0


def test_other_rules_of_a_newer_version_do_not_empty_an_index(tmp_path, monkeypatch):
    folder, index_file = tmp_path / "notes", tmp_path / "index.db"
    many(folder, 30)
    update_index(folder, index_file)
    empty(folder)
    monkeypatch.setattr(indexing_run, "RULES", "other rules")
    with pytest.raises(FolderEmptied):
        update_index(folder, index_file)


def test_a_folder_that_goes_away_during_a_run_takes_no_note_with_it(tmp_path):
    folder, index_file = tmp_path / "notes", tmp_path / "index.db"
    many(folder, 30)
    before = update_index(folder, index_file)
    for number in range(30):
        write(folder, f"{number}.md", f"# Note {number}\n\nEdited.\n")

    def unplug(_path: str) -> None:
        if folder.exists():
            folder.rename(tmp_path / "unplugged")

    with pytest.raises(FolderError, match="There is no folder"):
        update_index(folder, index_file, seams=IndexingSeams(reading=unplug))
    (tmp_path / "unplugged").rename(folder)
    assert update_index(folder, index_file).changed == before.notes
