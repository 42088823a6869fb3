"""Whether a text holds an answer, and how many of a query's words do."""

import pytest

from core.evaluation.answers import AnswerTexts, Overlap
from core.evaluation.datasets import DataSet, Document, JudgedQuery

DOCUMENTS = (
    Document("ferry", "The boat", "It leaves at seven\no'clock for Visby; a bike is 95 crowns."),
    Document("team", "Eyes", "The eyes have it."),
    Document("zh", "", "黑豹队的防守只丢了 308分，排名第六。"),
    Document("soup", "Soup", "The leek, the potato, the salt."),
    Document("bread", "Bread", "The flour and the salt."),
)


@pytest.fixture
def texts(index_of):
    data_set = DataSet("answers", DOCUMENTS, ())
    with index_of(data_set) as (reader, _documents):
        reader.begin()
        yield AnswerTexts(data_set, reader)
        reader.end()


def asked(text: str = "x", grades: dict[str, int] | None = None, answers: tuple[str, ...] = (), overlap=None):
    return JudgedQuery("q", text, grades or {"ferry": 1}, answers, overlap)


@pytest.mark.parametrize(
    "answers, documents, holds",
    [
        (("Visby",), ["ferry"], True),
        (("VISBY",), ["team", "ferry"], True),
        (("Visby",), ["team"], False),
        (("seven o’clock",), ["ferry"], True),
        (("the boat",), ["ferry"], True),
        (("95",), ["ferry"], True),
        (("9",), ["ferry"], False),
        (("yes",), ["team"], False),
        (("no such", "eyes"), ["team"], True),
        (("308",), ["zh"], True),
        (("防守",), ["zh"], True),
        (("排名第六",), ["zh"], True),
        (("Visby",), [], False),
        ((), ["ferry"], None),
        ((" ", "\u200b"), ["ferry"], None),
    ],
)
def test_an_answer_is_found_as_whole_words_folded(texts, answers, documents, holds):
    assert texts.holds_answer(asked(answers=answers), documents) is holds


@pytest.mark.parametrize(
    "text, grades, part",
    [
        ("boat to Visby", {"ferry": 1}, Overlap.REST),
        ("bike Gotland", {"ferry": 1}, Overlap.REST),
        ("voyage ship Gotland price Visby", {"ferry": 1}, Overlap.UNDER_HALF),
        ("voyage on ship", {"team": 1}, Overlap.NONE),
        # "the" stands in most notes, so it is no word that both share.
        ("the voyage", {"soup": 1}, Overlap.NONE),
        ("voyage", {"soup": 1, "ferry": 2}, Overlap.NONE),
        ("leek and flour", {"bread": 1, "soup": 1}, Overlap.REST),
        ("?!", {"soup": 1}, Overlap.NONE),
    ],
)
def test_the_words_a_query_shares_with_its_best_answer_put_it_into_a_class(texts, text, grades, part):
    assert texts.overlap(asked(text, grades)) is part


@pytest.mark.parametrize(
    "given, part", [(0.0, Overlap.NONE), (0.2, Overlap.UNDER_HALF), (0.5, Overlap.REST), (1.0, Overlap.REST)]
)
def test_what_the_set_says_of_an_overlap_goes_first(texts, given, part):
    assert texts.overlap(asked("ferry to Visby", overlap=given)) is part


def test_the_title_alone_is_told_apart(texts):
    assert texts.title_overlap(asked("ferry to Visby")) is Overlap.NONE
    assert texts.title_overlap(asked("boat")) is Overlap.REST
