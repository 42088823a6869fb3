"""HTML: what a reader sees of a page, on the lines of its file."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.decoding import NotText
from core.notes.formats.html import decode_html, read_html


def read(source):
    return read_html("folder/file.name.html", source)


def links(source):
    return [(link.target, link.fragment, link.label, link.line) for link in read(source).links]


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("<p>caf&eacute; &amp; t&#xe9; &lt;b&gt;</p>\n", "café & té <b>\n"),
        ("<p>one</p><p>two</p><ul><li>a<li>b</ul>x<br>y\n", "one two a b x y\n"),
        ("in<b>si</b>de  <i> word </i>\n", "inside word\n"),
        ("<script>\nvar a = '<p>no';\n</script>\n<style>p{}</style>yes\n", "\n\n\nyes\n"),
        ("<template><p>no</p><template>no</template>no</template>yes", "yes"),
        ("<noscript>no</noscript>yes", "yes"),
        ("a<!-- <p>no\n-->b\n", "a\nb\n"),
        ("<!DOCTYPE html><?xml no?>yes", "yes"),
        ("<div\n class='a>b'\n>text</div>\n", "\n\ntext\n"),
        ("    <p>\n        indented\n    </p>\n", "\nindented\n\n"),
        ("<pre>  keep\n    this</pre>\n", "  keep\n    this\n"),
        ("a &#10; b &NewLine; c\nd", "a b c\nd"),
        ("<img src=x.png alt='A picture'> here", "A picture here"),
        ("1 < 2 and 3<4 </ b\n", "1 < 2 and 3<4 </ b\n"),
        ("<p>lost <a href='x>never closed\n<b>still</b> read", "lost never closed\nstill read"),
        ("<title>T\n</title><script>unclosed\nx", "\n\n"),
        ("<td>a</td><td>b</td>", "a b"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("&#" + "1" * 6000 + "; x", "\ufffd x"),
        ("&#1; x&#xD800;", "x\ufffd"),
        ("", ""),
    ],
)
def test_markup_is_taken_off_and_lines_stay(source, plain):
    text = read(source).text
    assert (text.lstrip(" ") if not plain.startswith(" ") else text) == plain


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title>Own &amp;\n title</title><h1>Head</h1>", "Own & title"),
        ("<title> </title><h2>Head <b>two</b></h2>", "Head two"),
        ("<p>text", "file.name"),
        ("<svg><title>Icon</title></svg><h1>Head</h1>", "Head"),
        ("<title>Not closed\n<p>text", "Not closed"),
        ("<TITLE>First</TITLE><title>Second</title>", "First"),
    ],
)
def test_the_title_is_the_pages_own_else_its_first_heading_else_the_files_name(source, title):
    assert read(source).title == title


def test_headings_have_their_place_in_the_text():
    note = read("<h1>One</h1>\n<p>x<h3\n id=a>Two\n words</h3><h2>Open<p>text\n")
    assert [(heading.level, heading.text, heading.line) for heading in note.headings] == [
        (1, "One", 1),
        (3, "Two words", 3),
        (2, "Open", 4),
    ]
    for heading in note.headings:
        assert note.text.startswith(heading.text.split()[0], heading.offset)
        assert note.text.count("\n", 0, heading.offset) + 1 == heading.line


def test_meta_tags_give_tags_date_and_properties():
    note = read(
        "<meta name=Keywords content='one, two words,, One'><meta property='article:tag' content=three>"
        "<meta content='2024-03-01T10:00' name=\"Date\"><meta name=author content='A &amp; B'><meta name=empty content=''>"  # noqa: E501
    )
    assert note.tags == ("one", "two words", "three")
    assert note.date == "2024-03-01"
    assert note.properties == {
        "Keywords": "one, two words,, One",
        "article:tag": "three",
        "Date": "2024-03-01T10:00",
        "author": "A & B",
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x\n<a\nhref='a%20b.html#h%20i'>La <b>bel</b>\nx</a>", [("a b.html", "h i", "La bel x", 2)]),
        ('<a href=../u.md>u</a> <A HREF="v.org">v</A>', [("../u.md", "", "u", 1), ("v.org", "", "v", 1)]),
        ("<a href='a&amp;b.html?x=1&copy=2'>x</a>", [("a&b.html", "", "x", 1)]),
        ("<a href='what%3F.html'>x</a>", [("what?.html", "", "x", 1)]),
        ("<a href=a.html>x<a href=b.html>y", [("a.html", "", "x", 1), ("b.html", "", "y", 1)]),
        ("<a href='https://x.org/a.html'>x</a><a href='//x.org'>y</a><a href='#z'>z</a><a href=mailto:a@b>m</a>", []),
        ("<a name=x>x</a><a href=''>y</a><a href='javascript:f()'>z</a>", []),
        ("<!-- <a href=a.html>x</a> --><script>'<a href=b.html>'</script><template><a href=c.html></a></template>", []),
        ("<base href='https://x.org/'><a href='a.html'>x</a>", []),
    ],
)
def test_links_lead_to_notes_with_escapes_and_entities_decoded(source, expected):
    assert links(source) == expected


@pytest.mark.parametrize(
    ("data", "text", "told"),
    [
        ("<meta charset=utf-8>é".encode(), "é", False),
        ("<meta charset='windows-1251'>Привет".encode("cp1251"), "Привет", False),
        ("<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>日本".encode("cp932"), "日本", False),
        ("<meta charset=iso-2022-jp>日本".encode("iso2022_jp"), "日本", False),
        ("<meta charset=windows-1251>é".encode(), "é", False),
        ("<meta charset=latin1>é".encode("utf-16"), "é", False),
        ("<meta charset=hex>für".encode("cp1252"), "für", True),
        ("<meta charset=no-such>für".encode("cp1252"), "für", True),
        ("<?xml version='1.0' encoding='iso-8859-1'?>“für”".encode("cp1252"), "“für”", False),
    ],
)
def test_the_encoding_is_the_bytes_own_else_the_declared_one(data, text, told):
    decoded = decode_html(data)
    assert read_html("a.html", decoded.text).text == text
    assert (decoded.problem is not None) == told


def test_a_binary_file_is_no_page():
    with pytest.raises(NotText):
        decode_html(bytes(range(256)) * 100)


PIECES = st.sampled_from(
    [
        "<", ">", "</", "<!--", "-->", "<!", "<a href=", "<a href='x.md'>", "</a>", "'", '"', "=", "&", "&amp;", "&#10;",  # noqa: E501
        "\n", "\r\n", " ", "\t", "<h1>", "</h1>", "<h2 ", "<pre>", "</pre>", "<script>", "</script>", "<title>", "</title>",  # noqa: E501
        "<template>", "</template>", "<p>", "<svg>", "</svg>", "<img alt='a\nb'>", "<meta name=keywords content='k\n'>",
        "word", "é", "\0", "\f", "/",
    ]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join))
def test_whatever_is_written_keeps_its_lines(source):
    note = read(source)
    assert note.text.count("\n") == source.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    for heading in note.headings:
        assert note.text.startswith(heading.text.split()[0], heading.offset)
        assert note.text.count("\n", 0, heading.offset) + 1 == heading.line
    assert all(1 <= link.line <= note.text.count("\n") + 1 for link in note.links)


TAGS = st.sampled_from(
    ["<p>", "</p>", "<b\n>", "<!-- \n -->", " ", "\n", "<pre>", "</pre>", "&amp;", "<a href=x\n>", "</a>", "<"]
)


@given(st.lists(TAGS, max_size=40))
def test_every_word_stands_on_the_line_of_the_file_that_holds_it(tags):
    source = "".join(f"{tag} w{number}w " for number, tag in enumerate(tags))
    rows, read_rows = source.split("\n"), read(source).text.split("\n")
    assert len(rows) == len(read_rows)
    for number in range(len(tags)):
        word = f"w{number}w"
        assert [word in row for row in rows] == [word in row for row in read_rows]


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<a ",
        "<",
        "<a href='",
        "<title>",
        "<svg><title>",
        "<!--",
        "<template>",
        "<h1>a",
        "&#1",
        "x ",
        "\0",
        "</",
    ],
)
def test_hostile_pages_cost_time_in_proportion_to_their_size(piece):
    def seconds(size):
        begin = time.process_time()
        read(piece * (size // len(piece)))
        return time.process_time() - begin

    seconds(1000)
    # Quadratic work would take a hundred times as long; the floor is for the clock's own grain.
    assert seconds(1_000_000) < 40 * max(seconds(100_000), 0.005)


def test_a_hundred_thousand_nested_elements_are_read():
    assert read("<div>" * 100_000 + "deep").text.strip() == "deep"
