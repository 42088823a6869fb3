"""How sure a mean or a difference is: bootstrap intervals over queries. Depends on numpy; the seed is fixed.

The bootstrap is that of Efron (1979), with percentile intervals; differences are paired, query by query, as Sakai
(SIGIR 2006) does for retrieval. Every interval over the same number of queries draws the same samples.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 2_000
LEVEL = 0.95
SEED = 20_090_719
"""Any number would do, so long as it is always the same one."""

_AT_ONCE = 200
_MOST_KEPT = 2_000
"""Queries of a set above which what is drawn is drawn again, not kept: below, 16 MB at most."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over `queries` queries, and the interval that holds the middle 95 of 100 resampled means."""

    estimate: float
    low: float
    high: float
    queries: int

    @property
    def is_above_zero(self) -> bool:
        """Whether the whole interval lies above zero."""
        return self.low > 0

    @property
    def is_below_zero(self) -> bool:
        """Whether the whole interval lies below zero."""
        return self.high < 0


NO_QUERIES = Interval(0.0, 0.0, 0.0, 0)


def interval_of(values: Sequence[float]) -> Interval:
    """Return the interval of the mean of some values, one a query."""
    return pooled_interval([values])


def paired_interval(candidate: Mapping[str, float], other: Mapping[str, float]) -> Interval:
    """Return the interval of the mean difference over the queries that both have; above zero the candidate is ahead."""
    return interval_of(differences(candidate, other))


def differences(candidate: Mapping[str, float], other: Mapping[str, float]) -> list[float]:
    """Return candidate less other for each query that both have, by query id."""
    return [candidate[query] - other[query] for query in sorted(candidate.keys() & other.keys())]


def pooled_interval(sets: Iterable[Sequence[float]]) -> Interval:
    """Return the interval of the mean of all values of several sets, each set resampled within itself.

    So each resample holds as many queries of each set as there are, and a set of many queries weighs more.
    """
    filled = [np.asarray(values, np.float64) for values in sets if len(values)]
    total = sum(len(values) for values in filled)
    if not total:
        return NO_QUERIES
    sums = np.zeros(SAMPLES, np.float64)
    for place, values in enumerate(filled):
        sums += _resampled_sums(values, place)
    estimate = math.fsum(float(value) for values in filled for value in values) / total
    low, high = np.quantile(sums / total, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(estimate, float(low), float(high), total)


def _resampled_sums(values: NDArray[np.float64], place: int) -> NDArray[np.float64]:
    if not np.any(values != values[0]):
        return np.full(SAMPLES, float(values[0]) * len(values))
    blocks = _kept_draws(len(values), place) if len(values) <= _MOST_KEPT else _draws(len(values), place)
    return np.concatenate([values[drawn].sum(axis=1) for drawn in blocks])


def _draws(count: int, place: int) -> Iterator[NDArray[np.int32]]:
    """Yield which of `count` queries each resample holds, in blocks; other places draw others."""
    chosen = np.random.default_rng([SEED, count, place])
    for _block in range(SAMPLES // _AT_ONCE):
        yield chosen.integers(0, count, size=(_AT_ONCE, count), dtype=np.int32)


@functools.lru_cache(maxsize=16)
def _kept_draws(count: int, place: int) -> tuple[NDArray[np.int32], ...]:
    return tuple(_draws(count, place))
