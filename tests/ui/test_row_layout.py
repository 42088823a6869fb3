"""The geometry of a result row, as numbers."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetricsF

from core.search.results import Snippet
from ui.result_delegate import filled_part
from ui.row_layout import RowMetrics, badges_fit, row_layout
from ui.snippet_layout import Measure, snippet_layout
from ui.theme import LIGHT

SIZES = [(percent, width) for percent in (100, 150, 200) for width in (300, 420, 700, 1400)]


def _parts(layout) -> list[QRect]:
    return [layout.title, layout.band, layout.bar, layout.folder, layout.date, *layout.snippet_lines, *layout.badges]


@pytest.mark.parametrize("right_to_left", [False, True])
@pytest.mark.parametrize(("percent", "width"), SIZES)
def test_nothing_in_a_row_overlaps_or_leaves_it(qapp, made, percent: int, width: int, right_to_left: bool) -> None:
    metrics = RowMetrics.of(made["look"](percent).scale)
    width = width * percent // 100
    widths = [metrics.badge_width(text) for text in ("Words 50", "Meaning 50", "Links 50")]
    if not badges_fit(width, metrics, widths):  # as the delegate does: the sign and the rank alone
        widths = [metrics.badge_width("50")] * 3
    layout = row_layout(width, metrics, 60 * percent // 100, widths, right_to_left=right_to_left)
    for part in _parts(layout):
        assert layout.row.contains(part)
        assert not part.intersects(layout.line)
    for one, other in itertools.combinations(_parts(layout), 2):
        assert not one.intersects(other)


@pytest.mark.parametrize("percent", [100, 200])
def test_every_text_has_the_height_of_its_font(qapp, made, percent: int) -> None:
    metrics = RowMetrics.of(made["look"](percent).scale)
    layout = row_layout(800, metrics, 90, [100])
    for rect, font in (
        (layout.title, metrics.title_font),
        (layout.band, metrics.band_font),
        (layout.folder, metrics.small_font),
        (layout.date, metrics.small_font),
        (layout.snippet_lines[0], metrics.snippet_font),
        (layout.badges[0], metrics.badge_font),
    ):
        assert rect.height() >= QFontMetricsF(font).height()
    for word in ("strong", "good", "partial"):
        assert layout.band.width() >= QFontMetricsF(metrics.band_font).horizontalAdvance(word)


def test_badges_stand_on_one_line_with_equal_gaps(qapp, made) -> None:
    metrics = RowMetrics.of(made["look"]().scale)
    badges = row_layout(700, metrics, 60, [70, 90, 80]).badges
    assert len({(badge.y(), badge.height()) for badge in badges}) == 1
    gaps = [right.x() - left.x() - left.width() for left, right in itertools.pairwise(badges)]
    assert gaps == [6, 6]


def test_bar_and_band_lie_on_the_middle_of_the_title(qapp, made) -> None:
    layout = row_layout(700, RowMetrics.of(made["look"]().scale), 60, [])
    assert layout.band.y() == layout.title.y()
    assert abs(layout.bar.center().y() - layout.title.center().y()) <= 1


def test_the_row_height_follows_the_font_and_nothing_else(qapp, made) -> None:
    metrics = RowMetrics.of(made["look"]().scale)
    heights = {row_layout(width, metrics, 10, badges).row.height() for width in (300, 900) for badges in ([], [50])}
    assert heights == {metrics.row_height}
    assert RowMetrics.of(made["look"](200).scale).row_height > 1.8 * metrics.row_height


def test_badges_that_do_not_fit_are_known(qapp, made) -> None:
    metrics = RowMetrics.of(made["look"]().scale)
    assert badges_fit(32 + 212, metrics, [100, 106])
    assert not badges_fit(32 + 211, metrics, [100, 106])


@pytest.mark.parametrize(("share", "length"), [(0.0, 0), (0.01, 6), (0.5, 50), (1.0, 100)])
def test_the_bar_is_as_long_as_the_compatibility(share: float, length: int) -> None:
    assert filled_part(QRect(10, 0, 100, 6), share) == QRect(10, 0, length, 6)
    assert filled_part(QRect(10, 0, 100, 6), share, mirror=True).right() == 109


@pytest.mark.parametrize(
    "text", ["word " * 200, "wort" * 300, "公開" * 300, "😀" * 200, "نشر الملاحظات " * 60, "a\nb\n" * 100]
)
def test_a_long_snippet_takes_two_lines_and_ends_in_an_ellipsis(qapp, made, text: str) -> None:
    measure = Measure(made["look"]().font(12), 300, 16, 2)
    layout, shown = snippet_layout(Snippet(text), measure, LIGHT)
    assert layout.lineCount() == 2
    assert shown.endswith("…")
    assert len(shown) > 20
    for number in range(2):
        assert layout.lineAt(number).naturalTextWidth() <= 301


def test_marks_in_a_snippet_are_placed_in_qt_units(qapp, made) -> None:
    measure = Measure(made["look"]().font(12), 600, 16, 2)
    layout, _ = snippet_layout(Snippet("😀😀 publish", ((3, 10),)), measure, LIGHT)
    (mark,) = layout.formats()
    assert (mark.start, mark.length) == (5, 7)
    assert mark.format.background().color().name() == LIGHT.mark


def _marked(layout, shown: str) -> list[str]:
    return [
        shown.encode("utf-16-le")[2 * m.start : 2 * (m.start + m.length)].decode("utf-16-le") for m in layout.formats()
    ]


@pytest.mark.parametrize("width", [150, 200, 320, 700])
@pytest.mark.parametrize(
    "before", ["x " * 300, "WIDE LETTERS " * 25, "公開" * 90, "😀" * 100, "unbroken" * 40, "short "]
)
def test_the_first_mark_of_a_snippet_is_always_within_its_two_lines(qapp, made, before: str, width: int) -> None:
    measure = Measure(made["look"]().font(12), width, 16, 2)
    text = f"{before}publish and {'what follows ' * 40}"
    layout, shown = snippet_layout(Snippet(text, ((len(before), len(before) + 7),)), measure, LIGHT)
    assert layout.lineCount() <= 2
    assert _marked(layout, shown) == ["publish"]


def test_a_snippet_that_shows_its_first_mark_begins_as_it_was_given(qapp, made) -> None:
    measure = Measure(made["look"]().font(12), 300, 16, 2)
    _, shown = snippet_layout(Snippet("…to publish " + "more " * 200, ((4, 11),)), measure, LIGHT)
    assert shown.startswith("…to publish more")


def test_a_later_mark_beyond_the_ellipsis_is_left_out(qapp, made) -> None:
    measure = Measure(made["look"]().font(12), 200, 16, 2)
    text = "publish " + "x " * 300 + "publish"
    layout, shown = snippet_layout(Snippet(text, ((0, 7), (608, 615))), measure, LIGHT)
    assert _marked(layout, shown) == ["publish"]


def test_a_direction_that_a_note_left_open_turns_no_snippet(qapp, made) -> None:
    measure = Measure(made["look"]().font(12), 400, 16, 2)
    text = "see \u202eevil publish\u2067 more"
    layout, shown = snippet_layout(Snippet(text, ((10, 17),)), measure, LIGHT)
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
    assert len(shown) == len(text)
    assert _marked(layout, shown) == ["publish"]
