"""Notebooks: cells as places, Markdown read, code as it stands, and outputs that do not drown it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.decoding import NotText
from core.notes.formats import notebook, parts
from core.notes.formats.notebook import read_notebook


def markdown(source):
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs), "execution_count": 1}


def stream(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(**data):
    return {"output_type": "execute_result", "data": {key.replace("_", "/"): value for key, value in data.items()}}


def read(*cells, **more):
    data = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more}).encode()
    return read_notebook("work/The analysis.ipynb", data)


def test_cells_are_places_counted_over_all_of_them():
    note = read(markdown("intro"), code(""), code("x = 1"), {"cell_type": "raw", "source": "raw"})
    assert note.text == "intro\n\fx = 1\n\fraw"
    assert [(place.name, note.text[place.offset]) for place in note.places] == [
        ("cell 1", "i"),
        ("cell 3", "x"),
        ("cell 4", "r"),
    ]


def test_lines_of_a_source_may_be_a_list():
    assert read(markdown(["# A\n", "\n", "b"]), code(["x = 1\n", "y"])).text == "A\n\nb\n\fx = 1\ny"


def test_markdown_cells_have_headings_links_and_tags_and_code_has_none():
    note = read(
        code("# not a heading\n[[not a link]] #nottag"), markdown("text\n## Part\n[[Note#There|l]] ![](b.md) #tag")
    )
    assert note.title == "Part"
    assert [(each.level, each.text, each.line) for each in note.headings] == [(2, "Part", 4)]
    assert note.text[note.headings[0].offset :].startswith("Part")
    assert [(link.target, link.fragment, link.line) for link in note.links] == [("Note", "There", 5), ("b.md", "", 5)]
    assert note.tags == ("tag",)
    assert "# not a heading\n[[not a link]] #nottag" in note.text


@pytest.mark.parametrize(
    ("cells", "title"),
    [
        ([markdown("para"), markdown("# One\n# Two")], "One"),
        ([code("# One")], "The analysis"),
        ([markdown("---\ntitle: no front matter\n---\nx")], "title: no front matter"),  # a heading, underlined
        ([], "The analysis"),
    ],
)
def test_the_title_is_the_first_markdown_heading_else_the_file_name(cells, title):
    assert read(*cells).title == title


def test_outputs_are_plain_text_without_pictures_and_colours():
    note = read(
        code(
            "f()", stream("\x1b[31mred\x1b[0m\nline\n"), result(text_plain=["<Fig", "ure>"], image_png="iVBORw0KG" * 99)
        ),
        code("", result(text_plain="alone", text_html="<b>alone</b>")),
        code("g()", {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["long"]}),
    )
    assert note.text == "f()\n\nred\nline\n<Figure>\n\falone\n\fg()"


def test_outputs_of_a_cell_are_cut_together():
    note = read(code("x", stream("a" * 1_500), stream("b" * 1_500), stream("c" * 1_500)), code("y", stream("d")))
    assert note.text == "x\n\n" + "a" * 1_500 + "\n" + "b" * 500 + "\n\fy\n\nd"
    assert notebook.MAX_OUTPUT == 2_000


def test_the_format_before_four_is_read():
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["A heading"]},
        {"cell_type": "code", "input": ["x = 1"], "outputs": [{"output_type": "pyout", "text": ["1"]}]},
        {"cell_type": "markdown", "source": "see [[Note]]"},
    ]
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
    note = read_notebook("x.ipynb", data)
    assert note.text == "A heading\n\fx = 1\n\n1\n\fsee Note"
    assert (note.title, note.headings[0].level, note.links[0].target) == ("A heading", 2, "Note")


@pytest.mark.parametrize("data", [b"", b"\n", b"{}", b'{"nbformat":4}', b'{"cells":[]}', b'{"cells":null}'])
def test_an_empty_notebook_is_an_empty_note(data):
    note = read_notebook("x.ipynb", data)
    assert (note.title, note.text, note.places, note.problems) == ("x", "", (), ())


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"print(1)",
        b"[]",
        b"3",
        b'{"nodes":[]}',
        b'{"cells":[}',
        bytes(range(256)) * 4,
        b"[" * 200_000,
        b'{"cells":' * 200_000,
        b'{"cells":[' + b"{}," * 5_000_000 + b"{}]}",
        b'{"' + b'\\"' * 1_000_000,
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_notebook_is_refused_with_a_sentence(data):
    with pytest.raises(NotText, match=r"^This .*\.$"):
        read_notebook("x.ipynb", data)


def test_an_output_of_fifty_megabytes_costs_two_thousand_characters():
    note = read(code("x", stream("a line, {of} [output]\n" * 2_300_000)))
    assert len(note.text) <= 2_010
    assert note.problems == ()


def test_text_beyond_the_limit_is_left_out_and_told(monkeypatch):
    monkeypatch.setattr(parts, "MAX_TEXT", 32)
    note = read(markdown("# One\n" + "x" * 20), markdown("# Two\n[[a]]" + "y" * 50), markdown("# Three"), code("z"))
    assert note.text == "One\n" + "x" * 20 + "\n\fTwo\nay"
    assert [heading.text for heading in note.headings] == ["One", "Two"]
    assert note.problems == (parts.TOO_LONG,)


def test_more_markdown_than_is_read_is_kept_as_text(monkeypatch):
    monkeypatch.setattr(parts, "_MAX_MARKDOWN", 1_000)
    note = read(markdown("# One"), markdown("# Two\n" + "x" * 1_000))
    assert note.text.startswith("One\n\f# Two\nx")
    assert "plain text" in note.problems[0]


WRONG = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "worksheets", "nbformat", "cell_type", "source", "input", "outputs", "data", "level"]
            ),
            inner | st.sampled_from(["markdown", "code", "heading"]),
            max_size=5,
        )
    ),
)


@given(WRONG)
def test_any_json_gives_a_note_or_not_text(value):
    check(json.dumps(value).encode())
    cell = {"cell_type": "code", "source": value, "outputs": [value, {"data": value, "text": value}]}
    heading = {"cell_type": "heading", "level": value, "source": "x"}
    check(json.dumps({"cells": [value, cell, heading]}).encode())


@given(st.binary(max_size=200))
def test_arbitrary_bytes_give_a_note_or_not_text(data):
    check(data)


@given(st.data())
def test_a_damaged_file_gives_a_note_or_not_text(data):
    good = json.dumps({"nbformat": 4, "cells": [markdown("# [[é]] \ud83d\ude00"), code("x", stream("y"))]}).encode()
    broken = bytearray(good[: data.draw(st.integers(1, len(good)))])
    broken[data.draw(st.integers(0, len(broken) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    check(bytes(broken))


def check(data):
    try:
        note = read_notebook("x.ipynb", data)
    except NotText as reason:
        assert str(reason).endswith(".")  # noqa: PT017 - either is right
        return
    note.text.encode()
    assert not note.places or note.places[0].offset == 0
