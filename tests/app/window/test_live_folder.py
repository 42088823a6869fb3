"""The open folder changes while the window is on it: real files, the real watcher, the real indexing process."""

import multiprocessing
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

import app.folder_watcher as watcher_module
import app.live_index as live_module
from app.folder_watcher import FolderWatcher
from app.index_controller import IndexController
from ui.notice import NoticeKind

FRUIT = ("apple", "pear", "plum", "fig", "grape", "peach", "quince", "lemon", "lime", "date", "melon", "berry")


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """What happens after a while happens soon."""
    monkeypatch.setattr(live_module, "BACK_EVERY_MS", 200)
    monkeypatch.setattr(live_module, "DEAF_AFTER_MS", 800)


@pytest.fixture
def orchard(notes) -> Path:
    """A folder of a dozen notes, each with the word fruit."""
    return notes({f"{name}.md": f"# {name.title()}\n\nA fruit: {name}. More of [[apple]].\n" for name in FRUIT})


@pytest.fixture
def jobs(monkeypatch) -> list:
    """The runs over notes that are begun, as they are begun."""
    begun: list = []
    real = IndexController.start

    def start(controller, job):
        if job.model is None:
            begun.append(job)
        real(controller, job)

    monkeypatch.setattr(IndexController, "start", start)
    return begun


class Live:
    """A window on a folder that is being watched."""

    def __init__(self, desk, folder: Path) -> None:
        self.desk, self.folder, self.qtbot = desk, folder, desk.qtbot
        desk.start(folder)
        self.until(lambda: desk.session._live._watched_since is not None)

    def until(self, holds) -> None:
        self.qtbot.waitUntil(holds, timeout=15_000)

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, "utf-8")

    def finds(self, word: str) -> bool:
        """Whether the index finds a word now, asked beside the window."""
        from core.index.reader import Reader

        reader = Reader(self.desk.session._index_file())
        try:
            return bool(reader.connection.execute("SELECT 1 FROM passage WHERE instr(text, ?) LIMIT 1", (word,)).get)
        finally:
            reader.close()

    def rest(self) -> None:
        """Wait until nothing is being done and nothing is about to be."""
        self.qtbot.wait(4 * watcher_module.STEP_MS)
        self.until(lambda: not self.desk.session.is_indexing() and not self.desk.session.is_searching())

    @property
    def offered(self) -> bool:
        return self.desk.window._results.refresh.isVisible()


@pytest.fixture
def live(desk, orchard) -> Live:
    return Live(desk, orchard)


def test_an_edit_is_found_and_gets_its_vector(live):
    live.write("apple.md", "# Apple\n\nNow with a zebra.\n")
    live.until(lambda: live.finds("zebra"))
    live.rest()
    hits = live.desk.search("zebra")
    assert [hit.path for hit in hits][:1] == ["apple.md"]
    assert all(report.coverage[0] == report.coverage[1] for report in live.desk.result.legs.values())


def test_an_edit_is_a_run_over_that_note_alone_and_shows_no_progress(live, jobs):
    live.write("apple.md", "# Apple\n\nNow with a zebra.\n")
    live.until(lambda: live.finds("zebra"))
    live.rest()
    assert [job.only for job in jobs] == [frozenset({"apple.md"})]
    assert not live.desk.window.status_line._busy.isVisible()
    assert live.desk.state() == "Up to date"


def test_an_atomic_save_is_one_run(live, jobs):
    live.write(".apple.md.swp", "# Apple\n\nNow with a zebra.\n")
    (live.folder / ".apple.md.swp").replace(live.folder / "apple.md")
    live.until(lambda: live.finds("zebra"))
    live.rest()
    assert [job.only for job in jobs] == [frozenset({"apple.md"})]


def test_temporary_files_begin_no_run(live, jobs):
    live.write("~$apple.docx", "x")
    live.write("apple.md~", "x")
    live.write(".obsidian/workspace.json", "{}")
    live.rest()
    assert jobs == []


def test_a_folder_that_is_moved_in_is_found_and_one_that_is_deleted_is_not(live, tmp_path):
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep" / "walrus.md").write_text("# Walrus\n")
    shutil.move(tmp_path / "elsewhere", live.folder / "animals")
    live.until(lambda: live.finds("Walrus"))
    live.rest()
    shutil.rmtree(live.folder / "animals")
    live.until(lambda: not live.finds("Walrus"))


def test_edits_during_a_long_embedding_are_found_before_it_ends(desk, notes):
    long = " ".join(f"sentence {place} of a long note." for place in range(60))
    folder = notes({f"{number}.md": f"# Note {number}\n\n{long} {number}\n" for number in range(200)})
    desk.session.start(folder)
    desk.window.show()
    desk.qtbot.waitUntil(lambda: "passages" in desk.window.status_line.progress_text.text(), timeout=30_000)
    (folder / "7.md").write_text("# A zebra\n")
    desk.type("zebra")
    desk.qtbot.waitUntil(lambda: bool(desk.result and desk.result.hits), timeout=15_000)
    assert desk.session.is_indexing()
    assert desk.window.status_line._busy.isVisible()


def test_the_list_that_is_looked_at_does_not_change_and_offers_to_refresh(live):
    before = [hit.path for hit in live.desk.search("fruit")]
    live.desk.press(Qt.Key.Key_Down)
    chosen = live.desk.window.result_list.current_hit().path
    top = live.desk.window.result_list.mapTo(live.desk.window, live.desk.window.result_list.rect().topLeft())
    live.write("zz.md", "# Fruit\n\nfruit fruit fruit\n")
    live.until(lambda: live.offered)
    assert live.desk.paths() == before
    assert live.desk.result.total == len(before)
    assert live.desk.window.result_list.mapTo(live.desk.window, live.desk.window.result_list.rect().topLeft()) == top
    live.desk.qtbot.mouseClick(live.desk.window._results.refresh, Qt.MouseButton.LeftButton)
    assert "zz.md" in live.desk.paths()
    assert live.desk.window.result_list.current_hit().path == chosen
    assert not live.offered
    assert live.desk.window.query_box.hasFocus()


def test_f5_shows_what_is_offered(live):
    live.desk.search("fruit")
    live.write("zz.md", "# Fruit\n\nfruit fruit fruit\n")
    live.until(lambda: live.offered)
    live.desk.press(Qt.Key.Key_F5)
    assert "zz.md" in live.desk.paths()


def test_typing_on_takes_the_offer_away(live):
    live.desk.search("fruit")
    live.write("zz.md", "# Fruit\n\nfruit fruit fruit\n")
    live.until(lambda: live.offered)
    live.desk.search("fruit fruit")
    assert not live.offered
    assert "zz.md" in live.desk.paths()


def test_where_nothing_that_is_shown_has_changed_nothing_is_offered(live):
    shown = live.desk.search("fruit path:quince")
    live.write("elsewhere.md", "# Another fruit\n\nA tractor full of fruit.\n")
    live.until(lambda: live.finds("tractor"))
    live.rest()
    assert not live.offered
    assert live.desk.window.result_list.result_model.hits == shown
    assert "13" in live.desk.window.status_line.coverage.text()


def test_the_offer_can_be_reached_by_key_and_is_named(live):
    live.desk.search("fruit")
    live.write("zz.md", "# Fruit\n\nfruit fruit fruit\n")
    live.until(lambda: live.offered)
    button = live.desk.window._results.refresh
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert "Refresh" in button.accessibleName()
    button.setFocus()
    live.qtbot.keyClick(button, Qt.Key.Key_Space)
    assert "zz.md" in live.desk.paths()


def test_a_search_that_found_nothing_shows_what_comes_at_once(live):
    assert not live.desk.search("tag:striped")
    live.write("zebra.md", "---\ntags: [striped]\n---\n# Zebra\n")
    live.until(lambda: live.desk.paths() == ["zebra.md"])
    assert not live.offered


def test_the_note_in_the_preview_is_read_again_and_keeps_its_place(live):
    lines = [f"Line {number} tells of fruit." for number in range(300)]
    live.write("long.md", "# Long\n\n" + "\n\n".join(lines))
    live.rest()
    live.desk.search("long")
    live.until(lambda: "Line 150" in live.desk.previewed())
    view = live.desk.window.preview_pane.preview
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    top = view.cursorForPosition(view.viewport().rect().topLeft()).block().text()
    assert top.startswith("Line ")
    lines[0:0] = [f"New line {number}." for number in range(20)]
    live.write("long.md", "# Long\n\n" + "\n\n".join(lines))
    live.until(lambda: "New line 7" in live.desk.previewed())
    assert view.cursorForPosition(view.viewport().rect().topLeft()).block().text() == top


def test_a_note_that_went_away_stays_readable_and_is_told_when_it_is_opened(live):
    live.desk.search("quince")
    live.until(lambda: "fruit: quince" in live.desk.previewed())
    (live.folder / "quince.md").unlink()
    live.until(lambda: not live.finds("quince"))
    assert "fruit: quince" in live.desk.previewed()
    live.desk.press(Qt.Key.Key_Return)
    assert live.desk.opened == []
    assert "was moved or deleted since" in live.desk.window._notice.text()


def test_a_folder_that_goes_away_is_offline_searched_and_brought_up_to_date_when_it_is_back(live, tmp_path):
    live.folder.rename(tmp_path / "unplugged")
    live.until(lambda: live.desk.state().startswith("Offline: the folder is not there"))
    assert {hit.path for hit in live.desk.search("fruit")} == {f"{name}.md" for name in FRUIT}
    live.desk.press(Qt.Key.Key_Return)
    assert "its folder is not there now" in live.desk.window._notice.text()
    (tmp_path / "unplugged" / "apple.md").write_text("# Apple\n\nNow with a zebra.\n")
    (tmp_path / "unplugged").rename(live.folder)
    live.until(lambda: live.finds("zebra"))
    live.until(lambda: live.desk.state() == "Up to date")
    live.write("pear.md", "# Pear\n\nWatched again: a yak.\n")
    live.until(lambda: live.finds("yak"))


def test_an_empty_mount_point_is_offline_until_it_holds_something(live, tmp_path):
    live.folder.rename(tmp_path / "unmounted")
    live.folder.mkdir()
    live.until(lambda: live.desk.state().startswith("Offline: the folder is empty"))
    assert "--rebuild" in live.desk.window.status_line.state.toolTip()
    assert live.desk.search("fruit")
    live.folder.rmdir()
    (tmp_path / "unmounted").rename(live.folder)
    live.until(lambda: live.desk.state() == "Up to date")
    assert {hit.path for hit in live.desk.search("fruit")} == {f"{name}.md" for name in FRUIT}


def test_who_insists_that_the_notes_are_gone_gets_an_empty_index(live):
    assert not live.desk.window.actions_by_key["accept_empty"].isEnabled()
    for file in live.folder.iterdir():
        file.unlink()
    live.until(lambda: live.desk.state().startswith("Offline: the folder is empty"))
    live.desk.refresh()
    assert "holds nothing now, and its index 12 files" in live.desk.window._notice.text()
    live.desk.window.actions_by_key["accept_empty"].trigger()
    live.until(lambda: not live.finds("fruit"))
    live.until(lambda: live.desk.state() == "Up to date")
    assert not live.desk.window.actions_by_key["accept_empty"].isEnabled()


def test_a_folder_that_is_away_at_the_start_is_shown_by_its_index(new_desk, where, notes, tmp_path):
    folder = notes({f"{name}.md": f"# {name}\n\nA fruit.\n" for name in FRUIT})
    first = new_desk(where)
    first.start(folder)
    first.window.close()
    folder.rename(tmp_path / "unplugged")
    second = new_desk(where)
    second.start(None)
    second.qtbot.waitUntil(lambda: second.state().startswith("Offline"), timeout=10_000)
    assert len(second.search("fruit")) == len(FRUIT)
    (tmp_path / "unplugged").rename(folder)
    second.qtbot.waitUntil(lambda: second.state() == "Up to date", timeout=15_000)
    second.window.close()


def test_a_deaf_watcher_is_noticed_told_and_started_anew(live, caplog):
    live.desk.refresh()
    # Everything it says from now on goes unheard.
    live.desk.session._live._watcher._number += 1
    live.write("apple.md", "# Apple\n\nNow with a zebra.\n")
    live.qtbot.wait(4 * watcher_module.STEP_MS)
    assert not live.finds("zebra")
    live.desk.session._live._look_through()
    live.until(lambda: live.finds("zebra"))
    live.until(lambda: "the watcher missed a change" in caplog.text)
    assert "did not tell of a change" in live.desk.window.status_line.state.toolTip()
    live.until(lambda: live.desk.session._live._watched_since is not None)
    live.write("pear.md", "# Pear\n\nWatched again: a yak.\n")
    live.until(lambda: live.finds("yak"))
    caplog.clear()


def test_a_watcher_that_told_is_not_called_deaf(live):
    live.write("apple.md", "# Apple\n\nNow with a zebra.\n")
    live.desk.session._live._look_through()
    live.until(lambda: live.finds("zebra"))
    live.qtbot.wait(2 * live_module.DEAF_AFTER_MS)
    assert live.desk.session._live.upkeep.deaf == 0


def test_where_the_system_does_not_watch_the_look_alone_finds_changes(desk, orchard, monkeypatch, caplog):
    def refuse(*_folders, **_how):
        raise OSError(28, "No space left on device")
        yield

    monkeypatch.setattr(watcher_module.watchfiles, "watch", refuse)
    monkeypatch.setattr(live_module, "LOOK_OFTEN_MS", 500)
    monkeypatch.setattr(live_module, "LOOK_SHARE", 0)
    desk.start(orchard)
    desk.qtbot.waitUntil(lambda: desk.state().startswith("Up to date · changes are found within"), timeout=10_000)
    assert "limit for watched folders" in desk.window.status_line.state.toolTip()
    (orchard / "apple.md").write_text("# Apple\n\nNow with a zebra.\n")
    desk.type("zebra")
    desk.qtbot.waitUntil(lambda: bool(desk.paths()) and desk.paths()[0] == "apple.md", timeout=15_000)
    caplog.clear()


def test_a_pause_does_nothing_until_it_is_ended(live, jobs):
    pause = live.desk.window.actions_by_key["pause"]
    pause.trigger()
    assert live.desk.state() == "Paused"
    assert live.desk.window.status_line.resume.isVisible()
    live.write("apple.md", "# Apple\n\nNow with a zebra.\n")
    live.rest()
    assert jobs == []
    assert pause.isChecked()
    live.qtbot.mouseClick(live.desk.window.status_line.resume, Qt.MouseButton.LeftButton)
    live.until(lambda: live.finds("zebra"))
    assert not pause.isChecked()
    live.until(lambda: live.desk.state() == "Up to date")


def test_a_pause_during_embedding_loses_nothing(desk, notes, embedded):
    long = " ".join(f"sentence {place} of a long note." for place in range(60))
    folder = notes({f"{number}.md": f"# Note {number}\n\n{long} {number}\n" for number in range(120)})
    desk.session.start(folder)
    desk.window.show()
    status = desk.window.status_line
    desk.qtbot.waitUntil(lambda: status.bar.maximum() > 200 and status.bar.value() > 0, timeout=30_000)
    before = status.bar.value()
    desk.qtbot.mouseClick(status.pause, Qt.MouseButton.LeftButton)
    desk.qtbot.waitUntil(lambda: not desk.session.is_indexing(), timeout=5_000)
    assert desk.state() == "Paused"
    assert not status._busy.isVisible()
    held = embedded(desk.session._index_file())
    assert held >= before
    desk.window.actions_by_key["pause"].trigger()
    desk.qtbot.waitUntil(lambda: embedded(desk.session._index_file()) > held, timeout=30_000)
    assert desk.session.is_indexing()


def test_after_a_stop_edits_are_found_by_words_and_vectors_wait(live):
    live.desk.window.actions_by_key["cancel"].setEnabled(True)
    live.desk.window.actions_by_key["cancel"].trigger()
    live.write("apple.md", "# Apple\n\nNow with a zebra.\n")
    live.until(lambda: live.finds("zebra"))
    live.until(lambda: live.desk.state().startswith("Stopped; F5 goes on. Meaning covers 11 of 12"))
    assert live.desk.window._notice.kind is not NoticeKind.PROBLEM or not live.desk.window._notice.isVisible()
    live.desk.refresh()
    assert live.desk.state() == "Up to date"


def test_closing_the_window_ends_the_watcher_and_the_process(live):
    watcher = live.desk.session._live._watcher
    assert isinstance(watcher, FolderWatcher)
    live.desk.window.close()
    assert watcher._pool.activeThreadCount() == 0
    assert [each for each in multiprocessing.active_children() if each.name == "triskel-indexing"] == []


def test_deleted_words_leave_the_index_file_when_it_is_quiet(live, monkeypatch):
    monkeypatch.setattr(live_module, "QUIET_MS", 300)

    def held() -> bool:
        file = live.desk.session._index_file()
        return any(b"xylophone" in part.read_bytes() for part in file.parent.glob("index.db*"))

    live.write("apple.md", "# Apple\n\nA xylophone.\n")
    live.until(held)
    live.write("apple.md", "# Apple\n\nNothing.\n")
    live.until(lambda: not held())
