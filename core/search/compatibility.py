"""How well the legs agree on a note, as a number, a word, and the mode of the whole result. Pure.

Formulas: design, section 1. Compatibility is no probability and is never shown as per cent.
"""

from __future__ import annotations

from collections.abc import Collection

from core.search.results import LEGS, Band, HeldBack, Leg, Mode
from core.search.strength import Strength

AGREEMENT_WEIGHT = 0.6
POSITION_WEIGHT = 0.4

STRONG_FROM, GOOD_FROM = 0.8, 0.65


def compatibility(ranks: Collection[int]) -> float:
    """Return `0.6 * agreement + 0.4 * position`, in (0, 1], for the ranks (from 1) in the legs that surfaced a note.

    Agreement is their number over three, always three, whatever was switched off. Position is the mean of
    `1 / (1 + rank)` with the rank counted from 0, so that the first place gives 1.

    Raises:
        ValueError: no leg, more than three, or a rank below 1.
    """
    return _agreement(ranks, len(LEGS))


def _agreement(ranks: Collection[int], legs: int) -> float:
    if not 1 <= len(ranks) <= len(LEGS) or min(ranks) < 1:
        raise ValueError(f"one to {len(LEGS)} ranks from 1 are needed, not {sorted(ranks)}")
    agreement = len(ranks) / legs
    position = sum(1 / rank for rank in sorted(ranks)) / len(ranks)
    return AGREEMENT_WEIGHT * agreement + POSITION_WEIGHT * position


def band_for(ranks: Collection[int], legs: int, strength: Strength | None) -> tuple[Band, HeldBack | None]:
    """Return the word for a note, and what kept it from a better one: `bands/v1`.

    The legs' agreement counts like compatibility, but out of the `legs` that found any note at all: a folder without
    links has two. Strong is at least `STRONG_FROM` of it, by two legs or more, and a clear match; good is at least
    `GOOD_FROM`, and no weak match. A note of which nobody can tell how much it holds is good at most.

    Raises:
        ValueError: as `compatibility`, or more ranks than legs.
    """
    if len(ranks) > legs:
        raise ValueError(f"{len(ranks)} ranks are more than {legs} legs give")
    agreed = _agreement(ranks, legs)
    if strength is not None and strength.is_weak:
        return Band.PARTIAL, HeldBack.EVIDENCE
    if agreed < GOOD_FROM:
        return Band.PARTIAL, HeldBack.AGREEMENT
    if agreed < STRONG_FROM or len(ranks) < 2:
        return Band.GOOD, HeldBack.AGREEMENT
    if strength is None or not strength.is_clear:
        return Band.GOOD, HeldBack.EVIDENCE
    return Band.STRONG, None


def mode_for(contributed: Collection[Leg], switched_off: Collection[Leg] = ()) -> Mode:
    """Return the mode of a result from the legs that found at least one note.

    Hybrid needs words and meaning both; with one of them missing the mode is the other's name, whatever links
    added. Links alone make a mode only where the person switched the other two off; otherwise, without either,
    nothing that should have answered did, and the mode is none.
    """
    words, meaning = Leg.WORDS in contributed, Leg.MEANING in contributed
    if words and meaning:
        return Mode.HYBRID
    if words:
        return Mode.WORDS
    if meaning:
        return Mode.MEANING
    if Leg.LINKS in contributed and {Leg.WORDS, Leg.MEANING} <= set(switched_off):
        return Mode.LINKS
    return Mode.NONE
