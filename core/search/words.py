"""The words leg: BM25 over notes and over passages. Depends on a read connection.

Words are ranked, not required: a note that holds more of the query's information comes first.
BM25: Robertson and Zaragoza, 2009, with FTS5's own k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.index.postings import NOTES, PASSAGES
from core.search.bm25 import K1, WordTable, holding
from core.search.grouping import Row, Visible, rank_notes, visible_rows
from core.search.results import Ranking
from core.search.terms import Term

if TYPE_CHECKING:
    from core.index.reader import Reader

MOST_BM25 = K1 + 1
"""One word's BM25, however often it is repeated, stays below this times its idf."""

TITLE, NAMES, BODY = 4.0, 2.0, 1.0
"""Weights of title, of names (aliases, tags, path) and of body: 4 is the middle of a plateau from 2 to 8."""


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

    notes: WordTable
    passages: WordTable
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
    in_notes = WordTable(reader, NOTES, in_order, coverage.notes, (TITLE, NAMES, BODY))
    in_passages = WordTable(reader, PASSAGES, in_order, coverage.passages, (BODY,))
    telling, found = in_notes.best(reader, visible)
    telling_passages, found_passages = in_passages.best(reader, visible)
    scale = WordsScale(in_notes, in_passages, telling, telling_passages)
    candidates = found | found_passages | in_notes.best_with_all(reader, visible)
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
    in_notes, in_passages, telling = scale.notes, scale.passages, scale.telling
    ids = np.array(sorted(notes), np.int64)
    table = reader.postings.table(NOTES)
    rows = table.of_notes(ids)
    often = in_notes.often(reader, telling, rows, (TITLE, NAMES, BODY))
    in_title = in_notes.often(reader, telling, rows, (TITLE, 0.0, 0.0))
    idf = np.array([in_notes.idf(term) for term in telling]).reshape(-1, 1)
    parts = (
        in_notes.bm25(reader, telling, often, rows),
        in_notes.bm25(reader, telling, in_title, rows),
        idf * (often > 0),
    )
    sums = [[math.fsum(column) / in_notes.information for column in part.T.tolist()] for part in parts]
    in_text = dict(zip(table.rowids[rows].tolist(), zip(*sums, strict=True), strict=True))
    best = in_passages.best_rows_of(reader, scale.telling_passages, ids)
    weight = share_weight(len(in_notes.held))
    values = {}
    for note in ids.tolist():
        whole, title, share = in_text.get(note, (0.0, 0.0, 0.0))
        row = best.get(note)
        passage = row.score / in_passages.information if row else 0.0
        score = (whole + max(title, passage)) / 2 + weight * share
        values[note] = WordsValue(score, whole, passage, share, row.passage if row else None)
    return values


def share_weight(words: int) -> float:
    """Return the weight of the share for a query of so many words.

    BM25 alone puts a short note that repeats one word before a long one that holds all of them. This is the least
    weight that never does for words of equal idf: F of the one is below `MOST_BM25 / words`, and the shares differ
    by `(words - 1) / words`. Measured on six labelled sets, it leaves questions in sentences as good as they were
    (hit@1 +0.005, nDCG@10 -0.0015 in the mean), where a fixed weight of `MOST_BM25` loses 0.05.
    """
    return MOST_BM25 / max(1, words - 1)


def terms_held(reader: Reader, terms: Sequence[Term], notes: Sequence[int]) -> dict[int, tuple[Term, ...]]:
    """Return for each of some notes the terms that it holds in title, names or body, in the order given."""
    if not terms or not notes:
        return {}
    ids = np.array(sorted(notes), np.int64)
    table = reader.postings.table(NOTES)
    rows = table.of_notes(ids)
    at = table.rowids[rows].tolist()
    held: dict[int, list[Term]] = {note: [] for note in at}
    for term, holds in zip(terms, holding(reader, NOTES, terms, rows), strict=True):
        for note, holds_it in zip(at, holds.tolist(), strict=True):
            if holds_it:
                held[note].append(term)
    return {note: tuple(found) for note, found in held.items()}


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
