"""Markdown: text that keeps its lines, titles, headings, tags and links of every spelling."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes import reading
from core.notes.decoding import NotText
from core.notes.formats.markdown import read_markdown
from core.notes.reading import read_note, read_text


def read(text, **options):
    return read_markdown("folder/file.name.md", text, **options)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("# Head *em* `co`\n", "Head em co\n"),
        ("a **b** _c_ ~~d~~ [e](f.md) <b>g</b>\n", "a b c d e g\n"),
        ("caf&eacute; &amp; tea&nbsp;time\n", "café & tea\u00a0time\n"),
        ("soft\nbreak  \nhard\\\nend\n", "soft\nbreak\nhard\nend\n"),
        ("Set\next\n===\n\nx\n", "Set\next\n\n\nx\n"),
        ("> [!note]- Callout\n> text\n", "Callout\ntext\n"),
        ("- [ ] open\n- [x] done\n  1. one\n", "open\ndone\none\n"),
        ("| a | b |\n|---|---|\n| c |  |\n", "a | b\n\nc | \n"),
        ("```py\ncode #x\n  two\n```\nafter\n", "\ncode #x\n  two\n\nafter\n"),
        ("> ```\n> a\n> b\n> ```\nx\n", "\na\nb\n\nx\n"),
        ("    in\n    dented\n", "in\ndented\n"),
        ("<div>\n<p>hi &amp; bye</p>\n</div>\n", "\nhi & bye\n\n"),
        ("<!-- gone\n\nagain -->\n\nx <!-- in\nline --> y\n", "\n\n\n\nx \n y\n"),
        ("<script>\nvar x;\n</script>\n", "\n\n\n"),
        ("one<br>two\n", "one two\n"),
        ("costs $5 and $6, not $a_b$ or c_d_e\n", "costs $5 and $6, not $a_b$ or c_d_e\n"),
        ("note[^1]\n\n[^1]: foot\n", "note\n\nfoot\n"),
        ("`two\nlines` end\n", "two lines\n end\n"),
        ("a &#10; b\nc\n", "a   b\nc\n"),
        ("text ^block-id\nx^2\n", "text\nx^2\n"),
        ("- block\n  id:: 62a1e8f0-1111-2222-3333-444455556666\n  collapsed:: true\n- next\n", "block\n\n\nnext\n"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("%% comment %%\n", "%% comment %%\n"),
        ("![alt text](x.png) ![[y.png|300]]\n", "alt text \n"),
        ("[[Page|shown]] [[Page]] [[Page#Head]] [[#Here]]\n", "shown Page Page#Head Here\n"),
        ("nul \ud800 surrogate\n", "nul ? surrogate\n"),
    ],
)
def test_markup_is_taken_off_and_lines_stay(source, plain):
    assert read(source).text == plain


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\n---\n# Head\n", "Front"),
        ("---\ntitle: 2031\n---\n", "2031"),
        ("---\nTitle: '  v1.2   plan '\n---\n", "v1.2 plan"),
        ("---\ntitle:\n---\n### Deep *head*\n# Other\n", "Deep head"),
        ("title:: Page embed\ntype:: x\n\n- # inner\n", "Page embed"),
        ("- # in a list\n> # in a quote\n", "file.name"),
        ("#\n\n## Second\n", "Second"),
        ("no head\n", "file.name"),
        ("", "file.name"),
    ],
)
def test_the_title_is_front_matter_then_heading_then_file_name(text, title):
    assert read(text).title == title


@pytest.mark.parametrize(
    ("path", "title"), [("🐘.md", "🐘"), ("a/v1.2 plan.markdown", "v1.2 plan"), ("a/b.TXT", "b"), (".md", ".md")]
)
def test_the_stem_keeps_dots_and_odd_characters(path, title):
    assert read_note(path, b"").title == title


def test_headings_have_their_line_and_their_place_in_the_text():
    note = read("---\na: b\n---\n\n# One `x`\n\ntext\n\nTwo\n---\n> ### Three &amp; four\n")
    assert [(heading.level, heading.text, heading.line) for heading in note.headings] == [
        (1, "One x", 5),
        (2, "Two", 9),
        (3, "Three & four", 11),
    ]
    for heading in note.headings:
        assert note.text.startswith(heading.text, heading.offset)
        assert 1 + note.text.count("\n", 0, heading.offset) == heading.line


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#one and #nested/two, (#three) **#four**\n", ("one", "nested/two", "three", "four")),
        ("# Head #five\n- #six-seven_8\n", ("five", "six-seven_8")),
        ("#übung #日本 #🐘x #project\n", ("übung", "日本", "🐘x", "project")),
        ("#123 #1a C# a#b \\#no &#35;x http://x.y/#z x/#y ##no\n", ("1a",)),
        ("```\n#include\n```\n`#code` [#label](x.md) <b id='#q'>\n\n    #indented\n", ()),
        ("#[[multi word]] x #Same #same\n", ("Same", "multi word")),
        ("tags:: [[a b]], #c\nalias:: x, y\n", ("a b", "c")),
        ("#end/ #-\n", ("end",)),
    ],
)
def test_tags_are_words_behind_a_hash_outside_code_links_and_urls(text, tags):
    assert sorted(read(text).tags) == sorted(tags)


def test_plain_text_files_hold_no_markup():
    note = read_text("a/b c.txt", "# no [[link]]\r\n#tag")
    assert (note.title, note.text, note.headings, note.links, note.tags) == ("b c", "# no [[link]]\n#tag", (), (), ())


PIECES = st.sampled_from(
    [
        "# ", "## h", "- ", "> ", "```", "~~~\n", "    ", "\t", "|", "|-|-|", "[[", "]]", "![[a|", "[x](y.md)", "<div>",
        "</p>", "<!--", "-->", "<br>", "*", "_", "`", "\\", "&amp;", "&#10;", "&#13;", "^id", "#tag", "$", "[^1]",
        "[^1]: ", "---", "===", "\n", "\n\n", "\r\n", "\r", "a", "word ", "é", "日本", "😀", "\u2028", "\0", "id:: x",
        "1. ", "[!note] ", "%%", "title: x", "- [ ] ", "[r]: z.md", "<script>", "{{embed ", "((", "  \n", "...\n",
        "---\n", "\n\n\t- ", "\n\n    * [[b]]",
    ]
)  # fmt: skip


@given(st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(st.characters(exclude_categories=()))))
def test_every_line_break_of_the_source_is_one_newline_of_the_text(source):
    note = read(source)
    assert note.text.count("\n") == source.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    for heading in note.headings:
        assert 1 + note.text.count("\n", 0, heading.offset) == heading.line
        assert note.text[heading.offset :].split()[: len(heading.text.split())] == heading.text.split()
    lines = note.text.count("\n") + 1
    assert all(1 <= link.line <= lines and link.target for link in note.links)
    note.text.encode()


@given(st.binary(max_size=200), st.sampled_from(["a.md", "b.txt"]))
def test_reading_never_raises_but_for_binary_data(data, path):
    with suppress(NotText):
        read_note(path, data)


def test_too_long_a_text_is_cut_at_a_line_and_told(monkeypatch):
    monkeypatch.setattr(reading, "MAX_TEXT", 12)
    note = read_note("a.md", b"one two\nthree four\n")
    assert note.text == "one two\n"
    assert len(note.problems) == 1


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 50_000,
        "- " * 3_000 + "x",
        "> " * 3_000,
        "a " + " " * 200_000 + "^",
        "#" * 100_000,
        "<a " * 50_000,
        "<!--" * 20_000,
        "<div>\n" + " " * 100_000 + "x\n",
        "[[a|" * 20_000,
        "x:: " + " " * 100_000 + "y",
        "\n".join("\t" * depth + "- x\n" for depth in range(1, 300)),
    ],
)
def test_hostile_markdown_is_read(hostile):
    read(hostile)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#tag, (#in) [#box] \"#said\" '#so'; #end.", ("tag", "in", "box", "said", "so", "end")),
        ("#a/b/c #tag-with-dash #tag_with_line #ümlaut #中文 #日本語タグ #тег #한국", (
            "a/b/c", "tag-with-dash", "tag_with_line", "ümlaut", "中文", "日本語タグ", "тег", "한국")),
        ("#1 #2026 #12a #a1", ("12a", "a1")),
        ("# heading\n## two\n##heading\n###### #six\n", ("six",)),
        ("\\#no &#39; &#x27; &num;x a#b C# F#m #", ()),
        ("https://x.y/z#frag <https://x.y#f> [t](x.md#f) [[x#f]] ![[y#g]] file.md#part", ()),
        ("`#include` ``#define x``\n```c\n#include <a>\n```\n~~~\n#pragma\n~~~\n\n    #ifdef\n", ()),
        ("> [!note] #call\n> #quoted\n\n- [ ] #task\n\n| #cell | b |\n|---|---|\n| c | #last |\n", (
            "call", "quoted", "task", "cell", "last")),
        ("text\n#line\n\t#tabbed x\n", ("line", "tabbed")),
        ("note[^1]\n\n[^1]: #foot\n", ("foot",)),
        ("<div>\n#html\n</div>\n\n<!-- #comment -->\n", ()),
        ("**#bold** _#it_ ~~#gone~~ ==#marked==", ("bold", "gone", "it")),
    ],
)  # fmt: skip
def test_every_kind_of_inline_tag_and_of_what_is_none(text, tags):
    assert sorted(read(text).tags) == sorted(tags)


@pytest.mark.parametrize(
    "hostile",
    [
        "a\n:LOGBOOK:\n" * 2_000,
        "%% [[a]] " * 20_000,
        "<a href=" * 20_000,
        "<div>\n" + '<a href="' * 20_000,
        "<div>\n" + "<a href='x'>" * 20_000,
        "((" * 50_000,
        "{{embed ((" * 20_000,
        "alias:: " + "[[" * 20_000,
        "tags:: " + " " * 50_000 + ",",
        "tags:: " + '"' * 50_001,
        "---\ntags: " + "#" * 50_000 + "\n---\n",
        "---\n" + "tags: [#a, " * 5_000 + "\n---\n",
    ],
)
def test_hostile_links_and_properties_are_read(hostile):
    assert read(hostile).text.count("\n") == hostile.count("\n")


def test_one_line_of_ten_megabytes_is_read():
    line = "many words " * 950_000 + "[[link]] #tag"
    note = read(line + "\nlast")
    assert [link.target for link in note.links] == ["link"]
    assert note.tags == ("tag",)
    assert note.text.endswith("\nlast")
