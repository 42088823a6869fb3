"""An index whose bytes were changed: found out, never a fault of ours, and made again from the notes."""

import random
import shutil
from pathlib import Path

import apsw
import pytest

from app.indexing_child import IndexingJob, _updated
from core.errors import IndexDamaged, IndexFileError
from core.index.database import as_index_errors
from core.index.indexer import IndexingSeams, needs_update
from core.index.reader import Reader
from core.index.writer import Writer
from core.search.results import Skipped
from core.search.search import SearchRequest, search

FRUIT = ("apples", "pears", "plums")
NOTES = {f"{each}.md": f"# Note {each}\n\nabout {FRUIT[each % 3]} [[{each + 1}]]" for each in range(60)}


def ask(index_file: Path) -> object:
    reader = Reader(index_file)
    try:
        with as_index_errors(index_file):
            return search(reader, Skipped("no model"), SearchRequest("apples pears"))
    finally:
        reader.close()


def spoil(file: Path, chance: random.Random) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(chance.choice([1, 4, 30])):
        place = chance.randrange(len(data))
        width = chance.choice([1, 8, 200])
        data[place : place + width] = chance.randbytes(min(width, len(data) - place))
    file.write_bytes(data)


def test_changed_bytes_are_found_out_and_a_rebuild_mends_them(write, update, folder, index_file, tmp_path):
    write(NOTES)
    sound = update()
    expected = ask(index_file)
    kept = tmp_path / "kept.db"
    shutil.copy(index_file, kept)
    chance = random.Random(20)
    told = 0
    for _ in range(60):
        for companion in index_file.parent.glob("index.db-*"):
            companion.unlink()
        shutil.copy(kept, index_file)
        spoil(index_file, chance)
        try:
            ask(index_file)
            needs_update(folder, index_file, None)
        except IndexFileError:
            told += 1
        report = _updated(IndexingJob(folder, index_file, None, rebuild=True), IndexingSeams())
        assert report.fingerprint == sound.fingerprint
        assert ask(index_file) == expected
    assert told > 3


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE note RENAME COLUMN stamp TO size",
        "DROP TABLE link",
        "DROP INDEX passage_by_hash",
        "ALTER TABLE meta RENAME TO other",
    ],
)
def test_a_changed_schema_is_damage_and_is_made_again(write, update, index_file, statement):
    write(NOTES)
    sound = update()
    connection = apsw.Connection(str(index_file))
    connection.execute(statement)
    connection.close()
    with pytest.raises(IndexDamaged):
        Reader(index_file)
    assert update().fingerprint == sound.fingerprint


def test_text_that_is_no_text_any_more_is_damage(write, update, index_file):
    write(NOTES)
    update()
    connection = apsw.Connection(str(index_file))
    connection.execute("UPDATE note SET title = CAST(x'ff41fe' AS TEXT)")
    connection.close()
    with pytest.raises(IndexDamaged):
        ask(index_file)


def test_closing_a_writer_never_hides_what_ended_the_run(write, update, index_file):
    write(NOTES)
    update()
    writer = Writer(index_file)
    cursor = writer.connection.execute("SELECT * FROM note")
    next(cursor)
    writer.close()
    with pytest.raises(apsw.ConnectionClosedError):
        writer.connection.execute("SELECT 1")
