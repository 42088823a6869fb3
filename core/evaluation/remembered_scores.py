"""A reranker that knows what it was asked before: formulas and modes list the same notes in other orders."""

from __future__ import annotations

from collections.abc import Callable

from core.search.reranking import Reranker
from core.search.results import RerankerName


class RememberedScores:
    """Gives the scores of another reranker, and asks it once for each query and text until it is told to `forget`.

    `saved` is how many seconds the answers took that were not asked for again, so that times can be told as they are
    without it. `clock` gives seconds.
    """

    def __init__(self, reranker: Reranker, clock: Callable[[], float]) -> None:
        self.model: RerankerName = reranker.model
        self.saved = 0.0
        self._reranker, self._clock = reranker, clock
        self._known: dict[tuple[str, str], tuple[float, float]] = {}

    def score(self, query: str, text: str) -> float:
        """Return the reranker's score; raises ModelError, which is not remembered."""
        if (known := self._known.get((query, text))) is not None:
            score, seconds = known
            self.saved += seconds
            return score
        started = self._clock()
        score = self._reranker.score(query, text)
        self._known[query, text] = score, self._clock() - started
        return score

    def forget(self) -> None:
        """Forget all scores: queries repeat within one question alone."""
        self._known.clear()
