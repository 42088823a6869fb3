"""How text is cut into words beyond what SQLite's tokenizer does: unspaced scripts, emoji, words with symbols.

Pure. SQLite's `unicode61` cuts at everything that is no letter or digit. That finds nothing inside running Chinese,
knows no emoji, and takes `C++` for `c`. So a text is *spread* before it is given to FTS5, and a query likewise:

- unspaced scripts (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) become overlapping pairs of characters,
  as Lucene's CJK analyzer has them; a character with its vowel signs counts as one. The last one of a run is added
  alone, so that every character begins some word and a query of one character is a prefix;
- each emoji becomes a word (skin tones and joiners are dropped);
- a word with a symbol at its edge (`c++`, `#tag`, `50%`, `.net`, `@name`) is added once more with its symbols;
- the parts of a `CamelCase` word are added.

What is added stands behind the text, each after a `GAP`, so that phrases still follow each other as they were written.
Symbols stand in words as private-use characters, which `unicode61` takes for letters.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category

TOKEN_RULES = "tokens/v1"  # noqa: S105 - words of a text, no secret
"""Part of the index's fingerprint: a change of these rules changes every index."""

_PRIVATE = 0xF0000
GAP = chr(_PRIVATE)
"""A word that no query holds: phrases do not reach over it."""


def hidden(symbol: str) -> str:
    """Return the private-use character that stands for a symbol inside a word."""
    return chr(_PRIVATE + ord(symbol))


def shown_token(token: str) -> str:
    """Return a word of the index as a person would write it."""
    if token.isascii():
        return token
    return "".join(chr(ord(one) - _PRIVATE) if ord(one) > _PRIVATE else one for one in token)


def _class(*pairs: tuple[int, int]) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in pairs)


_SIGNED = ((0x0E01, 0x0E4E), (0x0E81, 0x0ECD), (0x1000, 0x109F), (0x1780, 0x17D3))
"""Thai, Lao, Burmese, Khmer: letters with signs of their own."""

_PLAIN = (
    (0x3005, 0x3007), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x312F), (0x31A0, 0x31BF),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0x20000, 0x3134F),
)  # fmt: skip
"""Chinese, Japanese, Korean. Korean has spaces, but grows endings onto its words."""

_SIGNS = "".join(
    chr(code) for first, last in _SIGNED for code in range(first, last + 1) if category(chr(code)).startswith("M")
)
_LETTERS = "".join(
    chr(code) for first, last in _SIGNED for code in range(first, last + 1) if category(chr(code))[0] == "L"
)
_UNIT = re.compile(f"[{_LETTERS}{_class(*_PLAIN)}][{_SIGNS}\u3099\u309a]*")
_UNSPACED = rf"(?:{_UNIT.pattern})+"

_EMOJI_RANGES = _class((0x231A, 0x23FF), (0x25A0, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1F3FA), (0x1F400, 0x1FAFF))
_EMOJI = f"[{_EMOJI_RANGES}\u00a9\u00ae]"
_TONES = "[\U0001f3fb-\U0001f3ff]"

_RUNS = re.compile(rf"(?P<unspaced>{_UNSPACED})|(?P<emoji>{_EMOJI})|(?P<tone>{_TONES})")

_TAKEN = re.compile("[\U000f0000-\U0010ffff]")

_INNER = r"[^\W_]"
# Each half begins with what is rare or can be looked for at speed: half the time of a leading look-behind.
_LITERAL = re.compile(
    rf"[#@$€£§.](?<![\w#@$€£§.+%].)(?={_INNER}){_INNER}+(?:[+#%]+)?"
    rf"|(?<!{_INNER}){_INNER}+(?:\+\+|[+#%°$€])(?:[+#%])?(?![\w+#%])",
    re.DOTALL,
)
_SYMBOLS = str.maketrans({symbol: hidden(symbol) for symbol in "#@$€£§.+%°"})
# A symbol that may stand at a word's edge. Most texts hold few, and only what stands around them is looked at closer.
_SYMBOL = re.compile(rf"[#@$€£§.]{_INNER}|[+#%°$€]")
_UNBROKEN = re.compile(r"\S*")

# From the first hump to the end of the word.
_HUMP = re.compile("[a-z0-9][A-Z][A-Za-z0-9]*")
_CAMEL_LETTERS = frozenset(string.ascii_letters + string.digits)
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Piece(NamedTuple):
    """A word made here, and its [start, end) in the folded text."""

    start: int
    end: int
    token: str


class Spread(NamedTuple):
    """A text as FTS5 is given it: `running` in the order it was written, and what is `added` behind it."""

    running: str
    added: tuple[str, ...]

    @property
    def whole(self) -> str:
        """Return both in one string."""
        return with_added(self.running, self.added)


def with_added(running: str, added: tuple[str, ...] | list[str]) -> str:
    """Return running text with words added behind it, each behind a gap, so that no phrase joins what was apart."""
    return apart([running, *added]) if added else running


def apart(texts: Iterable[str]) -> str:
    """Return texts in one, with a gap between them that no phrase reaches over."""
    return f" {GAP} ".join(texts)


def without_private(folded: str) -> str:
    """Return a folded text of the same length in which the characters that stand for symbols here are others.

    Icon fonts use them too. What a note or a query holds of them moves to another private range.
    """
    return folded if folded.isascii() else _TAKEN.sub(lambda match: chr(0xE000 + ord(match[0]) % 0x1900), folded)


def spread(text: str, folded: str) -> Spread:
    """Return `folded`, which is `text` folded, cut into what FTS5 shall see as words."""
    folded = without_private(folded)
    added = [literal.token for literal in literals(folded)]
    added += camel_parts(text)
    if folded.isascii():
        return Spread(folded, tuple(added))
    pieces: list[str] = []
    done = 0
    for match in _RUNS.finditer(folded):
        pieces.append(folded[done : match.start()])
        done = match.end()
        found = [piece.token for piece in _cut(match)]
        pieces.append(f" {' '.join(found)} " if found else " ")
        if match.lastgroup == "unspaced" and len(last := _UNIT.findall(match[0])[-1]) < len(match[0]):
            added.append(last)
    pieces.append(folded[done:])
    return Spread("".join(pieces), tuple(added))


def special_pieces(folded: str) -> Iterator[Piece]:
    """Yield the pairs of unspaced scripts and the emoji of a folded text, in order."""
    for match in _RUNS.finditer(folded):
        yield from _cut(match)


def without_special(folded: str) -> str:
    """Return a folded text of the same length with spaces where `special_pieces` stand."""
    return _RUNS.sub(lambda match: " " * len(match[0]), folded)


def literals(folded: str) -> Iterator[Piece]:
    """Yield the words of a folded text that have a symbol at an edge, symbols included, in order."""
    done = 0
    for symbol in _SYMBOL.finditer(folded):
        start = symbol.start()
        if start < done:
            continue
        while start > done and not folded[start - 1].isspace():
            start -= 1
        done = _UNBROKEN.match(folded, symbol.end()).end()  # type: ignore[union-attr] # it matches nothing at least
        for match in _LITERAL.finditer(folded, start, done):
            yield Piece(match.start(), match.end(), match[0].translate(_SYMBOLS))


def camel_parts(text: str) -> list[str]:
    """Return for each CamelCase word of an unfolded text its parts of two letters or more, folded, with spaces."""
    found = []
    for hump in _HUMP.finditer(text):
        start, end = hump.span()
        while start and text[start - 1] in _CAMEL_LETTERS:
            start -= 1
        # Beside an underscore or a letter beyond ASCII it is no word of its own.
        if not (_is_inner(text[start - 1 : start]) or _is_inner(text[end : end + 1])):
            found.append(_parts_of(text[start:end]))
    return [parts for parts in found if parts]


def _is_inner(character: str) -> bool:
    return character.isalnum() or character == "_"


@functools.lru_cache(maxsize=8_192)
def _parts_of(word: str) -> str:
    return " ".join(part.lower() for part in _CAMEL_PART.findall(word) if 1 < len(part) < len(word))


def is_unspaced(token: str) -> bool:
    """Return whether a word of the index is a piece of a script without spaces."""
    return _UNIT.match(token) is not None


def units(token: str) -> int:
    """Return how many characters, signs not counted, a word of an unspaced script has."""
    return len(_UNIT.findall(token))


def _cut(match: re.Match[str]) -> Iterator[Piece]:
    if match.lastgroup == "tone":
        return
    if match.lastgroup == "emoji":
        yield Piece(match.start(), match.end(), hidden(match[0]))
        return
    found = list(_UNIT.finditer(match[0]))
    start = match.start()
    if len(found) == 1:
        yield Piece(start, match.end(), match[0])
    for first, second in pairwise(found):
        yield Piece(start + first.start(), start + second.end(), first[0] + second[0])
