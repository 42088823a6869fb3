"""Labelled data sets: documents, queries, and which documents answer which query. Reads three files, keeps no state.

A data set directory holds `corpus.jsonl` ({"id", "title", "text"}), `queries.jsonl` ({"id", "text"}, where known also
"answer" and "overlap") and `qrels.tsv` (query, document, grade). `INFO.json` may name a series that the set is one
size of.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.errors import DataSetError
from core.notes.folder import displayed

MOST_BYTES = 2 * 1024**3
"""Of one file of a set: it is read as a whole."""

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it stands in `corpus.jsonl`; `title` is empty where it has none."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query that at least one document answers.

    Attributes:
        grades: the grade, 1 or more, of each document that answers it, by document id in the order of the file.
        answers: texts of which one stands in a document that answers; none where the set does not give any.
        overlap: the share, 0 to 1, of the query's words that its answer holds, where the set says it.
    """

    id: str
    text: str
    grades: Mapping[str, int]
    answers: tuple[str, ...] = ()
    overlap: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """A set may be one size of a growing haystack: the series' name, and how many notes this size counts as."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set. `unused_judgements` name a query or a document that is not there; they are left out, and counted."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[JudgedQuery, ...]
    unjudged_queries: int = 0
    unused_judgements: int = 0
    series: Series | None = None

    @property
    def corpus_key(self) -> str:
        """A hash of all documents, in their order, and of nothing else."""
        digest = sha256()
        for document in self.documents:
            digest.update(json.dumps([document.id, document.title, document.text]).encode())
        return digest.hexdigest()[:24]


def read_data_set(folder: Path) -> DataSet:
    """Return the data set in a directory, with the queries that have a judgement above 0.

    Raises:
        DataSetError: a file is missing, or a line of it is not what it should be; the sentence names both.
    """
    if not folder.is_dir():
        raise DataSetError(f"There is no data set directory {displayed(str(folder))}.")
    documents = tuple(_documents(folder / "corpus.jsonl"))
    if not documents:
        raise DataSetError(f"{_shown(folder / 'corpus.jsonl')} holds no document.")
    asked = list(_queries(folder / "queries.jsonl"))
    grades, unused = _grades(folder / "qrels.tsv", {one.id for one in documents}, {one.id for one in asked})
    judged = tuple(
        JudgedQuery(one.id, one.text, grades[one.id], one.answers, one.overlap) for one in asked if one.id in grades
    )
    if not judged:
        raise DataSetError(f"{_shown(folder / 'qrels.tsv')} judges no query of queries.jsonl to have an answer.")
    # A folder's name, also where it was named by a dot or by a path that ends in one.
    name = folder.resolve().name or "data set"
    return DataSet(name, documents, judged, len(asked) - len(judged), unused, _series(folder / "INFO.json"))


def _documents(file: Path) -> Iterator[Document]:
    seen: dict[str, int] = {}
    for number, value in _objects(file, '{"id", "title", "text"}'):
        identity = _identity(file, number, value, seen)
        title = value.get("title")
        if title is not None and not isinstance(title, str):
            raise _wrong(file, number, "its title is no text")
        yield Document(identity, _encodable(title or "").strip(), _encodable(_text(file, number, value)))


def _queries(file: Path) -> Iterator[JudgedQuery]:
    seen: dict[str, int] = {}
    for number, value in _objects(file, '{"id", "text"}'):
        identity = _identity(file, number, value, seen)
        text = _encodable(_text(file, number, value))
        yield JudgedQuery(identity, text, {}, _answers(file, number, value), _overlap(file, number, value))


def _grades(file: Path, documents: set[str], queries: set[str]) -> tuple[dict[str, dict[str, int]], int]:
    """Return the grades above 0 by query and document, and how many rows name what is not there."""
    grades: dict[str, dict[str, int]] = {}
    unused = 0
    for number, line in _lines(file):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 3 or not all(cells):
            raise _wrong(file, number, "it does not hold a query, a document and a grade with a tab between them")
        query, document, written = cells
        grade = _grade(written)
        if grade is None:
            if number == 1 and not re.search(r"\d", written):
                continue  # a heading
            raise _wrong(file, number, f"“{written[:40]}” is no grade; grades are whole numbers")
        if query not in queries or document not in documents:
            unused += 1
        elif grade > 0:
            # Where a pair is judged more than once, the best grade counts.
            known = grades.setdefault(query, {})
            known[document] = max(grade, known.get(document, 0))
    return grades, unused


def _grade(written: str) -> int | None:
    try:
        number = float(written)
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 1000 else None


def _series(file: Path) -> Series | None:
    """Return the series that INFO.json names; anything else in it is for people."""
    try:
        value = json.loads(file.read_bytes())
        name, size = value["series"]["name"], value["series"]["size"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if isinstance(name, str) and isinstance(size, int) and not isinstance(size, bool) and size > 0:
        return Series(name, size)
    return None


def _objects(file: Path, wanted: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in _lines(file):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise _wrong(file, number, f"it is not a JSON object {wanted}")
        yield number, value


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers from 1. Only a newline ends one."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise DataSetError(f"{_shown(file)} is larger than {MOST_BYTES // 1024**3} GB.")
        data = file.read_bytes()
    except FileNotFoundError:
        raise DataSetError(
            f"There is no {file.name} in the data set directory {displayed(str(file.parent))}."
        ) from None
    except OSError as error:
        raise DataSetError(f"{_shown(file)} could not be read: {error.strerror}.") from error
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError:
            raise _wrong(file, number, "it is not UTF-8 text") from None


def _identity(file: Path, number: int, value: Mapping[str, Any], seen: dict[str, int]) -> str:
    """Return the id of a line, which no line before it may have."""
    identity = value.get("id")
    if isinstance(identity, int) and not isinstance(identity, bool):
        identity = str(identity)
    # Cells of qrels.tsv are taken without the space around them, and hold no tab.
    if not isinstance(identity, str) or not identity.strip() or re.search(r"[\t\n]", identity.strip()):
        raise _wrong(file, number, "it has no id that is a text without tabs and newlines")
    identity = identity.strip()
    if identity in seen:
        raise _wrong(file, number, f"the id “{_encodable(identity)[:80]}” stands in line {seen[identity]} already")
    seen[identity] = number
    return identity


def _text(file: Path, number: int, value: Mapping[str, Any]) -> str:
    text = value.get("text")
    if not isinstance(text, str):
        raise _wrong(file, number, "it has no text")
    return text


def _answers(file: Path, number: int, value: Mapping[str, Any]) -> tuple[str, ...]:
    given = value.get("answer")
    if given is None:
        return ()
    listed = given if isinstance(given, list) else [given]
    if not all(isinstance(each, str | int | float) for each in listed):
        raise _wrong(file, number, "its answer is neither a text nor a list of texts")
    return tuple(_encodable(str(each)) for each in listed if str(each).strip())


def _overlap(file: Path, number: int, value: Mapping[str, Any]) -> float | None:
    given = value.get("overlap")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given) or not 0 <= given <= 1:
        raise _wrong(file, number, "its overlap is no number from 0 to 1")
    return float(given)


def _encodable(text: str) -> str:
    """Return a text that can be written to a file: JSON may name half a character."""
    return _SURROGATES.sub("\ufffd", text)


def _wrong(file: Path, number: int, why: str) -> DataSetError:
    return DataSetError(f"Line {number} of {_shown(file)} cannot be used: {why}.")


def _shown(file: Path) -> str:
    return displayed(str(file))
