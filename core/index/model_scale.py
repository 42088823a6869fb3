"""How a model's cosines lie: where unrelated texts stand, how far they spread, and which languages it can read.

Cosines of different models are no numbers of one kind: one model gives unrelated texts 0.05, another 0.75. What
compares them with anything else must know the model's own scale. Depends on an encoder and `probe_texts` alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.index.probe_texts import PROBES

TOLD_APART = 0.95
"""A language counts as read where so large a share of (related, unrelated) pairs stands in the right order.

Measured on the built-in model: English 0.997, Japanese 0.71, all others from 0.42 to 0.58, which is chance.
"""


class ProbedModel(Protocol):
    """What is needed of a model: the vectors of a query and of a passage."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a query."""

    def embed_passage(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a passage."""


@dataclass(frozen=True, slots=True)
class ModelScale:
    """Mean and standard deviation of the cosine of unrelated texts, the mean of related ones, in English.

    `told_apart` is by language the share of pairs of a related and an unrelated text that the cosine puts in the right
    order (the area under the ROC curve): 1 is never wrong, 0.5 is chance.
    """

    unrelated_mean: float
    unrelated_spread: float
    related_mean: float
    told_apart: Mapping[str, float]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the model reads well enough to be asked, in the order of the probes."""
        return tuple(language for language, share in self.told_apart.items() if share >= TOLD_APART)

    @property
    def separates(self) -> bool:
        """Whether the model tells related from unrelated in any language; one that does not is never on by itself."""
        return bool(self.languages)


def measure_scale(model: ProbedModel) -> ModelScale:
    """Return the scale of a model; takes as long as some 120 short texts.

    Sums are exact (`math.fsum`), so the same model gives the same numbers whatever the order of texts.
    """
    cosines = {language: _cosines(model, language) for language in PROBES}
    related, unrelated = cosines["English"]
    mean = math.fsum(unrelated) / len(unrelated)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in unrelated) / len(unrelated))
    told_apart = {language: _share_in_order(*pairs) for language, pairs in cosines.items()}
    return ModelScale(mean, spread, math.fsum(related) / len(related), told_apart)


def _cosines(model: ProbedModel, language: str) -> tuple[list[float], list[float]]:
    """Return the cosines of questions with their own answers, and with those of the others."""
    queries = [model.embed_query(question).astype(np.float64) for question, _answer in PROBES[language]]
    passages = [model.embed_passage(answer).astype(np.float64) for _question, answer in PROBES[language]]
    related: list[float] = []
    unrelated: list[float] = []
    for asked, query in enumerate(queries):
        for answered, passage in enumerate(passages):
            (related if asked == answered else unrelated).append(math.fsum((query * passage).tolist()))
    return related, unrelated


def _share_in_order(related: list[float], unrelated: list[float]) -> float:
    right = math.fsum((one > other) + 0.5 * (one == other) for one in related for other in unrelated)
    return right / (len(related) * len(unrelated))
