"""What of a passage is shown, and which of its words are marked. Pure but for the index's tokenizer.

Words are marked as the index cuts and folds them, so what is marked is what was found.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from apsw import unicode as graphemes

from core.index.tokens import is_unspaced
from core.notes.folding import fold_with_map
from core.search.results import Snippet
from core.search.substring import LITERAL
from core.search.terms import PREFIX

if TYPE_CHECKING:
    from core.index.tokenizer import Tokenizer

SNIPPET_LENGTH = 220
"""Code points: two to three lines of the list."""

ELLIPSIS = "…"

_RUN = re.compile(r"\S+")

Span = tuple[int, int]

_Wanted = tuple[str, tuple[str, ...], bool]
"""A word of a query, the words it is cut into, and whether the last of them is a beginning."""


@dataclass(frozen=True, slots=True)
class Match:
    """A word of a text that a query asked for: its [start, end) in code points, and the query's word."""

    start: int
    end: int
    word: str


def matches_in(text: str, words: Sequence[str], tokenizer: Tokenizer) -> list[Match]:
    """Return the words of `text` that a query asked for, in the order of the text; they may overlap.

    `words` are keys of spellings: folded words, several joined by a space where they follow each other, with a `*` at
    the end of a beginning; or `=` and a text that counts wherever it stands.
    """
    found = [match for word in words if word.startswith(LITERAL) for match in _literal_matches(text, word)]
    wanted: dict[str, list[_Wanted]] = {}
    beginnings: list[tuple[str, str]] = []
    for word in words:
        tokens = tuple(word.removesuffix(PREFIX).split(" "))
        prefix = word.endswith(PREFIX)
        if word.startswith(LITERAL):
            continue
        if prefix and len(tokens) == 1:
            if is_unspaced(tokens[0]):
                # One character of a script without spaces: it stands in the middle and at the end of words too.
                found += _unit_matches(text, tokens[0], word)
            else:
                beginnings.append((tokens[0], word))
        else:
            wanted.setdefault(tokens[0], []).append((word, tokens, prefix))
    if not wanted and not beginnings:
        return sorted(found, key=_place)
    cut = tokenizer.cut(text)
    asked = [*_asked_words(cut.words, wanted), *_asked_beginnings(cut.words, beginnings)]
    if asked:
        spans = cut.spans((first, last) for first, last, _word in asked)
        found += [Match(start, end, word) for (start, end), (_first, _last, word) in zip(spans, asked, strict=True)]
    if not all(map(str.isascii, wanted)):
        # Words with a symbol stand here in private-use characters, and in the text with the symbol.
        found += [
            Match(one.start, one.end, word)
            for one in tokenizer.literals(text)
            for word, tokens, _prefix in wanted.get(one.folded, ())
            if len(tokens) == 1
        ]
    return sorted(found, key=_place)


def _asked_words(cut: Sequence[str], wanted: Mapping[str, Sequence[_Wanted]]) -> Iterator[tuple[int, int, str]]:
    """Yield the first and the last of the words that were asked for, and for which word of the query they stand."""
    for index in [index for index, one in enumerate(cut) if one in wanted]:
        for word, tokens, prefix in wanted[cut[index]]:
            if len(tokens) == 1 or _follow(cut[index : index + len(tokens)], tokens, prefix=prefix):
                yield index, index + len(tokens) - 1, word


def _asked_beginnings(cut: Sequence[str], beginnings: Sequence[tuple[str, str]]) -> Iterator[tuple[int, int, str]]:
    starts = tuple(start for start, _word in beginnings)
    for index in [index for index, one in enumerate(cut) if one.startswith(starts)] if starts else ():
        yield index, index, next(word for start, word in beginnings if cut[index].startswith(start))


def _literal_matches(text: str, word: str) -> Iterator[Match]:
    literal = word.removeprefix(LITERAL)
    place = text.find(literal) if literal else -1
    while place >= 0:
        yield Match(place, place + len(literal), word)
        place = text.find(literal, place + len(literal))


def _unit_matches(text: str, unit: str, word: str) -> Iterator[Match]:
    folded = fold_with_map(text)
    place = folded.text.find(unit)
    while place >= 0:
        yield Match(*folded.original_span(place, place + len(unit)), word)
        place = folded.text.find(unit, place + len(unit))


def _follow(cut: Sequence[str], tokens: Sequence[str], *, prefix: bool) -> bool:
    """Return whether words are the tokens one after the other, the last one as a beginning where `prefix`."""
    if prefix:
        return len(cut) == len(tokens) and (*cut[:-1],) == (*tokens[:-1],) and cut[-1].startswith(tokens[-1])
    return (*cut,) == (*tokens,)


def _place(match: Match) -> tuple[int, int, str]:
    return match.start, -match.end, match.word


def _merged(matches: Iterable[Match]) -> list[Span]:
    """Return the spans of matches in order, those that overlap as one."""
    spans: list[Span] = []
    for match in matches:
        if spans and match.start < spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], match.end)
        else:
            spans.append((match.start, match.end))
    return spans


def marks_in(text: str, words: Sequence[str], tokenizer: Tokenizer) -> list[Span]:
    """Return the [start, end) spans of `text`, in code points and ascending, that `matches_in` finds."""
    return _merged(matches_in(text, words, tokenizer))


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


def _window(text: str, matches: Sequence[Match]) -> Span:
    """Return the part of `text` to show: the one with most distinct words, then most matches, then the first."""
    if len(text) <= SNIPPET_LENGTH:
        return 0, len(text)
    first, last = 0, 0
    best = (0, 0)
    starts = [match.start for match in matches]
    for index, match in enumerate(matches):
        limit = match.start + SNIPPET_LENGTH
        within = _up_to(limit, matches[index : bisect_right(starts, limit)])
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

    shown = text[start:end]
    runs = [match.span() for match in _RUN.finditer(shown)]
    ends = [last for _first, last in runs]
    # Where each run lies in the snippet, one space after the run before it.
    places = list(accumulate((last - first + 1 for first, last in runs), initial=len(before)))

    def moved(place: int) -> int:
        """Return where a place of `text` at the start or end of a word lies in the snippet."""
        run = bisect_left(ends, place - start)
        if run == len(runs):  # behind the last run
            return places[run] - (not shown[: place - start][-1:].isspace())
        first, _last = runs[run]
        return places[run] + max(0, place - start - first)

    marks = tuple(
        (moved(max(first, start)), moved(min(last, end)))
        for first, last in _merged(matches)
        if first < end and last > start
    )
    return Snippet(before + " ".join(shown.split()) + after, marks)
