"""Which note a link means."""

import pytest

from core.index.link_graph import LinkResolver, NamedNote
from core.notes.note import LinkKind

NOTES = {
    1: ("todo.md", "Todo", ()),
    2: ("a/todo.md", "Todo of a", ()),
    3: ("b/todo.md", "Todo of b", ()),
    4: ("another-todo.md", "Another todo", ()),
    5: ("a/Style Guide.md", "How we write", ("house style",)),
    6: ("topic.md", "Topic", ()),
    7: ("topic/part.md", "Part", ()),
    8: ("deep/er/only here.md", "Only here", ()),
    9: ("v1.2 plan.md", "v1.2 plan", ()),
    10: ("Über.md", "Über uns", ()),
    11: ("dendron.topic.links.md", "Links", ()),
    12: ("pages/Community___Events.md", "Community___Events", ()),
    13: ("docs/README.md", "Documentation", ()),
    14: ("Привет.md", "Привет", ()),
    15: ("zz/twin.md", "Twin", ()),
    16: ("aa/bb/twin.md", "Twin", ()),
    17: ("plain.txt", "plain", ()),
}


@pytest.fixture
def resolver() -> LinkResolver:
    return LinkResolver(NamedNote(identity, *names) for identity, names in NOTES.items())


@pytest.mark.parametrize(
    ("source", "target", "note"),
    [
        pytest.param("b/x.md", "todo", 3, id="same folder first"),
        pytest.param("c/x.md", "todo", 1, id="else the shallowest path"),
        pytest.param("x.md", "twin", 15, id="shallower wins over path order"),
        pytest.param("x.md", "TODO", 1, id="in any case"),
        pytest.param("x.md", "odo", None, id="never by a name's end"),
        pytest.param("x.md", "er/only here", None, id="never by a path's end"),
        pytest.param("x.md", "only here", 8, id="a bare name at any depth"),
        pytest.param("x.md", "deep/er/only here", 8, id="a path from the root"),
        pytest.param("deep/x.md", "er/only here", 8, id="a path from the folder"),
        pytest.param("x.md", "Style Guide", 5, id="with a space"),
        pytest.param("x.md", "house style", 5, id="by alias"),
        pytest.param("x.md", "How we write", 5, id="by title"),
        pytest.param("x.md", "topic", 6, id="a note, not the folder of its name"),
        pytest.param("x.md", "v1.2 plan", 9, id="a dot in the name"),
        pytest.param("x.md", "U\u0308ber", 10, id="composed otherwise"),
        pytest.param("x.md", "uber", 10, id="without its marks"),
        pytest.param("x.md", "dendron.topic.links", 11, id="dot hierarchy"),
        pytest.param("x.md", "Community/Events", 12, id="Logseq namespace"),
        pytest.param("x.md", "todo.md", 1, id="with its suffix"),
        pytest.param("x.md", "plain.txt", 17, id="with another suffix"),
        pytest.param("x.md", "a\\todo", 2, id="backslashes"),
        pytest.param("x.md", "../todo", None, id="out of the folder"),
        pytest.param("x.md", "", None, id="empty"),
        pytest.param("x.md", "/", None, id="only a slash"),
        pytest.param("x.md", "no such note", None, id="nothing"),
    ],
)
def test_a_wikilink_means_the_note_that_the_rule_says(resolver, source, target, note):
    assert resolver.resolve(source, LinkKind.WIKILINK, target).note == note


@pytest.mark.parametrize(
    ("source", "target", "note"),
    [
        pytest.param("a/x.md", "todo.md", 2, id="from its own folder"),
        pytest.param("a/x.md", "../todo.md", 1, id="one folder up"),
        pytest.param("a/x.md", "/b/todo.md", 3, id="from the root"),
        pytest.param("a/x.md", "b/todo.md", 3, id="from the root without a slash, as a second try"),
        pytest.param("x.md", "topic/part", 7, id="without its suffix"),
        pytest.param("x.md", "docs/", 13, id="a folder means its readme"),
        pytest.param("a/x.md", "./Style Guide.md", 5, id="with a dot"),
        pytest.param("x.md", "Привет.md", 14, id="other scripts"),
        pytest.param("a/x.md", "../../todo.md", 2, id="above the root falls back to nothing by path"),
    ],
)
def test_a_markdown_link_is_a_path(resolver, source, target, note):
    found = resolver.resolve(source, LinkKind.MARKDOWN, target)
    if "../../" in target:
        assert found.note is None
    else:
        assert found.note == note


def test_a_choice_between_several_is_said(resolver):
    assert resolver.resolve("c/x.md", LinkKind.WIKILINK, "todo").ambiguous
    assert not resolver.resolve("c/x.md", LinkKind.WIKILINK, "only here").ambiguous


def test_names_that_differ_by_case_alone_go_to_the_one_that_was_written():
    twins = LinkResolver([NamedNote(1, "README.md", "R", ()), NamedNote(2, "readme.md", "r", ())])
    assert twins.resolve("x.md", LinkKind.WIKILINK, "readme").note == 2
    assert twins.resolve("x.md", LinkKind.WIKILINK, "README").note == 1


def test_the_order_in_which_notes_came_does_not_matter():
    notes = [NamedNote(identity, *names) for identity, names in NOTES.items()]
    forth, back = LinkResolver(notes), LinkResolver(reversed(notes))
    for target in ("todo", "twin", "topic", "house style", "Links"):
        assert forth.resolve("x.md", LinkKind.WIKILINK, target) == back.resolve("x.md", LinkKind.WIKILINK, target)
