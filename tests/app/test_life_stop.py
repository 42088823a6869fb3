"""A run is asked to stop at any phase: it ends soon, keeps what it had done, and the next run does only the rest.

How soon is measured and shown, not asserted: a busy machine would decide it.
"""

from __future__ import annotations

import random
import time
from statistics import median

import pytest

from app.indexing_child import IndexingJob
from app.indexing_process import run_indexing
from core.index.progress import IndexProgress, Phase
from tests.tools.fake_model import FakeModel
from tests.tools.whole_answers import whole_answers

QUERIES = ("winter bread", "note 7", "river -stone", "garden")
NOTES = 400


class Stop:
    """Listens to a run, and asks for its end at a chosen message of a phase, after a moment of waiting."""

    def __init__(self, phase: Phase, number: int, wait: float) -> None:
        self._phase, self._left, self._wait = phase, number, wait
        self.asked_at: float | None = None
        self._due: float | None = None

    def __call__(self, event: object) -> None:
        if isinstance(event, IndexProgress) and event.phase is self._phase:
            self._left -= 1
            if self._left == 0:
                self._due = time.monotonic() + self._wait

    def should_stop(self) -> bool:
        now = time.monotonic()
        if self.asked_at is None and self._due is not None and now >= self._due:
            self.asked_at = now
        return self.asked_at is not None


@pytest.fixture(scope="module")
def ground(tmp_path_factory, write_many):
    """A folder, and what a run that nobody stopped gives for it."""
    base = tmp_path_factory.mktemp("stop")
    folder = write_many(base / "notes", NOTES)
    file = base / "sound" / "index.db"
    assert run_indexing(IndexingJob(folder, file, FakeModel()), lambda _event: None, lambda: False).embedded == NOTES
    return folder, whole_answers(file, QUERIES, FakeModel())


@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", list(Phase))
def test_a_stop_at_any_phase_loses_nothing(ground, tmp_path, phase, life_length, life_figures):
    folder, sound = ground
    chance = random.Random(str(phase))
    seconds = []
    for number in range(life_length(1, 12)):
        file, log = tmp_path / f"{number}" / "index.db", tmp_path / f"log{number}"
        model = FakeModel(log=log, seconds=0.05)
        stop = Stop(phase, chance.randint(1, 3) if phase in (Phase.READ, Phase.EMBED) else 1, chance.random() * 0.1)
        job = IndexingJob(folder, file, model, rebuild=False)
        report = run_indexing(job, stop, stop.should_stop)
        if stop.asked_at is not None:
            seconds.append(time.monotonic() - stop.asked_at)
        assert report is None or report.cancelled or report.embedded == NOTES
        again = run_indexing(job, lambda _event: None, lambda: False)
        assert not again.cancelled
        assert whole_answers(file, QUERIES, model) == sound
        embedded = len(log.read_text().split())
        # At most the batch that was under way is embedded twice.
        assert NOTES <= embedded <= NOTES + 8
    if seconds:
        life_figures(
            f"stop at {phase}: {len(seconds)} times; lost 0; ended in {median(seconds):.2f} s (median), "
            f"{max(seconds):.2f} s (worst)"
        )
