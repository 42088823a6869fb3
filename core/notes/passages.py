"""Where a note is cut into passages, and the text of a passage that is embedded. Depends on apsw for graphemes.

Break points are scored by kind and by distance from the wanted length (as qmd does), and the best one wins: a heading,
a blank line, the end of a list item or line, the end of a sentence, a word; where there is none of them, the end of a
grapheme. No cut ever goes through a grapheme. A form feed, which the end of front matter leaves, always cuts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from hashlib import sha256

import apsw.unicode

from core.notes.note import Heading, Note, Passage

PASSAGE_RULES = "passages/v1"
"""Part of the index's fingerprint: a change of these rules changes every passage and vector."""

TARGET = 500
"""Characters: 111 tokens in the median, 164 at most, measured; the model reads 512 and speed falls with length."""

MAX_LENGTH = 800
MAX_PASSAGES = 65_536
"""What the index can number in one note."""

_SHOWN_HEADING = 120
"""Characters of a heading in a path: the path is stored with every passage under it."""

_HEADING, _BLANK, _LINE, _SENTENCE, _WORD, _END = 100.0, 60.0, 40.0, 30.0, 10.0, 100.0
_FALLOFF = 0.7
"""A break point nearly a target's length away keeps three tenths of its score, so a near line beats a far heading."""

# Begins with a set of characters, so that `re` can skip what holds none of them: a third less time.
_BREAK = re.compile(r"[\n.!?…。！？](?:(?<=\n)\s*|(?<=[.!?…])[.!?…]*[\"'”’)\]]*[ \t]+|(?<=[。！？])[」』”）]*)")
_SPACE = re.compile(r"\s+")


def cut_passages(note: Note) -> tuple[Passage, ...]:
    """Return the passages of a note in order: contiguous, not overlapping, together all of its text but white space."""
    spans = list(_spans(note, TARGET))
    scale = 1
    while len(spans) > MAX_PASSAGES:
        scale *= 2
        spans = list(_spans(note, TARGET * scale))
    paths = _heading_paths(note.headings)
    offsets = [heading.offset for heading in note.headings]
    places = [place.offset for place in note.places]
    passages = []
    line, counted = 1, 0
    for ordinal, (start, end) in enumerate(spans):
        line += note.text.count("\n", counted, start)
        counted = start
        above = bisect_right(offsets, start)
        heading = paths[above - 1] if above else ""
        text = note.text[start:end]
        if places:
            place = note.places[max(0, bisect_right(places, start) - 1)].name
            passages.append(Passage(ordinal, text, start, None, heading, place))
        else:
            passages.append(Passage(ordinal, text, start, line, heading))
    return tuple(passages)


def embedded_text(title: str, passage: Passage | str) -> str:
    """Return the text that is embedded for a passage: the note's title, a newline, the passage on one line."""
    text = passage if isinstance(passage, str) else passage.text
    return f"{' '.join(title.split())}\n{' '.join(text.split())}"


def passage_hash(embedded: str) -> bytes:
    """Return the 16 bytes (SHA-256, cut) by which a vector is found again for the same embedded text."""
    return sha256(embedded.encode("utf-8", "surrogatepass")).digest()[:16]


def _spans(note: Note, target: int) -> Iterator[tuple[int, int]]:
    text = note.text
    headings = [heading.offset for heading in note.headings]
    position, length = 0, len(text)
    while position < length:
        feed = text.find("\f", position)
        end = length if feed < 0 else feed
        while position < end:
            cut = _cut(text, position, end, headings, target)
            start, stop = _trimmed(text, position, cut)
            if start < stop:
                yield start, stop
            position = cut
        position = end + 1


def _cut(text: str, start: int, end: int, headings: list[int], target: int) -> int:
    """Return the best offset at which to end the passage that begins at `start`."""
    limit = start + target * MAX_LENGTH // TARGET
    # Leading white space is no passage: a heading after blank lines is where this one begins.
    first = start
    while first < end and text[first].isspace():
        first += 1
    stop = limit if limit < end else end  # noqa: FURB136 - twice as quick as min
    points: list[tuple[int, float]] = [(end, _END)] if end <= limit else []
    if first >= stop:
        return end if points else first
    heading = bisect_left(headings, first + 1)
    while heading < len(headings) and headings[heading] <= stop:
        points.append((headings[heading], _HEADING))
        heading += 1
    for match in _BREAK.finditer(text, first, stop):
        kind = match[0]
        if kind[0] != "\n":
            points.append((match.end(), _SENTENCE))
        else:
            points.append((match.start() + 1, _LINE if kind == "\n" or kind.count("\n") == 1 else _BLANK))
    best = _best(text, start, target, points)
    if best > start:
        return best
    best = _best(text, start, target, [(match.end(), _WORD) for match in _SPACE.finditer(text, first, stop)])
    return best if best > start else _grapheme_end(text, start, min(start + target, end), end)


def _best(text: str, start: int, target: int, points: list[tuple[int, float]]) -> int:
    """Return which of the offsets and their weights scores best, the first of equals; -1 without one."""
    best, best_score = -1, 0.0
    wanted = start + target
    for position, weight in points:
        distance = (position - wanted) / target
        score = weight * (1.0 - _FALLOFF * distance * distance)
        if score > best_score and is_boundary(text, position):
            best, best_score = position, score
    return best


def is_boundary(text: str, position: int) -> bool:
    """Tell whether a cut before `position`, right after a break character, leaves every grapheme whole."""
    if position <= 0 or position >= len(text) or text.isascii():
        return True
    pair = text[position - 1 : position + 1]
    return pair.isascii() or bool(apsw.unicode.grapheme_next_break(pair, 0) == 1)


def _grapheme_end(text: str, start: int, wanted: int, end: int) -> int:
    """Return the last grapheme break at or before `wanted`, or the first one after `start` where there is none."""
    window = text[start : min(wanted + 64, end)]
    position = 0
    while position < len(window):
        following = apsw.unicode.grapheme_next_break(window, position)
        if start + following > wanted and position:
            break
        position = following
        if start + position >= wanted:
            break
    # A grapheme longer than the window (a letter under hundreds of marks) is followed to its own end.
    if start + position < end and position == len(window):
        position = apsw.unicode.grapheme_next_break(text[start:end], 0)
    return start + max(position, 1)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the white space around it, but for what a grapheme at its edge needs."""
    piece = text[start:end]
    first = start + len(piece) - len(piece.lstrip())
    last = start + len(piece.rstrip())
    if first >= last:
        return start, start
    if first > start and not is_boundary(text, first):
        first -= 1
    if last < end and not is_boundary(text, last):  # some Arabic signs take the following character along
        last += 1
    return first, last


def _heading_paths(headings: tuple[Heading, ...]) -> list[str]:
    """Return for each heading the headings it stands under and itself, joined."""
    paths = []
    open_headings: list[Heading] = []
    for heading in headings:
        while open_headings and open_headings[-1].level >= heading.level:
            open_headings.pop()
        open_headings.append(heading)
        paths.append(" › ".join(each.text[:_SHOWN_HEADING] for each in open_headings))
    return paths
