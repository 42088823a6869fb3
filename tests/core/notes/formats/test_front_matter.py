"""Front matter: when it is one, what it says of the note, and what becomes of it when YAML cannot read it."""

import json
import time

import pytest

from core.notes.formats.front_matter import cut_front_matter, date_in, tags_in
from core.notes.formats.markdown import read_markdown


def note(front, body="body\n", **options):
    return read_markdown("folder/file.md", f"---\n{front}\n---\n{body}", **options)


@pytest.mark.parametrize(
    "text",
    [
        "----\na: b\n----\n",
        "--- x\na: b\n---\n",
        " ---\na: b\n---\n",
        "\n---\na: b\n---\n",
        "---\nnever closed\n\ntext\n",
        "---\n\na paragraph between two rules\n\n---\n",
        "text\n\n---\na: b\n---\n",
        "---",
        "",
    ],
)
def test_only_a_closed_mapping_between_exact_fences_on_line_one_is_front_matter(text):
    assert cut_front_matter(text).lines == 0
    assert read_markdown("x.md", text).problems == ()


@pytest.mark.parametrize("text", ["---\na: b\n---\n", "--- \na: b\n---\t\n", "---\na: b\n...\nbody", "---\na: b\n---"])
def test_fences_may_have_trailing_space_and_end_in_dots_or_with_the_file(text):
    front = cut_front_matter(text)
    assert front.properties == {"a": "b"}
    assert front.text.count("\n") == text[: front.end].count("\n")


def test_values_become_json_and_dates_iso_strings():
    read = note(
        "created: 2031-05-02\nat: 2031-05-02 10:00:00\nbad: 2031-13-45\nn: 3\nx: 1.5\nt: true\nyes: no\ntime: 12:30\n"
        "zip: 007\nhuge: 1e999\nnan: .nan\nlist: [1, [a]]\nmap: {1: {b: 2031-01-01}}\nnone:\nn: 4"
    )
    assert read.properties == {
        "created": "2031-05-02", "at": "2031-05-02T10:00:00", "bad": "2031-13-45", "n": 4, "x": 1.5, "t": True,
        "yes": "no", "time": "12:30", "zip": "007", "huge": "1e999", "nan": ".nan", "list": [1, ["a"]],
        "map": {"1": {"b": "2031-01-01"}}, "none": None,
    }  # fmt: skip
    json.dumps(read.properties, allow_nan=False)
    assert read.date == "2031-05-02"


@pytest.mark.parametrize(
    ("front", "line"),
    [
        ("path: C:\\x: y", 2),
        ("ok: 1\ntitle: *x*", 3),
        ("- [[a]]suffix", 2),
        ("a: 1\nb: {{date}}\n", 3),
        ("a: &x [1]\nb: *x", 3),
        ("a: @b", 2),
        ("? [a]\n: b", 2),
        ("a: !!python/object:os.system {}", 2),
    ],
)
def test_what_yaml_cannot_read_is_one_problem_and_the_body_is_indexed(front, line):
    read = note(front)
    assert read.properties == {}
    (problem,) = read.problems
    assert problem.startswith(f"Its front matter could not be read as YAML (line {line}: ")
    assert problem.endswith("); it is indexed as plain text.")
    assert read.text.endswith("body\n")


@pytest.mark.parametrize(
    "front",
    [
        "a: " + "[" * 30_000,
        "- " * 30_000 + "x",
        "\n".join(" " * depth + "a:" for depth in range(300)),
        "a: &a [x,x]\n"
        + "\n".join(f"{b}: &{b} [{','.join(['*' + a] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "a: !!bool q",
        "a: !!timestamp q\nb: !!binary =\n",
        "x" * 70_000,
        "k: " + "a" * 60_000 + "!",
        "k" + " " * 60_000 + "x",
        "k: " + "deadbeef" * 7_000 + "!",
        "\x00: \x01",
        "a: \ud800",
    ],
)
def test_hostile_front_matter_is_read_quickly_and_never_raises(front):
    start = time.process_time()
    note(front)
    assert time.process_time() - start < 5


def test_unreadable_front_matter_stays_searchable_and_its_links_count():
    read = note('related: "[[Other note|shown]]"\nfoo: bar: baz')
    assert "related: shown" in read.text
    assert "foo: bar: baz" in read.text
    assert [(link.target, link.line) for link in read.links] == [("Other note", 2)]


def test_values_stay_on_their_lines_without_fences_and_noise():
    read = note(
        "id: 3472226a-ff3c-432d-bf5d-10926f39f6c2\ntitle: T\ndesc: 'About boats'\nupdated: 1660920582709\n"
        'created: 2031-05-02\npages:\nauthor:\n  - "[[Ada Lovelace]]"\ntags:\n  - book\nstub: false\n'
        "key: rec9FgRy8E1tJ3L4p"
    )
    lines = read.text.split("\n")
    assert [(number, line) for number, line in enumerate(lines, 1) if line.strip()] == [
        (4, "desc: About boats"),
        (9, "Ada Lovelace"),
        (15, "body"),
    ]


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: a, '#b' ,c/d", ("a", "'#b'", "c/d")),
        ("tags: one two", ("one", "two")),
        ("Tags: [x, '#y', z/w]", ("x", "y", "z/w")),
        ("tag: single", ("single",)),
        ("keywords: machine learning, boats", ("machine learning", "boats")),
        ("tags:\n - 2031\n - '[[Page]]'\n - \n - X\n - x", ("2031", "Page", "X")),
        ("tags:", ()),
        ("tags: {a: b}", ()),
    ],
)
def test_tags_come_from_strings_and_lists(front, tags):
    assert note(front).tags == tuple(tag for tag in tags)


@pytest.mark.parametrize(
    ("front", "aliases"),
    [("alias: One name, with comma", ("One name, with comma",)), ("ALIASES: [a, B, 3]", ("a", "B", "3")), ("x: y", ())],
)
def test_aliases_are_a_string_or_a_list_under_a_key_in_any_case(front, aliases):
    assert note(front).aliases == aliases


@pytest.mark.parametrize(
    ("front", "date"),
    [
        ("updated: 2031-01-03\ncreated: 2031-01-02\ndate: 2031-01-01", "2031-01-01"),
        ("date: soon\ncreated: 2031-01-02", "2031-01-02"),
        ("date: '{{date}}'\nupdated: 2031-01-03", "2031-01-03"),
        ("Created: 2031/1/2", "2031-01-02"),
        ("date: 2031-01-02 09:30", "2031-01-02"),
        ("date: 2031-01-02T23:59:59Z", "2031-01-02"),
        ("date: '[[2031-01-02]]'", "2031-01-02"),
        ("date: 20310102", "2031-01-02"),
        ("date: 2031", None),
        ("date: 2031-02-30", None),
        ("date: true", None),
        ("date: [2031-01-01]", None),
        ("date: 99999999999999999", None),
    ],
)
def test_the_date_is_the_first_of_three_that_can_be_read(front, date):
    assert note(front).date == date


@pytest.mark.parametrize("stamp", [1595635200, 1595635200.5, 1595635200000, "1595635200000"])
def test_a_number_is_seconds_or_milliseconds_in_local_time(stamp, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    try:
        assert date_in(stamp) == "2020-07-25"
        monkeypatch.setenv("TZ", "America/Los_Angeles")
        time.tzset()
        assert date_in(stamp) == "2020-07-24"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_tags_in_a_plain_number_is_a_tag():
    assert tags_in(2031) == ["2031"]


def test_links_in_values_have_their_line_and_dendron_order():
    read = note("a: '[[x|y]] and ![[z#h]]'\nb:\n - [[q]]")
    assert [(link.kind.value, link.target, link.fragment, link.label, link.line) for link in read.links] == [
        ("wikilink", "x", "", "y", 2),
        ("embed", "z", "h", "", 2),
        ("wikilink", "q", "", "", 4),
    ]
    assert [link.target for link in note("a: '[[label|target]]'", dendron=True).links] == ["target"]


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: 2031-05-02", "2031-05-02"),
        ("title: 2031-05-02 10:00:00", "2031-05-02T10:00:00"),
        ("title: 2031", "2031"),
        ("title: 1.10", "1.10"),
        ("title: 1e3", "1e3"),
        ("title: 007", "007"),
        ("title: +49123", "+49123"),
        ("title: true", "true"),
        ("title: Yes", "Yes"),
        ("title: no", "no"),
        ("title: [a, b, 3]", "a, b, 3"),
        ("title:\n - a\n - [b, c]\n -", "a, b, c"),
        ("title: {a: b}", "file"),
        ("title: null", "file"),
        ("title: ~", "file"),
        ("title: ''", "file"),
        ("title: '  '", "file"),
        ("title: []", "file"),
        ("TITLE: Upper", "Upper"),
        ("title: first\ntitle: second", "second"),
        ("title: |\n  two\n  lines", "two lines"),
        ("title: >-\n  folded\n  lines", "folded lines"),
        ("title: 'it''s: here'", "it's: here"),
        ('title: "caf\\u00e9"', "café"),
        ("title: 🐘 day", "🐘 day"),
        ("title: '[[Page]]'", "Page"),
        ("title: <% tp.file.title %>", "<% tp.file.title %>"),
        ("title: v1.2 plan", "v1.2 plan"),
        ("title: " + "long " * 200, ("long " * 200)[:300]),
    ],
)
def test_a_title_is_whatever_was_written_as_one_line_of_text(front, title):
    assert note(front).title == title
    assert note(front).problems == ()


@pytest.mark.parametrize(
    "front",
    [
        "title: T\n\ttabbed: x",
        "\ttitle: T",
        "list:\n\t- a",
        "title: *x*",
        "title: {{title}}",
        "title: [a, b",
        'title: "a',
        "title: T: U",
        "title: @x",
        "title: `x`",
        "title: %x",
        "a: b\n c: d\n  - e",
        "- [[a]]suffix",
        "path: C:\\x: y",
        "[[a]]: x",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_malformed_front_matter_is_plain_text_with_one_warning(front, newline):
    source = f"---\n{front}\n---\nthe body\n".replace("\n", newline)
    read = read_markdown("file.md", source)
    assert len(read.problems) == 1
    assert read.title == "file"
    assert read.text.count("\n") == front.count("\n") + 4
    for word in ("T", "x", "title", "tabbed", "suffix"):
        assert (word in front) <= (word in read.text)
    assert read.text.endswith("the body\n")


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("---\ntitle: T\ntags: [a]\n\nbody #tag [[link]]\n", True),
        ("---\ntitle:\n", True),
        ("---\ntitle: T", True),
        ("---\nA line, then: more\n\nbody #tag [[link]]\n", False),
        ("---\n\nbody #tag [[link]]\n", False),
        ("----\ntitle: T\n----\nbody #tag [[link]]\n", False),
        ("--- x\ntitle: T\n---\nbody #tag [[link]]\n", False),
        ("***\ntitle: T\n***\nbody #tag [[link]]\n", False),
        ("+++\ntitle = 'T'\n+++\nbody #tag [[link]]\n", False),
        ('{\n  "title": "T"\n}\n\nbody #tag [[link]]\n', False),
    ],
)
def test_what_is_no_front_matter_is_body_and_only_an_unclosed_one_is_told(text, warned):
    read = read_markdown("file.md", text)
    assert len(read.problems) == int(warned)
    assert read.properties == {}
    if "body" in text:
        assert "body #tag link" in read.text
        assert (read.tags, [link.target for link in read.links]) == (("tag",), ["link"])


def test_a_rule_further_down_does_not_close_what_was_never_closed():
    read = read_markdown("file.md", "---\ntitle: T: U\n\n# Head\n\n#tag [[a]] [b](c.md)\n\n---\n\nmore\n")
    assert len(read.problems) == 1
    assert (read.title, read.tags) == ("Head", ("tag",))
    assert [(link.target, link.line) for link in read.links] == [("a", 6), ("c.md", 6)]
    assert [heading.line for heading in read.headings] == [4]


def test_a_blank_line_between_properties_does_not_end_what_yaml_cannot_read():
    read = read_markdown("file.md", "---\ntitle: T\nbad: {{x}}\n\n# more\nother: y\n\n- z\n---\n# Head\n")
    assert len(read.problems) == 1
    assert (read.title, [heading.line for heading in read.headings]) == ("Head", [10])
    assert "other: y" in read.text


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("closing", ["---", "...", "--- "])
def test_mark_newlines_and_closing_fence_change_nothing(mark, newline, closing):
    read = read_markdown("file.md", mark + f"---\ntitle: T\ntags: [a]\n{closing}\nbody".replace("\n", newline))
    assert (read.title, read.tags, read.problems) == ("T", ("a",), ())
    assert read.text.split("\n")[4:] == ["body"]


def test_a_note_may_be_front_matter_alone():
    for text in ("---\ntitle: T\n---", "---\ntitle: T\n---\n", "---\n---\n"):
        read = read_markdown("file.md", text)
        assert read.title == ("T" if "T" in text else "file")
        assert read.text.count("\n") == text.count("\n")
        assert read.problems == ()


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: #a", ("a",)),
        ("tags: #a #b", ("a", "b")),
        ("tags: #a, #b/c", ("a", "b/c")),
        ("tags: [#a, b, #c]", ("a", "b", "c")),
        ("tags: [a, b] # two", ("a", "b")),
        ("tags: # none", ()),
        ("tags:\n  - #a\n  - b # why\n  - '#c'", ("a", "b", "c")),
        ("tags:\n- #a\nother:\n- #not a tag", ("a",)),
        ("TAGS: A", ("A",)),
        ("tAgS: [x]\ntags: [y]", ("x", "y")),
        ("Tag: a\nKeywords: [b]", ("a", "b")),
        ("tags: null", ()),
        ("tags: ''", ()),
        ("tags: []", ()),
        ("tags: [null, '', ~, a]", ("a",)),
        ("tags: [[a, [b]], c]", ("a", "b", "c")),
        ("tags: [true, 2031-01-02, 1.10]", ("true", "2031-01-02", "1.10")),
        ("tags: a/b/c", ("a/b/c",)),
        ("tags: /a/", ("a",)),
        ("tags: übung 日本", ("übung", "日本")),
        ("tags: [machine learning]", ("machine learning",)),
    ],
)
def test_tags_are_found_in_every_way_people_write_them(front, tags):
    read = note(front)
    assert (read.tags, read.problems) == (tags, ())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3), ("-3", -3), ("0", 0), ("+3", "+3"), ("03", "03"), ("0x1F", "0x1F"), ("0o7", "0o7"), ("1_0", "1_0"),
        ("9" * 18, 10**18 - 1), ("9" * 40, "9" * 40), ("1.5", 1.5), ("-0.5", -0.5), ("1.50", "1.50"), (".5", ".5"),
        ("1.", "1."), ("1e5", "1e5"), (".inf", ".inf"), ("true", True), ("False", False), ("yes", "yes"), ("on", "on"),
        ("y", "y"), ("~", None), ("null", None), ("12:30", "12:30"), ("2031-05-02", "2031-05-02"),
        ("2031-5-2", "2031-5-2"), ("2031-05-02T10:00:00Z", "2031-05-02T10:00:00+00:00"), ("=", "="), ("<<", "<<"),
    ],
)  # fmt: skip
def test_a_scalar_is_a_number_only_if_it_would_be_written_the_same(written, value):
    assert note(f"k: {written}").properties == {"k": value}


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("Jan 5th, 2026", "2026-01-05"),
        ("[[Jan 5th, 2026]]", "2026-01-05"),
        ("december 31st, 2025", "2025-12-31"),
        ("Sept. 1, 2025", "2025-09-01"),
        ("Feb 30th, 2026", None),
        ("Foo 5th, 2026", None),
        ("2026_01_05", None),
        (["2026-01-05"], None),
        ({}, None),
        ("", None),
    ],
)
def test_a_date_may_be_written_as_logseq_does(value, date):
    assert date_in(value) == date
