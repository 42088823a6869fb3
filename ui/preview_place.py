"""Where a passage lies in a rendered note's plain text. Pure; positions are code points."""

from __future__ import annotations

import re

_LONGEST_PROBE = 40  # words; more cost time and find no other place
_WINDOW = 5  # words that are thought to name one place in a note
_ENOUGH = 200  # occurrences looked at


def passage_span(plain: str, passage: str, relative: float) -> tuple[int, int]:
    """Return the [start, end) span of `passage` in `plain`, all white space being equal.

    Where the whole is not there (Markdown reads some marks away), a line of it or a few words in a row stand for it;
    of several places the one nearest to `relative` (in [0, 1], the line's place in the file) is taken.
    Where nothing is found the span is empty and lies at the relative place.
    """
    expected = round(relative * len(plain))
    for probe in _probes(passage):
        places = []
        for number, found in enumerate(re.finditer(r"\s+".join(map(re.escape, probe)), plain)):
            places.append(found.span())
            if number >= _ENOUGH:
                break
        if places:
            return min(places, key=lambda span: (abs(span[0] - expected), span))
    return expected, expected


def _probes(passage: str) -> list[list[str]]:
    words = passage.split()
    if not words:
        return []
    probes = [words[:_LONGEST_PROBE]]
    lines = [line.split() for line in passage.splitlines()]
    probes += [line[:_LONGEST_PROBE] for line in lines if len(line) >= _WINDOW]
    probes += [words[start : start + _WINDOW] for start in range(0, min(len(words), 200) - _WINDOW + 1, 2)]
    longest = max(words, key=len)
    if len(longest) > 2 * _WINDOW:
        probes.append([longest])
    return probes


def current_mark(marks: list[tuple[int, int]], span: tuple[int, int]) -> int | None:
    """Return which mark is looked at first: the first in the passage, else the one nearest to it."""
    if not marks:
        return None
    start, end = span
    for number, (mark_start, mark_end) in enumerate(marks):
        if start <= mark_start and mark_end <= end:
            return number
    return min(range(len(marks)), key=lambda number: (abs(marks[number][0] - start), number))


def nearest_line(plain: str, line: str, number: int) -> int:
    """Return the number, from 0, of the line of `plain` that reads like `line` and is nearest to `number`.

    Where none does, the one at `number` stands for it, or the last.
    """
    lines = plain.split("\n")
    same = [place for place, text in enumerate(lines) if text == line]
    if same:
        return min(same, key=lambda place: (abs(place - number), place))
    return min(number, len(lines) - 1)
