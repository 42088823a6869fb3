"""What people type is text, whatever it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.query import MAX_QUERY_LENGTH, parse_query

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_parsing_never_raises_and_gives_text_that_can_be_encoded(text: str) -> None:
    query = parse_query(text)
    query.text.encode()
    assert "\0" not in query.text
    assert query.text == query.text.strip()
    assert len(query.text) <= MAX_QUERY_LENGTH


@given(ANY_TEXT)
def test_parsing_a_parsed_query_changes_nothing(text: str) -> None:
    once = parse_query(text).text
    assert parse_query(once).text == once


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\0", "\u00a0"])
def test_white_space_and_nul_alone_are_an_empty_query(text: str) -> None:
    assert parse_query(text).is_empty


def test_a_query_is_cut_at_the_stated_length_between_words_and_says_so() -> None:
    query = parse_query("word " * 2_000)
    assert len(query.text) <= MAX_QUERY_LENGTH
    assert query.text.endswith("word")
    assert query.message == "The query was cut to its first 2,000 characters."


def test_one_endless_word_is_cut_and_not_lost() -> None:
    assert parse_query("x" * 10_000).text == "x" * MAX_QUERY_LENGTH


def test_a_query_of_the_longest_length_is_left_alone() -> None:
    text = "x" * MAX_QUERY_LENGTH
    assert parse_query(text).text == text
    assert parse_query(text).message is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("++ --", False), ("🐘", False), ("❤️ 🏳️‍🌈", False), ("C++", True), ("日本", True), ("7", True)],
)
def test_symbols_and_emoji_alone_have_no_letters_or_digits(text: str, *, expected: bool) -> None:
    assert parse_query(text).has_letters_or_digits is expected
