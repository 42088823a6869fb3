"""The window's icons: SVG files recoloured for a theme. Depends on Qt and on `resources`."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from resources import ICONS

_SIZES = (16, 20, 24, 32, 48, 64)


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return (ICONS / f"{name}.svg").read_text(encoding="utf-8")


def renderer(name: str, colour: str) -> QSvgRenderer:
    """Return a renderer of the icon `name` with its strokes in `colour`."""
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Return the icon as a square of `size` logical pixels for a screen of the given pixel ratio."""
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer(name, colour).render(painter, QRectF(0, 0, picture.width(), picture.height()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """Return the icon in the usual sizes; `disabled` is its colour on a disabled control."""
    result = QIcon()
    for size in _SIZES:
        result.addPixmap(pixmap(name, colour, size))
        if disabled is not None:
            result.addPixmap(pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return result
