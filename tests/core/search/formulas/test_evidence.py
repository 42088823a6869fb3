"""Fusion by evidence: values by hand, and what is promised of whatever becomes the default."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.evidence import Evidence, Seed
from core.search.formulas.evidence import EVIDENCE, EVIDENCE_WITH_SHARE
from core.search.fusion import FusedNote, fuse, seeds_of
from core.search.results import Leg, Ranking
from core.search.words import WordsValue
from tests.core.search.formulas.cases import NOTES, cases, ranking, words_value

TABLE = Evidence(
    words={1: WordsValue(3.0, 1.0, 0.6, 0.9), 2: words_value(0.2), 3: words_value(0.0)},
    cosines={1: 0.4, 2: 0.8, 3: -0.1, 4: 0.1},
    seeds=(Seed(1, 4), Seed(2, 9)),
    links={3: (1, 2), 1: (2,)},
    titled=frozenset({2}),
)
LEGS = {"words": ranking({1: 3.0, 2: 0.2}), "meaning": ranking({2: 0.8, 1: 0.4}), "links": ranking({3: 2.0, 1: 1.0})}


def fused(rankings=LEGS, evidence=TABLE, formula=EVIDENCE) -> dict[int, FusedNote]:
    return {one.note: one for one in fuse(rankings, evidence, formula)}


def test_the_values_worked_out_by_hand_come_out() -> None:
    # E0(1) = (1 + .6) / 2 + 1.25 * .4 = 1.3; E0(2) = .2 + 1.25 * .8 = 1.2
    pull_of_1, pull_of_2 = 1 / 2, 1.2 / 1.3 / 3
    found = fused()
    assert found[1].contributions == {
        "words": 0.8, "meaning": 0.5, "links": pytest.approx(0.5 * pull_of_2 / (pull_of_2 + 0.5))}  # fmt: skip
    assert found[2].contributions == {"words": pytest.approx(0.2), "meaning": pytest.approx(1.0), "title": 0.5}
    both = pull_of_1 + pull_of_2
    assert found[3].contributions == {"links": pytest.approx(0.5 * both / (both + 0.5))}
    assert list(found) == [2, 1, 3]
    assert found[1].score == math.fsum(found[1].contributions.values())


def test_the_form_with_the_share_takes_the_words_leg_s_own_value() -> None:
    assert fused(formula=EVIDENCE_WITH_SHARE)[1].contributions["words"] == 3.0


def test_the_model_s_part_shrinks_with_the_share_of_letters_it_can_read() -> None:
    half, none = (fused(evidence=replace(TABLE, readable=share)) for share in (0.5, 0.0))
    assert half[1].contributions["meaning"] == 0.25
    assert none[1].contributions["meaning"] == 0.0


def test_every_candidate_gets_the_value_of_every_leg_surfaced_by_it_or_not() -> None:
    only_links = {"words": ranking({}), "meaning": ranking({}), "links": ranking({1: 1.0})}
    found = fused(only_links)[1]
    assert found.ranks == {"links": 1}
    assert (found.contributions["words"], found.contributions["meaning"]) == (0.8, 0.5)


def test_a_leg_that_may_not_speak_adds_nothing_and_without_words_neither_does_a_title() -> None:
    found = fused({"meaning": LEGS["meaning"]})
    assert found[1].contributions == {"meaning": 0.5}
    assert found[2].contributions == {"meaning": 1.0}
    assert fused({"words": LEGS["words"]})[2].contributions == {"words": pytest.approx(0.2), "title": 0.5}


def test_seeds_are_chosen_by_words_and_meaning_alone() -> None:
    titled = replace(TABLE, words={}, cosines={1: 0.5, 2: 0.4, 3: 0.1}, titled=frozenset({3}))
    assert seeds_of({"words": ranking({1: 1.0}), "meaning": ranking({2: 0.4, 3: 0.1}), "links": ranking({9: 1.0})},
                    titled, EVIDENCE) == [1, 2, 3]  # fmt: skip


def test_seeds_are_ten() -> None:
    many = ranking({note: 1 / note for note in range(1, 30)})
    values = Evidence(cosines={note: 1 / note for note in range(1, 30)})
    assert seeds_of({"meaning": many}, values, EVIDENCE) == list(range(1, 11))


def test_absolute_scale_a_poor_best_hit_scores_poorly() -> None:
    alone = {"words": ranking({5: 0.05}), "meaning": ranking({5: 0.04})}
    assert fused(alone, Evidence(words={5: words_value(0.05)}, cosines={5: 0.04}))[5].score == pytest.approx(0.1)


@given(cases(), st.data())
def test_removing_a_candidate_that_is_no_seed_leaves_all_others_to_the_bit(case, data) -> None:
    rankings, evidence = case
    seeds = {seed.note for seed in evidence.seeds}
    removed = data.draw(st.sets(st.sampled_from([note for note in NOTES if note not in seeds])))
    without = {
        leg: Ranking(tuple(one for one in found.notes if one.note not in removed)) for leg, found in rankings.items()
    }
    for formula in (EVIDENCE, EVIDENCE_WITH_SHARE):
        before = {note: one for note, one in fused(rankings, evidence, formula).items() if note not in removed}
        after = fused(without, evidence.without(removed), formula)
        assert {note: (one.score.hex(), one.contributions) for note, one in after.items()} == {
            note: (one.score.hex(), one.contributions) for note, one in before.items()}  # fmt: skip
        # So the order of any two with different scores is what it was; equal ones may be told apart by their ranks.
        assert [one.score for one in after.values()] == [one.score for one in before.values()]


@given(cases(), st.sampled_from(NOTES), st.floats(0, 2))
def test_raising_what_a_leg_says_of_a_note_never_lowers_it(case, note: int, more: float) -> None:
    """For given seeds; the raised note may be one of them, and the best."""
    rankings, evidence = case
    before = fused(rankings, evidence)
    if note not in before:
        return
    share = evidence.words[note].information if note in evidence.words else 0.0
    linking = evidence.links.get(note, ())
    others = tuple(seed.note for seed in evidence.seeds if seed.note != note and seed.note not in linking)
    for raised in (
        replace(evidence, words={**evidence.words, note: words_value(share + more)}),
        replace(evidence, cosines={**evidence.cosines, note: evidence.cosines.get(note, 0.0) + more}),
        replace(evidence, links={**evidence.links, note: (*linking, *others[:1])} if others else evidence.links),
        replace(evidence, titled=evidence.titled | {note}),
    ):
        # The last bits of a sum of rounded parts are no fall.
        assert fused(rankings, raised)[note].score >= before[note].score - 1e-12


@given(cases())
def test_every_term_is_bounded(case) -> None:
    rankings, evidence = case
    bounds = {Leg.WORDS: 2.2, Leg.MEANING: 1.25, Leg.LINKS: 0.5, "title": 0.5}
    for one in fuse(rankings, evidence, EVIDENCE):
        assert all(0 <= value <= bounds[name] for name, value in one.contributions.items())
        assert 0 <= one.score <= math.fsum(bounds.values())


@pytest.mark.parametrize("cosine", [1.0000002, 1.0, -1.0])
def test_a_cosine_that_rounding_carried_past_one_counts_as_one(cosine: float) -> None:
    found = fused({"meaning": ranking({1: cosine})}, Evidence(cosines={1: cosine}))
    assert found[1].score == (1.25 if cosine > 0 else 0.0)


@given(cases())
def test_identical_notes_have_the_very_same_score_and_stand_in_the_order_of_their_paths(case) -> None:
    rankings, evidence = case
    ids = sorted({one.note for found in rankings.values() for one in found.notes})
    if len(ids) < 2:
        return
    first, twin = ids[0], ids[-1]
    columns = {name: dict(getattr(evidence, name)) for name in ("words", "cosines", "links")}
    for column in columns.values():
        column.pop(twin, None)
        if first in column:
            column[twin] = column[first]
    same = replace(
        evidence, **columns, titled=frozenset(),
        seeds=tuple(seed for seed in evidence.seeds if seed.note not in (first, twin)),
    )  # fmt: skip
    seeds = {seed.note for seed in same.seeds}
    kept = {note: tuple(seed for seed in by if seed in seeds) for note, by in same.links.items()}
    same = replace(same, links={note: by for note, by in kept.items() if by})
    found = fused(rankings, same)
    assert found[first].score.hex() == found[twin].score.hex()
    if len(found[first].ranks) == len(found[twin].ranks):
        order = list(found)
        best = {note: min(found[note].ranks.values()) for note in (first, twin)}
        assert (order.index(first) < order.index(twin)) == ((best[first], first) < (best[twin], twin))


def test_agreement_adds_what_the_second_leg_says_and_a_single_strong_one_may_stay_ahead() -> None:
    """Not a count of legs: two weak findings do not beat a strong one, two of its kind do."""
    strong = Evidence(words={1: words_value(1.5), 2: words_value(0.3), 3: words_value(1.2)}, cosines={2: 0.3, 3: 0.4})
    rankings = {"words": ranking({1: 1.5, 3: 1.2, 2: 0.3}), "meaning": ranking({3: 0.4, 2: 0.3})}
    assert list(fused(rankings, strong)) == [3, 1, 2]
