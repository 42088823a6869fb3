"""Where words stand, read as arrays: the same rows and counts that FTS5 finds itself."""

import random
from pathlib import Path

import apsw
import numpy as np
import pytest

from core.errors import IndexDamaged
from core.index import postings
from core.index.database import open_writer
from core.index.indexer import update_index
from core.index.postings import COLUMNS, NOTES, PASSAGES, expression_of
from core.index.reader import Reader

WORDS = [
    "wolf",
    "wolves",
    "moon",
    "winter",
    "the",
    "a",
    "ab",
    "abc",
    "CamelCase",
    "C++",
    "straße",
    "数据库",
    "日",
    "🐘",
]
ASKED = [
    (("wolf",), False), (("the",), False), (("missing",), False), (("wolf", "moon"), False), (("the", "the"), False),
    (("wol",), True), (("a",), True), (("the", "w"), True), (("strasse",), False), (("数据",), False),
    (("camel",), False),
]  # fmt: skip


def write_notes(folder: Path, draw: random.Random, names: list[str]) -> None:
    for name in names:
        text = "\n\n".join(" ".join(draw.choices(WORDS, k=draw.randrange(1, 200))) for _ in range(draw.randrange(1, 9)))
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\naliases: [{draw.choice(WORDS)}]\n---\n# {draw.choice(WORDS)} moon\n\n{text}\n", "utf-8")


@pytest.fixture
def grown(tmp_path) -> tuple[Path, Path]:
    """A folder and an index of it that grew by adding, changing and removing notes."""
    folder, file = tmp_path / "notes", tmp_path / "index.db"
    draw = random.Random(5)
    names = [f"the/wolf {number}.md" for number in range(30)]
    write_notes(folder, draw, names)
    update_index(folder, file)
    for name in names[::4]:
        (folder / name).unlink()
    write_notes(folder, draw, [*names[1::4], "new moon.md"])
    (folder / "empty.md").write_bytes(b"")
    update_index(folder, file)
    return folder, file


def counted_by_fts5(reader: Reader, table: str, words: tuple[str, ...], prefix: bool) -> dict[int, tuple[int, ...]]:
    found = reader.row_counts.everywhere(table, expression_of(words, prefix=prefix))
    return {row.rowid: row.counts[0] for row in found}


def counted_here(reader: Reader, table: str, words: tuple[str, ...], prefix: bool) -> dict[int, tuple[int, ...]]:
    found = reader.postings.of(table, words, prefix=prefix)
    rowids = reader.postings.table(table).rowids[found.rows].tolist()
    return dict(zip(rowids, map(tuple, found.counts.T.tolist()), strict=True))


@pytest.mark.parametrize("table", [NOTES, PASSAGES])
def test_every_row_and_count_is_that_of_fts5(grown, table: str) -> None:
    reader = Reader(grown[1])
    reader.begin()
    for words, prefix in ASKED:
        assert counted_here(reader, table, words, prefix) == counted_by_fts5(reader, table, words, prefix), words
    assert counted_here(reader, table, ("wolf",), False)
    assert counted_here(reader, table, ("wol",), True)
    reader.close()


def test_deleted_rows_that_were_not_merged_yet_are_not_counted(grown) -> None:
    writer = open_writer(grown[1])
    for table in (NOTES, PASSAGES):
        [(gone,)] = writer.execute(f"SELECT min(rowid) FROM {table}('wolf')").fetchall()
        columns = ("title, names, body", "'', '', 'wolf'") if table == NOTES else ("body", "'wolf'")
        writer.execute(f"DELETE FROM {table} WHERE rowid = {gone}")
        writer.execute(f"INSERT INTO {table} (rowid, {columns[0]}) VALUES ({gone}, {columns[1]})")
    writer.close()
    reader = Reader(grown[1])
    reader.begin()
    assert counted_here(reader, PASSAGES, ("wolf",), False) == counted_by_fts5(reader, PASSAGES, ("wolf",), False)
    reader.close()


@pytest.mark.parametrize("table", [NOTES, PASSAGES])
def test_lengths_are_those_that_fts5_reckons_with(grown, table: str) -> None:
    reader = Reader(grown[1])
    reader.begin()
    lengths: dict[int, int] = {}
    reader.connection.register_fts5_function(
        "length_of", lambda api: lengths.__setitem__(api.rowid, api.column_size(-1))
    )
    for (_nothing,) in reader.connection.execute(f"SELECT length_of({table}) FROM {table}('moon OR the OR wolf')"):
        pass
    rows = reader.postings.table(table)
    here = dict(zip(rows.rowids.tolist(), rows.lengths.tolist(), strict=True))
    assert lengths
    assert {rowid: here[rowid] for rowid in lengths} == lengths
    reader.close()


def test_counts_at_rows_are_zero_where_a_word_does_not_stand(grown) -> None:
    reader = Reader(grown[1])
    reader.begin()
    found = reader.postings.of(NOTES, ("winter",))
    everywhere = found.counts_at(np.arange(len(reader.postings.table(NOTES).rowids)))
    assert everywhere[:, found.rows].tolist() == found.counts.tolist()
    assert everywhere.sum() == found.counts.sum()
    assert reader.postings.of(NOTES, ("missing",)).counts_at(found.rows.astype(np.int64)).sum() == 0
    reader.close()


def test_rows_of_notes_are_all_their_passages_and_none_for_notes_without(grown) -> None:
    reader = Reader(grown[1])
    reader.begin()
    table = reader.postings.table(PASSAGES)
    wanted = np.array([*table.notes[::3].tolist(), 10_000], np.int64)
    expected = [row for row, rowid in enumerate(table.rowids.tolist()) if rowid >> 16 in set(wanted.tolist())]
    assert table.of_notes(wanted).tolist() == expected
    assert table.of_notes(np.array([], np.int64)).tolist() == []
    reader.close()


def test_a_change_of_the_index_is_seen_by_the_next_snapshot(grown) -> None:
    folder, file = grown
    reader = Reader(file)
    reader.begin()
    assert not counted_here(reader, NOTES, ("quokka",), False)
    reader.end()
    (folder / "quokka.md").write_text("One quokka, two quokkas.\n", "utf-8")
    update_index(folder, file)
    reader.begin()
    assert [*counted_here(reader, NOTES, ("quokka",), False).values()] == [(1, 1, 1)]
    reader.close()


def test_lists_are_kept_up_to_a_bound_and_read_anew_beyond_it(grown, monkeypatch) -> None:
    monkeypatch.setattr(postings, "MOST_KEPT_BYTES", 2_000)
    reader = Reader(grown[1])
    reader.begin()
    for _round in range(2):
        for words, prefix in ASKED:
            assert counted_here(reader, PASSAGES, words, prefix) == counted_by_fts5(reader, PASSAGES, words, prefix)
            kept = [found.size for found in reader.postings._kept.values()]
            assert sum(kept) == reader.postings._kept_bytes
            assert sum(kept) <= 2_000 or len(kept) == 1
    reader.close()


@pytest.mark.parametrize("table", [NOTES, PASSAGES])
def test_a_word_in_a_row_that_is_not_there_is_told_as_damage(grown, table: str) -> None:
    connection = apsw.Connection(str(grown[1]))
    connection.execute(f"DELETE FROM {table}_docsize WHERE id > (SELECT min(id) FROM {table}_docsize)")
    connection.close()
    reader = Reader(grown[1])
    reader.begin()
    with pytest.raises(IndexDamaged, match="damaged"):
        reader.postings.of(table, ("moon",))
    reader.close()


def test_lengths_that_are_cut_off_are_told_as_damage(grown) -> None:
    connection = apsw.Connection(str(grown[1]))
    connection.execute(f"UPDATE {NOTES}_docsize SET sz = x'01' WHERE id = (SELECT max(id) FROM {NOTES}_docsize)")
    connection.close()
    reader = Reader(grown[1])
    reader.begin()
    with pytest.raises(IndexDamaged, match="how long"):
        reader.postings.table(NOTES)
    reader.close()


def test_both_tables_have_as_many_columns_as_is_said_here(grown) -> None:
    connection = open_writer(grown[1])
    for table, columns in COLUMNS.items():
        assert len(connection.execute(f"SELECT * FROM pragma_table_info('{table}')").fetchall()) == columns
    connection.close()
