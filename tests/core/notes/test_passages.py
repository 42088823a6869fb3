"""Passages: together they are the note, they end where a reader would pause, and never within a grapheme."""

import apsw.unicode
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes import passages as rules
from core.notes.formats.markdown import read_markdown
from core.notes.note import Note
from core.notes.passages import MAX_LENGTH, cut_passages, embedded_text, passage_hash

SENTENCE = "The boat left the harbour early in the morning and came back late. "
ODD = st.sampled_from(
    [
        "a", "word ", "Ende. ", "\n", "\n\n", "  ", "\u0301", "e\u0301" * 9, "👩\u200d👩\u200d👧", "🇩🇪", "각", "ที่",
        "。", "日本語", "\f", "\t", "x" * 90, "\u00a0", "\u0600 ", "क्षि", SENTENCE,
    ]
)  # fmt: skip


def boundaries(text):
    found, position = {0}, 0
    while position < len(text):
        position = apsw.unicode.grapheme_next_break(text, position)
        found.add(position)
    return found


@given(st.lists(ODD, max_size=120).map("".join))
def test_passages_tile_the_note_and_split_no_grapheme(text):
    note = Note("a.md", "A", text)
    passages = cut_passages(note)
    allowed, done = boundaries(text), 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert passage.text == text[passage.start : passage.start + len(passage.text)]
        assert passage.text.strip()
        assert text[done : passage.start].strip() == ""
        assert passage.line == 1 + text.count("\n", 0, passage.start)
        done = passage.start + len(passage.text)
        assert {passage.start, done} <= allowed
        assert "\f" not in passage.text
        assert len(passage.text) <= MAX_LENGTH
    assert text[done:].strip() == ""


@given(st.text(st.characters(exclude_categories=()), max_size=60).map(lambda text: text * 40))
def test_any_text_is_cut_at_graphemes(text):
    allowed = boundaries(text)
    for passage in cut_passages(Note("a.md", "A", text)):
        assert {passage.start, passage.start + len(passage.text)} <= allowed


def test_a_short_note_is_one_passage():
    (passage,) = cut_passages(read_markdown("a.md", "\n\n  A few words.\n\n"))
    assert (passage.text, passage.line, passage.start, passage.heading) == ("A few words.", 3, 2, "")


@pytest.mark.parametrize("text", ["", " \n\n\t", "---\ntitle: x\n---\n", "---\nid: 1\n---\n\n\n"])
def test_a_note_without_words_has_no_passage(text):
    assert cut_passages(read_markdown("a.md", text)) == ()


def test_a_heading_begins_its_passage_and_names_it_with_those_above():
    body = SENTENCE * 6
    passages = cut_passages(read_markdown("a.md", f"# Config\n\n{body}\n\n## nav_order\n\n{body}\n\n# Other\n\n{body}"))
    assert [(passage.heading, passage.line) for passage in passages] == [
        ("Config", 1),
        ("Config › nav_order", 5),
        ("Other", 9),
    ]
    assert passages[1].text.startswith("nav_order\n")


def test_paragraphs_are_kept_whole_where_they_fit():
    paragraphs = [f"{number} {SENTENCE * 3}".strip() for number in range(9)]
    passages = cut_passages(Note("a.md", "A", "\n\n".join(paragraphs)))
    assert len(passages) > 2
    assert [part for passage in passages for part in passage.text.split("\n\n")] == paragraphs


def test_a_long_paragraph_is_cut_at_sentences():
    passages = cut_passages(Note("a.md", "A", SENTENCE * 40))
    assert all(passage.text.endswith("late.") for passage in passages)
    assert all(300 <= len(passage.text) <= MAX_LENGTH for passage in passages[:-1])


def test_text_without_sentences_is_cut_at_words_and_without_words_at_graphemes():
    words = cut_passages(Note("a.md", "A", "word " * 500))
    assert all(passage.text.split() == ["word"] * len(passage.text.split()) for passage in words)
    solid = cut_passages(Note("a.md", "A", "👩\u200d👩\u200d👧" * 300))
    assert all(len(passage.text) % 5 == 0 for passage in solid)
    assert "".join(passage.text for passage in solid) == "👩\u200d👩\u200d👧" * 300


def test_chinese_is_cut_behind_full_stops():
    passages = cut_passages(Note("a.md", "A", "這是一個很長的句子沒有任何空格。" * 100))
    assert all(passage.text.endswith("。") for passage in passages)


def test_front_matter_is_a_passage_of_its_own():
    first, second = cut_passages(read_markdown("a.md", "---\ndesc: About small boats\n---\n# Boats\n\nText.\n"))
    assert (first.text, first.line) == ("desc: About small boats", 2)
    assert (second.text, second.line, second.heading) == ("Boats\n\nText.", 4, "Boats")


def test_a_note_never_has_more_passages_than_can_be_numbered(monkeypatch):
    monkeypatch.setattr(rules, "MAX_PASSAGES", 4)
    text = SENTENCE * 100
    passages = cut_passages(Note("a.md", "A", text))
    assert len(passages) <= 4
    assert "".join(passage.text for passage in passages).replace(" ", "") == text.replace(" ", "")


def test_what_is_embedded_is_the_title_and_the_passage_on_one_line():
    embedded = embedded_text(" My\nnote ", "two\n\n  lines\u00a0here")
    assert embedded == "My note\ntwo lines here"
    assert len(passage_hash(embedded)) == 16
    assert passage_hash(embedded) != passage_hash(embedded + ".")
    (passage,) = cut_passages(Note("a.md", "A", "words"))
    assert embedded_text("A", passage) == "A\nwords"
