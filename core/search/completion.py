"""Fills the evidence table: every candidate gets the true value of every leg, whether or not that leg surfaced it.

Depends on an index reader, in the snapshot that the legs answered from.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection
from typing import TYPE_CHECKING

from core.notes.folding import fold
from core.search.evidence import NO_EVIDENCE, Evidence
from core.search.meaning import MeaningRanking
from core.search.words import WordsRanking, WordsValue, values_of

if TYPE_CHECKING:
    from core.index.reader import Reader
    from core.search.query import Query
    from core.search.results import LegOutcome

READABLE_SCRIPTS = ("LATIN",)
"""Scripts that the built-in model was trained on, as Unicode's names of letters begin."""


def complete(
    reader: Reader,
    query: Query,
    words: LegOutcome | None,
    meaning: LegOutcome | None,
    notes: Collection[int],
    known: Evidence = NO_EVIDENCE,
) -> Evidence:
    """Return the table for some notes, which must be visible, on top of what is known already of others.

    The meaning leg has scored every visible note, so its values are looked up; the words leg has weighed the notes
    that it found, and the others are weighed here, to the bit as it would have. Links are filled in by who follows
    them.

    Raises:
        apsw.Error: SQLite could not answer.
    """
    return Evidence(
        words=_words(reader, words, notes, known),
        cosines={**known.cosines, **(meaning.nearness.of(notes) if isinstance(meaning, MeaningRanking) else {})},
        seeds=known.seeds,
        links=known.links,
        titled=known.titled | _titled(reader, query, notes),
        readable=readable_share(query.meaning),
    )


def readable_share(text: str, scripts: tuple[str, ...] = READABLE_SCRIPTS) -> float:
    """Return the share of a text's letters that belong to some scripts, from 0 to 1; 1 for a text without letters."""
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return 1.0
    return sum(unicodedata.name(letter, "").startswith(scripts) for letter in letters) / len(letters)


def _words(reader: Reader, words: LegOutcome | None, notes: Collection[int], known: Evidence) -> dict[int, WordsValue]:
    values = dict(known.words)
    if isinstance(words, WordsRanking):
        values |= {note: words.values[note] for note in notes if note in words.values}
        missing = {note for note in notes if note not in values}
        if missing:
            values |= values_of(reader, words.scale, missing)
    return values


def _titled(reader: Reader, query: Query, notes: Collection[int]) -> frozenset[int]:
    """Return which of the notes have a title or alias that is the query's text, all folded."""
    asked = _on_one_line(query.meaning)
    if not asked:
        return frozenset()
    # A title that is on one line what was asked is at least as long; most notes are left out without being looked at.
    rows = reader.connection.execute(
        "SELECT id, folded_title, aliases FROM note WHERE id IN (SELECT value FROM json_each(?)) "
        "AND (length(folded_title) >= ? OR aliases <> '[]')",
        (json.dumps(sorted(notes)), len(asked)),
    )
    return frozenset(
        note
        for note, title, aliases in rows
        if asked in (_on_one_line(title), *(_on_one_line(alias) for alias in json.loads(aliases)))
    )


def _on_one_line(text: str) -> str:
    return " ".join(fold(text).split())
