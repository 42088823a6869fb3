"""Org: lines that stay, titles, tags, drawers and links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.formats.org import read_org


def read(source):
    return read_org("folder/file.name.org", source)


def links(source):
    return [(link.target, link.fragment, link.label, link.line) for link in read(source).links]


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("* TODO [#A] Buy *milk* :a:b:\n", "TODO Buy milk\n"),
        ("a *b* /c/ _d_ +e+ =f= ~g~ */h/* 2*3*4 a/b/c\n", "a b c d e f g h 2*3*4 a/b/c\n"),
        ("- [ ] open\n- [X] done\n  1. one\n", "open\ndone\none\n"),
        ("#+begin_src c\n,* x *b*\n#+end_src\ny\n", "\n* x *b*\n\ny\n"),
        ("#+BEGIN_QUOTE\n*b*\n#+END_QUOTE\n", "\nb\n\n"),
        ("#+begin_src\n* head\n", "\nhead\n"),
        ("| a | *b* |\n|---+---|\n", "a | b\n\n"),
        ("# comment\n: fixed *x*\n-----\n", "\nfixed *x*\n\n"),
        (":PROPERTIES:\n:ID: x\n:END:\ntext\n", "\n\n\ntext\n"),
        ("SCHEDULED: <2024-01-02 Tue>\nCLOCK: [2020-99-99]\n", "SCHEDULED: <2024-01-02 Tue>\n\n"),
        ("", ""),
    ],
)
def test_markup_is_taken_off_and_lines_stay(source, plain):
    assert read(source).text == plain


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("#+title: The *bold* one\n* Head\n", "The bold one"),
        ("* TODO Only\n** Sub\n", "Only"),
        ("* One\n* Two\n", "file.name"),
        ("text\n* One\n", "file.name"),
        ("", "file.name"),
    ],
)
def test_the_title_is_the_files_own_else_its_only_headline(source, title):
    assert read(source).title == title


def test_keywords_and_drawers_give_tags_aliases_ids_and_date():
    note = read(
        '#+FILETAGS: :b:a:\n#+DATE: [2024-01-02 Tue]\n:PROPERTIES:\n:ID: 1-a\n:ROAM_ALIASES: "x y" z\n:END:\n'
        "* h :B:c:\n:PROPERTIES:\n:ID: 2-b\n:Effort: 1h\n:END:\n"
    )
    assert (note.tags, note.aliases, note.date) == (("b", "a", "c"), ("x y", "z", "1-a", "2-b"), "2024-01-02")
    assert note.properties["Effort"] == "1h"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\n[[file:x%20y.org::*Head][the\nlabel]]", [("x y.org", "Head", "the label", 2)]),
        (
            "[[id:1-a][n]] [[./x.md]] [[Some Title]]",
            [("1-a", "", "n", 1), ("./x.md", "", "", 1), ("Some Title", "", "", 1)],
        ),
        ("[[https://x.org][w]] [[./p.png]] [[*Head]] [[#c]] [[/etc/x]]", []),
        ("~[[no][x]]~ =[[no]]=\n#+begin_example\n[[no]]\n#+end_example\n: [[no]]", []),
        ("* Mine\n[[Mine]] [[Other]]", [("Other", "", "", 2)]),
        ("| [[T][l]] |", [("T", "", "l", 1)]),
    ],
)
def test_links_lead_to_other_notes(source, expected):
    assert links(source) == expected


PIECES = st.sampled_from(
    ["* ", "\n* h :a:\n", "[[", "]]", "][", "#+begin_src\n", "#+end_src\n", ":PROPERTIES:\n", ":END:\n", ":a: b\n", "=", "~",  # noqa: E501
     "*", "/", "\n", "\r\n", "| ", "- ", "# ", "#+title: ", "<<a>>", "[fn:1]", " ", "word", "\0", ": "]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join))
def test_whatever_is_written_keeps_its_lines(source):
    note = read(source)
    assert note.text.count("\n") == source.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    for heading in note.headings:
        assert note.text.startswith(heading.text.split()[0], heading.offset)
        assert note.text.count("\n", 0, heading.offset) + 1 == heading.line
