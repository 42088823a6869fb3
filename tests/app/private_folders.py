"""Folders with and without private notes, and everything that is published of them, as bytes. For tests of privacy."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.cli_index import report_object
from core.export import EXPORT_FORMATS, json_text
from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.results import LEGS, Leg, ModelName, SearchResult
from core.search.search import SearchRequest, search

TODAY = dt.date(2026, 3, 1)
LEG_SETS = (LEGS, (Leg.WORDS,), (Leg.MEANING,), (Leg.LINKS,))
LIMITS = (10, 50)


@dataclass(frozen=True)
class WordModel:
    """A model in which texts that share words are near; it is its own loader."""

    dimensions: int = 64

    @property
    def model(self) -> ModelName:
        return ModelName("words", self.dimensions, "0" * 64)

    @property
    def key(self) -> str:
        return "words"

    def load(self) -> WordModel:
        return self

    def embed_query(self, text: str) -> np.ndarray:
        total = np.full(self.dimensions, 1e-3)
        for word in text.casefold().split():
            total[hashlib.sha256(word.strip(".,#[]").encode()).digest()[0] % self.dimensions] += 1
        return (total / np.linalg.norm(total)).astype("<f4")

    def embed_passages(self, texts: Sequence[str]) -> Iterator[tuple[int, np.ndarray]]:
        yield from ((place, self.embed_query(text)) for place, text in enumerate(texts))


MODEL = WordModel()


def write_folder(root: Path, texts: Mapping[str, str]) -> Path:
    """Make the folder hold exactly these files, all of the same time."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    for path, text in texts.items():
        write_file(root / path, text)
    return root


def write_file(file: Path, text: str, when: int = 1_700_000_000) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    os.utime(file, (when, when))


def indexed(folder: Path, index_file: Path, **options: object) -> str:
    """Bring an index up to date and return what `index --json` says."""
    return json_text(report_object(update_index(folder, index_file, MODEL, **options)))


def result_of(index_file: Path, query: str, legs: Sequence[Leg] = LEGS, limit: int = 50) -> SearchResult:
    reader = Reader(index_file)
    try:
        return search(reader, MODEL, SearchRequest(query, tuple(legs), limit, today=TODAY))
    finally:
        reader.close()


def published(index_file: Path, queries: Sequence[str]) -> list[str]:
    """Return every export of every query, by all legs and by each alone, at both limits."""
    texts = []
    reader = Reader(index_file)
    try:
        for query in queries:
            for legs in LEG_SETS:
                for limit in LIMITS:
                    result = search(reader, MODEL, SearchRequest(query, legs, limit, today=TODAY))
                    texts += [EXPORT_FORMATS[name](result, None) for name in sorted(EXPORT_FORMATS)]
        reader.begin()
        texts.append(reader.fingerprint())
        texts.append(repr(reader.coverage()))
        texts += [repr(problem) for problem in reader.problems()]
    finally:
        reader.end()
        reader.close()
    return texts


def raw_bytes(index_file: Path) -> bytes:
    """Return all that lies on the disk of an index, its log and whatever else is beside it."""
    return b"".join(file.read_bytes() for file in sorted(index_file.parent.glob(index_file.name + "*")))
