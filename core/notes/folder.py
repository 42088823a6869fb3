"""Which files of a folder are notes, which are attachments, and how many are left aside. Opens no note.

Depends on the file system, on core's errors, on `core.notes.ignoring`, which decides what is left aside, and on
`core.notes.privacy`, which decides what is withheld by its place.
Symbolic links to directories are never followed, so no walk is endless and no note is found twice.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import FolderError
from core.index.progress import Problem
from core.notes import ignoring, privacy
from core.notes.ignoring import FolderRules, IgnoreRules
from core.notes.privacy import PathRules
from core.notes.suffixes import is_note_name

MOST_ATTACHMENTS = 50_000

_JUNCTION = 0xA0000003  # Windows' link to a folder, which os.DirEntry.is_symlink does not tell before Python 3.12


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A file that is found: a note by its name, or an `attachment`, of which the name alone is known.

    `path` is relative to the folder, in the file system's own spelling. `private_tags` are those that make a note of
    this place private, folded, beside the one that always does.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0
    attachment: bool = False
    private_tags: tuple[str, ...] = ()

    @property
    def stamp(self) -> str:
        """What tells that the file may have changed: size, times of content and of status.

        A file that another program put in place of it with the old size and time still has a new status time.
        """
        return f"{self.size}/{self.mtime_ns}/{self.ctime_ns}"


@dataclass(frozen=True, slots=True)
class HiddenCount:
    """How many entries are left aside for one reason; a folder counts once, whatever it holds."""

    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class FolderScan:
    """What a folder holds: notes by path, what could not be looked at, and how much was left aside by rule.

    `hidden` is sorted by reason, `attachments` by path. `dendron` says that the folder is a Dendron workspace or vault,
    `linked` that there are links to files: which of them count depends on all of the folder.
    `withheld` files, by path, are private by the place they lie in: they are neither in `files` nor in `attachments`,
    and nothing else in the scan tells of them. `stopped` scans are incomplete.
    """

    files: tuple[NoteFile, ...]
    problems: tuple[Problem, ...] = ()
    hidden: tuple[HiddenCount, ...] = ()
    dendron: bool = False
    linked: bool = False
    stopped: bool = False
    attachments: tuple[NoteFile, ...] = ()
    withheld: tuple[NoteFile, ...] = ()


_ALL_RULES = IgnoreRules()


def scan_folder(
    root: Path,
    should_stop: Callable[[], bool] | None = None,
    rules: IgnoreRules = _ALL_RULES,
    *,
    reveal: bool = False,
    only: Collection[str] | None = None,
) -> FolderScan:
    """Return the notes under `root`, sorted by path; whether `root` itself lies in a dot folder plays no part.

    `reveal` takes private files for files like any other. `should_stop` is asked once a folder. With `only`, paths
    relative to `root`, these and what lies below them are looked for and nothing else; the same rules hold for them,
    but whether the folder is Dendron's is not looked for. Raises FolderError if `root` is missing, no folder, may not
    be read, or vanishes; anything wrong further down is a problem in the result, and what vanishes there was never
    there.
    """
    check_folder(root)
    walk = _Walk(root, rules, reveal=reveal, only=only)
    stopped = False
    while walk.pending:
        if should_stop is not None and should_stop():
            stopped = True
            break
        walk.visit(*walk.pending.pop())
    walk.add_links()
    attachments = sorted(walk.attachments, key=lambda file: file.path)
    if len(attachments) > MOST_ATTACHMENTS:
        walk.problem(
            ".",
            f"This folder has {len(attachments):,} attachments; the first {MOST_ATTACHMENTS:,} by path can be found.",
        )
    return FolderScan(
        files=tuple(sorted(walk.files, key=lambda file: file.path)),
        problems=tuple(sorted(walk.problems, key=lambda problem: (problem.path, problem.reason))),
        hidden=tuple(HiddenCount(reason, count) for reason, count in sorted(walk.hidden.items())),
        dendron=walk.dendron,
        linked=walk.linked,
        stopped=stopped,
        attachments=tuple(attachments[:MOST_ATTACHMENTS]),
        withheld=tuple(sorted(walk.withheld, key=lambda file: file.path)),
    )


def check_folder(root: Path) -> None:
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
    """The state of one scan.

    `pending` are folders still to be visited, as paths relative to the root ("" is the root), each with the rules of
    the folder it is in: what is left aside, and what is private. File links wait until all files are known, for what
    they lead to may be one of them.
    """

    def __init__(self, root: Path, rules: IgnoreRules, *, reveal: bool, only: Collection[str] | None) -> None:
        self._root = str(root)
        self._only = None if only is None else frozenset(only)
        self._ways = frozenset(parent for path in only or () for parent in _parents(path))
        self._real_root = os.path.realpath(root)
        self._gitignore = rules.gitignore
        above, wrong = ignoring.rules_above(root) if rules.gitignore else ((), ())
        self._reveal = reveal
        private, wrong_private = (PathRules(), ()) if reveal else privacy.rules_above(root)
        self.pending = [("", FolderRules(git=above), private)]
        self.files: list[NoteFile] = []
        self.attachments: list[NoteFile] = []
        self.withheld: list[NoteFile] = []
        self.problems: list[Problem] = []
        self.hidden: Counter[str] = Counter()
        self.dendron = False
        self._links: list[tuple[str, str, os.DirEntry[str], PathRules]] = []
        self._private_places: set[str] = set()
        for path, reason in (*wrong, *wrong_private):
            self.problem(path, reason)

    def visit(self, folder: str, rules: FolderRules, private: PathRules) -> None:
        """Look at the entries of one folder; its own folders join the pending ones."""
        try:
            with os.scandir(f"{self._root}{os.sep}{folder}") as entries:
                found = list(entries)
        except OSError as error:
            if not folder:
                raise FolderError(f"The folder {displayed(self._root)} cannot be read: {_reason(error)}.") from None
            if not isinstance(error, FileNotFoundError):
                self.problem(folder, f"This folder could not be read: {_reason(error)}.", private)
            return
        names = {entry.name for entry in found}
        if folder and "pyvenv.cfg" in names and not rules.shows(folder):
            self.hidden[ignoring.ENVIRONMENT] += 1
            return
        private = self._private_within(folder, names, private)
        rules = self._rules_within(folder, names, rules, private)
        only = self._only_within(folder)
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if only is None or path in only or (path in self._ways and entry.is_dir(follow_symlinks=False)):
                    self._entry(entry, path, rules, private)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.problem(path, f"This file could not be looked at: {_reason(error)}.", private)

    def _only_within(self, folder: str) -> frozenset[str] | None:
        """Return the paths that are asked for, None where these include all of `folder`."""
        if self._only is None or not self._only.isdisjoint(("", folder, *_parents(folder))):
            return None
        return self._only

    def _private_within(self, folder: str, names: set[str], private: PathRules) -> PathRules:
        """Return what is private in a folder: by the folders it is in, and by its own rule file."""
        if self._reveal or privacy.PRIVATE_FILE not in names:
            return private
        path = f"{folder}/{privacy.PRIVATE_FILE}" if folder else privacy.PRIVATE_FILE
        cut = len(folder) + 1 if folder else 0
        rules, reason = privacy.rules_below(Path(self._root, path), private, cut=cut)
        if reason is not None:
            self.problem(path, reason, private)
        if rules.all_private:
            self._private_places.add(folder)
        return rules

    def _rules_within(self, folder: str, names: set[str], rules: FolderRules, private: PathRules) -> FolderRules:
        """Return the rules that hold in a folder: those of the folder it is in, and its own before them."""
        own, git = rules.own, rules.git
        if ignoring.OWN_FILE in names:
            own = (*self._patterns(folder, ignoring.OWN_FILE, None, private), *own)
        if self._gitignore and ignoring.GIT_FILE in names:
            git = (*self._patterns(folder, ignoring.GIT_FILE, None if folder else "", private), *git)
        return FolderRules(own, git)

    def _patterns(self, folder: str, name: str, spare: str | None, private: PathRules) -> tuple[ignoring.Patterns, ...]:
        path = f"{folder}/{name}" if folder else name
        patterns, reason = ignoring.read_patterns(
            Path(self._root, path), cut=len(folder) + 1 if folder else 0, spare=spare
        )
        if reason is not None:
            self.problem(path, reason, private)
        return () if patterns is None else (patterns,)

    def _entry(self, entry: os.DirEntry[str], path: str, rules: FolderRules, private: PathRules) -> None:
        name = entry.name
        if name == "dendron.yml" and not private.all_private:
            self.dendron = True
        is_folder = entry.is_dir(follow_symlinks=False)
        reason = rules.reason(path, name, is_folder=is_folder)
        if reason is not None:
            self.hidden[reason] += 1
        elif _is_link(entry):
            self._link(entry, path, private)
        elif is_folder:
            if private.names(path, name, is_folder=True):
                self._private_places.add(path)
                private = replace(private, all_private=True)
            self.pending.append((path, rules, private))
        elif entry.is_file():
            if _is_found(name):
                self._file(entry, path, private)
        elif is_note_name(name):
            self.problem(path, "This is no regular file, so it is not read.", private)

    def _link(self, entry: os.DirEntry[str], path: str, private: PathRules) -> None:
        target = os.path.realpath(entry.path)
        inside = target == self._real_root or target.startswith(self._real_root.rstrip(os.sep) + os.sep)
        if entry.is_dir():
            if not inside:
                self.problem(path, "This link leads to a folder outside the notes folder; it is not followed.", private)
            return
        if not _is_found(entry.name):
            return
        if not inside:
            self.problem(path, "This link leads to a file outside the notes folder; it is not followed.", private)
        elif entry.is_file():
            relative = os.path.relpath(target, self._real_root).replace(os.sep, "/")
            self._links.append((path, relative, entry, private))
        else:
            self.problem(path, "This link leads to nothing.", private)

    @property
    def linked(self) -> bool:
        """Whether there are links to files."""
        return bool(self._links)

    def add_links(self) -> None:
        """Add the file links whose targets are not found in their own right; of several to one target, the first.

        A note's link to an attachment counts, for that is how the file is read. One that is private, or leads to what
        is, takes no other's place.
        """
        notes = {file.path for file in self.files}
        attachments = {file.path for file in self.attachments}
        withheld = {file.path for file in self.withheld}
        for path, target, entry, rules in sorted(self._links, key=lambda link: link[0]):
            is_note = is_note_name(entry.name)
            leads_to_private = target in withheld or self._lies_private(target)
            private = replace(rules, all_private=True) if leads_to_private else rules
            if target in notes or (not is_note and target in attachments):
                continue
            if not private.names(path, entry.name, is_folder=False):
                (notes if is_note else attachments).add(target)
            try:
                self._file(entry, path, private)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.problem(path, f"This file could not be looked at: {_reason(error)}.", private)

    def _lies_private(self, path: str) -> bool:
        parts = path.split("/")
        return any("/".join(parts[:end]) in self._private_places for end in range(len(parts)))

    def _file(self, entry: os.DirEntry[str], path: str, private: PathRules) -> None:
        try:
            path.encode()
        except UnicodeEncodeError:
            self.problem(path, "This file's name is not valid text; rename it to have it indexed.", private)
            return
        status = entry.stat()
        if ignoring.is_elsewhere(status):
            self.hidden[ignoring.ELSEWHERE] += 1
            return
        attachment = not is_note_name(entry.name)
        times = status.st_mtime_ns, status.st_ctime_ns
        file = NoteFile(path, status.st_size, *times, attachment, () if attachment else private.tags)
        if private.names(path, entry.name, is_folder=False):
            self.withheld.append(file)
        else:
            (self.attachments if attachment else self.files).append(file)

    def problem(self, path: str, reason: str, private: PathRules | None = None) -> None:
        """Note what is wrong with an entry, its path in a form that can be shown; nothing of one that is private."""
        if private is None or not private.may_name(path):
            self.problems.append(Problem(displayed(path), reason))


def read_bytes(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file, one more than `most` where it has more: it may have grown since the scan.

    Raises:
        FileNotFoundError: it is gone, or something else stands in its place: the next scan tells what.
        OSError: the system does not let us read it.
    """
    # Opened without waiting: where a pipe came in its place, an open would wait for its other end.
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(os.open(path, flags), "rb") as opened:  # noqa: PTH123 - of a descriptor, which Path cannot open
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileNotFoundError(errno.ENOENT, "no regular file any more", str(path))
            # As much as there is said to be first, since a buffer of `most` is made whatever the file holds.
            data = opened.read(min(status.st_size, most) + 1)
            return data + opened.read(most + 1 - len(data)) if len(data) > status.st_size else data
    except (NotADirectoryError, IsADirectoryError) as error:
        raise FileNotFoundError(*error.args) from None


def is_readable(path: Path) -> bool:
    """Return whether the first byte of a file can be read now, or it is gone."""
    try:
        read_bytes(path, 0)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def displayed(path: str) -> str:
    """Return a path that can be shown and stored: bytes that are no text become backslash escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _parents(path: str) -> list[str]:
    """Return the folders that a path lies in, below the root: "a/b/c" gives "a" and "a/b"."""
    return [path[:place] for place, letter in enumerate(path) if letter == "/"]


def _is_found(name: str) -> bool:
    """Return whether a file of this name is a note, or has a suffix by which it is an attachment."""
    return is_note_name(name) or "." in name.strip(".")


def _is_link(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return True
    return os.name == "nt" and getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == _JUNCTION


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} ({error.errno})"
    return str(error)
