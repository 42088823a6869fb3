"""Data set directories: what is read of them, and how each wrong line is named."""

import json

import pytest

from core.errors import DataSetError
from core.evaluation.datasets import Series, read_data_set

GOOD = {"id": "a", "title": "", "text": "words"}
ASKED = {"id": "q", "text": "words"}


def test_a_set_holds_its_documents_and_the_queries_that_have_an_answer(small_set):
    assert small_set.name == "small"
    assert [document.id for document in small_set.documents] == ["bread", "oven", "boat", "garden/peas"]
    assert [query.id for query in small_set.queries] == ["q1", "q2", "q3"]
    assert small_set.unjudged_queries == 1
    assert small_set.unused_judgements == 0
    first, _second, third = small_set.queries
    assert dict(first.grades) == {"bread": 2, "oven": 1}
    assert first.answers == ("at noon",)
    assert dict(third.grades) == {"garden/peas": 1}
    assert third.answers == ()


def test_the_order_of_the_corpus_and_every_character_of_it_make_the_key(made_set):
    key = read_data_set(made_set("one")).corpus_key
    assert read_data_set(made_set("two")).corpus_key == key
    from_other_questions = made_set("three", queries=[{"id": "q1", "text": "other"}])
    assert read_data_set(from_other_questions).corpus_key == key
    documents = [GOOD, {"id": "bread", "text": "x"}]
    assert read_data_set(made_set("four", documents=documents, qrels="q1\tbread\t1\n")).corpus_key != key


def test_a_heading_a_byte_order_mark_blank_lines_and_numbers_as_ids_are_understood(made_set):
    folder = made_set(
        documents="\ufeff" + json.dumps({"id": 7, "text": "seven"}) + "\n\n",
        queries=[{"id": 1, "text": "seven"}],
        qrels="query-id\tcorpus-id\tscore\n\n1\t7\t1.0\n",
    )
    data_set = read_data_set(folder)
    assert data_set.documents[0].id == "7"
    assert dict(data_set.queries[0].grades) == {"7": 1}


def test_of_two_judgements_of_a_pair_the_better_counts(made_set):
    folder = made_set(documents=[GOOD], queries=[ASKED], qrels="q\ta\t1\nq\ta\t3\nq\ta\t2\n")
    assert dict(read_data_set(folder).queries[0].grades) == {"a": 3}


def test_judgements_of_what_is_not_there_are_left_out_and_counted(made_set):
    folder = made_set(documents=[GOOD], queries=[ASKED], qrels="q\ta\t1\nq\tgone\t1\nother\ta\t1\n")
    data_set = read_data_set(folder)
    assert dict(data_set.queries[0].grades) == {"a": 1}
    assert data_set.unused_judgements == 2


def test_a_document_that_a_series_names_itself_is_one_of_its_sizes(made_set):
    info = {"series": {"name": "haystack", "size": 4}, "docs": 4}
    assert read_data_set(made_set(info=info)).series == Series("haystack", 4)


@pytest.mark.parametrize("info", [[], {"series": "haystack"}, {"series": {"name": 1, "size": 4}}, {"docs": 4}, "x"])
def test_other_words_about_a_set_are_for_people(made_set, info):
    assert read_data_set(made_set(info=info)).series is None


def test_half_a_character_in_a_text_becomes_one_that_can_be_written(made_set):
    folder = made_set(documents='{"id": "a", "text": "x\\ud800y"}\n', queries=[ASKED], qrels="q\ta\t1\n")
    assert read_data_set(folder).documents[0].text == "x\ufffdy"


BAD = {
    "no JSON": ({"documents": json.dumps(GOOD) + "\n{\n"}, "Line 2", "corpus.jsonl", "JSON object"),
    "a list": ({"documents": "[1]\n"}, "Line 1", "corpus.jsonl", "JSON object"),
    "deep": ({"documents": "[" * 100_000}, "Line 1", "corpus.jsonl", "JSON object"),
    "no id": ({"documents": [{"text": "x"}]}, "Line 1", "corpus.jsonl", "no id"),
    "an empty id": ({"documents": [{"id": " ", "text": "x"}]}, "Line 1", "corpus.jsonl", "no id"),
    "a true id": ({"documents": [{"id": True, "text": "x"}]}, "Line 1", "corpus.jsonl", "no id"),
    "a tab in an id": ({"documents": [{"id": "a\tb", "text": "x"}]}, "Line 1", "corpus.jsonl", "tabs"),
    "an id twice": ({"documents": [GOOD, GOOD]}, "Line 2", "corpus.jsonl", "line 1 already"),
    "no text": ({"documents": [{"id": "a"}]}, "Line 1", "corpus.jsonl", "no text"),
    "text that is none": ({"documents": [{"id": "a", "text": None}]}, "Line 1", "corpus.jsonl", "no text"),
    "a title that is none": ({"documents": [{**GOOD, "title": 3}]}, "Line 1", "corpus.jsonl", "title"),
    "no documents": ({"documents": "\n"}, "corpus.jsonl", "no document"),
    "a query twice": ({"queries": [ASKED, ASKED]}, "Line 2", "queries.jsonl", "line 1 already"),
    "a query without text": ({"queries": [{"id": "q"}]}, "Line 1", "queries.jsonl", "no text"),
    "an odd answer": ({"queries": [{**ASKED, "answer": {}}]}, "Line 1", "queries.jsonl", "answer"),
    "an odd overlap": ({"queries": [{**ASKED, "overlap": 2}]}, "Line 1", "queries.jsonl", "overlap"),
    "spaces for tabs": ({"qrels": "q1 bread 1\n"}, "Line 1", "qrels.tsv", "tab"),
    "two columns": ({"qrels": "q1\tbread\t1\nq1\tbread\n"}, "Line 2", "qrels.tsv", "tab"),
    "four columns": ({"qrels": "q1\t0\tbread\t1\n"}, "Line 1", "qrels.tsv", "tab"),
    "a grade in words": ({"qrels": "q1\tbread\t1\nq1\toven\tyes\n"}, "Line 2", "qrels.tsv", "“yes” is no grade"),
    "half a grade": ({"qrels": "q1\tbread\t0.5\n"}, "Line 1", "qrels.tsv", "no grade"),
    "no number": ({"qrels": "q1\tbread\t1\nq1\toven\tnan\n"}, "Line 2", "qrels.tsv", "no grade"),
    "nothing judged": ({"qrels": "q1\tbread\t0\n"}, "qrels.tsv", "judges no query"),
    "no judgements": ({"qrels": ""}, "qrels.tsv", "judges no query"),
}


@pytest.mark.parametrize("parts, said", [(row[0], row[1:]) for row in BAD.values()], ids=BAD)
def test_a_set_that_cannot_be_used_is_named_by_file_and_line(made_set, parts, said):
    with pytest.raises(DataSetError) as raised:
        read_data_set(made_set(**parts))
    sentence = str(raised.value)
    assert all(word in sentence for word in said), sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_bytes_that_are_no_text_are_named_by_their_line(made_set):
    folder = made_set()
    (folder / "queries.jsonl").write_bytes(json.dumps(ASKED).encode() + b'\n{"id": "\xff", "text": "x"}\n')
    with pytest.raises(DataSetError, match=r"Line 2 of .*queries\.jsonl"):
        read_data_set(folder)


@pytest.mark.parametrize("missing", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(made_set, missing):
    folder = made_set()
    (folder / missing).unlink()
    with pytest.raises(DataSetError, match=f"no {missing} in the data set"):
        read_data_set(folder)


def test_a_directory_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataSetError, match="no data set directory"):
        read_data_set(tmp_path / "nowhere")
