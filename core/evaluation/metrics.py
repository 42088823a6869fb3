"""What is measured of one ranked list, and means over queries. Depends on ir-measures, which is imported when needed.

hit@1 is success at 1, mrr@10 the reciprocal rank within ten, ndcg@10 has grades as gains (Järvelin and Kekäläinen,
2002). All are between 0 and 1, more is better.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import TriskelError
from core.evaluation.datasets import JudgedQuery

DEPTH = 10
"""Notes of a list that are looked at."""

MEASURES: Mapping[str, str] = MappingProxyType(
    {"hit@1": "Success@1", "recall@5": "R@5", "recall@10": "R@10", "mrr@10": "RR@10", "ndcg@10": "nDCG@10"}
)
"""Our names of the measures, and those of ir-measures."""

CONTENT_HIT = "content_hit"

MISSING = (
    "Measuring needs {name}, which is not installed. “pip install 'triskel[evaluation]'”, or in a copy of the project "
    "“pip install '.[evaluation]'”, adds it."
)


def check_installed(*, plots: bool = False) -> None:
    """Return if what measuring needs is installed, and what plots need where they are asked for; nothing is loaded.

    Raises:
        TriskelError: something is missing; the sentence says how to add it.
    """
    for module, name in (("ir_measures", "ir-measures"), *([("matplotlib", "matplotlib")] if plots else [])):
        if importlib.util.find_spec(module) is None:
            raise TriskelError(MISSING.format(name=name))


@dataclass(frozen=True, slots=True)
class FoundList:
    """What one search gave for one query: the documents of its first ten notes, best first, and their scores.

    `holds_answer` says whether the text of one of them holds an answer, None where no answer is known.
    """

    query: str
    documents: tuple[str, ...]
    scores: tuple[float, ...]
    holds_answer: bool | None = None
    milliseconds: float = 0.0

    @property
    def pairs(self) -> int:
        """How many neighbours there are among the first ten."""
        return max(0, len(self.scores) - 1)

    @property
    def ties(self) -> int:
        """How many neighbours have exactly the same score."""
        return sum(first == second for first, second in zip(self.scores, self.scores[1:], strict=False))


@dataclass(frozen=True, slots=True)
class QueryFigures:
    """The figures of one query by measure; content_hit is among them where an answer is known."""

    found: FoundList
    values: Mapping[str, float]


def figures_of(queries: Sequence[JudgedQuery], found: Sequence[FoundList]) -> tuple[QueryFigures, ...]:
    """Return the figures of each query, in order; a query that found nothing has zeros.

    Raises:
        TriskelError: ir-measures is not installed.
    """
    check_installed()
    import ir_measures

    # Numbers for names: whatever an id holds, it is a word of their own files, and order never depends on it.
    judgements, run = [], []
    for number, (query, one) in enumerate(zip(queries, found, strict=True)):
        known = {document: place for place, document in enumerate(one.documents)}
        for place, (document, grade) in enumerate(query.grades.items(), start=len(known)):
            judgements.append(ir_measures.Qrel(f"q{number}", f"d{known.get(document, place)}", grade))
        # Falling scores: equal ones would be put in an order of the library's own.
        run += [
            ir_measures.ScoredDoc(f"q{number}", f"d{place}", float(DEPTH - place))
            for place in range(len(one.documents[:DEPTH]))
        ]
    measures = {ir_measures.parse_measure(theirs): ours for ours, theirs in MEASURES.items()}
    values: list[dict[str, float]] = [dict.fromkeys(MEASURES, 0.0) for _query in queries]
    if run:
        for result in ir_measures.pytrec_eval.iter_calc(list(measures), judgements, run):
            values[int(result.query_id[1:])][measures[result.measure]] = float(result.value)
    for one, figures in zip(found, values, strict=True):
        if one.holds_answer is not None:
            figures[CONTENT_HIT] = float(one.holds_answer)
    return tuple(QueryFigures(one, MappingProxyType(figures)) for one, figures in zip(found, values, strict=True))


def mean_of(figures: Sequence[QueryFigures], measure: str) -> float | None:
    """Return the mean of a measure over the queries that have it, None where none has."""
    values = [one.values[measure] for one in figures if measure in one.values]
    return math.fsum(values) / len(values) if values else None


def tied_pairs(figures: Sequence[QueryFigures]) -> float:
    """Return the share of neighbours among the first ten that have exactly the same score."""
    pairs = sum(one.found.pairs for one in figures)
    return sum(one.found.ties for one in figures) / pairs if pairs else 0.0


def tied_queries(figures: Sequence[QueryFigures]) -> float:
    """Return the share of queries with an exact tie among the first ten."""
    return sum(one.found.ties > 0 for one in figures) / len(figures) if figures else 0.0
