"""Real changes in a real folder, and what the watcher tells of them."""

import shutil
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

import app.folder_watcher as watcher_module
from app.folder_watcher import EVERYTHING, FolderWatcher, WatchBegan, WatchEnded

REAL_DRIVE = psutil.disk_partitions(all=True)[0]
SETTLED_MS = 3 * watcher_module.STEP_MS
"""A change is told two steps after it at the latest."""


class Watched:
    """A folder that is watched, and what was told of it."""

    def __init__(self, qtbot, folder: Path) -> None:
        self.qtbot, self.folder = qtbot, folder
        self.told: list[frozenset[str]] = []
        self.began: list[WatchBegan] = []
        self.ended: list[WatchEnded] = []
        self.watcher = FolderWatcher()
        self.watcher.changed.connect(self.told.append)
        self.watcher.began.connect(self.began.append)
        self.watcher.ended.connect(self.ended.append)
        self.watcher.watch(folder)
        qtbot.waitUntil(lambda: bool(self.began or self.ended), timeout=5_000)

    def after(self, *changes) -> list[frozenset[str]]:
        """Make changes and return what is told of them."""
        self.told.clear()
        for change in changes:
            change()
        self.qtbot.waitUntil(lambda: bool(self.told), timeout=5_000)
        self.qtbot.wait(SETTLED_MS)
        return list(self.told)

    def silent_after(self, *changes) -> bool:
        """Make changes and return whether nothing is told of them."""
        self.told.clear()
        for change in changes:
            change()
        self.qtbot.wait(2 * SETTLED_MS)
        return not self.told

    def write(self, path: str, text: str = "apples"):
        return lambda: (self.folder / path).write_text(text, "utf-8")


@pytest.fixture
def watched(qtbot, tmp_path):
    folder = tmp_path / "notes"
    (folder / "garden").mkdir(parents=True)
    (folder / "a.md").write_text("apples")
    (folder / "garden" / "pear.md").write_text("pears")
    one = Watched(qtbot, folder)
    yield one
    one.watcher.close()


def all_of(told: list[frozenset[str]]) -> set[str]:
    return set().union(*told)


def test_an_edit_is_told_by_its_path(watched):
    assert watched.after(watched.write("garden/pear.md", "more pears")) == [frozenset({"garden/pear.md"})]


def test_an_editors_atomic_save_is_one_change(watched):
    folder = watched.folder
    for _ in range(3):
        told = watched.after(watched.write(".a.md.swp"), lambda: (folder / ".a.md.swp").replace(folder / "a.md"))
        assert told == [frozenset({"a.md"})]


def test_a_save_by_vim_is_one_change(watched):
    folder = watched.folder
    told = watched.after(
        watched.write("4913", ""),
        (folder / "4913").unlink,
        lambda: (folder / "a.md").rename(folder / "a.md~"),
        watched.write("a.md", "new apples"),
        (folder / "a.md~").unlink,
    )
    assert told == [frozenset({"a.md"})]


@pytest.mark.parametrize(
    "path",
    ["note.md.tmp", ".note.md.swp", "~$note.docx", ".obsidian/workspace.json", "node_modules/read.md", "Makefile"],
)
def test_temporary_and_hidden_files_wake_nothing(watched, path):
    (watched.folder / path).parent.mkdir(exist_ok=True)
    watched.qtbot.wait(SETTLED_MS)
    assert watched.silent_after(watched.write(path), watched.write(path, "again"))


def test_what_gitignore_names_wakes_nothing(qtbot, tmp_path):
    folder = tmp_path / "notes"
    (folder / "build").mkdir(parents=True)
    (folder / ".gitignore").write_text("build/\n*.log\n")
    watched = Watched(qtbot, folder)
    assert watched.silent_after(watched.write("build/out.md"), watched.write("run.log"))
    assert watched.after(watched.write("note.md")) == [frozenset({"note.md"})]
    watched.watcher.close()


@pytest.mark.parametrize("path", [".gitignore", "garden/.triskelignore", "dendron.yml"])
def test_a_change_of_the_rules_concerns_everything(watched, path):
    assert EVERYTHING in watched.after(watched.write(path, "*.log\n"))


def test_a_new_folder_and_what_is_written_into_it_is_told(watched):
    (watched.folder / "new").mkdir()
    watched.write("new/first.md")()
    watched.qtbot.waitUntil(lambda: "new" in all_of(watched.told) or "new/first.md" in all_of(watched.told))
    assert "new/second.md" in all_of(watched.after(watched.write("new/second.md")))


def test_a_folder_that_is_moved_in_is_told_and_watched_to_its_depth(watched, tmp_path):
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep" / "plum.md").write_text("plums")
    assert "moved" in all_of(watched.after(lambda: shutil.move(tmp_path / "elsewhere", watched.folder / "moved")))
    assert "moved/deep/plum.md" in all_of(watched.after(watched.write("moved/deep/plum.md", "more")))


def test_a_renamed_folder_is_told_by_both_names(watched):
    folder = watched.folder
    told = watched.after(lambda: (folder / "garden").rename(folder / "yard"))
    assert all_of(told) >= {"garden", "yard"}
    assert "yard/pear.md" in all_of(watched.after(watched.write("yard/pear.md", "more")))


def test_a_deleted_folder_is_told(watched):
    assert "garden" in all_of(watched.after(lambda: shutil.rmtree(watched.folder / "garden")))


def test_more_changes_than_can_be_listed_are_told_as_everything(watched, monkeypatch):
    monkeypatch.setattr(watcher_module, "MOST_PATHS", 20)
    told = watched.after(lambda: [watched.write(f"n{number}.md")() for number in range(200)])
    assert EVERYTHING in told


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system watches what lies below by itself")
def test_what_a_link_leads_to_is_not_watched(qtbot, tmp_path):
    folder, outside = tmp_path / "notes", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "link").symlink_to(outside)
    watched = Watched(qtbot, folder)
    assert watched.silent_after(lambda: (outside / "secret.md").write_text("x"))
    watched.watcher.close()


@pytest.mark.parametrize("go", [shutil.rmtree, lambda folder: folder.rename(folder.with_name("renamed"))])
def test_a_folder_that_goes_away_ends_the_watch(watched, go):
    go(watched.folder)
    watched.qtbot.waitUntil(lambda: watched.ended == [WatchEnded(gone=True)], timeout=3_000)
    assert not watched.watcher.is_watching()


def test_another_folder_at_the_same_place_ends_the_watch(watched):
    watched.folder.rename(watched.folder.with_name("renamed"))
    watched.folder.mkdir()
    watched.qtbot.waitUntil(lambda: watched.ended == [WatchEnded(gone=True)], timeout=3_000)


def test_a_folder_that_is_not_there_is_not_watched(qtbot, tmp_path):
    watched = Watched(qtbot, tmp_path / "nowhere")
    assert (watched.began, watched.ended) == ([], [WatchEnded(gone=True)])
    watched.watcher.close()


@pytest.mark.parametrize(
    "error, reason",
    [
        (OSError(28, "No space left on device"), "the system's limit for watched folders is reached"),
        (RuntimeError("OS file watch limit reached."), "the system's limit for watched folders is reached"),
        (OSError(38, "Function not implemented"), "Function not implemented"),
    ],
)
def test_where_the_system_refuses_the_reason_is_told(qtbot, tmp_path, monkeypatch, caplog, error, reason):
    def refuse(*_folders, **_how):
        raise error
        yield

    monkeypatch.setattr(watcher_module.watchfiles, "watch", refuse)
    watched = Watched(qtbot, tmp_path)
    assert watched.ended == [WatchEnded(gone=False, reason=reason)]
    watched.watcher.close()


def test_a_network_drive_is_told_from_one_of_this_machine(tmp_path, monkeypatch):
    def drive(kind: str, options: str = "rw"):
        part = type(REAL_DRIVE)(device="x", mountpoint=str(tmp_path), fstype=kind, opts=options)
        monkeypatch.setattr(watcher_module.psutil, "disk_partitions", lambda **_how: [part])
        return watcher_module._limit_of(tmp_path / "notes")

    assert drive("ext4") == ""
    assert "network drive" in drive("nfs4")
    assert "network drive" in drive("NTFS", "rw,remote")


def test_watching_another_folder_is_silent_about_the_first(watched, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    watched.watcher.watch(other)
    watched.qtbot.waitUntil(lambda: len(watched.began) == 2, timeout=5_000)
    assert watched.silent_after(watched.write("a.md", "x"))
    watched.told.clear()
    (other / "b.md").write_text("b")
    watched.qtbot.waitUntil(lambda: watched.told == [frozenset({"b.md"})], timeout=5_000)


def test_closing_ends_the_thread_within_a_second(qtbot, tmp_path):
    watched = Watched(qtbot, tmp_path)
    started = time.monotonic()
    watched.watcher.close()
    assert time.monotonic() - started < 1.0
    assert watched.watcher._pool.activeThreadCount() == 0


def test_a_watch_that_waits_wakes_five_times_a_second_and_takes_no_time(tmp_path, monkeypatch):
    wakes = []

    class Counted(threading.Event):
        def is_set(self) -> bool:
            wakes.append(time.monotonic())
            return super().is_set()

    stop = Counted()
    thread = threading.Thread(target=watcher_module.watch_folder, args=(tmp_path, lambda _event: None, stop))
    thread.start()
    time.sleep(0.6)
    begun, spent = len(wakes), psutil.Process().cpu_times()
    time.sleep(2.0)
    ended, spent_then = len(wakes), psutil.Process().cpu_times()
    stop.set()
    thread.join()
    assert ended - begun <= 2 * 5 + 1
    assert (spent_then.user + spent_then.system) - (spent.user + spent.system) < 0.1
