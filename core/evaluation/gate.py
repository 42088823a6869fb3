"""The gate: whether a candidate may become the default. Pure: figures per query in, a verdict out.

1. A candidate needs a gain: pooled over all sets, its hybrid hit@1 or MRR@10 lies above the default's beyond the paired
   interval.
2. On no set and in no mode, with a reranker or without, does the interval of a gated measure lie wholly below zero.
3. No estimate on any set and in any mode falls by more than `MOST_FALL`.
4. A leg weight other than 1 also needs that leg to be ahead on every size of the growing haystack, beyond the interval.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.evaluation.comparison import Interval, differences, paired_interval, pooled_interval
from core.evaluation.experiment import RERANKED, Measured, Run
from core.evaluation.metrics import CONTENT_HIT
from core.search.results import Leg, Mode

GATED = ("hit@1", "recall@5", "recall@10", "mrr@10", CONTENT_HIT)
"""What a regression is judged by."""

DECIDING = ("hit@1", "mrr@10")
"""What a gain is judged by, in hybrid mode, all queries of all sets together."""

MODES = (Mode.WORDS, Mode.MEANING, Mode.HYBRID)

MOST_FALL = 0.02

QueryValues = Mapping[str, Mapping[str, float]]
"""By measure, then by query id."""

Results = Mapping[tuple[str, Mode], QueryValues]
"""What one formula gave, by set and mode."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What the candidate and the default gave for the queries of one set in one mode, both `reranked` or neither."""

    data_set: str
    mode: Mode
    candidate: QueryValues
    default: QueryValues
    reranked: bool = False


@dataclass(frozen=True, slots=True)
class Gain:
    """The candidate's gain over the default on one set, in one mode, by one measure; a fall is below zero."""

    data_set: str
    mode: Mode
    measure: str
    interval: Interval
    reranked: bool = False

    @property
    def where(self) -> str:
        """The set, the mode, and whether a reranker had put the lists in order."""
        return f"{self.data_set}, {self.mode}{RERANKED if self.reranked else ''}"

    @property
    def is_fall(self) -> bool:
        """Whether the estimate is below zero, be it by chance."""
        return self.interval.estimate < 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says. `reasons` are sentences, one for each rule that the candidate does not meet.

    `pooled` is over all queries of all sets, by deciding measure; `gains` are all that was compared.
    """

    adopted: bool
    reasons: tuple[str, ...]
    pooled: Mapping[str, Interval]
    gains: tuple[Gain, ...]

    @property
    def falls(self) -> tuple[Gain, ...]:
        """Every estimate below zero, the deepest first."""
        return tuple(sorted((gain for gain in self.gains if gain.is_fall), key=_depth))


def judge(pairs: Sequence[Pair], further_reasons: Sequence[str] = ()) -> Verdict:
    """Return the verdict on what was compared; `further_reasons` speak against the candidate whatever the figures."""
    gains = tuple(
        Gain(pair.data_set, pair.mode, measure, interval, pair.reranked)
        for pair in pairs
        for measure in GATED
        if (interval := paired_interval(pair.candidate.get(measure, {}), pair.default.get(measure, {}))).queries
    )
    hybrid = [pair for pair in pairs if pair.mode is Mode.HYBRID and not pair.reranked]
    pooled = {
        measure: pooled_interval(
            [differences(pair.candidate.get(measure, {}), pair.default.get(measure, {})) for pair in hybrid]
        )
        for measure in DECIDING
    }
    reasons = list(further_reasons)
    if not any(interval.is_above_zero for interval in pooled.values()):
        reasons.append(f"Neither {' nor '.join(DECIDING)}, pooled over the sets, rises beyond the interval.")
    for gain in gains:
        where = f"{gain.where}, {gain.measure}"
        if gain.interval.is_below_zero:
            reasons.append(f"{where}: the whole interval lies below zero ({_signed(gain.interval)}).")
        # Means of floats: a fall of exactly the limit must not pass it by a rounding.
        elif gain.interval.estimate < -MOST_FALL - 1e-9:
            reasons.append(f"{where}: the estimate falls by more than {MOST_FALL} ({_signed(gain.interval)}).")
    return Verdict(not reasons, tuple(reasons), pooled, gains)


def pairs_of(
    measured: Iterable[Measured], candidate: str, others: Mapping[tuple[str, Mode], QueryValues]
) -> list[Pair]:
    """Return what a formula gave on measured sets beside `others`, by set and mode, where both were asked.

    The sizes of a series are one set: each query counts once, by the mean over the sizes, since it is the same query.
    """
    found: dict[tuple[str, Mode], list[tuple[QueryValues, QueryValues]]] = {}
    for one in measured:
        for mode in MODES:
            run, other = one.run(candidate, mode), others.get((one.data_set, mode))
            if run is not None and other is not None:
                name = one.series.name if one.series else one.data_set
                found.setdefault((name, mode), []).append((values_of(run), other))
    return [
        Pair(name, mode, _averaged([first for first, _ in sizes]), _averaged([second for _, second in sizes]))
        for (name, mode), sizes in found.items()
    ]


def reranked_pairs_of(measured: Sequence[Measured], candidate: str, default: str) -> list[Pair]:
    """Return what two formulas gave with a reranker; none where there was none."""
    pairs = pairs_of(measured, candidate + RERANKED, results_of(measured, default + RERANKED))
    return [replace(pair, reranked=True) for pair in pairs]


def values_of(run: Run) -> QueryValues:
    """Return the gated measures of a run."""
    return {measure: run.by_query(measure) for measure in GATED}


def results_of(measured: Iterable[Measured], formula: str) -> Results:
    """Return what a formula gave, by set and mode."""
    return {
        (one.data_set, run.mode): values_of(run)
        for one in measured
        for run in one.runs
        if run.name == formula and not run.is_leg
    }


def weight_reasons(measured: Iterable[Measured], candidate: str) -> list[str]:
    """Return what speaks against a candidate that weighs legs, as its name says: rule 4."""
    match = re.search(r"/weights=([^/:]+):([^/:]+)(?::[^/]+)?(?:/|\Z)", candidate)
    if match is None or float(match[1]) == float(match[2]):
        return []
    heavier = Leg.WORDS if float(match[1]) > float(match[2]) else Leg.MEANING
    if leg_ahead_on_every_size(measured) is heavier:
        return []
    return [f"It weighs {heavier} more, and that leg is not ahead on every size of the haystack beyond the interval."]


def leg_ahead_on_every_size(measured: Iterable[Measured]) -> Leg | None:
    """Return which of words and meaning has the better MRR@10, beyond the interval, on every size of a series."""
    ahead: set[Leg | None] = set()
    for one in measured:
        words, meaning = one.run(Leg.WORDS, Mode.WORDS), one.run(Leg.MEANING, Mode.MEANING)
        if one.series is None or words is None or meaning is None:
            continue
        gain = paired_interval(words.by_query("mrr@10"), meaning.by_query("mrr@10"))
        ahead.add(Leg.WORDS if gain.is_above_zero else Leg.MEANING if gain.is_below_zero else None)
    return ahead.pop() if len(ahead) == 1 else None


def _averaged(sizes: Sequence[QueryValues]) -> dict[str, dict[str, float]]:
    averaged: dict[str, dict[str, float]] = {}
    for measure in GATED:
        values: dict[str, list[float]] = {}
        for size in sizes:
            for query, value in size.get(measure, {}).items():
                values.setdefault(query, []).append(value)
        averaged[measure] = {query: math.fsum(given) / len(given) for query, given in values.items()}
    return averaged


def mean_gain(gains: Iterable[Gain], measure: str, mode: Mode = Mode.HYBRID) -> float | None:
    """Return the mean gain over the sets without a reranker, each counting the same; None where none was compared."""
    asked = (measure, mode, False)
    estimates = [gain.interval.estimate for gain in gains if (gain.measure, gain.mode, gain.reranked) == asked]
    return math.fsum(estimates) / len(estimates) if estimates else None


def _depth(gain: Gain) -> tuple[float, str, str, str]:
    return gain.interval.estimate, gain.where, gain.mode, gain.measure


def _signed(interval: Interval) -> str:
    return f"{interval.estimate:+.3f}, {interval.low:+.3f} to {interval.high:+.3f}"
