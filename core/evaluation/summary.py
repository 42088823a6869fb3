"""Measured sets as rows: the table, the JSON object and the lines per query. Pure.

Everything is rounded to six decimals and has fixed keys; nothing here varies between equal runs but the timings, which
stand apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.evaluation.answers import Overlap
from core.evaluation.comparison import Interval, interval_of, paired_interval
from core.evaluation.experiment import Measured, Run
from core.evaluation.metrics import CONTENT_HIT, MEASURES, QueryFigures, mean_of, tied_pairs, tied_queries
from core.evaluation.published import published_beside
from core.export.selection import rounded

COMPARED = (*MEASURES, CONTENT_HIT)


def as_object(measured: Sequence[Measured], default: str, *, timings: bool = False) -> dict[str, Any]:
    """Return the object of `evaluate --json`: the default's name, one row a set and formula or leg, comparisons.

    Where there was a reranker, it is named, and the formulas of its rows end in `RERANKED`. `timings` adds what varies
    between equal runs, under a key of its own.
    """
    value: dict[str, Any] = {
        "default": default,
        "rows": [_row(one, run) for one in measured for run in one.runs],
        "comparisons": [comparison for one in measured for comparison in _comparisons(one)],
    }
    if (reranker := next((one.reranker for one in measured if one.reranker), None)) is not None:
        value["reranker"] = {"name": reranker.name, "sha256": reranker.sha256}
    if timings:
        value["timings"] = [_timing(one, run) for one in measured for run in one.runs]
    return value


def query_lines(measured: Iterable[Measured]) -> str:
    """Return one JSON object a line for each set, formula or leg, and query: what was found, and its figures.

    `core.evaluation.earlier_run` reads them.
    """
    lines = []
    for one in measured:
        for run in one.runs:
            for each in run.figures:
                value = {
                    **_labels(one, run),
                    "default": run.name == one.default and not run.is_leg,
                    "query": each.found.query,
                    "found": list(each.found.documents),
                    **{measure: _rounded(each.values.get(measure)) for measure in COMPARED},
                }
                lines.append(json.dumps(value, ensure_ascii=True) + "\n")
    return "".join(lines)


def intervals(run: Run) -> dict[str, Interval]:
    """Return the interval of each measure's mean."""
    return {measure: interval_of(list(run.by_query(measure).values())) for measure in COMPARED}


def gains(run: Run, other: Run) -> dict[str, Interval]:
    """Return the interval of each measure's mean gain over another run on the same queries."""
    return {measure: paired_interval(run.by_query(measure), other.by_query(measure)) for measure in COMPARED}


def table_text(measured: Sequence[Measured], default: str) -> str:
    """Return the figures as a table for a terminal; + and − mark what differs from the default beyond the interval."""
    rows: list[tuple[str, ...]] = [
        ("", "notes", "queries", "hit@1", "recall@5", "recall@10", "mrr@10", "ndcg@10", "content", "ties")
    ]
    for one in measured:
        rows.append((one.data_set, f"{one.documents:,}", f"{one.queries:,}", *[""] * 7))
        for run in one.runs:
            other = one.run(default, run.mode)
            marks = {} if other is None or run is other or run.is_leg else gains(run, other)
            cells = [_cell(mean_of(run.figures, measure), marks.get(measure)) for measure in COMPARED]
            rows.append((f"  {_label(run, default)}", "", "", *cells, f"{tied_queries(run.figures):.3f} "))
        for published in published_beside(one):
            cells = [_cell(published.values.get(measure), None) for measure in COMPARED]
            rows.append((f"  {published.program} (published)", "", "", *cells, "- "))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def timing_lines(measured: Sequence[Measured]) -> list[str]:
    """Return how long searches took, a line a set and formula or leg: the median, and what 95 of 100 stay below."""
    rows = [_timing(one, run) for one in measured for run in one.runs]
    return [
        f"{row['dataset']}, {row['formula']}, {row['mode']}: half within {row['p50_ms']:.1f} ms, "
        f"95 of 100 within {row['p95_ms']:.1f} ms"
        for row in rows
    ]


def _label(run: Run, default: str) -> str:
    if run.is_leg:
        return f"{run.name} alone"
    mode = "" if run.mode == "hybrid" else f", {run.mode}"
    return f"{run.name}{mode}{' (default)' if run.name == default else ''}"


def _cell(value: float | None, gain: Interval | None) -> str:
    if value is None:
        return "- "
    mark = " "
    if gain is not None:
        mark = "+" if gain.is_above_zero else "−" if gain.is_below_zero else " "
    return f"{value:.3f}{mark}"


def _labels(one: Measured, run: Run) -> dict[str, Any]:
    return {"dataset": one.data_set, "formula": run.name, "mode": str(run.mode), "leg": run.is_leg}


def _row(one: Measured, run: Run) -> dict[str, Any]:
    return {
        **_labels(one, run),
        "documents": one.documents,
        "queries": len(run.figures),
        **{measure: _rounded(mean_of(run.figures, measure)) for measure in COMPARED},
        "answers": sum(CONTENT_HIT in each.values for each in run.figures),
        "tied_pairs": rounded(tied_pairs(run.figures)),
        "tied_queries": rounded(tied_queries(run.figures)),
        "intervals": {measure: _ends(interval) for measure, interval in intervals(run).items()},
        "overlap": {str(part): _slice(run.figures, one.overlap, part) for part in Overlap},
        "title_overlap": {str(part): _slice(run.figures, one.title_overlap, part) for part in Overlap},
        "embedded": rounded(one.embedded),
        "fingerprint": one.fingerprint,
    }


def _slice(figures: Sequence[QueryFigures], overlap: Mapping[str, Overlap], part: Overlap) -> dict[str, Any]:
    chosen = [one for one in figures if overlap[one.found.query] is part]
    return {"queries": len(chosen), **{measure: _rounded(mean_of(chosen, measure)) for measure in COMPARED}}


def _comparisons(one: Measured) -> Iterable[dict[str, Any]]:
    for run in one.runs:
        other = one.run(one.default, run.mode)
        if run.is_leg:
            other = next((each for each in one.runs if each.name == one.default and not each.is_leg), None)
        if other is not None and other is not run:
            found = gains(run, other)
            yield {
                **_labels(one, run),
                "against": other.name,
                "gains": {
                    measure: {"estimate": rounded(interval.estimate), "interval": _ends(interval)}
                    for measure, interval in found.items()
                    if interval.queries
                },
            }


def _timing(one: Measured, run: Run) -> dict[str, Any]:
    times = sorted(each.found.milliseconds for each in run.figures)
    return {
        **_labels(one, run),
        "p50_ms": rounded(_percentile(times, 0.5)),
        "p95_ms": rounded(_percentile(times, 0.95)),
    }


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not pass."""
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * 100) * len(ordered) // 100) - 1))] if ordered else 0.0


def _ends(interval: Interval) -> list[float] | None:
    return [rounded(interval.low), rounded(interval.high)] if interval.queries else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else rounded(value)
