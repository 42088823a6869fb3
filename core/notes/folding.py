"""The one folding rule: body, title, path, tag, alias, link, query and highlight are compared through it.

Pure: only `unicodedata`. The rule, in order:

1. characters without a look of their own go (soft hyphen, zero width, direction marks, variation selectors, tatweel);
2. NFKD, and marks that only colour a letter go: Latin, Greek and Cyrillic marks (so й equals и, ё equals е),
   Hebrew points, Arabic vowel signs. Marks that *are* letters stay: Indic and Thai vowels, Japanese dakuten;
3. casefold (ß becomes ss, ς becomes σ), and by table what Unicode does not decompose: ı is i, ø is o, ł is l, æ is ae;
4. apostrophe kinds become ', hyphen and dash kinds -, every space but the newline a plain space, and so do NUL and
   carriage return; a lone surrogate becomes U+FFFD, so that folded text can always be encoded;
5. NFC, which puts back together what step 2 took apart and did not strip (Hangul, kana, Indic).

Locale plays no part. Folding is idempotent.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import category, combining, normalize

FOLDING_RULES = "fold/v1"
"""Part of the index's fingerprint: a change of the rule changes every index."""


@dataclass(frozen=True, slots=True)
class FoldedText:
    """Folded text that knows where each of its characters came from.

    The text is covered by blocks. In an even block (`atomic` false) the characters correspond one to one; an atomic
    block belongs together (a letter and its marks, a ligature) and is only ever given back whole.
    """

    text: str
    original_length: int
    folded_starts: tuple[int, ...] = (0,)
    original_starts: tuple[int, ...] = (0,)
    atomic: tuple[bool, ...] = (False,)

    @property
    def is_even(self) -> bool:
        """Whether every character came from the one at its own place, as in all ASCII text."""
        return self.atomic == (False,) and len(self.text) == self.original_length

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text that `text[start:end]` came from, in code points.

        Never splits what was folded as one; an empty span gives an empty span, any other one at least one character.
        """
        start = max(0, min(start, len(self.text)))
        end = max(start, min(end, len(self.text)))
        first = self._original_start(start)
        if start == end:
            return first, first
        block = bisect_right(self.folded_starts, end - 1) - 1
        if not self.atomic[block]:
            return first, self.original_starts[block] + end - self.folded_starts[block]
        following = block + 1
        return first, self.original_starts[following] if following < len(self.atomic) else self.original_length

    def _original_start(self, position: int) -> int:
        if position == len(self.text):
            return self.original_length
        block = bisect_right(self.folded_starts, position) - 1
        within = 0 if self.atomic[block] else position - self.folded_starts[block]
        return self.original_starts[block] + within


def fold(text: str) -> str:
    """Return `text` folded for comparison. The same as `fold_with_map(text).text`, and faster."""
    if text.isascii():
        return text.encode().translate(_ASCII).decode()
    # The table leaves bytes above 127 alone, so it lowers the ASCII part of UTF-8 at the speed of bytes.
    lowered = text.encode("utf-8", "surrogatepass").translate(_ASCII).decode("utf-8", "surrogatepass")
    return _RUN.sub(_fold_match, lowered)


def fold_with_map(text: str) -> FoldedText:
    """Return `text` folded, with the way back to the original positions."""
    if text.isascii() or _EVEN.fullmatch(text):
        return FoldedText(fold(text), len(text))
    blocks = _Blocks()
    done = 0
    for match in _RUN.finditer(text):
        start, end = match.span()
        # A run that begins with a mark takes the character before it along: they are seen as one.
        if start > done and text[start] in _ATTACHED:
            start -= 1
        if start > done:
            blocks.even(fold(text[done:start]))
        _add_run(blocks, text[start:end])
        done = end
    if done < len(text):
        blocks.even(fold(text[done:]))
    return blocks.folded(len(text))


class _Blocks:
    """Collects folded pieces from left to right; neighbouring even pieces become one block."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._folded = 0
        self._original = 0
        self._folded_starts: list[int] = []
        self._original_starts: list[int] = []
        self._atomic: list[bool] = []

    def even(self, piece: str) -> None:
        """Add folded text that stands for as many original characters."""
        if not self._atomic or self._atomic[-1]:
            self._begin(False)
        self._add(piece, len(piece))

    def whole(self, piece: str, original_length: int) -> None:
        """Add folded text of any length that stands for `original_length` characters together."""
        if not piece and self._atomic and self._atomic[-1]:
            self._original += original_length  # nothing left of it: it widens the atomic block before
            return
        self._begin(True)
        self._add(piece, original_length)

    def _begin(self, atomic: bool) -> None:
        self._folded_starts.append(self._folded)
        self._original_starts.append(self._original)
        self._atomic.append(atomic)

    def _add(self, piece: str, original_length: int) -> None:
        self._pieces.append(piece)
        self._folded += len(piece)
        self._original += original_length

    def folded(self, original_length: int) -> FoldedText:
        """Return what was collected."""
        text = "".join(self._pieces)
        return FoldedText(
            text, original_length, tuple(self._folded_starts), tuple(self._original_starts), tuple(self._atomic)
        )


def _add_run(blocks: _Blocks, run: str) -> None:
    folded = fold(run)
    if len(folded) == len(run) and _ATTACHED.isdisjoint(run):
        # Every character folds alone and to at least one, so equal lengths mean one to one.
        blocks.even(folded)
        return
    for segment in _segments(run):
        piece = fold(segment)
        if len(segment) == len(piece) == 1:
            blocks.even(piece)
        else:
            blocks.whole(piece, len(segment))


def _segments(run: str) -> Iterable[str]:
    start = 0
    for position, character in enumerate(run):
        if position > start and character not in _ATTACHED:
            yield run[start:position]
            start = position
    yield run[start:]


def _fold_match(match: re.Match[str]) -> str:
    run = match[0]
    known = _COMMON.get(run)
    return _fold_run(run) if known is None else known


def _fold_run(run: str) -> str:
    letters = normalize("NFKD", run.translate(_INVISIBLE)).translate(_MARKS)
    return normalize("NFC", letters.casefold().translate(_ALIKE))


def _ranges(*pairs: tuple[int, int]) -> Iterable[int]:
    for first, last in pairs:
        yield from range(first, last + 1)


_SPACES = (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
_APOSTROPHES = (0x2018, 0x2019, 0x201B, 0x2032, 0x02B9, 0x02BB, 0x02BC, 0x02BD, 0x055A, 0xA78C)
_HYPHENS = (0x058A, 0x05BE, *range(0x2010, 0x2016), 0x2043, 0x2212)
_LETTERS = {
    "ı": "i", "ȷ": "j", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "æ": "ae", "œ": "oe", "ƀ": "b", "ɨ": "i", "ƶ": "z",
}  # fmt: skip

_ASCII = bytes(
    0x20 if code in (0, 9, 11, 12, 13, 28, 29, 30, 31) else ord(chr(code).lower()) if code < 128 else code
    for code in range(256)
)

_STRIPPED = [
    code
    for code in _ranges(
        (0x0300, 0x036F),  # Latin, Greek and Cyrillic
        (0x0483, 0x0489),  # Cyrillic
        (0x0591, 0x05C7),  # Hebrew points and accents
        (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06ED), (0x08CA, 0x08FF),  # Arabic
        (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),  # Latin, more of it
    )
    if category(chr(code)) in ("Mn", "Me")
]  # fmt: skip

_HIDDEN = [
    0xAD, 0x061C, 0x0640, 0xFEFF, 0x180E,
    *_ranges((0x180B, 0x180D), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F)),
    *_ranges((0xFFF9, 0xFFFB), (0xE0000, 0xE007F), (0xE0100, 0xE01EF)),
]  # fmt: skip

# Marks go here too: one without a combining class would keep NFKD from ordering the marks around it.
# The acute accent alone is typed as an apostrophe; NFKD would make it a space and a mark.
_INVISIBLE = dict.fromkeys([*_HIDDEN, *_STRIPPED], "") | {0xB4: "'"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_MARKS = dict.fromkeys([*_STRIPPED, 0x0640], "")
_ALIKE = (
    dict.fromkeys(_SPACES, " ")
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_HYPHENS, "-")
    | {ord(letter): plain for letter, plain in _LETTERS.items()}
)

# ASCII composes with stripped marks only, so a run of other characters folds without its surroundings. Single ASCII
# characters within a run (the spaces of a Russian sentence) are taken along: fewer, longer runs.
_RUN = re.compile(r"[^\x00-\x7f]+(?:[\x00-\x7f][^\x00-\x7f]+)*")

# What never begins a segment: marks, hidden characters, and the vowels and finals that complete a Hangul syllable.
_ATTACHED = frozenset(
    chr(code)
    for code in (
        *(code for code in _ranges((0x0300, 0x1FFFF)) if combining(chr(code)) or category(chr(code)).startswith("M")),
        *_HIDDEN,
        *_ranges((0x1160, 0x11FF), (0x3131, 0x318E), (0xFFA0, 0xFFDC)),  # jamo, also compatibility and half-width
        *_ranges((0xFCF2, 0xFCF4), (0xFE70, 0xFE7F)),  # Arabic vowel signs on a tatweel: nothing is left of them
        *_ranges((0xFF9E, 0xFF9F)),  # half-width dakuten
    )
)

# The characters that stand alone in otherwise plain text.
_COMMON = {chr(code): _fold_run(chr(code)) for code in (*range(0x80, 0x180), *range(0x2010, 0x2040), 0x20AC)}

# Text of nothing else folds one to one; none of these takes part in a longer sequence.
_EVEN = re.compile(f"[\x00-\x7f{''.join(letter for letter, folded in _COMMON.items() if len(folded) == 1)}]*")
