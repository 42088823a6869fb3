"""A result with everything in it, for the tests of exports to change."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pyromark

from core.search.results import (
    Band,
    Hit,
    Leg,
    LegEvidence,
    LegReport,
    LegState,
    LinkStep,
    Mode,
    ModelName,
    SearchResult,
    Snippet,
)

MODEL = ModelName("all-MiniLM-L6-v2", 384, "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
REPORTS = {
    Leg.WORDS: LegReport(LegState.RAN, 50, (6591, 6591)),
    Leg.MEANING: LegReport(LegState.RAN, 50, (4120, 6591), model=MODEL),
    Leg.LINKS: LegReport(LegState.RAN, 12, (30000, 38963)),
}


def hit(rank: int = 1, **changes: Any) -> Hit:
    made = Hit(
        rank=rank,
        title="Overdue tasks",
        path=f"folder/note {rank}.md",
        date="2026-01-02",
        line=12,
        band=Band.GOOD,
        compatibility=0.7,
        score=1 / 61 + 1 / 62,
        evidence={
            Leg.WORDS: LegEvidence(1, 7.123456789, 1 / 61),
            Leg.MEANING: LegEvidence(2, 0.61, 1 / 62),
            Leg.LINKS: None,
        },
        matched_words=("overdue", "tasks"),
        snippet=Snippet("Find overdue tasks with a query", ((5, 12), (13, 18))),
        passage=None,
        links_from=(LinkStep("seed.md", "Seed", 3, 40),),
    )
    return replace(made, **changes)


def result(*hits: Hit, **changes: Any) -> SearchResult:
    made = SearchResult(
        query="overdue tasks",
        mode=Mode.HYBRID if hits else Mode.NONE,
        formula="rrf/k=60/v1",
        fingerprint="f1n6e2",
        total=len(hits),
        legs=REPORTS,
        hits=hits,
    )
    return replace(made, **changes)


def markdown_html(text: str) -> str:
    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_MATH
    options |= pyromark.Options.ENABLE_WIKILINKS | pyromark.Options.ENABLE_FOOTNOTES
    return pyromark.html(text, options=options)


def link_targets(text: str) -> list[str]:
    targets = []
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES):
        match event:
            case {"Start": {"Link": {"dest_url": target}}}:
                targets.append(target)
            case _:
                pass
    return targets


def table_cells(text: str) -> list[str]:
    """The text of every body cell, tags taken off, as a reader sees it."""
    body = markdown_html(text).split("<tbody>")[1]
    return [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<td>(.*?)</td>", body, re.DOTALL)]
