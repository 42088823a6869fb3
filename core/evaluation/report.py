"""Measured sets as one page that needs nothing beside it: plain words, tables, plots. Draws with `plots`, else pure."""

from __future__ import annotations

import html
from collections.abc import Sequence

from core.evaluation.answers import Overlap
from core.evaluation.comparison import Interval
from core.evaluation.experiment import Measured, Run
from core.evaluation.metrics import mean_of, tied_pairs, tied_queries
from core.evaluation.plots import plot_agreement, plot_constants, plot_growth, plot_set
from core.evaluation.published import published_beside
from core.evaluation.summary import COMPARED, gains
from core.search.results import Mode

_HEADINGS = {
    "hit@1": "the first note is right",
    "recall@5": "found among five",
    "recall@10": "found among ten",
    "mrr@10": "how far up",
    "ndcg@10": "order of ten",
    "content_hit": "answer in ten",
}


def report_page(measured: Sequence[Measured], default: str) -> str:
    """Return the page as HTML.

    Raises:
        TriskelError: matplotlib is not installed.
    """
    parts = [_INTRODUCTION.format(default=html.escape(default))]
    queries = sum(one.queries for one in measured)
    parts.append(f"<p>{len(measured)} sets, {queries:,} queries.</p>")
    growth, constants, agreement = plot_growth(measured), plot_constants(measured), plot_agreement(measured)
    if agreement:
        parts.append(_section("Where words and meaning agree", _AGREEMENT, agreement))
    if growth:
        parts.append(_section("As the haystack grows", _GROWTH, growth))
    if constants:
        parts.append(_section("The constant of rank fusion", _CONSTANTS, constants))
    parts += [_section(one.data_set, _about(one), plot_set(one) + _table(one) + _overlaps(one)) for one in measured]
    return _PAGE.format(style=_STYLE, body="\n".join(parts))


def _section(title: str, words: str, content: str) -> str:
    return f"<section><h2>{html.escape(title)}</h2>\n<p>{words}</p>\n{content}</section>"


def _about(one: Measured) -> str:
    words = f"{one.documents:,} notes, {one.queries:,} queries."
    if one.embedded < 1:
        words += f" {one.embedded:.0%} of the passages have a vector."
    return words


def _table(one: Measured) -> str:
    heads = "".join(
        f"<th scope=col>{html.escape(measure)}<small>{_HEADINGS[measure]}</small></th>" for measure in COMPARED
    )
    rows = []
    for run in one.runs:
        other = _compared_with(one, run)
        found = gains(run, other) if other is not None else {}
        cells = "".join(_cell(mean_of(run.figures, measure), found.get(measure)) for measure in COMPARED)
        ties = f"<td>{tied_pairs(run.figures):.3f}</td><td>{tied_queries(run.figures):.3f}</td>"
        rows.append(f"<tr><th scope=row>{_name(run, one.default)}</th>{cells}{ties}</tr>")
    for published in published_beside(one):
        cells = "".join(_cell(published.values.get(measure), None) for measure in COMPARED)
        name = html.escape(published.program)
        rows.append(f"<tr><th scope=row>{name} (published)</th>{cells}<td>–</td><td>–</td></tr>")
    ties = "<th scope=col>ties<small>of neighbours</small></th><th scope=col>ties<small>of queries</small></th>"
    return (
        f"<div class=wide><table><thead><tr><th scope=col>formula or leg</th>{heads}{ties}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _overlaps(one: Measured) -> str:
    """Return hit@1 by how many of the query's words the answer holds."""
    counts = {part: sum(each is part for each in one.overlap.values()) for part in Overlap}
    if sum(count > 0 for count in counts.values()) < 2:
        return ""
    heads = "".join(f"<th scope=col>{part}<small>{count:,} queries</small></th>" for part, count in counts.items())
    rows = []
    for run in one.runs:
        cells = []
        for part in Overlap:
            chosen = [each for each in run.figures if one.overlap[each.found.query] is part]
            cells.append(_cell(mean_of(chosen, "hit@1"), None))
        rows.append(f"<tr><th scope=row>{_name(run, one.default)}</th>{''.join(cells)}</tr>")
    return (
        "<h3>The first note is right, by how many of the query's words the answer holds</h3>"
        f"<div class=wide><table><thead><tr><th scope=col>formula or leg</th>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _compared_with(one: Measured, run: Run) -> Run | None:
    other = one.run(one.default, Mode.HYBRID if run.is_leg else run.mode)
    return None if other is run else other


def _cell(value: float | None, gain: Interval | None) -> str:
    if value is None:
        return "<td>–</td>"
    if gain is not None and (gain.is_above_zero or gain.is_below_zero):
        better = gain.is_above_zero
        words = f"{gain.estimate:+.3f} against the default, {gain.low:+.3f} to {gain.high:+.3f}"
        return f'<td class={"better" if better else "worse"} title="{words}">{value:.3f} {"▲" if better else "▼"}</td>'
    return f"<td>{value:.3f}</td>"


def _name(run: Run, default: str) -> str:
    if run.is_leg:
        return f"{html.escape(run.name)} alone"
    mode = "" if run.mode is Mode.HYBRID else f", {run.mode}"
    name = html.escape(run.name) + mode
    return f"<b>{name}</b> (default)" if run.name == default else name


_INTRODUCTION = """<h1>How well notes are found</h1>
<p>Each set holds notes, and queries of which somebody said which notes answer them. Every query was asked as in the
window; the figures say how far up the right notes stood. All figures lie between 0 and 1, and more is better.</p>
<p>The default is <b>{default}</b>. ▲ and ▼ mark figures that are better or worse than the default's by more than chance
explains: the 95 % interval of the difference, query by query, lies wholly on one side. A bar beside a dot is the 95 %
interval of the figure itself. Differences inside the intervals say nothing.</p>"""

_AGREEMENT = (
    "Which searches have a right note among their first ten. Where only one of them has, it is worth having both."
)
_GROWTH = "The same questions, asked of more and more notes. One needle of twenty more or less is no difference."
_CONSTANTS = "Rank fusion adds 1 / (k + rank). A flat line says that its constant does not matter."

_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1b1d21; --faint: #5b6068; --grid: #d4d7dc;
  --good: #17683a; --bad: #a3261c; --c0: #1f5fbf; --c1: #b35900; --c2: #1d7a55; --c3: #8a3fa0; --c4: #a8324a;
  --c5: #5d6b00; --c6: #00708a; --c7: #6b4a2b; }
@media (prefers-color-scheme: dark) { :root { --ground: #17191d; --ink: #e6e8eb; --faint: #a2a8b1; --grid: #4a4f58;
  --good: #6fd39b; --bad: #ff9a8f; --c0: #7eb0ff; --c1: #ffb066; --c2: #6fd3a8; --c3: #d59bea; --c4: #ff95a8;
  --c5: #cbd860; --c6: #6bd0e8; --c7: #d6b48f; } }
body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 62rem; padding: 2rem 1rem 4rem; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 3rem; } h3 { font-size: 1rem; margin-top: 1.5rem; }
svg { width: 100%; height: auto; } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap; }
th:first-child { text-align: left; } thead th { vertical-align: bottom; } tbody th { font-weight: normal; }
small { display: block; font-weight: normal; color: var(--faint); }
.better { color: var(--good); } .worse { color: var(--bad); }
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>How well notes are found</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""
