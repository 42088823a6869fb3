"""Other spellings come from the folder's own words, and only for words that it does not hold."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.parsing import parse_query
from core.search.suggestions import suggestions_for

NOTES = {
    "a.md": "receive the parcel, and the parcel again; Grüße",
    "b.md": "receive nothing; perceive little; strasse",
    "c.md": "parcels parvel umbrella 测试 C++ 2031.4.7 snake_case",
    "image.png": "",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    base = tmp_path_factory.mktemp("suggestions")
    (base / "notes").mkdir()
    for name, text in NOTES.items():
        (base / "notes" / name).write_text(text, "utf-8")
    update_index(base / "notes", base / "index.db")
    one = Reader(base / "index.db")
    one.begin()
    yield one
    one.end()
    one.close()


def suggested(reader: Reader, text: str) -> list[tuple[str, str]]:
    return [(one.word, one.instead) for one in suggestions_for(reader, parse_query(text, dt.date(2026, 1, 1)))]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("recieve", [("recieve", "receive")]),
        ("Recieve!", [("Recieve!", "receive")]),
        ("recieve parcel", [("recieve", "receive")]),
        ("parcxl", [("parcxl", "parcel")]),
        ("umbrela", [("umbrela", "umbrella")]),
        ("umbrelka weather", [("umbrelka", "umbrella")]),
        ("gruesse", [("gruesse", "grusse")]),
    ],
)
def test_a_misspelt_word_gets_the_folder_s_own(reader, typed, expected):
    found = suggested(reader, typed)
    assert found[: len(expected)] == expected


@pytest.mark.parametrize(
    "typed",
    [
        "receive",
        "parc",
        "cel",
        "the",
        "xyz",
        "测是",
        "C+-",
        "2031.4.8",
        "recieve*",
        '"recieve"',
        "-recieve",
        "",
        "zzzzzzz",
    ],
)
def test_what_is_found_or_is_no_plain_word_gets_none(reader, typed):
    assert suggested(reader, typed) == []


def test_nearer_comes_first_then_the_word_in_more_notes_then_the_alphabet(reader):
    assert [instead for _, instead in suggested(reader, "parwel")] == ["parcel", "parvel"]
    assert [instead for _, instead in suggested(reader, "parcell")] == ["parcel", "parcels"]


def test_the_query_is_given_whole_with_one_word_changed(reader):
    text = 'title:a "the parcel" recieve -x'
    (one,) = suggestions_for(reader, parse_query(text, dt.date(2026, 1, 1)))
    assert one.query == 'title:a "the parcel" receive -x'


@given(st.text(max_size=40))
def test_no_text_raises_and_every_suggestion_is_a_word_of_the_folder(reader, text):
    for one in suggestions_for(reader, parse_query(text, dt.date(2026, 1, 1))):
        assert suggested(reader, one.instead) == []
