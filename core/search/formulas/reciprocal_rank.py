"""Reciprocal rank fusion: ranks alone decide, since scores of different searches cannot be compared. Pure.

Cormack, Clarke and Büttcher, SIGIR 2009: each search that surfaced a note adds `weight / (k + rank)`, rank from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from core.search.evidence import Evidence
from core.search.formulas.formula import Parts, Rankings

RRF_K = 60
"""The constant of the 2009 paper; measured here, 5 to 60 differ by less than 0.01 in hit@1."""

EQUAL: Mapping[str, float] = MappingProxyType({})


def reciprocal_rank(k: int = RRF_K, weights: Mapping[str, float] = EQUAL) -> Callable[[Rankings, Evidence], Parts]:
    """Return the function that gives `weight / (k + rank)` for each ranking a note is in; weights are 1 by default.

    The evidence is not looked at.
    """

    def parts(rankings: Rankings, _evidence: Evidence) -> Parts:
        found: dict[int, dict[str, float]] = {}
        for name, ranking in rankings.items():
            weight = weights.get(name, 1.0)
            for rank, ranked in enumerate(ranking.notes, start=1):
                found.setdefault(ranked.note, {})[name] = weight / (k + rank)
        return found

    return parts
