"""Which part of a note is rendered at once: as much as Qt lays out within a moment, around one line. Pure.

Costs are microseconds on a slow machine, measured with Qt 6.10: laying a table cell out takes two hundred, a list item
twenty-five, a letter less than one. So the main thread is never held up, however the note is made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BUDGET = 15_000
"""Microseconds for one part: with marks and painting it stays below 30 ms."""

_LINE, _ITEM, _CELL, _MARKUP, _LETTER, _WIDE_LETTER = 14.0, 18.0, 110.0, 8.0, 0.7, 4.0
_RUN = 1.6e-4  # a run of letters without a blank costs by its square
_LONG_RUN = 1_000
_MOST_COLUMNS = 24
_WINDOW = 200_000  # characters to each side of the line that are looked at, so that a huge file costs no more
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_LIST_ITEM = re.compile(r"\s*(?:[-+*]|\d{1,9}[.)])\s")
_INLINE = re.compile(r"[`*_\[~<\\]")


@dataclass(frozen=True, slots=True)
class Part:
    """Markdown of the body's lines `first` (from 0) to `last` (not included), of `total`; `cut` ones are not whole."""

    text: str
    first: int
    last: int
    total: int
    cut: bool = False

    @property
    def shortened(self) -> bool:
        """Whether anything of the body is missing."""
        return self.cut or self.first > 0 or self.last < self.total


def part_around(body: str, line: int, probe: str = "", budget: float = BUDGET) -> Part:
    """Return the part of `body` around its `line` (from 1), half of the budget to each side, what is left to the other.

    A line that is too long alone is cut around `probe`. A part that begins within a table or within fenced code gets
    the table's head or the fence before it.
    """
    return _part(body, line, probe, budget, 0.5)


def part_from(body: str, line: int, budget: float = BUDGET) -> Part:
    """Return the part of `body` that begins with its `line` (from 1)."""
    return _part(body, line, "", budget, 0.0)


def part_until(body: str, line: int, budget: float = BUDGET) -> Part:
    """Return the part of `body` that ends with its `line` (from 1)."""
    return _part(body, line, "", budget, 1.0)


def _part(body: str, line: int, probe: str, budget: float, before: float) -> Part:
    text, passed = body, 0
    total = body.count("\n") + (not body.endswith("\n"))
    if len(body) > 2 * _WINDOW:
        place = _offset_of(body, line)
        start = body.rfind("\n", 0, max(0, place - _WINDOW)) + 1
        end = body.find("\n", place + _WINDOW) + 1 or len(body)
        text, passed = body[start:end], body.count("\n", 0, start)
    lines = _kept_ends(text)
    if not lines:
        return Part("", 0, 0, 0)
    shape = _Shape(lines)
    middle = min(max(line - 1 - passed, 0), len(lines) - 1)
    shown, cut = _bounded(lines[middle], shape.columns.get(middle, 0), probe, budget)
    picked = {middle: shown}
    left = budget - shape.cost(middle, shown)
    first, last = middle, middle + 1
    # What is not used before goes after, and then what is not used after goes before.
    for share, step in ((before, -1), (1.0, 1), (1.0, -1)):
        room = left * share
        while True:
            index = first - 1 if step < 0 else last
            if not 0 <= index < len(lines):
                break
            short, was_cut = _bounded(lines[index], shape.columns.get(index, 0), "", budget)
            cost = shape.cost(index, short)
            if cost > room:
                break
            room, left = room - cost, left - cost
            picked[index] = short
            cut = cut or was_cut
            first, last = min(first, index), max(last, index + 1)
        if (before == 0.0 and step > 0) or (before == 1.0 and step < 0):
            break
    shown_lines = [picked[index] for index in range(first, last)]
    if first and not shape.opening(first):
        shown_lines = _dedented(shown_lines)
    return Part("".join((*shape.opening(first), *shown_lines)), first + passed, last + passed, total, cut)


def _dedented(lines: list[str]) -> list[str]:
    """Return lines that begin within an outline as far left as its first: Markdown would read them as code."""
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
    inside = len(lines)
    if indent:
        inside = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith(indent)), inside)
    return [line.removeprefix(indent) for line in lines[:inside]] + lines[inside:]


def _kept_ends(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _offset_of(text: str, line: int) -> int:
    """Return where a line (from 1) begins; halves are counted, since a loop over lines would take a second."""
    low, high, wanted = 0, len(text), line - 1
    while high - low > 1:
        middle = (low + high) // 2
        inside = text.count("\n", low, middle)
        if inside >= wanted:
            high = middle
        else:
            wanted -= inside
            low = middle
    return low


class _Shape:
    """What Qt will make of each line: code, a table's row with so many columns, or text."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.columns: dict[int, int] = {}
        self._heads: dict[int, int] = {}
        self._fences: dict[int, str] = {}
        fence, head, columns = "", -1, 0
        for index, line in enumerate(lines):
            opening = _FENCE.match(line) if line.lstrip(" ")[:1] in ("`", "~") else None
            if fence:
                self._fences[index] = fence
                if opening and opening[1].startswith(fence) and not line.strip().strip(fence[0]):
                    fence = ""
            elif opening:
                fence, head = opening[1], -1
            elif head >= 0:
                if line.strip():
                    self.columns[index], self._heads[index] = columns, head
                else:
                    head = -1
            elif index and "|" in line and _RULER.fullmatch(line.rstrip("\n")) and "|" in lines[index - 1]:
                head, columns = index - 1, lines[index - 1].strip().strip("|").count("|") + 1
                self.columns[head] = self.columns[index] = columns
                self._heads[index] = head

    def opening(self, first: int) -> list[str]:
        """Return what must stand before the line `first`, where it is not the first of what it belongs to."""
        if first in self._fences:
            return [f"{self._fences[first]}\n"]
        head = self._heads.get(first)
        if head is None:
            return []
        rows = self._lines[head : min(head + 2, first)]
        return [_bounded(row, self.columns[head], "", BUDGET)[0] for row in rows]

    def cost(self, index: int, line: str) -> float:
        """Return what it takes to render a line."""
        cost = _LINE + len(line) * (_LETTER if line.isascii() else _WIDE_LETTER)
        if len(line) > _LONG_RUN:
            cost += max(map(len, line.split()), default=0) ** 2 * _RUN
        if index in self.columns:
            return cost + min(self.columns[index], _MOST_COLUMNS) * _CELL
        if index in self._fences:
            return cost
        if _LIST_ITEM.match(line):
            cost += _ITEM
        return cost + _MARKUP * len(_INLINE.findall(line))


def _bounded(line: str, columns: int, probe: str, budget: float) -> tuple[str, bool]:
    """Return a line short enough to be rendered, cut around `probe`, and whether it was cut."""
    if columns > _MOST_COLUMNS:
        cells = line.strip().strip("|").split("|")
        return f"|{'|'.join(cells[:_MOST_COLUMNS])}|\n", True
    rate = _LETTER if line.isascii() else _WIDE_LETTER
    most = int(0.8 * budget / rate)
    if len(line) > _LONG_RUN:
        longest = max(map(len, line.split()), default=0)
        if longest > _LONG_RUN:
            most = min(most, max(_LONG_RUN, int((0.5 * budget / _RUN) ** 0.5)))
        most = min(most, max(_LONG_RUN, int(0.8 * budget / (rate + _MARKUP * len(_INLINE.findall(line)) / len(line)))))
    if len(line) <= most:
        return line, False
    words = r"\s+".join(map(re.escape, probe.split()[:5]))
    found = re.search(words, line) if words else None
    start = max(0, min((found.start() if found else 0) - most // 2, len(line) - most))
    return f"{'… ' if start else ''}{line[start : start + most].strip()} …\n", True
