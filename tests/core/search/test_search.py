"""The whole path from a query to a result, on a real index with a scripted model."""

import random
import threading
from pathlib import Path

import apsw
import pytest

from core.errors import TriskelError
from core.index.reader import Reader
from core.search.results import LEGS, Band, Failed, Leg, LegState, Mode, Ranking, SearchResult, Skipped
from core.search.search import SearchRequest, answer, find_links, find_meaning, find_words, search

NO_MODEL = Failed("The model file is damaged.")


def by_rank(text: str, *given, **options) -> SearchRequest:
    """A request whose order is that of ranks alone, which can be worked out by hand."""
    return SearchRequest(text, *given, **{"formula": "rrf/k=60/v1", **options})


@pytest.fixture
def wolves(index_of, note, fillers) -> Reader:
    """Three notes that the legs see differently: 1 by all, 2 by words and links, 3 by meaning, 4 by links alone."""
    return index_of(
        note("both.md", ["wolves in winter\nrun far", "more of it"], links=["words.md", "linked.md", "gone.md"],
             vectors=[(1, 0, 0, 0), (0.5, 0.5, 0, 0)]),
        note("words.md", ["wolves and stones, wolves"], links=["both.md"], vectors=[None]),
        note("near.md", ["a pack hunts", "grey hunters in snow"], vectors=[(0, 1, 0, 0), (0.9, 0.1, 0, 0)]),
        note("linked.md", ["a quiet place", "second"], vectors=[None, None]),
        note("empty.md", []),
        *fillers(20),
    )  # fmt: skip


def paths(result: SearchResult) -> list[str]:
    return [hit.path for hit in result.hits]


def test_every_hit_carries_its_evidence(wolves, encoder) -> None:
    result = search(wolves, encoder, by_rank("wolves winter"))
    assert result.mode is Mode.HYBRID
    assert result.formula == "rrf/k=60/v1"
    assert paths(result) == ["both.md", "words.md", "linked.md", "near.md"]
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4]
    first = result.hits[0]
    ranks = {leg: seen.rank for leg, seen in first.evidence.items() if seen}
    assert ranks == {Leg.WORDS: 1, Leg.MEANING: 1, Leg.LINKS: 3}
    assert first.band is Band.STRONG
    assert first.compatibility == pytest.approx(0.6 + 0.4 * (1 + 1 + 1 / 3) / 3)
    assert first.score == pytest.approx(1 / 61 + 1 / 61 + 1 / 63)
    assert [seen.contribution for seen in first.evidence.values() if seen] == [1 / 61, 1 / 61, 1 / 63]
    assert first.matched_words == ("wolves", "winter")
    assert first.snippet.text == "wolves in winter run far"
    assert first.snippet.marks == ((0, 6), (10, 16))
    assert (first.line, first.passage.line, first.passage.last_line) == (1, 1, 2)
    assert [(step.seed_path, step.seed_rank, step.line) for step in first.links_from] == [("words.md", 3, 1)]


def test_a_hit_by_links_alone_names_the_notes_that_led_to_it(wolves, encoder) -> None:
    hit = search(wolves, encoder, by_rank("wolves winter")).hits[2]
    assert hit.path == "linked.md"
    assert hit.band is Band.PARTIAL
    assert (hit.evidence[Leg.WORDS], hit.evidence[Leg.MEANING]) == (None, None)
    assert [(step.seed_path, step.seed_title, step.line) for step in hit.links_from] == [("both.md", "both", 2)]
    assert (hit.snippet.text, hit.line) == ("a quiet place", 1)


def test_a_hit_by_meaning_is_shown_by_its_nearest_passage(wolves, encoder) -> None:
    hit = search(wolves, encoder, by_rank("wolves winter")).hits[3]
    assert (hit.path, hit.snippet.text, hit.line, hit.matched_words) == ("near.md", "grey hunters in snow", 2, ())


def test_the_words_leg_s_passage_goes_before_the_meaning_leg_s(index_of, note, encoder, fillers) -> None:
    reader = index_of(note("a.md", ["nearest", "wolves"], vectors=[(1, 0, 0, 0), (0, 1, 0, 0)]), *fillers(5))
    assert search(reader, encoder, by_rank("wolves")).hits[0].snippet.text == "wolves"


def test_the_line_is_that_of_the_first_mark(index_of, note, encoder, fillers) -> None:
    reader = index_of(note("a.md", ["one\ntwo", "three\nfour\nthe wolves"]), *fillers(5))
    hit = search(reader, encoder, by_rank("wolves")).hits[0]
    assert (hit.line, hit.passage.line, hit.passage.last_line) == (5, 3, 5)


def test_a_note_without_text_is_found_by_its_title_and_shows_nothing(index_of, note, encoder, fillers) -> None:
    reader = index_of(note("x.md", [], title="Wolves"), *fillers(5))
    hit = search(reader, encoder, by_rank("wolves")).hits[0]
    assert (hit.passage, hit.line, hit.snippet.text, hit.matched_words) == (None, None, "", ("wolves",))


def test_each_leg_reports_what_it_can_see(wolves, encoder) -> None:
    legs = search(wolves, encoder, by_rank("wolves")).legs
    assert list(legs) == list(LEGS)
    assert {leg: report.state for leg, report in legs.items()} == dict.fromkeys(LEGS, LegState.RAN)
    assert legs[Leg.WORDS].coverage == (25, 25)
    assert legs[Leg.MEANING].coverage[1] == 25
    assert legs[Leg.LINKS].coverage == (3, 4)
    assert legs[Leg.MEANING].model == encoder.model
    assert legs[Leg.WORDS].model is None


@pytest.mark.parametrize("reason", [Skipped("switched off by hand"), NO_MODEL])
def test_a_search_without_vectors_degrades_visibly_to_words(wolves, reason) -> None:
    result = search(wolves, reason, by_rank("wolves"))
    assert result.mode is Mode.WORDS
    assert result.legs[Leg.MEANING].reason == reason.reason
    assert result.legs[Leg.MEANING].notes is None
    assert paths(result) == ["both.md", "words.md", "linked.md"]


def test_an_index_without_a_vector_degrades_visibly_to_words(index_of, note, encoder, fillers) -> None:
    result = search(index_of(note("a.md", ["wolves"]), *fillers(3)), encoder, by_rank("wolves"))
    assert result.mode is Mode.WORDS
    assert result.legs[Leg.MEANING].state is LegState.SKIPPED
    assert result.legs[Leg.MEANING].reason == "No passage has a vector yet."


def test_a_model_that_fails_at_the_query_is_named_and_words_go_on(wolves, encoder) -> None:
    encoder.damaged = True
    result = search(wolves, encoder, by_rank("wolves"))
    assert result.mode is Mode.WORDS
    assert result.legs[Leg.MEANING].state is LegState.FAILED
    assert "The model file is damaged." in result.legs[Leg.MEANING].reason
    assert paths(result)[0] == "both.md"


def test_a_query_whose_words_are_nowhere_is_answered_by_meaning(wolves, encoder) -> None:
    result = search(wolves, encoder, by_rank("xylophone"))
    assert result.mode is Mode.MEANING
    assert result.legs[Leg.WORDS].notes == 0


def test_no_result_from_any_leg_is_mode_none(wolves) -> None:
    result = search(wolves, NO_MODEL, by_rank("xylophone"))
    assert result.mode is Mode.NONE
    assert (result.hits, result.total) == ((), 0)
    assert result.message == "Nothing was found, but not every search could look: meaning."


def test_nothing_matches_is_said_only_if_every_leg_that_should_have_run_did(wolves, encoder) -> None:
    result = search(wolves, encoder, by_rank("xylophone", legs=(Leg.WORDS, Leg.LINKS)))
    assert (result.mode, result.message) == (Mode.NONE, "Nothing matches.")


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "Type what you are looking for."), ("  \0 ", "Type what you are looking for."),
     ('""', "The quotes at character 1 are empty")],
)  # fmt: skip
def test_a_query_without_words_is_a_sentence_and_mode_none(wolves, encoder, text: str, message: str) -> None:
    result = search(wolves, encoder, by_rank(text))
    assert (result.mode, result.hits) == (Mode.NONE, ())
    assert message in result.message
    assert {report.state for report in result.legs.values()} == {LegState.SKIPPED}


@pytest.mark.parametrize("text", ["++ // --", "🐘", "->"])
def test_symbols_that_stand_nowhere_match_nothing(wolves, encoder, text: str) -> None:
    result = search(wolves, encoder, by_rank(text))
    assert (result.mode, result.message, result.hits) == (Mode.NONE, "Nothing matches.", ())


class TestSwitchedOff:
    def test_a_leg_switched_off_is_reported_and_has_no_part(self, wolves, encoder) -> None:
        result = search(wolves, encoder, by_rank("wolves", legs=(Leg.MEANING, Leg.LINKS)))
        assert result.mode is Mode.MEANING
        assert result.legs[Leg.WORDS].state is LegState.SKIPPED
        assert result.legs[Leg.WORDS].reason == "switched off"
        assert all(hit.evidence[Leg.WORDS] is None for hit in result.hits)
        assert "words.md" in paths(result)  # by the link in both.md, a seed of meaning

    def test_links_alone_are_seeded_by_words_and_meaning_unseen(self, wolves, encoder) -> None:
        result = search(wolves, encoder, by_rank("wolves", legs=(Leg.LINKS,)))
        assert result.mode is Mode.LINKS
        assert {leg: report.reason for leg, report in result.legs.items()} == {
            Leg.WORDS: "switched off", Leg.MEANING: "switched off", Leg.LINKS: None}  # fmt: skip
        assert sorted(paths(result)) == ["both.md", "linked.md", "words.md"]
        assert all(hit.compatibility <= 0.6 for hit in result.hits)

    def test_a_leg_switched_off_does_not_seed_where_the_other_stays_on(self, wolves, encoder) -> None:
        request = by_rank("xylophone", legs=(Leg.WORDS, Leg.LINKS))
        assert search(wolves, encoder, request).total == 0

    def test_no_leg_at_all_is_mode_none(self, wolves, encoder) -> None:
        result = search(wolves, encoder, by_rank("wolves", legs=()))
        assert result.mode is Mode.NONE
        assert {report.reason for report in result.legs.values()} == {"switched off"}


def test_the_total_counts_all_fused_notes_and_the_limit_only_cuts_the_list(wolves, encoder) -> None:
    everything = search(wolves, encoder, by_rank("wolves winter"))
    for limit in (0, 1, 2):
        result = search(wolves, encoder, by_rank("wolves winter", limit=limit))
        assert (result.total, result.mode, result.legs) == (everything.total, everything.mode, everything.legs)
        assert result.hits == everything.hits[:limit]


def test_only_hits_within_the_limit_are_fetched(wolves, encoder, monkeypatch) -> None:
    fetched = []
    passages = wolves.passages
    monkeypatch.setattr(wolves, "passages", lambda ids: fetched.append(len(ids)) or passages(ids))
    search(wolves, encoder, by_rank("wolves winter", limit=2))
    assert fetched == [2]


def test_an_unknown_formula_or_a_negative_limit_is_a_stated_failure() -> None:
    with pytest.raises(TriskelError, match="rrf/k=60/v1"):
        by_rank("wolves", formula="magic/v9")
    with pytest.raises(TriskelError, match="-1"):
        by_rank("wolves", limit=-1)


def test_a_cut_query_says_so_in_the_result(wolves, encoder) -> None:
    result = search(wolves, encoder, by_rank("wolves " * 2_000))
    assert result.message == "The query was cut to its first 2,000 characters."
    assert paths(result)[0] in {"both.md", "words.md"}


def test_an_interim_result_shows_no_band_and_names_what_is_pending(wolves, encoder) -> None:
    request = by_rank("wolves winter")
    words = find_words(wolves, request)
    interim = answer(wolves, request, words, None, None, pending=(Leg.MEANING, Leg.LINKS))
    assert interim.interim
    assert interim.mode is Mode.WORDS
    assert [report.state for report in interim.legs.values()] == [LegState.RAN, LegState.PENDING, LegState.PENDING]
    assert {(hit.band, hit.compatibility) for hit in interim.hits} == {(None, None)}
    assert paths(interim) == ["both.md", "words.md"]
    assert interim.message is None


def test_outcomes_of_pending_legs_are_not_looked_at(wolves, encoder) -> None:
    request = by_rank("wolves winter")
    words, meaning = find_words(wolves, request), find_meaning(wolves, encoder, request)
    links = find_links(wolves, request, words, meaning)
    pending = (Leg.MEANING, Leg.LINKS)
    early = answer(wolves, request, words, None, None, pending=pending)
    assert answer(wolves, request, words, meaning, links, pending=pending) == early


def test_a_hidden_note_leaves_no_row_and_seeds_nothing(wolves, encoder) -> None:
    visible = set(range(1, 26)) - {1}
    result = search(wolves, encoder, by_rank("wolves winter"), visible)
    assert paths(result) == ["near.md", "words.md"]
    assert all(step.seed_path != "both.md" for hit in result.hits for step in hit.links_from)


def test_a_leg_that_sqlite_fails_is_named_and_the_others_go_on(wolves, encoder, monkeypatch) -> None:
    def broken(ids):
        raise apsw.CorruptError("database disk image is malformed")

    monkeypatch.setattr(wolves, "out_links", broken)
    result = search(wolves, encoder, by_rank("wolves"))
    assert result.mode is Mode.HYBRID
    assert result.legs[Leg.LINKS].state is LegState.FAILED
    assert "malformed" in result.legs[Leg.LINKS].reason


def test_a_search_called_off_is_raised_and_not_reported_as_a_failure(wolves, encoder, monkeypatch) -> None:
    def interrupted(*_):
        raise apsw.InterruptError("interrupted")

    for question in ("notes", "coverage", "out_links", "vectors"):
        with monkeypatch.context() as patch:
            patch.setattr(wolves, question, interrupted)
            with pytest.raises(apsw.InterruptError):
                search(wolves, encoder, by_rank("wolves"))
    assert search(wolves, encoder, by_rank("wolves")).total == 4


def test_a_search_gives_its_snapshot_up(wolves, encoder) -> None:
    search(wolves, encoder, by_rank("wolves"))
    assert not wolves.connection.in_transaction


def test_two_identical_searches_give_the_same_result(wolves, encoder) -> None:
    request = by_rank("wolves winter stones hunters")
    assert search(wolves, encoder, request) == search(wolves, encoder, request)


def test_the_order_in_which_legs_are_named_changes_nothing_but_what_is_off(wolves, encoder) -> None:
    forward = search(wolves, encoder, by_rank("wolves winter"))
    backward = search(wolves, encoder, by_rank("wolves winter", legs=tuple(reversed(LEGS))))
    assert forward == backward


def test_equal_scores_are_decided_by_the_evidence_before_the_path(index_of, note, encoder, fillers) -> None:
    """One note first by words alone, one first by meaning alone: the same score, and the words say more (F > 1.25)."""
    for by_words, by_meaning in (("a.md", "b.md"), ("b.md", "a.md")):
        reader = index_of(
            note(by_words, ["wolves"], vectors=[None]),
            note(by_meaning, ["other"], vectors=[(1, 0, 0, 0)]),
            *fillers(3),
            name=by_words,
        )
        result = search(reader, encoder, by_rank("wolves"))
        assert paths(result) == [by_words, by_meaning]
        assert len({hit.score for hit in result.hits}) == 1


def test_a_repeat_run_under_shuffled_thread_timing_is_identical(wolves, encoder, index_of) -> None:
    """Words and meaning on two threads with their own readers, started in either order, against all in a row."""
    request = by_rank("wolves winter stones hunters")
    expected = search(wolves, encoder, request)
    file = Path(wolves.connection.db_filename("main"))
    shuffle = random.Random(5)
    for _ in range(12):
        found = {}
        gates = {leg: threading.Event() for leg in (Leg.WORDS, Leg.MEANING)}

        def run(leg, gates=gates, found=found) -> None:
            gates[leg].wait()
            reader = Reader(file)
            reader.begin()
            found[leg] = find_words(reader, request) if leg is Leg.WORDS else find_meaning(reader, encoder, request)
            reader.end()
            reader.close()

        threads = {leg: threading.Thread(target=run, args=(leg,)) for leg in gates}
        for thread in threads.values():
            thread.start()
        one_after_the_other = shuffle.random() < 0.5
        for leg in shuffle.sample(list(gates), 2):
            gates[leg].set()
            if one_after_the_other:
                threads[leg].join()
        for thread in threads.values():
            thread.join()
        reader = Reader(file)
        reader.begin()
        links = find_links(reader, request, found[Leg.WORDS], found[Leg.MEANING])
        result = answer(reader, request, found[Leg.WORDS], found[Leg.MEANING], links, model=encoder.model)
        reader.end()
        reader.close()
        assert result == expected
        assert repr(result) == repr(expected)


def test_a_leg_answers_with_a_ranking_a_skip_or_a_failure(wolves, encoder) -> None:
    assert isinstance(find_words(wolves, by_rank("wolves")), Ranking)
    assert find_words(wolves, by_rank("??")) == Ranking(())
    assert find_words(wolves, by_rank('""')) == Skipped("The query holds no word to look for.")
    assert find_meaning(wolves, NO_MODEL, by_rank("wolves")) == NO_MODEL
