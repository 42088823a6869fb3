"""What *Why this note?* says, read from a hit's evidence: plain words first, then the numbers.

Pure text: nothing is searched or scored again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.search.results import LEGS, TITLE_PART, HeldBack, Leg, LegEvidence, LegReport, LegState
from ui.plain_text import one_line, ordinal

if TYPE_CHECKING:
    from core.search.results import Hit, SearchResult


def _tr(text: str) -> str:
    return QCoreApplication.translate("why", text)


_MOST_NAMES = 3  # linking notes that are named; the rest are counted


@dataclass(frozen=True, slots=True)
class LegRow:
    """A leg's line: how it found the note, or why it did not."""

    leg: Leg
    name: str
    found: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Why:
    """The whole explanation: how well the legs agree, a line for each, then what else and the numbers, each named."""

    headline: str
    legs: tuple[LegRow, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()


def why(hit: Hit, result: SearchResult) -> Why:
    """Explain a hit of a result."""
    lines = [(_tr("Passage"), _passage(hit))] if hit.passage is not None else []
    numbers = [(leg_name(leg), told) for leg in LEGS if (told := _leg_in_numbers(leg, hit))]
    if (title := hit.part(TITLE_PART)) is not None:
        numbers.append((_tr("Exact title"), _tr("adds {:.6f}").format(title)))
    if (reranked := reranker_in_words(hit, result)) is not None:
        lines.append((_tr("Reranker"), reranked))
    numbers += [
        (_tr("Compatibility"), compatibility_in_numbers(hit)),
        (_tr("Order"), _tr("score {:.6f} by {}").format(hit.score, result.formula)),
        (_tr("Index"), result.fingerprint),
    ]
    return Why(
        agreement_in_words(hit),
        tuple(_leg_row(leg, hit, result.legs.get(leg)) for leg in LEGS),
        tuple(lines),
        tuple(numbers),
    )


def reranker_in_words(hit: Hit, result: SearchResult) -> str | None:
    """Return where the reranker put the note and where it stood before, or why it did not; None where it is off."""
    report = result.reranker
    if report is None:
        return None
    if report.state is not LegState.RAN or report.model is None:
        word = _tr("failed") if report.state is LegState.FAILED else _tr("did not run")
        return f"{word}: {report.reason}" if report.reason else word
    if hit.reranked is None:
        return _tr("{} read the first {} alone, and not this note").format(report.model.name, report.notes)
    return _tr("{} put it {}; it was {} by the fused score · score {:.4g}").format(
        report.model.name, ordinal(hit.rank), ordinal(hit.reranked.fused_rank), hit.reranked.score
    )


def _leg_in_numbers(leg: Leg, hit: Hit) -> str:
    """Return a leg's rank, score and part of the fused score; "" where it says nothing of the note."""
    seen, part = hit.evidence.get(leg), hit.part(leg)
    if seen is not None:
        return _tr("rank {} · score {:.4g} · adds {:.6f}").format(seen.rank, seen.score, seen.contribution)
    return "" if part is None else _tr("not among its first 50 · adds {:.6f}").format(part)


def agreement_in_words(hit: Hit) -> str:
    """Return how many of the searches found the note, and the band's word for it."""
    found = sum(hit.evidence.get(leg) is not None for leg in LEGS)
    if hit.band is None:
        return _tr("How well the searches agree is told when all have answered")
    told = {3: _tr("All three searches agree: {}"), 2: _tr("Two of three searches agree: {}")}
    sentence = told.get(found, _tr("One of three searches found it: {}")).format(_band(hit))
    return f"{sentence}. {_held_back(hit)}" if hit.held_back else sentence


def _held_back(hit: Hit) -> str:
    """Return what kept the hit from being a strong match."""
    if hit.held_back == HeldBack.AGREEMENT:
        return _tr("Not strong, since the searches place it far apart or not all found it.")
    if hit.weak:
        return _tr("A weak match: it holds little of what was asked.")
    return _tr("Not strong, since it holds only a part of what was asked.")


def leg_name(leg: Leg) -> str:
    """Return a leg's name as the window writes it."""
    return {Leg.WORDS: _tr("Words"), Leg.MEANING: _tr("Meaning"), Leg.LINKS: _tr("Links")}[leg]


def _leg_row(leg: Leg, hit: Hit, report: LegReport | None) -> LegRow:
    seen = hit.evidence.get(leg)
    if seen is not None:
        return LegRow(leg, leg_name(leg), True, _finding(leg, seen, hit))
    return LegRow(leg, leg_name(leg), False, f"{leg_name(leg)} {_absence(report)}")


def _finding(leg: Leg, seen: LegEvidence, hit: Hit) -> str:
    place = ordinal(seen.rank)
    if leg is Leg.MEANING:
        return _tr("{} by meaning").format(place)
    if leg is Leg.WORDS:
        words = ", ".join(hit.matched_words)
        return _tr("{} by words: {}").format(place, words) if words else _tr("{} by words").format(place)
    steps = [
        _tr("{} (line {})").format(one_line(step.seed_title) or step.seed_path, step.line) for step in hit.links_from
    ]
    if not steps:
        return _tr("{} by links").format(place)
    named = ", ".join(steps[:_MOST_NAMES])
    if len(steps) > _MOST_NAMES:
        named = _tr("{} and {:,} more").format(named, len(steps) - _MOST_NAMES)
    return _tr("{} by links: linked from {}").format(place, named)


def _absence(report: LegReport | None) -> str:
    if report is None or report.state == LegState.RAN:
        return _tr("did not find this note among its first 50")
    if report.state == LegState.PENDING:
        return _tr("is still searching")
    word = _tr("failed") if report.state == LegState.FAILED else _tr("did not run")
    return f"{word}: {report.reason}" if report.reason else word


def _passage(hit: Hit) -> str:
    assert hit.passage is not None
    first, last = hit.passage.line, hit.passage.last_line
    if first is None:
        lines = hit.place or _tr("this note")
    else:
        lines = _tr("line {}").format(first) if first == last else _tr("lines {} to {}").format(first, last)
    return f"{lines}, {hit.passage.heading}" if hit.passage.heading else lines


def compatibility_in_numbers(hit: Hit) -> str:
    """Return how the compatibility is made up: agreement of three legs, and the mean of 1 / rank."""
    if hit.compatibility is None or hit.band is None:
        return _tr("told when every leg has answered")
    ranks = [seen.rank for leg in LEGS if (seen := hit.evidence.get(leg)) is not None]
    if not ranks:
        return f"{hit.compatibility:.2f}"
    terms = " + ".join(f"1/{rank}" for rank in ranks)
    position = terms if len(ranks) == 1 else f"({terms}) / {len(ranks)}"
    return _tr("{:.2f}, how well the searches agree: 0.6 × {}/3 + 0.4 × {}").format(
        hit.compatibility, len(ranks), position
    )


def _band(hit: Hit) -> str:
    assert hit.band is not None
    return {"strong": _tr("strong"), "good": _tr("good"), "partial": _tr("partial")}[hit.band]
