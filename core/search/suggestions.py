"""Other spellings for words that stand in no note, from the folder's own words. Depends on an index reader.

A suggestion changes nothing by itself: the query is answered as it was typed, and a person may take it or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.index.tokens import is_unspaced
from core.search.query import Query, Word
from core.search.terms import Spelling, Term, count_rows, terms_of, vocabulary

if TYPE_CHECKING:
    from core.index.reader import Reader

SHORTEST = 4
"""Characters of a word that is worth another spelling: of three, most words are one change away."""

ONE_CHANGE_UP_TO = 7
"""Characters up to which one change is allowed, and above it two: the limits that Lucene's and others' `AUTO` use."""

MOST = 3
"""Suggestions for one word."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`word` was typed and stands in no note; `instead` does. `query` is the whole text with the one for the other."""

    word: str
    instead: str
    query: str


def suggestions_for(reader: Reader, query: Query, *, forms: bool = True) -> tuple[Suggestion, ...]:
    """Return other spellings of the query's words that stand in no note, in the order of the words, best first.

    Nearest by the changes that turn one into the other (letters put in, taken out, changed, or two neighbours swapped);
    of equals the one in more notes, then by alphabet. Words that are found as parts or forms of others need none.
    """
    term_by_key = {term.spellings[0].key: term for term in terms_of(reader, query, forms=forms)}
    found = []
    for clause in query.clauses:
        if clause.negated or not isinstance(clause.part, Word) or clause.part.prefix:
            continue
        tokens = [found.folded for found in reader.tokenizer.words(clause.part.text)]
        token = tokens[0] if len(tokens) == 1 else ""
        term = term_by_key.get(token)
        if term is None or not _is_plain(token) or _stands_somewhere(reader, term):
            continue
        found += [
            Suggestion(clause.part.text, near, query.text[: clause.start] + near + query.text[clause.end :])
            for near in _near(reader, token)
        ]
    return tuple(found)


def _is_plain(token: str) -> bool:
    return len(token) >= SHORTEST and token.isalpha() and not is_unspaced(token)


def _stands_somewhere(reader: Reader, term: Term) -> bool:
    return any(count_rows(reader, term, table) for table in ("note_words", "attachment_words"))


def _near(reader: Reader, token: str) -> tuple[str, ...]:
    return reader.kept(("near", token), lambda: _nearest(reader, token))


def _nearest(reader: Reader, token: str) -> tuple[str, ...]:
    words = reader.kept("plain words", lambda: [word for word in vocabulary(reader).split("\n") if _is_plain(word)])
    most = 1 if len(token) <= ONE_CHANGE_UP_TO else 2
    near = process.extract(token, words, scorer=OSA.distance, score_cutoff=most, limit=None)
    counted = [(distance, -count_rows(reader, Spelling((word,))), word) for word, distance, _place in near]
    return tuple(word for _distance, _count, word in sorted(counted)[:MOST])
