"""The words leg on a real full-text index."""

import datetime as dt
import threading
import time

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.index.reader import Reader
from core.index.schema import passage_id
from core.search.parsing import parse_query
from core.search.results import Ranking
from core.search.terms import MOST_EXPANSIONS, terms_of
from core.search.words import MOST_BM25, rank_by_words, share_weight

DAY = dt.date(2026, 12, 1)


def words_of(reader, query):
    return tuple(term.spellings[0].key for term in terms_of(reader, query))


@pytest.fixture
def small_reader(index_of, note) -> Reader:
    return index_of(note("a.md", ["abc"]))


def find(reader, text: str, visible=None) -> Ranking:
    return rank_by_words(reader, terms_of(reader, parse_query(text, DAY)), visible)


def paths(ranking: Ranking) -> list[str]:
    return [one.path for one in ranking.notes]


# Two words far apart in a long note, against one of them forty times in a short one.
FAR_APART = ["wolves " + "river stone tree " * 100, "hill " * 200 + "winter"]
REPEATED = ["wolves " * 40]


@pytest.mark.parametrize("others", [0, 1, 2, 3, 5, 10, 50, 200])
@pytest.mark.parametrize("text", ["wolves winter", "winter wolves"])
def test_a_note_that_holds_more_of_the_query_comes_first(index_of, note, fillers, others: int, text: str) -> None:
    reader = index_of(note("a-repeated.md", REPEATED), note("b-both.md", FAR_APART), *fillers(others))
    assert paths(find(reader, text)) == ["b-both.md", "a-repeated.md"]


@pytest.mark.parametrize("others", [0, 3, 200])
def test_a_word_repeated_in_title_and_names_does_not_beat_both_words(index_of, note, fillers, others: int) -> None:
    loud = note("wolves/wolves.md", REPEATED, title="Wolves wolves wolves", names="wolves wolves")
    reader = index_of(loud, note("z.md", FAR_APART), *fillers(others))
    assert paths(find(reader, "wolves winter"))[0] == "z.md"


def test_a_long_note_with_both_words_is_found_behind_many_short_ones_with_one(index_of, note, fillers) -> None:
    loud = [note(f"loud/{number:03}.md", REPEATED) for number in range(70)]
    reader = index_of(*loud, note("both.md", FAR_APART), *fillers(130))
    assert paths(find(reader, "wolves winter"))[0] == "both.md"


def test_a_common_word_does_not_beat_a_telling_one(index_of, note, fillers) -> None:
    common = [note(f"common/{number:03}.md", ["about the wolves " * 10]) for number in range(60)]
    reader = index_of(*common, note("rare.md", ["the quokka sleeps"]), *fillers(60))
    assert paths(find(reader, "wolves quokka"))[0] == "rare.md"


def test_words_are_ranked_not_required(index_of, note, fillers) -> None:
    reader = index_of(note("a.md", ["alpha"]), note("b.md", ["beta"]), *fillers(20))
    assert sorted(paths(find(reader, "alpha beta missing"))) == ["a.md", "b.md"]


def test_a_note_named_for_the_query_goes_before_one_that_mentions_it(index_of, note, fillers) -> None:
    reader = index_of(
        note("a.md", ["a word about gardens"], title="Other"),
        note("b.md", ["all about soil"], title="Gardens"),
        *fillers(20),
    )
    assert paths(find(reader, "gardens")) == ["b.md", "a.md"]


def test_a_note_found_by_its_title_alone_has_no_passage(index_of, note, fillers) -> None:
    reader = index_of(note("x.md", ["body"], title="Gardens"), *fillers(5))
    assert find(reader, "gardens").notes[0].passage is None


def test_the_best_passage_shows_the_note_and_the_first_of_equal_ones(index_of, note, fillers) -> None:
    passages = ["nothing here", "wolves and much else besides", "wolves", "wolves", "end"]
    reader = index_of(note("x.md", passages), *fillers(5))
    assert find(reader, "wolves").notes[0].passage == passage_id(1, 2)


def test_a_better_note_has_a_higher_score(index_of, note, fillers) -> None:
    reader = index_of(note("a.md", ["wolves in winter"]), note("b.md", ["wolves of any kind at all"]), *fillers(20))
    scores = [one.score for one in find(reader, "wolves winter").notes]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_equal_notes_fall_back_to_path_whatever_their_history(index_of, note, fillers) -> None:
    names = [f"{letter}.md" for letter in "hcafbdeg"]
    reader = index_of(*[note(name, ["wolves howl"], title="Same") for name in names], *fillers(20))
    assert paths(find(reader, "wolves")) == sorted(names)


def test_a_cut_never_goes_through_a_tie(index_of, note, fillers) -> None:
    """Two hundred equal notes, put in last path first: the fifty with the first paths stand in the ranking."""
    names = [f"{number:03}.md" for number in range(200)]
    reader = index_of(*[note(name, ["wolves howl"], title="Same") for name in reversed(names)], *fillers(300))
    assert paths(find(reader, "wolves")) == names[:50]


def test_the_order_in_which_notes_came_in_changes_no_bit(index_of, note, fillers) -> None:
    notes = [note(f"{n:02}.md", ["wolves " * (n % 5 + 1) + "stone " * n, "winter"][: n % 2 + 1]) for n in range(40)]
    notes += fillers(30)
    answers = []
    for name, ordered in (("forward", notes), ("backward", notes[::-1])):
        reader = index_of(*ordered, name=name)
        answers.append([(one.path, one.score) for one in find(reader, "winter stone wolves").notes])
    assert answers[0] == answers[1]


def test_the_order_and_number_of_the_query_s_words_changes_no_bit(index_of, note, fillers) -> None:
    notes = [note(f"{n}.md", [f"wolves {'winter ' * n} stone {'river ' * (9 - n)}"]) for n in range(10)]
    reader = index_of(*notes, *fillers(40))
    first = find(reader, "wolves winter stone river")
    assert find(reader, "river stone winter wolves stone river river") == first


def test_hidden_notes_cost_visible_ones_no_place(index_of, note, fillers) -> None:
    notes = [note(f"{number:03}.md", ["wolves " * (160 - number)]) for number in range(150)]
    reader = index_of(*notes, *fillers(200))
    visible = set(range(101, 151))
    assert {one.note for one in find(reader, "wolves", visible).notes} == visible
    assert find(reader, "wolves", set()).notes == ()


@pytest.mark.parametrize(
    "text",
    [
        '"abc', "foo(", "a'b", "status: done", "AND", "OR", "NOT x", "x AND", "NEAR(a b", "*", "^", "-word", "#tag",
        "50%", "C++", "a@b.c", "a/b", "a,b", "why?", "{x}", "", "  ", "\0", "a\0b", "agentic-os dashboard", "-38.101",
        "_", "%", "//", "\ud800", "x \udfff y", '"', '""', '" OR "', "body:x", "title : y", "a* b*", "(((((" * 100,
        "x" * 10_000, "word " * 2_000, "🐘", "e\u0301", "İI ıi", "ﬃ", "\u200b", "日本語", "multi-tenant billing",
        "don't",
    ],
)  # fmt: skip
def test_nothing_that_people_type_is_syntax(index_of, note, text: str) -> None:
    reader = index_of(note("a.md", ["abc foo x and or not near word tag 50 c a b status done os dashboard 38 101"]))
    words = words_of(reader, parse_query(text, DAY))
    ranking = find(reader, text) if words else Ranking(())
    held = set(
        reader.tokenizer.words("a.md a abc foo x and or not near word tag 50 c a b status done os dashboard 38 101")
    )
    if {word.folded for word in held} & set(words):
        assert paths(ranking) == ["a.md"]


# The reader only reads, so examples may share it.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=()), max_size=40))
def test_no_text_raises(text: str, small_reader) -> None:
    terms = terms_of(small_reader, parse_query(text, DAY))
    if terms:
        rank_by_words(small_reader, terms)


def test_ten_thousand_characters_are_answered_within_a_second(index_of, note, fillers) -> None:
    reader = index_of(note("a.md", ["wolves"]), *fillers(300))
    started = time.monotonic()
    find(reader, "wolves " + " ".join(f"other{number}x{number % 30}" for number in range(1_000)))
    assert time.monotonic() - started < 5  # a second in use; five on a busy test machine


class TestPrefix:
    def test_a_last_word_that_no_note_holds_is_the_beginning_of_one(self, index_of, note, fillers) -> None:
        reader = index_of(note("a.md", ["a publication"]), note("b.md", ["published"]), *fillers(20))
        assert words_of(reader, parse_query("the publi", DAY)) == ("the", "publi*")
        assert sorted(paths(find(reader, "publi"))) == ["a.md", "b.md"]

    def test_a_last_word_that_stands_in_a_note_is_itself(self, index_of, note, fillers) -> None:
        reader = index_of(note("a.md", ["public"]), note("b.md", ["publication"]), *fillers(20))
        assert words_of(reader, parse_query("public", DAY)) == ("public",)
        assert paths(find(reader, "public")) == ["a.md"]

    def test_only_the_last_word_may_be_half_typed(self, index_of, note, fillers) -> None:
        reader = index_of(note("a.md", ["zoo"]), note("b.md", ["winter"]), *fillers(20))
        assert words_of(reader, parse_query("zo winter", DAY)) == ("zo", "winter")
        assert paths(find(reader, "zo winter")) == ["b.md"]

    def test_the_rule_holds_with_marks_and_capitals(self, index_of, note, fillers) -> None:
        reader = index_of(note("a.md", ["Almoço"]), *fillers(20))
        for text in ("almo", "ALMOÇ", "almoc", "almoço"):
            assert paths(find(reader, text)) == ["a.md"], text

    def test_one_letter_is_too_little_to_begin_a_word(self, index_of, note, fillers) -> None:
        reader = index_of(note("x.md", ["quokka"]), *fillers(20))
        assert words_of(reader, parse_query("q", DAY)) == ("q",)
        assert words_of(reader, parse_query("qu", DAY)) == ("qu*",)

    def test_one_character_of_another_script_is_enough(self, index_of, note, fillers) -> None:
        reader = index_of(note("x.md", ["日本語"]), *fillers(20))
        assert words_of(reader, parse_query("日", DAY)) == ("日*",)

    def test_a_beginning_of_too_many_words_is_left_as_typed(self, index_of, note) -> None:
        many = " ".join(f"zz{number}" for number in range(MOST_EXPANSIONS + 1))
        reader = index_of(note("x.md", [many, "yy1 yy2"]))
        assert words_of(reader, parse_query("zz", DAY)) == ("zz",)
        assert words_of(reader, parse_query("yy", DAY)) == ("yy*",)

    def test_a_word_of_a_note_that_is_gone_is_held_no_more(self, index_of, note, fillers) -> None:
        reader = index_of(note("a.md", ["publi"]), note("b.md", ["publication"]), *fillers(5))
        assert words_of(reader, parse_query("publi", DAY)) == ("publi",)
        reader.end()
        writer = apsw.Connection(reader.connection.db_filename("main"))
        writer.execute(
            "DELETE FROM note_words WHERE rowid = 1; UPDATE meta SET value = value + 1 WHERE key = 'generation'"
        )
        writer.close()
        reader.begin()
        assert words_of(reader, parse_query("publi", DAY)) == ("publi*",)


@pytest.mark.parametrize("words", range(2, 12))
def test_the_weight_of_the_share_is_just_enough_for_all_words_to_beat_one(words: int) -> None:
    all_of_them, one_of_them = share_weight(words), MOST_BM25 / words + share_weight(words) / words
    assert all_of_them == pytest.approx(one_of_them)


def test_a_search_called_off_raises_and_the_reader_can_be_used_again(index_of, note, fillers) -> None:
    many = [note(f"{number:03}.md", ["wolves " + "river stone " * 400]) for number in range(150)]
    reader = index_of(*many)
    stop = threading.Event()

    def interrupt() -> None:
        while not stop.is_set():
            reader.interrupt()
            time.sleep(0.0005)

    def search_on() -> None:
        for _ in range(10_000):
            find(reader, "wolves river stone")

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(apsw.InterruptError):
            search_on()
    finally:
        stop.set()
        thread.join()
    assert len(find(reader, "wolves").notes) == 50
