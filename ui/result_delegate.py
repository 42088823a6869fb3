"""Paints a result row: title, band and bar, folder and date, snippet with marks, badges.

Texts are elided and laid out once a row and width, and kept; painting only draws what is there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.icons import renderer
from ui.plain_text import is_right_to_left, shown_path
from ui.result_model import DATE_ROLE, HEADING_ROLE, HIT_ROLE, ResultModel
from ui.row_layout import SNIPPET_LINES, RowLayout, RowMetrics, badges_fit, row_layout
from ui.snippet_layout import Measure, snippet_layout
from ui.theme import RADIUS, blend

if TYPE_CHECKING:
    from PySide6.QtSvg import QSvgRenderer

    from core.search.results import Hit, Leg
    from ui.theme import Look


@dataclass(frozen=True, slots=True)
class PreparedRow:
    """A row ready to be painted at one width."""

    layout: RowLayout
    title: str
    folder: str
    date: str
    band: str
    snippet: QTextLayout
    badges: tuple[tuple[Leg, str], ...]
    compatibility: float | None
    heading: str


class ResultDelegate(QStyledItemDelegate):
    """One delegate serves one list; `set_look` before the first paint."""

    def __init__(self, model: ResultModel, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._prepared: dict[int, PreparedRow] = {}
        self._several_selected = False
        self.set_look(look)
        model.modelReset.connect(self.forget_rows)

    def set_look(self, look: Look) -> None:
        """Wear another theme or type scale."""
        self._look = look
        self.metrics = RowMetrics.of(look.scale, tuple(self._model.band_words().values()))
        self._signs: dict[str, QSvgRenderer] = {}
        self._prepared.clear()

    def set_several_selected(self, several: bool) -> None:
        """Say whether more than one row is selected: the current one then wears an outline as well."""
        self._several_selected = several

    def forget_rows(self) -> None:
        """Lay every row out again: other hits, another day or another reading direction."""
        self._prepared.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        above = self.metrics.heading_height if index.data(HEADING_ROLE) else 0
        return QSize(self.metrics.scale.px(200), above + self.metrics.row_height)

    def prepared(self, index: QModelIndex | QPersistentModelIndex, width: int, *, mirror: bool = False) -> PreparedRow:
        """Return the row laid out for `width`, from the store where it is there."""
        kept = self._prepared.get(index.row())
        if kept is None or kept.layout.row.width() != width:
            kept = self._prepared[index.row()] = self._prepare(index, width, mirror=mirror)
        return kept

    def _prepare(self, index: QModelIndex | QPersistentModelIndex, width: int, *, mirror: bool) -> PreparedRow:
        hit: Hit = index.data(HIT_ROLE)
        date: str = index.data(DATE_ROLE)
        metrics = self.metrics
        badges = self._model.badges(hit)
        widths = [metrics.badge_width(text) for _, text, _ in badges]
        long = badges_fit(width, metrics, widths)
        if not long:
            widths = [metrics.badge_width(short) for _, _, short in badges]
        date_width = math.ceil(QFontMetricsF(metrics.small_font).horizontalAdvance(date)) + 1
        layout = row_layout(width, metrics, date_width, widths, right_to_left=mirror)
        inner = layout.snippet_lines[0].width()
        measure = Measure(metrics.snippet_font, inner, metrics.snippet_height, SNIPPET_LINES)
        snippet, _ = snippet_layout(hit.snippet, measure, self._look.theme)
        return PreparedRow(
            layout=layout,
            title=_elided(self._model.title_of(hit), metrics.title_font, layout.title.width()),
            folder=_elided(shown_path(hit.path), metrics.small_font, layout.folder.width()),
            date=date,
            band=self._model.band_word(hit),
            snippet=snippet,
            badges=tuple((leg, text if long else short) for leg, text, short in badges),
            compatibility=hit.compatibility,
            heading=index.data(HEADING_ROLE),
        )

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        mirror = option.direction == Qt.LayoutDirection.RightToLeft
        row = self.prepared(index, option.rect.width(), mirror=mirror)
        theme, layout = self._look.theme, row.layout
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ground = theme.selected if selected else theme.ground
        if not selected and option.state & QStyle.StateFlag.State_MouseOver:
            ground = blend(theme.side, theme.ground, 0.8)

        painter.save()
        painter.translate(option.rect.topLeft())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.heading:
            self._paint_heading(painter, row.heading, option.rect.width(), mirror=mirror)
        painter.fillRect(layout.row, QColor(ground))
        painter.fillRect(layout.line, QColor(theme.line))
        if selected:
            painter.fillRect(layout.stripe, QColor(theme.accent))
        current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if current and (self._several_selected or not selected):
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(layout.row).adjusted(0.5, 0.5, -0.5, -1.5))

        _draw(painter, layout.title, row.title, self.metrics.title_font, theme.text, mirror=mirror)
        _draw(painter, layout.folder, row.folder, self.metrics.small_font, theme.muted, mirror=mirror, natural=False)
        _draw(painter, layout.date, row.date, self.metrics.small_font, theme.muted, mirror=not mirror)
        if row.compatibility is not None:
            _draw(painter, layout.band, row.band, self.metrics.band_font, theme.bar, mirror=not mirror)
            paint_bar(painter, layout.bar, row.compatibility, theme.bar, theme.track, mirror=mirror)
        painter.setPen(QColor(theme.text))
        row.snippet.draw(painter, QPointF(layout.snippet_lines[0].topLeft()))
        for (leg, text), rect in zip(row.badges, layout.badges, strict=True):
            self._paint_badge(painter, rect, leg, text, ground, mirror=mirror)
        painter.restore()

    def _paint_heading(self, painter: QPainter, text: str, width: int, *, mirror: bool) -> None:
        """Paint the heading over a row, and move the row below it."""
        theme, metrics, px = self._look.theme, self.metrics, self._look.px
        painter.fillRect(QRect(0, 0, width, metrics.heading_height - 1), QColor(theme.side))
        painter.fillRect(QRect(0, metrics.heading_height - 1, width, 1), QColor(theme.line))
        place = QRect(px(16), 0, width - 2 * px(16), metrics.heading_height - 1)
        _draw(painter, place, text, metrics.small_font, theme.muted, mirror=mirror)
        painter.translate(0, metrics.heading_height)

    def _paint_badge(self, painter: QPainter, rect: QRect, leg: Leg, text: str, ground: str, *, mirror: bool) -> None:
        px, theme = self._look.px, self._look.theme
        colour = theme.leg(leg)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.badge_ground(leg, ground)))
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        side = px(11)
        x = rect.right() + 1 - px(8) - side if mirror else rect.x() + px(8)
        if leg not in self._signs:
            self._signs[leg] = renderer(leg, colour)
        self._signs[leg].render(painter, QRectF(x, rect.y() + (rect.height() - side) / 2, side, side))
        inside = px(8) + side + px(4)
        place = rect.adjusted(px(8), 0, -inside, 0) if mirror else rect.adjusted(inside, 0, -px(8) + 1, 0)
        _draw(painter, place, text, self.metrics.badge_font, colour, mirror=mirror)


def paint_bar(painter: QPainter, rect: QRect, share: float, bar: str, track: str, *, mirror: bool = False) -> None:
    """Paint a compatibility bar: a track with rounded ends, filled from its start to `share` in [0, 1]."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(track))
    radius = min(RADIUS * rect.height() / 6, rect.height() / 2)
    painter.drawRoundedRect(rect, radius, radius)
    filled = filled_part(rect, share, mirror=mirror)
    painter.setBrush(QColor(bar))
    painter.drawRoundedRect(filled, radius, radius)


def filled_part(rect: QRect, share: float, *, mirror: bool = False) -> QRect:
    """Return the filled part of a bar; a share above nothing is at least as long as the bar is high."""
    length = min(rect.width(), max(rect.height() if share > 0 else 0, round(rect.width() * share)))
    x = rect.right() + 1 - length if mirror else rect.x()
    return QRect(x, rect.y(), length, rect.height())


def _elided(text: str, font: QFont, width: int) -> str:
    return QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, width)


def _draw(
    painter: QPainter, rect: QRect, text: str, font: QFont, colour: str, *, mirror: bool, natural: bool = True
) -> None:
    """Draw one line of plain text, left in its place or right where mirrored.

    With `natural`, a script that is read from right to left starts at the right in any case.
    """
    right = is_right_to_left(text)
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight)
    side = Qt.AlignmentFlag.AlignRight if (right and natural) or mirror else Qt.AlignmentFlag.AlignLeft
    painter.setFont(font)
    painter.setPen(QColor(colour))
    flags = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(rect, int(flags), text)
