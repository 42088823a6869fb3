"""What may be committed, and that the files around the code agree with one another."""

import importlib
import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

PROJECT = Path(__file__).resolve().parent.parent
SAMPLE_NOTES = PROJECT / "resources" / "sample-notes"
REQUIREMENTS = (PROJECT / "requirements-dev.txt").read_text(encoding="utf-8")

# Each has a one-letter class in it, so that this file does not hold what it looks for.
MACHINE_TRACES = re.compile(
    r"(?<![\w.~-])/(?:w[o]rk|f[a]rm|r[o]ot|h[o]me/(?!me/)\w+|t[m]p/\w+|U[s]ers/\w+)/"
    r"|f[i]le:///(?!e[t]c/)\w"
    r"|https?://[^ \"')]*/(?:s[i]mple|p[a]ckages)(?:/|\b)"
    r"|--(?:extra-)?i[n]dex-url +\S|--f[i]nd-links +\S|--t[r]usted-host +\S"
)
ADDRESS = re.compile(r"https?://[\w.-]+")
# Texts that others wrote, the licence texts, name the addresses of their makers.
MAY_NAME_ADDRESSES = {"resources/model/LICENSE"}


def committed_files() -> list[Path]:
    """Return the files that git holds or would take: everything that is not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return [PROJECT / name for name in listed.split("\0") if name and (PROJECT / name).is_file()]


def committed_texts() -> list[tuple[str, str]]:
    """Return name and text of each committed file that is text."""
    texts = []
    for path in committed_files():
        content = path.read_bytes()
        if b"\0" not in content:
            texts.append((path.relative_to(PROJECT).as_posix(), content.decode("utf-8")))
    return texts


def test_no_committed_file_names_a_machine_path_or_a_download_host():
    found = [
        f"{name} line {number}: {line.strip()[:100]}"
        for name, text in committed_texts()
        for number, line in enumerate(text.splitlines(), start=1)
        if MACHINE_TRACES.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        f"cd /{'work'}/main",
        f"open('/{'tmp'}/dev/x')",
        f"{'file'}:///opt/wheels",
        f"https://example.org/{'simple'}/numpy",
        f"--{'index'}-url something",
    ],
)
def test_a_machine_trace_is_seen(line: str):
    assert MACHINE_TRACES.search(line)


@pytest.mark.parametrize("line", ["core/work/plan.md", "/dev/null", "see ../shared", "the /tmp folder", "#!/bin/sh"])
def test_an_ordinary_path_is_no_machine_trace(line: str):
    assert not MACHINE_TRACES.search(line)


def test_files_that_set_up_the_project_name_no_address():
    names = {"Makefile", ".ci/run", "pyproject.toml", "requirements-dev.txt"}
    checked = {name: text for name, text in committed_texts() if name in names or name.startswith("tests/tools/")}
    assert names <= set(checked)
    assert [f"{name}: {ADDRESS.findall(text)}" for name, text in checked.items() if ADDRESS.search(text)] == []


def test_every_committed_text_ends_with_one_newline_and_has_no_carriage_returns():
    # The tokenizer files are kept byte for byte as their makers wrote them.
    ours = [(name, text) for name, text in committed_texts() if not name.startswith("resources/model/") and text]
    assert [name for name, text in ours if not text.endswith("\n") or text.endswith("\n\n") or "\r" in text] == []


def requirement_blocks() -> list[str]:
    """Return each requirement of requirements-dev.txt with its continued lines."""
    joined = REQUIREMENTS.replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_pinned_requirement_has_a_version_and_hashes():
    blocks = requirement_blocks()
    assert len(blocks) > 20
    pinned = re.compile(r"^[A-Za-z0-9][\w.-]*==[\w.!+]+ *(;[^\\]*?)?( +--hash=sha256:[0-9a-f]{64})+ *$")
    assert [block[:60] for block in blocks if not pinned.match(block)] == []


def test_every_dependency_is_pinned_within_its_range():
    from packaging.requirements import Requirement

    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["dependencies"] + [line for extra in project["optional-dependencies"].values() for line in extra]
    wanted = [Requirement(line) for line in lines]
    versions = {}
    for block in requirement_blocks():
        name, version = re.match(r"([\w.-]+)==([\w.!+]+)", block).groups()
        versions[normalised(name)] = version
    missing = [str(each) for each in wanted if normalised(each.name) not in versions]
    assert missing == []
    assert [str(each) for each in wanted if not each.specifier.contains(versions[normalised(each.name)])] == []


def test_the_requirements_hold_hashes_for_other_systems_too():
    # A package with compiled parts has a file, and so a hash, for each system.
    blocks = {block.split("==")[0]: block.count("--hash=") for block in requirement_blocks()}
    assert blocks["numpy"] > 10
    assert blocks["pyside6-essentials"] >= 4
    assert "colorama" in blocks, "Windows needs it, so a list made for Linux alone would not install there"


def test_the_readme_names_the_two_commands():
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme


def test_every_make_target_that_the_documents_name_exists():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {
        (path.name, target)
        for path in PROJECT.glob("*.md")
        for target in re.findall(r"`(?:[^`\n]* )?make ([a-z]+)", path.read_text(encoding="utf-8"))
    }
    assert {target for _, target in named} >= {"run", "test"}
    assert sorted((name, target) for name, target in named if target not in targets) == []


def test_scripts_can_be_run():
    modes = subprocess.run(
        ["git", "ls-files", "--stage", "--", ".ci/run"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout
    # Before the first commit git holds nothing yet, and the file itself tells.
    assert modes.startswith("100755") if modes else (PROJECT / ".ci" / "run").stat().st_mode & 0o100


@pytest.mark.parametrize("script", [".ci/run", "tests/tools/create_environment.sh"])
def test_shell_scripts_stop_at_the_first_error(script: str):
    text = (PROJECT / script).read_text(encoding="utf-8")
    assert "set -euo pipefail" in text
    subprocess.run(["bash", "-n", script], cwd=PROJECT, check=True)


# --- the sample notes ---

NOTES = sorted(path for path in SAMPLE_NOTES.rglob("*") if path.is_file())
WIKILINK = re.compile(r"\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|[^\]]*)?\]\]")
MARKDOWN_LINK = re.compile(r"\]\((?:<([^>]+)>|([^)\s]+))\)")


def relative(path: Path) -> str:
    return path.relative_to(SAMPLE_NOTES).as_posix()


def broken_links(note: Path) -> list[str]:
    names = {path.stem for path in NOTES}
    text = note.read_text(encoding="utf-8")
    broken = [target for target in WIKILINK.findall(text) if target not in names]
    for angled, plain in MARKDOWN_LINK.findall(text):
        target = unquote(angled or plain)
        if not re.match(r"[a-z]+:", target) and not (note.parent / target).resolve().is_file():
            broken.append(target)
    return broken


@pytest.mark.parametrize("note", NOTES, ids=relative)
def test_every_link_of_the_sample_notes_leads_somewhere(note: Path):
    assert broken_links(note) == []


def test_sample_note_names_are_unambiguous():
    stems = [path.stem.casefold() for path in NOTES]
    assert len(stems) == len(set(stems))


def test_the_sample_notes_show_what_the_program_reads():
    texts = {relative(path): path.read_text(encoding="utf-8") for path in NOTES}
    assert 25 <= len(texts) <= 40
    assert any(name.endswith(".txt") for name in texts)
    assert any(name.count("/") == 2 for name in texts)
    for feature in (r"^---\n", r"^aliases:", r"\[\[", r"\]\(", r"^```", r"^\|.*\|$", r"^- \[[ x]\] ", r"[぀-ヿ]"):
        assert any(re.search(feature, text, re.MULTILINE) for text in texts.values()), feature


def test_every_sample_note_but_the_start_is_linked_from_another():
    linked = {target for path in NOTES for target in WIKILINK.findall(path.read_text(encoding="utf-8"))}
    linked |= {
        Path(unquote(angled or plain)).stem
        for path in NOTES
        for angled, plain in MARKDOWN_LINK.findall(path.read_text(encoding="utf-8"))
    }
    assert [relative(path) for path in NOTES if path.stem not in linked and path.stem != "Start here"] == []


def test_one_sample_note_has_only_its_name_and_its_links_to_be_found_by():
    # Front matter and no text: what leads to it are the notes about the shed, the bench and the shelf.
    body = (SAMPLE_NOTES / "Home" / "Anna.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    assert body.strip() == ""
    linking = [path for path in NOTES if "[[Anna]]" in path.read_text(encoding="utf-8")]
    assert len(linking) >= 3


@pytest.mark.parametrize("module", sorted((PROJECT / "tests" / "benchmarks").glob("*.py")), ids=lambda file: file.stem)
def test_every_benchmark_can_still_be_loaded(module: Path):
    importlib.import_module(f"tests.benchmarks.{module.stem}")
