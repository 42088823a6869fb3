"""What a formula is given to fuse: rankings as they are, without weak hits, or completed for all candidates. Pure."""

from __future__ import annotations

from core.search.evidence import Evidence
from core.search.formulas.formula import Rankings, notes_of
from core.search.results import Leg, RankedNote, Ranking


def above_floor(rankings: Rankings, floor: float | None) -> Rankings:
    """Return the rankings without the meaning hits whose cosine is below the floor; those behind them move up."""
    if floor is None or Leg.MEANING not in rankings:
        return rankings
    kept = tuple(ranked for ranked in rankings[Leg.MEANING].notes if ranked.score >= floor)
    return {**rankings, Leg.MEANING: Ranking(kept)}


def completed(rankings: Rankings, evidence: Evidence, floor: float | None = None) -> Rankings:
    """Return the legs' rankings as they would be, had each ranked every candidate by its true value.

    What a leg has no value for, or a value of 0, it still does not rank; nor does meaning below the floor.
    """
    paths = {ranked.note: ranked.path for ranking in rankings.values() for ranked in ranking.notes}
    notes = notes_of(rankings)
    places = {seed.note: place for place, seed in enumerate(evidence.seeds)}
    values: dict[str, dict[int, tuple[float, ...]]] = {
        Leg.WORDS: {note: (evidence.words[note].score,) for note in notes if note in evidence.words},
        Leg.MEANING: {note: (evidence.cosines[note],) for note in notes if note in evidence.cosines},
        Leg.LINKS: {
            # As the leg itself ranks: by how many seeds, then by the best of them.
            note: (float(len(evidence.links[note])), -float(places[evidence.links[note][0]]))
            for note in notes
            if note in evidence.links
        },
    }
    least: dict[str, float] = {Leg.MEANING: floor} if floor is not None else {}
    found = dict(rankings)
    for leg, by_note in values.items():
        if leg not in rankings or not by_note:
            continue
        ranked = sorted(by_note, key=lambda note: (*(-value for value in by_note[note]), paths[note]))
        kept = [note for note in ranked if by_note[note][0] and by_note[note][0] >= least.get(leg, -2.0)]
        found[leg] = Ranking(tuple(RankedNote(note, by_note[note][0], paths[note]) for note in kept))
    return found
