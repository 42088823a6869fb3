"""What the work would cost if there were nothing but the work: bare FTS5, bare numpy, a bare ONNX session.

Each floor does what its part of Triskel does, on the same inputs, in the plainest way there is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from core.index.database import open_writer
from core.index.embedding import BATCH_TOKENS, ModelSource, length_sorted_batches
from core.index.note_columns import names_as_words
from core.index.schema import passage_id
from core.index.tokens import spread
from core.notes.folder import NoteFile
from core.notes.folding import fold
from core.notes.note import Note, Passage
from core.notes.passages import cut_passages
from core.notes.reading import read_note

MODEL_TOKENS = 512
"""What the model reads of a text; the bare tokenizer.json says 128 and pads to it."""


@dataclass(frozen=True, slots=True)
class FoldedNote:
    """The rows that a note's text becomes in the full-text tables."""

    title: str
    names: str
    passages: tuple[str, ...]


def read_notes(folder: Path, files: Sequence[NoteFile], *, dendron: bool) -> list[Note]:
    """Read and parse the files, in order."""
    return [read_note(file.path, (folder / file.path).read_bytes(), dendron=dendron) for file in files]


def cut_notes(notes: Sequence[Note]) -> list[tuple[Passage, ...]]:
    """Cut every note."""
    return [cut_passages(note) for note in notes]


def fold_notes(notes: Sequence[Note], passages: Sequence[tuple[Passage, ...]]) -> list[FoldedNote]:
    """Fold what the full-text tables hold."""
    return [
        FoldedNote(
            _as_words(note.title),
            names_as_words((note.path, *note.aliases, *(f"#{tag}" for tag in note.tags))),
            tuple(_as_words(passage.text) for passage in cut),
        )
        for note, cut in zip(notes, passages, strict=True)
    ]


def _as_words(text: str) -> str:
    return spread(text, fold(text)).whole


def insert_folded(file: Path, notes: Sequence[FoldedNote]) -> None:
    """Insert folded text into the index's own full-text tables in a new file, in one transaction, and nothing else."""
    connection = open_writer(file)
    connection.execute("BEGIN IMMEDIATE")
    insert_folded_rows(connection, notes, first_id=1)
    connection.execute("COMMIT")
    connection.close()


def insert_folded_rows(connection: apsw.Connection, notes: Sequence[FoldedNote], first_id: int) -> None:
    """Insert notes with ids from `first_id` on, inside a transaction of the caller's."""
    connection.executemany(
        "INSERT INTO passage_words (rowid, body) VALUES (?, ?)",
        (
            (passage_id(identity, ordinal), text)
            for identity, note in enumerate(notes, start=first_id)
            for ordinal, text in enumerate(note.passages)
        ),
    )
    connection.executemany(
        "INSERT INTO note_words (rowid, title, names, body) VALUES (?, ?, ?, ?)",
        (
            (identity, note.title, note.names, "\n".join(note.passages))
            for identity, note in enumerate(notes, start=first_id)
        ),
    )


def merge_full_text(file: Path) -> None:
    """Merge both full-text tables, as a first build does at its end."""
    connection = open_writer(file)
    connection.execute("INSERT INTO note_words(note_words) VALUES ('optimize')")
    connection.execute("INSERT INTO passage_words(passage_words) VALUES ('optimize')")
    connection.close()


def walk(folder: Path) -> int:
    """Ask the file system for every file's size and time, which no scan can do without; return how many there are."""
    found, pending = 0, [str(folder)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    entry.stat()
                    found += 1
    return found


class BareModel:
    """The network and its tokenizer, called directly: tokenize once, sort by length, pad a batch, run, take the mean.

    Reads the same files as `EmbeddingModel`, with as many threads, in batches of the same rule.
    """

    def __init__(self, source: ModelSource, threads: int) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(source.folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MODEL_TOKENS)
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(
            str(source.onnx), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {each.name for each in self._session.get_inputs()}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of `texts`, in their order."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors: list[NDArray[np.float32] | None] = [None] * len(texts)
        for batch in length_sorted_batches([len(ids) for ids in tokens], BATCH_TOKENS):
            for position, vector in zip(batch, self._run([tokens[position] for position in batch]), strict=True):
                vectors[position] = vector
        return np.array(vectors)

    def _run(self, batch: Sequence[list[int]]) -> NDArray[np.float32]:
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        summed = np.einsum("btd,bt->bd", hidden, mask.astype(np.float32))
        return summed / np.linalg.norm(summed, axis=1, keepdims=True)


def nearest_rows(matrix: NDArray[np.float32], query: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Return the rows of the highest dot products: the sum in fixed order, and a partition."""
    scores = np.einsum("ij,j->i", matrix, query)
    return np.argpartition(scores, max(0, len(scores) - count))[-count:]


class BareWords:
    """FTS5 alone: rows by rank, at most 50, ties left to chance."""

    def __init__(self, file: Path) -> None:
        self._connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        self._connection.execute("PRAGMA cache_size = -32000; PRAGMA mmap_size = 268435456")

    def close(self) -> None:
        self._connection.close()

    def best(self, table: str, phrases: Sequence[str]) -> list[tuple[int, float]]:
        """Return the first 50 rows for any of the phrases, which are in FTS5's query language."""
        if not phrases:
            return []
        sql = f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT 50"
        return self._connection.execute(sql, (" OR ".join(phrases),)).fetchall()
