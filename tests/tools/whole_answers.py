"""What an index answers, as bytes: whole JSON results of a set of queries, for comparing one index with another."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from core.export import to_json
from core.index.database import as_index_errors
from core.index.reader import Reader
from core.search.results import Skipped
from core.search.search import EncoderOrReason, SearchRequest, search

TODAY = dt.date(2026, 3, 1)

NO_MODEL = Skipped("no model")


def whole_answers(index_file: Path, queries: Sequence[str], encoder: EncoderOrReason = NO_MODEL) -> list[str]:
    """Return the JSON result of each query.

    Raises:
        IndexFileError: the index cannot be read.
    """
    reader = Reader(index_file)
    with contextlib.closing(reader):
        return answers_of(reader, index_file, queries, encoder)


def answers_of(reader: Reader, index_file: Path, queries: Sequence[str], encoder: EncoderOrReason) -> list[str]:
    """Return the JSON result of each query, from a reader that stays open."""
    with as_index_errors(index_file):
        return [to_json(search(reader, encoder, SearchRequest(query, today=TODAY))) for query in queries]
