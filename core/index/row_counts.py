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

_EVERYWHERE = "SELECT row_counts({0}) FROM {0} WHERE {0} MATCH ?"
# The plus sign keeps SQLite from looking each row up in turn, which takes forty times as long.
_IN_ROWS = "SELECT row_counts({0}) FROM {0} WHERE {0} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"


class Row(NamedTuple):
    """A row: `counts` holds for each phrase of the query how often it stands in each column."""

    rowid: int
    counts: tuple[tuple[int, ...], ...]


class RowCounts:
    """Counts phrases in rows. Belongs to one connection, so to one thread at a time."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._rows: list[Row] = []
        # Registered once: FTS5 keeps every function that it was ever given.
        connection.register_fts5_function("row_counts", self._take)

    def in_rows(self, table: str, expression: str, rowids: Iterable[int]) -> list[Row]:
        """Return those of some rows that the expression finds, by rowid."""
        return self._read(_IN_ROWS.format(table), (expression, json.dumps(sorted(rowids))))

    def everywhere(self, table: str, expression: str) -> list[Row]:
        """Return all rows that the expression finds, by rowid."""
        return self._read(_EVERYWHERE.format(table), (expression,))

    def _read(self, sql: str, bindings: tuple[str, ...]) -> list[Row]:
        self._rows = []
        with closing(self._connection.cursor()) as cursor:
            for _row in cursor.execute(sql, bindings):
                pass
        found, self._rows = self._rows, []
        return sorted(found)

    def _take(self, api: apsw.FTS5ExtensionApi, /, *_arguments: apsw.SQLiteValue) -> None:
        counts = tuple([tuple(map(len, api.phrase_locations(phrase))) for phrase in range(api.phrase_count)])
        self._rows.append(Row(api.rowid, counts))
