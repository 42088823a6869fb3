"""Contrast, the type scale, icons, and how the window is painted in each theme."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from core.search.results import Leg
from resources import ICONS
from ui.actions import ACTIONS
from ui.icons import pixmap
from ui.theme import (
    DARK,
    HIGH_CONTRAST_DARK,
    HIGH_CONTRAST_LIGHT,
    LIGHT,
    THEMES,
    contrast,
    text_pairs,
    theme_for,
)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_text_stands_out_from_its_ground(qapp, theme) -> None:
    pairs = list(text_pairs(theme))
    assert len(pairs) == 34
    assert [(where, round(contrast(one, other), 2)) for where, one, other in pairs if contrast(one, other) < 4.5] == []


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_signs_without_text_stand_out_by_three_to_one(qapp, theme) -> None:
    assert contrast(theme.bar, theme.track) >= 3
    for ground in (theme.ground, theme.selected, theme.side):
        assert contrast(theme.accent, ground) >= 3


def test_black_on_white_is_21_to_1() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_the_bar_has_a_colour_that_no_leg_has() -> None:
    for theme in THEMES:
        assert theme.bar not in {theme.leg(leg) for leg in Leg}


def test_the_system_decides_the_theme() -> None:
    assert theme_for(Qt.ColorScheme.Dark) is DARK
    assert theme_for(Qt.ColorScheme.Light) is LIGHT
    assert theme_for(Qt.ColorScheme.Unknown) is LIGHT
    assert theme_for(Qt.ColorScheme.Dark, high_contrast=True) is HIGH_CONTRAST_DARK
    assert theme_for(Qt.ColorScheme.Light, high_contrast=True) is HIGH_CONTRAST_LIGHT


def test_high_contrast_is_seven_to_one_for_every_text(qapp) -> None:
    for theme in (HIGH_CONTRAST_LIGHT, HIGH_CONTRAST_DARK):
        weak = [(where, round(contrast(one, other), 2)) for where, one, other in text_pairs(theme)]
        assert [pair for pair in weak if pair[1] < 7] == []


def test_the_window_follows_the_system_while_it_runs(window, qapp, monkeypatch) -> None:
    window.use_theme(None)
    assert qapp.palette().base().color() == QColor(LIGHT.ground)
    # The platform of the tests has no colour scheme to switch: what it says is set, its signal is Qt's own.
    monkeypatch.setattr("ui.window_look.theme_for", lambda _scheme, **_: DARK)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert qapp.palette().base().color() == QColor(DARK.ground)
    window.use_theme(LIGHT)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert qapp.palette().base().color() == QColor(LIGHT.ground)


def test_every_icon_of_the_table_is_there_and_takes_the_colour(qapp) -> None:
    names = {spec.icon for spec in ACTIONS if spec.icon} | set(Leg)
    for name in sorted(names):
        assert (ICONS / f"{name}.svg").is_file()
        image = pixmap(name, "#ff0000", 32).toImage()
        painted = [
            image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() == 255
        ]
        assert painted, name
        assert {colour.name() for colour in painted} == {"#ff0000"}


def test_the_type_scale_grows_with_the_system_font(qapp, made) -> None:
    for percent, sizes in ((100, [11, 12, 14, 18]), (200, [22, 24, 28, 36])):
        look = made["look"](percent)
        assert [look.font(size).pixelSize() for size in (11, 12, 14, 18)] == sizes


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_list_is_painted_in_the_colours_of_its_theme(window, made, theme) -> None:
    window.use_theme(theme)
    window.show_result(made["result"](made["ten"]()))
    picture = window.result_list.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    row = window.result_list.delegate.metrics.row_height
    width = window.result_list.viewport().width()

    def at(x: int, y: int) -> str:
        return picture.pixelColor(round(x * ratio), round(y * ratio)).name()

    assert at(1, 20) == theme.accent  # the stripe of the selected row
    assert at(8, 4) == theme.selected
    assert at(8, row + 4) == theme.ground
    assert at(8, row - 1) == theme.line
    layout = window.result_list.delegate.prepared(window.result_list.model().index(0, 0), width).layout
    middle = layout.bar.center().y()
    assert at(layout.bar.x() + 6, middle) == theme.bar
    colours = {at(x, y) for x in range(16, width - 16) for y in range(layout.snippet_lines[0].y(), row)}
    assert {theme.mark, theme.text} <= colours
