"""Which note a link means."""

import pytest

from core.index.link_graph import LinkGraph, LinkResolver, NamedNote
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


def resolve(names, source, target, kind=LinkKind.WIKILINK):
    """Return the path that a link means among notes of these paths, each with no title of its own."""
    resolver = LinkResolver(NamedNote(number, path, "", ()) for number, path in enumerate(names))
    found = resolver.resolve(source, kind, target)
    return (None if found.note is None else names[found.note]), found.ambiguous


@pytest.mark.parametrize(
    ("names", "source", "target", "path", "ambiguous"),
    [
        pytest.param(["a/todo.md", "b/todo.md", "another-todo.md"], "b/x.md", "todo", "b/todo.md", True, id="near"),
        pytest.param(["a/todo.md", "b/todo.md", "another-todo.md"], "x.md", "todo", "a/todo.md", True, id="path order"),
        pytest.param(["a/b/t.md", "z/t.md"], "x.md", "t", "z/t.md", True, id="shallowest"),
        pytest.param(["another-todo.md"], "x.md", "todo", None, False, id="no name's end"),
        pytest.param(["todo-later.md"], "x.md", "todo", None, False, id="no name's beginning"),
        pytest.param(["topic.md", "topic/part.md"], "x.md", "topic", "topic.md", False, id="folder named like a note"),
        pytest.param(["topic.md", "topic/part.md"], "topic/part.md", "topic", "topic.md", False, id="from within it"),
        pytest.param(["topic/part.md"], "x.md", "topic", None, False, id="a folder alone is no note"),
        pytest.param(["x.md/inner.md", "y.md"], "y.md", "x", None, False, id="a folder called x.md"),
        pytest.param(["x.md/inner.md"], "y.md", "x.md/inner", "x.md/inner.md", False, id="in a folder called x.md"),
        pytest.param(["v1.2 plan.md", "v1.md"], "x.md", "v1.2 plan", "v1.2 plan.md", False, id="a dot is no suffix"),
        pytest.param(["v1.md"], "x.md", "v1.2 plan", None, False, id="never cut at the dot"),
        pytest.param(["a.xyz.md"], "x.md", "a.xyz", "a.xyz.md", False, id="an unknown suffix stays"),
        pytest.param(["a.md"], "x.md", "a.xyz", None, False, id="an unknown suffix is not dropped"),
        pytest.param(["r.md", "r.org", "r.pdf", "r.canvas"], "x.md", "r.org", "r.org", False, id="org"),
        pytest.param(["r.md", "r.org", "r.pdf", "r.canvas"], "x.md", "R.PDF", "r.pdf", False, id="pdf in any case"),
        pytest.param(["r.md", "r.org", "d/r.canvas"], "x.md", "r.canvas", "d/r.canvas", False, id="canvas elsewhere"),
        pytest.param(["d/r.md"], "x.md", "d/r.md", "d/r.md", False, id="path with suffix"),
        pytest.param(["r.canvas", "r.md"], "x.md", "r", "r.md", False, id="Markdown needs no suffix"),
        pytest.param(["r.canvas", "d/r.md"], "x.md", "r", "d/r.md", False, id="nor further down"),
        pytest.param(["r.canvas", "r.org"], "x.md", "r", "r.canvas", True, id="else path order"),
        pytest.param(["r.md"], "x.md", "r.pdf", None, False, id="another file's suffix"),
        pytest.param(["d/Style Guide.md"], "x.md", "style guide", "d/Style Guide.md", False, id="case and space"),
        pytest.param(["d/Style Guide.md"], "x.md", "Style%20Guide", "d/Style Guide.md", False, id="escaped space"),
        pytest.param(["Привет.md"], "x.md", "%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82", "Привет.md", False, id="escaped"),
        pytest.param(["a%20b.md"], "x.md", "a b", "a%20b.md", False, id="escapes in a file's name"),
        pytest.param(["a%20b.md", "c/a b.md"], "c/x.md", "a%20b", "a%20b.md", False, id="as written before decoded"),
        pytest.param(["100%.md"], "x.md", "100%", "100%.md", False, id="per cent"),
        pytest.param(["C#.md", "C.md"], "x.md", "C#", "C#.md", False, id="a name that ends in #"),
        pytest.param(["C.md"], "x.md", "C#", "C.md", False, id="a heading never typed"),
        pytest.param(["U\u0308ber.md"], "x.md", "Über", "U\u0308ber.md", False, id="NFD name"),
        pytest.param(["Über.md"], "x.md", "U\u0308ber", "Über.md", False, id="NFD link"),
        pytest.param(["d/Über.md", "uber.md"], "x.md", "Über", "d/Über.md", False, id="marks count where they differ"),
        pytest.param(["d/Über.md", "uber.md"], "x.md", "UBER", "uber.md", False, id="and their absence"),
        pytest.param(["We’ll see.md"], "x.md", "we'll see", "We’ll see.md", False, id="apostrophes"),
        pytest.param(["We'll see.md"], "x.md", "We’ll see", "We'll see.md", False, id="apostrophes back"),
        pytest.param(["a\u00a0b.md"], "x.md", "a b", "a\u00a0b.md", False, id="no-break space"),
        pytest.param(["d/e/f.md"], "d/x.md", "e/f", "d/e/f.md", False, id="from its folder"),
        pytest.param(["d/e/f.md", "e/f.md"], "d/x.md", "e/f", "e/f.md", False, id="from the root first"),
        pytest.param(["d/f.md"], "d/e/x.md", "../f", "d/f.md", False, id="up"),
        pytest.param(["d/f.md", "f.md"], "d/x.md", "./f", "d/f.md", False, id="here"),
        pytest.param(["d/f.md", "f.md"], "d/x.md", "/f", "f.md", False, id="root"),
        pytest.param(["d/f.md"], "x.md", "d\\f", "d/f.md", False, id="backslash"),
        pytest.param(["pages/a___b.md"], "x.md", "a/b", "pages/a___b.md", False, id="namespace"),
        pytest.param(["pages/a%2Fb.md"], "x.md", "A/B", "pages/a%2Fb.md", False, id="escaped namespace"),
        pytest.param(["pages/what%3F.md"], "x.md", "what?", "pages/what%3F.md", False, id="escaped mark"),
        pytest.param(["journals/2026_01_05.md"], "x.md", "2026-01-05", "journals/2026_01_05.md", False, id="ISO day"),
        pytest.param(["journals/2026_01_05.md"], "x.md", "Jan 5th, 2026", "journals/2026_01_05.md", False, id="a day"),
        pytest.param(["daily/2026-01-05.md"], "x.md", "January 5th, 2026", "daily/2026-01-05.md", False, id="long"),
        pytest.param(["journals/2026_01_05.md"], "x.md", "Jan 6th, 2026", None, False, id="another day"),
        pytest.param(["journals/2026_01_05.md"], "x.md", "Jan 35th, 2026", None, False, id="no day"),
        pytest.param(["a.b.c.md", "a.b.md", "c.md"], "x.md", "a.b.c", "a.b.c.md", False, id="dot hierarchy"),
        pytest.param(["a.b.c.md"], "x.md", "b.c", None, False, id="no end of a hierarchy"),
        pytest.param(["🐘.md", "中文.md"], "x.md", "🐘", "🐘.md", False, id="emoji"),
        pytest.param(["a.md"], "x.md", "%", None, False, id="only a per cent sign"),
        pytest.param(["a.md"], "x.md", "#", None, False, id="only a mark"),
        pytest.param(["a.md"], "x.md", "..", None, False, id="only dots"),
    ],
)  # fmt: skip
def test_every_kind_of_target_among_every_kind_of_name(names, source, target, path, ambiguous):
    assert resolve(names, source, target) == (path, ambiguous)
    assert resolve(names[::-1], source, target) == (path, ambiguous)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("b c.md", "d/b c.md"), ("../a.md", "a.md"), ("./b c", "d/b c.md"), ("/a.md", "a.md"), ("e/", "d/e/README.md"),
        ("e", "d/e/README.md"), ("r.pdf", "d/r.pdf"), ("a", "a.md"), ("../d/b c.md", "d/b c.md"), ("e/f.md", None),
        ("b c.md?view=all", "d/b c.md"), ("q?.md", "d/q?.md"), ("?", None),
        ("../../a.md", None), ("a.md/", "a.md"),
    ],
)  # fmt: skip
def test_a_path_in_a_markdown_link_begins_at_its_own_folder(target, path):
    names = ["a.md", "d/b c.md", "d/q?.md", "d/e/README.md", "d/r.pdf", "d/x.md"]
    assert resolve(names, "d/x.md", target, LinkKind.MARKDOWN) == (path, False)


def test_titles_and_aliases_answer_in_any_case_after_file_names():
    notes = [
        NamedNote(1, "one.md", "v1.2 Plan", ("Nick’s", "Two")),
        NamedNote(2, "two.md", "One", ()),
        NamedNote(3, "d/three.md", "Shared", ()),
        NamedNote(4, "e/four.md", "Shared", ("Deux",)),
    ]
    resolver = LinkResolver(notes)
    for target, note in (("V1.2 PLAN", 1), ("nick's", 1), ("two", 2), ("one", 1), ("DEUX", 4), ("deux.md", None)):
        assert resolver.resolve("x.md", LinkKind.WIKILINK, target).note == note, target
    shared = resolver.resolve("e/x.md", LinkKind.WIKILINK, "shared")
    assert (shared.note, shared.ambiguous) == (4, True)


def test_the_same_note_by_two_names_is_no_choice():
    resolver = LinkResolver([NamedNote(1, "a/b.md", "b", ("B", "b"))])
    assert not resolver.resolve("x.md", LinkKind.WIKILINK, "b").ambiguous


def graph(notes: list[str], attachments: list[str]) -> LinkGraph:
    paths = [*notes, *attachments]
    named = [NamedNote(number, path, path.rpartition("/")[2], ()) for number, path in enumerate(paths)]
    return LinkGraph(named[: len(notes)], named[len(notes) :])


@pytest.mark.parametrize(
    ("kind", "target", "found"),
    [
        pytest.param(LinkKind.EMBED, "pic.png", "a/pic.png", id="an embed by name, same folder first"),
        pytest.param(LinkKind.EMBED, "b/pic.png", "b/pic.png", id="by path from the root"),
        pytest.param(LinkKind.EMBED, "PIC.PNG", "a/pic.png", id="in any case"),
        pytest.param(LinkKind.MARKDOWN, "../b/pic.png", "b/pic.png", id="by a relative path"),
        pytest.param(LinkKind.MARKDOWN, "files/x.zip", "a/files/x.zip", id="a Markdown link to an archive"),
        pytest.param(LinkKind.MARKDOWN, "files/my%20x.zip", "a/files/my x.zip", id="escaped"),
        pytest.param(LinkKind.WIKILINK, "drawing", "drawing.md", id="a note before a file of its name"),
        pytest.param(LinkKind.WIKILINK, "drawing.png", "drawing.png", id="a file where its suffix is written"),
        pytest.param(LinkKind.WIKILINK, "x", None, id="never a file without its suffix"),
        pytest.param(LinkKind.EMBED, "ic.png", None, id="never by a name's end"),
        pytest.param(LinkKind.EMBED, "../../pic2.png", None, id="out of the folder"),
    ],
)
def test_a_link_that_means_no_note_may_mean_an_attachment(kind, target, found):
    notes = ["a/source.md", "drawing.md"]
    attachments = ["a/files/my x.zip", "a/files/x.zip", "a/pic.png", "b/pic.png", "drawing.png", "pic2.png"]
    resolved = graph(notes, attachments).resolve("a/source.md", kind, target).note
    assert (None if resolved is None else [*notes, *attachments][resolved]) == found
