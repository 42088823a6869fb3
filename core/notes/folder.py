"""Which files of a folder are notes. Depends on the file system and on core's errors; opens no file.

Symbolic links to directories are never followed, so no walk is endless and no note is found twice.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import FolderError
from core.index.progress import Problem

NOTE_SUFFIXES = (".md", ".markdown", ".txt")
"""Compared in lower case."""

_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_TEMPORARY_SUFFIXES = ("~", ".tmp", ".swp")


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A file that is a note by its name. `path` is relative to the folder, in the file system's own spelling."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0

    @property
    def stamp(self) -> str:
        """What tells that the file may have changed: size, times of content and of status.

        A file that another program put in place of it with the old size and time still has a new status time.
        """
        return f"{self.size}/{self.mtime_ns}/{self.ctime_ns}"


@dataclass(frozen=True, slots=True)
class FolderScan:
    """What a folder holds: notes by path, what could not be looked at, and how much was left aside by rule.

    `hidden` counts the entries skipped by name: dot files, dot folders, package folders, environments, temporary files.
    `dendron` says that the folder is a Dendron workspace or vault. `stopped` scans are incomplete.
    """

    files: tuple[NoteFile, ...]
    problems: tuple[Problem, ...] = ()
    hidden: int = 0
    dendron: bool = False
    stopped: bool = False


def scan_folder(root: Path, should_stop: Callable[[], bool] | None = None) -> FolderScan:
    """Return the notes under `root`, sorted by path; whether `root` itself lies in a dot folder plays no part.

    `should_stop` is asked once a folder. Raises FolderError if `root` is missing, no folder, or may not be read;
    anything wrong further down is a problem in the result.
    """
    check_folder(root)
    walk = _Walk(root)
    stopped = False
    while walk.pending:
        if should_stop is not None and should_stop():
            stopped = True
            break
        walk.visit(walk.pending.pop())
    return FolderScan(
        files=tuple(sorted(walk.files, key=lambda file: file.path)),
        problems=tuple(sorted(walk.problems, key=lambda problem: (problem.path, problem.reason))),
        hidden=walk.hidden,
        dendron=walk.dendron,
        stopped=stopped,
    )


def check_folder(root: Path) -> None:
    """Raise FolderError, with a sentence, if `root` is missing, no folder, or may not be read."""
    """Return if `root` is a folder that can be read.

    Raises:
        FolderError: it is missing, no folder, or may not be read; the sentence says which.
    """
    shown = displayed(str(root))
    try:
        mode = root.stat().st_mode
    except FileNotFoundError:
        raise FolderError(f"There is no folder {shown}.") from None
    except NotADirectoryError:
        raise FolderError(f"{shown} lies below a file, so it is no folder.") from None
    except PermissionError:
        raise FolderError(f"You have no permission to look at the folder {shown}.") from None
    except (OSError, ValueError) as error:
        raise FolderError(f"The folder {shown} cannot be looked at: {_reason(error)}.") from None
    if not stat.S_ISDIR(mode):
        raise FolderError(f"{shown} is a file; a folder of notes is needed.")
    try:
        os.scandir(root).close()
    except PermissionError:
        raise FolderError(f"You have no permission to read the folder {shown}.") from None
    except OSError as error:
        raise FolderError(f"The folder {shown} cannot be read: {_reason(error)}.") from None


class _Walk:
    """The state of one scan: folders still to be visited, as paths relative to the root ("" is the root)."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._real_root = os.path.realpath(root)
        self.pending = [""]
        self.files: list[NoteFile] = []
        self.problems: list[Problem] = []
        self.hidden = 0
        self.dendron = False

    def visit(self, folder: str) -> None:
        """Look at the entries of one folder; its own folders join the pending ones."""
        try:
            with os.scandir(f"{self._root}{os.sep}{folder}") as entries:
                found = list(entries)
        except OSError as error:
            self._problem(folder or ".", f"This folder could not be read: {_reason(error)}.")
            return
        if folder and any(entry.name == "pyvenv.cfg" for entry in found):
            self.hidden += 1
            return
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                self._entry(entry, path)
            except OSError as error:
                self._problem(path, f"This file could not be looked at: {_reason(error)}.")

    def _entry(self, entry: os.DirEntry[str], path: str) -> None:
        name = entry.name
        if name == "dendron.yml":
            self.dendron = True
        if _is_hidden(name):
            self.hidden += 1
        elif entry.is_symlink():
            self._link(entry, path)
        elif entry.is_dir():
            self.pending.append(path)
        elif _is_note(name) and entry.is_file():
            self._file(entry, path)

    def _link(self, entry: os.DirEntry[str], path: str) -> None:
        target = os.path.realpath(entry.path)
        inside = target == self._real_root or target.startswith(self._real_root.rstrip(os.sep) + os.sep)
        if entry.is_dir():
            if not inside:
                self._problem(path, "This link leads to a folder outside the notes folder; it is not followed.")
            return
        if not _is_note(entry.name):
            return
        if not inside:
            self._problem(path, "This link leads to a file outside the notes folder; it is not followed.")
        elif entry.is_file():
            # A note in its own right would be found twice. What it leads to counts when it is a note elsewhere.
            relative = os.path.relpath(target, self._real_root).replace(os.sep, "/")
            parts = relative.split("/")
            if any(_is_hidden(part) for part in parts) or not _is_note(parts[-1]):
                self._file(entry, path)
        else:
            self._problem(path, "This link leads to nothing.")

    def _file(self, entry: os.DirEntry[str], path: str) -> None:
        try:
            path.encode()
        except UnicodeEncodeError:
            self._problem(path, "This file's name is not valid text; rename it to have it indexed.")
            return
        status = entry.stat()
        self.files.append(NoteFile(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns))

    def _problem(self, path: str, reason: str) -> None:
        self.problems.append(Problem(displayed(path), reason))


def displayed(path: str) -> str:
    """Return a path that can be shown and stored: bytes that are no text become backslash escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_hidden(name: str) -> bool:
    return (
        name.startswith(".")
        or name in _SKIPPED_FOLDERS
        or name.lower().endswith(_TEMPORARY_SUFFIXES)
        or (name.startswith("#") and name.endswith("#"))
    )


def _is_note(name: str) -> bool:
    return name.lower().endswith(NOTE_SUFFIXES)


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.errno})"
    return str(error)
