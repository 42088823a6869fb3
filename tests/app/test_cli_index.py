"""`triskel index`: what it prints, what it leaves alone, and what it writes where."""

import json
import os
import stat
import sys

import pytest

from app.paths import places
from core.index.reader import Reader

KEYS = ["notes", "passages", "links", "resolved_links", "embedded", "skipped", "problems", "purge", "fingerprint"]


def generation(made):
    reader = Reader(places(made.home).index_file(made.folder))
    try:
        return reader.begin()
    finally:
        reader.end()
        reader.close()


def snapshot(folder):
    """Return each entry below a folder with its bytes, mode and time of writing."""
    entries = {}
    for place in sorted([folder, *folder.rglob("*")]):
        status = place.stat()
        content = place.read_bytes() if place.is_file() else None
        entries[str(place.relative_to(folder))] = (content, status.st_mode, status.st_mtime_ns)
    return entries


def test_the_json_object_has_its_keys_and_the_real_counts(cli, indexed):
    answer = cli("index", indexed.folder, "--home", indexed.home, "--json")
    assert answer.code == 0
    assert answer.err == ""
    report = json.loads(answer.out)
    assert list(report) == KEYS
    assert report["notes"] == 7
    assert report["passages"] == report["embedded"] == 7
    assert (report["links"], report["resolved_links"]) == (4, 4)
    assert (report["skipped"], report["problems"]) == (0, [])
    assert report["purge"] == {"state": "none", "reason": None}
    assert len(report["fingerprint"]) == 32


def test_a_second_run_does_nothing(cli, indexed):
    before = generation(indexed)
    answer = cli("index", indexed.folder, "--home", indexed.home)
    assert answer.code == 0
    assert "7 notes (nothing new)" in answer.out
    assert generation(indexed) == before


def test_indexing_and_searching_leave_the_notes_folder_as_it_was(cli, own_index):
    place = ("--home", own_index.home, "--no-meaning")
    before = snapshot(own_index.folder)
    cli("index", own_index.folder, *place)
    cli("search", "tasks", "--folder", own_index.folder, *place)
    cli("index", own_index.folder, *place, "--rebuild")
    cli("doctor", own_index.folder, "--home", own_index.home)
    assert snapshot(own_index.folder) == before


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_only_the_user_may_look_into_the_index(cli, own_index):
    before = os.umask(0o022)
    try:
        assert cli("index", own_index.folder, "--home", own_index.home, "--no-meaning").code == 0
    finally:
        os.umask(before)
    file = places(own_index.home).index_file(own_index.folder)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for folder in (file.parent, file.parent.parent, own_index.home):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder


def test_a_file_that_cannot_be_read_costs_only_itself_and_is_listed(cli, own_index):
    (own_index.folder / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x00")
    answer = cli("index", own_index.folder, "--home", own_index.home, "--no-meaning", "--json")
    assert answer.code == 0
    report = json.loads(answer.out)
    assert (report["notes"], report["skipped"]) == (7, 1)
    assert [each["path"] for each in report["problems"]] == ["picture.md"]
    text = cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    assert "1 file could not be read" in text.out
    assert "'picture.md': " in text.out


def test_without_meaning_there_are_no_vectors_and_the_next_run_adds_them(cli, own_index):
    place = ("--home", own_index.home, "--json")
    first = json.loads(cli("index", own_index.folder, *place, "--no-meaning").out)
    assert (first["notes"], first["embedded"]) == (7, 0)
    second = json.loads(cli("index", own_index.folder, *place).out)
    assert (second["notes"], second["embedded"]) == (7, 7)
    assert first["fingerprint"] != second["fingerprint"]


def test_a_rebuilt_index_is_the_same_index(cli, indexed, own_index):
    place = ("--home", own_index.home, "--no-meaning", "--json")
    first = json.loads(cli("index", own_index.folder, *place).out)
    assert json.loads(cli("index", own_index.folder, *place, "--rebuild").out) == first


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_named_like_a_note_is_no_note(cli, own_index):
    os.mkfifo(own_index.folder / "pipe.md")
    (own_index.folder / "link.md").symlink_to("pipe.md")
    answer = cli("index", own_index.folder, "--home", own_index.home, "--no-meaning", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["notes"] == 7


def test_a_long_list_of_problems_is_cut_in_the_text_and_whole_in_json(cli, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number:02}.md").write_bytes(b"\x00\x01\x02" * 50)
    text = cli("index", folder, "--no-meaning").out
    assert "'00.md': " in text
    assert "… and 10 more" in text
    assert len(json.loads(cli("index", folder, "--no-meaning", "--json").out)["problems"]) == 30
