"""Opening in the chosen editor: file names stay file names, and notes decide nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.editor import EXAMPLES, EditorAddress, EditorCommand, EditorError, check_template, editor_for

FOLDER = Path("notes").absolute()
PYTHON = sys.executable


@pytest.mark.parametrize("template", [template for _name, template in EXAMPLES])
def test_every_example_can_be_stored(template: str) -> None:
    check_template(template)


@pytest.mark.skipif(sys.platform == "win32", reason="names that POSIX allows")
@given(st.text(st.characters(blacklist_characters="\0/", blacklist_categories=["Cs"]), min_size=1, max_size=40))
def test_any_file_name_is_one_argument_and_never_more(name: str) -> None:
    opened = editor_for(f'"{PYTHON}" -g {{file}}:{{line}} --wait', FOLDER, name, 12)
    assert isinstance(opened, EditorCommand)
    assert opened.arguments == ("-g", f"{FOLDER / name}:12", "--wait")


@given(st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=40))
def test_any_file_name_is_one_value_of_an_address(name: str) -> None:
    opened = editor_for("obsidian://open?path={path}&line={line}", FOLDER, name, 3)
    assert isinstance(opened, EditorAddress)
    head, _, tail = opened.address.partition("path=")
    value, _, line = tail.partition("&line=")
    assert (head, line) == ("obsidian://open?", "3")
    assert not set(value) & set("&#?/ ")


def test_a_note_that_looks_like_an_option_is_given_with_its_whole_path() -> None:
    opened = editor_for(f'"{PYTHON}" {{file}}', FOLDER, "--help", None)
    assert opened == EditorCommand(PYTHON, (str(FOLDER / "--help"),))


def test_a_command_without_a_place_gets_the_file_at_its_end() -> None:
    assert editor_for(f'"{PYTHON}"', FOLDER, "a.md", 1).arguments == (str(FOLDER / "a.md"),)


def test_a_format_without_lines_opens_at_its_first() -> None:
    assert editor_for(f'"{PYTHON}" +{{line}}', FOLDER, "a.pdf", None).arguments[0] == "+1"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ('code "{file}', "cannot be read"),
        ("code {line", None),
        ("code {column}", "{column}, which is nothing"),
        ("code {file.__class__}", None),
        ("javascript://{file}", "names no editor"),
        ("https://example.org/{file}", "names no editor"),
        ("FILE:///x", "names no editor"),
    ],
)
def test_a_template_that_names_no_editor_says_why(template: str, said: str | None) -> None:
    if said is None:
        check_template(template)
    else:
        with pytest.raises(EditorError, match=said):
            check_template(template)


def test_a_program_that_is_not_installed_is_a_sentence() -> None:
    with pytest.raises(EditorError, match="no-such-editor"):
        editor_for("no-such-editor {file}", FOLDER, "a.md", 1)
