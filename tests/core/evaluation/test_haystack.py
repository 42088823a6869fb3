"""The growing haystack: sizes, needles that stay, near-duplicates that do not answer, and the same bytes each time."""

import re
from collections import Counter

import pytest

from core.errors import DataSetError
from core.evaluation.datasets import Series, read_data_set
from core.evaluation.haystack import DISTRACTORS, FOLDERS, SIZES, haystack_notes, write_haystack
from core.evaluation.haystack_needles import NEEDLES
from core.notes.folding import fold


@pytest.fixture(scope="module")
def largest():
    return haystack_notes(SIZES[-1] + DISTRACTORS)


def test_a_smaller_size_is_the_beginning_of_a_larger_one(largest):
    for size in SIZES:
        assert haystack_notes(size) == largest[:size]
    assert len(largest) == 8_463


def test_six_folders_hold_linked_and_dated_notes_with_names_of_their_own(largest):
    notes = largest[: SIZES[0]]
    assert {note.id.split("/")[0] for note in notes} == set(FOLDERS)
    assert len({note.id for note in largest}) == len(largest)
    assert all(re.match(r"---\ndate: 202[45]-\d\d-\d\d\n", note.text) for note in notes)
    names = set()
    for note in notes:
        assert set(re.findall(r"\[\[(.+?)\]\]", note.text)) <= names, note.id
        names.add(note.id.rpartition("/")[2])


def test_needles_are_linked_to_no_more_than_other_notes(largest):
    notes = largest[: SIZES[-1]]
    linked = Counter(name for note in notes for name in re.findall(r"\[\[(.+?)\]\]", note.text))
    by_note = [linked[note.id.rpartition("/")[2]] for note in notes]
    assert sum(by_note[:20]) / 20 < 1.6 * sum(by_note[20:]) / (len(notes) - 20)


def test_every_needle_holds_its_answer_and_nothing_else_answers_its_question(largest):
    assert len(NEEDLES) == 20
    for number, needle in enumerate(NEEDLES):
        assert largest[number].needle == number
        assert needle.answer in f"{largest[number].title}\n{largest[number].text}"
        facts = [fold(needle.values[slot]) for slot in needle.key]
        for other in largest[20:]:
            # A link may name the needle: that leads to it.
            text = fold(f"{other.title}\n{other.text.partition('See also')[0]}")
            assert not all(fact in text for fact in facts), (needle.question, other.id)


def test_near_duplicates_share_a_needles_words(largest):
    alike = Counter()
    for needle in NEEDLES:
        fixed = max(re.split(r"\{\w+\}", needle.text), key=len).strip()
        alike[needle.title] = sum(fixed in note.text for note in largest[20 : SIZES[-1]])
    assert min(alike.values()) >= 3


def test_another_seed_gives_other_notes_around_the_same_needles():
    one, other = haystack_notes(77, seed=0), haystack_notes(77, seed=1)
    assert [(note.id, note.title) for note in one[:20]] == [(note.id, note.title) for note in other[:20]]
    assert one[20:] != other[20:]


def test_written_sizes_are_data_sets_of_one_series(tmp_path):
    written = write_haystack(tmp_path / "one", sizes=SIZES[:2])
    again = write_haystack(tmp_path / "two", sizes=SIZES[:2])
    for first, second, size in zip(written, again, SIZES, strict=False):
        data_set = read_data_set(first)
        assert len(data_set.documents) == size
        assert len(data_set.queries) == 20
        assert data_set.series == Series("haystack", size)
        for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv", "INFO.json"):
            assert (first / name).read_bytes() == (second / name).read_bytes()


def test_a_folder_that_cannot_be_written_is_a_stated_failure(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(DataSetError, match="cannot be written"):
        write_haystack(tmp_path / "file", sizes=(77,))
