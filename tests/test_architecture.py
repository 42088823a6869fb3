"""The layers, read from the source: app -> ui -> core, app -> core, and no way back."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("app", "core", "resources", "ui")
MODULES = sorted(path for package in PACKAGES for path in (PROJECT / package).rglob("*.py"))
TEST_FILES = sorted((PROJECT / "tests").rglob("*.py"))

TOP_LEVEL = {
    "app", "core", "docs", "resources", "tests", "ui",
    "pyproject.toml", "requirements-dev.txt", "Makefile",
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICES.md",
    ".ci", ".editorconfig", ".gitattributes", ".gitignore",
}  # fmt: skip

FORBIDDEN = {
    "core": ("app", "ui", "PySide6", "shiboken6", "platformdirs", "tests"),
    "ui": (
        "app", "tests", "apsw", "sqlite3", "threading", "_thread", "multiprocessing", "concurrent", "subprocess",
        "core.index.database", "core.index.reader", "core.index.writer", "core.index.indexer",
    ),
    "app": ("tests",),
    "resources": ("app", "core", "tests", "ui", "PySide6"),
}  # fmt: skip

FILE_CALLS = ("Path.open", "io.open", ".read_text", ".read_bytes", ".write_text", ".write_bytes")
LONGEST_FILE = 400


def name_of(path: Path) -> str:
    """Return `core.notes.note` for core/notes/note.py, `core.notes` for its __init__.py."""
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that is imported; `from a import b` gives both a and a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield node.lineno, module
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in {"import_module", "importlib.import_module", "__import__"}:
            yield from ((node.lineno, str(given.value)) for given in node.args[:1] if isinstance(given, ast.Constant))


def called(node: ast.Call) -> str:
    return ast.unparse(node.func)


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def wrong_imports(source: str, layer: str) -> list[str]:
    """Return what a file of `layer` imports and may not, each with its line."""
    return [
        f"line {line}: {name}"
        for line, name in imports_of(ast.parse(source))
        if name.startswith(".") or any(is_within(name, forbidden) for forbidden in FORBIDDEN[layer])
    ]


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def in_package(*packages: str) -> list[Path]:
    return [path for path in MODULES if path.relative_to(PROJECT).parts[0] in packages]


def test_every_layer_has_modules():
    assert {path.relative_to(PROJECT).parts[0] for path in MODULES} == set(PACKAGES)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_in_one_direction(path: Path):
    layer = path.relative_to(PROJECT).parts[0]
    assert wrong_imports(path.read_text(encoding="utf-8"), layer) == []


@pytest.mark.parametrize(
    "layer, source",
    [
        ("core", "import ui.theme"),
        ("core", "from PySide6 import QtCore"),
        ("core", "def late():\n    import app.settings"),
        ("core", "import importlib\nimportlib.import_module('app.cli')"),
        ("core", "from . import note"),
        ("ui", "from core.index import reader"),
        ("ui", "import apsw"),
        ("app", "from tests.tools import qt_libraries"),
    ],
)
def test_a_wrong_import_is_seen(layer: str, source: str):
    assert wrong_imports(source, layer)


def test_a_name_that_only_begins_alike_is_no_wrong_import():
    assert wrong_imports("import application\nfrom uikit import a\nfrom core.index.readers import b", "core") == []


def test_the_widgets_read_only_what_ships_with_the_program():
    # Icons and style are the program's own files; a widget that reads anything else would read notes or settings.
    readers = {"ui.icons", "ui.theme"}
    found = [
        f"{name_of(path)} line {node.lineno}: {called(node)}"
        for path in in_package("ui")
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call)
        and (called(node) == "open" or called(node).endswith(FILE_CALLS))
        and not (name_of(path) in readers and called(node).endswith(".read_text"))
    ]
    assert found == []


def test_the_widgets_start_no_threads():
    found = [
        f"{name_of(path)} line {line}: {name}"
        for path in in_package("ui")
        for line, name in imports_of(parse(path))
        if name.split(".")[-1] in {"QThread", "QThreadPool", "QRunnable", "QProcess", "QFile", "QSaveFile"}
    ]
    assert found == []


def test_core_does_not_print():
    found = [
        f"{name_of(path)} line {node.lineno}"
        for path in in_package("core")
        for node in ast.walk(parse(path))
        if (isinstance(node, ast.Call) and called(node) == "print")
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in {"sys.stdout", "sys.stderr"})
    ]
    assert found == []


def test_core_keeps_no_global_state():
    found = [
        f"{name_of(path)} line {node.lineno}: {', '.join(node.names)}"
        for path in in_package("core")
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Global)
    ]
    # A name in small letters at module level that holds a list, dict or set is state; constants are in capitals.
    found += [
        f"{name_of(path)} line {node.lineno}: {ast.unparse(target)}"
        for path in in_package("core")
        for node in parse(path).body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and is_mutable(node.value) and not is_constant_name(ast.unparse(target))
    ]
    assert found == []


def is_constant_name(name: str) -> bool:
    return name.isupper() or name == "__all__"


def is_mutable(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return called(value) in {"list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict"}
    return isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_is(path: Path):
    assert (ast.get_docstring(parse(path)) or "").strip()


@pytest.mark.parametrize("path", MODULES + TEST_FILES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_no_file_outgrows_its_concept(path: Path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def test_every_folder_of_modules_is_a_package():
    # Packages are found by their __init__.py when Triskel is built; a folder without one would not be shipped.
    folders = {path.parent for path in in_package("app", "core", "ui")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_the_tests_are_no_package():
    assert list((PROJECT / "tests").rglob("__init__.py")) == []


def test_the_top_level_holds_only_what_belongs_there():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    assert {name.split("/")[0] for name in listed if name} - TOP_LEVEL == set()


def test_core_and_the_command_line_import_without_qt():
    names = [name_of(path) for path in in_package("core", "resources")] + ["app.cli"]
    program = (
        "import importlib, sys\n"
        "sys.modules['PySide6'] = sys.modules['shiboken6'] = None\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print('imported', len(sys.argv))\n"
    )
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=PROJECT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    # Importing says nothing of its own.
    assert run.stdout == "imported 1\n"
    assert run.stderr == ""
