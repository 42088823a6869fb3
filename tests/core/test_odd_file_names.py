"""Every name that the file system allows is a file of its own, spelt as it is on disk."""

import os
import sys

import pytest

from core.notes.folder import scan_folder

NAMES = {
    "emoji": "🐘.md",
    "emoji of several characters": "👩‍👩‍👧 family.md",
    "newline": "two\nlines.md",
    "tab": "a\tb.md",
    "return": "a\rb.md",
    "control": "\x01.md",
    "hash": "# heading.md",
    "hash at both ends": "#tag#.md",
    "percent": "%20.md",
    "percent alone": "100%.md",
    "question": "why?.md",
    "asterisk": "a*b.md",
    "single quote": "don't.md",
    "double quotes": '"quoted".md',
    "brackets": "Meeting [x] (y) & z.md",
    "dollar": "$HOME.md",
    "backslash": "a\\b.md",
    "colon": "c: d.md",
    "pipe": "a|b.md",
    "leading space": " a.md",
    "space before the suffix": "a .md",
    "space alone": " .md",
    "leading hyphen": "-rf.md",
    "leading tilde": "~.md",
    "composed": "\u00fcber.md",
    "decomposed": "u\u0308ber.md",
    "hangul": "한국.md",
    "hangul decomposed": "\u1112\u1161\u11ab.md",
    "right to left": "שלום.md",
    "direction mark": "a\u202eb.md",
    "no-break space": "a\u00a0b.md",
    "zero width": "a\u200bb.md",
    "beyond the basic plane": "𝔘𐍈.md",
    "only dots": "...md",
    "many dots": ".....md",
    "only a suffix": ".md",
    "ellipsis": "...and then.md",
    "dots inside": "a..b...md",
    "255 bytes": "x" * 252 + ".md",
    "255 bytes of three": "€" * 84 + ".md",
    "suffix in capitals": "LOUD.MD",
    "two suffixes": "a.md.md",
    "another suffix": "a.png.md",
    "a number": "4913.md",
}


def make(folder, *names):
    for name in names:
        try:
            (folder / name).write_text("x", encoding="utf-8")
        except (OSError, ValueError):
            pytest.skip("this file system does not allow the name")
    if sorted(names) != sorted(name for name in os.listdir(folder)):  # noqa: PTH208 - names as they are
        pytest.skip("this file system spells the name in its own way")


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_name_is_kept_as_the_file_system_spells_it(tmp_path, name):
    make(tmp_path, name)
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.files] == [name]
    assert (scan.problems, scan.hidden, scan.attachments) == ((), (), ())
    assert (tmp_path / scan.files[0].path).read_text("utf-8") == "x"


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_folder_may_have_any_such_name(tmp_path, name):
    name = name.removesuffix(".md").lstrip(".") or "-"
    try:
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.md").touch()
    except (OSError, ValueError):
        pytest.skip("this file system does not allow the name")
    assert [file.path for file in scan_folder(tmp_path).files] == [f"{name}/note.md"]


@pytest.mark.parametrize(
    "names",
    [
        ("README.md", "readme.md"),
        ("\u00fc.md", "u\u0308.md"),
        ("a b.md", "a_b.md", "a-b.md"),
        ("STRASSE.md", "straße.md"),
        (" a.md", "a .md", "a.md"),
        ("%20.md", " .md"),
        ("ﬁ.md", "fi.md"),
        ("a.md", "a.markdown", "a.txt", "a.org"),
        (".md", "..md", "...md"),
    ],
    ids=["case", "normal forms", "separators", "sharp s", "spaces", "escape", "ligature", "suffixes", "dots"],
)
def test_names_that_look_alike_are_files_of_their_own(tmp_path, names):
    make(tmp_path, *names)
    assert sorted(file.path for file in scan_folder(tmp_path).files) == sorted(names)


@pytest.mark.parametrize("name", ["🐘.png", "a\nb.zip", "100%.jpg", "u\u0308.mp3", "# x.pptx", "a.b.c"])
def test_attachments_keep_their_names_too(tmp_path, name):
    make(tmp_path, name)
    assert [file.path for file in scan_folder(tmp_path).attachments] == [name]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux file names are bytes")
@pytest.mark.parametrize("suffix", [b".md", b".png"])
def test_a_name_that_is_no_text_costs_only_itself(tmp_path, suffix):
    with open(os.fsencode(tmp_path) + b"/bad\xff" + suffix, "wb"):  # noqa: PTH123 - Path takes no bytes
        pass
    (tmp_path / "good.md").touch()
    scan = scan_folder(tmp_path)
    assert [file.path for file in scan.files] == ["good.md"]
    assert [problem.path for problem in scan.problems] == ["bad\\xff" + suffix.decode()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps names of devices to itself")
def test_a_deep_path_is_found(tmp_path):
    deep = tmp_path.joinpath(*["folder with a long name"] * 40)
    deep.mkdir(parents=True)
    (deep / "note.md").touch()
    (file,) = scan_folder(tmp_path).files
    assert file.path.count("/") == 40
