"""Indexing beside the window: the newest job alone, and an end that is heard at once."""

import threading
import time
from pathlib import Path

import app.index_controller as controller_module
from app.index_controller import IndexController
from app.indexing_child import IndexingJob


def test_of_many_jobs_asked_for_at_once_only_the_first_and_the_last_are_begun(qtbot, tmp_path, monkeypatch):
    begun: list[Path] = []
    first_may_end = threading.Event()

    def run(job, on_event, should_stop):
        begun.append(job.folder)
        while not (first_may_end.is_set() and should_stop()):
            time.sleep(0.005)

    monkeypatch.setattr(controller_module, "run_indexing", run)
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
    assert "no folder" in told.args[0]
