"""Fusion of scores, by values worked out by hand."""

import pytest
from hypothesis import given

from core.search.evidence import NO_EVIDENCE, Evidence, Seed
from core.search.formulas.registry import compared_formulas, formula_named
from core.search.fusion import fuse
from core.search.results import Leg
from tests.core.search.formulas.cases import cases, ranking, words_value

WORDS = ranking({1: 8.0, 2: 4.0, 3: 2.0})
MEANING = ranking({2: 0.9, 4: 0.6, 1: 0.2})
RANKINGS = {"words": WORDS, "meaning": MEANING, "links": ranking({5: 1.0, 1: 1.0})}
EVIDENCE = Evidence(
    words={note: words_value(share, score) for note, share, score in (
        (1, 1.2, 8.0), (2, 0.6, 4.0), (3, 0.3, 2.0), (4, 0.1, 1.0), (5, 0.0, 0.0))},
    cosines={1: 0.2, 2: 0.9, 3: 0.1, 4: 0.6},
    seeds=(Seed(2, 1), Seed(1, 2)),
    links={5: (2,), 1: (2,), 3: (2, 1)},
)  # fmt: skip


def fused(name: str, rankings=RANKINGS):
    return {one.note: one for one in fuse(rankings, EVIDENCE, formula_named(name))}


def scores(name: str, rankings=RANKINGS) -> dict[int, float]:
    return {note: round(one.score, 12) for note, one in fused(name, rankings).items()}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # f = 8/8, 4/8, 2/8 of the best; v the cosine: 1 + .3 * .2, .9 + .3 * .5, .25, .6
        ("max+0.3*min/v1", {1: 1.06, 2: 1.05, 4: 0.6, 3: 0.25, 5: 0.0}),
        # f = min(1, share): 1 + .3 * .2, .9 + .3 * .6, .3, .6
        ("max+0.3*min/calibrated/v1", {2: 1.08, 1: 1.06, 4: 0.6, 3: 0.3, 5: 0.0}),
        # 1 lost its meaning hit of .2
        ("max+0.3*min/floor=0.5/v1", {2: 1.05, 1: 1.0, 4: 0.6, 3: 0.25, 5: 0.0}),
        # 3 and 4 get their other leg's value: .25 + .3 * .1, .6 + .3 * 1/8
        ("max+0.3*min/completed/v1", {1: 1.06, 2: 1.05, 4: 0.6375, 3: 0.28, 5: 0.0}),
        # words (8, 4, 2) -> 1, 1/3, 0; meaning (.9, .6, .2) -> 1, 4/7, 0
        ("min-max/v1", {1: 0.5, 2: 1 / 6 + 0.5, 3: 0.0, 4: 2 / 7, 5: 0.0}),
        # words over 8; (cosine + 1) / 1.9
        ("convex/alpha=0.8/v1",
         {1: 0.2 + 0.8 * 1.2 / 1.9, 2: 0.1 + 0.8, 3: 0.05, 4: 0.8 * 1.6 / 1.9, 5: 0.0}),
        # ranks over all candidates: words 1 2 3 4, meaning 2 4 1 3, links 3 (two seeds), then 1 and 5 by path
        ("rrf/k=60/completed/v1",
         {1: 1 / 61 + 1 / 63 + 1 / 62, 2: 1 / 62 + 1 / 61, 3: 1 / 63 + 1 / 64 + 1 / 61, 4: 1 / 64 + 1 / 62, 5: 1 / 63}),
        ("rrf/k=60/floor=0.5/v1", {1: 1 / 61 + 1 / 61, 2: 1 / 62 + 1 / 61, 3: 1 / 63, 4: 1 / 62, 5: 1 / 62}),
    ],
)  # fmt: skip
def test_a_formula_gives_the_values_worked_out_by_hand(name: str, expected: dict[int, float]) -> None:
    assert scores(name) == {note: pytest.approx(score, abs=1e-9) for note, score in expected.items()}


def test_the_larger_score_counts_whole_and_the_smaller_three_tenths() -> None:
    assert fused("max+0.3*min/v1")[1].contributions == {"words": 1.0, "meaning": pytest.approx(0.06)}
    assert fused("max+0.3*min/v1")[2].contributions == {"words": pytest.approx(0.15), "meaning": pytest.approx(0.9)}


def test_a_meaning_hit_below_the_floor_adds_neither_score_nor_agreement() -> None:
    assert fused("max+0.3*min/v1")[1].ranks == {"words": 1, "meaning": 3, "links": 1}
    assert fused("max+0.3*min/floor=0.5/v1")[1].ranks == {"words": 1, "links": 1}


def test_a_note_that_only_a_weak_meaning_hit_found_is_gone_with_the_floor() -> None:
    assert 4 in scores("rrf/k=60/floor=0.6/v1")
    assert 4 not in scores("rrf/k=60/floor=0.61/v1")


def test_those_behind_a_removed_hit_keep_their_order_and_stand_as_if_it_had_never_been_there() -> None:
    without = {**RANKINGS, "meaning": ranking({2: 0.9, 4: 0.6})}
    assert scores("rrf/k=60/floor=0.5/v1") == scores("rrf/k=60/v1", without)


def test_completing_gives_no_note_a_rank_that_it_does_not_have() -> None:
    for name in ("rrf/k=60", "max+0.3*min", "min-max"):
        as_found, completed = fused(f"{name}/v1"), fused(f"{name}/completed/v1")
        assert {note: one.ranks for note, one in completed.items()} == {
            note: one.ranks for note, one in as_found.items()
        }


def test_a_flat_list_and_a_list_of_one_count_whole() -> None:
    assert scores("min-max/v1", {"words": ranking({1: 3.0, 2: 3.0}), "meaning": ranking({3: 0.1})}) == {
        1: 0.5, 2: 0.5, 3: 0.5}  # fmt: skip


def test_words_that_score_nothing_add_nothing() -> None:
    """Notes found by symbols alone stand at the end of the words leg with a score of 0."""
    assert scores("max+0.3*min/v1", {"words": ranking({1: 0.0, 2: 0.0})}) == {1: 0.0, 2: 0.0}


@pytest.mark.parametrize("formula", compared_formulas(), ids=lambda formula: formula.name)
@pytest.mark.parametrize("missing", [*Leg, "all"])
def test_an_absent_leg_adds_nothing_and_costs_nothing(formula, missing) -> None:
    rankings = {} if missing == "all" else {leg: found for leg, found in RANKINGS.items() if leg != missing}
    empty = {**dict.fromkeys(RANKINGS, ranking({})), **rankings}
    for given_rankings in (rankings, empty):
        for one in fuse(given_rankings, EVIDENCE, formula):
            assert missing not in one.ranks
            if given_rankings is rankings:
                assert missing not in one.contributions
    assert [one.note for one in fuse(rankings, NO_EVIDENCE, formula)]  == [
        one.note for one in fuse(empty, NO_EVIDENCE, formula)]  # fmt: skip


@given(cases())
def test_published_scores_stay_between_nothing_and_thirteen_tenths(case) -> None:
    for name in ("max+0.3*min/v1", "max+0.3*min/calibrated/v1"):
        assert all(0 <= one.score <= 1.3 for one in fuse(*case, formula_named(name)))
    for name in ("min-max/v1", "convex/alpha=0.5/v1"):
        assert all(0 <= one.score <= 1 + 1e-12 for one in fuse(*case, formula_named(name)))


def test_removing_a_candidate_can_turn_the_order_of_others_in_half_normalised_scores() -> None:
    """The query's best word hit is the measure of all others, so without it another note counts 1."""
    rankings = {"words": ranking({9: 10.0, 1: 5.0}), "meaning": ranking({2: 0.7})}
    without = {"words": ranking({1: 5.0}), "meaning": ranking({2: 0.7})}
    assert [note for note in scores("max+0.3*min/v1", rankings) if note != 9] == [2, 1]
    assert list(scores("max+0.3*min/v1", without)) == [1, 2]
