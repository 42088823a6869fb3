"""BM25 on posting lists: which notes are looked at is decided as FTS5 decides it, and held words are told right."""

import random

import numpy as np
import pytest

from core.index.postings import NOTES, PASSAGES
from core.search import bm25
from core.search.bm25 import WordTable, holding
from core.search.grouping import DEPTH
from core.search.parsing import parse_query
from core.search.terms import MOST_LETTERS, joined, terms_of
from tests.core.search.test_words import DAY

WEIGHTS = {NOTES: (4.0, 2.0, 1.0), PASSAGES: (1.0,)}
QUERIES = [
    "wolf",
    "wolf moon",
    "wolf the",
    "the a of",
    "wolf moon river stone the",
    "riv*",
    "wolves missing",
    '"the a"',
]


@pytest.fixture
def many(index_of, note):
    draw = random.Random(3)
    rare = ["wolf", "wolves", "moon", "river", "rivers", "stone", "winter"]

    def text(length: int) -> str:
        return " ".join(
            draw.choice(rare) if draw.random() < 0.06 else draw.choice(["the", "a", "of"]) for _ in range(length)
        )

    return index_of(
        *(
            note(f"{number:03}.md", [text(draw.randrange(1, 60)) for _ in range(draw.randrange(1, 5))], title=text(3))
            for number in range(300)
        )
    )


def first_by_fts5(reader, table: str, expression: str, visible) -> set[int]:
    """Return the notes of the best rows by FTS5's own rank, and those that tie with the last of them."""
    weights = ", ".join(map(str, WEIGHTS[table]))
    sql = f"SELECT rowid, -bm25({table}, {weights}) AS score FROM {table}(?) ORDER BY score DESC"
    best: dict[int, float] = {}
    for rowid, score in reader.connection.execute(sql, (expression,)):
        note = rowid if table == NOTES else rowid >> 16
        if visible is None or note in visible:
            best.setdefault(note, score)
    last = sorted(best.values(), reverse=True)[:DEPTH][-1] if best else 0.0
    return {note for note, score in best.items() if score >= last}


@pytest.mark.parametrize("visible", [None, set(range(1, 301, 3)), {7}, set()])
@pytest.mark.parametrize("table", [NOTES, PASSAGES])
@pytest.mark.parametrize("text", QUERIES)
def test_the_notes_that_are_weighed_are_those_that_fts5_puts_first(many, table: str, text: str, visible) -> None:
    terms = terms_of(many, parse_query(text, DAY))
    coverage = many.coverage()
    size = coverage.notes if table == NOTES else coverage.passages
    words = WordTable(many, table, terms, size, WEIGHTS[table])
    looked_for, found = words.best(many, visible)
    assert found == first_by_fts5(many, table, joined(looked_for, "OR"), visible)
    if table == NOTES and len(words.held) > 1:
        assert words.best_with_all(many, visible) == first_by_fts5(many, table, joined(words.held, "AND"), visible)


@pytest.mark.parametrize("text", [text for text in QUERIES if " " in text])
def test_counting_common_words_in_few_rows_finds_what_reading_all_of_them_finds(many, text, monkeypatch) -> None:
    words = WordTable(many, NOTES, terms_of(many, parse_query(text, DAY)), many.coverage().notes, WEIGHTS[NOTES])
    by_rows = words.best_with_all(many, None)
    monkeypatch.setattr(bm25, "FEW_ROWS", -1)
    assert words.best_with_all(many, None) == by_rows


def test_held_words_are_told_alike_whether_common_or_rare(many) -> None:
    terms = terms_of(many, parse_query("wolf the moon missing a", DAY))
    rows = np.arange(len(many.postings.table(NOTES).rowids))
    for term, holds in zip(terms, holding(many, NOTES, terms, rows), strict=True):
        found = {row.rowid for row in many.row_counts.everywhere(NOTES, term.expression)}
        assert set(many.postings.table(NOTES).rowids[holds].tolist()) == found


def test_no_more_than_a_few_beginnings_of_one_letter_are_looked_for(many) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    terms = terms_of(many, parse_query(" ".join(f"{letter}*" for letter in letters), DAY))
    assert [term.spellings[0].prefix for term in terms] == [True] * MOST_LETTERS + [False] * (26 - MOST_LETTERS)
    assert all(term.spellings[0].prefix for term in terms_of(many, parse_query("aa* bb* cc* dd* ee* ff*", DAY)))
