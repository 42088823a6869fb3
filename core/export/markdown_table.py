"""A result as a Markdown table whose links open and whose titles show their markup instead of using it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from core.export.plain_text import one_line, visible
from core.export.selection import exported_hits, reranker_line, rounded
from core.search.results import LEGS, Hit, LegState, SearchResult, Snippet

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#~$^&@]|=(?==)|(?<==)=|%(?=%)|(?<=%)%|:(?=\S)|(?<=www)\.|(?<=WWW)\.")
"""Signs of CommonMark, GFM (autolinks, `:emoji:`) and note apps (`==`, `%%`, `$`, `#tag`, `^block`).

Those that act at a line's start cannot stand there; round brackets and `!` do nothing beside an escaped bracket.
"""

_HEADER = ("Rank", "Note", "Path", "Line", "Date", "Band", "Compatibility", *(leg.capitalize() for leg in LEGS))


def to_markdown(result: SearchResult, rows: Sequence[int] | None = None) -> str:
    """Return the hits at `rows` (None for all) as a heading, the facts of the search, and a table with a header.

    Links are relative to the notes folder and percent-encoded, so that any file name survives any reader.
    Raises `ExportError` for an interim result.
    """
    hits = exported_hits(result, rows)
    columns = (*_HEADER, "Snippet")
    lines = [
        f"# Notes for “{_shown(result.query)}”",
        "",
        f"- Mode: {result.mode}",
        f"- Formula: {_shown(result.formula)}",
        f"- Fingerprint: {_shown(result.fingerprint)}",
        f"- Notes found: {result.total}, listed here: {len(hits)}",
        *(f"- {line}" for line in _leg_lines(result)),
        *([f"- Reranker: {_shown(reranker_line(result.reranker))}"] if result.reranker else []),
        *([f"- Message: {_shown(result.message)}"] if result.message else []),
        "",
        "Links are relative to the notes folder.",
        "",
        _row(columns),
        _row(["---"] * len(columns)),
        *(_row(_cells(hit)) for hit in hits),
    ]
    return "\n".join(lines) + "\n"


def link_target(path: str) -> str:
    """Return the path of a note, percent-encoded for a link: only `/` and unreserved ASCII stay (RFC 3986).

    A name that is no UTF-8 is encoded by its own bytes.
    """
    try:
        encoded = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # Windows allows halves of surrogate pairs in names
        encoded = path.encode("utf-8", "surrogatepass")
    return quote(encoded, safe="/")


def _leg_lines(result: SearchResult) -> Iterator[str]:
    for leg in LEGS:
        report = result.legs[leg]
        seen, there = report.coverage
        if report.state is LegState.RAN:
            yield f"{leg.capitalize()}: {report.notes} notes, sees {seen} of {there}"
        else:
            yield f"{leg.capitalize()}: {report.state}, {_shown(report.reason or 'no reason given')}"


def _cells(hit: Hit) -> list[str]:
    path = escaped_markdown(visible(hit.path))
    ranks = (hit.evidence.get(leg) for leg in LEGS)
    return [
        str(hit.rank),
        f"[{_shown(hit.title) or path}]({link_target(hit.path)})",
        path,
        _shown(hit.place or "") if hit.line is None else str(hit.line),
        _shown(hit.date),
        "" if hit.band is None else "weak" if hit.weak else str(hit.band),
        "" if hit.compatibility is None else str(rounded(hit.compatibility)),
        *("" if evidence is None else str(evidence.rank) for evidence in ranks),
        _marked(hit.snippet),
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(text: str) -> str:
    return escaped_markdown(one_line(text))


def escaped_markdown(text: str) -> str:
    """Return text in which no sign is markup, in a table cell or a link's label."""
    # The bar as an entity: readers of tables disagree on backslashes before it.
    return _MARKUP.sub(r"\\\g<0>", text).replace("|", "&#124;")


def _marked(snippet: Snippet) -> str:
    """Return the snippet with its marks in bold, where Markdown can: letters or digits at both ends."""
    pieces: list[str] = []
    position = 0
    for start, end in joined_marks(snippet.marks):
        marked = snippet.text[start:end]
        bold = "**" if marked and marked[0].isalnum() and marked[-1].isalnum() else ""
        pieces += [_spaced(snippet.text[position:start]), bold, _spaced(marked), bold]
        position = end
    pieces.append(_spaced(snippet.text[position:]))
    return "".join(pieces).strip()


def _spaced(text: str) -> str:
    return escaped_markdown(visible(re.sub(r"\s+", " ", text)))


def joined_marks(marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the marks in order with touching ones made one: `**a****b**` is no bold."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
