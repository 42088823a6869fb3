"""Which reader a file gets, what that loads, and the limits that hold for every format."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.notes import reading
from core.notes.reading import READERS, read_note
from core.notes.suffixes import NOTE_SUFFIXES


def test_there_is_a_reader_for_exactly_the_suffixes_that_are_notes():
    assert sorted(READERS) == sorted(NOTE_SUFFIXES)


def test_reading_markdown_loads_no_library_of_another_format():
    code = (
        "import sys; from core.notes.reading import read_note; read_note('a.md', b'# x');"
        "print([name for name in ('pypdfium2', 'docx', 'orgparse', 'selectolax') if name in sys.modules])"
    )
    project = Path(__file__).resolve().parents[3]
    ran = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, timeout=50)
    assert (ran.stdout.strip(), ran.stderr) == ("[]", "")


@pytest.mark.parametrize(
    ("path", "data", "title"),
    [
        ("a.md", b"# T", "T"),
        ("a.ORG", b"* T", "T"),
        ("a.rst", b"T\n=", "T"),
        ("a.HTML", b"<h1>T", "T"),
        ("a.htm", b"<h1>T", "T"),
        ("a.txt", b"# T", "a"),
    ],
)
def test_the_suffix_decides_in_any_case(path, data, title):
    assert read_note(path, data).title == title


@pytest.mark.parametrize("suffix", [".md", ".txt", ".org", ".rst", ".html"])
def test_long_texts_are_cut_at_a_lines_end_in_every_format(monkeypatch, suffix):
    monkeypatch.setattr(reading, "MAX_TEXT", 12)
    note = read_note(f"a{suffix}", b"one two\nthree four\n")
    assert (note.text, len(note.problems)) == ("one two\n", 1)


def test_a_line_that_takes_more_than_half_of_what_is_read_is_not_lost(monkeypatch):
    monkeypatch.setattr(reading, "MAX_TEXT", 12)
    assert read_note("a.txt", b"a\nbcd efg hij klm").text == "a\nbcd efg "
    assert read_note("a.txt", b"a\n" + b"b" * 40).text == "a\n" + "b" * 10


@pytest.mark.parametrize(
    ("suffix", "link"),
    [(".md", "[x](a.md) "), (".org", "[[T]] "), (".rst", "`x <a.rst>`_ "), (".html", "<a href=b>x</a>")],
)
def test_no_note_has_more_links_than_the_limit(monkeypatch, suffix, link):
    monkeypatch.setattr(reading, "MAX_LINKS", 3)
    note = read_note(f"a{suffix}", (link * 5).encode())
    assert (len(note.links), len(note.problems)) == (3, 1)
