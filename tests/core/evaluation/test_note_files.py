"""Documents as notes: safe paths for any id, the way back, and texts with their titles."""

import os
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import IndexFileError
from core.evaluation.datasets import Document
from core.evaluation.note_files import note_paths, note_text, write_notes
from core.notes.folder import scan_folder
from core.notes.reading import read_note

ODD = (
    "..", ".", "../../up", "/etc/passwd", "a/../b", "a//b", "a/./b", "\\\\server\\x", "C:\\x", "nul", "COM1.md", "a:b",
    "what?", "*", "tab-less", "new\u2028line", "x" * 300, "é" * 150, "d/" * 60 + "x", ".hidden", ".git/config",
    "node_modules/x", ".trash/x", "logseq/bak/x", "~$lock", ".#lock", "#auto#", "thumbs.db", "ends.", "ends /x",
    " begins", "\ud800", "\x00", "a", "A", "a.md", "A.MD", "a.md/b", "caf\u00e9", "cafe\u0301", "CAFE\u0301",
    "Foo/x", "foo/y", "ﬁ", "fi", "x/.md", ".md", "", "日本語", "💥/💥",
)  # fmt: skip


def test_an_id_is_its_own_path_with_md_added_where_it_is_missing():
    ids = ["plain", "with.md", "UPPER.MD", "folder/deep/note", "v1.2", "Mākaha, Hawaii", "notes.txt"]
    assert list(note_paths(ids).values()) == [
        "plain.md", "with.md", "UPPER.MD", "folder/deep/note.md", "v1.2.md", "Mākaha, Hawaii.md", "notes.txt.md",
    ]  # fmt: skip


def test_odd_ids_give_notes_inside_the_folder_that_a_scan_finds_and_that_lead_back(tmp_path):
    folder = tmp_path / "one" / "notes"
    documents = [Document(identity, "", f"text {number}") for number, identity in enumerate(ODD)]
    paths = note_paths(ODD)
    write_notes(documents, paths, folder)
    assert {path.relative_to(tmp_path).parts[:2] for path in tmp_path.rglob("*") if path.is_file()} == {
        ("one", "notes")
    }
    scan = scan_folder(folder)
    assert scan.problems == ()
    document_by_path = {path: identity for identity, path in paths.items()}
    assert sorted(document_by_path[file.path] for file in scan.files) == sorted(ODD)
    for document in documents:
        assert (folder / paths[document.id]).read_text("utf-8") == document.text


@given(st.lists(st.text(alphabet=st.sampled_from("aA.é/ \\:md~#\u0301ﬁ"), max_size=8), unique=True, max_size=12))
def test_no_two_ids_share_a_path_on_a_file_system_that_knows_no_cases(ids):
    paths = list(note_paths(ids).values())
    files = {normalize("NFC", normalize("NFKD", path).casefold()) for path in paths}
    assert len(files) == len(ids)
    folders = {
        normalize("NFC", normalize("NFKD", str(parent)).casefold()) for path in paths for parent in Path(path).parents
    }
    assert not files & folders
    assert all(".." not in Path(path).parts and not path.startswith("/") for path in paths)


def test_paths_do_not_depend_on_what_comes_later():
    assert note_paths(["a", "A", "b/c"])["A"] == note_paths(["a", "A"])["A"]
    assert note_paths(["x:y", "z"])["x:y"] == note_paths(["x:y"])["x:y"]


def test_a_document_that_has_the_name_an_odd_id_would_get_keeps_it():
    taken = note_paths([".."])[".."]
    paths = note_paths([taken, ".."])
    assert paths[taken] == taken
    assert paths[".."] != taken


@pytest.mark.parametrize(
    "title, text, found",
    [
        ("A title", "body", "A title"),
        ("", "body", "note"),
        ("", "# Heading\n\nbody", "Heading"),
        ('Quotes " and \\ and: colons # [x]', "body", 'Quotes " and \\ and: colons # [x]'),
        ("Two\nlines", "body", "Two lines"),
        ("- dash", "---\n\nbetween two rules\n\n---\n", "- dash"),
        ("Given", "---\ntitle: Own\n---\nbody", "Own"),
        ("Given", "---\ntags: [a]\n---\nbody", "Given"),
        ("日本", "---\nnot closed", "日本"),
    ],
)
def test_a_note_has_the_documents_title_and_else_what_its_text_says(title, text, found):
    note = read_note("note.md", note_text(Document("note", title, text)).encode())
    assert note.title == found
    assert note.problems == () or "never closed" in note.problems[0]


def test_a_title_adds_nothing_to_the_text_that_is_searched():
    note = read_note("note.md", note_text(Document("note", "Zebra", "body")).encode())
    assert "Zebra" not in note.text


def test_notes_that_are_there_are_not_written_again_and_a_broken_one_is(tmp_path):
    documents = [Document("a", "", "first"), Document("b", "", "second")]
    paths = note_paths(["a", "b"])
    write_notes(documents, paths, tmp_path / "notes")
    kept, broken = tmp_path / "notes" / "a.md", tmp_path / "notes" / "b.md"
    before = kept.stat()
    broken.write_text("sec", "utf-8")
    write_notes(documents, paths, tmp_path / "notes")
    assert kept.stat().st_ctime_ns == before.st_ctime_ns
    assert broken.read_text("utf-8") == "second"
    assert broken.stat().st_mtime == before.st_mtime


@pytest.mark.skipif(os.name != "posix", reason="a file where a folder must be")
def test_a_folder_that_cannot_be_written_is_a_stated_failure(tmp_path):
    (tmp_path / "notes").write_text("a file", "utf-8")
    with pytest.raises(IndexFileError, match="cannot be written"):
        write_notes([Document("a", "", "x")], {"a": "a.md"}, tmp_path / "notes")
