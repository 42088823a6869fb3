"""What people type is understood, or is text; nothing of it raises or is lost without a word."""

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.search.parsing import MAX_QUERY_LENGTH, parse_query
from core.search.query import AnyOf, Clause, Filter, FilterKind, Part, Phrase, Query, Word
from core.search.typed_dates import read_date
from tests.core.search.typed_queries import PLAIN, REMARKED

TODAY = date(2026, 3, 31)
ANY_TEXT = st.text(st.characters(exclude_categories=()))
FRAGMENTS = (
    *("OR", "AND", "NOT", "-", "--", "->", "*", '"', '""', "“", "”", "„", "«", "»", "「", "」", "'", "’", ":", "#"),
    *("tag:", "Tag:x", "path:", "ext:.md", "after:", "before:2w", "after:2026-01", "before:2026-02-30", "link:[[a b]]"),
    *(
        "title:“",
        "[",
        "]",
        "[[",
        "]]",
        "(",
        ")",
        "[k:v]",
        '["a b":"c d"]',
        "[key]",
        "[k:]",
        "[x]",
        "https://x",
        "12:30",
    ),
    *("a", "word", "日本", "é", "e\u0301", '5"', "-word", "-tag:x", "C++", "🐘", "\0", "\ud800"),
    *(" ", " ", " ", "\u00a0", "\u3000", "\n", "\t"),
)
OPERATORS = st.lists(st.sampled_from(FRAGMENTS), max_size=24).map("".join)


def parse(text: str) -> Query:
    return parse_query(text, TODAY)


def told(part: Part) -> str:
    """Write a part down for the table: `word`, `word~` for a prefix, `<phrase>`, `tag=x`, `[key]=x`, `a|b`."""
    match part:
        case Word():
            return part.text + ("~" if part.prefix else "")
        case Phrase():
            return f"<{part.text}>"
        case Filter(kind=FilterKind.PROPERTY):
            return f"[{part.key}]={part.value}"
        case Filter():
            return f"{part.kind}={part.value}"
        case AnyOf():
            return "|".join(map(told, part.parts))


def clauses_of(query: Query) -> list[str]:
    return [("!" if clause.negated else "") + told(clause.part) for clause in query.clauses]


@pytest.mark.parametrize(("typed", "expected"), PLAIN)
def test_what_is_typed_is_understood_without_a_remark(typed, expected):
    query = parse(typed)
    assert clauses_of(query) == expected
    assert query.message is None


@pytest.mark.parametrize(("typed", "expected", "message"), REMARKED)
def test_what_cannot_be_an_operator_is_text_or_left_out_and_named_with_its_place(typed, expected, message):
    query = parse(typed)
    assert clauses_of(query) == expected
    assert query.message is not None
    assert message in query.message


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\0", "\u00a0"])
def test_white_space_and_nul_alone_are_an_empty_query(text):
    assert parse(text) == Query("")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("word pre*", ["", ""]),
        ("tag:project/a", ["tag: project/a"]),
        ("-Tag:#x", ["without tag: x"]),
        ("after:2w", ["after: 2026-03-17"]),
        ("-draft", ["without: draft"]),
        ("-dra*", ["without: dra*"]),
        ('"exact  words" -“a b”', ["“exact words”", "without: “a b”"]),
        ('a OR "b c"', ["a or “b c”"]),
        ("tag:a OR ext:.md", ["tag: a or ext: md"]),
        ("[status:done] -[key]", ["[status: done]", "without [key]"]),
        ('path:"a\nb"', ["path: a b"]),
    ],
)
def test_chips_say_what_was_understood_in_few_words(typed, shown):
    assert [clause.shown for clause in parse(typed).clauses] == shown


@pytest.mark.parametrize(
    ("typed", "meaning"),
    [
        ("what is  a\tbudget", "what is a budget"),
        ('-x "two words" tag:y pre* a OR b', "two words pre a b"),
        ("tag:a OR tag:b -c", ""),
        ("x OR", "x OR"),
    ],
)
def test_the_text_to_embed_holds_words_and_phrases_alone(typed, meaning):
    assert parse(typed).meaning == meaning


@pytest.mark.parametrize(
    ("typed", "last"),
    [
        ("one two", "two"),
        ("two*", "two"),
        ("-two", "two"),
        ("one OR two", "two"),
        ("two ", None),
        ("two\u00a0", None),
        ("two\0", None),
        ('"two"', None),
        ('"two', None),
        ("tag:two", None),
        ("word " * 1000, None),
        ("x" * 3000, None),
    ],
)
def test_only_a_word_at_the_very_end_of_what_was_typed_may_be_unfinished(typed, last):
    words = [
        part
        for clause in parse(typed).clauses
        for part in (clause.part.parts if isinstance(clause.part, AnyOf) else (clause.part,))
        if isinstance(part, Word)
    ]
    assert [word.text for word in words if word.last] == ([] if last is None else [last])


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2026", "2026-01-01"),
        ("2026-11", "2026-11-01"),
        ("2026-1-5", "2026-01-05"),
        ("2026/01/05", "2026-01-05"),
        ("05.01.2026", "2026-01-05"),
        ("29.2.2024", "2024-02-29"),
        ("２０２６", "2026-01-01"),
        ("today", "2026-03-31"),
        ("YESTERDAY", "2026-03-30"),
        ("Tomorrow", "2026-04-01"),
        ("0d", "2026-03-31"),
        ("3d", "2026-03-28"),
        ("2W", "2026-03-17"),
        ("1m", "2026-02-28"),
        ("6m", "2025-09-30"),
        ("3m", "2025-12-31"),
        ("15m", "2024-12-31"),
        ("1y", "2025-03-31"),
        ("2026-02-30", None),
        ("2026-13", None),
        ("2026-01/05", None),
        ("0000", None),
        ("366d", "2025-03-30"),
        ("99999y", None),
        ("2026-", None),
        ("1h", None),
        ("w", None),
        ("monday", None),
        ("12", None),
    ],
)
def test_dates_are_read_by_the_calendar(typed, expected):
    day = read_date(typed, TODAY)
    assert (day and day.isoformat()) == expected


def test_a_year_before_a_leap_day_is_the_last_of_february():
    assert read_date("1y", date(2024, 2, 29)) == date(2023, 2, 28)


def test_further_back_than_the_calendar_goes_is_no_date():
    assert read_date("99999w", date(1500, 1, 1)) is None


def test_the_day_is_an_argument_and_no_clock_is_read():
    assert clauses_of(parse_query("after:yesterday", date(1999, 1, 1))) == ["after=1998-12-31"]


def test_before_tomorrow_is_up_to_today_and_ends_where_the_calendar_does():
    assert clauses_of(parse_query("before:tomorrow", date(1999, 12, 31))) == ["before=2000-01-01"]
    assert read_date("tomorrow", date.max) is None


def test_a_query_is_cut_at_the_stated_length_between_words_and_says_so():
    query = parse("word " * 2_000)
    assert len(query.text) <= MAX_QUERY_LENGTH
    assert query.text.endswith("word")
    assert query.message == "The query was cut to its first 2,000 characters."


def test_one_endless_word_is_cut_and_not_lost():
    assert parse("x" * 10_000).text == "x" * MAX_QUERY_LENGTH


def test_a_query_of_the_longest_length_is_left_alone():
    text = "x" * MAX_QUERY_LENGTH
    assert parse(text).text == text
    assert parse(text).message is None


def test_a_cut_through_a_phrase_says_both_and_the_cut_first():
    message = parse('"' + "word " * 2_000).message
    assert message is not None
    assert message.startswith("The query was cut to its first 2,000 characters. The quote at character 1 is not closed")


@pytest.mark.parametrize("fragment", ['" ', "“ ", '["', "[ ", "a OR ", "tag: ", "-", "after:9 ", "\ud800", "\0x"])
def test_a_large_paste_is_capped_whatever_it_repeats(fragment):
    query = parse(fragment * (100_000 // len(fragment)))
    assert len(query.text) <= MAX_QUERY_LENGTH
    assert query.message is not None
    assert query.message.count(". ") <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [("++ --", False), ("🐘", False), ("❤️ 🏳️‍🌈", False), ("C++", True), ("日本", True), ("7", True), ("tag:x", False)],
)
def test_symbols_and_emoji_alone_have_no_letters_or_digits(text, *, expected):
    assert parse(text).has_letters_or_digits is expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("tag:x", False), ("-x", False), ("tag:a OR tag:b", False), ('""', False), ("x tag:y", True), ("a OR b", True)],
)
def test_filters_and_negations_alone_ask_for_no_text(typed, *, expected):
    assert parse(typed).asks_for_text is expected


@given(st.one_of(ANY_TEXT, OPERATORS))
@example('["{x":]')
def test_parsing_never_raises_and_its_clauses_stand_in_order_inside_a_text_that_can_be_stored(text):
    query = parse(text)
    query.text.encode()
    assert "\0" not in query.text
    assert query.text == query.text.strip()
    assert len(query.text) <= MAX_QUERY_LENGTH
    end = 0
    for clause in query.clauses:
        assert end <= clause.start < clause.end <= len(query.text)
        assert query.text[clause.start : clause.end].strip() == query.text[clause.start : clause.end]
        end = clause.end
    assert query == parse(text)


@given(st.one_of(ANY_TEXT, OPERATORS))
def test_nothing_typed_is_left_out_without_a_remark(text):
    query = parse(text)
    outside, end = "", 0
    for clause in query.clauses:
        outside += query.text[end : clause.start]
        end = clause.end
    assert query.message or not (outside + query.text[end:]).strip()


@given(st.one_of(ANY_TEXT, OPERATORS))
def test_parsing_a_parsed_query_changes_nothing(text):
    once = parse(text)
    again = parse(once.text)
    assert again.text == once.text
    assert again.meaning == once.meaning
    assert clauses_of(again) == clauses_of(once)
    assert [(clause.start, clause.end) for clause in again.clauses] == [
        (clause.start, clause.end) for clause in once.clauses
    ]


@given(OPERATORS)
def test_taking_a_clause_out_of_the_text_leaves_the_others_as_they_were(text):
    query = parse(text)
    if any(query.text[clause.start : clause.end] == "OR" for clause in query.clauses):
        return  # what stands beside an OR decides what it is
    for taken in query.clauses:
        rest = parse(f"{query.text[: taken.start]} {query.text[taken.end :]}")
        assert clauses_of(rest) == clauses_of(_without(query, taken))


def _without(query: Query, taken: Clause) -> Query:
    return Query(query.text, tuple(clause for clause in query.clauses if clause is not taken))


@given(st.lists(st.sampled_from(["word", "日本", "C++", "don't", "a-b", "why?", "x"]), max_size=8))
def test_plain_words_never_get_a_remark_or_a_chip(words):
    query = parse(" ".join(words))
    assert query.message is None
    assert [clause.part.text for clause in query.clauses if isinstance(clause.part, Word)] == words
    assert not any(clause.shown for clause in query.clauses)
