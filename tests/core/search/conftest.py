"""A small index written row by row, so that these tests know exactly what the legs read."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelError
from core.index.database import open_writer
from core.index.reader import Reader
from core.index.schema import passage_id
from core.index.tokens import spread
from core.notes.folding import fold
from core.search.results import ModelName

DIMENSIONS = 4


@dataclass(frozen=True)
class SmallNote:
    """A note as its rows: `passages` are its texts, `vectors` one for each (None: not embedded yet)."""

    path: str
    passages: Sequence[str] = ()
    title: str = ""
    names: str = ""
    links: Sequence[str] = ()
    vectors: Sequence[Sequence[float] | None] = ()


@dataclass
class ScriptedEncoder:
    """An encoder whose vectors are written in the test; texts it does not know get the first axis."""

    vectors: dict[str, Sequence[float]] = field(default_factory=dict)
    damaged: bool = False
    key: str = "scripted"
    model: ModelName = field(default_factory=lambda: ModelName("scripted", DIMENSIONS, "0" * 64))

    def embed_query(self, text: str) -> np.ndarray:
        if self.damaged:
            raise ModelError("The model file is damaged.")
        vector = np.asarray(self.vectors.get(text, (1, 0, 0, 0)), dtype=np.float32)
        return vector / np.linalg.norm(vector)


@pytest.fixture
def note() -> type[SmallNote]:
    """Make a note: `note(path, passages, title=…, names=…, links=…, vectors=…)`."""
    return SmallNote


@pytest.fixture
def fillers() -> Callable[[int], list[SmallNote]]:
    """Return a function that makes notes about other things, each of its own thirty words."""

    def make(count: int) -> list[SmallNote]:
        return [
            SmallNote(f"filler/{number:04}.md", [" ".join(f"other{number}x{place}" for place in range(30))])
            for number in range(count)
        ]

    return make


@pytest.fixture
def encoder() -> ScriptedEncoder:
    return ScriptedEncoder()


@pytest.fixture
def index_of(tmp_path: Path) -> Iterator[Callable[..., Reader]]:
    """Return a function that writes notes into a new index and gives a reader in a snapshot of it."""
    readers = []

    def build(*notes: SmallNote, name: str = "index") -> Reader:
        file = tmp_path / f"{name}.sqlite"
        write_index(file, notes)
        reader = Reader(file)
        reader.begin()
        readers.append(reader)
        return reader

    yield build
    for reader in readers:
        reader.end()
        reader.close()


def words_in(text: str) -> str:
    """Return a text as FTS5 is given it."""
    return spread(text, fold(text)).whole


def write_index(file: Path, notes: Sequence[SmallNote]) -> None:
    """Write the notes, ids from 1 in the order given, all in one transaction."""
    connection = open_writer(file)
    connection.execute("BEGIN")
    ids = {note.path: number for number, note in enumerate(notes, start=1)}
    for note in notes:
        identity = ids[note.path]
        title = note.title or Path(note.path).stem
        connection.execute(
            "INSERT INTO note (id, path, stamp, content_hash, title, date, date_from_mtime, aliases, tags, "
            "properties, folded_path, folded_title) VALUES (?, ?, '', ?, ?, '2026-01-02', 0, '[]', '[]', '{}', ?, ?)",
            (
                identity,
                note.path,
                hashlib.sha256("\n".join(note.passages).encode()).digest(),
                title,
                fold(note.path),
                fold(title),
            ),
        )
        connection.execute(
            "INSERT INTO note_words (rowid, title, names, body) VALUES (?, ?, ?, ?)",
            (identity, *map(words_in, (title, f"{note.path}\n{note.names}", "\n".join(note.passages)))),
        )
        line = 1
        for ordinal, text in enumerate(note.passages):
            rowid = passage_id(identity, ordinal)
            given = note.vectors[ordinal] if ordinal < len(note.vectors) else None
            vector = None
            if given is not None:
                value = np.asarray(given, dtype="<f4")
                value /= np.linalg.norm(value)
                # Texts may be equal in these tests; their vectors are still told apart.
                digest = hashlib.sha256(rowid.to_bytes(8)).digest()
                connection.execute(
                    "INSERT INTO vector (hash, model, value) VALUES (?, 'scripted', ?)", (digest, value.tobytes())
                )
                vector = connection.last_insert_rowid()
            connection.execute(
                "INSERT INTO passage (id, hash, line, heading, text, vector) VALUES (?, ?, ?, '', ?, ?)",
                (rowid, hashlib.sha256(text.encode()).digest(), line, text, vector),
            )
            connection.execute("INSERT INTO passage_words (rowid, body) VALUES (?, ?)", (rowid, words_in(text)))
            line += text.count("\n") + 1
        for ordinal, target in enumerate(note.links):
            connection.execute(
                "INSERT INTO link VALUES (?, ?, 'wikilink', ?, '', '', ?, ?, 0)",
                (identity, ordinal, target, ordinal + 1, ids.get(target)),
            )
    connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('model', 'scripted')")
    connection.execute("COMMIT")
    connection.close()
