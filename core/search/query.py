"""What a person typed, made safe to search for. Pure: no index, no tokenizer.

Everything typed is text; there are no operators yet. The words of a query come from the index's tokenizer
(`core.search.words`), so that what is looked for is cut like what was stored.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_QUERY_LENGTH = 2_000
"""Code points. Longer than any question people type; it keeps a pasted page from costing seconds."""

_UNSTORABLE = {0: " "} | dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
"""NUL ends a string inside SQLite, and a lone surrogate cannot be encoded at all."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query. `text` is what was typed, without white space around it and at most `MAX_QUERY_LENGTH` long.

    `message` is a sentence about the query where there is something to say of it, such as that it was cut.
    """

    text: str
    message: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not self.text

    @property
    def has_letters_or_digits(self) -> bool:
        """Whether there is anything to embed: symbols and emoji alone are unknown to a language model."""
        return any(character.isalnum() for character in self.text)


def parse_query(text: str) -> Query:
    """Return the query that `text` says. Never raises, whatever the text."""
    stripped = text.translate(_UNSTORABLE).strip()
    if len(stripped) <= MAX_QUERY_LENGTH:
        return Query(stripped)
    cut = stripped[:MAX_QUERY_LENGTH]
    if not stripped[MAX_QUERY_LENGTH].isspace():
        # Half a word would be looked for as a word of its own, so it goes, unless there is nothing else.
        whole_words = cut.rsplit(None, 1)
        cut = whole_words[0] if len(whole_words) == 2 else cut
    return Query(cut.rstrip(), f"The query was cut to its first {MAX_QUERY_LENGTH:,} characters.")
