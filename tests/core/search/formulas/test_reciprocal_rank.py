"""Reciprocal rank fusion: ranks alone decide."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.evidence import NO_EVIDENCE
from core.search.formulas.registry import formula_named
from core.search.fusion import fuse
from core.search.results import LEGS, RankedNote, Ranking
from tests.core.search.formulas.cases import cases

RRF = formula_named("rrf/k=60/v1")


def ranking(*notes: int, score: float = 1.0) -> Ranking:
    return Ranking(tuple(RankedNote(note, score / place, f"{note:03}.md") for place, note in enumerate(notes, 1)))


def scores(rankings, formula=RRF) -> dict[int, float]:
    return {one.note: one.score for one in fuse(rankings, NO_EVIDENCE, formula)}


def test_the_contribution_of_a_rank_is_one_over_sixty_plus_rank() -> None:
    fused = {one.note: one for one in fuse({"words": ranking(1, 2), "meaning": ranking(3, 1)}, NO_EVIDENCE, RRF)}
    assert fused[1].contributions == {"words": 1 / 61, "meaning": 1 / 62}
    assert fused[1].score == 1 / 61 + 1 / 62
    assert round(fused[1].score, 4) == 0.0325
    assert fused[2].score == 1 / 62
    assert fused[1].ranks == {"words": 1, "meaning": 2}


def test_any_k_is_a_formula_of_its_own() -> None:
    assert scores({"words": ranking(1, 2)}, formula_named("rrf/k=20/v1")) == {1: 1 / 21, 2: 1 / 22}


def test_a_weight_multiplies_its_leg() -> None:
    weighted = formula_named("rrf/k=60/weights=1:2:0.5/v1")
    found = scores({"words": ranking(1), "meaning": ranking(1), "links": ranking(1, 2)}, weighted)
    assert found == {1: math.fsum((1 / 61, 2 / 61, 0.5 / 61)), 2: 0.5 / 62}


def test_agreement_beats_a_single_strong_rank() -> None:
    assert next(iter(scores({"words": ranking(1, 2), "meaning": ranking(3, 2)}))) == 2


def test_agreement_beats_a_single_first_place_even_from_rank_fifty() -> None:
    found = scores({"words": ranking(*range(1, 51)), "meaning": ranking(*range(101, 150), 50)})
    assert next(iter(found)) == 50


def test_enormous_scores_cannot_buy_the_top() -> None:
    bought = Ranking((*ranking(2, 3).notes, RankedNote(1, 1e300, "001.md")))
    assert list(scores({"words": bought, "meaning": ranking(2, 3)})) == [2, 3, 1]


@pytest.mark.parametrize("score", [1e300, -1e300, 0.0, math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("name", ["rrf/k=60/v1", "rrf/k=1/v1", "rrf/k=60/weights=1:2:3/v1"])
def test_absurd_scores_do_not_move_a_rank_formula(score: float, name: str) -> None:
    sane = {"words": ranking(1, 2, 3), "meaning": ranking(4, 3), "links": ranking(2)}
    absurd = {leg: ranking(*[one.note for one in given.notes], score=score) for leg, given in sane.items()}
    formula = formula_named(name)
    assert fuse(absurd, NO_EVIDENCE, formula) == fuse(sane, NO_EVIDENCE, formula)


@given(cases())
def test_the_evidence_decides_ties_and_no_score(case) -> None:
    rankings, evidence = case
    with_it, without = fuse(rankings, evidence, RRF), fuse(rankings, NO_EVIDENCE, RRF)
    told = [{one.note: replace(one, strength=None) for one in fused} for fused in (with_it, without)]
    assert told[0] == told[1]
    assert [one.score for one in with_it] == [one.score for one in without]


@given(cases())
def test_a_score_stays_within_what_three_first_places_give(case) -> None:
    for one in fuse(*case, RRF):
        assert 0 < one.score <= len(LEGS) / 61
        assert one.score == pytest.approx(sum(1 / (60 + rank) for rank in one.ranks.values()), rel=1e-12)


@given(cases(), st.data())
def test_a_better_rank_never_lowers_a_note(case, data) -> None:
    rankings, evidence = case
    leg = data.draw(st.sampled_from([leg for leg in rankings if rankings[leg].notes] or ["none"]))
    if leg == "none":
        return
    notes = list(rankings[leg].notes)
    place = data.draw(st.integers(0, len(notes) - 1))
    raised = notes.pop(place)
    notes.insert(data.draw(st.integers(0, place)), raised)
    after = {one.note: one.score for one in fuse({**rankings, leg: Ranking(tuple(notes))}, evidence, RRF)}
    before = {one.note: one.score for one in fuse(rankings, evidence, RRF)}
    assert after[raised.note] >= before[raised.note]


def test_removing_a_candidate_changes_the_scores_of_others_and_can_turn_their_order() -> None:
    """Why rank fusion cannot keep the promise that fusion by evidence keeps: ranks count who else was found."""
    rankings = {"words": ranking(1, *range(5, 9), 2), "meaning": ranking(2, 3, 4, 1)}
    without = {"words": ranking(1, 2), "meaning": ranking(2, 3, 4, 1)}
    before, after = scores(rankings), scores(without)
    assert before[2] != after[2]
    assert (before[1] > before[2], after[1] > after[2]) == (True, False)
