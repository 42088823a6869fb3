"""A copied link leads back to its note, whatever its name."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export.note_link import LinkForm, note_link
from core.notes.links import targets_of
from tests.core.export_samples import hit, link_targets


@pytest.mark.parametrize(
    ("path", "title", "expected"),
    [
        ("a/Plan.md", "Plan", "[[Plan]]"),
        ("a/Plan.md", "The plan", "[[Plan|The plan]]"),
        ("Plan.md", "", "[[Plan]]"),
        ("v1.2.md", "v1.2", "[[v1.2]]"),
        ("a.md", "x | [y]", "[[a|x    y]]"),
        ("a#1.md", "Title", "[Title](a%231.md)"),
        ("a[b].md", "", "[a\\[b\\]](a%5Bb%5D.md)"),
        ("scan.pdf", "Scan", "[[scan|Scan]]"),
    ],
)
def test_a_wikilink_names_the_file_and_shows_the_title(path, title, expected):
    assert note_link(hit(path=path, title=title), LinkForm.WIKILINK) == expected


@given(st.text(st.characters(blacklist_characters="\0/", blacklist_categories=["Cs"]), min_size=1, max_size=30))
def test_a_markdown_link_gives_the_path_back(name):
    path = f"folder/{name}.md"
    link = note_link(hit(path=path, title="Title"), LinkForm.MARKDOWN)
    assert [unquote(target) for target in link_targets(link)] == [path]


@given(st.text(st.characters(blacklist_characters="\0/\n\r", blacklist_categories=["Cs"]), min_size=1, max_size=30))
def test_a_wikilink_s_target_is_the_file_s_name(name):
    link = note_link(hit(path=f"folder/{name}.md", title="Title"), LinkForm.WIKILINK)
    if link.startswith("[["):
        assert name in targets_of(link[2:-2].partition("|")[0]) or name != name.strip()


def test_a_path_is_the_path():
    assert note_link(hit(path="a b/c.md"), LinkForm.PATH) == "a b/c.md"
