"""Fixtures of the window's tests: invented results in several languages, a window with a plain mark finder."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from core.search.results import (
    LEGS,
    Band,
    BestPassage,
    Hit,
    Leg,
    LegEvidence,
    LegReport,
    LegState,
    LinkStep,
    Mode,
    SearchResult,
    Snippet,
)
from ui.main_window import MainWindow
from ui.theme import LIGHT, Look, TypeScale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TITLES = (
    "Publishing your notes",
    "Notizen veröffentlichen und ein Titel, der so lang ist, dass er in keine Zeile der Liste passt",
    "サイトの公開手順 😀",
    "نشر الملاحظات على الويب",
    '<b>Markup</b> & "quotes" in a title',
)


def find_marks(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    if not words:
        return []
    return [found.span() for found in re.finditer("|".join(map(re.escape, words)), text, re.IGNORECASE)]


def make_hit(
    rank: int, *, path: str | None = None, title: str | None = None, ranks: Sequence[int] = (1, 2, 0),
    interim: bool = False, text: str = "…😀 publish the vault, then publish it again…",
    passage: BestPassage | None = None,
) -> Hit:  # fmt: skip
    found = [r for r in ranks if r]
    evidence = {leg: LegEvidence(r, 10.0 / r, 1 / (60 + r)) if r else None for leg, r in zip(LEGS, ranks, strict=True)}
    return Hit(
        rank=rank,
        title=TITLES[(rank - 1) % len(TITLES)] if title is None else title,
        path=path or f"garden/note-{rank}.md",
        date="2026-03-12",
        line=3,
        band=None if interim else {1: Band.PARTIAL, 2: Band.GOOD, 3: Band.STRONG}[len(found)],
        compatibility=None if interim else 0.6 * len(found) / 3 + 0.4 * sum(1 / r for r in found) / len(found),
        score=sum(1 / (60 + r) for r in found),
        evidence=evidence,
        matched_words=("publish",),
        snippet=Snippet(text, tuple(find_marks(text, ["publish"]))),
        passage=passage,
        links_from=(LinkStep("a.md", "Static <i>site</i>", 2, 14),) if ranks[2] else (),
    )


def make_result(
    hits: Sequence[Hit], *, query: str = "publish", interim: bool = False, total: int | None = None,
    meaning: LegReport | None = None, mode: Mode = Mode.HYBRID,
) -> SearchResult:  # fmt: skip
    late = LegReport(LegState.PENDING, None, (4120, 6591))
    legs = {
        Leg.WORDS: LegReport(LegState.RAN, 5, (6591, 6591)),
        Leg.MEANING: late if interim else meaning or LegReport(LegState.RAN, 5, (4120, 6591)),
        Leg.LINKS: late if interim else LegReport(LegState.RAN, 5, (38963, 38963)),
    }
    return SearchResult(
        query=query, mode=Mode.WORDS if interim else mode, formula="rrf/k=60/v1", fingerprint="3f9a2c41",
        total=len(hits) if total is None else total, legs=legs, hits=tuple(hits), interim=interim, words=("publish",),
    )  # fmt: skip


def ten_hits(*, interim: bool = False) -> list[Hit]:
    return [
        make_hit(rank, ranks=(rank, 0, 0) if interim else (rank, rank, 0), interim=interim) for rank in range(1, 11)
    ]


def look_at(percent: int = 100, theme: object = LIGHT) -> Look:
    font = QFont(QApplication.font())
    font.setPixelSize(12 * percent // 100)
    return Look(theme, TypeScale.of(font))  # type: ignore[arg-type]


@pytest.fixture
def made() -> dict[str, Callable[..., object]]:
    """The makers above, since tests import nothing from one another."""
    return {
        "hit": make_hit, "result": make_result, "ten": ten_hits, "find_marks": find_marks, "look": look_at
    }  # fmt: skip


@pytest.fixture
def window(qtbot) -> Iterator[MainWindow]:
    shown = MainWindow(find_marks=find_marks)
    qtbot.addWidget(shown)
    shown.use_theme(LIGHT)
    shown.show_folder("Notes", "/home/me/Notes")
    shown.show()
    with qtbot.waitExposed(shown):
        pass
    shown.activateWindow()
    qtbot.waitUntil(shown.query_box.hasFocus)
    yield shown
    shown.close()
