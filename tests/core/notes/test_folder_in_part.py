"""A look at some paths of a folder: what it finds is what a look at all of it finds of these paths."""

from pathlib import Path

import pytest

from core.notes.folder import scan_folder

FILES = (
    "a.md", "b.md", "picture.png", "garden/pear.md", "garden/deep/plum.md", "garden/deep/apple.md", "gardens/fig.md",
    "hidden/x.md", "garden/build/out.md", "node_modules/read.md", "venv/pyvenv.cfg", "venv/note.md", ".dot/y.md",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in FILES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    (tmp_path / ".gitignore").write_text("hidden/\n")
    (tmp_path / "garden" / ".triskelignore").write_text("build/\n")
    return tmp_path


@pytest.mark.parametrize(
    "only",
    [
        (),
        ("a.md",),
        ("a.md", "garden/deep/plum.md"),
        ("garden",),
        ("garden/deep", "picture.png"),
        ("hidden",),
        ("hidden/x.md", "garden/build/out.md", "node_modules/read.md", "venv/note.md", ".dot/y.md"),
        ("nowhere.md", "nowhere/at/all.md", "a.md/below"),
        ("",),
    ],
)
def test_a_look_at_some_paths_finds_of_them_what_a_look_at_everything_does(folder, only):
    everything = scan_folder(folder)
    part = scan_folder(folder, only=only)

    def asked(path: str) -> bool:
        return any(each in ("", path) or path.startswith(f"{each}/") for each in only)

    assert part.files == tuple(file for file in everything.files if asked(file.path))
    assert part.attachments == tuple(file for file in everything.attachments if asked(file.path))


def test_a_link_to_a_file_is_told_since_what_it_counts_for_depends_on_the_rest(folder):
    (folder / "link.md").symlink_to(folder / "a.md")
    assert scan_folder(folder, only=("link.md",)).linked
    assert not scan_folder(folder, only=("b.md",)).linked
