"""What is left aside: by name, by .gitignore, by .triskelignore, by not being on this disk."""

import os
import shutil
import subprocess
import time
from types import SimpleNamespace

import pytest

from core.notes.folder import scan_folder
from core.notes.ignoring import IgnoreRules, is_elsewhere


def write(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x", encoding="utf-8")


def found(root, rules=None):
    scan = scan_folder(root, rules=rules or IgnoreRules())
    return [file.path for file in scan.files]


def hidden(root):
    return {each.reason: each.count for each in scan_folder(root).hidden}


@pytest.mark.parametrize(
    "path, reason",
    [
        (".git/a.md", "name begins with a dot"),
        (".obsidian/a.md", "name begins with a dot"),
        (".venv/a.md", "name begins with a dot"),
        (".dendron.cache.json", "name begins with a dot"),
        (".hidden.md", "name begins with a dot"),
        (".trash/a.md", "deleted notes (.trash, .stversions, logseq/bak)"),
        (".Trash-1000/a.md", "deleted notes (.trash, .stversions, logseq/bak)"),
        (".stversions/a.md", "deleted notes (.trash, .stversions, logseq/bak)"),
        ("logseq/bak/a.md", "deleted notes (.trash, .stversions, logseq/bak)"),
        ("x/logseq/.recycle/a.md", "deleted notes (.trash, .stversions, logseq/bak)"),
        ("node_modules/p/README.md", "package folders (node_modules, __pycache__)"),
        ("x/__pycache__/a.txt", "package folders (node_modules, __pycache__)"),
        ("a.md~", "editor and temporary files"),
        ("a.md.swp", "editor and temporary files"),
        (".a.md.swp", "editor and temporary files"),
        ("a.md.TMP", "editor and temporary files"),
        ("#a.md#", "editor and temporary files"),
        (".#a.md", "editor and temporary files"),
        ("~$a.docx", "editor and temporary files"),
        (".~lock.a.docx#", "editor and temporary files"),
        ("4913", "editor and temporary files"),
        ("film.crdownload", "editor and temporary files"),
        ("film.mp4.part", "editor and temporary files"),
        ("Thumbs.db", "files of the system (Thumbs.db, desktop.ini, .DS_Store)"),
        ("desktop.ini", "files of the system (Thumbs.db, desktop.ini, .DS_Store)"),
        (".DS_Store", "files of the system (Thumbs.db, desktop.ini, .DS_Store)"),
        (".note.md.icloud", "not on this disk (cloud placeholder)"),
    ],
)
def test_a_name_is_hidden_for_its_reason_and_counts_once(tmp_path, path, reason):
    write(tmp_path, path, "note.md")
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.files] == ["note.md"]
    assert (scan.attachments, scan.problems) == ((), ())
    assert {each.reason: each.count for each in scan.hidden} == {reason: 1}


@pytest.mark.parametrize(
    "path",
    ["bak/a.md", "4913/a.md", "draft~/a.md", "a.sync-conflict-20240101-120000-ABCDEF.md", "#a.md", "logseq/a.md"],
)
def test_names_that_only_resemble_hidden_ones_are_found(tmp_path, path):
    write(tmp_path, path)
    assert (found(tmp_path), hidden(tmp_path)) == ([path], {})


def test_an_environment_is_left_aside_and_counts_once(tmp_path):
    write(tmp_path, "env/pyvenv.cfg", "env/lib/site/README.md", "note.md")
    assert (found(tmp_path), hidden(tmp_path)) == (["note.md"], {"virtual environments": 1})


FILES = [
    "a.md", "b.md", "draft.md", "a/draft.md", "a/b/c.md", "a/b/draft.md", "build/x.md", "a/build/x.md", "docs/build.md",
    "keep/a.md", "keep/b/a.md", "sp ace.md", "!bang.md", "#hash.md", "x1.md", "x2.md", "xa.md", "Ünï.md",
    "two\nlines.md",
]  # fmt: skip

PATTERNS = {
    "name": "draft.md",
    "name with star": "*ra*t.md",
    "anchored": "/draft.md",
    "folder": "build/",
    "folder without slash": "build",
    "path": "a/build",
    "path with star": "a/*/draft.md",
    "double star before": "**/draft.md",
    "double star after": "a/**",
    "double star after, one shown again": "a/**\n!a/draft.md",
    "double star between": "a/**/draft.md",
    "shown again": "*.md\n!a.md",
    "hidden folder is not entered": "a/\n!a/draft.md",
    "only one folder": "/*\n!/keep/",
    "only Markdown of one name": "*\n!*/\n!a.md",
    "folder shown by its name": "/a/*\n!b/",
    "last one wins": "draft.md\n!draft.md\n/draft.md",
    "question mark": "x?.md",
    "range": "x[0-9].md",
    "not in range": "x[!0-9].md",
    "escaped": "\\!bang.md\n\\#hash.md",
    "comment and blank lines": "# a.md\n\n   \n/",
    "trailing spaces": "draft.md   ",
    "CRLF": "draft.md\r\nbuild/\r\n",
    "byte order mark": "\ufeffdraft.md",
    "beyond ASCII": "Ünï.md",
    "all folders": "*/",
    "bracket that never closes": "x[0-9.md\ndraft.md",
    "many stars": "*d***f*t*.md",
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("text", PATTERNS.values(), ids=PATTERNS.keys())
def test_gitignore_means_what_git_says(tmp_path, text, nested):
    write(tmp_path, *(f"top/{path}" for path in FILES))
    (tmp_path / "top" / ".gitignore").write_text(text, "utf-8", newline="")
    if nested:
        (tmp_path / "top" / "a" / ".gitignore").write_text("!draft.md\n/b/c.md\n", "utf-8")
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(tmp_path)}
    git = ["git", "-C", str(tmp_path), "-c", "core.excludesFile=" + os.devnull]
    environment = {**os.environ, **settings}
    subprocess.run([*git, "init", "-q", "."], check=True, env=environment, capture_output=True)
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--others", "--exclude-standard"], check=True, env=environment, capture_output=True
    ).stdout
    expected = sorted(path for path in os.fsdecode(listed).split("\0") if path.endswith(".md"))
    assert found(tmp_path) == expected


def test_what_gitignore_hides_is_counted_and_can_be_switched_off(tmp_path):
    write(tmp_path, "a.md", "build/x.md", "build/y.md", "b.log.md")
    (tmp_path / ".gitignore").write_text("build/\n*.log.md\n", "utf-8")
    assert found(tmp_path) == ["a.md"]
    assert hidden(tmp_path) == {"name begins with a dot": 1, "named by .gitignore": 2}
    assert found(tmp_path, IgnoreRules(gitignore=False)) == ["a.md", "b.log.md", "build/x.md", "build/y.md"]


def test_a_changed_rule_counts_at_the_next_scan(tmp_path):
    write(tmp_path, "a.md", "b.md")
    (tmp_path / ".gitignore").write_text("a.md", "utf-8")
    assert found(tmp_path) == ["b.md"]
    (tmp_path / ".gitignore").write_text("b.md", "utf-8")
    assert found(tmp_path) == ["a.md"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("*.draft.md", ["a.md", "deep/c.md"]),
        ("/kept/notes/deep/", ["a.md", "b.draft.md"]),
        ("kept/notes/*.draft.md", ["a.md", "deep/c.md"]),
        ("deep", ["a.md", "b.draft.md"]),
        ("/deep", ["a.md", "b.draft.md", "deep/c.md"]),
        # Those that would hide the notes folder itself, or everything in it.
        ("notes/", ["a.md", "b.draft.md", "deep/c.md"]),
        ("/work", ["a.md", "b.draft.md", "deep/c.md"]),
        ("*", ["a.md", "b.draft.md", "deep/c.md"]),
        ("kept/**", ["a.md", "b.draft.md", "deep/c.md"]),
        ("kept/notes/*", ["a.md", "b.draft.md", "deep/c.md"]),
        ("notes/\n*.draft.md", ["a.md", "deep/c.md"]),
        ("*.md\n!a.md", ["a.md"]),
    ],
)
@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude"])
def test_ignore_files_above_the_notes_folder_reach_into_it(tmp_path, text, expected, place):
    write(tmp_path, "kept/notes/a.md", "kept/notes/b.draft.md", "kept/notes/deep/c.md")
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / place).write_text(text, "utf-8")
    assert found(tmp_path / "kept" / "notes") == expected


def test_above_the_root_of_the_repository_nothing_counts(tmp_path):
    write(tmp_path, "repo/notes/a.md", "repo/notes/b.md")
    (tmp_path / "repo" / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("a.md", "utf-8")
    (tmp_path / "repo" / ".gitignore").write_text("b.md", "utf-8")
    assert found(tmp_path / "repo" / "notes") == ["a.md"]


def test_a_folder_that_keeps_itself_out_of_git_is_found(tmp_path):
    write(tmp_path, "a.md", "sub/b.md", "sub/own/c.md")
    (tmp_path / ".gitignore").write_text("*\n", "utf-8")
    assert found(tmp_path) == ["a.md", "sub/b.md", "sub/own/c.md"]
    (tmp_path / "sub" / "own" / ".gitignore").write_text("*\n", "utf-8")
    assert found(tmp_path) == ["a.md", "sub/b.md"]


@pytest.mark.parametrize(
    "own, git, expected",
    [
        ("a.md", "", ["b.md", "sub/a1.md"]),
        ("/sub/", "", ["a.md", "b.md"]),
        ("*\n!b.md", "", ["b.md"]),
        ("!a.md", "*.md", ["a.md"]),
        ("!.journal/", "", [".journal/j.md", "a.md", "b.md", "sub/a1.md"]),
        ("!node_modules", "", ["a.md", "b.md", "node_modules/n.md", "sub/a1.md"]),
        ("!/env/", "", ["a.md", "b.md", "env/e.md", "sub/a1.md"]),
        ("!.trash/", "", [".trash/t.md", "a.md", "b.md", "sub/a1.md"]),
        ("!.git/", "", ["a.md", "b.md", "sub/a1.md"]),
        ("*\n!*/\n!*.md", "", ["a.md", "b.md", "sub/a1.md"]),
        ("!*", "*\n", ["a.md", "b.md", "sub/a1.md"]),
        ("!*", "*.md\nsub/\n", ["a.md", "b.md", "sub/a1.md"]),
        ("", "!.journal/", ["a.md", "b.md", "sub/a1.md"]),
    ],
)
def test_triskelignore_hides_and_shows_again(tmp_path, own, git, expected):
    write(tmp_path, "a.md", "b.md", "sub/a1.md", ".journal/j.md", "node_modules/n.md", "env/e.md", "env/pyvenv.cfg")
    write(tmp_path, ".trash/t.md", ".git/g.md")
    (tmp_path / ".triskelignore").write_text(own, "utf-8")
    (tmp_path / ".gitignore").write_text(git, "utf-8")
    assert found(tmp_path) == expected


def test_triskelignore_is_counted_reaches_from_its_folder_down_and_not_from_above(tmp_path):
    write(tmp_path, "in/a.md", "in/sub/a.md", "in/sub/b.md")
    (tmp_path / ".triskelignore").write_text("b.md", "utf-8")
    (tmp_path / "in" / "sub" / ".triskelignore").write_text("/a.md", "utf-8")
    assert found(tmp_path / "in") == ["a.md", "sub/b.md"]
    assert hidden(tmp_path / "in") == {"name begins with a dot": 1, "named by .triskelignore": 1}


@pytest.mark.parametrize("name", [".gitignore", ".triskelignore"])
@pytest.mark.parametrize(
    "content, said",
    [
        (b"a.md\n\x00\x01", "is no text"),
        ("a.md\n".encode("utf-16"), "is no text"),
        (b"a.md\n" * 250_000, "larger than 1 MB"),
    ],
    ids=["binary", "utf-16", "huge"],
)
def test_an_ignore_file_that_cannot_be_used_is_a_problem_and_hides_nothing(tmp_path, name, content, said):
    write(tmp_path, "a.md")
    (tmp_path / name).write_bytes(content)
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.files] == ["a.md"]
    (problem,) = scan.problems
    assert problem.path == name
    assert said in problem.reason


def test_an_ignore_file_that_is_a_link_is_told_and_not_read(tmp_path):
    write(tmp_path, "in/a.md")
    (tmp_path / "rules").write_text("a.md", "utf-8")
    (tmp_path / "in" / ".gitignore").symlink_to(tmp_path / "rules")
    scan = scan_folder(tmp_path / "in")
    assert [file.path for file in scan.files] == ["a.md"]
    assert [problem.path for problem in scan.problems] == [".gitignore"]


def test_a_bad_ignore_file_above_is_told_by_its_place(tmp_path):
    write(tmp_path, "x/notes/a.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_bytes(b"\x00")
    assert [problem.path for problem in scan_folder(tmp_path / "x" / "notes").problems] == ["../../.gitignore"]


@pytest.mark.parametrize(
    "line",
    ["x[z-a].md", "x[0-9.md", "ends\\", "[[:alpha:]].md", "[a--b]", "**/a/**/b/**/c/**/d", "y" * 5000, "a//"],
)
def test_a_bad_pattern_costs_only_itself_and_is_told(tmp_path, line):
    write(tmp_path, "a.md", "b.md")
    (tmp_path / ".gitignore").write_text(f"a.md\n{line}\n", "utf-8")
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.files] == ["b.md"]
    assert [problem.reason for problem in scan.problems] == [
        "Line 2 of this ignore file is no pattern that can be used; the others are applied."
    ]


def test_a_bracket_may_hold_an_opening_bracket(tmp_path):
    write(tmp_path, "[x].md", "x.md")
    (tmp_path / ".gitignore").write_text("[[]x].md\n", "utf-8")
    assert found(tmp_path) == ["x.md"]


def test_a_pattern_of_many_stars_says_no_at_once(tmp_path):
    write(tmp_path, "a" * 250 + ".md")
    (tmp_path / ".gitignore").write_text("*a" * 40 + "*b\n/" + "*a" * 40 + "*b", "utf-8")
    started = time.process_time()
    assert len(found(tmp_path)) == 1
    assert time.process_time() - started < 5  # years, where every way to share the letters out is tried


@pytest.mark.parametrize(
    "status, platform, expected",
    [
        ({"st_flags": 0x40000000}, "darwin", True),
        ({"st_flags": 0x40000020}, "darwin", True),
        ({"st_flags": 0x20}, "darwin", False),
        ({"st_flags": 0, "st_blocks": 0, "st_size": 10}, "darwin", False),
        ({"st_file_attributes": 0x400000}, "win32", True),
        ({"st_file_attributes": 0x1000}, "win32", True),
        ({"st_file_attributes": 0x40000}, "win32", True),
        ({"st_file_attributes": 0x20}, "win32", False),
        ({"st_blocks": 0, "st_size": 10}, "linux", False),
        ({}, "darwin", False),
        ({}, "win32", False),
    ],
)
def test_a_file_is_elsewhere_by_what_its_system_says(status, platform, expected):
    assert is_elsewhere(SimpleNamespace(**status), platform) is expected


def test_a_placeholder_is_counted_and_is_no_file(tmp_path, monkeypatch):
    write(tmp_path, "a.md", "b.png", "here.md")
    monkeypatch.setattr("core.notes.ignoring.is_elsewhere", lambda status: status.st_size == 3)
    for name in ("a.md", "b.png"):
        (tmp_path / name).write_text("xyz", "utf-8")
    scan = scan_folder(tmp_path)
    assert [file.path for file in (*scan.files, *scan.attachments)] == ["here.md"]
    assert [(each.reason, each.count) for each in scan.hidden] == [("not on this disk (cloud placeholder)", 2)]
