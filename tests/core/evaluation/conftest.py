"""Small data sets made by the tests, and indexes of them without vectors."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.evaluation.datasets import DataSet, read_data_set
from core.evaluation.note_files import note_paths, write_notes
from core.index.indexer import update_index
from core.index.reader import Reader

DOCUMENTS = (
    {"id": "bread", "title": "Rye bread", "text": "Feed the starter with rye flour at noon. See [[oven]]."},
    {"id": "oven", "title": "The oven", "text": "It needs twenty minutes until it is hot enough for loaves."},
    {"id": "boat", "title": "", "text": "The ferry leaves at seven and takes bicycles."},
    {"id": "garden/peas", "title": "Peas", "text": "Sow peas in March, two fingers deep."},
)
QUERIES = (
    {"id": "q1", "text": "rye starter", "answer": "at noon"},
    {"id": "q2", "text": "bicycles on the ferry", "answer": "seven"},
    {"id": "q3", "text": "when to sow peas"},
    {"id": "q4", "text": "nobody judged this"},
)
QRELS = "q1\tbread\t2\nq1\toven\t1\nq2\tboat\t1\nq3\tgarden/peas\t1\nq3\tboat\t0\n"


def write_set(folder: Path, documents=DOCUMENTS, queries=QUERIES, qrels=QRELS, info: object = None) -> Path:
    folder.mkdir(parents=True)
    for name, rows in (("corpus.jsonl", documents), ("queries.jsonl", queries)):
        text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
        (folder / name).write_text(text, "utf-8")
    (folder / "qrels.tsv").write_text(qrels, "utf-8")
    if info is not None:
        (folder / "INFO.json").write_text(json.dumps(info), "utf-8")
    return folder


@pytest.fixture
def made_set(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a data set directory, with parts of its own where they are given."""

    def make(name: str = "small", **parts: object) -> Path:
        return write_set(tmp_path / name, **parts)

    return make


@pytest.fixture
def small_set(made_set) -> DataSet:
    return read_data_set(made_set())


@contextmanager
def indexed(data_set: DataSet, folder: Path) -> Iterator[tuple[Reader, dict[str, str]]]:
    """Index a set's notes below a folder; give a reader, and the document ids by path."""
    paths = note_paths(document.id for document in data_set.documents)
    write_notes(data_set.documents, paths, folder / "notes")
    report = update_index(folder / "notes", folder / "index.db")
    assert report.notes == len(data_set.documents)
    reader = Reader(folder / "index.db")
    try:
        yield reader, {path: document for document, path in paths.items()}
    finally:
        reader.close()


@pytest.fixture
def index_of(tmp_path: Path) -> Callable:
    """Return `indexed`, with a folder of the test's own."""
    return lambda data_set: indexed(data_set, tmp_path / f"index-{data_set.name}")
