"""Where the words of an index stand, as arrays: which rows hold a word, and how often. Depends on one connection.

FTS5 hands a row at a time to whoever asks, and its `bm25()` walks every row of every phrase once more before it scores
the first. Here a word's rows are read in one go, as one string of numbers, and are kept while the index is unchanged:
a query that grows by a letter, or asks for passages after notes, reads nothing twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import numpy as np
from numpy.typing import NDArray

from core.errors import IndexDamaged
from core.index.schema import PASSAGE_BITS

if TYPE_CHECKING:
    from core.index.row_counts import Row, RowCounts
    from core.index.tokenizer import Tokenizer

NOTES, PASSAGES = "note_words", "passage_words"

COLUMNS = {NOTES: 3, PASSAGES: 1}
"""Title, names and body of a note; the text of a passage."""

MOST_KEPT_BYTES = 32 * 1024 * 1024
"""Of lists that are kept. A word in ten thousand rows takes 120 kB."""

# One string of numbers crosses from SQLite in a tenth of the time that as many rows take.
_PLACES = "SELECT group_concat(doc) FROM temp.place WHERE"

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a full-text table in ascending order; lists name them by their place here, from 0.

    Attributes:
        rowids: shape (rows,).
        lengths: of each row in words, all columns together, shape (rows,).
        notes: the notes that have rows, ascending, shape (notes,).
        starts: the place of each note's first row, shape (notes,).
    """

    rowids: Numbers
    lengths: NDArray[np.float64]
    notes: Numbers
    starts: Numbers

    @property
    def average(self) -> float:
        """The mean length of a row, at least 1."""
        return max(1.0, float(self.lengths.sum()) / max(1, len(self.lengths)))

    def of_notes(self, notes: Numbers) -> Numbers:
        """Return the places of the rows of some notes, which must be ascending; those without rows have none."""
        firsts, ends = (np.searchsorted(self.notes, notes, side=side) for side in ("left", "right"))
        at = firsts[ends > firsts]
        bounds = np.append(self.starts, len(self.rowids))
        lengths = bounds[at + 1] - bounds[at]
        # Each note's places follow each other: its start, repeated, and a count from 0 within it.
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places: Numbers = np.repeat(bounds[at], lengths) + within
        return places


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows that hold a word, a phrase or a beginning.

    Attributes:
        rows: places in `TableRows`, ascending, shape (n,).
        counts: how often it stands in each column of each of them, shape (columns, n).
    """

    rows: NDArray[np.int32]
    counts: NDArray[np.int32]

    def counts_at(self, rows: Numbers) -> NDArray[np.int32]:
        """Return how often it stands in each column of some rows, shape (columns, len(rows))."""
        if not len(self.rows) or not len(rows):
            return np.zeros((len(self.counts), len(rows)), np.int32)
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        found: NDArray[np.int32] = self.counts[:, at] * (self.rows[at] == rows)
        return found

    @property
    def size(self) -> int:
        """Bytes of both arrays, and about what keeping them costs: most lists are of a few rows or none."""
        return self.rows.nbytes + self.counts.nbytes + 800


class PostingLists:
    """The lists of one connection's snapshot. Belongs to one connection, so to one thread at a time."""

    def __init__(self, connection: apsw.Connection, tokenizer: Tokenizer, row_counts: RowCounts) -> None:
        self._connection = connection
        self._tokenizer = tokenizer
        self._row_counts = row_counts
        self._generation = -1
        self._tables: dict[str, TableRows] = {}
        self._kept: OrderedDict[tuple[str, tuple[str, ...], bool], Postings] = OrderedDict()
        self._kept_bytes = 0
        # In the connection's own memory: every place of every word, which is read a word at a time.
        connection.execute(f"CREATE VIRTUAL TABLE temp.place USING fts5vocab(main, {PASSAGES}, instance)")

    def use(self, generation: int) -> None:
        """Forget what was read, unless the snapshot is of the same generation."""
        if generation != self._generation:
            self._generation = generation
            self._tables.clear()
            self._kept.clear()
            self._kept_bytes = 0

    def table(self, name: str) -> TableRows:
        """Return the rows of a full-text table and their lengths."""
        if name not in self._tables:
            self._tables[name] = self._read_table(name)
        return self._tables[name]

    def of(self, table: str, words: Sequence[str], *, prefix: bool = False) -> Postings:
        """Return the rows that hold words which follow each other, the last one as a beginning where `prefix`."""
        key = (table, tuple(words), prefix)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._read(table, words, prefix)
            self._kept_bytes += found.size
            while self._kept_bytes > MOST_KEPT_BYTES and len(self._kept) > 1:
                _key, oldest = self._kept.popitem(last=False)
                self._kept_bytes -= oldest.size
        self._kept.move_to_end(key)
        return found

    def _read_table(self, name: str) -> TableRows:
        # FTS5 keeps the lengths as one number a column, each in seven bits a byte.
        ids, lengths = self._connection.execute(
            f"SELECT group_concat(id), group_concat(hex(sz), '') FROM {name}_docsize"
        ).get
        rowids = numbers_in(ids)
        words = _varints(bytes.fromhex(lengths or ""))
        if len(words) != len(rowids) * COLUMNS[name]:
            raise IndexDamaged("The index is damaged: it does not tell how long its rows are.")
        notes, starts = np.unique(rowids >> PASSAGE_BITS if name == PASSAGES else rowids, return_index=True)
        return TableRows(rowids, words.reshape(-1, COLUMNS[name]).sum(axis=1).astype(np.float64), notes, starts)

    def _read(self, table: str, words: Sequence[str], prefix: bool) -> Postings:
        # FTS5 cuts what it is asked for once more, and folds a few letters further.
        terms = [term for word in words for term in self._tokenizer.terms(word)]
        if len(terms) == 1:
            if table == PASSAGES:
                return self._of_passages(terms[0], prefix)
            return self._of_notes(terms[0], prefix)
        rows = self._row_counts.everywhere(table, expression_of(words, prefix=prefix)) if terms else []
        return self._counted(table, rows)

    def _of_passages(self, term: str, prefix: bool) -> Postings:
        if prefix:
            # U+10FFFF sorts after every character that a word may hold.
            read = self._connection.execute(f"{_PLACES} term >= ? AND term < ?", (term, term + "\U0010ffff"))
        else:
            read = self._connection.execute(f"{_PLACES} term = ?", (term,))
        places = numbers_in(read.get)
        if prefix:
            places.sort()
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        rows = self._places(PASSAGES, places[starts])
        counts = np.diff(starts, append=len(places))
        return Postings(rows.astype(np.int32), counts.astype(np.int32).reshape(1, -1))

    def _of_notes(self, term: str, prefix: bool) -> Postings:
        """Return a word's notes: a note's text is that of its passages, so only its title and names are read."""
        text = self.of(PASSAGES, (term,), prefix=prefix)
        owners = self.table(PASSAGES).rowids[text.rows] >> PASSAGE_BITS
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        in_text = self._places(NOTES, owners[starts])
        bodies = np.add.reduceat(text.counts[0], starts) if len(starts) else text.counts[0]
        expression = f"{{title names}} : {expression_of((term,), prefix=prefix)}"
        named = self._counted(NOTES, self._row_counts.everywhere(NOTES, expression))
        rows = np.union1d(in_text, named.rows)
        counts = named.counts_at(rows)
        counts[2, np.searchsorted(rows, in_text)] = bodies
        return Postings(rows.astype(np.int32), counts)

    def _counted(self, table: str, found: Sequence[Row]) -> Postings:
        rowids = np.fromiter((row.rowid for row in found), np.int64, len(found))
        counts = np.array([row.counts[0] for row in found], np.int32).reshape(-1, COLUMNS[table]).T
        return Postings(self._places(table, rowids).astype(np.int32), np.ascontiguousarray(counts))

    def _places(self, table: str, rowids: Numbers) -> Numbers:
        """Return where some rows, ascending, stand in their table."""
        known = self.table(table).rowids
        places = np.searchsorted(known, rowids)
        if len(rowids) and (places[-1] >= len(known) or not np.array_equal(known[places], rowids)):
            raise IndexDamaged("The index is damaged: a word stands in a row that is not there.")
        return places


def expression_of(words: Sequence[str], *, prefix: bool = False) -> str:
    """Return words that follow each other in FTS5's query language; in quotes nothing is an operator."""
    return " + ".join('"' + word.replace('"', '""') + '"' for word in words) + (" *" if prefix else "")


def numbers_in(text: str | None) -> Numbers:
    """Return the numbers of a text that SQLite joined by commas; none for NULL, which it gives for no rows."""
    return np.fromstring(text or "", np.int64, sep=",")


def _varints(data: bytes) -> Numbers:
    """Return the numbers of SQLite's variable-length format: seven bits a byte, the last byte's top bit clear."""
    values = np.frombuffer(data, np.uint8).astype(np.int64)
    ends = np.flatnonzero(values < 0x80)
    if not len(ends):
        return np.empty(0, np.int64)
    starts = np.append(0, ends[:-1] + 1)
    shifts = 7 * (np.repeat(ends, ends - starts + 1) - np.arange(len(values)))
    summed: Numbers = np.add.reduceat((values & 0x7F) << shifts, starts)
    return summed
