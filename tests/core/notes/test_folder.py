"""Scanning: which files are notes, what is left aside, and what is told."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import FolderError
from core.index.progress import Problem
from core.notes import folder as folder_module
from core.notes.folder import HiddenCount, scan_folder

ROOT = Path(__file__).resolve().parents[3]


def write(root, *paths):
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", encoding="utf-8")


def paths(scan):
    return [file.path for file in scan.files]


def test_notes_are_found_by_suffix_in_any_case_and_sorted_by_path(tmp_path):
    write(tmp_path, "b.md", "a/z.TXT", "a/y.Markdown", "a b.md", "pic.png", "note.org", "README.md", "readme.md")
    expected = ["README.md", "a b.md", "a/y.Markdown", "a/z.TXT", "b.md", "note.org", "readme.md"]
    assert paths(scan_folder(tmp_path)) == expected


def test_size_and_time_are_those_of_the_file(tmp_path):
    write(tmp_path, "a.md")
    os.utime(tmp_path / "a.md", ns=(5, 1_600_000_000_123_456_789))
    (file,) = scan_folder(tmp_path).files
    assert (file.size, file.mtime_ns) == (1, (tmp_path / "a.md").stat().st_mtime_ns)


def test_hidden_package_environment_and_temporary_entries_are_counted_not_read(tmp_path):
    write(tmp_path, "note.md", ".git/x.md", ".trash/x.md", ".hidden.md", "node_modules/p/README.md")
    write(tmp_path, "env/pyvenv.cfg", "env/lib/x.md", "note.md~", ".#note.md", "#note.md#", "n.md.tmp", ".note.md.swp")
    scan = scan_folder(tmp_path)
    assert paths(scan) == ["note.md"]
    assert scan.hidden == (
        HiddenCount("deleted notes (.trash, .stversions, logseq/bak)", 1),
        HiddenCount("editor and temporary files", 5),
        HiddenCount("name begins with a dot", 2),
        HiddenCount("package folders (node_modules, __pycache__)", 1),
        HiddenCount("virtual environments", 1),
    )
    assert scan.problems == ()


def test_a_root_under_a_dot_folder_hides_nothing(tmp_path):
    write(tmp_path / ".notes" / "vault", "a.md", "sub/b.md")
    assert paths(scan_folder(tmp_path / ".notes" / "vault")) == ["a.md", "sub/b.md"]


def test_an_empty_folder_is_no_error(tmp_path):
    scan = scan_folder(tmp_path)
    assert (scan.files, scan.attachments, scan.problems, scan.hidden) == ((), (), (), ())


def test_a_folder_link_back_up_is_not_walked(tmp_path):
    write(tmp_path, "a/note.md")
    (tmp_path / "a" / "loop").symlink_to("..")
    assert paths(scan_folder(tmp_path)) == ["a/note.md"]


def test_links_out_of_the_folder_are_told_once_and_not_followed(tmp_path):
    write(tmp_path, "out/secret.md", "in/note.md")
    (tmp_path / "in" / "linked.md").symlink_to(tmp_path / "out" / "secret.md")
    (tmp_path / "in" / "linked").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "dead.md").symlink_to(tmp_path / "in" / "nothing.md")
    scan = scan_folder(tmp_path / "in")
    assert paths(scan) == ["note.md"]
    assert [(problem.path, problem.reason.split(";")[0]) for problem in scan.problems] == [
        ("dead.md", "This link leads to nothing."),
        ("linked", "This link leads to a folder outside the notes folder"),
        ("linked.md", "This link leads to a file outside the notes folder"),
    ]


def test_a_file_link_within_the_folder_finds_its_note_once(tmp_path):
    write(tmp_path, "note.md", "data.bin", ".store/kept.md")
    (tmp_path / "again.md").symlink_to("note.md")
    (tmp_path / "only-here.md").symlink_to("data.bin")
    (tmp_path / "shown.md").symlink_to(".store/kept.md")
    assert paths(scan_folder(tmp_path)) == ["note.md", "only-here.md", "shown.md"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux file names are bytes")
def test_a_name_that_is_no_text_is_a_problem_with_its_bytes_shown(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md")).write_bytes(b"x")
    write(tmp_path, "good.md")
    scan = scan_folder(tmp_path)
    assert paths(scan) == ["good.md"]
    assert [problem.path for problem in scan.problems] == ["bad\\xff.md"]
    scan.problems[0].path.encode()


def test_attachments_stand_apart_from_the_notes_in_path_order(tmp_path):
    write(tmp_path, "z.PNG", "a/song.mp3", "a.zip", "a.note.md", "sheet.xlsx", "LICENSE", "Thumbs.db", "load.part")
    scan = scan_folder(tmp_path)
    assert [(file.path, file.attachment) for file in scan.files] == [("a.note.md", False)]
    assert [(file.path, file.attachment) for file in scan.attachments] == [
        (path, True) for path in ("a.zip", "a/song.mp3", "sheet.xlsx", "z.PNG")
    ]
    assert [file.size for file in scan.attachments] == [1, 1, 1, 1]


def test_attachments_above_the_limit_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(folder_module, "MOST_ATTACHMENTS", 2)
    write(tmp_path, "c.png", "a.png", "b.png", "note.md")
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.attachments] == ["a.png", "b.png"]
    (problem,) = scan.problems
    assert problem.reason == "This folder has 3 attachments; the first 2 by path can be found."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_regular_file_is_neither_note_nor_attachment(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "pipe.png")
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / "folder.md").mkdir()
    write(tmp_path, "folder.md/inner.md")
    scan = scan_folder(tmp_path)
    assert (paths(scan), scan.attachments) == (["folder.md/inner.md"], ())
    assert scan.problems == (Problem("pipe.md", "This is no regular file, so it is not read."),)


def test_two_links_to_one_hidden_note_find_it_once(tmp_path):
    write(tmp_path, ".store/kept.md", ".store/pic.png")
    for name in ("b.md", "a.md"):
        (tmp_path / name).symlink_to(".store/kept.md")
    for name in ("y.png", "x.png"):
        (tmp_path / name).symlink_to(".store/pic.png")
    scan = scan_folder(tmp_path)
    assert (paths(scan), [file.path for file in scan.attachments]) == (["a.md"], ["x.png"])


def test_loops_of_links_end(tmp_path):
    write(tmp_path, "a/note.md")
    (tmp_path / "self.md").symlink_to("self.md")
    (tmp_path / "twin").symlink_to("a")
    (tmp_path / "a" / "root").symlink_to(tmp_path)
    scan = scan_folder(tmp_path)
    assert paths(scan) == ["a/note.md"]
    assert [problem.path for problem in scan.problems] == ["self.md"]


def test_a_folder_that_vanishes_during_the_scan_is_silently_gone(tmp_path):
    write(tmp_path, "a/b.md", "c.md")
    asked = iter([None, lambda: shutil.rmtree(tmp_path / "a")])

    def vanishing():
        if action := next(asked):
            action()
        return False

    scan = scan_folder(tmp_path, should_stop=vanishing)
    assert (paths(scan), scan.problems) == (["c.md"], ())


def test_a_file_that_vanishes_between_listing_and_looking_is_silently_gone(tmp_path, monkeypatch):
    write(tmp_path, "gone.md", "gone.png", "stays.md")
    real = os.scandir

    class Listing:
        def __init__(self, path):
            with real(path) as entries:
                self.entries = list(entries)
            for name in ("gone.md", "gone.png"):
                (tmp_path / name).unlink(missing_ok=True)

        def __enter__(self):
            return iter(self.entries)

        def __exit__(self, *_):
            return None

        def close(self):
            return None

    monkeypatch.setattr(folder_module, "check_folder", lambda root: None)
    monkeypatch.setattr(os, "scandir", Listing)
    scan = scan_folder(tmp_path)
    monkeypatch.undo()
    assert (paths(scan), scan.problems) == (["stays.md"], ())


def test_a_root_that_vanishes_is_an_error_and_no_empty_folder(tmp_path):
    # An empty scan would take every note out of the index.
    root = tmp_path / "notes"
    write(root, "a.md")

    def vanishing():
        shutil.rmtree(root)
        return False

    with pytest.raises(FolderError, match="cannot be read"):
        scan_folder(root, should_stop=vanishing)


def test_ten_thousand_files_are_found(tmp_path):
    for number in range(10_000):
        (tmp_path / f"{number}.md").touch()
    assert len(scan_folder(tmp_path).files) == 10_000


def test_a_copy_with_the_same_bytes_and_time_is_a_file_of_its_own(tmp_path):
    write(tmp_path, "a.md", "b/a.md")
    for name in ("a.md", "b/a.md"):
        os.utime(tmp_path / name, ns=(5, 5))
    assert paths(scan_folder(tmp_path)) == ["a.md", "b/a.md"]


def test_a_scan_stops_when_asked(tmp_path):
    write(tmp_path, "a.md", "b/c.md")
    asked = iter([False, True])
    scan = scan_folder(tmp_path, should_stop=lambda: next(asked))
    assert scan.stopped
    assert paths(scan) == ["a.md"]


def test_a_dendron_workspace_is_recognised(tmp_path):
    write(tmp_path, "dendron.yml", "vault/a.md")
    assert scan_folder(tmp_path).dendron
    assert not scan_folder(tmp_path / "vault").dendron


def test_missing_folder_and_file_are_one_sentence(tmp_path):
    write(tmp_path, "a.md")
    with pytest.raises(FolderError, match=r"^There is no folder .*none\.$"):
        scan_folder(tmp_path / "none")
    with pytest.raises(FolderError, match=r"a\.md is a file; a folder of notes is needed\.$"):
        scan_folder(tmp_path / "a.md")
    with pytest.raises(FolderError, match="so it is no folder"):
        scan_folder(tmp_path / "a.md" / "below")


UNPRIVILEGED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from core.errors import FolderError
from core.notes.folder import scan_folder
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
root = Path(sys.argv[2])
scan = scan_folder(root)
print([file.path for file in scan.files], [(problem.path, problem.reason) for problem in scan.problems])
try:
    scan_folder(root / "closed")
except FolderError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs POSIX permissions")
def test_an_unreadable_folder_is_a_problem_below_and_an_error_at_the_top(tmp_path_factory):
    # Root reads everything, so the scan runs as another user, in a folder that this user can reach.
    import tempfile

    root = Path(tempfile.mkdtemp(prefix="scan"))
    program = Path(tempfile.mkdtemp(prefix="program"))
    try:
        root.chmod(0o755)
        program.chmod(0o755)
        for package in ("core", "core/notes", "core/index"):
            (program / package).mkdir()
            (program / package).chmod(0o755)
        needed = ["core/__init__.py", "core/errors.py", "core/notes/__init__.py", "core/notes/folder.py"]
        needed += [f"core/notes/{name}.py" for name in ("ignoring", "suffixes", "privacy", "folding", "note")]
        for file in [*needed, "core/index/__init__.py", "core/index/progress.py"]:
            shutil.copyfile(ROOT / file, program / file)
            (program / file).chmod(0o644)
        write(root, "open/a.md", "closed/b.md", "open/.gitignore")
        (root / "open" / ".gitignore").chmod(0)
        (root / "open").chmod(0o755)
        (root / "closed").chmod(0)
        run = subprocess.run(
            [sys.executable, "-I", "-B", "-c", UNPRIVILEGED, str(program), str(root)], capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        first, second = run.stdout.splitlines()
        closed = ("closed", "This folder could not be read: Permission denied (13).")
        ignoring = ("open/.gitignore", "This ignore file could not be read: Permission denied (13).")
        assert first == f"{['open/a.md']} {[closed, ignoring]}"
        assert second.startswith("You have no permission to read the folder ")
    finally:
        (root / "closed").chmod(0o755)
        shutil.rmtree(root)
        shutil.rmtree(program)
