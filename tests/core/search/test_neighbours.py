"""What lies around a note, from real files and real SQLite."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.index.vectors import VECTOR_TYPE
from core.index.writer import Writer
from core.search.neighbours import MOST_SIMILAR, Neighbours, neighbours_of

KEY, WIDTH = "scripted", 4
NOTES = {
    "a.md": "first\n\n[[c]] then [[b]] and [[c]] again, [[a]] itself, [[nowhere]]",
    "b.md": "second [[a]]",
    "c.md": "third",
    "d/z.md": "fourth\n\nsee [[a]]",
}


@pytest.fixture
def indexed(tmp_path: Path):
    """Index notes, the texts of which have the vectors that are given by path; return an open reader."""
    opened = []

    def run(notes: dict[str, str], vector_by_word: dict[str, list[float]] | None = None) -> Reader:
        for path, text in notes.items():
            (tmp_path / "notes" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "notes" / path).write_text(text, "utf-8")
        file = tmp_path / "index.db"
        update_index(tmp_path / "notes", file)
        if vector_by_word:
            writer = Writer(file)
            with writer.transaction():
                writer.use_model(KEY)
                for row in writer.passages_to_embed(1000):
                    value = np.array(vector_by_word[row.text.split()[0]], VECTOR_TYPE)
                    writer.store_vectors(KEY, [(row.hash, (value / np.linalg.norm(value)).tobytes())])
            writer.close()
        reader = Reader(file)
        opened.append(reader)
        reader.begin()
        return reader

    yield run
    for reader in opened:
        reader.end()
        reader.close()


def test_links_stand_in_the_order_of_the_note_each_once_with_its_first_line(indexed):
    around = neighbours_of(indexed(NOTES), "a.md")
    assert [(one.path, one.line) for one in around.links_to] == [("c.md", 3), ("b.md", 3)]


def test_notes_that_link_here_stand_by_path_with_the_line_of_their_link(indexed):
    around = neighbours_of(indexed(NOTES), "a.md")
    assert [(one.path, one.line) for one in around.linked_from] == [("b.md", 1), ("d/z.md", 3)]


def test_a_note_that_is_not_there_has_nothing_around_it(indexed):
    assert neighbours_of(indexed(NOTES), "no.md") == Neighbours()


def test_the_nearest_note_comes_first_and_equal_ones_by_path(indexed):
    vectors = {"first": [1, 0, 0, 0], "second": [1, 1, 0, 0], "third": [1, 0.1, 0, 0], "fourth": [1, 1, 0, 0]}
    reader = indexed(NOTES, vectors)
    around = neighbours_of(reader, "a.md", KEY, WIDTH)
    assert [one.path for one in around.similar] == ["c.md", "b.md", "d/z.md"]


def test_a_note_never_counts_as_similar_to_itself_and_the_list_is_short(indexed):
    notes = {f"{number:02}.md": "same text" for number in range(MOST_SIMILAR + 5)}
    around = neighbours_of(indexed(notes, {"same": [1, 0, 0, 0]}), "03.md", KEY, WIDTH)
    assert [one.path for one in around.similar] == [f"{number:02}.md" for number in (0, 1, 2, 4, 5, 6, 7, 8)]


def test_without_vectors_there_are_links_alone(indexed):
    reader = indexed(NOTES)
    assert neighbours_of(reader, "a.md", KEY, WIDTH).similar == ()
    assert neighbours_of(reader, "a.md", KEY, WIDTH).links_to


def test_a_single_note_is_near_to_nothing(indexed):
    assert neighbours_of(indexed({"a.md": "one"}, {"one": [1, 0, 0, 0]}), "a.md", KEY, WIDTH) == Neighbours()


def test_taking_a_note_away_leaves_the_order_of_the_others(indexed, tmp_path):
    words = ["one", "two", "three", "four", "five"]
    vectors = {word: [1, number / 7, number / 3, 0.5] for number, word in enumerate(words)}
    notes = {f"{word}.md": word for word in words}
    whole = neighbours_of(indexed(notes, vectors), "one.md", KEY, WIDTH)
    assert [one.path for one in whole.similar] == ["two.md", "three.md", "four.md", "five.md"]
    (tmp_path / "notes" / "three.md").unlink()
    part = neighbours_of(indexed({}, vectors), "one.md", KEY, WIDTH)
    assert part.similar == tuple(one for one in whole.similar if one.path != "three.md")
