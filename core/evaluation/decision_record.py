"""A verdict of the gate as Markdown, ready to be kept under docs/decisions. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluation.comparison import Interval
from core.evaluation.experiment import RERANKED, Measured
from core.evaluation.gate import DECIDING, GATED, MODES, MOST_FALL, Verdict, mean_gain
from core.evaluation.metrics import mean_of


def record_text(verdict: Verdict, measured: Sequence[Measured], candidate: str, default: str, command: str) -> str:
    """Return the record: the decision, why, what was compared, every fall, and the command that repeats it."""
    decision = "is adopted" if verdict.adopted else "is not adopted"
    lines = [
        f"# {candidate} against {default}",
        "",
        f"**{candidate} {decision}.**",
        "",
        *(f"- {reason}" for reason in verdict.reasons),
        *([""] if verdict.reasons else []),
        "Repeat it with:",
        "",
        f"    {command}",
        "",
        _reranker_line(verdict, measured),
        "",
        "## Pooled over all queries of all sets, hybrid",
        "",
        "| measure | gain | 95 % interval | mean of the sets |",
        "|---|---|---|---|",
    ]
    for measure in DECIDING:
        each = mean_gain(verdict.gains, measure)
        pooled = verdict.pooled[measure]
        mean = "" if each is None else f"{each:+.3f}"
        lines.append(f"| {measure} | {pooled.estimate:+.3f} | {_ends(pooled)} | {mean} |")
    lines += ["", "## Gains by set and mode", "", f"| set | mode | queries | {' | '.join(GATED)} |"]
    lines.append(f"|---|---|---|{'---|' * len(GATED)}")
    for name, mode, reranked in dict.fromkeys((gain.data_set, gain.mode, gain.reranked) for gain in verdict.gains):
        asked = (name, mode, reranked)
        here = {
            gain.measure: gain.interval for gain in verdict.gains if (gain.data_set, gain.mode, gain.reranked) == asked
        }
        cells = (f"{_marked(here[measure])}" if measure in here else "" for measure in GATED)
        shown = f"{mode}{RERANKED if reranked else ''}"
        lines.append(f"| {name} | {shown} | {max(each.queries for each in here.values())} | {' | '.join(cells)} |")
    lines += ["", "`*` marks what lies outside the 95 % interval (paired bootstrap over queries).", ""]
    lines += ["## Every fall", ""]
    lines += [
        f"- {fall.where}, {fall.measure}: {fall.interval.estimate:+.4f} ({_ends(fall.interval)})"
        for fall in verdict.falls
    ] or ["None."]
    lines += [
        "",
        "## Figures, hybrid",
        "",
        f"| set | formula | {' | '.join(GATED)} |",
        f"|---|---|{'---|' * len(GATED)}",
    ]
    for one in measured:
        for name in (default, candidate, default + RERANKED, candidate + RERANKED):
            run = next((run for mode in reversed(MODES) if (run := one.run(name, mode)) is not None), None)
            if run is not None:
                means = (mean_of(run.figures, measure) for measure in GATED)
                cells = ("" if mean is None else f"{mean:.3f}" for mean in means)
                lines.append(f"| {one.data_set} | {name} | {' | '.join(cells)} |")
    lines += ["", "## The rule", "", _RULE]
    return "\n".join(lines) + "\n"


_RULE = (
    "A candidate is adopted if its pooled gain in hybrid hit@1 or MRR@10 lies above zero beyond the paired interval, "
    "no interval of any set, mode and measure, reranker off or on, lies wholly below zero, and no estimate falls by "
    f"more than {MOST_FALL}. "
    "A leg weight other than 1 also needs that leg to be ahead on every size of the growing haystack."
)


def _reranker_line(verdict: Verdict, measured: Sequence[Measured]) -> str:
    names = dict.fromkeys(one.reranker.name for one in measured if one.reranker)
    if not any(gain.reranked for gain in verdict.gains):
        return "Reranker off. Reranker on was not measured."
    return f"Reranker off, and on ({', '.join(names)})."


def _ends(interval: Interval) -> str:
    return f"{interval.low:+.3f} to {interval.high:+.3f}"


def _marked(interval: Interval) -> str:
    mark = "*" if interval.is_above_zero or interval.is_below_zero else ""
    return f"{interval.estimate:+.3f}{mark}"
