"""Reranking: the first notes in another order, both places kept, and no note's score decided by another note."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest

from core.errors import ModelError
from core.export import as_object, to_json
from core.search.fusion import FusedNote
from core.search.reranking import MOST_RERANKED, rerank
from core.search.results import LEGS, Failed, Leg, LegState, RerankerName, SearchResult, Skipped
from core.search.search import (
    SearchRequest,
    answer,
    evidence_of,
    find_links,
    find_meaning,
    find_words,
    fused_notes,
    search,
)


@dataclass
class ScriptedReranker:
    """Scores a text by the first of some words that it holds; keeps what it was asked."""

    worth: dict[str, float] = field(default_factory=dict)
    fault: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)
    model: RerankerName = field(default_factory=lambda: RerankerName("scripted", "0" * 64))

    def score(self, query: str, text: str) -> float:
        self.asked.append((query, text))
        if self.fault:
            raise ModelError(self.fault)
        return next((value for word, value in self.worth.items() if word in text), 0.0)


@pytest.fixture
def three(index_of, note):
    """Return a reader on three notes that hold a word, best first: one, two, three."""
    return index_of(
        note("one.md", ["harbour harbour plain"], vectors=[(1, 0, 0, 0)]),
        note("two.md", ["harbour with silver in it"], vectors=[(1, 1, 0, 0)]),
        note("three.md", ["harbour with gold in it, and a good deal more to say"], vectors=[(0, 1, 0, 0)]),
    )


METALS = {"gold": 5.0, "silver": 3.0}


def found(reader, encoder, text: str, reranker=None, **options) -> SearchResult:
    return search(reader, encoder, SearchRequest(text, **options), reranker=reranker)


def paths(result: SearchResult) -> list[str]:
    return [hit.path for hit in result.hits]


def test_the_order_is_the_rerankers_and_all_else_stays_what_it_was(three, encoder):
    off = found(three, encoder, "harbour")
    on = found(three, encoder, "harbour", ScriptedReranker(METALS))
    assert paths(off) == ["one.md", "two.md", "three.md"]
    assert paths(on) == ["three.md", "two.md", "one.md"]
    assert [hit.rank for hit in on.hits] == [1, 2, 3]
    assert [hit.reranked.fused_rank for hit in on.hits] == [3, 2, 1]
    assert [hit.reranked.score for hit in on.hits] == [5.0, 3.0, 0.0]
    before = {hit.path: hit for hit in off.hits}
    for hit in on.hits:
        was = before[hit.path]
        assert (hit.score, hit.evidence, hit.compatibility, hit.band) == (
            was.score,
            was.evidence,
            was.compatibility,
            was.band,
        )
    assert (on.mode, on.formula, on.fingerprint, on.total) == (off.mode, off.formula, off.fingerprint, off.total)
    assert (on.reranker.state, on.reranker.notes, on.reranker.model.name) == (LegState.RAN, 3, "scripted")


def test_without_a_reranker_nothing_is_said_of_one(three, encoder):
    off = found(three, encoder, "harbour")
    assert off.reranker is None
    assert [hit.reranked for hit in off.hits] == [None] * 3
    assert "reranker" not in as_object(off)


def test_equal_scores_keep_the_fused_order(three, encoder):
    on = found(three, encoder, "harbour", ScriptedReranker())
    assert paths(on) == ["one.md", "two.md", "three.md"]
    assert [hit.reranked.fused_rank for hit in on.hits] == [1, 2, 3]


def test_a_note_is_read_as_its_title_and_a_passage_beside_the_text_without_filters(index_of, note, encoder):
    reader = index_of(
        note("a/one.md", ["Harbour\nwith boats"], title="Harbour", vectors=[(1, 0, 0, 0)]),
        note("a/two.md", ["the harbour at night"], title="Lights", vectors=[(1, 0, 0, 0)]),
        note("b/three.md", ["the harbour by day"], vectors=[(1, 0, 0, 0)]),
    )
    reranker = ScriptedReranker()
    found(reader, encoder, 'path:a harbour "at night" OR boats', reranker)
    assert {query for query, _text in reranker.asked} == {"harbour at night boats"}
    assert {text for _query, text in reranker.asked} == {"Harbour\nwith boats", "Lights\nthe harbour at night"}


def test_a_note_counts_by_its_better_passage_of_the_one_with_the_words_and_the_one_that_is_near(
    index_of, note, encoder
):
    reader = index_of(
        note("both.md", ["harbour harbour", "gold coins", "mud"], vectors=[(0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0)]),
        note("words.md", ["harbour and silver", "mud"], vectors=[(1, 0, 0, 0), (0, 0, 1, 0)]),
    )
    reranker = ScriptedReranker(METALS)
    on = found(reader, encoder, "harbour", reranker)
    assert [(hit.path, hit.reranked.score) for hit in on.hits] == [("both.md", 5.0), ("words.md", 3.0)]
    # One passage that is best by both is read once.
    assert sorted(text for _query, text in reranker.asked) == [
        "both\ngold coins",
        "both\nharbour harbour",
        "words\nharbour and silver",
    ]


def test_a_note_without_text_is_read_by_its_title(index_of, note, encoder):
    reader = index_of(note("empty.md", title="Gold harbour"), note("one.md", ["harbour"]))
    assert found(reader, encoder, "harbour", ScriptedReranker({"Gold": 1.0})).hits[0].path == "empty.md"


def many_notes(note, count: int):
    return [note(f"{number:03}.md", [f"harbour number{number}"]) for number in range(count)]


def test_the_first_twenty_are_put_in_order_and_the_rest_follow_as_they_were(index_of, note, encoder):
    reader = index_of(*many_notes(note, 30))
    off = found(reader, encoder, "harbour", legs=(Leg.WORDS,))
    reranker = ScriptedReranker({"number19": 5.0, "number25": 9.0})
    on = found(reader, encoder, "harbour", reranker, legs=(Leg.WORDS,))
    assert paths(on) == ["019.md", *paths(off)[:19], *paths(off)[20:]]
    assert len(reranker.asked) == on.reranker.notes == MOST_RERANKED == 20
    assert [hit.reranked is None for hit in on.hits] == [False] * 20 + [True] * 10


@pytest.mark.parametrize("limit", [0, 1, 5, 50])
def test_the_limit_decides_what_is_shown_and_not_what_is_read(index_of, note, encoder, limit):
    reader = index_of(*many_notes(note, 30))
    whole = found(reader, encoder, "harbour", ScriptedReranker({"number19": 5.0}))
    some = found(reader, encoder, "harbour", ScriptedReranker({"number19": 5.0}), limit=limit)
    assert paths(some) == paths(whole)[:limit]


def reordering(reader, encoder, text: str, reranker, dropped=()):
    """Return what reranking gives for the candidates without some, in the same snapshot of the index."""
    request = SearchRequest(text)
    words, meaning = find_words(reader, request), find_meaning(reader, encoder, request)
    links = find_links(reader, request, words, meaning)
    outcomes = {Leg.WORDS: words, Leg.MEANING: meaning, Leg.LINKS: links.outcome}
    evidence = links.evidence or evidence_of(reader, request, outcomes)
    fused = fused_notes(reader, request, outcomes, evidence)
    left = [one for one in fused if one.path not in dropped]
    return rerank(reader, request.query, left, evidence, meaning, reranker)


def test_removing_any_candidate_leaves_the_other_scores_bit_identical(index_of, note, encoder, tmp_path):
    from core.search.cross_encoder import CrossEncoder, cross_encoder_in_folder
    from tests.core.search.tiny_cross_encoder import build_cross_encoder

    worth = {"gold": 0.1, "silver": 0.7, "harbour": -0.3, "mud": 1 / 3}
    model = CrossEncoder(
        cross_encoder_in_folder(build_cross_encoder(tmp_path / "tiny", worth=worth)), cache_folder=tmp_path
    )
    metals = ("gold", "silver", "mud", "gold silver", "gold mud mud", "silver " * 40)
    reader = index_of(
        *(
            note(f"{at}.md", [f"harbour {metal}", f"{metal} quay"], vectors=[(1, at, 0, 0), (at, 1, 1, 0)])
            for at, metal in enumerate(metals, start=1)
        )
    )
    whole = reordering(reader, encoder, "harbour", model)
    bits = {note: place.score.hex() for note, place in whole.places.items()}
    assert len(bits) == len(metals)
    assert len(set(bits.values())) > 3
    for one in whole.notes:
        left = reordering(reader, encoder, "harbour", model, dropped={one.path})
        assert {note: place.score.hex() for note, place in left.places.items()} == {
            note: score for note, score in bits.items() if note != one.note
        }
        assert [each.path for each in left.notes] == [each.path for each in whole.notes if each is not one]


@pytest.mark.parametrize(
    ("reranker", "state", "said"),
    [
        (Failed("The folder holds no model.onnx."), LegState.FAILED, "The folder holds no model.onnx."),
        (Skipped("switched off"), LegState.SKIPPED, "switched off"),
        (ScriptedReranker(fault="It fell over."), LegState.FAILED, "It fell over."),
        (ScriptedReranker({"gold": math.nan}), LegState.FAILED, "gave a score that is not a number"),
        (ScriptedReranker({"silver": math.inf}), LegState.FAILED, "gave a score that is not a number"),
    ],
)
def test_one_that_cannot_answer_leaves_the_list_as_it_is_without_it(three, encoder, reranker, state, said):
    off, on = found(three, encoder, "harbour"), found(three, encoder, "harbour", reranker)
    assert on.hits == off.hits
    assert (on.reranker.state, on.reranker.notes, on.reranker.model) == (state, None, None)
    assert said in on.reranker.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("path:one", "The query holds filters alone"),
        ("→", "The query holds no letters or digits"),
        ("zzzz", "No note was found"),
    ],
)
def test_where_there_is_nothing_to_read_it_is_not_asked(index_of, note, encoder, text, said):
    reader = index_of(note("one.md", ["harbour →"]))
    reranker = ScriptedReranker()
    on = found(reader, encoder, text, reranker)
    assert (on.reranker.state, reranker.asked) == (LegState.SKIPPED, [])
    assert said in on.reranker.reason
    assert to_json(on) == to_json(found(reader, encoder, text, Failed("cannot be loaded")))


def test_an_interim_list_is_never_reranked(three):
    request = SearchRequest("harbour")
    reranker = ScriptedReranker(METALS)
    words = find_words(three, request)
    interim = answer(three, request, words, None, None, pending=(Leg.MEANING, Leg.LINKS), reranker=reranker)
    assert (interim.reranker, reranker.asked) == (None, [])
    assert paths(interim) == ["one.md", "two.md", "three.md"]


@pytest.mark.parametrize("legs", [LEGS, (Leg.WORDS,), (Leg.MEANING,), (Leg.WORDS, Leg.MEANING)])
def test_it_works_with_any_legs(three, encoder, legs):
    assert paths(found(three, encoder, "harbour", ScriptedReranker(METALS), legs=legs))[0] == "three.md"


def test_the_same_list_is_the_same_list_again(three, encoder):
    assert len({to_json(found(three, encoder, "harbour", ScriptedReranker(METALS))) for _ in range(5)}) == 1


def test_no_note_is_lost_or_doubled(index_of, note, encoder):
    fused = [FusedNote(number, f"{number}.md", 1.0 / number, {}, {}) for number in range(1, 31)]
    reader = index_of(*many_notes(note, 30))
    request = SearchRequest("harbour")
    evidence = evidence_of(reader, request, {Leg.WORDS: find_words(reader, request)})
    worth = {f"number{number}": float(number % 7) for number in range(30, -1, -1)}
    left = rerank(reader, request.query, fused, evidence, None, ScriptedReranker(worth)).notes
    assert sorted(one.note for one in left) == [one.note for one in fused]
    assert left[20:] == fused[20:]
