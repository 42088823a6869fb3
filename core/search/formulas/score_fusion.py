"""Fusion of two searches' scores, words and meaning, each brought to a common scale by its own list. Pure.

What the links leg alone found scores 0 and follows: these forms were made for two searches. Beside the published
form they are here to be measured. A leg that did not surface a note adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.search.evidence import Evidence
from core.search.formulas.formula import Parts, Rankings, notes_of
from core.search.results import Leg

SMALLER_WEIGHT = 0.3
"""Of the smaller of the two scores in `max + 0.3 * min`."""


def max_and_min(rankings: Rankings, _evidence: Evidence) -> Parts:
    """Return `max(f, v) + 0.3 * min(f, v)` as published: f is the words' score over the query's best, v the cosine.

    The first word hit is always 1, however little it holds of what was asked.
    """
    return _larger_and_smaller(_over_best(rankings), _cosines(rankings), notes_of(rankings))


def max_and_min_calibrated(rankings: Rankings, evidence: Evidence) -> Parts:
    """Return the same where f is the share of the query's information that the note holds, at most 1."""
    found = [note for note in _scores(rankings, Leg.WORDS) if note in evidence.words]
    shares = {note: min(1.0, evidence.words[note].information) for note in found}
    return _larger_and_smaller(shares, _cosines(rankings), notes_of(rankings))


def min_max(rankings: Rankings, _evidence: Evidence) -> Parts:
    """Return half of each score's place between the lowest and the highest of its list; a flat list counts 1."""
    return _weighted({leg: (0.5, _between(_scores(rankings, leg))) for leg in (Leg.WORDS, Leg.MEANING)})


def convex(alpha: float) -> Callable[[Rankings, Evidence], Parts]:
    """Return the function that gives `alpha * v + (1 - alpha) * f`, each between what it can least be and its best.

    Bruch, Gai and Ingber, TOIS 2023: the least is 0 for words and -1 for a cosine; the best is that of the query.
    """

    def parts(rankings: Rankings, _evidence: Evidence) -> Parts:
        words = _between(_scores(rankings, Leg.WORDS), lowest=0.0)
        meaning = _between(_scores(rankings, Leg.MEANING), lowest=-1.0)
        return _weighted({Leg.WORDS: (1 - alpha, words), Leg.MEANING: (alpha, meaning)})

    return parts


def _scores(rankings: Rankings, leg: Leg) -> dict[int, float]:
    return {ranked.note: ranked.score for ranked in rankings[leg].notes} if leg in rankings else {}


def _over_best(rankings: Rankings) -> dict[int, float]:
    scores = _scores(rankings, Leg.WORDS)
    best = max(scores.values(), default=0.0)
    return {note: score / best if best > 0 else 0.0 for note, score in scores.items()}


def _cosines(rankings: Rankings) -> dict[int, float]:
    return {note: min(1.0, max(0.0, score)) for note, score in _scores(rankings, Leg.MEANING).items()}


def _between(scores: Mapping[int, float], lowest: float | None = None) -> dict[int, float]:
    if not scores:
        return {}
    low, high = min(scores.values()) if lowest is None else lowest, max(scores.values())
    return {note: (score - low) / (high - low) if high > low else 1.0 for note, score in scores.items()}


def _larger_and_smaller(words: Mapping[int, float], meaning: Mapping[int, float], notes: list[int]) -> Parts:
    parts: dict[int, dict[str, float]] = {}
    for note in notes:
        by_words, by_meaning = words.get(note, 0.0), meaning.get(note, 0.0)
        whole_words = by_words >= by_meaning
        found = {
            Leg.WORDS: by_words * (1.0 if whole_words else SMALLER_WEIGHT),
            Leg.MEANING: by_meaning * (SMALLER_WEIGHT if whole_words else 1.0),
        }
        given = {Leg.WORDS: words, Leg.MEANING: meaning}
        parts[note] = {leg: value for leg, value in found.items() if note in given[leg]}
    return parts


def _weighted(legs: Mapping[Leg, tuple[float, Mapping[int, float]]]) -> Parts:
    parts: dict[int, dict[str, float]] = {}
    for leg, (weight, values) in legs.items():
        for note, value in values.items():
            parts.setdefault(note, {})[leg] = weight * value
    return parts
