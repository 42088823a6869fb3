"""Links in Markdown: every spelling, every place, and where brackets are none."""

import pytest

from core.notes.formats.markdown import read_markdown

DENDRON = "---\nid: abc\ntitle: T\ndesc: ''\nupdated: 1660920582709\ncreated: 1595003088839\n---\n"


def read(text, **options):
    return read_markdown("folder/file.name.md", text, **options)


def links(text, **options):
    return [
        (link.kind.value, link.target, link.fragment, link.label, link.line) for link in read(text, **options).links
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[a]] and [[b|B]]", [("wikilink", "a", "", "", 1), ("wikilink", "b", "", "B", 1)]),
        ("x\n[[a#h|l]]\n\n[[a#^id]] [[a^id]]", [
            ("wikilink", "a", "h", "l", 2), ("wikilink", "a", "^id", "", 4), ("wikilink", "a", "^id", "", 4)]),
        ("[[Style Guide]] [[ spaced ]]", [
            ("wikilink", "Style Guide", "", "", 1), ("wikilink", "spaced", "", "", 1)]),
        ("![[e]] ![[f#h|x]] ![[p.png|30x40]]", [
            ("embed", "e", "", "", 1), ("embed", "f", "h", "x", 1), ("embed", "p.png", "", "", 1)]),
        ("[t](My%20Note.md#a%20b) [u](../x.md 'title') [v](<a b.md>) [w](%D0%9F.md)", [
            ("markdown", "My Note.md", "a b", "t", 1), ("markdown", "../x.md", "", "u", 1),
            ("markdown", "a b.md", "", "v", 1), ("markdown", "П.md", "", "w", 1)]),
        ("[r][ref] [ref]\n\n[ref]: ./some.md", [
            ("markdown", "./some.md", "", "r", 1), ("markdown", "./some.md", "", "ref", 1)]),
        ("[x](<Note: one.md>)", [("markdown", "Note: one.md", "", "x", 1)]),
        ("[a](http://x.y/z.md) [b](mailto:c@d.e) <f@g.h> <https://i.j> [k](#here) [l]() [m](//n.o/p.md)", []),
        ("[[#here]] [[]] [[ ]]", []),
        ("![i](p.png) ![n](note.md)", [("embed", "note.md", "", "n", 1)]),
        ("`[[a]]` `[b](c.md)`\n\n```\n[[d]]\n```\n\n    [[e]]\n", []),
        ("| x |\n|---|\n| [[a\\|b]] [[c]] |", [("wikilink", "a", "", "b", 3), ("wikilink", "c", "", "", 3)]),
        ("> [!note] [[a]]\n> - [[b]]\n\n# H [[c]]\n- [ ] [[d]] %% [[e]] %%", [
            ("wikilink", "a", "", "", 1), ("wikilink", "b", "", "", 2), ("wikilink", "c", "", "", 4),
            ("wikilink", "d", "", "", 5)]),
        ("[[gone]] [[gone]]\n[[gone]]", [
            ("wikilink", "gone", "", "", 1), ("wikilink", "gone", "", "", 1), ("wikilink", "gone", "", "", 2)]),
        ("#[[m w]] {{embed [[X]]}} ((62a1)) [l](((62a1))) [l]([[P]])", [
            ("wikilink", "m w", "", "", 1), ("embed", "X", "", "", 1), ("wikilink", "P", "", "l", 1)]),
        ("[![alt](p.md)](note.md)", [("embed", "p.md", "", "alt", 1), ("markdown", "note.md", "", "alt", 1)]),
        ("[label|dendron label](x.md) [[Lab|dendron://v/a.b#h]]", [
            ("markdown", "x.md", "", "label|dendron label", 1), ("wikilink", "a.b", "h", "Lab", 1)]),
    ],
)  # fmt: skip
def test_links_of_every_spelling(text, expected):
    assert links(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "plain"),
    [
        ("[[Label|a.b#h]]", [("wikilink", "a.b", "h", "Label", 8)], "Label"),
        ("[[a.b]]", [("wikilink", "a.b", "", "", 8)], "a.b"),
        ("[[dendron://vault.x/a.b]]", [("wikilink", "a.b", "", "", 8)], "a.b"),
        ("[[L|dendron://vault.x/a.b#^id]]", [("wikilink", "a.b", "^id", "L", 8)], "L"),
        ("![[dendron://v/a#h,1:#*]]", [("embed", "a", "h,1:#*", "", 8)], "a#h,1:#*"),
        ("[[here|#breaking]]", [], "here"),
        ("| x |\n|--|\n|[[L\\|a.b]]|", [("wikilink", "a.b", "", "L", 10)], "x\n\nL"),
    ],
)
def test_dendron_writes_the_label_first(text, expected, plain):
    assert links(DENDRON + text) == expected
    assert read(DENDRON + text).text.partition("\f")[2] == "\n" + plain
    assert [link[1] for link in links("[[Label|a.b]]", dendron=True)] == ["a.b"]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("> [!tip]- Title [[a]]\n> [b](b.md)\n>> [[c]]\n", ["a", "b.md", "c"]),
        ("| [[a\\|x]] | [b](b.md) |\n|--|--|\n| ![[c\\|y]] [[d#h\\|z]] | [[e]] |\n", ["a", "b.md", "c", "d", "e"]),
        ("- [ ] [[a]]\n- [x] [b](b.md)\n  1. [[c]]\n     - [[d]]\n", ["a", "b.md", "c", "d"]),
        ("x[^1] y^[see [[b]]]\n\n[^1]: [[a]]\n", ["b", "a"]),
        ("# [[a]] and [b](b.md)\n\n[[c]]\n===\n", ["a", "b.md", "c"]),
        ("[[a]][[b]],[[c]]|[[d]] [[e]]suffix pre[[f]]", ["a", "b", "c", "d", "e", "f"]),
        ("**[[a]]** _[[b]]_ ~~[[c]]~~ ==[[d]]== \"[[e]]\" ([[f]])", ["a", "b", "c", "d", "e", "f"]),
        ("[[a\nb]]", ["a b"]),
        ("[x](<a b.md>) [x](a%20b.md) [x](a\\b.md) [x](./a.md) [x](../a.md) [x](/a.md)", [
            "a b.md", "a b.md", "a\\b.md", "./a.md", "../a.md", "/a.md"]),
        ("[x][ref] [Ref][] [ref]\n\n[ref]: <a b.md> 'T'\n", ["a b.md"] * 3),
        ("[x](a_(b).md) [x](%D0%9F%D1%80.md#h) [x](100%.md) [x](a%23b.md)", ["a_(b).md", "Пр.md", "100%.md", "a#b.md"]),
        ("<https://a.b/c.md> https://a.b/c.md <a@b.c> [x](mailto:a.md) [x](C:\\a.md) [x](obsidian://open?file=a)", []),
        ("![x](a.png) ![x](a%20b.svg)", []),
        ("![x](a.pdf) [x](b.pdf#page=2) [x](c.org) [x](d.canvas)", ["a.pdf", "b.pdf", "c.org", "d.canvas"]),
        ("`[[a]]` ``[b](b.md)`` \\[[c]] \\`[[d]]\\`", ["d"]),
        ("```\n[[a]]\n```\n~~~md\n[b](b.md)\n~~~\n\n    [[c]]\n\n[[d]]", ["d"]),
        ("- x\n  ```\n  [[a]]\n  ```\n- [[b]]\n", ["b"]),
        ("%% [[a]] %% [[b]] %%[[c]]%%", ["b"]),
        ("%%\n[[a]]\n\n[[b]]\n%%\n\n[[c]]", ["c"]),
        ("100%% sure [[a]]\n\n50%% [[b]]", ["a", "b"]),
        ("%% never closed [[a]]", ["a"]),
        ("<!-- [[a]] -->\n<!-- [b](b.md)\n[[c]] -->\n[[d]]", ["d"]),
        ("text <!-- [[a]] --> [[b]]", ["b"]),
        ('<a href="a.md">x</a> and <A HREF=\'b%20c.md\'>y</A> <a href=d.md>z</a> <abbr href="no.md">', [
            "a.md", "b c.md", "d.md"]),
        ('<div>\n<a class="k" href="a&amp;b.md">x</a>\n<!-- <a href="no.md"> -->\n</div>\n', ["a&b.md"]),
        ('<a href="https://a.b/c.md">x</a> <a href="#here">y</a> <a name="z">', []),
        ("{{embed [[a]]}} #[[b c]] [l]([[d]]) {{query [[e]]}}", ["a", "b c", "d", "e"]),
        ("🐘 [[🐘]] [[中文]] [[Ünï]] [[a’b]] [[a & b]] [[50% off]] [[(x)]] [[x, y]]", [
            "🐘", "中文", "Ünï", "a’b", "a & b", "50% off", "(x)", "x, y"]),
        ("[[v1.2 plan]] [[a.b.c]] [[x.md]] [[y.canvas]] [[C#]]", ["v1.2 plan", "a.b.c", "x.md", "y.canvas", "C#"]),
        ("[[a#h]] [[a#^b]] [[a#h#i|x]] [[#h]] [[#^b]]", ["a", "a", "a"]),
    ],
)  # fmt: skip
def test_links_are_found_wherever_they_stand_and_only_where_they_are_links(text, targets):
    assert [link.target for link in read(text).links] == targets


def test_links_in_html_have_their_line():
    note = read("x\n\n<div>\n<b>y</b>\n<a href='a.md'>l</a>\n</div>\n\nz <a href='b.md'>m</a>\n")
    assert [(link.target, link.line) for link in note.links] == [("a.md", 5), ("b.md", 8)]
