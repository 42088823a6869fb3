"""What it costs to read a format, beside inserting the text that it gave into FTS5: parsing is to cost no more."""

import random
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from core.index.database import open_writer
from core.index.schema import passage_id
from core.index.tokens import spread, with_added
from core.notes.folding import fold
from core.notes.passages import cut_passages
from core.notes.reading import READERS, read_note
from tests.benchmarks.measure import in_turns, ratio_to
from tests.tools.generate_documents import WRITERS, draw_documents

TEXT_SIZE = 2_000_000
ROUNDS = 3
READ_ALIKE = {".markdown": ".md", ".htm": ".html"}
"""Suffixes that a reader of another one reads."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordRows:
    """The rows of one note in the full-text tables, ready to be inserted."""

    title: str
    names: str
    passages: tuple[str, ...]
    whole: str


@pytest.fixture(scope="module")
def documents():
    return draw_documents(TEXT_SIZE)


def test_every_format_is_measured():
    assert {READ_ALIKE.get(suffix, suffix) for suffix in READERS} == set(WRITERS)


@pytest.mark.parametrize("suffix", WRITERS)
def test_reading_a_format_beside_inserting_its_text_into_fts5(suffix, documents, table, new_file):
    files = [(f"folder/{number}{suffix}", WRITERS[suffix](document)) for number, document in enumerate(documents)]
    notes = [read_note(path, data) for path, data in files]
    _check_that_all_was_read(documents, notes)
    cut = [cut_passages(note) for note in notes]

    def prepare():
        return [_word_rows(note, passages) for note, passages in zip(notes, cut, strict=True)]

    prepared = prepare()

    def parse():
        for path, data in files:
            cut_passages(read_note(path, data))

    took = in_turns(
        {
            "parse": parse,
            "insert": lambda: _insert(new_file(), prepared),
            "read": lambda: [read_note(path, data) for path, data in files],
            "prepare": prepare,
        },
        ROUNDS,
    )
    size = sum(len(note.text.encode()) for note in notes)
    group = (
        f"Reading and cutting, MB of text a second; floor: inserting the same text ({len(files)} notes a format, "
        f"{TEXT_SIZE / 1e6:.0f} MB)"
    )
    parse_rate, insert_rate = (f"{size / 1e6 / median(took[name]):.1f} MB/s" for name in ("parse", "insert"))
    table.add(group, suffix[1:], parse_rate, insert_rate, ratio_to(took["insert"], took["parse"]))
    read_rate = f"{size / 1e6 / median(took['read']):.1f} MB/s"
    table.add(group, "  of it: reading", read_rate, "", ratio_to(took["insert"], took["read"]))
    stored = [insert + prepare for insert, prepare in zip(took["insert"], took["prepare"], strict=True)]
    stored_rate = f"{size / 1e6 / median(stored):.1f} MB/s"
    table.add(group, "  beside folding, spreading and inserting", "", stored_rate, ratio_to(stored, took["parse"]))


def _check_that_all_was_read(documents, notes):
    # What was timed must have been the reading of all the text.
    assert [note.title for note in notes if note.problems] == []
    for document, note in random.Random(1).sample(list(zip(documents, notes, strict=True)), 20):
        words = _WORD.findall(fold(" ".join(item for block in document.blocks for item in block.items)))
        missing = set(words).difference(_WORD.findall(fold(note.text)))
        assert not missing


def _word_rows(note, passages) -> WordRows:
    """Return what `core.index.writer` would insert."""
    bodies = [spread(passage.text, fold(passage.text)) for passage in passages]
    whole = with_added("\n".join(body.running for body in bodies), [word for body in bodies for word in body.added])
    names = "\n".join((note.path, *note.aliases, *(f"#{tag}" for tag in note.tags)))
    title, names = (spread(name, fold(name)).whole for name in (note.title, names))
    return WordRows(title, names, tuple(body.whole for body in bodies), whole)


def _insert(file: Path, notes: list[WordRows]) -> None:
    """Insert rows into the index's own full-text tables in a new file, in one transaction, and nothing else."""
    connection = open_writer(file)
    connection.execute("BEGIN IMMEDIATE")
    for identity, note in enumerate(notes, start=1):
        connection.executemany(
            "INSERT INTO passage_words (rowid, body) VALUES (?, ?)",
            ((passage_id(identity, ordinal), text) for ordinal, text in enumerate(note.passages)),
        )
        connection.execute(
            "INSERT INTO note_words (rowid, title, names, body) VALUES (?, ?, ?, ?)",
            (identity, note.title, note.names, note.whole),
        )
    connection.execute("COMMIT")
    connection.close()
