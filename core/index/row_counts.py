"""How often the phrases of a full-text query stand in a row. Depends on one connection and FTS5's own counting.

SQLite's `bm25()` gives one number for all phrases together, and walks every row of every phrase first to count them.
This reads the counts themselves, of the rows that are asked for alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from typing import NamedTuple

import apsw

from core.index.schema import PASSAGE_BITS

_NOTES = "SELECT row_counts({0}) FROM {0} WHERE {0} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
# The plus sign and the shift keep SQLite from looking each row up in turn, which takes forty times as long.
_PASSAGES = (
    f"SELECT row_counts({{0}}) FROM {{0}} WHERE {{0}} MATCH ? AND (rowid >> {PASSAGE_BITS}) IN "
    "(SELECT value FROM json_each(?))"
)


class Row(NamedTuple):
    """A row: `counts` holds for each phrase of the query how often it stands in each column; `length` is in words."""

    rowid: int
    length: int
    counts: tuple[tuple[int, ...], ...]


class RowCounts:
    """Counts phrases in rows. Belongs to one connection, so to one thread at a time."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._rows: list[Row] = []
        self._average = 1.0
        # Registered once: FTS5 keeps every function that it was ever given.
        connection.register_fts5_function("row_counts", self._take)

    def in_notes(self, table: str, expression: str, notes: Iterable[int]) -> tuple[list[Row], float]:
        """Return the rows of these notes that the expression finds, by rowid, and the average length of all rows."""
        return self._read(_NOTES.format(table), expression, notes)

    def in_passages(self, table: str, expression: str, notes: Iterable[int]) -> tuple[list[Row], float]:
        """Return the passages of these notes that the expression finds, by rowid, and the average length of all."""
        return self._read(_PASSAGES.format(table), expression, notes)

    def _read(self, sql: str, expression: str, notes: Iterable[int]) -> tuple[list[Row], float]:
        self._rows = []
        self._average = 1.0
        if not expression:
            return [], self._average
        with closing(self._connection.cursor()) as cursor:
            for _row in cursor.execute(sql, (expression, json.dumps(sorted(notes)))):
                pass
        found, self._rows = self._rows, []
        return sorted(found), self._average

    def _take(self, api: apsw.FTS5ExtensionApi, /, *_arguments: apsw.SQLiteValue) -> None:
        if not self._rows:
            self._average = max(1.0, api.column_total_size(-1) / max(1, api.row_count))
        counts = tuple(
            tuple(len(places) for places in api.phrase_locations(phrase)) for phrase in range(api.phrase_count)
        )
        self._rows.append(Row(api.rowid, api.column_size(-1), counts))
