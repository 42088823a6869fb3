"""Other forms of a word: `query` for `queries`. Depends on an index reader and on Snowball's stemmers (Porter, 2001).

Forms are looked up when a query is made, among the words the index holds. So exact forms can be told from others,
quoted words stay as they are, nothing in the index depends on it, and it can be switched off.

Only languages that the folder's notes are written in take part, told by their commonest words: German endings taken
off English words, or the other way round, bring words together that have nothing to do with each other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import Stemmer

from core.index.postings import expression_of

if TYPE_CHECKING:
    from core.index.reader import Reader

COMMON_WORDS = {
    "danish": ("og", "ikke", "til", "af", "ogsa"),
    "dutch": ("het", "een", "niet", "van", "zijn"),
    "english": ("the", "and", "with", "that", "this"),
    "finnish": ("ja", "ei", "etta", "oli", "myos"),
    "french": ("les", "des", "dans", "une", "pour"),
    "german": ("und", "nicht", "mit", "eine", "auch"),
    "italian": ("della", "che", "per", "sono", "nella"),
    "norwegian": ("og", "ikke", "til", "som", "ogsa"),
    "portuguese": ("uma", "nao", "com", "mais", "para"),
    "russian": ("что", "это", "как", "для", "все"),
    "spanish": ("los", "una", "para", "con", "las"),
    "swedish": ("och", "inte", "att", "med", "som"),
}
"""Words, folded, that stand in most texts of a language. Three of the five must be common in the folder."""

COMMON_SHARE = 0.1
"""Of the notes in which a language's common word stands, where the language is one of the folder's."""

SHORTEST = 3
MOST_CANDIDATES = 1_000
MOST_FORMS = 12


def other_forms(reader: Reader, token: str) -> tuple[str, ...]:
    """Return the other words of the index that are forms of a word, in order; at most `MOST_FORMS`."""
    if len(token) < SHORTEST or not token.isalpha():
        return ()
    return reader.kept(("forms", token), lambda: _forms(reader, token))


def languages(reader: Reader) -> tuple[str, ...]:
    """Return the languages that the folder's notes are written in, as far as there is a stemmer for them."""

    def is_written(words: tuple[str, ...]) -> bool:
        least = max(1, math.ceil(COMMON_SHARE * reader.coverage().notes))
        return sum(_is_in(reader, word, least) for word in words) >= 3

    return reader.kept("languages", lambda: tuple(name for name, words in COMMON_WORDS.items() if is_written(words)))


def _is_in(reader: Reader, word: str, notes: int) -> bool:
    """Return whether a word stands in so many notes. Counting further costs most for the words that are asked for."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM note_words WHERE note_words MATCH ? LIMIT ?)"
    return bool(reader.connection.execute(sql, (expression_of((word,)), notes)).get == notes)


def _forms(reader: Reader, token: str) -> tuple[str, ...]:
    found: set[str] = set()
    for language in languages(reader):
        stemmer = Stemmer.Stemmer(language, 0)
        stem = stemmer.stemWord(token)
        if len(stem) < SHORTEST:
            continue
        # A stem's last letter may differ from the word's (queri, query), and what follows is an ending.
        beginning = stem[: max(SHORTEST, len(stem) - 1)]
        rows = reader.connection.execute(
            "SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?",
            (beginning, beginning + "\U0010ffff", MOST_CANDIDATES + 1),
        ).fetchall()
        if len(rows) <= MOST_CANDIDATES:
            words = [str(row[0]) for row in rows]
            found |= {word for word, other in zip(words, stemmer.stemWords(words), strict=True) if other == stem}
    # The nearest in length first, so that what is cut off is what is furthest.
    nearest = sorted(found - {token}, key=lambda word: (abs(len(word) - len(token)), word))[:MOST_FORMS]
    return tuple(sorted(nearest))
