"""The command line, with an indexing process that is killed at a chosen moment, and takes the command line with it.

    TRISKEL_DIE_AT=17 TRISKEL_MOMENTS=FILE TRISKEL_EMBEDDED=FILE python tests/tools/dying_cli.py index FOLDER ...

A moment is a change that SQLite makes on the disk, progress that is told, or the switch to another build. The run
writes the phase of each moment into TRISKEL_MOMENTS, one a line, and each text that it embeds into TRISKEL_EMBEDDED.
Notes and vectors are committed one by one, so that a small folder has as many states on the disk as a large one. The
signal is SIGKILL, to the whole process group: start it in one of its own.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

import app.indexing_child  # noqa: E402
import app.indexing_jobs  # noqa: E402
import core.index.building  # noqa: E402
import core.index.indexer  # noqa: E402
import core.index.indexing_run  # noqa: E402
from app.cli import run  # noqa: E402
from core.index.writer import Writer  # noqa: E402
from tests.tools.fake_model import FakeModel  # noqa: E402
from tests.tools.watched_vfs import watched  # noqa: E402


class Moments:
    """Counts the moments of a run, and ends it at the chosen one."""

    def __init__(self) -> None:
        self._die_at = int(os.environ.get("TRISKEL_DIE_AT", "0"))
        self._phase = "open"
        self._seen: list[str] = []

    def another(self, _what: object = None) -> None:
        self._seen.append(self._phase)
        if len(self._seen) == self._die_at:
            os.killpg(os.getpgid(0), signal.SIGKILL)

    def begin(self, phase: str) -> None:
        self._phase = phase

    def write_down(self) -> None:
        if file := os.environ.get("TRISKEL_MOMENTS"):
            Path(file).write_text("\n".join(self._seen))


def be_watched() -> None:
    """Have every moment of the indexing run in this process counted."""
    moments = Moments()
    update_index, tidy, close = core.index.indexer.update_index, Writer.tidy, Writer.close

    def update_watched(folder, index_file, model, seams, **options):
        def tell(progress):
            moments.begin(str(progress.phase))
            moments.another()
            seams.on_progress(progress)

        with watched(moments.another):
            report = update_index(folder, index_file, model, replace(seams, on_progress=tell), **options)
        moments.write_down()
        return report

    def tidy_watched(writer):
        moments.begin("tidy")
        tidy(writer)

    def close_watched(writer):
        moments.begin("close")
        close(writer)

    def switch_watched(real):
        def switch(*arguments):
            moments.begin("switch")
            moments.another()
            real(*arguments)
            moments.another()

        return switch

    app.indexing_child.update_index = update_watched
    core.index.building.publish = switch_watched(core.index.building.publish)
    Writer.tidy, Writer.close = tidy_watched, close_watched
    core.index.indexing_run.COMMIT_EVERY_SECONDS = 0.0
    core.index.indexing_run.BIG_RUN = 10
    # A test that waits for it is slower than it need be.
    app.indexing_child.lower_priority = lambda: None


def fake_model(_where: object, threads: int) -> FakeModel:
    return FakeModel(log=Path(os.environ["TRISKEL_EMBEDDED"]))


if __name__ == "__mp_main__":
    be_watched()
elif __name__ == "__main__":
    app.indexing_jobs.chosen_model = fake_model
    sys.exit(run(sys.argv[1:]))
