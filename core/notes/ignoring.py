"""What a scan leaves aside, and why: names that never hold notes, .gitignore, .triskelignore, files not on this disk.

Depends on pathspec for the meaning of a pattern, and on the file system for the ignore files alone.

1. `.git` is never entered, and a file that is not on this disk is never read.
2. `.triskelignore` comes first. Its `!` shows again what .gitignore hides, and what is hidden by its name if the
   pattern says that name: `!.journal/` and `!node_modules` do, `!*/` and `!*.md` do not, for the usual way to write
   "only Markdown" must not bring back the trash and the editor's own folders.
3. Names that are hidden whatever the folder: see `hidden_by_name`.
4. `.gitignore`: nested ones, those above the notes folder up to the repository's root, and .git/info/exclude.
   Patterns at or above the notes folder that name the folder itself or everything in it are not applied: people keep
   notes in an ignored folder of a repository, and want them found.

As in git, the deepest file counts first, in a file the last pattern, and nothing below a hidden folder is looked at.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from core.notes.suffixes import NOTE_SUFFIXES

GIT_FILE = ".gitignore"
OWN_FILE = ".triskelignore"

DOT = "name begins with a dot"
PACKAGES = "package folders (node_modules, __pycache__)"
ENVIRONMENT = "virtual environments"
TEMPORARY = "editor and temporary files"
DELETED = "deleted notes (.trash, .stversions, logseq/bak)"
SYSTEM = "files of the system (Thumbs.db, desktop.ini, .DS_Store)"
BY_GIT = "named by .gitignore"
BY_OWN = "named by .triskelignore"
ELSEWHERE = "not on this disk (cloud placeholder)"

_PACKAGE_FOLDERS = frozenset({"node_modules", "__pycache__", "bower_components"})
_DELETED_FOLDERS = frozenset({".trash", ".stversions", "$recycle.bin"})
_LOGSEQ_FOLDERS = frozenset({"bak", ".recycle", "version-files"})
_SYSTEM_FILES = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", ".ds_store"})
_TEMPORARY_SUFFIXES = ("~", ".tmp", ".swp", ".swo", ".swn", ".crdownload", ".part", ".partial")
# Emacs' locks and saved changes, Office's and LibreOffice's locks, and the file by which Vim sees that it may write.
_TEMPORARY_NAME = re.compile(r"\.#|~\$|\.~lock\.|#.*#\Z|4913\Z", re.DOTALL)

_MOST_BYTES = 1_000_000
_MOST_PATTERNS = 5_000
_MOST_CHARACTERS = 1_000
# Each ** may stand for any number of folders, so the time to say no grows with the path's length to this power.
_MOST_DOUBLE_STARS = 3

_SF_DATALESS = 0x40000000  # macOS, sys/stat.h
_WINDOWS_ELSEWHERE = 0x1000 | 0x40000 | 0x400000  # OFFLINE, RECALL_ON_OPEN, RECALL_ON_DATA_ACCESS


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """What a person may switch: whether .gitignore files and .git/info/exclude are obeyed."""

    gitignore: bool = True


def hidden_by_name(name: str, parent: str, *, is_folder: bool) -> str | None:
    """Return why an entry is hidden by its name, None if it is not; `parent` is the name of the folder it is in.

    Temporary names are those of files: a folder may be called "4913" or "draft~". A name of dots and a note's
    suffix (".md", from an empty title) or one that begins with three dots is no dot name.
    """
    lowered = name.lower()
    if is_folder:
        if name in _PACKAGE_FOLDERS:
            return PACKAGES
        if lowered in _DELETED_FOLDERS or lowered.startswith(".trash-"):
            return DELETED
        if parent == "logseq" and name in _LOGSEQ_FOLDERS:
            return DELETED
    elif lowered.endswith(".icloud") and name.startswith("."):
        return ELSEWHERE
    elif lowered.endswith(_TEMPORARY_SUFFIXES) or _TEMPORARY_NAME.match(name):
        return TEMPORARY
    elif lowered in _SYSTEM_FILES:
        return SYSTEM
    if name.startswith(".") and not name.startswith("...") and "." + lowered.lstrip(".") not in NOTE_SUFFIXES:
        return DOT
    return None


def is_elsewhere(status: os.stat_result, platform: str = sys.platform) -> bool:
    """Return whether reading a file of this state would first fetch it from a cloud.

    Having no blocks proves nothing: small files of btrfs and packed ones of APFS have none.
    """
    if platform == "darwin":
        return bool(getattr(status, "st_flags", 0) & _SF_DATALESS)
    if platform == "win32":
        return bool(getattr(status, "st_file_attributes", 0) & _WINDOWS_ELSEWHERE)
    return False


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern: whether it `ignores` what it matches, or takes it out again.

    `whole` ones match the path from their file's folder, others the name alone.
    """

    regex: re.Pattern[str]
    ignores: bool
    folders_only: bool
    whole: bool
    says_name: bool

    def matches(self, path: str, name: str, *, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        return self.regex.match(path if self.whole else name) is not None


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of one ignore file, the last first.

    A path of the notes folder becomes one from the file's folder by cutting `cut` characters and setting `prefix`
    before. `names` and `paths` match where any rule of that kind would, so that most entries cost one look.
    """

    rules: tuple[Rule, ...]
    prefix: str
    cut: int
    names: re.Pattern[str] | None
    paths: re.Pattern[str] | None

    def deciding(self, path: str, name: str, *, is_folder: bool) -> Rule | None:
        """Return the pattern that decides about an entry, None if none names it."""
        path = self.prefix + path[self.cut :]
        if not ((self.names and self.names.match(name)) or (self.paths and self.paths.match(path))):
            return None
        return next((rule for rule in self.rules if rule.matches(path, name, is_folder=is_folder)), None)


@dataclass(frozen=True, slots=True)
class FolderRules:
    """The ignore files that reach into one folder, the deepest first."""

    own: tuple[Patterns, ...] = ()
    git: tuple[Patterns, ...] = ()

    def reason(self, path: str, name: str, *, is_folder: bool) -> str | None:
        """Return why an entry is left aside, None if it is not; `path` is from the notes folder."""
        hidden = hidden_by_name(name, path.rpartition("/")[0].rpartition("/")[2], is_folder=is_folder)
        own = deciding(self.own, path, name, is_folder=is_folder)
        if hidden is not None:
            shown = own is not None and not own.ignores and own.says_name
            return None if shown and name != ".git" and hidden != ELSEWHERE else hidden
        if own is not None:
            return BY_OWN if own.ignores else None
        git = deciding(self.git, path, name, is_folder=is_folder)
        return BY_GIT if git is not None and git.ignores else None

    def shows(self, path: str) -> bool:
        """Return whether .triskelignore shows this folder by its name, so that its contents do not hide it."""
        own = deciding(self.own, path, path.rpartition("/")[2], is_folder=True)
        return own is not None and not own.ignores and own.says_name


def deciding(files: tuple[Patterns, ...], path: str, name: str, *, is_folder: bool) -> Rule | None:
    """Return the pattern that decides about an entry, of the first file that names it; None if none does."""
    for patterns in files:
        if rule := patterns.deciding(path, name, is_folder=is_folder):
            return rule
    return None


def rules_above(root: Path) -> tuple[tuple[Patterns, ...], tuple[tuple[str, str], ...]]:
    """Return what git's ignore files above a notes folder say about it, the deepest first, and what is wrong with them.

    Outside a repository there are none. Of a repository whose .git is a file (a worktree or a submodule)
    info/exclude is not read. Wrong is a file's path from the notes folder and a sentence.
    """
    root = Path(os.path.realpath(root))
    line = [root, *root.parents]
    top = next((depth for depth, folder in enumerate(line) if os.path.lexists(folder / ".git")), None)
    if top is None:
        return (), ()
    files = [(line[depth] / GIT_FILE, depth) for depth in range(1, top + 1)]
    files.append((line[top] / ".git" / "info" / "exclude", top))
    found = []
    wrong = []
    for file, depth in files:
        prefix = "".join(f"{folder.name}/" for folder in reversed(line[:depth]))
        patterns, reason = read_patterns(file, prefix=prefix, spare=prefix)
        if patterns is not None:
            found.append(patterns)
        if reason is not None:
            wrong.append(("../" * depth + file.relative_to(line[depth]).as_posix(), reason))
    return tuple(found), tuple(wrong)


def read_patterns(
    file: Path, *, prefix: str = "", cut: int = 0, spare: str | None = None
) -> tuple[Patterns | None, str | None]:
    """Return the patterns of an ignore file (None: it has none) and what is wrong with it (None: nothing).

    Given `spare`, the notes folder's path from the file's folder ("" or ending in a slash), patterns that hide it,
    a folder on the way to it, or everything in it are left out.
    """
    text, reason = text_of_rules(file)
    patterns, wrong = patterns_in(text, prefix=prefix, cut=cut, spare=spare)
    return patterns, reason or wrong


def patterns_in(
    text: str, *, prefix: str = "", cut: int = 0, spare: str | None = None
) -> tuple[Patterns | None, str | None]:
    """Return the patterns in the text of an ignore file, and what is wrong with it; see `read_patterns`."""
    rules: list[Rule] = []
    bad: list[int] = []
    reason = None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if len(rules) == _MOST_PATTERNS:
            reason = f"This ignore file has more than {_MOST_PATTERNS:,} patterns; the others are not applied."
            break
        try:
            rule = _rule(line)
        except (ValueError, re.error, OverflowError, RecursionError):
            bad.append(number)
            continue
        if rule is not None and not (rule.ignores and spare is not None and _hides_folder(rule, spare)):
            rules.append(rule)
    if bad and reason is None:
        others = f" (and {len(bad) - 1:,} more)" if len(bad) > 1 else ""
        reason = f"Line {bad[0]:,}{others} of this ignore file is no pattern that can be used; the others are applied."
    if not rules:
        return None, reason
    return Patterns(tuple(reversed(rules)), prefix, cut, _any(rules, whole=False), _any(rules, whole=True)), reason


def text_of_rules(file: Path) -> tuple[str, str | None]:
    """Return what an ignore file says, "" where it is not to be read, and why it is not."""
    try:
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            return "", "This ignore file is a link; as in git, it is not read."
        if not stat.S_ISREG(status.st_mode):
            return "", None
        if is_elsewhere(status):
            return "", "This ignore file is not on this disk; it is not applied."
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return "", None
    except OSError as error:
        return "", f"This ignore file could not be read: {error.strerror} ({error.errno})."
    if len(content) > _MOST_BYTES:
        return "", "This ignore file is larger than 1 MB; it is not applied."
    if b"\0" in content:
        return "", "This ignore file is no text; it is not applied."
    # File names that are no valid text are spelt the same way by the file system's own reading.
    return content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape"), None


def _hides_folder(rule: Rule, spare: str) -> bool:
    parts = spare.split("/")[:-1]
    on_the_way = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    if any(rule.matches(path, path.rpartition("/")[2], is_folder=True) for path in on_the_way):
        return True
    # No pattern says this name, so one that matches it matches every name.
    name = "\x01any\x01"
    return rule.matches(spare + name, name, is_folder=False) or rule.matches(spare + name, name, is_folder=True)


def _any(rules: list[Rule], *, whole: bool) -> re.Pattern[str] | None:
    parts = [f"(?:{rule.regex.pattern})" for rule in rules if rule.whole is whole]
    return re.compile("|".join(parts), re.DOTALL) if parts else None


# What pathspec writes for *, for a pattern's end, and before a pattern of one name.
_STAR = r"\[\^/\]\*"
_END = "(?:(?P<ps_d>/)|$)"
_ANYWHERE = "^(?:.+/)?"
_SEVERAL_STARS = re.compile(f"(?:{_STAR}){{2,}}")
_BETWEEN_STARS = re.compile(rf"{_STAR}((?:\[\^/\](?!\*)|(?!{_STAR})[^/])+)(?={_STAR})")
# Python means to read these as sets within sets one day; git reads [[:alpha:]] in its own way, pathspec does not.
_ODD_SET = re.compile(r"\[[^\]]*?(?:\[|--|&&|~~|\|\|)")


def _rule(line: str) -> Rule | None:
    """Return what a line says, None for a comment or an empty one.

    Raises ValueError or re.error for what is no pattern, or one that could take long to match.
    """
    text = line.rstrip("\r")
    text = text if text.endswith("\\ ") else text.rstrip()
    if not text or text.startswith("#"):
        return None
    folders_only = text.endswith("/")
    text = (text[:-1] if folders_only else text).replace("[[]", "\\[")
    body = text.removeprefix("!")
    if not body:
        return None
    if len(body) > _MOST_CHARACTERS or body.count("**") > _MOST_DOUBLE_STARS or _ODD_SET.search(body):
        raise ValueError(line)
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # most folders have no patterns

    regex, include = GitIgnoreSpecPattern.pattern_to_regex(text)
    if regex is None or include is None:
        raise ValueError(line)
    # pathspec matches a folder's pattern against every path below it. Here those are never asked for, and a folder
    # that was shown again must not hide its files by the pattern that had hidden it: the match is to the end.
    if regex.endswith(_END):
        regex = regex.removesuffix(_END) + r"\Z"
    elif regex.endswith("/"):
        regex += "."
    if "ps_d" in regex:
        raise ValueError(line)
    whole = "/" in body
    if not whole:
        regex = regex.replace(_ANYWHERE, "^", 1)
    # The first place where the part between two stars fits is as good as any later one, so no other is tried:
    # without this, *a*a*a*a*b takes years to say no to a long name.
    regex = _BETWEEN_STARS.sub(r"(?>[^/]*?\1)", _SEVERAL_STARS.sub("[^/]*", regex))
    if regex in {".", "/."}:
        regex = ".*/." if regex == "/." else "."
    last = body.rpartition("/")[2]
    return Rule(re.compile(regex, re.DOTALL), include, folders_only, whole, not last.startswith(("*", "?", "[")))
