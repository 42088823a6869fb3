"""Bringing an index up to date: only the difference is done, and it answers as if made afresh."""

import hashlib
import os
import random
from pathlib import Path

import pytest

from core.index.indexer import IndexingSeams, needs_update, update_index, what_is_held
from core.index.progress import Phase
from core.index.reader import Reader
from core.index.writer import Writer
from core.search.results import Leg, LegState, Skipped
from core.search.search import SearchRequest, search

GARDEN = {
    "garden/tomatoes.md": "---\ntags: [garden, food]\naliases: [pomodori]\n---\n# Tomatoes\n\nWater them early. "
    "See [[compost]].\n",
    "garden/compost.md": "# Compost\n\nTurn the heap in autumn. Good for [tomatoes](tomatoes.md).\n",
    "daily/2026-03-01.md": "Sowed tomatoes today, [[Tomatoes]] and [[no such note]].\n",
    "plain.txt": "A plain text about bread.\n",
}


def answers(index_file: Path, *queries: str) -> list:
    reader = Reader(index_file)
    try:
        return [search(reader, Skipped("no model"), SearchRequest(query)) for query in queries]
    finally:
        reader.close()


def snapshot(folder: Path) -> dict:
    return {
        str(file.relative_to(folder)): (file.stat().st_mtime_ns, file.stat().st_size, file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def generation(index_file: Path) -> int:
    reader = Reader(index_file)
    try:
        return reader.begin()
    finally:
        reader.close()


def test_a_first_run_counts_what_it_holds(write, update):
    write(GARDEN)
    report = update()
    assert (report.notes, report.added, report.links, report.resolved_links) == (4, 4, 4, 3)
    assert report.passages >= 4
    assert report.embedded == 0
    assert report.skipped == 0
    assert report.problems == ()
    assert report.meaning_reason


def test_a_second_run_changes_nothing(write, update, index_file):
    write(GARDEN)
    first = update()
    before = generation(index_file)
    second = update()
    assert (second.added, second.changed, second.moved, second.removed) == (0, 0, 0, 0)
    assert second.fingerprint == first.fingerprint
    assert generation(index_file) == before


def test_nothing_is_ever_written_into_the_notes_folder(write, update):
    folder = write(GARDEN)
    before = snapshot(folder)
    update()
    update(rebuild=True)
    assert snapshot(folder) == before


def test_an_edit_reads_one_note(write, update, folder):
    write(GARDEN)
    update()
    (folder / "plain.txt").write_text("Now about cheese.\n")
    read = []
    report = update(seams=IndexingSeams(reading=read.append))
    assert read == ["plain.txt"]
    assert (report.added, report.changed) == (0, 1)


def test_a_file_written_again_with_the_same_content_is_not_indexed_again(write, update, folder, index_file):
    write(GARDEN)
    first = update()
    later = (folder / "plain.txt").stat().st_mtime_ns + 2_000_000_000
    os.utime(folder / "plain.txt", ns=(later, later))
    assert needs_update(folder, index_file, None)
    report = update()
    assert report.changed == 0
    assert report.fingerprint == first.fingerprint
    assert not needs_update(folder, index_file, None)


def test_a_moved_note_is_counted_as_moved_and_its_links_follow(write, update, folder, index_file):
    write(GARDEN)
    update()
    (folder / "kitchen").mkdir()
    (folder / "garden/tomatoes.md").rename(folder / "kitchen/tomatoes.md")
    report = update()
    assert (report.added, report.moved, report.removed) == (0, 1, 0)
    [result] = answers(index_file, "compost")
    assert "kitchen/tomatoes.md" in [hit.path for hit in result.hits]


def test_a_deleted_note_is_gone_with_all_its_words(write, update, folder, index_file):
    write(GARDEN)
    update()
    (folder / "plain.txt").unlink()
    report = update()
    assert report.removed == 1
    [result] = answers(index_file, "bread")
    assert result.hits == ()


def test_a_link_to_a_note_that_comes_later_resolves_then(write, update):
    write({"a.md": "[[b]]"})
    assert update().resolved_links == 0
    write({"b.md": "here"})
    assert update().resolved_links == 1


def test_a_new_note_of_the_same_name_nearer_by_takes_the_link_over(write, update, index_file):
    write({"x/a.md": "apple [[b]]", "b.md": "one"})
    update()
    write({"x/b.md": "two"})
    update()
    [result] = answers(index_file, "apple")
    assert [hit.path for hit in result.hits] == ["x/a.md", "x/b.md"]


@pytest.mark.parametrize("seed", range(6))
def test_an_index_that_grew_answers_like_one_made_afresh(write, update, folder, index_file, tmp_path, seed):
    chance = random.Random(seed)
    words = ["apple", "pear", "plum", "fig", "quince", "cherry"]
    names = [f"{place}{name}.md" for place in ("", "a/", "b/c/") for name in words[:4]]

    def text() -> str:
        body = " ".join(chance.choices(words, k=chance.randint(1, 60)))
        return f"# {chance.choice(words)}\n\n{body}\n\n[[{chance.choice(words)}]] [x]({chance.choice(names)})\n"

    for _ in range(12):
        name = chance.choice(names)
        file = folder / name
        match chance.randint(0, 3):
            case 0 if file.exists():
                file.unlink()
            case 1 if file.exists():
                target = folder / chance.choice(names)
                target.parent.mkdir(parents=True, exist_ok=True)
                file.replace(target)
            case _:
                write({name: text()})
        # Times that differ, as they do when a person works.
        for number, each in enumerate(sorted(folder.rglob("*.md"))):
            if each == file:
                stamp = 1_700_000_000_000_000_000 + chance.randrange(10**9) + number
                os.utime(each, ns=(stamp, stamp))
        if chance.random() < 0.6:
            grown = update()
    grown = update()
    fresh_file = tmp_path / "fresh" / "index.db"
    fresh = update_index(folder, fresh_file)
    assert grown.fingerprint == fresh.fingerprint
    queries = [*words, "apple plum", "fig quince cherry"]
    assert answers(index_file, *queries) == answers(fresh_file, *queries)


def test_the_fingerprint_does_not_know_where_the_folder_lies(write, update, folder, tmp_path):
    write(GARDEN)
    here = update()
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    there = update_index(elsewhere, tmp_path / "other" / "index.db")
    assert here.fingerprint == there.fingerprint


def test_the_fingerprint_changes_with_a_word_a_path_and_a_date(write, update, folder):
    write(GARDEN)
    seen = {update().fingerprint}
    (folder / "plain.txt").write_text("A plain text about breads.\n")
    seen.add(update().fingerprint)
    (folder / "plain.txt").rename(folder / "plainer.txt")
    seen.add(update().fingerprint)
    os.utime(folder / "plainer.txt", (0, 0))
    seen.add(update().fingerprint)
    assert len(seen) == 4


def test_a_stop_keeps_what_was_committed_and_the_next_run_finishes(write, folder, index_file):
    write({f"{number}.md": f"note {number} about apples [[{number + 1}]]" for number in range(40)})
    asked = iter(range(1000))
    stopped = update_index(folder, index_file, seams=IndexingSeams(should_stop=lambda: next(asked) > 20))
    assert stopped.cancelled
    assert 0 < stopped.notes < 40
    assert needs_update(folder, index_file, None)
    finished = update_index(folder, index_file)
    assert not finished.cancelled
    assert finished.notes == 40
    assert finished.resolved_links == 39


def test_a_rebuild_that_is_stopped_leaves_the_old_index_whole(write, update, folder, index_file):
    write(GARDEN)
    before = update()
    asked = iter(range(1000))
    update_index(folder, index_file, seams=IndexingSeams(should_stop=lambda: next(asked) > 3), rebuild=True)
    assert what_is_held(index_file).fingerprint == before.fingerprint
    assert needs_update(folder, index_file, None)
    assert update().fingerprint == before.fingerprint
    assert not needs_update(folder, index_file, None)


def test_a_rebuild_gives_the_same_index(write, update):
    write(GARDEN)
    assert update().fingerprint == update(rebuild=True).fingerprint


def test_an_unreadable_file_costs_only_itself(write, update, folder, index_file, monkeypatch):
    write(GARDEN)
    real = os.open

    def refuse(file: Path, *rest: int) -> int:
        if Path(file).name == "plain.txt":
            raise PermissionError(13, "Permission denied")
        return real(file, *rest)

    monkeypatch.setattr(os, "open", refuse)
    report = update()
    assert (report.notes, report.skipped) == (3, 1)
    assert [(each.path, "Permission denied" in each.reason) for each in report.problems] == [("plain.txt", True)]
    # It is tried again when it can be read, whose times are the same, and not before.
    assert not needs_update(folder, index_file, None)
    read = []
    again = update(seams=IndexingSeams(reading=read.append))
    assert (read, again.skipped) == ([], 1)
    monkeypatch.undo()
    assert needs_update(folder, index_file, None)
    after = update()
    assert (after.notes, after.skipped, after.problems) == (4, 0, ())


def test_a_binary_file_is_listed_once_and_not_read_again(write, update, folder):
    write(GARDEN)
    (folder / "picture.md").write_bytes(bytes(range(256)) * 40)
    report = update()
    assert (report.notes, report.skipped) == (4, 1)
    assert [each.path for each in report.problems] == ["picture.md"]
    read = []
    again = update(seams=IndexingSeams(reading=read.append))
    assert read == []
    assert again.skipped == 1


def test_a_file_too_big_to_be_a_note_is_listed_and_left_out(write, update, folder):
    write(GARDEN)
    with (folder / "huge.md").open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    report = update()
    assert report.notes == 4
    assert [each.path for each in report.problems] == ["huge.md"]


def test_a_file_that_vanishes_while_being_read_is_as_if_it_had_gone_before(write, update, folder):
    write(GARDEN)

    def lose(path: str) -> None:
        if path == "plain.txt":
            (folder / path).unlink()

    report = update(seams=IndexingSeams(reading=lose))
    assert (report.notes, report.problems) == (3, ())


def test_each_problem_is_listed_once_however_often_the_folder_is_read(write, update, folder):
    write({"a.md": "---\nbroken: [\n---\ntext"})
    first = update()
    (folder / "a.md").write_text("---\nbroken: [\n---\nother text")
    second = update()
    assert len(first.problems) == len(second.problems) == 1


def test_a_problem_goes_with_its_cause(write, update, folder):
    write({"a.md": "---\nbroken: [\n---\ntext"})
    assert update().problems
    (folder / "a.md").write_text("mended")
    assert update().problems == ()


def test_an_empty_folder_is_an_empty_index(update):
    report = update()
    assert (report.notes, report.problems) == (0, ())


def test_progress_names_each_step_in_order(write, update):
    write(GARDEN)
    told = []
    update(seams=IndexingSeams(on_progress=told.append))
    phases = list(dict.fromkeys(each.phase for each in told))
    assert phases == [Phase.SCAN, Phase.READ, Phase.LINK]
    assert all(each.done <= each.total for each in told)


def test_notes_as_many_as_a_batch_holds_and_more_are_all_indexed(write, update):
    write({f"{number:04}.md": f"note {hashlib.sha256(bytes([number % 256])).hexdigest()}" for number in range(1200)})
    assert update().notes == 1200


def test_a_big_run_that_was_stopped_leaves_its_end_to_the_next(write, folder, index_file):
    write({f"{number}.md": f"note {number} about apples" for number in range(520)})
    asked = iter(range(10_000))
    update_index(folder, index_file, seams=IndexingSeams(should_stop=lambda: next(asked) > 500))
    writer = Writer(index_file)
    assert writer.expects_much()
    writer.close()
    update_index(folder, index_file)
    writer = Writer(index_file)
    assert not writer.expects_much()
    writer.close()


def test_an_edit_that_changes_no_name_leaves_the_links_of_others_right(write, update, index_file):
    write({"a.md": "apple [[b]]", "b.md": "# B\n\none"})
    update()
    write({"b.md": "# B\n\ntwo and more, [[a]]"})
    assert update().resolved_links == 2
    [result] = answers(index_file, "apple")
    assert [hit.path for hit in result.hits] == ["a.md", "b.md"]


def test_links_to_a_deleted_note_lead_nowhere_when_the_run_is_stopped_before_it_points_them(write, folder, index_file):
    write({"a.md": "apple [[b]]", "b.md": "one", "c.md": "two", "d.md": "three"})
    update_index(folder, index_file)
    (folder / "b.md").unlink()
    write({"c.md": "two and more"})
    read = []
    seams = IndexingSeams(should_stop=lambda: bool(read), reading=read.append)
    assert update_index(folder, index_file, seams=seams).cancelled
    [result] = answers(index_file, "apple")
    assert result.legs[Leg.LINKS].state is LegState.RAN
    assert [hit.path for hit in result.hits] == ["a.md"]
