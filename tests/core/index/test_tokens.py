"""What FTS5 is given for a text, and that a query is cut the same way."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.schema import TOKENIZER
from core.index.tokenizer import Tokenizer
from core.index.tokens import GAP, hidden, shown_token, spread
from core.notes.folding import fold

CONNECTION = apsw.Connection(":memory:")
CUT = Tokenizer(CONNECTION)
FTS5 = CONNECTION.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))

MIXED = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("aZ09 _-.#+%@漢字かなカナ한국ไทยภาษาກຂကခកខ🐘👍🏽👨\u200d👩🇩🇪é\u0301\u3099हिन्दीالعربية"),
    ),
    max_size=40,
)


def words_by_fts5(text: str) -> list[str]:
    return [row[2] for row in FTS5(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)]


def spread_of(text: str):
    return spread(text, fold(text))


@given(MIXED)
def test_the_index_and_a_query_cut_running_text_alike(text: str) -> None:
    assert words_by_fts5(spread_of(text).running) == [word.folded for word in CUT.words(text)]


@given(MIXED)
def test_every_added_word_is_to_fts5_what_it_is_here(text: str) -> None:
    for word in spread_of(text).added:
        assert words_by_fts5(word) == word.split(" ")


@given(MIXED)
def test_spreading_never_raises_and_can_be_encoded(text: str) -> None:
    spread_of(text).whole.encode()


@pytest.mark.parametrize(
    ("text", "running", "added"),
    [
        ("plain words", ["plain", "words"], []),
        ("检索技术", ["检索", "索技", "技术"], ["术"]),
        ("检", ["检"], []),
        ("GO的env变量", ["go", "的", "env", "变量"], ["量"]),
        ("ภาษา", ["ภา", "าษ", "ษา"], ["า"]),
        ("한국어를", ["한국", "국어", "어를"], ["를"]),
        ("C++ and C# in .NET", ["c", "and", "c", "in", "net"], ["c++", "c#", ".net"]),
        ("50% of #tag/sub", ["50", "of", "tag", "sub"], ["50%", "#tag"]),
        ("@name a@b.c", ["name", "a", "b", "c"], ["@name"]),
        ("CamelCase iPhone", ["camelcase", "iphone"], ["camel case", "phone"]),
        ("v2031.4.7 snake_case kebab-case", ["v2031", "4", "7", "snake", "case", "kebab", "case"], []),
        ("a🐘b", ["a", "🐘", "b"], []),
        ("👍🏽", ["👍"], []),
        ("👨\u200d👩\u200d👧", ["👨", "👩", "👧"], []),
        ("❤️", ["❤"], []),
        ("हिन्दी", ["हिन्दी"], []),
        ("1 + 2 = 3 # not a tag", ["1", "2", "3", "not", "a", "tag"], []),
        ("end. Start", ["end", "start"], []),
        ("│ ├── file", ["file"], []),
    ],
)
def test_a_text_becomes_these_words(text: str, running: list[str], added: list[str]) -> None:
    found = spread_of(text)
    assert [shown_token(word) for word in words_by_fts5(found.running)] == running
    assert [shown_token(word) for word in found.added] == added


def test_phrases_do_not_reach_over_the_gap() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
    connection.execute("INSERT INTO words VALUES (?)", (spread_of("learn c++").whole,))
    assert GAP in spread_of("learn c++").whole
    assert connection.execute("SELECT count(*) FROM words('\"c c\"')").get == 0


def test_a_hidden_symbol_is_shown_again() -> None:
    assert shown_token("c" + hidden("+") * 2) == "c++"
