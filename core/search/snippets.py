"""What of a passage is shown, and which of its words are marked. Pure but for the index's tokenizer.

Words are marked as the index cuts and folds them, so what is marked is what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apsw import unicode as graphemes

from core.notes.folding import fold
from core.search.results import Snippet
from core.search.words import PREFIX

if TYPE_CHECKING:
    from core.index.tokenizer import Tokenizer

SNIPPET_LENGTH = 220
"""Code points: two to three lines of the list."""

ELLIPSIS = "…"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Match:
    """A word of a text that a query asked for: its [start, end) in code points, and the query's word."""

    start: int
    end: int
    word: str


def matches_in(text: str, words: Sequence[str], tokenizer: Tokenizer) -> list[Match]:
    """Return the words of `text` that a query asked for, in the order of the text.

    `words` are folded; one that ends with `*` is matched by every word that begins with it.
    """
    whole = {word for word in words if not word.endswith(PREFIX)}
    beginnings = [word.removesuffix(PREFIX) for word in words if word.endswith(PREFIX)]
    found: list[Match] = []
    folded = fold(text)
    if folded.isascii() and not any(word in folded for word in (*whole, *beginnings)):
        # Cutting a text into words takes ten times as long, and half of all hits hold none of the query's.
        # Outside ASCII, SQLite folds a few letters further, and a word need not be a part of the folded text.
        return found
    for word in tokenizer.words(text):
        asked = word.folded if word.folded in whole else None
        if asked is None and beginnings:
            asked = _beginning_of(word.folded, beginnings)
        if asked is not None:
            found.append(Match(word.start, word.end, asked))
    return found


def marks_in(text: str, words: Sequence[str], tokenizer: Tokenizer) -> list[Span]:
    """Return the [start, end) spans of `text`, in code points and ascending, that `matches_in` finds."""
    return [(match.start, match.end) for match in matches_in(text, words, tokenizer)]


def snippet_of(text: str, words: Sequence[str], tokenizer: Tokenizer) -> Snippet:
    """Return the snippet of a passage for the words of a query; see `snippet_around`."""
    return snippet_around(text, matches_in(text, words, tokenizer))


def snippet_around(text: str, matches: Sequence[Match]) -> Snippet:
    """Return about `SNIPPET_LENGTH` code points of a passage: the part with the most of the words, each marked.

    Runs of white space become one space; cuts fall between words (in text without spaces, between graphemes) and
    are shown by an ellipsis.
    """
    start, end = _window(text, matches)
    return _tidied(text, start, end, matches)


def _beginning_of(word: str, beginnings: Sequence[str]) -> str | None:
    for beginning in beginnings:
        if word.startswith(beginning):
            return beginning + PREFIX
    return None


def _window(text: str, matches: Sequence[Match]) -> Span:
    """Return the part of `text` to show: the one with most distinct words, then most matches, then the first."""
    if len(text) <= SNIPPET_LENGTH:
        return 0, len(text)
    first, last = 0, 0
    best = (0, 0)
    for index, match in enumerate(matches):
        limit = match.start + SNIPPET_LENGTH
        within = _up_to(limit, matches[index:])
        worth = (len({later.word for later in within}), len(within))
        if worth > best or not index:
            best, first, last = worth, match.start, within[-1].end if within else limit
    start = max(0, min(first - (SNIPPET_LENGTH - (last - first)) // 2, len(text) - SNIPPET_LENGTH))
    end = start + SNIPPET_LENGTH
    return _cut_before(text, start, first), _cut_after(text, end, last)


def _up_to(limit: int, matches: Sequence[Match]) -> list[Match]:
    return [match for match in matches if match.end <= limit]


def _cut_before(text: str, start: int, latest: int) -> int:
    """Return the first place from `start` on, up to `latest`, where a word begins; else where a grapheme does."""
    if start == 0:
        return 0
    for place in range(start, latest):
        if text[place - 1].isspace() and not text[place].isspace():
            return _grapheme_start(text, place)
    return _grapheme_start(text, start)


def _cut_after(text: str, end: int, earliest: int) -> int:
    """Return the last place up to `end`, down to `earliest`, where a word ends; else where a grapheme does."""
    if end >= len(text):
        return len(text)
    for place in range(end, earliest, -1):
        if text[place].isspace() and not text[place - 1].isspace():
            return _grapheme_start(text, place)
    return _grapheme_start(text, end)


def _grapheme_start(text: str, place: int) -> int:
    """Return the start of the grapheme that `place` stands in; `place` itself where it stands between two."""
    # A place between two ASCII characters is a boundary whatever stands before it, so segmentation may begin there.
    position = place
    while position and not _is_between_ascii(text, position):
        position -= 1
    while position < place:
        following = int(graphemes.grapheme_next_break(text, position))
        if following > place:
            return position
        position = following
    return place


def _is_between_ascii(text: str, place: int) -> bool:
    around = text[place - 1 : place + 1]
    return around.isascii() and around != "\r\n"


def _tidied(text: str, start: int, end: int, matches: Sequence[Match]) -> Snippet:
    """Return `text[start:end]` with white space made plain, and the matches that lie in it as marks."""
    before = ELLIPSIS if text[:start].strip() else ""
    after = ELLIPSIS if text[end:].strip() else ""

    def moved(place: int) -> int:
        """Return where a place of `text` at the start or end of a word lies in the snippet."""
        left = text[start:place]
        tidy = " ".join(left.split())
        return len(before) + len(tidy) + (bool(tidy) and left[-1].isspace())

    marks = tuple(
        (moved(max(match.start, start)), moved(min(match.end, end)))
        for match in matches
        if match.start < end and match.end > start
    )
    return Snippet(before + " ".join(text[start:end].split()) + after, marks)
