"""The index file itself: made, refused, damaged, private, and read in snapshots."""

from pathlib import Path

import apsw
import pytest

from core.errors import FolderError, IndexFileError
from core.index.database import open_reader
from core.index.indexer import update_index
from core.index.reader import Reader

NOTES = {
    "a.md": "# Tomatoes\n\nWater them. [[b]]\n",
    "b.md": "# Compost\n\nTurn the heap.\n",
    "c.md": "bread",
    "d.txt": "A plain text.\n",
}


def _set_version(file: Path, version: int) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def _be_foreign(file: Path) -> None:
    file.unlink()
    connection = apsw.Connection(str(file))
    connection.execute("CREATE TABLE other (x)")
    connection.close()


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_what_is_no_folder_is_a_sentence(tmp_path, index_file, kind):
    place = tmp_path / kind
    if kind == "file":
        place.write_text("not a folder")
    with pytest.raises(FolderError, match=kind):
        update_index(place, index_file)


def test_an_index_place_that_cannot_be_made_is_a_sentence(write, folder, tmp_path):
    write(NOTES)
    (tmp_path / "blocked").write_text("a file where a folder should be")
    with pytest.raises(IndexFileError, match="cannot be made"):
        update_index(folder, tmp_path / "blocked" / "index.db")


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda file: file.write_bytes(b"not a database at all " * 100), id="another kind of file"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:5000]), id="cut off"),
        pytest.param(lambda file: _set_version(file, 9999), id="of a newer version"),
        pytest.param(_be_foreign, id="another program's database"),
    ],
)
def test_an_index_that_cannot_be_used_is_moved_aside_and_made_anew(write, update, index_file, spoil):
    write(NOTES)
    before = update()
    spoil(index_file)
    with pytest.raises(IndexFileError):
        Reader(index_file)
    after = update()
    assert after.fingerprint == before.fingerprint
    assert index_file.with_name("index.db.unusable").exists()


def test_deleted_text_does_not_stay_in_the_file(write, update, folder, index_file):
    write(
        {**{f"{number}.md": f"ordinary note {number}" for number in range(30)}, "secret.md": "xyzzyplugh is the word"}
    )
    update()
    assert b"xyzzyplugh" in index_file.read_bytes()
    (folder / "secret.md").unlink()
    update()
    left = b"".join(file.read_bytes() for file in index_file.parent.glob("index.db*"))
    assert b"xyzzyplugh" not in left


def test_the_index_is_for_its_owner_only(write, update, index_file):
    write(NOTES)
    update()
    assert index_file.stat().st_mode & 0o077 == 0
    assert index_file.parent.stat().st_mode & 0o077 == 0


def test_a_reader_sees_one_snapshot_while_the_index_is_written(write, update, folder, index_file):
    write(NOTES)
    update()
    reader = Reader(index_file)
    reader.begin()
    before = reader.fingerprint(), reader.coverage()
    write({"new.md": "something new"})
    update()
    assert (reader.fingerprint(), reader.coverage()) == before
    reader.end()
    reader.begin()
    assert reader.coverage().notes == 5
    reader.close()


def test_integrity_is_checked_through_all_tables(write, update, index_file):
    write(NOTES)
    update()
    reader = Reader(index_file)
    assert reader.integrity_faults() == []
    reader.close()


def test_a_reader_cannot_write(write, update, index_file):
    write(NOTES)
    update()
    connection = open_reader(index_file)
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("DELETE FROM note")
    connection.close()
