"""Every formula by its version string: the published ones by a table, the others by how their names are built. Pure.

A constant of a formula stands in its name: another constant is another formula, never a setting of a query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from core.errors import TriskelError
from core.search.evidence import Evidence
from core.search.formulas.evidence import EVIDENCE, EVIDENCE_WITH_SHARE
from core.search.formulas.formula import Formula, Parts, Rankings
from core.search.formulas.reciprocal_rank import RRF_K, reciprocal_rank
from core.search.formulas.score_fusion import convex, max_and_min, max_and_min_calibrated, min_max
from core.search.results import LEGS

WEAK_MATCH_FLOOR = 0.25
"""The cosine below which a meaning hit counts as weak where a name does not say another: `floor=0.25`."""

SWEPT_K = (20, 40, 60)

RECIPROCAL_RANK = Formula(f"rrf/k={RRF_K}/v1", reciprocal_rank(), published=True)
MAX_AND_MIN = Formula("max+0.3*min/v1", max_and_min, published=True)

FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {formula.name: formula for formula in (EVIDENCE_WITH_SHARE, EVIDENCE, RECIPROCAL_RANK, MAX_AND_MIN)}
)
"""The published formulas, which a search may be asked to use."""

_NUMBER = r"(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{0,5}[1-9])?"
_NAME = re.compile(
    rf"(?:rrf/k=(?P<k>[1-9][0-9]{{0,5}})(?:/weights=(?P<weights>{_NUMBER}:{_NUMBER}:{_NUMBER}))?"
    rf"|convex/alpha=(?P<alpha>0|1|0\.[0-9]{{0,5}}[1-9])|(?P<plain>[^/]+(?:/calibrated)?))"
    rf"(?:/floor=(?P<floor>0|1|0\.[0-9]{{0,5}}[1-9]))?(?P<completed>/completed)?/v1"
)
_PLAIN: Mapping[str, Callable[[Rankings, Evidence], Parts]] = MappingProxyType(
    {"max+0.3*min": max_and_min, "max+0.3*min/calibrated": max_and_min_calibrated, "min-max": min_max}
)


def formula_named(name: str) -> Formula:
    """Return a formula, published or for evaluation only.

    Of the latter there are `rrf/k=K/v1` for any whole K; `rrf/k=K/weights=W:M:L/v1`, weights of words, meaning and
    links; `max+0.3*min/calibrated/v1`; `min-max/v1`; `convex/alpha=A/v1`, A the weight of meaning from 0 to 1; and
    each of these and of the published forms by rank or score with `/floor=C`, with `/completed`, or with both in this
    order, before its version: `rrf/k=60/floor=0.25/completed/v1`.

    Raises:
        TriskelError: there is none of that name; the sentence lists the published ones.
    """
    if name in FORMULAS:
        return FORMULAS[name]
    match = _NAME.fullmatch(name)
    parts = _parts(match) if match else None
    if match is None or parts is None:
        raise TriskelError(f"There is no formula “{name}”. Known formulas: {', '.join(FORMULAS)}.")
    floor = float(match["floor"]) if match["floor"] else None
    return Formula(name, parts, floor=floor, completed=bool(match["completed"]))


def published_formula(name: str) -> Formula:
    """Return a formula that a search may be asked to use.

    Raises:
        TriskelError: there is none of that name, or it is there for evaluation only.
    """
    formula = formula_named(name)
    if not formula.published:
        raise TriskelError(
            f"The formula “{name}” is for “triskel evaluate” alone. A search takes {', '.join(FORMULAS)}."
        )
    return formula


def compared_formulas() -> tuple[Formula, ...]:
    """Return the formulas that are worth measuring side by side: the published ones first."""
    return tuple(formula_named(name) for name in _compared())


def _compared() -> Iterator[str]:
    yield from FORMULAS
    yield from (f"rrf/k={k}/v1" for k in SWEPT_K if k != RRF_K)
    for base in (f"rrf/k={RRF_K}", "max+0.3*min", "max+0.3*min/calibrated"):
        if f"{base}/v1" not in FORMULAS:
            yield f"{base}/v1"
        yield f"{base}/floor={WEAK_MATCH_FLOOR:g}/v1"
        yield f"{base}/completed/v1"
    for base in ("min-max", "convex/alpha=0.5", "convex/alpha=0.8"):
        yield f"{base}/v1"
        yield f"{base}/completed/v1"


def _parts(match: re.Match[str]) -> Callable[[Rankings, Evidence], Parts] | None:
    if match["k"]:
        weights = [float(weight) for weight in match["weights"].split(":")] if match["weights"] else ()
        return reciprocal_rank(int(match["k"]), dict(zip(LEGS, weights, strict=False)))
    if match["alpha"]:
        return convex(float(match["alpha"]))
    return _PLAIN.get(match["plain"])
