"""Figures that others have published on the same questions, to stand beside ours. Pure data.

LoCoMo: the 1,536 headline questions with a corrected key, one note a session, all ten conversations pooled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.evaluation.experiment import Measured


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """What a program reports of itself, by our names of the measures; what it does not report is not there."""

    program: str
    values: Mapping[str, float]


_PROTOCOLS: Mapping[tuple[str, int, int], tuple[PublishedFigures, ...]] = {
    ("locomo", 272, 1_536): (
        PublishedFigures("basic-memory", {"recall@5": 0.733, "recall@10": 0.839, "mrr@10": 0.619}),
        PublishedFigures("basic-memory, after its full-text repair", {"recall@5": 0.823, "mrr@10": 0.718}),
        PublishedFigures("mem0", {"recall@5": 0.791, "recall@10": 0.891, "mrr@10": 0.648}),
    ),
}
"""By the set's name, its notes and its queries: with other notes or fewer questions it is another protocol."""


def published_beside(one: Measured) -> tuple[PublishedFigures, ...]:
    """Return what others reported on this very set; nothing where none did."""
    return _PROTOCOLS.get((one.data_set, one.documents, one.queries), ())
