"""FTS5's own tokenizer, so that what is marked is what was matched."""

from __future__ import annotations

from typing import NamedTuple, cast

import apsw

from core.index.schema import TOKENIZER
from core.notes.folding import fold_with_map


class Word(NamedTuple):
    """A word of a text: its place in the *original* text in code points, and its folded form."""

    start: int
    end: int
    folded: str


class Tokenizer:
    """Cuts text into the words that the index holds. Belongs to one connection, so to one thread at a time."""

    def __init__(self, connection: apsw.Connection) -> None:
        name, *arguments = TOKENIZER.split()
        self._tokenize = connection.fts5_tokenizer(name, arguments)

    def words(self, text: str) -> list[Word]:
        """Return the words of `text` in order, folded, with their places in `text` itself."""
        folded = fold_with_map(text)
        encoded = folded.text.encode()
        offsets = _code_point_offsets(folded.text)
        # Rows are (start, end, token), offsets in UTF-8 bytes; unicode61 gives one token a place.
        tokens = cast("list[tuple[int, int, str]]", self._tokenize(encoded, apsw.FTS5_TOKENIZE_DOCUMENT, None))
        if folded.is_even:
            return [Word(offsets[start], offsets[end], token) for start, end, token in tokens]
        found = []
        for start, end, token in tokens:
            first, last = folded.original_span(offsets[start], offsets[end])
            found.append(Word(first, last, token))
        return found


def _code_point_offsets(text: str) -> list[int] | range:
    """Return, for each UTF-8 byte offset that starts a character of `text`, its code point offset."""
    if text.isascii():
        return range(len(text) + 1)
    offsets: list[int] = []
    for position, character in enumerate(text):
        offsets += [position] * len(character.encode())
    offsets.append(len(text))
    return offsets
