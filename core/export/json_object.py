"""A result as the JSON object of the command line. Its schema is `resources/result.schema.json`. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.export.selection import exported_hits, rounded
from core.search.results import (
    LEGS,
    TITLE_PART,
    Hit,
    Leg,
    LegReport,
    LegState,
    RerankedPlace,
    RerankerReport,
    SearchResult,
)

_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What JSON may hold bare and a terminal, a line reader or UTF-8 may not: escaped, it parses back to the same text."""


def as_object(result: SearchResult, rows: Sequence[int] | None = None) -> dict[str, Any]:
    """Return the result object: fixed keys in a fixed order, also with no hits; numbers to six decimals.

    `rows` picks hits by position (see `exported_hits`); `total` and each `rank` stay those of the whole list.
    "reranker" stands there only where one was asked for, and "reranked" in each hit only where it ran.
    Raises `ExportError` for an interim result.
    """
    hits = exported_hits(result, rows)
    value: dict[str, Any] = {
        "query": result.query,
        "mode": str(result.mode),
        "formula": result.formula,
        "fingerprint": result.fingerprint,
        "total": result.total,
        "message": result.message,
        "filters": list(result.filters),
        "legs": {str(leg): _leg_object(leg, result.legs[leg]) for leg in LEGS},
        "results": [_hit_object(hit) for hit in hits],
    }
    if result.reranker is not None:
        value["reranker"] = _reranker_object(result.reranker)
    if result.reranker is not None and result.reranker.state is LegState.RAN:
        for hit, row in zip(hits, value["results"], strict=True):
            row["reranked"] = _place_object(hit.reranked)
    return value


def to_json(
    result: SearchResult,
    rows: Sequence[int] | None = None,
    *,
    indent: bool = True,
    query_id: str | int | None = None,
    timings_ms: Mapping[str, float] | None = None,
) -> str:
    """Return the result object as JSON with one newline at the end; on a single line where `indent` is False.

    `query_id` (of a line of `--queries`) comes first as "id"; `timings_ms` (milliseconds by step, only on request,
    since they vary between equal runs) last as "timings". Raises `ExportError` for an interim result.
    """
    value = as_object(result, rows)
    if query_id is not None:
        value = {"id": query_id, **value}
    if timings_ms is not None:
        value["timings"] = {step: rounded(milliseconds) for step, milliseconds in timings_ms.items()}
    return json_text(value, indent=indent)


def json_text(value: object, *, indent: bool = True) -> str:
    """Return any value as JSON with one newline at the end, without characters that a terminal would obey."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2 if indent else None)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _leg_object(leg: Leg, report: LegReport) -> dict[str, Any]:
    value: dict[str, Any] = {
        "state": str(report.state),
        "notes": report.notes,
        "coverage": list(report.coverage),
        "reason": report.reason,
    }
    if leg is Leg.MEANING:
        model = report.model
        value["model"] = model and {"name": model.name, "dimensions": model.dimensions, "sha256": model.sha256}
    return value


def _reranker_object(report: RerankerReport) -> dict[str, Any]:
    model = report.model
    return {
        "state": str(report.state),
        "notes": report.notes,
        "reason": report.reason,
        "model": model and {"name": model.name, "sha256": model.sha256},
    }


def _place_object(place: RerankedPlace | None) -> dict[str, Any] | None:
    return None if place is None else {"score": rounded(place.score), "fused_rank": place.fused_rank}


def _hit_object(hit: Hit) -> dict[str, Any]:
    found_by = [(leg, hit.evidence.get(leg)) for leg in LEGS]
    return {
        "rank": hit.rank,
        "title": hit.title,
        "path": hit.path,
        "line": hit.line,
        "place": hit.place,
        "date": hit.date,
        "band": None if hit.band is None else str(hit.band),
        "held_back": None if hit.held_back is None else str(hit.held_back),
        "weak": hit.weak,
        "compatibility": None if hit.compatibility is None else rounded(hit.compatibility),
        "score": rounded(hit.score),
        "pinned": hit.pinned,
        "ranks": {str(leg): evidence and evidence.rank for leg, evidence in found_by},
        "contributions": {str(name): _rounded_or_null(hit.part(name)) for name in (*LEGS, TITLE_PART)},
        "matched_words": list(hit.matched_words),
        "links_from": [
            {"path": step.seed_path, "title": step.seed_title, "rank": step.seed_rank, "line": step.line}
            for step in hit.links_from
        ],
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
    }


def _rounded_or_null(number: float | None) -> float | None:
    return None if number is None else rounded(number)
