"""A snippet laid out on at most two lines, elided, with its marks. Depends on Qt's text layout alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextOption

from ui.plain_text import is_right_to_left, utf16_spans, with_natural_direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.search.results import Snippet
    from ui.theme import Theme

_Marks: TypeAlias = "tuple[tuple[int, int], ...]"
_LONGEST = 1200  # characters that two lines of the widest window can hold, with room to spare


@dataclass(frozen=True, slots=True)
class Measure:
    """What a snippet is laid out in: a font, a width, the pitch of its lines and how many there are."""

    font: QFont
    width: int
    line_height: int
    lines: int


def snippet_layout(snippet: Snippet, measure: Measure, theme: Theme) -> tuple[QTextLayout, str]:
    """Return the laid out snippet and the text it shows.

    Lines lie the measure's pitch apart whatever fonts the glyphs come from: a row with emoji is as high as any other.
    """
    text, marks = _flattened(snippet)
    _, ends = _laid_out(text, measure)
    # The ellipsis takes the room of a few letters from the last line.
    if len(ends) > measure.lines and marks and _units(text, marks[0][1]) > ends[measure.lines - 1] - 3:
        text, marks = _begun_later(text, marks, measure)
        _, ends = _laid_out(text, measure)
    shown = len(text)
    if len(ends) > measure.lines:
        start = _code_points(text, ends[measure.lines - 2]) if measure.lines > 1 else 0
        text = _elided(text, start, measure)
        shown = len(text) - 1  # a mark does not cover the ellipsis
    formats = _mark_formats(text, ((s, min(e, shown)) for s, e in marks if s < shown), theme)
    return _laid_out(text, measure, formats)[0], text


def _units(text: str, place: int) -> int:
    ((_, units),) = utf16_spans(text, [(0, place)])
    return units


def _begun_later(text: str, marks: _Marks, measure: Measure) -> tuple[str, _Marks]:
    """Return the text from shortly before its first mark on, after an ellipsis, and the marks in it.

    About a third of the lines' room goes before the mark; the text begins at a word where one is near.
    """
    first = marks[0][0]
    metrics = QFontMetricsF(measure.font)
    room = measure.width * measure.lines / 3
    start = first // 2
    while start < first and metrics.horizontalAdvance(text[start:first]) > room:
        start += (first - start + 1) // 2
    word = text.find(" ", start, first)
    start = word + 1 if word >= 0 else start
    return f"…{text[start:]}", tuple((s - start + 1, e - start + 1) for s, e in marks if s >= start)


def _flattened(snippet: Snippet) -> tuple[str, _Marks]:
    """Return the text with every white space character as one blank: positions stay, lines do not break.

    A direction that a note turned and never turned back would turn the row's ellipsis and marks with it.
    """
    text = "".join(" " if character.isspace() or character < " " else character for character in snippet.text)
    marks = tuple((start, end) for start, end in snippet.marks if end <= _LONGEST)
    return with_natural_direction(text[:_LONGEST]), marks


def _laid_out(
    text: str, measure: Measure, formats: Sequence[QTextLayout.FormatRange] = ()
) -> tuple[QTextLayout, list[int]]:
    layout = QTextLayout(text, measure.font)
    layout.setFormats(list(formats))  # before the lines: formats set later throw them away
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    right = is_right_to_left(text)
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight)
    option.setAlignment(Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
    layout.setTextOption(option)
    ascent = QFontMetricsF(measure.font).ascent()
    ends: list[int] = []
    layout.beginLayout()
    while len(ends) <= measure.lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(measure.width)
        line.setPosition(QPointF(0, len(ends) * measure.line_height + ascent - line.ascent()))
        ends.append(line.textStart() + line.textLength())
    layout.endLayout()
    return layout, ends


def _code_points(text: str, units: int) -> int:
    """Return how many characters of `text` the first `units` UTF-16 units are."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "surrogatepass"))


def _elided(text: str, last_line: int, measure: Measure) -> str:
    """Return `text` cut so that it ends in an ellipsis on its last line, which starts at `last_line`."""
    low, high = last_line, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        candidate = text[:middle].rstrip() + "…"
        if len(_laid_out(candidate, measure)[1]) <= measure.lines:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip().removesuffix("…") + "…"


def _mark_formats(text: str, marks: Iterable[tuple[int, int]], theme: Theme) -> list[QTextLayout.FormatRange]:
    look = QTextCharFormat()
    look.setBackground(QBrush(QColor(theme.mark)))
    look.setForeground(QBrush(QColor(theme.text)))
    formats = []
    for start, end in utf16_spans(text, marks):
        span = QTextLayout.FormatRange()
        span.start, span.length, span.format = start, end - start, look
        formats.append(span)
    return formats
