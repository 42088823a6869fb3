"""What it costs to read a format, beside inserting the text that it gave into FTS5: parsing is to cost no more.

Inserting is shown twice: bare, the finished rows into the full-text tables, and as Triskel does it, which folds the
text and spreads its words first. Where a library does most of the reading, it is shown alone as well.
"""

import io
import random
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pypdfium2
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

    def read(files=files):
        for path, data in files:
            read_note(path, data)

    def cut_all():
        for note in notes:
            cut_passages(note)

    def prepare():
        return [_word_rows(note, passages) for note, passages in zip(notes, cut, strict=True)]

    prepared = prepare()

    beside = {}
    if suffix == ".pdf":
        beside["pdfium alone"] = lambda: _pdfium_alone(files)
    if suffix == ".docx":
        own = [(path, _restyled(data, number)) for number, (path, data) in enumerate(files)]
        beside["read, each with styles of its own"] = lambda: read(own)

    took = in_turns(
        {"read": read, "cut": cut_all, "prepare": prepare, "insert": lambda: _insert(new_file(), prepared)} | beside,
        ROUNDS,
    )
    size = sum(len(note.text.encode()) for note in notes) / 1e6
    parse = [sum(both) for both in zip(took["read"], took["cut"], strict=True)]
    store = [sum(both) for both in zip(took["prepare"], took["insert"], strict=True)]

    def rate(seconds):
        return f"{size / median(seconds):.1f} MB/s"

    group = f"MB of text a second ({len(files)} notes a format, {TEXT_SIZE / 1e6:.0f} MB)"
    table.add(group, f"{suffix[1:]}: read and cut; floor: bare insert", rate(parse), rate(took["insert"]),
              ratio_to(took["insert"], parse))  # fmt: skip
    table.add(group, "  floor: fold, spread and insert", rate(parse), rate(store), ratio_to(store, parse))
    table.add(group, "  read; floor: bare insert", rate(took["read"]), "", ratio_to(took["insert"], took["read"]))
    table.add(group, "  cut; floor: bare insert", rate(took["cut"]), "", ratio_to(took["insert"], took["cut"]))
    for name in beside:
        table.add(group, f"  {name}; floor: bare insert", rate(took[name]), "", ratio_to(took["insert"], took[name]))


def _pdfium_alone(files):
    for _, data in files:
        with pypdfium2.PdfDocument(data) as document:
            for page in document:
                text_page = page.get_textpage()
                text_page.get_text_bounded()
                text_page.close()
                page.close()


def _restyled(data, number):
    """Return a Word document with a style sheet that no other has, as if it came from a template of its own."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            comment = f"<!-- {number} -->".encode() if name == "word/styles.xml" else b""
            new.writestr(name, old.read(name) + comment)
    return out.getvalue()


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
