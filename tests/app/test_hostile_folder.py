"""A folder of everything that people's disks hold, through the command line: nothing is lost, and it comes to rest."""

import json
import os
import socket
import subprocess
import sys
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.index.indexer import needs_update
from core.notes.suffixes import NOTE_SUFFIXES

MB = 1024 * 1024
LINE = "Some words about rivers and stones that fill a long file.\n"


def filled(size: int, unit: str = LINE) -> bytes:
    return (unit.encode() * (size // len(unit) + 1))[:size]


def html(size: int) -> bytes:
    return b"<html><body>" + filled(size - 12, f"<p>{LINE.strip()}</p>\n")


def notebook(size: int) -> bytes:
    cell = json.dumps({"cell_type": "markdown", "metadata": {}, "source": [LINE * 100]}).encode()
    head, end = b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [', b"]}"
    whole = head + b",".join([cell] * ((size - len(head) - 2) // (len(cell) + 1))) + end
    return whole + b" " * (size - len(whole))


def pdf(size: int) -> bytes:
    line = b"(A line of a page that is drawn again and again.) Tj\n"
    packed = zlib.compress(b"BT /F1 12 Tf 72 700 Td " + line * (size // len(line)) + b"ET", 9)
    return (
        b"%%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\n"
        b"endobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>\nendobj\n4 0 obj\n<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream\n"
        b"endobj\n5 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n"
        b"trailer<</Size 6/Root 1 0 R>>\n%%%%EOF"
    ) % (len(packed), packed)


def word_bomb(file: Path) -> None:
    part = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/word/document.xml" ContentType="{part}"/></Types>',
        )
        package.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r" Type="{relation}" Target="word/document.xml"/></Relationships>',
        )
        with package.open("word/document.xml", "w") as document:
            for _ in range(200):
                document.write(b"<w:p>" * 200_000)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "other.md").write_text("# Other\n\nThe lighthouse beside all this.\n", "utf-8")
    return folder


@pytest.fixture
def rest(cli: Callable, tmp_path: Path) -> Callable[[Path], dict]:
    """Return a function that indexes a folder, checks that it is then at rest, and gives what was said of it."""

    def run(folder: Path) -> dict:
        home = tmp_path / "home"
        first = cli("index", folder, "--home", home, "--no-meaning", "--json")
        assert first.code == 0, first.err
        said = json.loads(first.out)
        [index_file] = home.glob("indexes/*/index.db")
        assert not needs_update(folder, index_file, None)
        again = json.loads(cli("index", folder, "--home", home, "--no-meaning", "--json").out)
        assert again == said
        state = json.loads(cli("doctor", folder, "--home", home, "--json").out)
        assert (state["sound"], state["notes"], state["unread"]) == (True, said["notes"], said["skipped"])
        assert state["state"].startswith("up to date")
        assert state["problems"] == said["problems"]
        found = cli("search", "lighthouse", "--folder", folder, "--home", home, "--no-meaning", "--format", "json")
        assert [hit["path"] for hit in json.loads(found.out)["results"]] == ["other.md"]
        return said | {"reasons": {each["path"]: each["reason"] for each in said["problems"]}, "doctor": state}

    return run


TOO_BIG = "It is larger than 64 MB and was left out."
CUT = "It is longer than 32 million characters; only its beginning is indexed."


def test_files_above_the_limit_are_left_out_with_their_reason(notes, rest):
    names = [f"{size}.{suffix}" for size in (65, 100) for suffix in ("md", "txt", "html", "ipynb", "pdf", "docx")]
    for name in names:
        with (notes / name).open("wb") as file:
            file.truncate(int(name.partition(".")[0]) * MB)
    said = rest(notes)
    assert (said["notes"], said["skipped"], said["reasons"]) == (1, len(names), dict.fromkeys(names, TOO_BIG))


@pytest.mark.slow
@pytest.mark.parametrize("size", [60, 64])
@pytest.mark.parametrize(
    ("name", "make"), [("big.md", filled), ("big.txt", filled), ("b.html", html), ("b.ipynb", notebook)]
)
def test_a_file_up_to_the_limit_is_indexed_as_far_as_its_text_is_read(notes, rest, name, make, size):
    content = make(size * MB)
    assert len(content) == size * MB
    (notes / name).write_bytes(content)
    said = rest(notes)
    assert (said["notes"], said["skipped"]) == (2, 0)
    assert CUT in {each["reason"] for each in said["problems"]}


@pytest.mark.parametrize("size", [1, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("suffix", ["md", "txt"])
def test_one_line_of_many_megabytes_is_indexed_whole(notes, rest, size, suffix):
    (notes / f"line.{suffix}").write_bytes(filled(size * MB, LINE.replace("\n", " ")) + b" finally")
    said = rest(notes)
    assert (said["notes"], said["problems"]) == (2, [])


def test_a_file_of_0_bytes_is_a_note_or_listed(notes, rest):
    for suffix in NOTE_SUFFIXES:
        (notes / f"empty{suffix}").touch()
    said = rest(notes)
    assert set(said["reasons"]) == {"empty.pdf", "empty.docx"}
    assert said["notes"] == len(NOTE_SUFFIXES) - 2 + 1


def test_bombs_and_binaries_cost_only_themselves(notes, rest):
    (notes / "bomb.pdf").write_bytes(pdf(200 * MB))
    word_bomb(notes / "bomb.docx")
    (notes / "program.md").write_bytes(Path(sys.executable).read_bytes()[:200_000])
    (notes / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n" + zlib.compress(os.urandom(50_000)))
    (notes / "package.md").write_bytes((notes / "bomb.docx").read_bytes()[:100_000])
    said = rest(notes)
    assert (said["notes"], said["skipped"]) == (1, 5)
    assert set(said["reasons"]) == {"bomb.pdf", "bomb.docx", "program.md", "picture.md", "package.md"}
    assert "unpacks to more than 32 MB" in said["reasons"]["bomb.pdf"]
    assert "unpacks to more than" in said["reasons"]["bomb.docx"]


NAMES = (
    "🐘.md", "new\nline.md", "#hash.md", "100%.md", "a%20b.md", "quote\"'.md", "x" * 252 + ".md", "é" * 126 + ".md",
    "back\\slash.md", "tab\t.md", "*.md", "[x](y) & z.md", "$HOME.md", "-rf.md", "~tilde.md", " lead.md", "trail .md",
    "a..md", "u\u0308ber.md", "\u00fcber.md", "README.md", "readme.md", "a b.md", "a_b.md", "a-b.md", "\u202eltr.md",
)  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not allow all of these names side by side")
def test_every_name_that_the_system_allows_is_a_note_of_its_own(notes, rest, cli, tmp_path):
    for number, name in enumerate(NAMES):
        (notes / name).write_text(f"stone {number}\n", "utf-8")
    (notes / "dir\nline" / "#dir").mkdir(parents=True)
    (notes / "dir\nline" / "#dir" / "100%.md").write_text("stone", "utf-8")
    Path(os.fsdecode(os.fsencode(notes) + b"/no\xfftext.md")).write_text("stone", "utf-8")
    said = rest(notes)
    assert said["notes"] == len(NAMES) + 2
    assert list(said["reasons"]) == ["no\\xfftext.md"]
    found = cli("search", "stone", "--folder", notes, "--home", tmp_path / "home", "--no-meaning", "--format", "json")
    assert {hit["path"] for hit in json.loads(found.out)["results"]} == {*NAMES, "dir\nline/#dir/100%.md"}
    assert unicodedata.normalize("NFC", NAMES[18]) == NAMES[19]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX files")
def test_links_pipes_sockets_and_placeholders_are_told_and_nothing_waits_for_them(notes, rest, monkeypatch):
    (notes / "up").symlink_to("..")
    (notes / "round.md").symlink_to("round.md")
    (notes / "out").symlink_to("/")
    (notes / "out.md").symlink_to("/etc/passwd")
    (notes / "nowhere.md").symlink_to("nothing.md")
    (notes / "again.md").symlink_to("other.md")
    os.mkfifo(notes / "pipe.md")
    os.mkfifo(notes / "pipe.png")
    monkeypatch.chdir(notes)  # a socket's whole path has at most some hundred bytes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        (notes / ".there.md.icloud").write_bytes(b"bplist00")
        (notes / "folder.md").mkdir()
        (notes / "folder.md" / "inner.md").write_text("inside", "utf-8")
        said = rest(notes)
    assert (said["notes"], said["skipped"]) == (2, 0)
    assert set(said["reasons"]) == {"up", "out", "out.md", "round.md", "nowhere.md", "pipe.md", "socket.md"}
    assert said["doctor"]["hidden"] == {"not on this disk (cloud placeholder)": 1}


@pytest.fixture
def closed(notes: Path) -> Iterator[Path]:
    """What its reader has no right to: a note, an attachment, a folder to be listed, one to be entered."""
    for path in ("secret.md", "secret.png", "closed/in.md", "listed/in.md"):
        (notes / path).parent.mkdir(exist_ok=True)
        (notes / path).write_text("stone", "utf-8")
    rights = {"secret.md": 0, "secret.png": 0, "closed": 0, "listed": 0o444}
    for path, mode in rights.items():
        (notes / path).chmod(mode)
    yield notes
    for path in rights:
        (notes / path).chmod(0o755)


def test_what_may_not_be_read_is_listed_and_is_no_work_for_the_next_run(closed, triskel, without_root_rights, tmp_path):
    def ask(*arguments: object) -> dict:
        answer = triskel(*arguments, "--home", tmp_path / "home", "--json", prefix=without_root_rights)
        assert answer.code == 0, answer.err
        return json.loads(answer.out)

    said = ask("index", closed, "--no-meaning")
    assert (said["notes"], said["skipped"]) == (1, 1)
    assert {each["path"]: each["reason"] for each in said["problems"]} == {
        "closed": "This folder could not be read: Permission denied (13).",
        "listed/in.md": "This file could not be looked at: Permission denied (13).",
        "secret.md": "It could not be read: Permission denied (13).",
    }
    state = ask("doctor", closed)
    assert state["state"].startswith("up to date")
    assert (state["unread"], state["attachments"]) == (1, 1)
    assert ask("index", closed, "--no-meaning") == said
    (closed / "secret.md").chmod(0o644)
    assert ask("doctor", closed)["state"].startswith("1 file to read")
    assert ask("index", closed, "--no-meaning")["notes"] == 2


def test_files_that_come_go_and_change_during_a_run_cost_only_themselves(notes, rest, triskel, tmp_path):
    for number in range(800):
        (notes / f"n{number:04}.md").write_text(f"stone {number}\n", "utf-8")
    restless = (
        "import os, sys, pathlib, itertools\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "for number in itertools.count():\n"
        "    file = folder / f'n{number % 800:04}.md'\n"
        "    file.unlink(missing_ok=True) if number % 3 else file.write_text('stone ' * (number % 500))\n"
        "    (folder / f'd{number % 50}').mkdir(exist_ok=True) if number % 2 else None\n"
        "    if number % 2 == 0 and (folder / f'd{number % 50}').is_dir(): os.rmdir(folder / f'd{number % 50}')\n"
    )
    changing = subprocess.Popen([sys.executable, "-c", restless, str(notes)])
    try:
        time.sleep(0.2)
        answer = triskel("index", notes, "--home", tmp_path / "home", "--no-meaning", "--json")
    finally:
        changing.kill()
        changing.wait()
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["problems"] == []
    said = rest(notes)
    assert said["notes"] == len(list(notes.glob("*.md")))


@pytest.mark.parametrize("count", [1_500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_notes_and_thousands_of_attachments_are_one_batch(notes, rest, count):
    for number in range(count):
        (notes / f"n{number}.md").write_text(f"# Note {number}\n\nstone ![[{number % 3_000}.png]]\n", "utf-8")
    for number in range(3_000):
        (notes / f"{number}.png").write_bytes(b"x")
    said = rest(notes)
    assert (said["notes"], said["links"], said["resolved_links"], said["problems"]) == (count + 1, count, 0, [])
    assert (said["doctor"]["attachments"], said["doctor"]["links"]["to_attachments"]) == (3_000, count)
