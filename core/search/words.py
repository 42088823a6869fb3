"""The words leg: FTS5's BM25 over notes and over passages. Depends on a read connection.

Words are ranked, not required: a note that holds more of the query's information comes first.
BM25: Robertson and Zaragoza, 2009, with FTS5's own k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw

from core.index.schema import PASSAGE_BITS, note_of
from core.search.grouping import DEPTH, Row, Visible, best_rows, rank_notes
from core.search.query import Query
from core.search.results import Ranking

if TYPE_CHECKING:
    from core.index.reader import Reader

PREFIX = "*"
"""Ends a word that stands for all words that begin with it. The tokenizer never leaves one inside a word."""

SHORTEST_PREFIX = 2
"""Characters; one ASCII letter begins a tenth of all words and says nothing yet."""

MOST_EXPANSIONS = 2_000
"""Words of the index a prefix may stand for; beyond that it is looked for as it stands.
As many took ten times as long as a plain word."""

SMALLEST_IDF = 1e-6
"""What FTS5 gives a word that stands in more than half of the rows, where the formula would turn negative."""

MOST_BM25 = 2.2
"""k1 + 1: one word's BM25, however often it is repeated, stays below this times its idf."""

_NOTE_SCORE = "-bm25(note_words, 4.0, 2.0, 1.0)"
"""Weights of title, of names (aliases, tags, path) and of body: 4 is the middle of a plateau from 2 to 8.
FTS5 gives better rows lower numbers; here higher is better."""

_TITLE_SCORE = "-bm25(note_words, 4.0, 0.0, 0.0)"

_NOTE_ROWS = f"SELECT rowid, {_NOTE_SCORE} AS score FROM note_words WHERE note_words MATCH ? ORDER BY score DESC"
_PASSAGE_ROWS = (
    "SELECT rowid, -bm25(passage_words) AS score FROM passage_words WHERE passage_words MATCH ? ORDER BY score DESC"
)
# The plus sign and the shift keep SQLite from looking each row up in turn, which takes forty times as long.
_NOTE_VALUES = (
    f"SELECT rowid, {_NOTE_SCORE}, {_TITLE_SCORE} FROM note_words WHERE note_words MATCH ? "
    "AND +rowid IN (SELECT value FROM json_each(?))"
)
_PASSAGE_VALUES = (
    "SELECT rowid, -bm25(passage_words) FROM passage_words WHERE passage_words MATCH ? "
    f"AND (rowid >> {PASSAGE_BITS}) IN (SELECT value FROM json_each(?))"
)
_NOTES_HOLDING = "SELECT rowid FROM note_words WHERE note_words MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
_EXPANSIONS = "SELECT count(*) FROM (SELECT 1 FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?)"


def words_of(reader: Reader, query: Query) -> tuple[str, ...]:
    """Return the distinct words to look for, folded, in the order of the query.

    People search while they type: a last word that the index does not hold is looked for as the beginning of one,
    and given back with a `*` at its end, if it has at least two characters (or one outside ASCII) and no more than
    `MOST_EXPANSIONS` words begin with it.
    """
    found = [word.folded for word in reader.tokenizer.words(query.text)]
    words = tuple(dict.fromkeys(found))
    if not found or found.count(found[-1]) > 1 or not _is_prefix(reader, found[-1]):
        return words
    return (*words[:-1], words[-1] + PREFIX)


def rank_by_words(reader: Reader, words: Iterable[str], visible: Visible = None) -> Ranking:
    """Return the first notes of the leg for the words of `words_of`, which must not be empty.

    Both tables are read in rank order until they have given `DEPTH` visible notes, and so are the notes that hold
    all the words, since BM25 may put fifty short ones with one word before them. Every note found then gets its
    true value in both tables, and counts

        F + share_weight(words held by the index) * S
        F = (bm25(note) / I_note + max(best bm25(passage) / I_passage, bm25(title) / I_note)) / 2

    where I is the sum of the idf of the query's words in the table, and S the part of I_note that belongs to
    words the note holds at all. The title counts as one more passage: a note that is named for the query would
    else stand below one that mentions it (measured: nDCG@10 and hit@1 +0.005 in the mean of six sets).
    The passage that shows a note is its best by BM25, equal ones by place in the note; a note found by its title
    or names alone has none.

    Raises:
        apsw.Error: SQLite could not answer; apsw.InterruptError among them when the search was called off.
    """
    # The order of the words changes the last bits of BM25, so they always stand in the same one.
    in_order = sorted(set(words))
    coverage = reader.coverage()
    in_notes = _Table(reader.connection, "note_words", in_order, coverage.notes)
    in_passages = _Table(reader.connection, "passage_words", in_order, coverage.passages)
    telling, found = in_notes.best(_NOTE_ROWS, visible)
    telling_passages, found_passages = in_passages.best(_PASSAGE_ROWS, visible)
    candidates = {row.note for row in (*found, *found_passages, *in_notes.best_with_all(_NOTE_ROWS, visible))}
    note_values = {note: values for note, *values in in_notes.values(_NOTE_VALUES, telling, candidates)}
    passage_values = in_passages.values(_PASSAGE_VALUES, telling_passages, candidates)
    best_passage = _best_passages(Row(note_of(rowid), rowid, value) for rowid, value in passage_values)
    holding = {word: notes_holding(reader, word, candidates) for word in telling}
    weight = share_weight(len(in_notes.held))
    rows = []
    for note in candidates:
        passage = best_passage.get(note)
        whole, title = (value / in_notes.information for value in note_values.get(note, (0.0, 0.0)))
        part = max(title, passage.score / in_passages.information if passage else 0.0)
        share = math.fsum(in_notes.idf(word) for word in holding if note in holding[word]) / in_notes.information
        rows.append(Row(note, passage.passage if passage else None, (whole + part) / 2 + weight * share))
    paths = {row.id: row.path for row in reader.notes(sorted(candidates)).values()}
    return rank_notes(rows, paths)


def share_weight(words: int) -> float:
    """Return the weight of the share for a query of so many words.

    BM25 alone puts a short note that repeats one word before a long one that holds all of them. This is the least
    weight that never does for words of equal idf: F of the one is below `MOST_BM25 / words`, and the shares differ
    by `(words - 1) / words`. Measured on six labelled sets, it leaves questions in sentences as good as they were
    (hit@1 +0.005, nDCG@10 -0.0015 in the mean), where a fixed weight of `MOST_BM25` loses 0.05.
    """
    return MOST_BM25 / max(1, words - 1)


def notes_holding(reader: Reader, word: str, notes: Iterable[int]) -> frozenset[int]:
    """Return those of `notes` that hold a word of `words_of` in title, names or body."""
    rows = reader.connection.execute(_NOTES_HOLDING, (_phrase(word), json.dumps(sorted(notes))))
    return frozenset(row[0] for row in rows)


class _Table:
    """One full-text table, and what the query's words are worth in it: `held` are those that stand in it at all."""

    def __init__(self, connection: apsw.Connection, name: str, words: Sequence[str], size: int) -> None:
        self.connection, self.name, self.size = connection, name, size
        self.counts = {word: self._count(word) for word in words}
        self.held = [word for word in words if self.counts[word]]
        self.information = math.fsum(self.idf(word) for word in words)

    def idf(self, word: str) -> float:
        """Return what a word tells in this table, as FTS5 reckons it; a word that stands nowhere tells most."""
        count = self.counts[word]
        return max(SMALLEST_IDF, math.log((self.size - count + 0.5) / (count + 0.5)))

    def best(self, sql: str, visible: Visible) -> tuple[list[str], list[Row]]:
        """Return the words that were looked for, and the best row of the first notes in rank order.

        Words in more than half of the rows tell next to nothing and cost most, so they are left out unless the
        others find too few notes.
        """
        telling = [word for word in self.held if 2 * self.counts[word] <= self.size]
        if telling and telling != self.held:
            found = self._read(sql, _joined(telling, "OR"), visible)
            if len(found) >= DEPTH:
                return telling, found
        return self.held, self._read(sql, _joined(self.held, "OR"), visible)

    def best_with_all(self, sql: str, visible: Visible) -> list[Row]:
        """Return the best row of the first notes that hold every word the index holds."""
        return self._read(sql, _joined(self.held, "AND"), visible) if len(self.held) > 1 else []

    def values(self, sql: str, words: Sequence[str], notes: Iterable[int]) -> Iterable[Any]:
        """Return rowid and value or values of every row of these notes that holds one of the words, in no order."""
        return self.connection.execute(sql, (_joined(words, "OR"), json.dumps(sorted(notes)))) if words else ()

    def _read(self, sql: str, expression: str, visible: Visible) -> list[Row]:
        if not expression:
            return []
        with closing(self.connection.cursor()) as cursor:
            return best_rows(self._rows_of(cursor.execute(sql, (expression,))), visible)

    def _rows_of(self, answers: apsw.Cursor) -> Iterator[Row]:
        return (self._row(*answer) for answer in answers)

    def _row(self, rowid: int, score: float) -> Row:
        if self.name == "note_words":
            return Row(rowid, None, score)
        return Row(note_of(rowid), rowid, score)

    def _count(self, word: str) -> int:
        sql = f"SELECT count(*) FROM {self.name} WHERE {self.name} MATCH ?"
        return int(self.connection.execute(sql, (_phrase(word),)).get)


def _best_passages(rows: Iterable[Row]) -> dict[int, Row]:
    best: dict[int, Row] = {}
    # Best first, and of equal ones the first in the note.
    for row in sorted(rows, key=lambda row: (-row.score, row.passage)):
        best.setdefault(row.note, row)
    return best


def _is_prefix(reader: Reader, word: str) -> bool:
    if len(word) < SHORTEST_PREFIX and word.isascii():
        return False
    held = reader.connection.execute("SELECT 1 FROM vocabulary WHERE term = ?", (word,)).get
    if held:
        return False
    # U+10FFFF sorts after every character that a word may hold.
    expansions = reader.connection.execute(_EXPANSIONS, (word, word + "\U0010ffff", MOST_EXPANSIONS + 1)).get
    return 0 < int(expansions) <= MOST_EXPANSIONS


def _phrase(word: str) -> str:
    """Return a word as FTS5's query language wants it; in quotes nothing is an operator."""
    if word.endswith(PREFIX):
        return f"{_quoted(word.removesuffix(PREFIX))} *"
    return _quoted(word)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _joined(words: Sequence[str], operator: str) -> str:
    return f" {operator} ".join(_phrase(word) for word in words)
