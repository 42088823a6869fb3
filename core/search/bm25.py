"""BM25 of one full-text table's rows for the terms of a query, reckoned on posting lists. Depends on an index reader.

Robertson and Zaragoza, 2009, with the constants of FTS5's own `bm25()`. Which rows are looked at closer is decided by
what that function gives, to the bit: each spelling as a word of its own. What a row is worth then counts a term as one
word, whatever its spellings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.index.postings import COLUMNS, Numbers, Postings, TableRows
from core.search.grouping import DEPTH, Row, Visible, nth_highest
from core.search.terms import Spelling, Term, count_rows, joined

if TYPE_CHECKING:
    from core.index.reader import Reader

SMALLEST_IDF = 1e-6
"""What FTS5 gives a word that stands in more than half of the rows, where the formula would turn negative."""

K1, B = 1.2, 0.75

FEW_ROWS = 500
"""Rows in which even the commonest words are counted one by one; reading all places of those words costs more."""

Scores = NDArray[np.float64]


class WordTable:
    """One full-text table, and what the query's terms are worth in it: `held` are those that stand in it at all.

    Pure once it is made, and true for the generation of the index that it was made of.
    """

    def __init__(self, reader: Reader, name: str, terms: Sequence[Term], size: int, weights: Sequence[float]) -> None:
        self.name, self.size, self.weights = name, size, np.array(weights)
        self.counts = {term: count_rows(reader, term, name) for term in terms}
        self.held = [term for term in terms if self.counts[term]]
        self.information = math.fsum(self.idf(term) for term in terms)

    def idf(self, term: Term) -> float:
        """Return what a term tells in this table, as FTS5 reckons it; one that stands nowhere tells most."""
        return max(SMALLEST_IDF, _idf(self.size, self.counts[term]))

    def tells(self, term: Term) -> bool:
        """Return whether a term stands in no more than half of the rows: what is commoner tells next to nothing."""
        return 2 * self.counts[term] <= self.size

    def best(self, reader: Reader, visible: Visible) -> tuple[list[Term], set[int]]:
        """Return the terms that were looked for, and the first `DEPTH` notes by FTS5's BM25 of their best rows.

        Terms in more than half of the rows tell next to nothing and cost most, so they are left out unless the
        others find too few notes.
        """
        telling = [term for term in self.held if self.tells(term)]
        if telling and telling != self.held:
            found = self._first(reader, self._scores(reader, telling), visible)
            if len(found) >= DEPTH:
                return telling, found
        return self.held, self._first(reader, self._scores(reader, self.held), visible)

    def best_with_all(self, reader: Reader, visible: Visible) -> set[int]:
        """Return the first `DEPTH` notes by FTS5's BM25 of those rows that hold every term the index holds."""
        if len(self.held) < 2:
            return set()
        table = reader.postings.table(self.name)
        # The rarest first: what is left after them is short.
        telling = sorted((term for term in self.held if self.tells(term)), key=lambda term: self.counts[term])
        rows = _rows_of(reader, self.name, telling[0]) if telling else np.arange(len(table.rowids))
        for term in telling[1:]:
            rows = rows[_any_at(reader, self.name, term, rows)]
        common = [term for term in self.held if not self.tells(term)]
        spellings = [spelling for term in self.held for spelling in term.spellings]
        counted: dict[Spelling, NDArray[np.int32]] = {}
        if common and len(rows) <= FEW_ROWS:
            counted, left = _counted(reader, self.name, joined(common, "AND"), common, rows)
            rows = rows[left]
        else:
            for term in common:
                rows = rows[_any_at(reader, self.name, term, rows)]
        scores = np.zeros(len(table.rowids))
        norms = self._norms(reader)[rows]
        for spelling in spellings:
            if spelling in counted:
                counts, held_by = counted[spelling], count_rows(reader, spelling, self.name)
            else:
                found = _postings(reader, self.name, spelling)
                counts, held_by = found.counts_at(rows), len(found.rows)
            scores[rows] += self._fts5_bm25(_fts5_idf(len(scores), held_by), counts, norms)
        return self._first(reader, scores, visible)

    def often(self, reader: Reader, terms: Sequence[Term], rows: Numbers, weights: Sequence[float]) -> Scores:
        """Return how often rows hold terms, columns and spellings weighted and added up, shape (terms, rows)."""
        often = np.zeros((len(terms), len(rows)))
        for place, term in enumerate(terms):
            for spelling in term.spellings:
                counts = _postings(reader, self.name, spelling).counts_at(rows)
                often[place] += spelling.weight * np.einsum("c,cr->r", np.array(weights), counts)
        return often

    def bm25(self, reader: Reader, terms: Sequence[Term], often: Scores, rows: Numbers) -> Scores:
        """Return what each term adds to each row's BM25, shape (terms, rows). Their sums are the caller's."""
        idf = np.array([[self.idf(term)] for term in terms]).reshape(-1, 1)
        parts: Scores = idf * often * (K1 + 1) / (often + self._norms(reader)[rows])
        return parts

    def best_rows_of(self, reader: Reader, terms: Sequence[Term], notes: Numbers) -> dict[int, Row]:
        """Return by note its row with the best BM25, equal ones by place in the note; none where it holds no term."""
        table = reader.postings.table(self.name)
        rows = table.of_notes(notes)
        often = self.often(reader, terms, rows, self.weights.tolist())
        held = np.flatnonzero(often.any(axis=0))
        rows, often = rows[held], often[:, held]
        if not len(rows):
            return {}
        parts = self.bm25(reader, terms, often, rows)
        # Sums rounded once decide, but only among rows that are as good as the best but for rounding.
        rough = parts.sum(axis=0)
        owner = np.searchsorted(table.starts, rows, side="right") - 1
        firsts = np.flatnonzero(np.diff(owner, prepend=-1))
        highest = np.repeat(np.maximum.reduceat(rough, firsts), np.diff(firsts, append=len(rows)))
        best: dict[int, Row] = {}
        for place in np.flatnonzero(rough >= highest * (1 - 1e-9)).tolist():
            note, rowid = int(table.notes[owner[place]]), int(table.rowids[rows[place]])
            value = math.fsum(parts[:, place].tolist())
            known = best.get(note)
            if known is None or value > known.score:
                best[note] = Row(note, rowid, value)
        return best

    def _scores(self, reader: Reader, terms: Sequence[Term]) -> Scores:
        """Return every row's BM25 as FTS5 reckons it, 0 for rows that hold none of the terms."""
        scores = np.zeros(len(reader.postings.table(self.name).rowids))
        norms = self._norms(reader)
        for term in terms:
            for spelling in term.spellings:
                found = _postings(reader, self.name, spelling)
                idf = _fts5_idf(len(norms), len(found.rows))
                scores[found.rows] += self._fts5_bm25(idf, found.counts, norms[found.rows])
        return scores

    def _fts5_bm25(self, idf: float, counts: NDArray[np.int32], norms: Scores) -> Scores:
        often = np.einsum("c,cr->r", self.weights, counts)
        scores: Scores = idf * ((often * (K1 + 1)) / (often + norms))
        return scores

    def _norms(self, reader: Reader) -> Scores:
        """Return for each row what its length sets against how often a word stands in it."""
        table = reader.postings.table(self.name)
        found: Scores = reader.kept(("norms", self.name), lambda: _norms_of(table))
        return found

    def _first(self, reader: Reader, scores: Scores, visible: Visible) -> set[int]:
        """Return the first visible notes by the best of their rows, and all that tie with the last of them."""
        table = reader.postings.table(self.name)
        if not len(scores):
            return set()
        best = np.maximum.reduceat(scores, table.starts)
        notes = table.notes[best > 0]
        best = best[best > 0]
        if visible is not None:
            seen = np.isin(notes, np.fromiter(visible, np.int64, len(visible)))
            notes, best = notes[seen], best[seen]
        if len(notes) > DEPTH:
            notes = notes[best >= nth_highest(best, DEPTH)]
        return set(notes.tolist())


def holding(reader: Reader, table: str, terms: Sequence[Term], rows: Numbers) -> list[NDArray[np.bool_]]:
    """Return for each term which of some rows hold it in any of its spellings, in the order of the rows."""
    size = len(reader.postings.table(table).rowids)
    common = [term for term in terms if 2 * count_rows(reader, term, table) > size]
    counted, left = _counted(reader, table, joined(common, "OR"), common, rows) if common else ({}, rows[:0])
    found = []
    for term in terms:
        held = np.zeros(len(rows), np.bool_)
        if term in common:
            held[left] = np.any([counted[spelling].any(axis=0) for spelling in term.spellings], axis=0)
        else:
            held = _any_at(reader, table, term, rows)
        found.append(held)
    return found


def _counted(
    reader: Reader, table: str, expression: str, terms: Sequence[Term], rows: Numbers
) -> tuple[dict[Spelling, NDArray[np.int32]], Numbers]:
    """Count the terms of an expression in those of some rows that it finds, one by one.

    Returns the counts of each spelling, shape (columns, found), and the places among `rows` of those that were found.
    """
    rowids = reader.postings.table(table).rowids[rows]
    found = reader.row_counts.in_rows(table, expression, rowids.tolist())
    left = np.searchsorted(rowids, np.array([row.rowid for row in found], np.int64))
    spellings = [spelling for term in terms for spelling in term.spellings]
    counts = np.array([row.counts for row in found], np.int32).reshape(-1, len(spellings), COLUMNS[table])
    return {spelling: counts[:, place].T for place, spelling in enumerate(spellings)}, left


def _idf(size: int, count: int) -> float:
    return math.log((size - count + 0.5) / (count + 0.5))


def _fts5_idf(size: int, count: int) -> float:
    idf = _idf(size, count)
    return idf if idf > 0 else SMALLEST_IDF


def _norms_of(table: TableRows) -> Scores:
    norms: Scores = K1 * (1 - B + B * table.lengths / table.average)
    return norms


def _postings(reader: Reader, table: str, spelling: Spelling) -> Postings:
    return reader.postings.of(table, spelling.tokens, prefix=spelling.prefix)


def _rows_of(reader: Reader, table: str, term: Term) -> Numbers:
    rows = [_postings(reader, table, spelling).rows for spelling in term.spellings]
    return np.unique(np.concatenate(rows)).astype(np.int64)


def _any_at(reader: Reader, table: str, term: Term, rows: Numbers) -> NDArray[np.bool_]:
    """Return for each of some rows whether it holds a term in any of its spellings."""
    held = np.zeros(len(rows), np.bool_)
    for spelling in term.spellings:
        held |= _postings(reader, table, spelling).counts_at(rows).any(axis=0)
    return held
