"""Which hits an export holds, and the numbers as every export writes them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import ExportError
from core.search.results import LEGS, Hit, LegState, RerankerReport, SearchResult


def exported_hits(result: SearchResult, rows: Sequence[int] | None) -> tuple[Hit, ...]:
    """Return the hits at the positions `rows` (from 0, in any order, repeats count once) in the list's own order.

    None means all. Raises `ExportError` for an interim result, `IndexError` for a row that is not in the list.
    """
    if result.interim:
        raise ExportError("The search is still running; export the list when all its legs have answered.")
    if rows is None:
        return result.hits
    wanted = sorted(set(rows))
    if wanted and (wanted[0] < 0 or wanted[-1] >= len(result.hits)):
        raise IndexError(f"rows {wanted} of a list of {len(result.hits)} hits")
    return tuple(result.hits[row] for row in wanted)


def rounded(number: float) -> float:
    """Return `number` to six decimals. Zero has no sign, so that equal values have equal bytes."""
    return round(float(number), 6) + 0.0


def missing_legs(result: SearchResult) -> str:
    """Return the legs that did not run with their reasons, in the fixed order, for formats without a leg table."""
    return " | ".join(
        f"{leg} {report.state}: {report.reason or 'no reason given'}"
        for leg, report in ((leg, result.legs[leg]) for leg in LEGS)
        if report.state is not LegState.RAN
    )


def reranker_line(report: RerankerReport) -> str:
    """Return what became of the reranker, in words; text of its name or reason as it is."""
    if report.state is LegState.RAN and report.model is not None:
        notes = "the first note" if report.notes == 1 else f"the first {report.notes} notes"
        return f"put {notes} in order: {report.model.name}"
    return f"{report.state}: {report.reason or 'no reason given'}"
