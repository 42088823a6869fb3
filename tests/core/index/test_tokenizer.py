"""Words of a text, with their places in the text as it was written."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index import schema
from core.index.tokenizer import SEPARATORS, Tokenizer
from core.index.tokens import hidden, shown_token, special_pieces, without_private
from core.notes.folding import fold

CONNECTION = apsw.Connection(":memory:")
TOKENIZER = Tokenizer(CONNECTION)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Plain words", [("Plain", "plain"), ("words", "words")]),
        ("Crème brûlée", [("Crème", "creme"), ("brûlée", "brulee")]),
        ("Stra\u00dfe", [("Straße", "strasse")]),
        ("🐘 elephant 👋🏽", [("🐘", hidden("🐘")), ("elephant", "elephant"), ("👋", hidden("👋"))]),
        ("日本語の", [("日本", "日本"), ("本語", "本語"), ("語の", "語の")]),
        ("GO的env变量", [("GO", "go"), ("的", "的"), ("env", "env"), ("变量", "变量")]),
        ("हिन्दी में", [("हिन्दी", "हिन्दी"), ("में", "में")]),
        ("e\u0301te\u0301", [("e\u0301te\u0301", "ete")]),
        ("don\u2019t", [("don", "don"), ("t", "t")]),
        ("\ufb01ne", [("\ufb01ne", "fine")]),
        ("İptal", [("İptal", "iptal")]),
        ("", []),
        ("!?", []),
        ("a\x00b", [("a", "a"), ("b", "b")]),
    ],
)
def test_a_word_is_found_at_its_place(text, found):
    assert [(text[word.start : word.end], word.folded) for word in TOKENIZER.words(text)] == found


@given(st.text())
def test_any_text_is_cut_into_words_in_order_and_within_it(text):
    start = end = 0
    for word in TOKENIZER.words(text):
        # One character may hold two words: ¼ is 1 and 4.
        assert start <= word.start
        assert end <= word.end
        assert word.start < word.end <= len(text)
        own = without_private(fold(text))
        assert word.folded in own or shown_token(word.folded) in own
        start, end = word.start, word.end


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_through_ascii_gives_the_same_as_the_long_one(text):
    assert [(word.start, word.end) for word in TOKENIZER.words(text)] == [
        (word.start, word.end) for word in TOKENIZER.words(text + "é" if text.endswith(" ") else text + " é")
    ][: len(TOKENIZER.words(text))]


def cut_by_sqlite(folded: str) -> list[str]:
    name, *arguments = schema.TOKENIZER
    cut = CONNECTION.fts5_tokenizer(name, arguments)(folded.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
    return [token for _start, _end, token in cut]


def test_what_is_cut_at_without_asking_sqlite_is_what_sqlite_cuts_at() -> None:
    for code in SEPARATORS:
        text = f"a{chr(code)}b"
        assert cut_by_sqlite(text) == ["a", "b"]
        assert not list(special_pieces(text))


@given(st.text(st.sampled_from("abXY09 _-'’“”…ßäÉ→│\u0301\u00ad\n.") | st.characters(max_codepoint=127), max_size=60))
def test_texts_cut_without_sqlite_are_cut_as_sqlite_cuts_them(text: str) -> None:
    asked = cut_by_sqlite(fold(text))
    words = TOKENIZER.words(text)
    assert [word.folded for word in words] == asked
    assert [fold(text[word.start : word.end]) for word in words] == asked
