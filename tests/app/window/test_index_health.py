"""The window and an index that is taken away, exchanged or damaged while it is open."""

import os
import shutil

import apsw
import pytest

from app.cli_index import MADE_AGAIN, RENEWED
from app.index_health import identity_of
from core.index.indexer import update_index


@pytest.fixture
def folder(notes):
    return notes({f"n{number}.md": f"# Note {number}\n\nboiler text {number}" for number in range(5)})


def _settle(desk) -> None:
    desk.qtbot.waitUntil(lambda: not desk.session.is_indexing() and not desk.session.is_searching(), timeout=60_000)


def _search_until(desk, text: str, paths: set[str]) -> None:
    """Type a query, and wait for these notes through whatever the window does by itself meanwhile."""
    desk.window.query_box.setText(text)
    desk.window.query_box.flush()
    desk.qtbot.waitUntil(lambda: set(desk.paths()) == paths, timeout=30_000)
    _settle(desk)


def test_an_index_deleted_under_the_window_is_made_again_at_the_next_search(desk, folder, where):
    desk.start(folder)
    assert len(desk.search("boiler")) == 5
    shutil.rmtree(where.index_file(folder).parent)
    (folder / "n0.md").unlink()
    (folder / "new.md").write_text("# New\n\nboiler zebra")
    _search_until(desk, "boiler text", {"new.md", "n1.md", "n2.md", "n3.md", "n4.md"})
    assert "index has gone" in desk.window._notice.text()
    assert "new.md" in [hit.path for hit in desk.search("zebra")][:1]


def test_looking_for_changes_answers_from_the_index_it_made(desk, folder, where):
    desk.start(folder)
    desk.search("boiler")
    shutil.rmtree(where.index_file(folder).parent)
    (folder / "new.md").write_text("# New\n\nzebra")
    desk.refresh()
    _settle(desk)
    assert desk.search("zebra")[0].path == "new.md"
    assert desk.session._searches._opened == identity_of(where.index_file(folder))


def test_an_index_moved_aside_while_it_was_written_is_made_again(desk, folder, where, qtbot):
    desk.start(folder)
    shutil.rmtree(where.index_file(folder).parent)
    (folder / "new.md").write_text("# New\n\nzebra")
    qtbot.waitUntil(lambda: not desk.session.is_indexing())
    desk.window.actions_by_key["reindex"].trigger()
    qtbot.waitUntil(lambda: identity_of(where.index_file(folder)) is not None, timeout=30_000)
    where.index_file(folder).rename(where.index_file(folder).with_name("moved.db"))
    _settle(desk)
    qtbot.waitUntil(lambda: identity_of(where.index_file(folder)) is not None, timeout=30_000)
    _settle(desk)
    assert desk.search("zebra")[0].path == "new.md"


def test_a_damaged_index_is_made_again_once_by_itself_and_no_command_is_named(desk, folder, where):
    desk.start(folder)
    desk.search("boiler")
    file = where.index_file(folder)
    desk.session._searches.shut()  # pages that were read are kept in memory, and new ones in the log beside the file
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(file.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = os.urandom(200)
    before = identity_of(file)
    file.write_bytes(data)
    assert identity_of(file) == before
    (folder / "newer.md").write_text("# Newer\n\ngiraffe boiler")
    told = []
    real = desk.window.show_notice
    desk.window.show_notice = lambda sentence, *rest: told.append(sentence or "") or real(sentence, *rest)
    _search_until(desk, "giraffe boiler", {"newer.md", *(f"n{number}.md" for number in range(5))})
    assert desk.paths()[0] == "newer.md"
    assert len([sentence for sentence in told if "made again from your notes" in sentence]) == 1
    assert not any("triskel" in sentence for sentence in told)


def test_an_index_that_is_sound_is_not_made_again_because_a_search_failed(desk, folder, where, qtbot):
    desk.start(folder)
    desk.search("boiler")
    before = identity_of(where.index_file(folder))
    desk.session._list._on_search_failed("The index changes too fast to be read. Try again in a moment.")
    with qtbot.waitSignal(desk.session._mending._check.checked, timeout=10_000) as checked:
        pass
    assert checked.args[1] is False
    assert not desk.session.is_indexing()
    assert identity_of(where.index_file(folder)) == before
    assert "too fast" in desk.window._results.empty.texts()[1]


def test_damage_that_a_search_meets_is_found_and_mended(desk, folder, where, qtbot):
    desk.start(folder)
    desk.search("boiler")
    file = where.index_file(folder)
    connection = apsw.Connection(str(file))
    connection.execute("UPDATE passage_words_data SET block = zeroblob(20) WHERE id > 10")
    connection.close()
    desk.window.query_box.setText("boiler text")
    desk.window.query_box.flush()
    qtbot.waitUntil(lambda: "damaged" in desk.window._notice.text(), timeout=30_000)
    _settle(desk)
    assert len(desk.search("boiler")) == 5


def of_an_earlier_version(file):
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [(lambda file: file.write_bytes(b"no index at all " * 400), MADE_AGAIN), (of_an_earlier_version, RENEWED)],
)
def test_an_index_that_was_made_again_at_the_start_is_told(desk, folder, where, spoil, sentence):
    update_index(folder, where.index_file(folder))
    spoil(where.index_file(folder))
    desk.start(folder)
    desk.qtbot.waitUntil(lambda: desk.window._notice.text() == sentence, timeout=30_000)
    assert len(desk.search("boiler")) == 5
