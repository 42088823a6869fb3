"""Filling an index with words and links, and finding that there is nothing or little to do."""

import shutil
from pathlib import Path
from statistics import median

from core.index.database import open_writer
from core.index.indexer import needs_update, update_index
from core.index.writer import NewNote, Writer
from core.notes.folder import scan_folder
from tests.benchmarks.floors import (
    cut_notes,
    fold_notes,
    insert_folded,
    insert_folded_rows,
    merge_full_text,
    read_notes,
    walk,
)
from tests.benchmarks.measure import in_turns, ratio_to, seconds_of, shown


def test_first_build_beside_bare_inserts_of_the_same_folded_text(notes, table, rounds, new_file):
    folder, files, dendron = notes.folder, notes.scan.files, notes.scan.dendron
    read = read_notes(folder, files, dendron=dendron)
    cut = cut_notes(read)
    folded = fold_notes(read, cut)
    ready = [NewNote(note, passages, "1/1/1", b"", "2026-01-02") for note, passages in zip(read, cut, strict=True)]
    built = []

    def build():
        built.append(update_index(folder, new_file()))

    def insert():
        insert_folded(new_file(), folded)

    def store():
        writer = Writer(new_file())
        with writer.transaction():
            for new in ready:
                writer.store(new)
        writer.close()

    took = in_turns(
        {
            "build": build,
            "insert": insert,
            "store": store,
            "scan": lambda: scan_folder(folder),
            "read": lambda: read_notes(folder, files, dendron=dendron),
            "cut": lambda: cut_notes(read),
            "fold": lambda: fold_notes(read, cut),
        },
        rounds,
    )
    assert built[0].notes == len(files)
    assert built[0].passages == sum(map(len, cut))
    last = new_file()
    insert_folded(last, folded)
    merging = seconds_of(lambda: merge_full_text(last))
    pointing = _seconds_to_point_links(folder, new_file())

    group = (
        f"Index: words and links, no model ({notes.title}, {built[0].passages:,} passages, {built[0].links:,} links)"
    )
    floor = took["insert"]
    speed, bare_speed = (len(files) / median(took[name]) for name in ("build", "insert"))
    table.add(
        group, "first build, notes a second", f"{speed:,.0f}", f"{bare_speed:,.0f}", ratio_to(floor, took["build"])
    )
    rate, bare_rate = (notes.size / 1e6 / median(took[name]) for name in ("build", "insert"))
    table.add(group, "first build, MB a second", f"{rate:.2f}", f"{bare_rate:.2f}", ratio_to(floor, took["build"]))
    table.add(group, "first build", shown(median(took["build"])), shown(median(floor)), ratio_to(floor, took["build"]))
    # The parts are told as multiples of the same floor.
    for name, part in (
        ("scan", "scan"),
        ("read and parse", "read"),
        ("cut into passages", "cut"),
        ("store what was cut: fold, hash, insert", "store"),
        ("  of that: fold", "fold"),
    ):
        table.add(group, f"  of it: {name}", shown(median(took[part])), "", ratio_to(floor, took[part]))
    table.add(group, "  of it: merge the full-text tables", shown(merging), "", merging / median(floor))
    table.add(group, "  of it: point the links", shown(pointing), "", pointing / median(floor))


def test_runs_without_and_with_little_work_beside_a_bare_walk(notes, table, rounds, tmp_path):
    folder, index_file = tmp_path / "notes", tmp_path / "index.db"
    shutil.copytree(notes.folder, folder)
    update_index(folder, index_file)
    bare_file = tmp_path / "bare.db"
    read = read_notes(folder, notes.scan.files[:1], dendron=notes.scan.dendron)
    folded = fold_notes(read, cut_notes(read))
    insert_folded(bare_file, folded)
    edited = folder / notes.scan.files[len(notes.scan.files) // 2].path
    reports, inserted = [], iter(range(2, 1_000_000))

    def edit():
        with edited.open("a", encoding="utf-8") as file:
            file.write("\nOne more line.\n")
        reports.append(update_index(folder, index_file))

    def insert_one():
        walk(folder)
        connection = open_writer(bare_file)
        connection.execute("BEGIN IMMEDIATE")
        insert_folded_rows(connection, folded, first_id=next(inserted))
        connection.execute("COMMIT")
        connection.close()

    took = in_turns(
        {
            "walk": lambda: walk(folder),
            "needs": lambda: needs_update(folder, index_file, None),
            "nothing": lambda: update_index(folder, index_file),
            "edit": edit,
            "insert one": insert_one,
        },
        max(rounds, 5),
    )
    assert [report.changed for report in reports] == [1] * len(reports)
    assert not needs_update(folder, index_file, None)

    group = f"Up to date already, or nearly ({notes.title})"
    for name, part, floor in (
        ("needs_update, nothing changed", "needs", "walk"),
        ("update_index, nothing changed", "nothing", "walk"),
        ("update_index, one edited note", "edit", "insert one"),
    ):
        table.add(group, name, shown(median(took[part])), shown(median(took[floor])), ratio_to(took[floor], took[part]))


def test_size_of_the_index_beside_the_text(notes, table, tmp_path):
    index_file = tmp_path / "index.db"
    report = update_index(notes.folder, index_file)
    size = index_file.stat().st_size
    log = Path(f"{index_file}-wal")
    assert not log.exists() or not log.stat().st_size
    group = f"Size ({notes.title})"
    table.add(group, "index without vectors", f"{size / 1e6:.1f} MB", f"{notes.size / 1e6:.1f} MB", size / notes.size)
    connection = open_writer(index_file)
    parts: dict[str, int] = {}
    for name, pages in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall():
        parts[_table_of(name)] = parts.get(_table_of(name), 0) + pages
    connection.close()
    parts["free pages"] = size - sum(parts.values())
    for name, part in sorted(parts.items(), key=lambda item: (-item[1], item[0])):
        if part > size / 100:
            table.add(group, f"  of it: {name}", f"{part / 1e6:.1f} MB", "", part / notes.size)
    assert report.passages


def _table_of(name: str) -> str:
    """Return the full-text table that one of FTS5's own tables belongs to, else the name itself."""
    return next((table for table in ("note_words", "passage_words") if name.startswith(f"{table}_")), name)


def _seconds_to_point_links(folder: Path, index_file: Path) -> float:
    update_index(folder, index_file)
    writer = Writer(index_file)
    with writer.transaction():
        writer.connection.execute("UPDATE link SET note = NULL, ambiguous = 0")
        took = seconds_of(writer.resolve_links)
    writer.close()
    return took
