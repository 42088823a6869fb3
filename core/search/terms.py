"""From a parsed query to the terms that the words leg looks for. Depends on an index reader.

A term is one thing that was asked for, in all the spellings that count as it: as typed, as the beginning of a longer
word, in another form of the word, inside a longer word. A word that is cut into several (`worker_pid`, `2031.4.7`)
gives the whole as a phrase and its parts, so a note with the whole comes before one with the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.index.postings import COLUMNS, NOTES, expression_of
from core.index.tokens import is_unspaced, shown_token, units
from core.notes.folding import fold
from core.search.query import AnyOf, Phrase, Query, Word
from core.search.stems import other_forms

if TYPE_CHECKING:
    from core.index.reader import Reader

PREFIX = "*"
"""Ends the key of a spelling that stands for all words that begin with it. No word of the index holds one."""

SHORTEST_PREFIX = 2
"""Characters; one ASCII letter begins a tenth of all words and says nothing yet."""

MOST_LETTERS = 4
"""Beginnings of one ASCII letter that a query may hold; further ones are words. Each stands for a twentieth of all
words: 26 of them took 2.7 s on 6,600 notes, four take as long as a long question."""

MOST_EXPANSIONS = 2_000
"""Words of the index a prefix may stand for; beyond that it is looked for as it stands.
As many took ten times as long as a plain word."""

LONGEST_WHOLE = 8
"""Words that a typed word may be cut into and still be looked for as a whole: paths and addresses, not sentences."""

LONGEST_UNSPACED = 3
"""Pairs of characters (so four characters) that are looked for as a whole: a word, not a sentence."""

SHORTEST_INSIDE = 4
"""Characters of a word that is looked for inside others. Shorter ones stand in too many to say anything."""

MOST_INSIDE = 40
"""Words of the index that hold a word inside them, the shortest first."""

MOST_EXPANDED = 40
"""Parts of a query of which other forms and words around them are looked for; a pasted page is taken as it is."""

FORM_WEIGHT = 0.6
INSIDE_WEIGHT = 0.5
"""How much another form, and a longer word around it, count for a word, so that exact ones come first."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Words of the index that follow each other; the last may be a beginning. `weight` is what one place counts."""

    tokens: tuple[str, ...]
    prefix: bool = False
    weight: float = 1.0

    @property
    def key(self) -> str:
        """Return the spelling as one string, by which marks find it: tokens joined by spaces, `*` for a beginning."""
        return " ".join(self.tokens) + (PREFIX if self.prefix else "")

    @property
    def expression(self) -> str:
        """Return the spelling in FTS5's query language."""
        return expression_of(self.tokens, prefix=self.prefix)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that was asked for; the first spelling is the one that was typed. `shown` is for people, folded."""

    shown: str
    spellings: tuple[Spelling, ...]

    @property
    def expression(self) -> str:
        """Return the term in FTS5's query language."""
        joined = " OR ".join(spelling.expression for spelling in self.spellings)
        return f"({joined})" if len(self.spellings) > 1 else joined


def terms_of(reader: Reader, query: Query, *, forms: bool = True) -> tuple[Term, ...]:
    """Return the distinct terms to look for, in the order of the query; without `forms`, words as typed alone.

    People search while they type: a last word that the index does not hold is looked for as the beginning of one.
    A word that it does not hold otherwise is looked for inside longer ones.
    """
    return reader.kept(("terms", query, forms), lambda: _Terms(reader, forms).of(query))


def joined(terms: Iterable[Term], operator: str) -> str:
    """Return terms in FTS5's query language, joined by OR or AND; "" for none."""
    return f" {operator} ".join(term.expression for term in terms)


def count_rows(reader: Reader, asked: Term | Spelling, table: str = NOTES) -> int:
    """Return how many rows of a full-text table hold a term or a spelling."""
    return reader.kept(("count", table, asked.expression), lambda: _count(reader, asked, table))


def _count(reader: Reader, asked: Term | Spelling, table: str) -> int:
    spellings = asked.spellings if isinstance(asked, Term) else (asked,)
    if _will_be_read(reader, asked, spellings, table):
        lists = [reader.postings.of(table, each.tokens, prefix=each.prefix).rows for each in spellings]
        return len(lists[0]) if len(lists) == 1 else len(np.unique(np.concatenate(lists)))
    sql = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
    return int(reader.connection.execute(sql, (asked.expression,)).get)


def _will_be_read(reader: Reader, asked: Term | Spelling, spellings: Sequence[Spelling], table: str) -> bool:
    """Return whether all places are worth reading only to count rows, since ranking looks at them as well.

    FTS5 gathers the words behind a beginning anew each time it is asked, and what stands in no more than half of the
    notes is looked at in every passage. Words that are commoner are counted by FTS5 alone, and mostly left at that.
    """
    if table not in COLUMNS:
        return False
    if any(spelling.prefix for spelling in spellings):
        return True
    return table != NOTES and 2 * count_rows(reader, asked) <= reader.coverage().notes


def exact_spellings(reader: Reader, text: str, *, prefix: bool = False) -> list[Spelling]:
    """Return the spellings that a note must hold all of to hold a text as it is typed; none for mere symbols."""
    tokens = tuple(word.folded for word in reader.tokenizer.words(text))
    found = [Spelling((word.folded,)) for word in reader.tokenizer.literals(text)]
    if not tokens or (len(tokens) == 1 and found):
        return found
    if len(tokens) > 1 and is_one_character(tokens[0]):
        tokens = tokens[1:]  # in the text it may be the second of a pair; `filters` looks at the text itself
    return [Spelling(tokens, prefix=prefix or is_one_character(tokens[-1])), *found]


def is_one_character(token: str) -> bool:
    """Return whether a word of the index is a single character of a script without spaces, so part of others."""
    return is_unspaced(token) and units(token) == 1


class _Terms:
    """Makes the terms of one query."""

    def __init__(self, reader: Reader, forms: bool) -> None:
        self._reader = reader
        self._forms = forms
        self._expanded = True
        self._letters = 0

    def of(self, query: Query) -> tuple[Term, ...]:
        self._expanded = len(query.clauses) <= MOST_EXPANDED
        by_key: dict[str, Term] = {}
        for clause in query.clauses:
            if not clause.negated:
                for term in self._of_part(clause.part):
                    by_key.setdefault(term.spellings[0].key, term)
        return tuple(by_key.values())

    def _of_part(self, part: object) -> Iterator[Term]:
        if isinstance(part, Word):
            yield from self._of_word(part)
        elif isinstance(part, Phrase):
            yield from self._of_phrase(part)
        elif isinstance(part, AnyOf):
            spellings = [
                spelling for one in part.parts if isinstance(one, Word | Phrase) for spelling in self._alternative(one)
            ]
            if spellings:
                shown = " or ".join(fold(one.text) for one in part.parts if isinstance(one, Word | Phrase))
                yield Term(shown, _distinct(spellings))

    def _of_word(self, word: Word) -> Iterator[Term]:
        tokens = tuple(found.folded for found in self._reader.tokenizer.words(word.text))
        for literal in self._reader.tokenizer.literals(word.text):
            spelling = Spelling((literal.folded,))
            if self._held(spelling):
                yield Term(shown_token(literal.folded), (spelling,))
        if len(tokens) > 1:
            yield from self._whole(word, tokens)
            # A single letter that an apostrophe or a dot cut off says nothing beside the whole.
            parts = [token for token in tokens if len(token) > 1 or not token.isascii()] or list(tokens)
            for token in parts:
                is_last = token is tokens[-1]
                yield self._one(token, replace(word, prefix=word.prefix and is_last, last=word.last and is_last))
        elif tokens:
            yield self._one(tokens[0], word)

    def _of_phrase(self, phrase: Phrase) -> Iterator[Term]:
        for spelling in exact_spellings(self._reader, phrase.text):
            yield Term(" ".join(fold(phrase.text).split()), (spelling,))

    def _alternative(self, part: Word | Phrase) -> Iterator[Spelling]:
        if isinstance(part, Word):
            tokens = tuple(found.folded for found in self._reader.tokenizer.words(part.text))
            if len(tokens) == 1 and not self._reader.tokenizer.literals(part.text):
                yield from self._one(tokens[0], part).spellings
                return
        yield from exact_spellings(self._reader, part.text, prefix=isinstance(part, Word) and part.prefix)[:1]

    def _whole(self, word: Word, tokens: tuple[str, ...]) -> Iterator[Term]:
        """Yield the phrase that a word of several tokens is, where the index holds it."""
        unspaced = [token for token in tokens if is_unspaced(token)]
        if len(tokens) > (LONGEST_UNSPACED if unspaced else LONGEST_WHOLE):
            return
        spelling = Spelling(tokens, prefix=word.prefix)
        if not self._held(spelling) and word.last and not unspaced:
            spelling = replace(spelling, prefix=True)
        shown = " ".join(fold(word.text).split())
        if self._held(spelling):
            yield Term(shown, (spelling,))
            return
        if unspaced:
            return
        # `2031.4.7` inside `v2031.4.7`: the first word may be the end of one, the last the beginning.
        ends = [term for term in self._inside(tokens[0]) if term.endswith(tokens[0])][:MOST_INSIDE]
        inside = [Spelling((end, *tokens[1:]), prefix=True, weight=INSIDE_WEIGHT) for end in ends]
        held = [spelling for spelling in inside if self._held(spelling)]
        if held:
            yield Term(shown, (Spelling(tokens), *held))

    def _one(self, token: str, word: Word) -> Term:
        """Return the term of one word of the index."""
        typed = Spelling((token,))
        shown = shown_token(token)
        if (word.prefix and self._is_worth_expanding(token)) or is_one_character(token):
            return Term(shown, (replace(typed, prefix=True),))
        if is_unspaced(token):
            return Term(shown, (typed,))
        forms = [
            Spelling((form,), weight=FORM_WEIGHT)
            for form in (other_forms(self._reader, token) if self._forms and self._expanded else ())
        ]
        if not self._held(typed):
            if word.last and self._is_prefix(token):
                return Term(shown, (replace(typed, prefix=True),))
            if not forms:
                forms = [Spelling((term,), weight=INSIDE_WEIGHT) for term in self._inside(token)[:MOST_INSIDE]]
        return Term(shown, (typed, *forms))

    def _is_worth_expanding(self, token: str) -> bool:
        if len(token) > 1 or not token.isascii():
            return True
        self._letters += 1
        return self._letters <= MOST_LETTERS

    def _held(self, spelling: Spelling) -> bool:
        return any(count_rows(self._reader, spelling, table) for table in (NOTES, "attachment_words"))

    def _is_prefix(self, token: str) -> bool:
        if len(token) < SHORTEST_PREFIX and token.isascii():
            return False
        return 0 < len(words_between(self._reader, token, MOST_EXPANSIONS + 1)) <= MOST_EXPANSIONS

    def _inside(self, token: str) -> list[str]:
        """Return the words of the index that hold a token inside them; none for a short one, or in a long query."""
        if len(token) < SHORTEST_INSIDE or not self._expanded:
            return []
        return self._reader.kept(("inside", token), lambda: self._holding(token))

    def _holding(self, token: str) -> list[str]:
        """Return the words of the index that hold a token inside them, the shortest first, then by alphabet."""
        everything = vocabulary(self._reader)
        found = set()
        place = everything.find(token)
        while place >= 0:
            start, end = everything.rfind("\n", 0, place) + 1, everything.find("\n", place)
            found.add(everything[start:end])
            place = everything.find(token, end)
        return sorted(found - {token}, key=lambda term: (len(term), term))


def vocabulary(reader: Reader) -> str:
    """Return all words of the index, a line each, those of notes before those of attachments, some in both.

    Two megabytes for a quarter of a million words.
    """

    def read() -> str:
        lists = [
            reader.connection.execute(f"SELECT group_concat(term, char(10)) FROM {table}").get
            for table in ("vocabulary", "attachment_vocabulary")
        ]
        return "".join(f"{words}\n" for words in lists if words)

    return reader.kept("vocabulary", read)


def words_between(reader: Reader, beginning: str, most: int) -> list[str]:
    """Return the first words of the index that begin with something."""
    # U+10FFFF sorts after every character that a word may hold.
    rows = reader.connection.execute(
        "SELECT term FROM vocabulary WHERE term >= ?1 AND term < ?2 UNION "
        "SELECT term FROM attachment_vocabulary WHERE term >= ?1 AND term < ?2 LIMIT ?3",
        (beginning, beginning + "\U0010ffff", most),
    )
    return [row[0] for row in rows]


def _distinct(spellings: Iterable[Spelling]) -> tuple[Spelling, ...]:
    best: dict[str, Spelling] = {}
    for spelling in spellings:
        known = best.get(spelling.key)
        if known is None or known.weight < spelling.weight:
            best[spelling.key] = spelling
    return tuple(best.values())
