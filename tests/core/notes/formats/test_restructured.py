"""reStructuredText: lines that stay, titles, fields and links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.formats.restructured import read_restructured


def read(source):
    return read_restructured("folder/file.name.rst", source)


def links(source):
    return [(link.target, link.fragment, link.label, link.line) for link in read(source).links]


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("A ``l *x*`` *em* **st** :ref:`Lab <l>` `t`_ [1]_\n", "A l *x* em st Lab t\n"),
        ("x::\n\n  *lit*\n\ny *e*\n", "x:\n\n  *lit*\n\ny e\n"),
        (".. note:: Hear *this*\n\n   in *ner*\n", "Hear this\n\nin ner\n"),
        (".. code:: py\n\n   *x*\n", "\n\n   *x*\n"),
        (".. comment\n   more\n\ny\n", "\n\n\ny\n"),
        ("* item\n* two\n", "item\ntwo\n"),
    ],
)
def test_markup_is_taken_off_and_lines_stay(source, plain):
    assert read(source).text == plain


def test_titles_have_the_level_of_their_adornments_order():
    note = read("====\nMain\n====\n\nSub\n---\n\nDeep\n~~~~\n\nNext\n----\n")
    assert [(each.level, each.text, each.line) for each in note.headings] == [
        (1, "Main", 2), (2, "Sub", 5), (3, "Deep", 8), (2, "Next", 11),
    ]  # fmt: skip
    assert note.title == "Main"


def test_fields_at_the_top_are_properties():
    note = read("T\n=\n:Date: 2024-01-02\n:Tags: a, b\n\ntext\n\n:Tags: no\n")
    assert (note.date, note.tags) == ("2024-01-02", ("a", "b"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\n`wrap\n<o.rst#f>`__ :doc:`T <y/z>`", [("o.rst", "f", "wrap", 2), ("y/z", "", "T", 3)]),
        (".. toctree::\n   :maxdepth: 1\n\n   a/b\n   T <c>\n", [("a/b", "", "", 4), ("c", "", "T", 5)]),
        (".. _docs: other.rst\n", [("other.rst", "", "docs", 1)]),
        ("x::\n\n  `n <n.rst>`_\n", []),
        (".. include:: x.rst\n.. image:: x.png\n\n``:doc:`x```  `w <https://x.org>`_", []),
    ],
)
def test_links_lead_to_other_notes(source, expected):
    assert links(source) == expected


PIECES = st.sampled_from(
    ["==\n", "\nab\n", "--\n", "::\n", "  ", ".. ", ".. a::\n", ".. _t: x\n", ".. toctree::\n", ":f: v\n", "`", "``", "*", "**",  # noqa: E501
     "`a <b\n>`_", ":doc:`", "\\", "\n", "\r\n", "| ", ">>> ", "word", "\0", "+-+\n"]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join))
def test_whatever_is_written_keeps_its_lines(source):
    note = read(source)
    assert note.text.count("\n") == source.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    for heading in note.headings:
        assert note.text.startswith(heading.text.split()[0], heading.offset)
        assert note.text.count("\n", 0, heading.offset) + 1 == heading.line
