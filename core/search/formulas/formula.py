"""What a fusion formula is. Pure: no database, no clock, no Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from core.search.evidence import Evidence
from core.search.results import Ranking

Rankings: TypeAlias = Mapping[str, Ranking]
"""By retriever; those of the legs under the legs' names. Only what may speak in the result."""

Parts: TypeAlias = Mapping[int, Mapping[str, float]]
"""For each note what adds up to its fused score, by leg or by a name of its own (`TITLE_PART`)."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A way of fusing, under a version string that goes into every result and export.

    `parts` is given rankings and evidence and returns the parts of the notes' scores; a note without any scores 0.
    A published formula may be chosen for a search; the others are there to be measured beside it.

    `floor`: meaning hits with a lower cosine are taken out before anything is fused, so that they add neither score
    nor agreement. `completed`: `parts` is given rankings in which each leg has ranked every candidate, also those that
    it did not surface; a note's own ranks stay what they are.
    """

    name: str
    parts: Callable[[Rankings, Evidence], Parts]
    published: bool = False
    floor: float | None = None
    completed: bool = False


def notes_of(rankings: Rankings) -> list[int]:
    """Return every note of some rankings once, by id."""
    return sorted({ranked.note for ranking in rankings.values() for ranked in ranking.notes})
