"""Where the parts of a result row lie, as numbers. Pure geometry: no painting, no state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QFontMetricsF

from core.search.results import Band
from ui.theme import TypeScale, mirrored

if TYPE_CHECKING:
    from collections.abc import Sequence

SNIPPET_LINES = 2


def _height(font: QFont) -> int:
    return math.ceil(QFontMetricsF(font).height())


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """Fonts and lengths of a row, from the type scale; the row's height follows from them and from nothing else."""

    scale: TypeScale
    title_font: QFont
    small_font: QFont
    band_font: QFont
    snippet_font: QFont
    badge_font: QFont
    title_height: int
    small_height: int
    snippet_height: int
    badge_height: int
    band_width: int

    @staticmethod
    def of(scale: TypeScale, band_words: Sequence[str] = tuple(Band)) -> RowMetrics:
        """Measure the fonts. `band_words` are the words that the band column must hold, so that it never moves."""
        title, small, band = scale.font(14, strong=True), scale.font(11), scale.font(11, strong=True)
        snippet, badge = scale.font(12), scale.font(11, strong=True)
        widest = max(QFontMetricsF(band).horizontalAdvance(word) for word in band_words)
        return RowMetrics(
            scale=scale,
            title_font=title,
            small_font=small,
            band_font=band,
            snippet_font=snippet,
            badge_font=badge,
            title_height=_height(title),
            small_height=_height(small),
            snippet_height=_height(snippet) + scale.px(2),
            badge_height=_height(badge) + scale.px(4),
            band_width=math.ceil(widest),
        )

    @property
    def row_height(self) -> int:
        """The height of every row, line included."""
        px = self.scale.px
        return (
            px(12)
            + self.title_height
            + px(4)
            + self.small_height
            + px(4)
            + SNIPPET_LINES * self.snippet_height
            + px(8)
            + self.badge_height
            + px(12)
            + 1
        )

    @property
    def heading_height(self) -> int:
        """The height of a heading over a row."""
        return self.small_height + self.scale.px(12)

    def badge_width(self, text: str) -> int:
        """Return the width of a badge: padding, sign, gap, text, padding."""
        px = self.scale.px
        return 2 * px(8) + px(11) + px(4) + math.ceil(QFontMetricsF(self.badge_font).horizontalAdvance(text))


@dataclass(frozen=True, slots=True)
class RowLayout:
    """The places of a row's parts, relative to the row's top left corner."""

    row: QRect
    stripe: QRect
    title: QRect
    band: QRect
    bar: QRect
    folder: QRect
    date: QRect
    snippet_lines: tuple[QRect, ...]
    badges: tuple[QRect, ...]
    line: QRect


def row_layout(
    width: int, metrics: RowMetrics, date_width: int, badge_widths: Sequence[int], *, right_to_left: bool = False
) -> RowLayout:
    """Lay a row of `width` pixels out; the whole row is mirrored where the window is read from right to left.

    Band and bar keep their place in an interim row, which shows neither: nothing shifts when they come.
    """
    px = metrics.scale.px
    left, right, gap = px(16), width - px(16), px(12)
    inner = max(0, right - left)
    bar_width = min(px(96), inner // 5)
    bar_height = px(6)

    y = px(12)
    bar = QRect(right - bar_width, y + (metrics.title_height - bar_height + 1) // 2, bar_width, bar_height)
    band = QRect(bar.x() - px(8) - metrics.band_width, y, metrics.band_width, metrics.title_height)
    title = QRect(left, y, max(0, band.x() - gap - left), metrics.title_height)
    y += metrics.title_height + px(4)
    date = QRect(right - date_width, y, date_width, metrics.small_height)
    folder = QRect(left, y, max(0, date.x() - gap - left), metrics.small_height)
    y += metrics.small_height + px(4)
    snippet = tuple(
        QRect(left, y + index * metrics.snippet_height, inner, metrics.snippet_height) for index in range(SNIPPET_LINES)
    )
    y += SNIPPET_LINES * metrics.snippet_height + px(8)
    badges = []
    x = left
    for badge_width in badge_widths:
        badges.append(QRect(x, y, badge_width, metrics.badge_height))
        x += badge_width + px(6)
    height = metrics.row_height
    layout = RowLayout(
        row=QRect(0, 0, width, height),
        stripe=QRect(0, 0, px(3), height - 1),
        title=title,
        band=band,
        bar=bar,
        folder=folder,
        date=date,
        snippet_lines=snippet,
        badges=tuple(badges),
        line=QRect(0, height - 1, width, 1),
    )
    return _mirrored(layout, width) if right_to_left else layout


def badges_fit(width: int, metrics: RowMetrics, badge_widths: Sequence[int]) -> bool:
    """Say whether badges of these widths fit on their line; where not, the row shows short ones."""
    px = metrics.scale.px
    return sum(badge_widths) + px(6) * max(0, len(badge_widths) - 1) <= width - 2 * px(16)


def _mirrored(layout: RowLayout, width: int) -> RowLayout:
    return RowLayout(
        row=layout.row,
        stripe=mirrored(layout.stripe, width),
        title=mirrored(layout.title, width),
        band=mirrored(layout.band, width),
        bar=mirrored(layout.bar, width),
        folder=mirrored(layout.folder, width),
        date=mirrored(layout.date, width),
        snippet_lines=tuple(mirrored(rect, width) for rect in layout.snippet_lines),
        badges=tuple(mirrored(rect, width) for rect in layout.badges),
        line=layout.line,
    )
