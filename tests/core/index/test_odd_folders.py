"""Files with odd times, files put in each other's place, other time zones: what must not stop or fool a run."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import core.index.reading_files as reading_module
from core.index.indexer import IndexingSeams, modification_date, needs_update, update_index
from core.index.reader import Reader
from core.search.results import Skipped
from core.search.search import SearchRequest, search


def paths_for(index_file: Path, query: str) -> list[str]:
    reader = Reader(index_file)
    try:
        return [hit.path for hit in search(reader, Skipped("no model"), SearchRequest(query)).hits]
    finally:
        reader.close()


@pytest.mark.parametrize("seconds", [-(10**9), 0, 10**10, 13_569_465_600, 253_402_300_800, 2**40, 2**55])
def test_a_file_of_any_time_is_indexed(write, update, folder, seconds):
    write({"a.md": "apples", "z.md": "zebras"})
    try:
        os.utime(folder / "z.md", (seconds, seconds))
    except (OverflowError, OSError):
        pytest.skip("this file system holds no such time")
    report = update()
    assert (report.notes, report.problems) == (2, ())
    assert update().changed == 0


@pytest.mark.parametrize("nanoseconds", [-(2**70), -1, 0, 2**63, 2**70])
def test_any_time_has_a_day(nanoseconds):
    assert len(modification_date(nanoseconds)) == 10


def test_files_put_in_each_others_place_with_their_times_are_seen(write, update, folder, index_file):
    write({"a.md": "the zebra", "b.md": "the horse"})
    for name in ("a.md", "b.md"):
        os.utime(folder / name, (1_700_000_000, 1_700_000_000))
    update()
    (folder / "a.md").rename(folder / "c")
    (folder / "b.md").rename(folder / "a.md")
    (folder / "c").rename(folder / "b.md")
    assert needs_update(folder, index_file, None)
    update()
    assert paths_for(index_file, "zebra") == ["b.md"]


def test_an_edit_that_keeps_size_and_time_is_seen(write, update, folder, index_file):
    write({"a.md": "the zebra"})
    before = (folder / "a.md").stat()
    update()
    # The status time of a file counts in ticks of some milliseconds.
    time.sleep(0.02)
    write({"a.md": "the horse"})
    os.utime(folder / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert needs_update(folder, index_file, None)
    update()
    assert paths_for(index_file, "horse") == ["a.md"]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone cannot be changed here")
def test_after_a_journey_the_index_is_as_if_made_there(write, update, folder, index_file, tmp_path, monkeypatch):
    write({"a.md": "apples", "dated.md": "---\ndate: 2026-01-02\n---\npears"})
    os.utime(folder / "a.md", (1_700_000_000, 1_700_000_000))
    fingerprints = []
    try:
        for number, zone in enumerate(("Pacific/Kiritimati", "Pacific/Midway")):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            grown = update()
            fresh = update_index(folder, tmp_path / f"fresh{number}" / "index.db")
            assert grown.fingerprint == fresh.fingerprint
            fingerprints.append(grown.fingerprint)
            assert not needs_update(folder, index_file, None)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert len(set(fingerprints)) == 2


def test_a_fault_of_a_reader_costs_the_one_note_that_shows_it(write, update, monkeypatch):
    write({"a.md": "apples", "b.md": "pears", "c.md": "plums"})
    real = reading_module.read_note

    def faulty(path: str, data: bytes, **options: object) -> object:
        if path == "b.md":
            raise RuntimeError("as never before")
        return real(path, data, **options)

    monkeypatch.setattr(reading_module, "read_note", faulty)
    report = update()
    assert (report.notes, report.skipped) == (2, 1)
    assert [(each.path, "as never before" in each.reason) for each in report.problems] == [("b.md", True)]


def test_a_note_of_nothing_but_links_is_bounded(write, update):
    write({"a.md": "[[b]] " * 100_500, "b.md": "here"})
    report = update()
    assert report.links == 100_000
    assert "100,500 links" in report.problems[0].reason


def test_each_file_is_told_before_anything_is_done_with_it(write, folder, index_file):
    write({"a.md": "apples", "b.md": "pears"})
    told: list[str] = []
    seams = IndexingSeams(reading=told.append, unreadable={"a.md": "It ended the process."})
    report = update_index(folder, index_file, seams=seams)
    assert told == ["a.md", "b.md"]
    assert [each.reason for each in report.problems] == ["It ended the process."]


def test_a_folder_whose_name_is_no_text_is_indexed(tmp_path, index_file, write_at: Callable[[Path, str], None]):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    try:
        odd.mkdir()
    except OSError:
        pytest.skip("this file system takes no such name")
    write_at(odd / "a.md", "apples")
    assert update_index(odd, index_file).notes == 1
    reader = Reader(index_file)
    assert reader.folder() == str(odd)
    reader.close()


@pytest.fixture
def write_at() -> Callable[[Path, str], None]:
    """Write one file."""

    def run(file: Path, text: str) -> None:
        file.write_text(text, "utf-8")

    return run
