"""What *Why this note?* says, in words, read from a hit's evidence. Pure text: nothing is searched or scored again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.search.results import LEGS, Leg, LegReport, LegState

if TYPE_CHECKING:
    from core.search.results import Hit, SearchResult


def _tr(text: str) -> str:
    return QCoreApplication.translate("why", text)


@dataclass(frozen=True, slots=True)
class LegRow:
    """A leg's line: what it gave the note, or why it gave nothing."""

    leg: Leg
    name: str
    found: bool
    rank: str
    score: str
    contribution: str
    reason: str


@dataclass(frozen=True, slots=True)
class Why:
    """The whole explanation: the table of legs, then (name, sentence) lines."""

    legs: tuple[LegRow, ...]
    lines: tuple[tuple[str, str], ...]


def why(hit: Hit, result: SearchResult) -> Why:
    """Explain a hit of a result."""
    lines: list[tuple[str, str]] = []
    if hit.matched_words:
        lines.append((_tr("Matched words"), ", ".join(hit.matched_words)))
    if hit.passage is not None:
        lines.append((_tr("Passage"), _passage(hit)))
    lines.append((_tr("Compatibility"), compatibility_in_words(hit)))
    for step in hit.links_from:
        place = _tr("line {}, start note {}").format(step.line, step.seed_rank)
        lines.append((_tr("Linked from"), f"{step.seed_title} → {hit.title} ({place})"))
    lines.append((_tr("Order"), _tr("score {:.6f} by {}").format(hit.score, result.formula)))
    lines.append((_tr("Index"), result.fingerprint))
    return Why(tuple(_leg_row(leg, hit, result.legs.get(leg)) for leg in LEGS), tuple(lines))


def leg_name(leg: Leg) -> str:
    """Return a leg's name as the window writes it."""
    return {Leg.WORDS: _tr("Words"), Leg.MEANING: _tr("Meaning"), Leg.LINKS: _tr("Links")}[leg]


def _leg_row(leg: Leg, hit: Hit, report: LegReport | None) -> LegRow:
    seen = hit.evidence.get(leg)
    if seen is not None:
        return LegRow(
            leg, leg_name(leg), True, _tr("rank {}").format(seen.rank), _tr("score {:.4g}").format(seen.score),
            _tr("adds {:.6f}").format(seen.contribution), "",
        )  # fmt: skip
    return LegRow(leg, leg_name(leg), False, "", "", "", _absence(report))


def _absence(report: LegReport | None) -> str:
    if report is None or report.state == LegState.RAN:
        return _tr("did not find this note among its first 50")
    if report.state == LegState.PENDING:
        return _tr("still searching")
    word = _tr("failed") if report.state == LegState.FAILED else _tr("did not run")
    return f"{word}: {report.reason}" if report.reason else word


def _passage(hit: Hit) -> str:
    assert hit.passage is not None
    first, last = hit.passage.line, hit.passage.last_line
    lines = _tr("line {}").format(first) if first == last else _tr("lines {} to {}").format(first, last)
    return f"{lines}, {hit.passage.heading}" if hit.passage.heading else lines


def compatibility_in_words(hit: Hit) -> str:
    """Return how the compatibility is made up: agreement of three legs, and the mean of 1 / rank."""
    if hit.compatibility is None or hit.band is None:
        return _tr("told when every leg has answered")
    ranks = [seen.rank for leg in LEGS if (seen := hit.evidence.get(leg)) is not None]
    if not ranks:
        return f"{hit.compatibility:.2f}"
    terms = " + ".join(f"1/{rank}" for rank in ranks)
    position = terms if len(ranks) == 1 else f"({terms}) / {len(ranks)}"
    return _tr("{}: {} of 3 searches agree; 0.6 × {}/3 + 0.4 × {} = {:.2f}").format(
        _band(hit), len(ranks), len(ranks), position, hit.compatibility
    )


def _band(hit: Hit) -> str:
    assert hit.band is not None
    return {"strong": _tr("strong"), "good": _tr("good"), "partial": _tr("partial")}[hit.band]
