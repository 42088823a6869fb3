"""A note that becomes private leaves the index at once and whole; an index that cannot be cleared is refused."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from core.errors import IndexTainted
from core.index.indexer import IndexingSeams, needs_update, update_index
from core.index.progress import PurgeState
from core.index.reader import Reader
from core.index.taint import clear_taint, is_tainted, mark_tainted
from core.index.writer import Writer
from core.search.results import Skipped
from core.search.search import SearchRequest, search
from tests.app.private_folders import MODEL, indexed, published, raw_bytes, result_of, write_file, write_folder

NOTES = {
    "a.md": "# Apples\n\nApples and pears, see [[secret]].\n",
    "secret.md": "---\ntags: [health]\naliases: [other]\n---\n# Secret\n\nXyzzyplugh in the orchard, apples. [[a]]\n",
    "b.md": "Pears, see [[other]] and [[b]].\n",
    "c.md": "Plums.\n",
    "rest/d.md": "Orchard of plums.\n",
}
QUERIES = ("apples", "orchard", "xyzzyplugh", "secret", "pears plums")
LATER = 1_700_000_100


def make_private(folder: Path) -> None:
    write_file(folder / "secret.md", "---\nprivate: true\n---\n" + NOTES["secret.md"].split("---\n", 2)[2], LATER)


def tag_as_private(folder: Path) -> None:
    write_file(folder / "secret.md", NOTES["secret.md"] + "\n#private\n", LATER)


def name_in_a_rule_file(folder: Path) -> None:
    write_file(folder / ".triskelprivate", "secret.md\n")


def choose_its_tag(folder: Path) -> None:
    write_file(folder / ".triskelprivate", "tag:health\n")


def move_to_a_private_folder(folder: Path) -> None:
    write_file(folder / "diary" / ".triskelprivate", "")
    (folder / "secret.md").rename(folder / "diary" / "secret.md")


def make_its_folder_private(folder: Path) -> None:
    write_file(folder / ".triskelprivate", "/*\n!/a.md\n!/b.md\n!/c.md\n!/rest/\n")


WAYS = [
    make_private,
    tag_as_private,
    name_in_a_rule_file,
    choose_its_tag,
    move_to_a_private_folder,
    make_its_folder_private,
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "notes", NOTES)


@pytest.fixture
def index_file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "index.db"


def without_the_note(tmp_path: Path) -> Path:
    file = tmp_path / "without" / "index.db"
    visible = {path: text for path, text in NOTES.items() if path != "secret.md"}
    indexed(write_folder(tmp_path / "without" / "notes", visible), file)
    return file


@pytest.mark.parametrize("way", WAYS)
def test_a_note_that_becomes_private_leaves_as_if_it_had_never_been(tmp_path, folder, index_file, way):
    indexed(folder, index_file)
    assert b"xyzzyplugh" in raw_bytes(index_file).lower()
    way(folder)
    assert needs_update(folder, index_file, MODEL.key)
    said = json.loads(indexed(folder, index_file))
    assert said["purge"] == {"state": "done", "reason": None}
    assert published(index_file, QUERIES) == published(without_the_note(tmp_path), QUERIES)
    assert b"xyzzyplugh" not in raw_bytes(index_file).lower()
    assert b"secret.md" not in raw_bytes(index_file)
    assert not needs_update(folder, index_file, MODEL.key)
    assert json.loads(indexed(folder, index_file))["purge"]["state"] == "none"


@pytest.mark.parametrize("way", [make_private, tag_as_private, name_in_a_rule_file, choose_its_tag])
def test_a_note_that_is_private_no_more_comes_back(tmp_path, folder, index_file, way):
    indexed(folder, index_file)
    way(folder)
    indexed(folder, index_file)
    (folder / ".triskelprivate").unlink(missing_ok=True)
    write_file(folder / "secret.md", NOTES["secret.md"])
    indexed(folder, index_file)
    fresh = tmp_path / "fresh" / "index.db"
    indexed(folder, fresh)
    assert published(index_file, QUERIES) == published(fresh, QUERIES)
    assert result_of(index_file, "xyzzyplugh").hits[0].path == "secret.md"


def test_a_private_note_may_be_edited_moved_and_deleted_without_a_trace(tmp_path, folder, index_file):
    make_private(folder)
    indexed(folder, index_file)
    expected = published(without_the_note(tmp_path), QUERIES)
    assert published(index_file, QUERIES) == expected
    write_file(folder / "secret.md", "---\nprivate: yes\n---\napples", LATER + 1)
    assert json.loads(indexed(folder, index_file))["purge"]["state"] == "none"
    assert published(index_file, QUERIES) == expected
    (folder / "secret.md").rename(folder / "moved.md")
    indexed(folder, index_file)
    assert published(index_file, QUERIES) == expected
    (folder / "moved.md").unlink()
    report = update_index(folder, index_file, MODEL)
    assert published(index_file, QUERIES) == expected
    assert report.withheld == ()


def test_what_is_private_is_counted_by_rule_for_settings_alone(folder, index_file):
    make_private(folder)
    write_file(folder / "diary" / ".triskelprivate", "")
    write_file(folder / "diary" / "one.md", "x")
    write_file(folder / "diary" / "two.png", "x")
    report = update_index(folder, index_file, MODEL)
    assert report.withheld == (("named by .triskelprivate", 2), ("“private” in the note's properties", 1))
    assert "triskelprivate" not in indexed(folder, index_file)


def test_a_private_note_that_cannot_be_read_any_more_stays_withheld(folder, index_file):
    make_private(folder)
    indexed(folder, index_file)
    (folder / "secret.md").write_bytes(b"\0\1\2" * 5_000)
    report = update_index(folder, index_file, MODEL)
    assert (report.problems, report.skipped) == ((), 0)
    assert len(report.withheld) == 1


def test_the_purge_is_committed_before_any_other_change(folder, index_file):
    indexed(folder, index_file)
    write_file(folder / "a.md", "Quinces now.\n", LATER)
    write_file(folder / "new.md", "Quinces too.\n", LATER)
    make_private(folder)
    seen: list[tuple] = []

    def look(done: bool) -> None:
        if done:
            seen.append((result_of(index_file, "xyzzyplugh").total, result_of(index_file, "quinces").hits))

    update_index(folder, index_file, MODEL, IndexingSeams(on_withdrawn=look))
    ((secret, quinces),) = seen
    assert "secret.md" not in {hit.path for hit in result_of(index_file, "xyzzyplugh").hits}
    assert not any("Quinces" in hit.snippet.text for hit in quinces)
    assert secret == len(result_of(index_file, "xyzzyplugh").hits) - 1  # the new note came after


def test_an_answer_whose_notes_were_withdrawn_meanwhile_may_not_be_shown(folder, index_file):
    indexed(folder, index_file)
    reader = Reader(index_file)
    result = search(reader, Skipped("no model"), SearchRequest("xyzzyplugh"))
    assert result.total
    assert not reader.was_withdrawn()
    reader.begin()
    make_private(folder)
    indexed(folder, index_file)
    reader.end()
    assert reader.was_withdrawn()
    assert not search(reader, Skipped("no model"), SearchRequest("xyzzyplugh")).total
    assert not reader.was_withdrawn()
    reader.close()


def test_deleted_text_leaves_the_log_once_no_reader_needs_it(folder, index_file):
    indexed(folder, index_file)
    reader = Reader(index_file)
    reader.begin()
    make_private(folder)
    assert json.loads(indexed(folder, index_file))["purge"]["state"] == "done"
    assert needs_update(folder, index_file, None)
    reader.end()
    reader.close()
    indexed(folder, index_file)
    assert b"xyzzyplugh" not in raw_bytes(index_file).lower()
    assert not needs_update(folder, index_file, None)


# Purges that do not end well -----------------------------------------------------------------------------------------

KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from core.index import purging
from core.index.indexer import update_index
from core.index.writer import Writer
place = sys.argv[4]
def end(*_arguments):
    os._exit(9)
if place == "commit":
    Writer.scrub = end
elif place == "mark":
    purging.clear_taint = end
else:
    setattr(Writer, place, end)
update_index(Path(sys.argv[2]), Path(sys.argv[3]))
"""


@pytest.mark.parametrize("place", ["remove", "bring_links_up_to_date", "tidy", "commit", "mark"])
def test_after_a_purge_that_was_killed_nobody_answers_until_it_is_done(tmp_path, project, folder, index_file, place):
    indexed(folder, index_file)
    make_private(folder)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(project), str(folder), str(index_file), place], timeout=50, check=False
    )
    assert done.returncode == 9
    with pytest.raises(IndexTainted, match="have become private"):
        Reader(index_file)
    assert needs_update(folder, index_file, None)
    assert json.loads(indexed(folder, index_file))["purge"]["state"] == "done"
    assert published(index_file, QUERIES) == published(without_the_note(tmp_path), QUERIES)
    assert b"xyzzyplugh" not in raw_bytes(index_file).lower()


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let every purge find the disk full until the function that is returned is called."""
    real = Writer.tidy

    def full(_writer: Writer) -> None:
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(Writer, "tidy", full)
    return lambda: monkeypatch.setattr(Writer, "tidy", real)


def test_a_purge_that_fails_is_told_and_the_index_refused(tmp_path, folder, index_file, full_disk):
    full_disk_ends = full_disk
    update_index(folder, index_file)
    make_private(folder)
    report = update_index(folder, index_file)
    assert report.purge.state is PurgeState.FAILED
    assert "full" in report.purge.reason
    assert (report.notes, report.problems, report.fingerprint) == (0, (), "")
    with pytest.raises(IndexTainted):
        Reader(index_file)
    full_disk_ends()
    indexed(folder, index_file)
    assert published(index_file, QUERIES) == published(without_the_note(tmp_path), QUERIES)


def test_a_reader_that_was_open_before_refuses_too(folder, index_file):
    indexed(folder, index_file)
    reader = Reader(index_file)
    mark_tainted(index_file)
    with pytest.raises(IndexTainted):
        search(reader, Skipped("no model"), SearchRequest("apples"))
    clear_taint(index_file)
    assert search(reader, Skipped("no model"), SearchRequest("apples")).total
    reader.close()


def test_an_index_that_cannot_be_marked_is_deleted(folder, index_file, monkeypatch):
    indexed(folder, index_file)

    def refuse(path: object, *arguments: int) -> int:
        if str(path).endswith(".tainted"):
            raise OSError(28, "No space left on device")
        return real(path, *arguments)

    real = os.open

    monkeypatch.setattr("core.index.taint.os.open", refuse)
    make_private(folder)
    report = update_index(folder, index_file, MODEL)
    monkeypatch.undo()
    assert report.purge.state is PurgeState.FAILED
    assert not index_file.exists()
    assert not is_tainted(index_file)
    assert json.loads(indexed(folder, index_file))["notes"] == 4


def test_a_damaged_index_that_is_tainted_is_made_again(folder, index_file, tmp_path):
    indexed(folder, index_file)
    make_private(folder)
    mark_tainted(index_file)
    index_file.write_bytes(b"no database" * 1_000)
    indexed(folder, index_file)
    assert published(index_file, QUERIES) == published(without_the_note(tmp_path), QUERIES)


def test_doctor_counts_withheld_files_by_rule(cli, own_index):
    write_file(own_index.folder / "mine.md", "---\nprivate: true\n---\nx")
    assert cli("index", own_index.folder, "--home", own_index.home, "--no-meaning").code == 0
    state = json.loads(cli("doctor", own_index.folder, "--home", own_index.home, "--json").out)
    assert state["withheld"] == {"“private” in the note's properties": 1}
    assert state["problems"] == []


# On the command line -------------------------------------------------------------------------------------------------


def test_the_command_line_refuses_a_tainted_index_in_one_sentence(cli, own_index):
    assert cli("index", own_index.folder, "--home", own_index.home, "--no-meaning").code == 0
    (index_file,) = own_index.home.glob("indexes/*/index.db")
    mark_tainted(index_file)
    refused = cli("search", "tasks", "--folder", own_index.folder, "--home", own_index.home, "--no-update")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.count("\n") == 1
    assert "have become private" in refused.err
    mended = cli("search", "tasks", "--folder", own_index.folder, "--home", own_index.home, "--no-meaning")
    assert mended.code == 0
    assert not is_tainted(index_file)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX rights")
def test_a_failed_purge_is_told_by_index_and_search(triskel, own_index, without_root_rights, tmp_path):
    options = ("--home", own_index.home, "--no-meaning")
    assert triskel("index", own_index.folder, *options).code == 0
    (index_file,) = own_index.home.glob("indexes/*/index.db")
    write_file(own_index.folder / "queries.md", "---\nprivate: true\n---\nx", LATER)
    mark_tainted(index_file)
    # A mark that cannot be taken away: its folder is for reading only.
    index_file.parent.chmod(0o500)
    try:
        told = triskel("search", "tasks", "--folder", own_index.folder, *options, prefix=without_root_rights)
    finally:
        index_file.parent.chmod(0o700)
    assert (told.code, told.out) == (1, "")
    assert "Traceback" not in told.err


def test_revealed_notes_are_found_and_the_next_search_withholds_them(cli, own_index):
    write_file(own_index.folder / "mine.md", "---\nprivate: true\n---\n# Mine\n\nTasks of mine, overdue.\n")
    call = ("search", "overdue tasks", "--folder", own_index.folder, "--home", own_index.home, "--format", "json")
    before = cli(*call)
    revealed = cli(*call, "--reveal")
    after = cli(*call)
    assert "mine.md" in revealed.out
    assert "Private notes are shown" in revealed.err
    assert "mine.md" not in before.out
    assert before.out == after.out


def test_what_one_index_has_embedded_the_other_takes(folder, tmp_path):
    make_private(folder)
    plain, revealed = tmp_path / "index.db", tmp_path / "revealed.db"
    embedded: list[str] = []

    class Counting(type(MODEL)):
        def load(self):
            return self

        def embed_passages(self, texts):
            embedded.extend(texts)
            yield from super().embed_passages(texts)

    update_index(folder, plain, Counting(), vectors_from=revealed)
    assert len(embedded) == 4
    report = update_index(folder, revealed, Counting(), reveal=True, vectors_from=plain)
    assert report.embedded == report.passages == 5
    assert len(embedded) == 5
    write_file(folder / "c.md", "Damsons.\n", LATER)
    update_index(folder, revealed, Counting(), reveal=True, vectors_from=plain)
    update_index(folder, plain, Counting(), vectors_from=revealed)
    assert len(embedded) == 6
