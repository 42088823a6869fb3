"""Colours, type scale and spacing of the window: light, dark, and both in high contrast; follows the system.

Depends on Qt alone. Every pair of text and ground that the window uses is listed in `text_pairs`, so that a test can
measure its contrast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette, QStyleHints

from core.search.results import Leg

if TYPE_CHECKING:
    from collections.abc import Iterator

BADGE_TINT = 0.12  # share of a leg's own colour in the ground of its badge
SYSTEM_PIXELS = 12  # the type scale is written for a system font of this height
RADIUS = 3


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours, each as "#rrggbb"; the roles are those of the look sheet."""

    name: str
    ground: str
    side: str
    line: str
    pressed: str
    text: str
    muted: str
    selected: str
    words: str
    meaning: str
    links: str
    bar: str
    track: str
    mark: str
    current_mark: str
    current_mark_text: str
    accent: str
    accent_text: str
    notice: str
    problem: str
    done: str

    def leg(self, leg: Leg) -> str:
        """Return the colour of a leg."""
        return {Leg.WORDS: self.words, Leg.MEANING: self.meaning, Leg.LINKS: self.links}[leg]

    def badge_ground(self, leg: Leg, ground: str) -> str:
        """Return the ground of a leg's badge that lies on `ground`: a tint of the leg's own colour."""
        return blend(self.leg(leg), ground, BADGE_TINT)

    def palette(self) -> QPalette:
        """Return the Qt palette, so that native controls wear the same colours."""
        palette = QPalette()
        roles = QPalette.ColorRole
        for role, colour in (
            (roles.Window, self.side),
            (roles.WindowText, self.text),
            (roles.Base, self.ground),
            (roles.AlternateBase, self.side),
            (roles.Text, self.text),
            (roles.Button, self.side),
            (roles.ButtonText, self.text),
            (roles.BrightText, self.text),
            (roles.ToolTipBase, self.side),
            (roles.ToolTipText, self.text),
            (roles.PlaceholderText, self.muted),
            (roles.Highlight, self.accent),
            (roles.HighlightedText, self.accent_text),
            (roles.Accent, self.accent),
            (roles.Link, self.words),
            (roles.LinkVisited, self.meaning),
            (roles.Light, blend(self.ground, self.side, 0.5)),
            (roles.Midlight, self.line),
            (roles.Mid, self.line),
            (roles.Dark, blend(self.muted, self.line, 0.4)),
            (roles.Shadow, self.muted),
        ):
            palette.setColor(role, QColor(colour))
        for role in (roles.WindowText, roles.Text, roles.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(blend(self.muted, self.side, 0.7)))
        return palette


LIGHT = Theme(
    name="light",
    ground="#ffffff",
    side="#f6f7f9",
    line="#e3e6ea",
    pressed="#e3e6ea",
    text="#1c2330",
    muted="#5b6675",
    selected="#e8f0fe",
    words="#1557b0",
    meaning="#7a34a8",
    links="#0b6b57",
    bar="#434f9c",
    track="#dfe3f0",
    mark="#fff1b8",
    current_mark="#ffc94d",
    current_mark_text="#1c2330",
    accent="#1557d0",
    accent_text="#ffffff",
    notice="#eaf1fd",
    problem="#fff0d6",
    done="#e4f5ea",
)

DARK = Theme(
    name="dark",
    ground="#171a21",
    side="#1e222b",
    line="#303644",
    pressed="#303644",
    text="#e6e9ef",
    muted="#a0aab8",
    selected="#243452",
    words="#8ab4ff",
    meaning="#d3a4ff",
    links="#7fd6c0",
    bar="#b9c2ff",
    track="#3a4058",
    mark="#5c4a10",
    current_mark="#f0c453",
    current_mark_text="#171a21",
    accent="#8ab4ff",
    accent_text="#10131a",
    notice="#22304a",
    problem="#46340f",
    done="#17382b",
)

HIGH_CONTRAST_LIGHT = replace(
    LIGHT,
    name="high-contrast-light",
    side="#ffffff",
    line="#000000",
    pressed="#d9d9d9",
    text="#000000",
    muted="#2b2b2b",
    selected="#e6eeff",
    words="#00327a",
    meaning="#4d0f74",
    links="#00473a",
    bar="#1b2570",
    track="#c9cde0",
    mark="#ffe98a",
    current_mark="#ffb000",
    current_mark_text="#000000",
    accent="#0037a6",
)

HIGH_CONTRAST_DARK = replace(
    DARK,
    name="high-contrast-dark",
    ground="#000000",
    side="#262626",
    line="#ffffff",
    pressed="#4a4a4a",
    text="#ffffff",
    muted="#d9d9d9",
    selected="#14224a",
    words="#bcd7ff",
    meaning="#e6c8ff",
    links="#9ff0dc",
    bar="#ffe14d",
    track="#4a4a4a",
    mark="#6b5200",
    current_mark="#ffe14d",
    current_mark_text="#000000",
    accent="#ffe14d",
    accent_text="#000000",
)

THEMES: tuple[Theme, ...] = (LIGHT, DARK, HIGH_CONTRAST_LIGHT, HIGH_CONTRAST_DARK)


def theme_for(scheme: Qt.ColorScheme, *, high_contrast: bool = False) -> Theme:
    """Return the theme for the system's colour scheme; a system that does not say gets the light one."""
    if scheme == Qt.ColorScheme.Dark:
        return HIGH_CONTRAST_DARK if high_contrast else DARK
    return HIGH_CONTRAST_LIGHT if high_contrast else LIGHT


def wants_high_contrast(hints: QStyleHints) -> bool:
    """Return whether the system asks for high contrast; a Qt before 6.10 cannot tell."""
    if not hasattr(hints, "accessibility"):
        return False
    return bool(hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast)


def blend(colour: str, ground: str, share: float) -> str:
    """Return `colour` laid over `ground` with the opacity `share` in [0, 1], as an opaque colour."""
    top, below = QColor(colour), QColor(ground)
    mixed = (
        round(a * share + b * (1 - share))
        for a, b in ((top.red(), below.red()), (top.green(), below.green()), (top.blue(), below.blue()))
    )
    return QColor(*mixed).name()


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2, in [0, 1]."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    rgb = QColor(colour)
    return 0.2126 * linear(rgb.redF()) + 0.7152 * linear(rgb.greenF()) + 0.0722 * linear(rgb.blueF())


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def text_pairs(theme: Theme) -> Iterator[tuple[str, str, str]]:
    """Yield (where, text colour, ground) for every text that the window draws."""
    for ground in ("ground", "side", "selected"):
        below: str = getattr(theme, ground)
        yield f"text on {ground}", theme.text, below
        yield f"muted on {ground}", theme.muted, below
        yield f"band on {ground}", theme.bar, below
        for leg in Leg:
            yield f"{leg} on {ground}", theme.leg(leg), below
            yield f"badge {leg} on {ground}", theme.leg(leg), theme.badge_ground(leg, below)
    yield "text on a button under the mouse", theme.text, theme.pressed
    yield "text on mark", theme.text, theme.mark
    yield "text on current mark", theme.current_mark_text, theme.current_mark
    for kind in ("notice", "problem", "done"):
        yield f"text on {kind}", theme.text, getattr(theme, kind)
    yield "text on accent", theme.accent_text, theme.accent


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Fonts and spaces as multiples of the system font: `factor` is 1 at 12 px, 2 at 200 %."""

    base: QFont
    factor: float

    @staticmethod
    def of(font: QFont) -> TypeScale:
        """Return the scale whose small size is that of `font`."""
        return TypeScale(QFont(font), max(QFontInfo(font).pixelSize(), 6) / SYSTEM_PIXELS)

    def px(self, size: int) -> int:
        """Return a length that is `size` pixels at 100 %."""
        return max(1, round(size * self.factor)) if size else 0

    def font(self, size: int, *, strong: bool = False) -> QFont:
        """Return the system font in one of the sizes 11, 12, 14 and 18."""
        font = QFont(self.base)
        font.setPixelSize(self.px(size))
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font


@dataclass(frozen=True, slots=True)
class Look:
    """What every part of the window is dressed with: a theme and a type scale."""

    theme: Theme
    scale: TypeScale

    def px(self, size: int) -> int:
        """Return a length that is `size` pixels at 100 %."""
        return self.scale.px(size)

    def font(self, size: int, *, strong: bool = False) -> QFont:
        """Return the system font in one of the sizes 11, 12, 14 and 18."""
        return self.scale.font(size, strong=strong)


def flat_button_style(look: Look) -> str:
    """Return the style sheet of tool buttons: flat, a ground under the mouse, a frame with the keyboard."""
    px, theme = look.px, look.theme
    return (
        f"QToolButton {{ border: 1px solid transparent; border-radius: {px(6)}px; padding: {px(2)}px {px(6)}px; }}"
        f"QToolButton:hover, QToolButton:open {{ background: {theme.pressed}; }}"
        f"QToolButton:focus {{ border-color: {theme.accent}; }}"
        # Qt keeps room for a menu arrow; the sign of the button says the same.
        "QToolButton::menu-indicator { image: none; width: 0; }"
    )


def mirrored(rect: QRect, width: int) -> QRect:
    """Return `rect` as it lies in a row of `width` that is read from right to left."""
    return QRect(width - rect.x() - rect.width(), rect.y(), rect.width(), rect.height())
