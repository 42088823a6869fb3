"""The command line, writing down what its index answers after each commit, for comparing what others see meanwhile.

    TRISKEL_RECORD=FILE python tests/tools/recording_cli.py index|search ...
    python tests/tools/recording_cli.py ask INDEX_FILE

The second form is a reader that stays open, as the window's: it answers again and again, a line each, until its input
is closed. A line is a JSON object with the generation and a digest of the answers.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

import app.indexing_child  # noqa: E402
import app.indexing_jobs  # noqa: E402
import core.index.indexer  # noqa: E402
import core.index.indexing_run  # noqa: E402
from app.cli import run  # noqa: E402
from core.errors import IndexFileError  # noqa: E402
from core.index.database import NO_INDEX  # noqa: E402
from core.index.reader import Reader  # noqa: E402
from core.index.writer import Writer  # noqa: E402
from core.search.results import Skipped  # noqa: E402
from tests.tools.fake_model import FakeModel  # noqa: E402
from tests.tools.living_notes import QUERIES  # noqa: E402
from tests.tools.whole_answers import answers_of  # noqa: E402

MODEL = FakeModel(seconds=0.01)

ASKED = "apple"
"""What other command lines ask; its answer is written down whole, since they have no model."""


def digest_of(answers: list[str]) -> str:
    return hashlib.sha256("".join(answers).encode()).hexdigest()


def generation_and_answers(reader: Reader, file: Path) -> tuple[int, list[str]] | None:
    """Return what one generation answers, None where the index went on meanwhile."""
    before = reader.begin()
    answers = answers_of(reader, file, QUERIES[:5], MODEL)
    return (before, answers) if reader.begin() == before else None


def be_recorded() -> None:
    """Write down what the index answers after each commit of this process."""
    commit = Writer._commit
    core.index.indexing_run.COMMIT_EVERY_SECONDS = 0.1
    # Or the readers, which do nothing but read, would leave it no time.
    app.indexing_child.lower_priority = lambda: None

    def commit_and_record(writer: Writer) -> None:
        commit(writer)
        with contextlib.closing(Reader(writer._file)) as reader:
            found = generation_and_answers(reader, writer._file)
            assert found is not None
            line = {"generation": found[0], "digest": digest_of(found[1])}
            line["plain"] = answers_of(reader, writer._file, [ASKED], Skipped("switched off"))[0]
            reader.end()
        descriptor = os.open(os.environ["TRISKEL_RECORD"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, (json.dumps(line) + "\n").encode())
        os.close(descriptor)

    Writer._commit = commit_and_record


def ask(file: Path) -> None:
    """Answer until stdin is closed, from one reader, as soon as there is an index."""
    reader = None
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        try:
            reader = reader or Reader(file)
        except IndexFileError as error:
            if str(error) != NO_INDEX:
                raise
            continue
        found = generation_and_answers(reader, file)
        reader.end()
        if found is not None:
            sys.stdout.write(json.dumps({"generation": found[0], "digest": digest_of(found[1])}) + "\n")
    if reader is not None:
        reader.close()


def fake_model(_where: object, threads: int) -> FakeModel:
    return MODEL


if __name__ == "__mp_main__":
    be_recorded()
elif __name__ == "__main__":
    if sys.argv[1] == "ask":
        ask(Path(sys.argv[2]))
    else:
        app.indexing_jobs.chosen_model = fake_model
        sys.exit(run(sys.argv[1:]))
