"""A result as CSV for spreadsheets: RFC 4180 with CRLF line ends, fixed columns, and no cell that runs. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from core.export.plain_text import one_line, visible
from core.export.selection import exported_hits, missing_legs, reranker_line, rounded
from core.search.results import LEGS, Hit, RerankerReport, SearchResult

CSV_COLUMNS: tuple[str, ...] = (
    "query",
    "mode",
    "formula",
    "fingerprint",
    "filters",
    "missing_legs",
    "rank",
    "title",
    "path",
    "line",
    "place",
    "date",
    "band",
    "compatibility",
    "score",
    *(f"rank_{leg}" for leg in LEGS),
    "pinned",
    "weak",
    "matched_words",
    "links_from",
    "snippet",
)
RERANKER_COLUMNS: tuple[str, ...] = ("reranker", "fused_rank", "reranker_score")
"""These follow where a reranker was asked for."""

_FORMULA = re.compile(r"""(^|;)(?=[\s\ufeff\u200b"']*[=+\-@\uff1d\uff0b\uff0d\uff20])""")
"""Where a spreadsheet would start to read a formula.

`= + - @` start one, in some Asian versions the full-width signs too, and blanks or quotes before them are cut by some
imports. Leading tabs and carriage returns cannot occur here: cells are on one line. A semicolon counts as a start
because Excel splits there, and not at commas, wherever the comma is the decimal sign; quotes in mid-row do not help.
"""

_CellValue = str | int | float | None


def to_csv(result: SearchResult, rows: Sequence[int] | None = None) -> str:
    """Return the hits at `rows` (None for all) as CSV with a header, which stands alone where there are none.

    Lines end with CRLF, so the text must be written without newline translation. Text cells are on one line; one that
    a spreadsheet would run gets an apostrophe before the sign. Numbers are bare, to six decimals; None is empty.
    Raises `ExportError` for an interim result.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS if result.reranker is None else CSV_COLUMNS + RERANKER_COLUMNS)
    for cells in _rows(result, rows):
        writer.writerow([_neutral(cell) if isinstance(cell, str) else cell for cell in cells])
    return table.getvalue()


def neutralised_cells(result: SearchResult, rows: Sequence[int] | None = None) -> int:
    """Return how many cells of the CSV had to be neutralised, so that whoever exports can be told."""
    return sum(
        isinstance(cell, str) and _FORMULA.search(cell) is not None for cells in _rows(result, rows) for cell in cells
    )


def _rows(result: SearchResult, rows: Sequence[int] | None) -> Iterator[tuple[_CellValue, ...]]:
    head = (
        one_line(result.query),
        str(result.mode),
        one_line(result.formula),
        one_line(result.fingerprint),
        one_line(" | ".join(result.filters)),
        one_line(missing_legs(result)),
    )
    for hit in exported_hits(result, rows):
        yield head + _hit_cells(hit) + _reranker_cells(hit, result.reranker)


def _reranker_cells(hit: Hit, report: RerankerReport | None) -> tuple[_CellValue, ...]:
    if report is None:
        return ()
    place = hit.reranked
    both = (None, None) if place is None else (place.fused_rank, rounded(place.score))
    return (one_line(reranker_line(report)), *both)


def _hit_cells(hit: Hit) -> tuple[_CellValue, ...]:
    found_by = [hit.evidence.get(leg) for leg in LEGS]
    return (
        hit.rank,
        one_line(hit.title),
        visible(hit.path),  # not on one line by joining blanks: two blanks in a file name are two
        hit.line,
        one_line(hit.place or ""),
        one_line(hit.date),
        None if hit.band is None else str(hit.band),
        None if hit.compatibility is None else rounded(hit.compatibility),
        rounded(hit.score),
        *(None if evidence is None else evidence.rank for evidence in found_by),
        "yes" if hit.pinned else "no",
        "yes" if hit.weak else "no",
        one_line(" ".join(hit.matched_words)),
        one_line(" | ".join(f"{visible(step.seed_path)}:{step.line}" for step in hit.links_from)),
        one_line(hit.snippet.text),
    )


def _neutral(cell: str) -> str:
    return _FORMULA.sub(r"\1'", cell)
