"""Indexing beside the window: the newest job alone, and an end that is heard at once."""

import multiprocessing
import threading
import time
from pathlib import Path

import app.index_controller as controller_module
from app.index_controller import IndexController
from app.indexing_child import IndexingJob
from app.indexing_process import IndexingProcess
from app.paths import built_in_model, places


def test_of_many_jobs_asked_for_at_once_only_the_first_and_the_last_are_begun(qtbot, tmp_path, monkeypatch):
    begun: list[Path] = []
    first_may_end = threading.Event()

    def run(_process, job, on_event, should_stop):
        begun.append(job.folder)
        while not (first_may_end.is_set() and should_stop()):
            time.sleep(0.005)

    monkeypatch.setattr(IndexingProcess, "run", run)
    controller = IndexController()
    controller.start(IndexingJob(tmp_path / "0", tmp_path / "index.db", None))
    qtbot.waitUntil(lambda: begun == [tmp_path / "0"], timeout=5_000)
    for number in range(1, 30):
        controller.start(IndexingJob(tmp_path / str(number), tmp_path / "index.db", None))
    first_may_end.set()
    qtbot.waitUntil(lambda: len(begun) == 2, timeout=5_000)
    controller.close()
    assert begun == [tmp_path / "0", tmp_path / "29"]


def test_a_job_that_was_stopped_before_it_began_starts_no_process(qtbot, tmp_path):
    (tmp_path / "notes").mkdir()
    controller = IndexController()
    heard = []
    controller.finished.connect(heard.append)
    controller.start(IndexingJob(tmp_path / "notes", tmp_path / "index.db", None))
    controller.stop()
    qtbot.waitUntil(lambda: not controller.is_running(), timeout=5_000)
    controller.close()
    assert heard == [None]


def test_a_fault_of_the_process_is_a_sentence(qtbot, tmp_path):
    controller = IndexController()
    with qtbot.waitSignal(controller.failed, timeout=10_000) as told:
        controller.start(IndexingJob(tmp_path / "missing", tmp_path / "index.db", None))
    controller.close()
    assert "no folder" in str(told.args[0])


def processes() -> list[multiprocessing.process.BaseProcess]:
    return [each for each in multiprocessing.active_children() if each.name == "triskel-indexing"]


def run(qtbot, controller: IndexController, job: IndexingJob):
    with qtbot.waitSignal(controller.finished, timeout=30_000) as told:
        controller.start(job)
    return told.args[0]


def test_the_next_job_is_done_by_the_process_that_did_the_first(qtbot, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples")
    controller = IndexController()
    job = IndexingJob(folder, tmp_path / "index.db", None)
    assert run(qtbot, controller, job).added == 1
    (process,) = processes()
    (folder / "b.md").write_text("pears")
    assert run(qtbot, controller, job).added == 1
    assert processes() == [process]
    controller.close()
    assert processes() == []


def test_a_process_that_was_killed_while_it_waited_is_replaced(qtbot, tmp_path):
    (tmp_path / "notes").mkdir()
    controller = IndexController()
    job = IndexingJob(tmp_path / "notes", tmp_path / "index.db", None)
    run(qtbot, controller, job)
    (process,) = processes()
    process.kill()
    process.join()
    assert run(qtbot, controller, job).notes == 0
    controller.close()


def test_a_process_with_the_model_is_kept_for_a_while_and_then_ended(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(controller_module, "MODEL_KEPT_MS", 500)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples")
    controller = IndexController()
    job = IndexingJob(folder, tmp_path / "index.db", built_in_model(places(tmp_path / "home"), threads=1))
    assert run(qtbot, controller, job).embedded == 1
    assert len(processes()) == 1
    qtbot.waitUntil(lambda: processes() == [], timeout=10_000)
    assert run(qtbot, controller, job).embedded == 1
    controller.close()
