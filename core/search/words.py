"""The words leg: BM25 over notes and over passages. Depends on a read connection.

Words are ranked, not required: a note that holds more of the query's information comes first.
BM25: Robertson and Zaragoza, 2009, with FTS5's own k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import apsw

from core.index.row_counts import Row as CountedRow
from core.index.schema import note_of
from core.search.grouping import DEPTH, Row, Visible, best_rows, rank_notes, visible_rows
from core.search.results import Ranking
from core.search.terms import Term, count_notes

if TYPE_CHECKING:
    from core.index.reader import Reader

SMALLEST_IDF = 1e-6
"""What FTS5 gives a word that stands in more than half of the rows, where the formula would turn negative."""

K1, B = 1.2, 0.75

MOST_BM25 = K1 + 1
"""One word's BM25, however often it is repeated, stays below this times its idf."""

TITLE, NAMES, BODY = 4.0, 2.0, 1.0
"""Weights of title, of names (aliases, tags, path) and of body: 4 is the middle of a plateau from 2 to 8."""

_NOTE_ROWS = (
    f"SELECT rowid, -bm25(note_words, {TITLE}, {NAMES}, {BODY}) AS score FROM note_words "
    "WHERE note_words MATCH ? ORDER BY score DESC"
)
_PASSAGE_ROWS = (
    "SELECT rowid, -bm25(passage_words) AS score FROM passage_words WHERE passage_words MATCH ? ORDER BY score DESC"
)


@dataclass(frozen=True, slots=True)
class WordsValue:
    """What a note holds of what was asked for: see `rank_by_words`. `shown` is its passage with the best BM25.

    `whole` is bm25(note) / I_note, `passage` the best bm25(passage) / I_passage, `share` S, and `score` the leg's own
    value of the note.
    """

    score: float
    whole: float
    passage: float
    share: float
    shown: int | None = None

    @property
    def information(self) -> float:
        """F without the title's part: the mean of the note's and its best passage's share, from 0 to 2.2."""
        return (self.whole + self.passage) / 2


@dataclass(frozen=True, slots=True)
class WordsScale:
    """What the terms of a query are worth in one generation of an index: what `values_of` measures notes by. Pure."""

    notes: _Table
    passages: _Table
    telling: Sequence[Term]
    telling_passages: Sequence[Term]


@dataclass(frozen=True, slots=True)
class WordsRanking(Ranking):
    """The ranking of the words leg; `values` are those of all the notes it weighed, `scale` gives those of others."""

    values: Mapping[int, WordsValue] = field(repr=False, compare=False)
    scale: WordsScale = field(repr=False, compare=False)


def rank_by_words(reader: Reader, terms: Sequence[Term], visible: Visible = None) -> WordsRanking:
    """Return the first notes of the leg for the terms of `terms_of`, which must not be empty.

    Both tables are read in rank order until they have given `DEPTH` visible notes, and so are the notes that hold
    all the terms, since BM25 may put fifty short ones with one word before them. Every note found then gets its
    true value in both tables, and counts

        F + share_weight(terms held by the index) * S
        F = (bm25(note) / I_note + max(best bm25(passage) / I_passage, bm25(title) / I_note)) / 2

    where I is the sum of the idf of the query's terms in the table, and S the part of I_note that belongs to
    terms the note holds at all. A term counts as one word: its spellings' counts, each times its weight, add up
    before BM25 levels them off, and its idf is that of the rows with any of them. The title counts as one more
    passage: a note that is named for the query would else stand below one that mentions it (measured: nDCG@10 and
    hit@1 +0.005 in the mean of six sets). The passage that shows a note is its best by BM25, equal ones by place in
    the note; a note found by its title or names alone has none. Attachments have a name alone, and count by S.

    Raises:
        apsw.Error: SQLite could not answer; apsw.InterruptError among them when the search was called off.
    """
    # The order of the terms changes the last bits of a sum, so they always stand in the same one.
    in_order = sorted(terms, key=lambda term: [spelling.key for spelling in term.spellings])
    coverage = reader.coverage()
    in_notes = _Table(reader, "note_words", in_order, coverage.notes)
    in_passages = _Table(reader, "passage_words", in_order, coverage.passages)
    telling, found = in_notes.best(reader, _NOTE_ROWS, visible)
    telling_passages, found_passages = in_passages.best(reader, _PASSAGE_ROWS, visible)
    scale = WordsScale(in_notes, in_passages, telling, telling_passages)
    candidates = {row.note for row in (*found, *found_passages, *in_notes.best_with_all(reader, _NOTE_ROWS, visible))}
    values = _text_values(reader, scale, candidates) | _name_values(reader, scale, visible)
    rows = [Row(note, value.shown, value.score) for note, value in values.items()]
    paths = {row.id: row.path for row in reader.notes(sorted(values)).values()}
    return WordsRanking(rank_notes(rows, paths).notes, values, scale)


def values_of(reader: Reader, scale: WordsScale, notes: Set[int]) -> dict[int, WordsValue]:
    """Return the values of any notes, those that the leg did not find among them, to the bit as the leg reckons them.

    A note that holds none of the terms has zeros. Only for the generation of the index that the scale is of.

    Raises:
        apsw.Error: SQLite could not answer.
    """
    return _text_values(reader, scale, notes) | _name_values(reader, scale, notes)


def _text_values(reader: Reader, scale: WordsScale, notes: Set[int]) -> dict[int, WordsValue]:
    """Return for each of the notes what its text, title and names are worth."""
    in_notes, in_passages = scale.notes, scale.passages
    counted, average = reader.row_counts.in_notes("note_words", joined(scale.telling, "OR"), notes)
    rows = {row.rowid: row for row in counted}
    passages = in_passages.values(reader, scale.telling_passages, notes)
    weight = share_weight(len(in_notes.held))
    values = {}
    for note in sorted(notes):
        best = passages.get(note)
        whole = title = share = 0.0
        if note in rows:
            held = _held_in(rows[note], scale.telling, (TITLE, NAMES, BODY))
            whole = in_notes.bm25(held, rows[note].length, average) / in_notes.information
            in_title = _held_in(rows[note], scale.telling, (TITLE, 0.0, 0.0))
            title = in_notes.bm25(in_title, rows[note].length, average) / in_notes.information
            share = math.fsum(in_notes.idf(term) for term in held) / in_notes.information
        passage = best.score / in_passages.information if best else 0.0
        score = (whole + max(title, passage)) / 2 + weight * share
        values[note] = WordsValue(score, whole, passage, share, best.passage if best else None)
    return values


def share_weight(words: int) -> float:
    """Return the weight of the share for a query of so many words.

    BM25 alone puts a short note that repeats one word before a long one that holds all of them. This is the least
    weight that never does for words of equal idf: F of the one is below `MOST_BM25 / words`, and the shares differ
    by `(words - 1) / words`. Measured on six labelled sets, it leaves questions in sentences as good as they were
    (hit@1 +0.005, nDCG@10 -0.0015 in the mean), where a fixed weight of `MOST_BM25` loses 0.05.
    """
    return MOST_BM25 / max(1, words - 1)


def joined(terms: Iterable[Term], operator: str) -> str:
    """Return terms in FTS5's query language, joined by OR or AND; "" for none."""
    return f" {operator} ".join(term.expression for term in terms)


def terms_held(reader: Reader, terms: Sequence[Term], notes: Sequence[int]) -> dict[int, tuple[Term, ...]]:
    """Return for each of some notes the terms that it holds in title, names or body, in the order given."""
    if not terms or not notes:
        return {}
    rows, _average = reader.row_counts.in_notes("note_words", joined(terms, "OR"), notes)
    return {row.rowid: tuple(_held_in(row, terms, (1.0, 1.0, 1.0))) for row in rows}


class _Table:
    """One full-text table, and what the query's terms are worth in it: `held` are those that stand in it at all."""

    def __init__(self, reader: Reader, name: str, terms: Sequence[Term], size: int) -> None:
        self.name, self.size = name, size
        self.counts = {term: count_notes(reader, term.expression, name) for term in terms}
        self.held = [term for term in terms if self.counts[term]]
        self.information = math.fsum(self.idf(term) for term in terms)

    def idf(self, term: Term) -> float:
        """Return what a term tells in this table, as FTS5 reckons it; one that stands nowhere tells most."""
        count = self.counts[term]
        return max(SMALLEST_IDF, math.log((self.size - count + 0.5) / (count + 0.5)))

    def bm25(self, held: Mapping[Term, float], length: int, average: float) -> float:
        """Return the BM25 of a row that holds terms so often."""
        norm = K1 * (1 - B + B * length / average)
        return math.fsum(self.idf(term) * often * (K1 + 1) / (often + norm) for term, often in held.items())

    def best(self, reader: Reader, sql: str, visible: Visible) -> tuple[list[Term], list[Row]]:
        """Return the terms that were looked for, and the best row of the first notes in rank order.

        Terms in more than half of the rows tell next to nothing and cost most, so they are left out unless the
        others find too few notes.
        """
        telling = [term for term in self.held if 2 * self.counts[term] <= self.size]
        if telling and telling != self.held:
            found = self._read(reader, sql, joined(telling, "OR"), visible)
            if len(found) >= DEPTH:
                return telling, found
        return self.held, self._read(reader, sql, joined(self.held, "OR"), visible)

    def best_with_all(self, reader: Reader, sql: str, visible: Visible) -> list[Row]:
        """Return the best row of the first notes that hold every term the index holds."""
        return self._read(reader, sql, joined(self.held, "AND"), visible) if len(self.held) > 1 else []

    def values(self, reader: Reader, terms: Sequence[Term], notes: Iterable[int]) -> dict[int, Row]:
        """Return by note its passage with the best BM25, equal ones by place in the note."""
        best: dict[int, Row] = {}
        if terms:
            rows, average = reader.row_counts.in_passages(self.name, joined(terms, "OR"), notes)
            for row in rows:
                value = self.bm25(_held_in(row, terms, (1.0,)), row.length, average)
                known = best.get(note_of(row.rowid))
                if known is None or value > known.score:
                    best[note_of(row.rowid)] = Row(note_of(row.rowid), row.rowid, value)
        return best

    def _read(self, reader: Reader, sql: str, expression: str, visible: Visible) -> list[Row]:
        if not expression:
            return []
        with closing(reader.connection.cursor()) as cursor:
            return best_rows(self._rows_of(cursor.execute(sql, (expression,))), visible)

    def _rows_of(self, answers: apsw.Cursor) -> Iterator[Row]:
        return (self._row(*answer) for answer in answers)

    def _row(self, rowid: int, score: float) -> Row:
        if self.name == "note_words":
            return Row(rowid, None, score)
        return Row(note_of(rowid), rowid, score)


def _held_in(row: CountedRow, terms: Sequence[Term], weights: Sequence[float]) -> dict[Term, float]:
    """Return how often a row holds each of the terms that it holds: columns and spellings weighted and added up."""
    held: dict[Term, float] = {}
    phrase = 0
    for term in terms:
        often = 0.0
        for spelling in term.spellings:
            counts = row.counts[phrase]
            phrase += 1
            often += spelling.weight * math.fsum(
                weight * count for weight, count in zip(weights, counts, strict=True) if count
            )
        if often:
            held[term] = often
    return held


def _name_values(reader: Reader, scale: WordsScale, visible: Visible) -> dict[int, WordsValue]:
    """Return what the attachments that hold any of the terms are worth. They have names alone, which count by S."""
    table, weight = scale.notes, share_weight(len(scale.notes.held))
    shares: dict[int, list[float]] = {}
    for term in table.counts:
        sql = "SELECT rowid FROM attachment_words WHERE attachment_words MATCH ?"
        found = (Row(rowid, None, 0.0) for (rowid,) in reader.connection.execute(sql, (term.expression,)))
        for row in visible_rows(found, visible):
            shares.setdefault(row.note, []).append(table.idf(term) / table.information)
    held = {note: math.fsum(parts) for note, parts in sorted(shares.items())}
    return {note: WordsValue((weight + 0.5) * share, share, 0.0, share) for note, share in held.items()}
