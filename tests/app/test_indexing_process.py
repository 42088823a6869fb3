"""Indexing in a process of its own: of lowest priority, stopped or killed without loss, and never left behind."""

import contextlib
import multiprocessing
import os
import signal
import time

import psutil
import pytest
from filelock import FileLock

from app import indexing_process
from app.indexing_child import IndexingJob, Waiting
from app.indexing_process import STOP_SECONDS, IndexBusy, run_indexing
from app.paths import built_in_model, places
from core.errors import FolderError, IndexFileError
from core.index.progress import IndexProgress, Phase

needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

NOTES = 150
"""Passages enough that one thread still embeds them half a second after the first vectors are stored."""

LINE = "Some *words* with `code`, a [[n0001|link]] and **more** of it, again and again.\n\n"


def never() -> bool:
    return False


def ignore(_event: object) -> None:
    pass


@pytest.fixture(scope="module")
def many(tmp_path_factory, write_many):
    """Notes that take seconds to embed, and seconds alone: tests share them and change nothing."""
    return write_many(tmp_path_factory.mktemp("many") / "notes", NOTES)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return built_in_model(places(tmp_path_factory.mktemp("models")), threads=1)


@pytest.fixture(scope="module")
def undisturbed_events():
    """What the undisturbed run said while it ran."""
    return []


@pytest.fixture(scope="module")
def undisturbed(many, model, tmp_path_factory, undisturbed_events):
    """The report of a run over `many` that nothing disturbed."""
    file = tmp_path_factory.mktemp("whole") / "index" / "index.db"
    report = run_indexing(IndexingJob(many, file, model), undisturbed_events.append, never)
    assert report is not None
    assert (report.notes, report.passages, report.embedded, report.meaning_reason) == (NOTES, NOTES, NOTES, None)
    return report


@pytest.fixture
def index_file(tmp_path):
    return tmp_path / "index" / "index.db"


def child():
    """Return this process's indexing process."""
    (process,) = [each for each in multiprocessing.active_children() if each.name == "triskel-indexing"]
    return process


class Embedding:
    """Listens to a run, and calls a function once when the first vectors are stored."""

    def __init__(self, then):
        self._then = then
        self._called = False

    def __call__(self, event):
        if isinstance(event, IndexProgress) and event.phase is Phase.EMBED and event.done and not self._called:
            self._called = True
            self._then()


def test_progress_names_each_phase_in_order(undisturbed, undisturbed_events):
    assert list(dict.fromkeys(event.phase for event in undisturbed_events)) == list(Phase)
    assert all(0 <= event.done <= event.total for event in undisturbed_events)
    assert undisturbed_events[-1].done == undisturbed_events[-1].total == NOTES


@needs_posix
def test_the_process_is_of_lowest_priority(many, index_file):
    seen = []
    run_indexing(
        IndexingJob(many, index_file, None), lambda _event: seen.append(psutil.Process(child().pid).nice()), never
    )
    assert set(seen) == {19}


@needs_posix
def test_a_run_that_is_stopped_and_then_killed_loses_nothing_it_stored(many, model, index_file, undisturbed, embedded):
    job = IndexingJob(many, index_file, model)
    asked_at = []
    report = run_indexing(job, Embedding(lambda: asked_at.append(time.monotonic())), lambda: bool(asked_at))
    # Not a measurement: the process is ended at STOP_SECONDS, and a stop that is not passed on would take far longer.
    assert time.monotonic() - asked_at[0] < STOP_SECONDS + 1
    assert report is not None
    assert report.cancelled
    stopped_with = embedded(index_file)
    assert 0 < stopped_with < NOTES

    with pytest.raises(IndexFileError, match=r"The indexing process ended with code -9\. What it had done is kept"):
        run_indexing(job, Embedding(lambda: os.kill(child().pid, signal.SIGKILL)), never)
    assert stopped_with < embedded(index_file) < NOTES

    last = run_indexing(job, ignore, never)
    assert (last.fingerprint, last.embedded, last.problems) == (undisturbed.fingerprint, NOTES, ())
    assert (last.added, last.changed) == (0, 0)


def test_a_process_that_did_not_stop_in_time_is_ended_and_the_report_says_what_is_held(
    many, model, index_file, embedded, monkeypatch
):
    monkeypatch.setattr(indexing_process, "STOP_SECONDS", 0.0)
    asked_at = []
    job = IndexingJob(many, index_file, model)
    report = run_indexing(job, Embedding(lambda: asked_at.append(time.monotonic())), lambda: bool(asked_at))
    assert report is not None
    assert (report.cancelled, report.notes, report.passages) == (True, NOTES, NOTES)
    assert report.embedded == embedded(index_file) < NOTES


def test_a_stop_before_the_process_has_begun_is_a_stop(many, index_file):
    started = time.monotonic()
    report = run_indexing(IndexingJob(many, index_file, None), ignore, lambda: True)
    assert report is None or report.cancelled
    assert time.monotonic() - started < STOP_SECONDS + 2


@pytest.fixture
def slow_first(tmp_path, write_many):
    """Return a function that makes a folder whose first note takes long to read, and whose others take no time."""

    def write(lines):
        folder = write_many(tmp_path / "slow", 5)
        (folder / "a-big.md").write_text(f"# Big\n\n{LINE * lines}", "utf-8")
        return folder

    return write


class KillWhileReading:
    """Kills the process while it reads the first note, as often as it may."""

    def __init__(self, times):
        self.left = times

    def __call__(self, event):
        if isinstance(event, IndexProgress) and event.phase is Phase.READ and event.done == 0 and self.left:
            self.left -= 1
            time.sleep(0.3)
            os.kill(child().pid, signal.SIGKILL)


@needs_posix
def test_a_process_that_is_killed_once_blames_no_note(slow_first, index_file):
    kill = KillWhileReading(1)
    report = run_indexing(IndexingJob(slow_first(60_000), index_file, None), kill, never)
    assert kill.left == 0
    assert (report.notes, report.skipped, report.problems) == (6, 0, ())


@needs_posix
def test_a_note_at_which_the_process_ends_twice_is_listed_and_the_rest_is_indexed(slow_first, index_file):
    kill = KillWhileReading(2)
    report = run_indexing(IndexingJob(slow_first(60_000), index_file, None), kill, never)
    assert kill.left == 0
    assert (report.notes, report.skipped) == (5, 1)
    assert [problem.path for problem in report.problems] == ["a-big.md"]
    assert report.problems[0].reason == ("Reading it, the indexing process ended with code -9, so it was left out.")


def test_a_note_that_takes_too_long_is_listed_and_the_rest_is_indexed(slow_first, index_file, monkeypatch):
    monkeypatch.setattr(indexing_process, "FILE_SECONDS", 1.0)
    job = IndexingJob(slow_first(250_000), index_file, None)
    report = run_indexing(job, ignore, never)
    assert (report.notes, report.skipped) == (5, 1)
    assert [problem.path for problem in report.problems] == ["a-big.md"]
    assert "took longer than" in report.problems[0].reason
    # It is not tried again until it changes.
    again = run_indexing(job, ignore, never)
    assert (again.notes, again.problems, again.fingerprint) == (5, report.problems, report.fingerprint)


def write_thirty(folder):
    """Write notes that take long enough each for progress to be told between them."""
    folder.mkdir()
    for number in range(30):
        (folder / f"b{number:02}.md").write_text(f"# Note {number}\n\n{LINE * 1_500}", "utf-8")
    return folder


@needs_posix
def test_a_process_that_hangs_is_ended_and_the_rest_is_indexed(tmp_path, index_file, monkeypatch):
    monkeypatch.setattr(indexing_process, "FILE_SECONDS", 6.0)
    hung = []

    def hang(event):
        if isinstance(event, IndexProgress) and event.phase is Phase.READ and event.done and not hung:
            hung.append(child().pid)
            time.sleep(0.1)  # Until it is amid the next note.
            os.kill(child().pid, signal.SIGSTOP)

    report = run_indexing(IndexingJob(write_thirty(tmp_path / "thirty"), index_file, None), hang, never)
    assert hung
    assert not psutil.pid_exists(hung[0])
    assert (report.notes, report.skipped, len(report.problems)) == (29, 1, 1)


def test_a_process_that_takes_too_much_memory_is_ended_with_a_sentence(many, index_file, monkeypatch):
    monkeypatch.setattr(indexing_process, "MEMORY_BYTES", 1024)
    with pytest.raises(IndexFileError, match="took more than 0 GB of memory"):
        run_indexing(IndexingJob(many, index_file, None), ignore, never)


def test_a_missing_folder_starts_no_process(tmp_path, index_file, monkeypatch):
    monkeypatch.setattr(multiprocessing, "get_context", lambda _method: pytest.fail("a process was started"))
    with pytest.raises(FolderError, match="There is no folder"):
        run_indexing(IndexingJob(tmp_path / "nowhere", index_file, None), ignore, never)
    assert not index_file.parent.exists()


def test_a_second_process_waits_for_the_first_and_then_does_its_work(many, index_file):
    index_file.parent.mkdir()
    events = []
    other = FileLock(index_file.with_suffix(".lock"))
    other.acquire()

    def hear(event):
        events.append(event)
        if isinstance(event, Waiting):
            other.release()

    report = run_indexing(IndexingJob(many, index_file, None), hear, never)
    assert events[0] == Waiting()
    assert report.notes == NOTES


def test_a_waiting_process_can_be_stopped_and_one_that_may_not_wait_says_busy(many, index_file):
    index_file.parent.mkdir()
    heard = []
    with FileLock(index_file.with_suffix(".lock")):
        with contextlib.suppress(IndexBusy):
            assert run_indexing(IndexingJob(many, index_file, None), heard.append, lambda: bool(heard)) is None
        assert heard == [Waiting()]
        with pytest.raises(IndexBusy, match="Another Triskel is indexing this folder"):
            run_indexing(IndexingJob(many, index_file, None, wait=False), ignore, never)
    assert not index_file.exists()
