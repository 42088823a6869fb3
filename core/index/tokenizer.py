"""The words of a text as the index holds them, with their places: SQLite's own tokenizer and `tokens`.

What is marked is cut by the same rules as what was stored.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import apsw

from core.index.schema import TOKENIZER
from core.index.tokens import Piece, literals, special_pieces, without_private, without_special
from core.notes.folding import FoldedText, fold_with_map


class Word(NamedTuple):
    """A word of a text: its place in the *original* text in code points, and its folded form."""

    start: int
    end: int
    folded: str


class Tokenizer:
    """Cuts text into the words that the index holds. Belongs to one connection, so to one thread at a time."""

    def __init__(self, connection: apsw.Connection) -> None:
        name, *arguments = TOKENIZER
        self._tokenize = connection.fts5_tokenizer(name, arguments)

    def words(self, text: str) -> list[Word]:
        """Return the words of `text` in order, folded, with their places in `text` itself."""
        folded = fold_with_map(text)
        own = without_private(folded.text)
        special = [] if own.isascii() else list(special_pieces(own))
        plain = without_special(own) if special else own
        offsets = _code_point_offsets(plain)
        # Rows are (start, end, token), offsets in UTF-8 bytes; unicode61 gives one token a place.
        tokens = cast("list[tuple[int, int, str]]", self._tokenize(plain.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None))
        pieces = [Piece(offsets[start], offsets[end], token) for start, end, token in tokens]
        return _placed(folded, sorted([*pieces, *special]) if special else pieces)

    def terms(self, word: str) -> list[str]:
        """Return what FTS5 looks for where it is asked for a word that is folded already: one term, hardly ever more."""
        tokens = cast("list[tuple[int, int, str]]", self._tokenize(word.encode(), apsw.FTS5_TOKENIZE_QUERY, None))
        return [term for _start, _end, term in tokens]

    def literals(self, text: str) -> list[Word]:
        """Return the words of `text` that have a symbol at an edge, symbols included, with their places in `text`."""
        folded = fold_with_map(text)
        return _placed(folded, list(literals(without_private(folded.text))))


def _placed(folded: FoldedText, pieces: list[Piece]) -> list[Word]:
    if folded.is_even:
        return [Word(*piece) for piece in pieces]
    return [Word(*folded.original_span(piece.start, piece.end), piece.token) for piece in pieces]


def _code_point_offsets(text: str) -> list[int] | range:
    """Return, for each UTF-8 byte offset that starts a character of `text`, its code point offset."""
    if text.isascii():
        return range(len(text) + 1)
    offsets: list[int] = []
    for position, character in enumerate(text):
        offsets += [position] * len(character.encode())
    offsets.append(len(text))
    return offsets
