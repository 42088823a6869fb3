"""What a link that was clicked may mean."""

import pytest

from core.notes.links import parse_wikilink, targets_of
from core.notes.reading import read_note


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("[[note]]", ("note",)),
        ("[[note#heading]]", ("note",)),
        ("[[note|label]]", ("note", "label")),
        ("[[label|dendron://vault/topic.links#part]]", ("topic.links",)),
        ("[[#only a heading]]", ()),
        ("a%20b.md#x", ("a b.md",)),
        ("../up.md", ("../up.md",)),
        ("https://example.org/a.md", ()),
        ("(https://example.org/a.md)", ()),
        ("mailto:someone@example.org", ()),
        ("#heading", ()),
        ("", ()),
    ],
)
def test_a_clicked_link_gives_the_targets_it_may_mean(source, targets):
    assert targets_of(source) == targets


@pytest.mark.parametrize(
    ("left", "right", "dendron", "target", "fragment", "label"),
    [
        ("a", None, False, "a", "", ""),
        ("a|b", None, False, "a|b", "", ""),
        ("a", "b|c", False, "a", "", "b|c"),
        ("a\\", "b", False, "a", "", "b"),
        ("a", "b", True, "b", "", "a"),
        ("a", "", True, "a", "", ""),
        ("a#h#sub", None, False, "a", "h#sub", ""),
        ("a#h1:#h2", None, True, "a", "h1:#h2", ""),
        ("#^anchor", None, True, "", "^anchor", "^anchor"),
        ("a^block", None, False, "a", "^block", ""),
        ("C#", None, False, "C#", "", ""),
        ("v1.2 plan", None, False, "v1.2 plan", "", ""),
        ("dendron://vault.one/a.b#h", None, False, "a.b", "h", ""),
        ("dendron://vault/a", "label", False, "a", "", "label"),
        ("picture.png", "300x200", False, "picture.png", "", ""),
    ],
)
def test_a_wikilink_parts_into_target_fragment_and_label(left, right, dendron, target, fragment, label):
    read = parse_wikilink(left, right, dendron=dendron)
    assert (read.target, read.fragment, read.label) == (target, fragment, label)


@pytest.mark.parametrize(("dendron", "tag"), [(True, "role.reader"), (False, "role")])
def test_dendrons_tags_are_tags_and_its_users_are_words_and_neither_is_a_link(dendron, tag):
    note = read_note("a.md", b"Seen by @jane.doe and #role.reader, see [[tags.role]].\n", dendron=dendron)
    assert [link.target for link in note.links] == ["tags.role"]
    assert note.tags == (tag,)
    assert "@jane.doe and #role.reader" in note.text
