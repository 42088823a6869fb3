"""Which notes are private: by their properties, by their tags, and by the rule files beside and above them."""

import os
from pathlib import Path

import pytest

from core.notes.folder import scan_folder
from core.notes.privacy import private_by_content
from core.notes.reading import read_note


def rule_of(text: str, path: str = "a.md", tags: tuple[str, ...] = ()) -> str | None:
    return private_by_content(read_note(path, text.encode()), tags)


def write(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def seen(root: Path) -> list[str]:
    scan = scan_folder(root)
    return [file.path for file in (*scan.files, *scan.attachments)]


@pytest.mark.parametrize(
    "text",
    [
        "---\nprivate: true\n---\nx",
        "---\nPrivate: True\n---\nx",
        "---\nPRIVATE: yes\n---\nx",
        "---\nprivate: on\n---\nx",
        "---\nprivate: 1\n---\nx",
        '---\nprivate: "true"\n---\nx',
        "---\nprivate: [true]\n---\nx",
        "---\ntags: private\n---\nx",
        "---\ntags: [work, Private]\n---\nx",
        "---\ntags: [private/diary]\n---\nx",
        "x #private y",
        "x #private/health y",
        "private:: true\n\nx",
        "---\nprivate: true\nbroken: [\n---\nx",
        "---\nprivate: true\n\n# Never closed",
    ],
)
def test_a_note_that_says_so_is_private(text):
    assert rule_of(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "---\nprivate: false\n---\nx",
        "---\nprivate: no\n---\nx",
        "---\nprivate: 0\n---\nx",
        "---\nprivate:\n---\nx",
        "---\nprivacy: true\n---\nx",
        "---\ntags: [privately, not-private]\n---\nx",
        "x #privateer y",
        "private: true in the text is no property",
        "A private matter.",
    ],
)
def test_a_note_that_does_not_say_so_is_not(text):
    assert rule_of(text) is None


def test_other_formats_say_it_in_their_own_way():
    assert rule_of('<html><head><meta name="private" content="true"></head><body>x</body></html>', "a.html")
    assert rule_of("#+FILETAGS: :private:\n\nx", "a.org")


def test_a_chosen_tag_counts_with_those_below_it():
    assert rule_of("x #Health/blood", tags=("health",)) == "tagged #health"
    assert rule_of("x #healthy", tags=("health",)) is None


@pytest.mark.parametrize(
    ("rules", "visible"),
    [
        ("diary/\n", ["a.md", "b.png", "job/c.md"]),
        ("/a.md\n*.png\n", ["diary/deep/e.md", "diary/x.png", "diary/d.md", "job/c.md"]),
        ("/*\n!/job/\n", ["job/c.md"]),
        ("diary/*\n!diary/d.md\n", ["a.md", "diary/d.md", "job/c.md", "b.png"]),
        ("diary/\n!diary/d.md\n", ["a.md", "job/c.md", "b.png"]),
        ("# a remark\n", ["a.md", "b.png", "diary/d.md", "diary/deep/e.md", "diary/x.png", "job/c.md"]),
        ("", []),
        ("\n  \n", []),
    ],
)
def test_a_rule_file_names_what_is_private_below_it(tmp_path, rules, visible):
    write(tmp_path, dict.fromkeys(["a.md", "b.png", "diary/d.md", "diary/x.png", "diary/deep/e.md", "job/c.md"], "x"))
    write(tmp_path, {".triskelprivate": rules})
    expected = sorted(set(visible) - ({"diary/x.png"} if "*.png" in rules else set()))
    assert sorted(seen(tmp_path)) == expected
    revealed = scan_folder(tmp_path, reveal=True)
    assert len(revealed.files) + len(revealed.attachments) == 6
    assert revealed.withheld == ()


def test_an_empty_rule_file_makes_its_folder_private(tmp_path):
    write(tmp_path, {"a.md": "x", "diary/b.md": "x", "diary/deep/c.md": "x", "diary/.triskelprivate": ""})
    assert seen(tmp_path) == ["a.md"]
    assert [file.path for file in scan_folder(tmp_path).withheld] == ["diary/b.md", "diary/deep/c.md"]


def test_a_rule_file_above_the_notes_folder_counts(tmp_path):
    write(tmp_path, {".triskelprivate": "notes/secret/\n", "notes/a.md": "x", "notes/secret/b.md": "x"})
    assert seen(tmp_path / "notes") == ["a.md"]


def test_a_private_folder_stays_private_when_it_is_opened_itself(tmp_path):
    write(tmp_path, {".triskelprivate": "diary/\n", "diary/2026/a.md": "x"})
    assert seen(tmp_path / "diary") == []
    assert seen(tmp_path / "diary" / "2026") == []


@pytest.mark.parametrize("spoilt", ["a.md\n[z-a\n", "x" * 1_000_001, "a\0b"])
def test_a_rule_that_cannot_be_read_withholds_its_folder_and_says_so(tmp_path, spoilt):
    write(tmp_path, {"a.md": "x", "sub/b.md": "x", "sub/.triskelprivate": spoilt})
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.files] == ["a.md"]
    (problem,) = scan.problems
    assert problem.path == "sub/.triskelprivate"
    assert problem.reason.endswith("all of its folder counts as private.")


def test_a_private_folder_tells_of_no_problem(tmp_path):
    write(tmp_path, {"a.md": "x", "diary/.triskelprivate": "", "diary/b.md": "x", "diary/.triskelignore": "[z-a\n"})
    (tmp_path / "diary" / "nowhere.md").symlink_to(tmp_path / "missing.md")
    (tmp_path / "diary" / "pipe.md").unlink(missing_ok=True)
    os.mkfifo(tmp_path / "diary" / "pipe.md")
    assert scan_folder(tmp_path).problems == ()
    assert len(scan_folder(tmp_path, reveal=True).problems) == 3


def test_a_link_to_a_private_file_is_private(tmp_path):
    write(tmp_path, {"a.md": "x", "diary/.triskelprivate": "", "diary/b.md": "x", "diary/.hidden/c.md": "x"})
    (tmp_path / "shown.md").symlink_to(tmp_path / "diary" / "b.md")
    (tmp_path / "other.md").symlink_to(tmp_path / "diary" / ".hidden" / "c.md")
    assert seen(tmp_path) == ["a.md"]


def test_a_private_link_takes_no_other_ones_place(tmp_path):
    write(tmp_path, {".triskelignore": "kept/\n", "kept/a.md": "x", ".triskelprivate": "a-link.md\n"})
    (tmp_path / "a-link.md").symlink_to(tmp_path / "kept" / "a.md")
    (tmp_path / "b-link.md").symlink_to(tmp_path / "kept" / "a.md")
    assert seen(tmp_path) == ["b-link.md"]


def test_a_dendron_file_in_a_private_folder_changes_nothing(tmp_path):
    write(tmp_path, {"a.md": "x", "diary/.triskelprivate": "", "diary/dendron.yml": "x"})
    assert not scan_folder(tmp_path).dendron
    assert scan_folder(tmp_path, reveal=True).dendron


def test_chosen_tags_reach_the_notes_below_their_file(tmp_path):
    write(tmp_path, {"a.md": "x", "sub/b.md": "x", "sub/.triskelprivate": "tag: #Health\ntag:money/\n"})
    tags = {file.path: file.private_tags for file in scan_folder(tmp_path).files}
    assert tags == {"a.md": (), "sub/b.md": ("health", "money")}
