"""Reciprocal rank fusion, and what every formula must keep."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TriskelError
from core.search.fusion import DEFAULT_FORMULA, FORMULAS, NO_EVIDENCE, Formula, evidence_of, formula_named, fuse
from core.search.results import LEGS, Leg, RankedNote, Ranking

RRF = FORMULAS[DEFAULT_FORMULA]


def ranking(*notes: int, score: float = 1.0) -> Ranking:
    return Ranking(tuple(RankedNote(note, score / place, f"{note:03}.md") for place, note in enumerate(notes, 1)))


def order(rankings, formula: Formula = RRF) -> list[int]:
    return [one.note for one in fuse(rankings, evidence_of(rankings), formula)]


def test_the_default_formula_is_reciprocal_rank_fusion_with_k_60() -> None:
    assert DEFAULT_FORMULA == "rrf/k=60/v1"


def test_agreement_beats_a_single_strong_rank() -> None:
    assert order({"words": ranking(1, 2), "meaning": ranking(3, 2)})[0] == 2


def test_agreement_beats_a_single_first_place_even_from_rank_fifty() -> None:
    assert order({"words": ranking(*range(1, 51)), "meaning": ranking(*range(101, 150), 50)})[0] == 50


def test_the_contribution_of_a_rank_is_one_over_sixty_plus_rank() -> None:
    fused = {
        one.note: one
        for one in fuse({"words": ranking(1, 2), "meaning": ranking(3, 1)}, {}, RRF)
    }  # fmt: skip
    assert fused[1].contributions == {"words": 1 / 61, "meaning": 1 / 62}
    assert fused[1].score == 1 / 61 + 1 / 62
    assert round(fused[1].score, 4) == 0.0325
    assert fused[2].score == 1 / 62
    assert fused[1].ranks == {"words": 1, "meaning": 2}


@pytest.mark.parametrize("score", [1e300, -1e300, 0.0, math.inf, -math.inf, math.nan])
def test_fusion_uses_ranks_never_scores(score: float) -> None:
    sane = {"words": ranking(1, 2, 3), "meaning": ranking(4, 3), "links": ranking(2)}
    absurd = {leg: ranking(*[one.note for one in given.notes], score=score) for leg, given in sane.items()}
    assert fuse(absurd, evidence_of(absurd), RRF) == fuse(sane, evidence_of(sane), RRF)
    assert fuse(sane, evidence_of(absurd), RRF) == fuse(sane, {}, RRF)


def test_equal_scores_fall_back_to_path() -> None:
    assert order({"words": ranking(9, 4), "meaning": ranking(4, 9)}) == [4, 9]
    assert order({"words": ranking(9), "meaning": ranking(4)}) == [4, 9]


def test_equal_scores_prefer_more_legs_then_the_better_best_rank() -> None:
    flat = Formula("flat/v1", lambda ranks, _evidence: {leg: 1 / len(ranks) for leg in ranks})
    rankings = {"words": ranking(1, 2, 3), "meaning": ranking(4, 5, 3)}
    assert order(rankings, flat) == [3, 1, 4, 2, 5]


def test_notes_with_the_same_ranks_in_other_legs_have_the_very_same_score() -> None:
    rankings = {"words": ranking(1, 2, 3), "meaning": ranking(2, 3, 1), "links": ranking(3, 1, 2)}
    assert len({one.score for one in fuse(rankings, {}, RRF)}) == 1
    assert order(rankings) == [1, 2, 3]


def test_a_fourth_retriever_is_one_more_key() -> None:
    three = {"words": ranking(1, 2), "meaning": ranking(1), "links": ranking(2)}
    four = {**three, "substring": ranking(7, 2)}
    fused = {one.note: one for one in fuse(four, evidence_of(four), RRF)}
    assert fused[7].contributions == {"substring": 1 / 61}
    assert list(fused[2].contributions) == ["words", "links", "substring"]
    assert fused[2].score == math.fsum((1 / 62, 1 / 61, 1 / 62))


def test_a_formula_may_read_the_evidence() -> None:
    by_score = Formula("score/v1", lambda _ranks, evidence: evidence)
    rankings = {"words": ranking(1, 2, score=1.0), "meaning": ranking(3, score=9.0)}
    assert order(rankings, by_score) == [3, 1, 2]


def test_an_unknown_formula_is_a_sentence_that_lists_the_known_ones() -> None:
    with pytest.raises(TriskelError, match=r"no formula “max”.*rrf/k=60/v1"):
        formula_named("max")


def test_no_rankings_fuse_to_nothing() -> None:
    assert fuse({}, {}, RRF) == []
    assert fuse({"words": Ranking(())}, {}, RRF) == []


NOTES = st.lists(st.integers(0, 30), unique=True, max_size=12).map(lambda notes: ranking(*notes))
RANKINGS = st.dictionaries(st.sampled_from([*LEGS, "aaa", "substring", "zzz"]), NOTES)


@given(RANKINGS, st.randoms(use_true_random=False))
def test_ties_break_the_same_whichever_leg_answers_first(rankings, random) -> None:
    names = list(rankings)
    random.shuffle(names)
    shuffled = {name: rankings[name] for name in names}
    first, second = (fuse(given, evidence_of(given), RRF) for given in (rankings, shuffled))
    assert first == second
    assert [list(one.contributions) for one in first] == [list(one.contributions) for one in second]


@given(RANKINGS)
def test_the_fused_order_is_total_and_holds_every_note_once(rankings) -> None:
    fused = fuse(rankings, evidence_of(rankings), RRF)
    notes = {one.note for given in rankings.values() for one in given.notes}
    assert sorted(one.note for one in fused) == sorted(notes)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    for one in fused:
        assert one.score == pytest.approx(sum(1 / (60 + rank) for rank in one.ranks.values()), rel=1e-12)


def test_legs_come_first_in_the_sum_and_others_by_name() -> None:
    names = ["zzz", "links", "aaa", "meaning", "words"]
    fused = fuse({name: ranking(1) for name in names}, {1: NO_EVIDENCE}, RRF)
    assert list(fused[0].contributions) == [Leg.WORDS, Leg.MEANING, Leg.LINKS, "aaa", "zzz"]
