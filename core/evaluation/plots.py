"""Plots of measured sets as SVG text for a page. Depends on matplotlib, which is imported when the first one is drawn.

Colours are written as CSS variables of the page (`--ink`, `--grid`, `--c0` to `--c7`), so that one drawing fits light
and dark. Equal figures give equal bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from core.evaluation.experiment import Measured, Run
from core.evaluation.metrics import check_installed, mean_of
from core.evaluation.summary import intervals
from core.search.results import Leg, Mode

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN_MEASURES = ("hit@1", "recall@10", "mrr@10")

AGREEMENT = ("words and meaning", "words alone", "meaning alone", "links alone", "none of them")
"""Which legs have an answer among their first ten notes."""

_INK, _GRID = "#101112", "#c1c2c3"
_COLOURS = tuple(f"#a0b0{place:02x}" for place in range(8))
"""Stand-ins that no plot uses otherwise; the page's variables take their place."""

_RULES: Any = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _GRID,
    "axes.labelcolor": _INK,
    "axes.titlesize": 10,
    "axes.titlecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "text.color": _INK,
    "grid.color": _GRID,
    "legend.frameon": False,
    "savefig.transparent": True,
}

_SWEPT = re.compile(r"rrf/k=(\d+)/v1")


def plot_set(one: Measured) -> str:
    """Return the figures of one set by formula and leg, a dot each with its 95 % interval."""
    runs = list(one.runs)
    names = [_name(run, one.default) for run in runs]

    def draw(figure: Figure) -> None:
        columns = figure.subplots(1, len(SHOWN_MEASURES), sharey=True)
        found = [intervals(run) for run in runs]
        for axes, measure in zip(columns, SHOWN_MEASURES, strict=True):
            for place, (run, interval) in enumerate(zip(runs, (each[measure] for each in found), strict=True)):
                colour = _COLOURS[1] if run.is_leg else _COLOURS[0]
                axes.plot([interval.low, interval.high], [place, place], color=colour, linewidth=1.6)
                marker = "D" if run.name == one.default and not run.is_leg else "o"
                axes.plot([interval.estimate], [place], marker=marker, color=colour, markersize=5)
            axes.set_title(measure)
            axes.set_yticks(range(len(runs)), names)
            axes.grid(axis="x", linewidth=0.5)
        columns[0].invert_yaxis()

    return _svg(draw, width=9.5, height=0.9 + 0.26 * len(runs), salt=f"set {one.data_set}")


def plot_constants(measured: Sequence[Measured]) -> str | None:
    """Return hit@1 and mrr@10 by the k of rank fusion, a line a set; None where fewer than two were measured."""
    lines = {one.data_set: swept for one in measured if len(swept := _swept(one)) > 1}
    if not lines:
        return None

    def draw(figure: Figure) -> None:
        for axes, measure in zip(figure.subplots(1, 2), ("hit@1", "mrr@10"), strict=True):
            for place, (name, swept) in enumerate(lines.items()):
                values = [(k, _mean(run, measure)) for k, run in swept]
                _line(axes, values, name, place)
            axes.set_title(measure)
            axes.set_xlabel("k")
            axes.set_ylim(0, 1.03)  # all of the scale: else chance would look like a slope
            axes.set_xticks(sorted({k for swept in lines.values() for k, _run in swept}))
            axes.grid(axis="y", linewidth=0.5)
        _legend(figure, len(lines))

    return _svg(draw, width=9.5, height=3.4 + 0.2 * len(lines), salt="constants")


def plot_growth(measured: Sequence[Measured]) -> str | None:
    """Return recall@1 and recall@10 by the size of a series, a line a formula or leg; None without two sizes.

    Where each query has one answer, recall@1 is hit@1.
    """
    sizes = sorted((one for one in measured if one.series is not None), key=lambda one: one.documents)
    if len(sizes) < 2:
        return None
    keys = [(run.name, run.mode, run.is_leg) for run in sizes[0].runs][: len(_COLOURS)]

    def draw(figure: Figure) -> None:
        for axes, (measure, title) in zip(
            figure.subplots(1, 2, sharey=True), (("hit@1", "recall@1"), ("recall@10", "recall@10")), strict=True
        ):
            for place, (name, mode, is_leg) in enumerate(keys):
                found = ((one.documents, one.run(name, mode)) for one in sizes)
                values = [(size, _mean(run, measure)) for size, run in found if run is not None]
                _line(axes, values, f"{name} alone" if is_leg else name, place)
            axes.set_title(title)
            axes.set_xscale("log")
            ticks = [one.documents for one in sizes]
            axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks], rotation=45)
            axes.minorticks_off()
            axes.set_xlabel("notes")
            axes.set_ylim(0, 1.03)
            axes.grid(axis="y", linewidth=0.5)
        _legend(figure, len(keys))

    return _svg(draw, width=9.5, height=4.0 + 0.2 * len(keys), salt="growth")


def plot_agreement(measured: Sequence[Measured]) -> str | None:
    """Return for each set which legs have an answer among their first ten notes, as shares of the queries."""
    shares = {one.data_set: found for one in measured if (found := agreement_shares(one)) is not None}
    if not shares:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lefts = [0.0] * len(shares)
        for place, label in enumerate(AGREEMENT):
            widths = [found[place] for found in shares.values()]
            colour = _COLOURS[place] if place < len(AGREEMENT) - 1 else _GRID
            axes.barh(range(len(shares)), widths, left=lefts, color=colour, label=label, height=0.6)
            lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
        axes.set_yticks(range(len(shares)), list(shares))
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.set_xlabel("share of queries")
        _legend(figure, len(AGREEMENT))

    return _svg(draw, width=9.5, height=1.6 + 0.34 * len(shares), salt="agreement")


def agreement_shares(one: Measured) -> tuple[float, ...] | None:
    """Return the shares of queries in the order of `AGREEMENT`; None where words or meaning did not run."""
    legs = [one.run(leg, Mode(leg)) for leg in (Leg.WORDS, Leg.MEANING, Leg.LINKS)]
    if not one.queries or any(run is None for run in legs[:2]):
        return None
    counts = dict.fromkeys(AGREEMENT, 0)
    found = [run.by_query("recall@10") if run else {} for run in legs]
    for query in one.overlap:
        words, meaning, links = (each.get(query, 0.0) > 0 for each in found)
        if words and meaning:
            counts[AGREEMENT[0]] += 1
        elif words or meaning:
            counts[AGREEMENT[1 if words else 2]] += 1
        else:
            counts[AGREEMENT[3 if links else 4]] += 1
    return tuple(counts[label] / one.queries for label in AGREEMENT)


def _swept(one: Measured) -> list[tuple[int, Run]]:
    found = ((_SWEPT.fullmatch(run.name), run) for run in one.runs if run.mode is Mode.HYBRID)
    return sorted(((int(match[1]), run) for match, run in found if match), key=lambda pair: pair[0])


def _name(run: Run, default: str) -> str:
    if run.is_leg:
        return f"{run.name} alone"
    mode = "" if run.mode is Mode.HYBRID else f", {run.mode}"
    return f"{run.name}{mode}{' (default)' if run.name == default else ''}"


def _mean(run: Run, measure: str) -> float:
    return mean_of(run.figures, measure) or 0.0


def _line(axes: Axes, values: Sequence[tuple[int, float]], label: str, place: int) -> None:
    styles = ("-", "--", ":", "-.")
    # Lines are told apart by stroke and marker too, not by colour alone.
    axes.plot(
        [x for x, _y in values],
        [y for _x, y in values],
        color=_COLOURS[place % len(_COLOURS)],
        linestyle=styles[place % len(styles)],
        marker="osD^v<>P"[place % 8],
        markersize=4,
        label=label,
    )


def _legend(figure: Figure, entries: int) -> None:
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(3, entries))


def _svg(draw: Callable[[Figure], None], *, width: float, height: float, salt: str) -> str:
    """Return what a function draws on an empty figure, its size in inches; `salt` keeps names apart within a page."""
    check_installed(plots=True)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({**_RULES, "svg.hashsalt": salt}):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    text = written.getvalue()
    text = text[text.index("<svg") :]
    # In a page the namespaces are known, and the size is that of the column.
    text = re.sub(r' xmlns(?::\w+)?="[^"]*"', "", text)
    text = re.sub(r'^<svg[^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" role="img">', text)
    variables = {_INK: "--ink", _GRID: "--grid", **{colour: f"--c{place}" for place, colour in enumerate(_COLOURS)}}
    for colour, variable in variables.items():
        text = text.replace(colour, f"var({variable})")
    # Names of clips and markers are hashes of the salt and of what is drawn; those of groups are counted anew in each.
    return re.sub(r'<g id="[^"]*">', "<g>", text)
