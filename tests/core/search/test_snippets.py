"""What is shown of a passage and what is marked in it."""

import apsw
import apsw.unicode
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.tokenizer import Tokenizer
from core.search.results import Snippet
from core.search.snippets import ELLIPSIS, SNIPPET_LENGTH, marks_in, snippet_of


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(apsw.Connection(":memory:"))


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.marks]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("The wolf runs.", ["wolf"], ["wolf"]),
        ("Wolf, WOLF; wolves", ["wolf"], ["Wolf", "WOLF"]),
        ("🐘🐘 the 🏳️‍🌈 wolf 👩‍👩‍👧 wolf", ["wolf"], ["wolf", "wolf"]),
        ("Cre\u0301me bru\u0302le\u0301e", ["creme", "brulee"], ["Cre\u0301me", "bru\u0302le\u0301e"]),
        ("Crème brûlée", ["creme"], ["Crème"]),
        ("a ﬃ b", ["ffi"], ["ﬃ"]),
        ("Straße Strasse", ["strasse"], ["Straße", "Strasse"]),
        ("İptal iptal", ["iptal"], ["İptal", "iptal"]),
        ("publication, Published, public", ["publi*"], ["publication", "Published", "public"]),
        ("republic", ["publi*"], []),
        ("wolf", [], []),
        ("", ["wolf"], []),
    ],
)
def test_marks_are_exact(tokenizer, text: str, words: list[str], expected: list[str]) -> None:
    assert [text[start:end] for start, end in marks_in(text, words, tokenizer)] == expected
    assert marked(snippet_of(text, words, tokenizer)) == expected


def test_a_short_passage_is_shown_whole_with_plain_spaces(tokenizer) -> None:
    snippet = snippet_of("  the\n\n wolf\t\u00a0 and\r\nthe moon ", ["wolf", "moon"], tokenizer)
    assert snippet.text == "the wolf and the moon"
    assert marked(snippet) == ["wolf", "moon"]


def test_a_long_passage_is_cut_around_the_densest_matches(tokenizer) -> None:
    text = "wolf " + "filler words " * 40 + "the wolf saw the moon rise " + "more of it " * 40 + "moon"
    snippet = snippet_of(text, ["wolf", "moon"], tokenizer)
    assert marked(snippet) == ["wolf", "moon"]
    assert "the wolf saw the moon rise" in snippet.text
    assert snippet.text.startswith(ELLIPSIS)
    assert snippet.text.endswith(ELLIPSIS)
    assert len(snippet.text) <= SNIPPET_LENGTH + 2


def test_an_ellipsis_stands_only_where_something_was_cut(tokenizer) -> None:
    text = "wolf " + "filler words " * 40
    snippet = snippet_of(text, ["wolf"], tokenizer)
    assert snippet.text.startswith("wolf")
    assert snippet.text.endswith(f"words{ELLIPSIS}") or snippet.text.endswith(f"filler{ELLIPSIS}")
    assert not snippet_of("x" * 10 + " " * 500, [], tokenizer).text.endswith(ELLIPSIS)


def test_without_a_match_the_beginning_is_shown(tokenizer) -> None:
    snippet = snippet_of("The first sentence. " * 30, ["wolf"], tokenizer)
    assert snippet.text.startswith("The first sentence.")
    assert snippet.marks == ()


def test_an_ellipsis_of_the_text_keeps_its_space(tokenizer) -> None:
    assert snippet_of("… and so on … ", [], tokenizer).text == "… and so on …"


def test_a_match_longer_than_a_snippet_is_marked_as_far_as_it_is_shown(tokenizer) -> None:
    snippet = snippet_of("before it " * 60 + "x" * 500 + " after", ["x" * 500], tokenizer)
    assert len(snippet.text) <= SNIPPET_LENGTH + 2
    assert [set(text) for text in marked(snippet)] == [{"x"}]


PIECES = st.sampled_from(
    ["wolf", "Wo\u0308lf", "moon", "🐘", "👩‍👩‍👧", "🏳️‍🌈", "e\u0301\u0302\u0323", "日本語の文章",
     "कि", "각", " ", "  ", "\n", "\u00a0", "…", ".", "x" * 70, "word"]
)  # fmt: skip
TEXT = st.lists(PIECES, max_size=120).map("".join)


@given(TEXT | st.text(st.characters(exclude_categories=()), max_size=400))
def test_marks_lie_in_order_inside_the_snippet_and_on_words_of_the_query(tokenizer, text: str) -> None:
    snippet = snippet_of(text, ["wolf", "moon", "wor*"], tokenizer)
    assert len(snippet.text) <= SNIPPET_LENGTH + 2
    last = 0
    for start, end in snippet.marks:
        assert last <= start < end <= len(snippet.text)
        last = end


@given(TEXT)
def test_a_snippet_is_a_part_of_the_text_and_never_splits_a_grapheme(tokenizer, text: str) -> None:
    snippet = snippet_of(text, ["wolf", "moon"], tokenizer)
    plain = " ".join(text.split())
    shown = snippet.text
    if len(text) > SNIPPET_LENGTH:
        # An ellipsis of the text itself may stand at an end too; both readings must be tried.
        candidates = {shown, shown.removeprefix(ELLIPSIS), shown.removesuffix(ELLIPSIS)}
        candidates.add(shown.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS))
    else:
        candidates = {shown}
    breaks = {0, len(plain)}
    position = 0
    while position < len(plain):
        position = apsw.unicode.grapheme_next_break(plain, position)
        breaks.add(position)
    assert any(
        plain.startswith(part, at) and at in breaks and at + len(part) in breaks
        for part in candidates
        for at in range(len(plain) + 1)
    )
