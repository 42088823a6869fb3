"""What fusing keeps, whatever the formula: a total order, sums that no arrival changes, ties by stated keys."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.evidence import NO_EVIDENCE, Evidence
from core.search.formulas.formula import Formula
from core.search.formulas.registry import RECIPROCAL_RANK, compared_formulas
from core.search.fusion import DEFAULT_FORMULA, FORMULAS, fuse
from core.search.results import LEGS, Leg, RankedNote, Ranking
from tests.core.search.formulas.cases import cases

FLAT = Formula("flat/v1", lambda rankings, _evidence: {})


def ranking(*notes: int, score: float = 1.0) -> Ranking:
    return Ranking(tuple(RankedNote(note, score / place, f"{note:03}.md") for place, note in enumerate(notes, 1)))


def order(rankings, formula: Formula = RECIPROCAL_RANK, evidence: Evidence = NO_EVIDENCE) -> list[int]:
    return [one.note for one in fuse(rankings, evidence, formula)]


def test_the_default_formula_is_published() -> None:
    assert DEFAULT_FORMULA in FORMULAS


def test_equal_scores_fall_back_to_path() -> None:
    assert order({"words": ranking(9, 4), "meaning": ranking(4, 9)}) == [4, 9]
    assert order({"words": ranking(9), "meaning": ranking(4)}) == [4, 9]


def test_equal_scores_prefer_the_stronger_evidence_before_all_else() -> None:
    rankings = {"words": ranking(1, 2, 3), "meaning": ranking(4, 5, 3)}
    nearer = Evidence(cosines={2: 0.9, 3: 0.1, 5: 0.5})
    assert order(rankings, FLAT, nearer) == [2, 5, 3, 1, 4]


def test_of_equal_evidence_more_legs_and_then_the_better_best_rank_decide() -> None:
    assert order({"words": ranking(1, 2, 3), "meaning": ranking(4, 5, 3)}, FLAT) == [3, 1, 4, 2, 5]


def test_notes_with_the_same_ranks_in_other_legs_have_the_very_same_score() -> None:
    rankings = {"words": ranking(1, 2, 3), "meaning": ranking(2, 3, 1), "links": ranking(3, 1, 2)}
    assert len({one.score for one in fuse(rankings, NO_EVIDENCE, RECIPROCAL_RANK)}) == 1
    assert order(rankings) == [1, 2, 3]


def test_a_fourth_retriever_is_one_more_key() -> None:
    four = {"words": ranking(1, 2), "meaning": ranking(1), "links": ranking(2), "substring": ranking(7, 2)}
    fused = {one.note: one for one in fuse(four, NO_EVIDENCE, RECIPROCAL_RANK)}
    assert fused[7].contributions == {"substring": 1 / 61}
    assert list(fused[2].contributions) == ["words", "links", "substring"]
    assert fused[2].score == math.fsum((1 / 62, 1 / 61, 1 / 62))


@pytest.mark.parametrize("name", FORMULAS)
def test_no_rankings_fuse_to_nothing(name: str) -> None:
    assert fuse({}, NO_EVIDENCE, FORMULAS[name]) == []
    assert fuse({"words": Ranking(())}, NO_EVIDENCE, FORMULAS[name]) == []


def test_legs_come_first_in_the_sum_and_others_by_name() -> None:
    names = ["zzz", "links", "aaa", "meaning", "words"]
    fused = fuse({name: ranking(1) for name in names}, NO_EVIDENCE, RECIPROCAL_RANK)
    assert list(fused[0].contributions) == [Leg.WORDS, Leg.MEANING, Leg.LINKS, "aaa", "zzz"]


NOTES = st.lists(st.integers(0, 30), unique=True, max_size=12).map(lambda notes: ranking(*notes))
RANKINGS = st.dictionaries(st.sampled_from([*LEGS, "aaa", "substring", "zzz"]), NOTES)


@given(RANKINGS)
def test_the_fused_order_is_total_and_holds_every_note_once(rankings) -> None:
    fused = fuse(rankings, NO_EVIDENCE, RECIPROCAL_RANK)
    notes = {one.note for given in rankings.values() for one in given.notes}
    assert sorted(one.note for one in fused) == sorted(notes)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)


@given(cases(), st.lists(st.integers(0, 30), unique=True, max_size=12), st.randoms(use_true_random=False))
def test_whichever_leg_answers_first_every_formula_comes_to_the_same(case, further, random) -> None:
    rankings, evidence = case
    rankings = {**rankings, "substring": ranking(*further)}
    shuffled = {name: rankings[name] for name in random.sample(sorted(rankings), len(rankings))}
    columns = {}
    for name in ("words", "cosines", "links"):
        column = getattr(evidence, name)
        columns[name] = {note: column[note] for note in random.sample(sorted(column), len(column))}
    for formula in compared_formulas():
        first = fuse(rankings, evidence, formula)
        second = fuse(shuffled, replace(evidence, **columns), formula)
        assert [(one.note, one.score.hex()) for one in first] == [(one.note, one.score.hex()) for one in second]
        assert [list(one.contributions.items()) for one in first] == [list(one.contributions.items()) for one in second]
        assert [list(one.ranks.items()) for one in first] == [list(one.ranks.items()) for one in second]
