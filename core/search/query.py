"""What a person typed, as parts that are looked for, required, removed or filtered by. Pure data; parsing is `parsing`.

Nothing here is FTS5: how a part is matched is decided in `words` and `filters`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FilterKind(StrEnum):
    """What a filter looks at: the names as they are typed before the colon.

    AFTER is on or after the first day of what was typed, BEFORE before it: `before:2026-01` ends with 2025-12-31.
    """

    TAG = "tag"
    PATH = "path"
    TITLE = "title"
    EXT = "ext"
    AFTER = "after"
    BEFORE = "before"
    LINK = "link"
    PROPERTY = "property"
    """Typed `[key:value]`, or `[key]` for any value."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as typed, without white space in it: `C++`, `worker_pid`, `変数`. Ranked, not required.

    `prefix`: it was typed with a `*` at its end (which is not part of `text`). `last`: it stands at the very end of
    what was typed, so it may not be finished.
    """

    text: str
    prefix: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """What stood in quotes, white space made plain. Required, and ranked as well."""

    text: str


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on notes. `value` is as typed; an ISO date for AFTER and BEFORE, "" where any value will do.

    `key` is that of a PROPERTY, as typed.
    """

    kind: FilterKind
    value: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Parts joined by OR: words and phrases alone, or filters alone. Of words it counts as one word of many spellings.

    Nothing in it is required when all parts are words; else a note must hold one of the parts.
    """

    parts: tuple[Word | Phrase | Filter, ...]


Part = Word | Phrase | Filter | AnyOf


@dataclass(frozen=True, slots=True)
class Clause:
    """A part where it stands in `Query.text`: [start, end) in code points. `negated` ones remove the notes they fit.

    `shown` is what was understood, in few words, as a chip shows it: `tag: project/a`, `after: 2026-11-17`,
    `without: draft`, `“exact words”`. It is "" for plain words, which need no chip.
    """

    start: int
    end: int
    part: Part
    negated: bool = False
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A query. `text` is what was typed, without white space around it and at most `MAX_QUERY_LENGTH` long.

    `clauses` are in the order of their places. `message` is a sentence about the query where there is something to say,
    such as that it was cut or a quote was not closed, with the place (characters from 1). `meaning` is the text to
    embed: words and phrases in order, with no operator, filter or negated part; "" where there is none.
    """

    text: str
    clauses: tuple[Clause, ...] = ()
    message: str | None = None
    meaning: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not self.text

    @property
    def has_letters_or_digits(self) -> bool:
        """Whether there is anything to embed: symbols and emoji alone are unknown to a language model."""
        return any(character.isalnum() for character in self.meaning)

    @property
    def asks_for_text(self) -> bool:
        """Whether a word or phrase is looked for; a query of filters and negations alone lists notes."""
        return any(not clause.negated and _is_text(clause.part) for clause in self.clauses)


def _is_text(part: Part) -> bool:
    if isinstance(part, AnyOf):
        return any(_is_text(one) for one in part.parts)
    return isinstance(part, Word | Phrase)
