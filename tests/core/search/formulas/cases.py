"""Rankings and evidence written out by hand, and drawn at random."""

from collections.abc import Mapping

from hypothesis import strategies as st

from core.search.evidence import Evidence, Seed
from core.search.results import Leg, RankedNote, Ranking
from core.search.words import WordsValue

NOTES = range(1, 25)


def ranking(scores: Mapping[int, float]) -> Ranking:
    """Return a ranking of notes by score, equal ones by path."""
    ranked = sorted(scores, key=lambda note: (-scores[note], f"{note:03}.md"))
    return Ranking(tuple(RankedNote(note, scores[note], f"{note:03}.md") for note in ranked))


def words_value(information: float, score: float | None = None) -> WordsValue:
    """Return the value of a note of which F is given; its note's and passage's shares are made to give it."""
    return WordsValue(information if score is None else score, information, information, 0.0)


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Ranking], Evidence]:
    """Draw what a search may come to: each leg with its own first notes, and the true values of all of them."""
    shares = draw(st.dictionaries(st.sampled_from(NOTES), st.floats(0.01, 2.1), max_size=12))
    cosines = draw(st.dictionaries(st.sampled_from(NOTES), st.floats(-0.2, 1.0), max_size=12))
    links = draw(st.dictionaries(st.sampled_from(NOTES), st.sets(st.sampled_from(NOTES), min_size=1), max_size=8))
    depth = draw(st.integers(1, 12))
    base = {note: shares.get(note, 0.0) + 1.25 * max(0.0, cosines.get(note, 0.0)) for note in {*shares, *cosines}}
    seeds = sorted(base, key=lambda note: (-base[note], note))[: draw(st.integers(0, 10))]
    degrees = {seed: draw(st.integers(1, 40)) for seed in seeds}
    linked = {note: tuple(seed for seed in seeds if seed in by and seed != note) for note, by in links.items()}
    linked = {note: by for note, by in linked.items() if by}
    evidence = Evidence(
        words={note: words_value(share) for note, share in shares.items()},
        cosines=cosines,
        seeds=tuple(Seed(seed, degrees[seed]) for seed in seeds),
        links=linked,
        titled=frozenset(draw(st.sets(st.sampled_from(NOTES), max_size=2))),
        readable=draw(st.sampled_from((0.0, 0.5, 1.0))),
    )
    by_leg = {Leg.WORDS: shares, Leg.MEANING: cosines, Leg.LINKS: {note: float(len(by)) for note, by in linked.items()}}
    running = draw(st.sets(st.sampled_from(list(Leg))))
    return {leg: Ranking(ranking(by_leg[leg]).notes[:depth]) for leg in Leg if leg in running}, evidence
