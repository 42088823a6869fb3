"""What a hit shows of its note, on a folder indexed as any other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.results import Hit, Skipped
from core.search.search import SearchRequest, search

NOTES = {
    "seed.md": "pears here, see [[linked]]",
    "linked.md": "---\nsource: https://example.org/somewhere\nnote: about nothing\n---\n# Linked\n\nThe body of it.\n",
    "titled.md": "# Growing quinces\n\nThey want sun, and a wall behind them.\n",
    "only front.md": "---\nabout: medlars and their kin\n---\n",
}


@pytest.fixture
def find(tmp_path: Path) -> Callable[[str], dict[str, Hit]]:
    """Search the notes by words and links; hits by path."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for path, text in NOTES.items():
        (folder / path).write_text(text)
    update_index(folder, tmp_path / "index.db")

    def run(query: str) -> dict[str, Hit]:
        reader = Reader(tmp_path / "index.db")
        try:
            return {hit.path: hit for hit in search(reader, Skipped("none"), SearchRequest(query)).hits}
        finally:
            reader.close()

    return run


def test_a_note_found_by_links_alone_shows_its_body_and_not_its_front_matter(find):
    hit = find("pears")["linked.md"]
    assert hit.snippet.text == "The body of it."
    assert (hit.passage.line, hit.line) == (5, 5)


def test_a_note_with_nothing_but_front_matter_shows_that(find):
    assert "medlars" in find("medlars")["only front.md"].snippet.text


def test_the_snippet_does_not_say_the_title_again(find):
    hit = find("sun wall")["titled.md"]
    assert hit.snippet.text == "They want sun, and a wall behind them."
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["sun", "wall"]


def test_a_match_in_the_title_line_stays_in_sight(find):
    hit = find("quinces")["titled.md"]
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["quinces"]
