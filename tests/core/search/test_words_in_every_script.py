"""What is typed is found, in every script and with every symbol: real files, a real index, words alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.query import Query
from core.search.results import SearchResult, Skipped
from core.search.search import SearchRequest, search

FILLERS = {f"filler/{number}.md": f"Something else entirely, number {number}." for number in range(8)}

Find = Callable[[dict[str, str], str], SearchResult]


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """Return a function that writes notes, indexes them beside some others, and searches by words."""

    def run(notes: dict[str, str], text: str, **request: object) -> SearchResult:
        folder = tmp_path / "notes"
        for path, body in (notes | FILLERS).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(body.encode())
        update_index(folder, tmp_path / "index.db")
        reader = Reader(tmp_path / "index.db")
        try:
            return search(reader, Skipped("no model"), SearchRequest(text, **request))
        finally:
            reader.close()

    return run


def paths(result: SearchResult) -> list[str]:
    return [hit.path for hit in result.hits]


def marked(result: SearchResult) -> list[str]:
    snippet = result.hits[0].snippet
    return [snippet.text[start:end] for start, end in snippet.marks]


@pytest.mark.parametrize(
    ("body", "query", "marks"),
    [
        # a keycap is its sign with a frame around it, so each finds the other
        ("step 9\ufe0f\u20e3 first", "9\ufe0f\u20e3", ["9\ufe0f\u20e3"]),
        ("step 9\ufe0f\u20e3 first", "9\u20e3", ["9\ufe0f\u20e3"]),
        ("step 9\ufe0f\u20e3 first", "9", ["9\ufe0f\u20e3"]),
        ("step 9 first", "9\ufe0f\u20e3", ["9"]),
        ("press #\ufe0f\u20e3 now", "#\ufe0f\u20e3", ["#\ufe0f\u20e3"]),
        ("press *\ufe0f\u20e3 now", "*\ufe0f\u20e3", ["*\ufe0f\u20e3"]),
        # versions, identifiers, addresses
        ("release 2031.4.7 is out", "2031.4.7", ["2031.4.7"]),
        ("release 2031.4.7 is out", '"2031.4.7"', ["2031.4.7"]),
        ("release v2031.4.7 is out", "2031.4.7", ["v2031.4.7"]),
        ("set worker_pid here", "worker_pid", ["worker_pid"]),
        ("set worker_pid here", "worker_pi", ["worker_pid"]),
        ("see index_1_22", "index_1_22", ["index_1_22"]),
        ("a kebab-case-name there", "kebab-case-name", ["kebab-case-name"]),
        ("write to a@b.example now", "a@b.example", ["a@b.example"]),
        ("under /usr/local/bin it lies", "/usr/local/bin", ["usr/local/bin"]),
        ("the CamelCase name", "CamelCase", ["CamelCase"]),
        ("the CamelCase name", "camelcase", ["CamelCase"]),
        ("multi-tenant billing rules", "multi-tenant billing", ["multi-tenant", "billing"]),
        ("agentic-os dashboard", "agentic-os dashboard", ["agentic-os", "dashboard"]),
        # symbols
        ("C++ notes", "C++", ["C++"]),
        ("about C# here", "c#", ["C#"]),
        ("made with .NET here", ".net", [".NET"]),
        ("off by 50% now", "50%", ["50%"]),
        ("body a -> b here", "->", ["->"]),
        ("x := 1", ":=", [":="]),
        # apostrophes, spaces, entities, marks
        ("I don't know", "don't", ["don't"]),
        ("soon we\u2019ll see", "we'll", ["we\u2019ll"]),
        ("soon we'll see", "we\u2019ll", ["we'll"]),
        ("alpha\u00a0beta", "alpha beta", ["alpha", "beta"]),
        ("alpha\r\nbeta", '"alpha beta"', ["alpha beta"]),
        ("caf&eacute; au lait", "café", ["café"]),
        ("um almoço bom", "almo", ["almoço"]),
        ("um almoço bom", "almoç", ["almoço"]),
        ("um almoço bom", "ALMOCO", ["almoço"]),
        ("u\u0301c\u030cel here", "účel", ["u\u0301c\u030cel"]),
        ("Straße und Fuß", "strasse", ["Straße"]),
        ("the \ufb01ne print", "fine", ["\ufb01ne"]),
        ("İptal edildi", "iptal", ["İptal"]),
        ("Işık var", "ışık", ["Işık"]),
        ("Добрый день", "ДОБРЫЙ", ["Добрый"]),
        ("ещё раз", "еще", ["ещё"]),
        ("ΟΔΥΣΣΕΥΣ returns", "οδυσσευς", ["ΟΔΥΣΣΕΥΣ"]),
        ("שָׁלוֹם to all", "שלום", ["שָׁלוֹם"]),
        ("مُحَمَّد here", "محمد", ["مُحَمَّد"]),
        ("हिन्दी में", "हिन्दी", ["हिन्दी"]),
        # unspaced scripts
        ("我们昨天讨论了检索技术的问题", "检索", ["检索"]),
        ("我们昨天讨论了检索技术的问题", "技", ["技"]),
        ("我们昨天讨论了检索技术的问题", "题", ["题"]),
        ("我们昨天讨论了检索技术的问题", '"检索技术"', ["检索技术"]),
        ("検索技術について話した", "技術", ["技術"]),
        ("カタカナの検索", "カタ", ["カタ"]),
        ("ｶﾀｶﾅの検索", "カタカナ", ["ｶﾀｶﾅ"]),
        ("한국어를 배운다", "한국어", ["한국어"]),
        ("ฉันชอบภาษาไทยมาก", "ภาษาไทย", ["ภาษาไทย"]),
        ("ພາສາລາວ", "ພາສາ", ["ພາສາ"]),
        ("ភាសាខ្មែរ", "ខ្មែរ", ["ខ្មែរ"]),
        # emoji
        ("a party 🎉 tonight", "🎉", ["🎉"]),
        ("well done 👍🏽", "👍", ["👍"]),
        ("well done 👍", "👍🏽", ["👍"]),
        # other forms, parts of words
        ("the notes that were written and kept this way with care", "notes", ["notes"]),
        ("die Paketverwaltung hier", "verwaltung", ["Paketverwaltung"]),
    ],
)  # fmt: skip
def test_what_is_typed_is_found_and_marked(find: Find, body: str, query: str, marks: list[str]) -> None:
    result = find({"a.md": body}, query)
    assert paths(result)[:1] == ["a.md"]
    assert marked(result) == marks


@pytest.mark.parametrize(
    ("notes", "query", "order"),
    [
        ({"z.md": "C++ notes", "a.md": "C only", "b.md": "vitamin c"}, "C++", ["z.md"]),
        ({"z.md": "set worker_pid", "a.md": "the worker has a pid"}, "worker_pid", ["z.md", "a.md"]),
        ({"z.md": "the word verwaltung", "a.md": "Paketverwaltung"}, "verwaltung", ["z.md"]),
        ({"z.md": "tagged #alpha", "a.md": "the word alpha"}, "#alpha", ["z.md", "a.md"]),
        ({"z.md": "检索 技术", "a.md": "检索技术"}, "检索技术", ["a.md", "z.md"]),
        ({"z.md": "GO的env变量", "a.md": "GO only"}, "GO 变量", ["z.md", "a.md"]),
        ({"z.md": "-38.101 exact", "a.md": "38 and 101 apart, 38 not 101"}, "38.101", ["z.md", "a.md"]),
    ],
)  # fmt: skip
def test_the_literal_comes_before_its_parts(find: Find, notes: dict[str, str], query: str, order: list[str]) -> None:
    assert paths(find(notes, query))[: len(order)] == order


ENGLISH = {f"english/{number}.md": "The words and the lines that go with this." for number in range(9)}


class TestForms:
    NOTES = ENGLISH | {"a.md": "A query here.", "b.md": "Queries here."}

    def test_another_form_is_found_behind_the_exact_one(self, find: Find) -> None:
        assert paths(find(self.NOTES, "queries"))[:2] == ["b.md", "a.md"]
        assert paths(find(self.NOTES, "query"))[:2] == ["a.md", "b.md"]

    def test_a_quoted_word_has_no_other_form(self, find: Find) -> None:
        assert paths(find(self.NOTES, '"queries"')) == ["b.md"]

    def test_it_can_be_switched_off(self, find: Find) -> None:
        assert paths(find(self.NOTES, "queries here", forms=False))[0] == "b.md"
        assert paths(find(self.NOTES, "queries", forms=False)) == ["b.md"]

    def test_endings_of_a_language_that_the_folder_is_not_in_are_none(self, find: Find) -> None:
        german = {f"de/{number}.md": "Der Text und eine Zeile, die nicht mit der anderen geht." for number in range(9)}
        assert paths(find(german | {"a.md": "Die Ursache", "b.md": "ursaching"}, "Ursache")) == ["a.md"]


def test_symbols_that_are_wildcards_elsewhere_match_themselves_alone(find: Find) -> None:
    assert paths(find({"a.md": "100 % sure", "b.md": "snake_case"}, "_")) == ["b.md"]
    assert paths(find({"a.md": "100 % sure", "b.md": "snake_case"}, "%")) == ["a.md"]


def test_the_query_is_parsed_with_the_day_that_was_given() -> None:
    assert isinstance(SearchRequest("after:2w").query, Query)


@pytest.mark.parametrize(
    ("notes", "query", "found"),
    [
        # alternatives keep their symbols
        ({"a.md": "plain c language", "b.md": "some C++ here", "c.md": "rust lang"}, "C++ OR rust", {"b.md", "c.md"}),
        ({"a.md": "rust lang", "b.md": "only -> here", "c.md": "none"}, 'rust OR "->"', {"a.md", "b.md"}),
        ({"a.md": "a -> b", "b.md": "x := y", "c.md": "none"}, "-> OR :=", {"a.md", "b.md"}),
        # symbols beside words
        ({"a.md": "rust lang", "b.md": "only -> here"}, 'rust "->"', {"b.md"}),
        ({"a.md": "a -> b and x := y", "b.md": "x := y"}, "-> :=", {"a.md", "b.md"}),
        # phrases
        ({"a.md": "fooBar then later bazQux", "b.md": "bar baz"}, '"bar baz"', {"b.md"}),
        ({"a.md": "CamelCase"}, '"camel case"', {"a.md"}),
        ({"a.md": "---\naliases: [red fox, lazy dog]\ntags: [blue]\n---\nx"}, '"fox lazy"', set()),
        ({"a.md": "---\naliases: [red fox, lazy dog]\ntags: [blue]\n---\nx"}, '"lazy dog"', {"a.md"}),
        ({"a.md": "Learn C today but not C++ ever", "b.md": "learn C++ today"}, '"learn c++ today"', {"b.md"}),
        ({"a.md": "나는 밥을 먹었다"}, '"밥을 먹"', {"a.md"}),
        ({"a.md": "我的env变量设置", "b.md": "env变量"}, '"的env"', {"a.md"}),
        ({"a.md": "我的env变量设置"}, '"env变"', {"a.md"}),
        # characters of icon fonts
        ({"a.md": "see \U000f0023tag"}, '"#tag"', set()),
        ({"a.md": "see \U000f0023 here", "b.md": "none"}, "\U000f0023", {"a.md"}),
        # attachments
        ({"shots/screenshot_final.png": "x", "a.md": "none"}, "screensh", {"shots/screenshot_final.png"}),
        ({"Архив.zip": "x", "a.md": "none"}, "архи", {"Архив.zip"}),
    ],
)  # fmt: skip
def test_these_and_no_others_are_found(find: Find, notes: dict[str, str], query: str, found: set[str]) -> None:
    words = {path for path in paths(find(notes, query)) if not path.startswith("filler/")}
    assert words == found


def test_a_removed_phrase_with_symbols_removes_no_note_without_it(find: Find) -> None:
    notes = {"a.md": "Learn C today but not C++ ever", "b.md": "learn C++ today"}
    assert paths(find(notes, 'learn -"learn c++ today"')) == ["a.md"]


def test_the_exact_name_of_an_attachment_comes_first(find: Find) -> None:
    assert paths(find({"big.zip": "x", "n.md": "the big thing zip"}, "big.zip"))[0] == "big.zip"


def test_a_symbol_in_quotes_marks_itself_alone(find: Find) -> None:
    assert marked(find({"a.md": "Learn C today but not C++ ever"}, '"c++"')) == ["C++"]


def test_a_pasted_page_of_odd_words_is_answered_soon(find: Find) -> None:
    pasted = " ".join(f"{chr(97 + number % 26)}.q{number}" for number in range(400))
    assert find({"a.md": "a.q1 b.q2"}, pasted).hits
