"""Rankings and evidence in, one ordered list out. Pure: no database, no clock, no Qt.

A formula is a pure function with a version string that goes into every result and export (`formulas`). Rankings come
in a map by retriever name, so a further retriever is one more key.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from core.search.evidence import Evidence
from core.search.formulas.candidates import above_floor, completed
from core.search.formulas.evidence import EVIDENCE, EVIDENCE_WITH_SHARE
from core.search.formulas.formula import Formula, Rankings
from core.search.formulas.registry import FORMULAS, formula_named, published_formula
from core.search.links import SEEDS
from core.search.results import LEGS, Leg, Ranking
from core.search.strength import Strength, strength_of

__all__ = ["DEFAULT_FORMULA", "FORMULAS", "FusedNote", "formula_named", "fuse", "published_formula", "seeds_of"]

DEFAULT_FORMULA = EVIDENCE_WITH_SHARE.name
"""Chosen by the gate: docs/decisions/0001-default-formula.md."""

_NO_PARTS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FusedNote:
    """A note in the fused order.

    Attributes:
        score: what the contributions add up to, rounded once.
        ranks: the note's rank, from 1, in each ranking that surfaced it.
        contributions: the parts of the score, in the order of the sum, by retriever or by a name of their own
            (`title`). A completed formula gives parts of legs that did not surface the note, too.
        strength: how much the note holds of what was asked, whatever the formula; None where no leg weighs notes.
    """

    note: int
    path: str
    score: float
    ranks: Mapping[str, int]
    contributions: Mapping[str, float]
    strength: Strength | None = None


def fuse(rankings: Rankings, evidence: Evidence, formula: Formula) -> list[FusedNote]:
    """Return every note of the rankings, best first, in a total order.

    Sums run in the order of the legs, then of the names of further parts, whatever the order of the map, and are
    rounded once: notes with the same ranks in different legs get the same score. Equal scores are decided by the
    evidence (`evidence/v1`), then more retrievers, then the better best rank, and at last the note's path.
    """
    heard = above_floor(rankings, formula.floor)
    ranks_by_note: dict[int, dict[str, int]] = {}
    path_by_note: dict[int, str] = {}
    for retriever in _in_order(heard):
        for rank, ranked in enumerate(heard[retriever].notes, start=1):
            ranks_by_note.setdefault(ranked.note, {})[retriever] = rank
            path_by_note[ranked.note] = ranked.path
    parts = formula.parts(completed(heard, evidence, formula.floor) if formula.completed else heard, evidence)
    strong = parts if formula is EVIDENCE else EVIDENCE.parts(heard, evidence)
    fused = []
    for note, ranks in ranks_by_note.items():
        contributions = parts.get(note, _NO_PARTS)
        in_order = {name: contributions[name] for name in _in_order(contributions)}
        score = math.fsum(in_order.values())
        fused.append(FusedNote(note, path_by_note[note], score, ranks, in_order, strength_of(note, heard, evidence)))

    def order(one: FusedNote) -> tuple[float, float, int, int, str]:
        return -one.score, -math.fsum(strong[one.note].values()), -len(one.ranks), min(one.ranks.values()), one.path

    return sorted(fused, key=order)


def seeds_of(rankings: Rankings, evidence: Evidence, formula: Formula) -> list[int]:
    """Return the notes that links are followed from, best first: the first ten of words and meaning fused.

    Only what these two legs themselves say counts; an exact title seeds by its words.
    """
    searched: dict[str, Ranking] = {leg: rankings[leg] for leg in (Leg.WORDS, Leg.MEANING) if leg in rankings}
    alone = replace(evidence, titled=frozenset(), seeds=(), links={})
    return [one.note for one in fuse(searched, alone, formula)[:SEEDS]]


def _in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order of sums: the legs, then all others by name."""
    distinct = set(names)
    return [leg for leg in LEGS if leg in distinct] + sorted(distinct.difference(LEGS))
