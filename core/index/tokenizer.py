"""The words of a text as the index holds them, with their places: SQLite's own tokenizer and `tokens`.

What is marked is cut by the same rules as what was stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast

import apsw

from core.index.schema import TOKENIZER
from core.index.tokens import Piece, literals, special_pieces, without_private, without_special
from core.notes.folding import FoldedText, fold_with_map

_PLAIN_WORD = re.compile("[a-z0-9]+")

SEPARATORS = dict.fromkeys(
    (
        *map(ord, "¡¢£¤¥¦§«¬¯±¶·»¿×÷€\ufffd"),
        *range(0x2010, 0x2028),  # dashes, quotation marks, bullets, the ellipsis
        *range(0x2030, 0x205F),
        *range(0x2190, 0x2300),  # arrows and operators
        *range(0x2500, 0x2580),  # the frames of drawn boxes
    ),
    " ",
)
"""Characters beyond ASCII that SQLite cuts at like spaces; a test asks it. Most texts hold no others but letters that
fold to ASCII, and are cut by an expression of our own, in a fifth of the time."""


class Word(NamedTuple):
    """A word of a text: its place in the *original* text in code points, and its folded form."""

    start: int
    end: int
    folded: str


@dataclass(frozen=True, slots=True)
class Cut:
    """A text cut into words, in order: `pieces` are their places in the folded text, `words` the words alone."""

    words: list[str]
    pieces: Callable[[], list[tuple[int, int]]]
    folded: FoldedText

    def spans(self, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return for pairs of a first and a last word where they stand in the original text, in code points."""
        pieces = self.pieces()
        between = [(pieces[first][0], pieces[last][1]) for first, last in places]
        return between if self.folded.is_even else [self.folded.original_span(*span) for span in between]


class Tokenizer:
    """Cuts text into the words that the index holds. Belongs to one connection, so to one thread at a time."""

    def __init__(self, connection: apsw.Connection) -> None:
        name, *arguments = TOKENIZER
        self._tokenize = connection.fts5_tokenizer(name, arguments)

    def words(self, text: str) -> list[Word]:
        """Return the words of `text` in order, folded, with their places in `text` itself."""
        cut = self.cut(text)
        spans = cut.spans((place, place) for place in range(len(cut.words)))
        return [Word(start, end, word) for (start, end), word in zip(spans, cut.words, strict=True)]

    def cut(self, text: str) -> Cut:
        """Return the words of `text`; where each of them stands is only looked for when it is asked."""
        folded = fold_with_map(text)
        own = without_private(folded.text)
        bare = own.translate(SEPARATORS) if not own.isascii() else own
        if bare.isascii():
            return Cut(
                _PLAIN_WORD.findall(bare), lambda: [match.span() for match in _PLAIN_WORD.finditer(bare)], folded
            )
        special = list(special_pieces(own))
        plain = without_special(own) if special else own
        offsets = _code_point_offsets(plain)
        # Rows are (start, end, token), offsets in UTF-8 bytes; unicode61 gives one token a place.
        tokens = cast("list[tuple[int, int, str]]", self._tokenize(plain.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None))
        pieces = [Piece(offsets[start], offsets[end], token) for start, end, token in tokens]
        pieces = sorted([*pieces, *special]) if special else pieces
        return Cut([piece.token for piece in pieces], lambda: [(piece.start, piece.end) for piece in pieces], folded)

    def terms(self, word: str) -> list[str]:
        """Return what FTS5 looks for when it is asked for a folded word: one term, hardly ever more."""
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


def _code_point_offsets(text: str) -> list[int]:
    """Return, for each UTF-8 byte offset that starts a character of `text`, its code point offset."""
    offsets: list[int] = []
    for position, character in enumerate(text):
        offsets += [position] * len(character.encode())
    offsets.append(len(text))
    return offsets
