"""The sentences of the status line: mode, coverage, progress, report. Pure text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.index.progress import IndexProgress, IndexReport, Phase
from core.search.results import LEGS, Leg, LegState, Mode, SearchResult
from ui.plain_text import count_of, shown_seconds
from ui.why import leg_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.upkeep import Upkeep


def _tr(text: str) -> str:
    return QCoreApplication.translate("status", text)


def mode_word(mode: Mode) -> str:
    """Return the mode as the status line writes it."""
    words = {
        Mode.HYBRID: _tr("Hybrid"),
        Mode.WORDS: _tr("Words only"),
        Mode.MEANING: _tr("Meaning only"),
        Mode.LINKS: _tr("Links only"),
        Mode.NONE: _tr("Nothing found"),
    }
    return words[mode]


def coverage_text(result: SearchResult) -> str:
    """Return "Hybrid · searched: 6,591 notes by words, 6,591 by meaning, 38,963 links", or what each leg lacks.

    Links that lead to no note are no lack of coverage.
    """
    parts = [mode_word(result.mode)]
    whole = all(
        report.state in (LegState.RAN, LegState.PENDING)
        and (leg == Leg.LINKS or report.coverage[0] >= report.coverage[1])
        for leg, report in result.legs.items()
    )
    if whole and all(leg in result.legs for leg in LEGS):
        words, meaning, links = (result.legs[leg].coverage[0] for leg in LEGS)
        notes = _tr("1 note") if words == 1 else _tr("{:,} notes").format(words)
        followed = _tr("1 link") if links == 1 else _tr("{:,} links").format(links)
        sees = _tr("searched: {} by words, {:,} by meaning, {}").format(notes, meaning, followed)
        return " · ".join((*parts, sees))
    ends = {LegState.FAILED: _tr(" (failed)"), LegState.SKIPPED: _tr(" (not used)")}
    for leg in LEGS:
        if leg in result.legs:
            report = result.legs[leg]
            seen = f"{report.coverage[0]:,}" if leg == Leg.LINKS else count_of(*report.coverage)
            parts.append(f"{leg_name(leg)} {seen}{ends.get(report.state, '')}")
    return " · ".join(parts)


def coverage_hint(result: SearchResult) -> str:
    """Return how much each leg can see, a line each, and what must be said of legs that did not answer."""
    lines = []
    for leg in LEGS:
        if leg in result.legs:
            seen, total = result.legs[leg].coverage
            what = _tr("{}: {} of {} links lead to a note") if leg == Leg.LINKS else _tr("{}: {} of {} notes")
            lines.append(what.format(leg_name(leg), f"{seen:,}", f"{total:,}"))
    notes = leg_notes(result)
    return "\n".join([*lines, notes] if notes else lines)


def leg_notes(result: SearchResult) -> str:
    """Return what must be said of legs that did not answer: pending, skipped, failed; "" where all ran."""
    parts = []
    pending = [leg_name(leg) for leg in LEGS if leg in result.legs and result.legs[leg].state == LegState.PENDING]
    if pending:
        parts.append(_tr("{} still searching").format(", ".join(pending)))
    for leg in LEGS:
        report = result.legs.get(leg)
        if report is None or report.state not in (LegState.SKIPPED, LegState.FAILED):
            continue
        word = _tr("failed") if report.state == LegState.FAILED else _tr("did not run")
        parts.append(f"{leg_name(leg)} {word}: {report.reason}" if report.reason else f"{leg_name(leg)} {word}")
    if result.reranker is not None and result.reranker.state is LegState.FAILED:
        parts.append(_tr("Reranker failed: {}").format(result.reranker.reason))
    return "; ".join(parts)


def count_text(result: SearchResult) -> str:
    """Return "23 notes", or "first 50 of 312" where the list was cut."""
    shown = len(result.hits)
    if shown < result.total:
        return _tr("first {:,} of {:,}").format(shown, result.total)
    return _tr("1 note") if shown == 1 else _tr("{:,} notes").format(shown)


def progress_text(progress: IndexProgress, rate: float | None, *, slowed: bool = False) -> str:
    """Return "Reading notes: 1,234 of 6,591 · 812/s · 7 s left"; rate and time only where they are known.

    Meanings are learned passage by passage, which is said, since a note has many; and `slowed` on battery.
    """
    names = {
        Phase.SCAN: _tr("Looking through the folder"),
        Phase.READ: _tr("Reading notes"),
        Phase.LINK: _tr("Following links"),
        Phase.EMBED: _tr("Learning meanings"),
    }
    text = names[progress.phase]
    if progress.total > 0:
        counted = _tr(": {:,} of {:,} passages") if progress.phase is Phase.EMBED else _tr(": {:,} of {:,}")
        text += counted.format(progress.done, progress.total)
    elif progress.done > 0:
        text += f": {progress.done:,}"
    if rate is not None and rate > 0:
        text += _tr(" · {}/s").format(f"{rate:,.0f}" if rate >= 1 else f"{rate:.1f}")
    if progress.seconds_left is not None:
        text += _tr(" · {} left").format(shown_seconds(progress.seconds_left))
    if slowed and progress.phase is Phase.EMBED:
        text += _tr(" · slower, on battery")
    return text


def report_text(report: IndexReport) -> str:
    """Return how a run ended."""
    if report.cancelled:
        if report.embedded >= report.passages:
            return _tr("Stopped; F5 goes on")
        return _tr("Stopped; F5 goes on. Meaning covers {:,} of {:,} passages").format(report.embedded, report.passages)
    if report.meaning_reason is not None:
        return _tr("Meaning incomplete: {}").format(report.meaning_reason)
    return _tr("Up to date")


def upkeep_text(upkeep: Upkeep, ended: str) -> str:
    """Return what the status line says of the index: that it is offline or paused, else how the last run ended."""
    if upkeep.emptied:
        return _tr("Offline: the folder is empty; its index is searched")
    if upkeep.offline:
        return _tr("Offline: the folder is not there; its index is searched")
    if upkeep.paused:
        return _tr("Paused")
    if ended and upkeep.late:
        return _tr("{} · changes are found within half a minute").format(ended)
    return ended


def upkeep_hint(upkeep: Upkeep) -> str:
    """Return the reasons behind `upkeep_text`, a line each; "" where there is nothing to explain."""
    lines = [upkeep.offline] if upkeep.offline else []
    if upkeep.emptied:
        lines.append(_tr("If the notes are gone for good, the menu has: “The notes are gone: empty the index”."))
    if upkeep.late and not upkeep.offline:
        lines.append(_tr("The folder is looked through now and then: {}.").format(upkeep.late))
    if upkeep.deaf:
        missed = _tr("The system did not tell of a change, {} times; the folder was watched anew each time.")
        lines.append(missed.format(upkeep.deaf))
    return "\n".join(lines)


def changes_text(report: IndexReport) -> str:
    """Return what a run found changed: "2 notes added, 1 changed", or that there was nothing."""
    counts = (
        (report.added, _tr("{:,} added")),
        (report.changed, _tr("{:,} changed")),
        (report.moved, _tr("{:,} moved")),
        (report.removed, _tr("{:,} removed")),
    )
    told = ", ".join(text.format(count) for count, text in counts if count)
    return _tr("Notes: {}").format(told) if told else _tr("Nothing has changed")


def problems_text(count: int) -> str:
    """Return "3 problems"."""
    return _tr("1 problem") if count == 1 else _tr("{:,} problems").format(count)


class ProgressRate:
    """How many notes or passages a second a run does, from the reports it gives; `clock` gives seconds."""

    _AT_LEAST = 0.5  # seconds; a rate over less would jump

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._phase: Phase | None = None
        self._start = (0.0, 0)

    def take(self, progress: IndexProgress) -> float | None:
        """Take a report and return the mean rate of its phase so far, None where it is too early to tell."""
        now = self._clock()
        if progress.phase != self._phase or progress.done < self._start[1]:
            self._phase = progress.phase
            self._start = (now, progress.done)
        elapsed, done = now - self._start[0], progress.done - self._start[1]
        return done / elapsed if elapsed >= self._AT_LEAST and done > 0 else None

    def forget(self) -> None:
        """Start afresh with the next report."""
        self._phase = None
