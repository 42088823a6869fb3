"""A rebuild is a new build beside the one that answers: exchanged in one step, gone on with after an end, removed."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest

import core.index.indexing_run as run_module
import core.index.writer as writer_module
from core.index.builds import current_build, pending_build, publish
from core.index.database import move_aside
from core.index.indexer import IndexingSeams, needs_update, update_index, what_is_held
from core.index.reader import Reader
from core.index.schema import SCHEMA_VERSION, WITHDRAWN
from core.search.results import Skipped
from core.search.search import SearchRequest, find_words, search

NOTES = {
    f"{number:02}.md": f"# Note {number}\n\nBread number{number}. See [[{(number + 1) % 20:02}]].\n"
    for number in range(20)
}
NO_MODEL = Skipped("no model")


class CountingModel:
    """A model whose vectors are all alike; it counts what it embeds, and calls `watch` before each passage."""

    key = "counting"

    def __init__(self, watch=lambda: None) -> None:
        self.embedded = 0
        self.watch = watch

    def load(self) -> "CountingModel":
        return self

    def embed_passages(self, texts: Sequence[str]) -> Iterator[tuple[int, np.ndarray]]:
        for place, _ in enumerate(texts):
            self.watch()
            self.embedded += 1
            yield place, np.array([1, 0, 0, 0], "<f4")


def found(index_file: Path, query: str = "bread") -> list[str]:
    reader = Reader(index_file)
    try:
        return [hit.path for hit in search(reader, NO_MODEL, SearchRequest(query)).hits]
    finally:
        reader.close()


def files(index_file: Path) -> list[str]:
    return sorted(file.name for file in index_file.parent.iterdir() if not file.name.endswith(("-shm", "-wal")))


def test_the_old_build_answers_until_the_new_one_is_whole(write, update, folder, index_file):
    write(NOTES)
    update()
    expected = found(index_file)
    seen = []
    seams = IndexingSeams(on_progress=lambda _progress: seen.append((current_build(index_file), found(index_file))))
    report = update_index(folder, index_file, seams=seams, rebuild=True)
    assert {build for build, _ in seen} == {index_file}
    assert all(paths == expected for _, paths in seen)
    assert current_build(index_file).name == "index.db.build-1"
    assert found(index_file) == expected
    assert report.added == 20
    assert files(index_file) == ["index.db.build-1", "index.db.current"]


def test_every_further_rebuild_leaves_one_build(write, update, index_file):
    write(NOTES)
    before = update().fingerprint
    for number in (1, 2, 3):
        assert update(rebuild=True).fingerprint == before
        assert files(index_file) == [f"index.db.build-{number}", "index.db.current"]


def test_a_reader_of_the_old_build_ends_its_search_and_then_sees_the_new_one(write, update, folder, index_file):
    write(NOTES)
    update()
    reader = Reader(index_file)
    generation = reader.begin()
    write({"new.md": "Bread, and more bread."})
    update(rebuild=True)
    request = SearchRequest("bread")
    assert len(find_words(reader, request).notes) == 20
    assert reader.coverage().notes == 20
    reader.end()
    assert not reader.was_withdrawn()
    assert reader.begin() > generation
    assert reader.coverage().notes == 21
    assert search(reader, NO_MODEL, request).total == 21
    reader.close()


def test_a_note_that_was_written_again_as_it_was_is_in_the_new_build(write, update, folder, index_file):
    write(NOTES)
    before = found(index_file) if update() else []
    os.utime(folder / "03.md", (1_700_000_000, 1_700_000_000))
    assert update(rebuild=True).notes == 20
    assert found(index_file) == before


def test_other_rules_make_a_new_build(write, update, folder, index_file, monkeypatch):
    write(NOTES)
    update()
    assert not needs_update(folder, index_file, None)
    monkeypatch.setattr(run_module, "RULES", "other rules")
    assert needs_update(folder, index_file, None)
    update()
    assert current_build(index_file) != index_file
    assert not needs_update(folder, index_file, None)


def test_a_rebuild_that_is_stopped_is_gone_on_with(write, folder, index_file):
    write(NOTES)
    before = update_index(folder, index_file).fingerprint
    read: list[str] = []
    seams = IndexingSeams(should_stop=lambda: len(read) > 7, reading=read.append)
    assert update_index(folder, index_file, seams=seams, rebuild=True).cancelled
    assert what_is_held(index_file).fingerprint == before
    assert needs_update(folder, index_file, None)
    rest: list[str] = []
    update_index(folder, index_file, seams=IndexingSeams(reading=rest.append))
    assert sorted(read + rest) == sorted(NOTES)
    assert what_is_held(index_file).fingerprint == before
    assert not needs_update(folder, index_file, None)


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import core.index.building as building
import core.index.indexing_run as run
from core.index.indexer import IndexingSeams, update_index
run.COMMIT_EVERY_SECONDS = 0.0
place = sys.argv[4]
def end(*_arguments):
    os._exit(9)
if place == "before the switch":
    building.publish = end
elif place == "after the switch":
    real = building.clear_taint
    building.clear_taint = end
reading = (lambda path: end() if path == "11.md" else None) if place == "reading" else (lambda path: None)
update_index(Path(sys.argv[2]), Path(sys.argv[3]), seams=IndexingSeams(reading=reading), rebuild=True)
"""


@pytest.mark.parametrize("place", ["reading", "before the switch", "after the switch"])
def test_a_rebuild_that_is_killed_leaves_an_index_that_answers_and_is_gone_on_with(
    write, folder, index_file, project, place
):
    write(NOTES)
    before = update_index(folder, index_file).fingerprint
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(project), str(folder), str(index_file), place], timeout=50, check=False
    )
    assert ended.returncode == 9
    assert what_is_held(index_file).fingerprint == before
    rest: list[str] = []
    report = update_index(folder, index_file, seams=IndexingSeams(reading=rest.append))
    assert report.fingerprint == before
    assert len(rest) < 10
    assert len(files(index_file)) == 2
    assert not needs_update(folder, index_file, None)


def test_a_build_that_was_begun_by_other_rules_is_begun_again(write, folder, index_file, monkeypatch):
    write(NOTES)
    before = update_index(folder, index_file).fingerprint
    read: list[str] = []
    seams = IndexingSeams(should_stop=lambda: len(read) > 7, reading=read.append)
    monkeypatch.setattr(run_module, "RULES", "rules that did not last")
    update_index(folder, index_file, seams=seams)
    monkeypatch.undo()
    report = update_index(folder, index_file)
    assert (report.fingerprint, report.notes) == (before, 20)


def test_vectors_are_taken_over_by_the_new_build(write, folder, index_file):
    write(NOTES)
    model = CountingModel()
    first = update_index(folder, index_file, model)
    assert model.embedded == first.passages == first.embedded
    for loader in (model, None):
        again = update_index(folder, index_file, loader, rebuild=True)
        assert again.embedded == first.embedded
        assert again.fingerprint == first.fingerprint
    assert model.embedded == first.passages


def test_a_new_build_answers_once_meaning_sees_no_less_of_it(write, folder, index_file, monkeypatch):
    write(NOTES)
    update_index(folder, index_file, CountingModel())
    real = writer_module.passage_hash
    monkeypatch.setattr(writer_module, "passage_hash", lambda text: real("other rules: " + text))
    seen = []
    model = CountingModel(lambda: seen.append((current_build(index_file), what_is_held(index_file).embedded)))
    report = update_index(folder, index_file, model, rebuild=True)
    assert model.embedded == report.passages == 20
    assert set(seen) == {(index_file, 20)}
    assert current_build(index_file) != index_file


def test_a_new_build_of_an_index_that_had_few_vectors_answers_before_it_has_all(write, folder, index_file, monkeypatch):
    write(NOTES)
    update_index(folder, index_file)
    seen = []
    model = CountingModel(lambda: seen.append(current_build(index_file)))
    update_index(folder, index_file, model, rebuild=True)
    assert seen[0].name == "index.db.build-1"


def test_what_an_earlier_version_has_embedded_is_taken_over(write, folder, index_file):
    write(NOTES)
    model = CountingModel()
    before = update_index(folder, index_file, model)
    connection = apsw.Connection(str(index_file))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
    connection.close()
    after = update_index(folder, index_file, model)
    assert after.fingerprint == before.fingerprint
    assert model.embedded == before.embedded
    assert files(index_file) == ["index.db.build-1", "index.db.current"]


def test_old_builds_that_cannot_be_removed_go_with_the_next_run(write, update, index_file, monkeypatch):
    write(NOTES)
    update()
    real = Path.unlink

    def refuse(file: Path, missing_ok: bool = False) -> None:
        if file.name == "index.db":
            raise PermissionError(13, "in use")
        real(file, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    update(rebuild=True)
    assert "index.db" in files(index_file)
    assert len(found(index_file)) == 20
    monkeypatch.undo()
    update()
    assert files(index_file) == ["index.db.build-1", "index.db.current"]


def test_what_was_withdrawn_stays_withdrawn_in_a_later_build(write, update, folder, index_file):
    write(NOTES)
    update()
    reader = Reader(index_file)
    before = reader.begin()
    update(rebuild=True)
    (folder / "03.md").write_text("---\nprivate: true\n---\nBread", "utf-8")
    update()
    reader.end()
    assert reader.was_withdrawn()
    reader.begin()
    assert reader.coverage().notes == 19
    reader.end()
    assert not reader.was_withdrawn()
    reader.close()
    update(rebuild=True)
    connection = apsw.Connection(str(current_build(index_file)), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.execute("SELECT value FROM meta WHERE key = ?", (WITHDRAWN,)).get > before
    connection.close()


def test_a_note_that_becomes_private_during_a_rebuild_is_in_neither_build(write, folder, index_file):
    write(NOTES)
    update_index(folder, index_file)
    read: list[str] = []
    seams = IndexingSeams(should_stop=lambda: len(read) > 7, reading=read.append)
    update_index(folder, index_file, seams=seams, rebuild=True)
    assert "03.md" in read
    index_file.with_name("index.db.unusable").write_bytes(b"Bread number3.")
    (folder / "03.md").write_text("---\nprivate: true\n---\nBread number3", "utf-8")
    seen = []
    update_index(
        folder, index_file, seams=IndexingSeams(on_progress=lambda _progress: seen.append(found(index_file, "number3")))
    )
    assert seen[-1] == []
    assert found(index_file, "number3") == []
    assert b"number3." not in b"".join(file.read_bytes() for file in index_file.parent.iterdir())


@pytest.mark.parametrize("text", ["", "..", "../other.db.build-1", "index.db.build-0", "other.db.build-1", "\0" * 500])
def test_a_pointer_that_names_no_build_is_not_followed(index_file, text):
    index_file.parent.mkdir()
    index_file.with_name("index.db.current").write_text(text)
    assert current_build(index_file) == index_file
    assert pending_build(index_file).name == "index.db.build-1"


def test_the_pointer_is_exchanged_whole(index_file):
    index_file.parent.mkdir()
    for number in (1, 12, 3):
        publish(index_file, index_file.with_name(f"index.db.build-{number}"))
        assert current_build(index_file).name == f"index.db.build-{number}"
    assert os.listdir(index_file.parent) == ["index.db.current"]  # noqa: PTH208


def test_a_damaged_build_is_moved_aside_like_any_index(write, update, index_file):
    write(NOTES)
    before = update().fingerprint
    update(rebuild=True)
    current_build(index_file).write_bytes(b"not a database at all " * 100)
    assert update().fingerprint == before
    assert index_file.with_name("index.db.unusable").exists()
    move_aside(index_file)
    assert update().fingerprint == before
