"""A result as one HTML page that needs nothing beside it: badges, bars and marks on screen and on paper. Pure."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from string import Template

from core.export.markdown_table import joined_marks, link_target
from core.export.plain_text import one_line, visible
from core.export.selection import exported_hits, reranker_line, rounded
from core.search.results import LEGS, Hit, Leg, LegState, SearchResult, Snippet

_SIGN_BY_LEG = {Leg.WORDS: "T", Leg.MEANING: "≈", Leg.LINKS: "↔"}
"""Told by shape as well as by colour, as in the window."""

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>$title</title>
<style>
:root { color-scheme: light dark; --ground: #ffffff; --line: #e3e6ea; --text: #1c2330; --muted: #5b6675;
  --words: #1557b0; --meaning: #7a34a8; --links: #0b6b57; --bar: #434f9c; --track: #dfe3f0; --mark: #fff1b8;
  --words-ground: #e3ebf6; --meaning-ground: #efe7f5; --links-ground: #e2edeb; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #171a21; --line: #303644; --text: #e6e9ef;
  --muted: #a0aab8; --words: #8ab4ff; --meaning: #d3a4ff; --links: #7fd6c0; --bar: #b9c2ff; --track: #3a4058;
  --mark: #5c4a10; --words-ground: #252d3c; --meaning-ground: #2e2b3c; --links-ground: #233134; } }
* { box-sizing: border-box; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; line-height: 1.3; margin: 0; flex: 1 1 16rem; min-width: 0; }
a { color: inherit; text-decoration-color: var(--muted); text-underline-offset: .15em; }
.muted { color: var(--muted); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 1rem 0; font-size: .85rem; }
dt { color: var(--muted); } dd { margin: 0; }
ol { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { padding: .8rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.row { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
.place { font-size: .85rem; color: var(--muted); margin: .1rem 0; }
.snippet { margin: .3rem 0 .5rem; white-space: pre-line; }
mark { background: var(--mark); color: inherit; border-radius: .15em; padding: 0 .1em; }
.fit { display: flex; align-items: center; gap: .6rem; font-size: .85rem; font-weight: 600; color: var(--bar); }
.track { display: inline-block; width: 7rem; height: .5rem; border-radius: .25rem; background: var(--track);
  overflow: hidden; }
.fill { display: block; height: 100%; border-radius: .25rem; background: var(--bar); }
.badges { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0; font-size: .8rem; font-weight: 600; }
.badge { border-radius: .8rem; padding: .1rem .6rem; white-space: nowrap; }
.words { color: var(--words); background: var(--words-ground); }
.meaning { color: var(--meaning); background: var(--meaning-ground); }
.links { color: var(--links); background: var(--links-ground); }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } a { text-decoration: none; } }
</style>
</head>
<body>
<h1 dir="auto">$heading</h1>
<p class="muted">$found</p>
<dl>
$facts
</dl>
<ol>
$hits
</ol>
</body>
</html>
""")


def to_html(result: SearchResult, rows: Sequence[int] | None = None) -> str:
    """Return the hits at `rows` (None for all) as a page: the facts of the search, then a block for each hit.

    The page asks for nothing from anywhere, and says so to the browser. Text of notes is escaped, never markup. Links
    are relative to the notes folder, so they open where the page is saved there.
    Raises `ExportError` for an interim result.
    """
    hits = exported_hits(result, rows)
    notes = "1 note" if result.total == 1 else f"{result.total} notes"
    return _PAGE.substitute(
        title=f"Notes for “{_shown(result.query)}”",
        heading=f"Notes for “{_shown(result.query)}”",
        found=f"{notes} found, {len(hits)} listed here. Links are relative to the notes folder.",
        facts="\n".join(f'<dt>{name}</dt><dd dir="auto">{value}</dd>' for name, value in _facts(result)),
        hits="\n".join(_hit(hit) for hit in hits),
    )


def _facts(result: SearchResult) -> Iterator[tuple[str, str]]:
    yield "Mode", str(result.mode)
    yield "Formula", _shown(result.formula)
    yield "Fingerprint", _shown(result.fingerprint)
    for leg in LEGS:
        report = result.legs[leg]
        seen, there = report.coverage
        if report.state is LegState.RAN:
            what = "links" if leg is Leg.LINKS else "notes"
            yield leg.capitalize(), f"{report.notes} notes, sees {seen} of {there} {what}"
        else:
            yield leg.capitalize(), f"{report.state}: {_shown(report.reason or 'no reason given')}"
    if result.reranker is not None:
        yield "Reranker", _shown(reranker_line(result.reranker))
    if result.filters:
        yield "Asked", _shown(" | ".join(result.filters))
    if result.message:
        yield "Message", _shown(result.message)


def _hit(hit: Hit) -> str:
    path = html.escape(visible(hit.path))
    where = _shown(hit.place or "") if hit.line is None else f"line {hit.line}"
    badges = "".join(
        f'<span class="badge {leg}">{_SIGN_BY_LEG[leg]} {leg.capitalize()} {evidence.rank}</span>'
        for leg in LEGS
        if (evidence := hit.evidence.get(leg)) is not None
    )
    place = " · ".join(part for part in (f"<bdi>{path}</bdi>", where, _shown(hit.date)) if part)
    return (
        f'<li value="{hit.rank}"><article>\n'
        f'<div class="row"><h2 dir="auto">{hit.rank}. <a href="{link_target(hit.path)}">{_shown(hit.title) or path}'
        f"</a></h2>{_fit(hit)}</div>\n"
        f'<p class="place">{place}</p>\n'
        f'<p class="snippet" dir="auto">{_marked(hit.snippet)}</p>\n'
        f'<p class="badges">{badges}</p>\n'
        "</article></li>"
    )


def _fit(hit: Hit) -> str:
    """Return band and bar; nothing for a hit that no leg found, which has neither."""
    if hit.band is None or hit.compatibility is None:
        return ""
    share, word = rounded(hit.compatibility), "weak" if hit.weak else hit.band
    return (
        f'<span class="fit">{word}<span class="track" role="img" aria-label="compatibility {share} of 1">'
        f'<span class="fill" style="width: {rounded(hit.compatibility * 100)}%"></span></span></span>'
    )


def _shown(text: str) -> str:
    return html.escape(one_line(text))


def _marked(snippet: Snippet) -> str:
    pieces: list[str] = []
    position = 0
    for start, end in joined_marks(snippet.marks):
        pieces += [_kept_lines(snippet.text[position:start]), f"<mark>{_kept_lines(snippet.text[start:end])}</mark>"]
        position = end
    pieces.append(_kept_lines(snippet.text[position:]))
    return "".join(pieces)


def _kept_lines(text: str) -> str:
    return "\n".join(html.escape(visible(line)) for line in text.split("\n"))
