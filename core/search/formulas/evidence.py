"""Fusion by evidence on an absolute scale: what a note holds of what was asked, whatever else was found. Pure.

For a query and a note, `E = F + 1.25 C + G + T`:

- F, the share of the query's information that the note holds (`WordsValue.information`), below 2.2;
- C, the cosine of its nearest passage, nothing below 0, times the share of the query's letters that the model can
  read (an English model's cosines for Chinese are noise), at most 1;
- G, `0.5 g / (g + 0.5)`, below 0.5, where g is the sum over the ten best notes s by E0 = F + 1.25 C that link to the
  note of `(E0(s) / E0(best)) / sqrt(out-degree of s)`;
- T, 0.5 for an exact title or alias.

Every candidate has the true value of every leg, surfaced by it or not, so taking one away that is no seed leaves all
other scores as they are, to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from core.search.evidence import Evidence
from core.search.formulas.formula import Formula, Parts, Rankings, notes_of
from core.search.results import LEGS, TITLE_PART, Leg
from core.search.words import WordsValue

MEANING_WEIGHT = 1.25
"""The middle of a plateau: 1.0 to 2.0 move the mean of nine labelled sets by .002. Of this model's cosine scale."""

LINKS_BOUND = 0.5
HALF_LINKS = 0.5
"""G stays below the first and reaches half of it when g is the second."""

LEAST_BEST = 0.125
"""What the best seed's E0 counts for at least. The best note's own G falls as its E0 grows, by up to 0.125 / E0(best)
of the growth; from here on up never by more than all of it. So for given seeds no rising value lowers a note."""

TITLE_BONUS = 0.5

WordsOf = Callable[[WordsValue], float]


def evidence_parts(rankings: Rankings, evidence: Evidence, words_of: WordsOf) -> Parts:
    """Return the parts of E for each ranked note; a leg without a ranking adds none, and T belongs to the words.

    A leg that surfaced a note has a part, be it 0; others have one where it is more than that.
    """
    pulls = _pulls(evidence, words_of)
    value_of: dict[str, Callable[[int], float]] = {
        Leg.WORDS: lambda note: _words(note, evidence, words_of),
        Leg.MEANING: lambda note: meaning_part(note, evidence),
        Leg.LINKS: lambda note: _levelled(math.fsum(pulls[seed] for seed in evidence.links.get(note, ()))),
    }
    parts: dict[int, dict[str, float]] = {note: {} for note in notes_of(rankings)}
    for leg in LEGS:
        if leg in rankings:
            surfaced = {ranked.note for ranked in rankings[leg].notes}
            for note, found in parts.items():
                value = value_of[leg](note)
                if value or note in surfaced:
                    found[leg] = value
    if Leg.WORDS in rankings:
        for note in sorted(evidence.titled & parts.keys()):
            parts[note][TITLE_PART] = TITLE_BONUS
    return parts


def _words(note: int, evidence: Evidence, words_of: WordsOf) -> float:
    value = evidence.words.get(note)
    return words_of(value) if value else 0.0


def meaning_part(note: int, evidence: Evidence) -> float:
    """Return `1.25 C`: what the note's nearest passage counts, from 0 to 1.25."""
    # A sum of rounded products may pass 1 by a hair.
    cosine = min(1.0, max(0.0, evidence.cosines.get(note, 0.0)))
    return MEANING_WEIGHT * evidence.readable * cosine


def _pulls(evidence: Evidence, words_of: WordsOf) -> dict[int, float]:
    """Return what one link of each seed counts: more of a better seed, less of one that links to many."""
    base = {
        seed.note: _words(seed.note, evidence, words_of) + meaning_part(seed.note, evidence) for seed in evidence.seeds
    }
    best = max(LEAST_BEST, *base.values()) if base else LEAST_BEST
    return {seed.note: base[seed.note] / best / math.sqrt(max(1, seed.out_degree)) for seed in evidence.seeds}


def _levelled(pull: float) -> float:
    return LINKS_BOUND * pull / (pull + HALF_LINKS)


def _published_share(value: WordsValue) -> float:
    return value.information


def _own_score(value: WordsValue) -> float:
    return value.score


EVIDENCE = Formula(
    "evidence/v1", lambda rankings, evidence: evidence_parts(rankings, evidence, _published_share), published=True
)

EVIDENCE_WITH_SHARE = Formula(
    "evidence+share/v1", lambda rankings, evidence: evidence_parts(rankings, evidence, _own_score), published=True
)
"""F is the words leg's own value, which adds a share and counts the title as a passage: below 4.4, not 2.2."""
