"""From a link as it was written to the note it means. Pure: it looks at the notes' names and nothing else.

Because it looks at all names at once, an index that grew step by step resolves as one made afresh.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import unquote

from core.notes.folding import fold
from core.notes.formats.outline import day_of_stem, journal_date, page_name
from core.notes.note import LinkKind
from core.notes.suffixes import without_suffix


@dataclass(frozen=True, slots=True)
class NamedNote:
    """What a note can be called by."""

    id: int
    path: str
    title: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The note a link means, None for none; `ambiguous` where the rule had to choose between several."""

    note: int | None
    ambiguous: bool = False


UNRESOLVED = Resolution(None)

LINK_RULES = "links/v2"
"""Part of what fills an index: a change of what links mean points all of them anew."""


class LinkGraph:
    """Resolves links to notes, and those that mean none to attachments, by the same rule.

    A note comes first, whatever lies beside it: `[[drawing]]` is never `drawing.png`, since a file of another kind is
    meant only where its suffix is written. An attachment is an end: it has no links, and it takes no part in the links
    leg, where it would take the place of a note; that it exists and who uses it is what its links are kept for.
    """

    def __init__(self, notes: Iterable[NamedNote], attachments: Iterable[NamedNote]) -> None:
        self._notes = LinkResolver(notes)
        self._attachments = LinkResolver(attachments)

    def resolve(self, source_path: str, kind: LinkKind, target: str) -> Resolution:
        """Return the note or attachment that `target`, written in the note at `source_path`, means."""
        found = self._notes.resolve(source_path, kind, target)
        return found if found.note is not None else self._attachments.resolve(source_path, kind, target)


class LinkResolver:
    """Resolves links by one stated rule: same folder first, then the shallowest path, then path order.

    A link with a folder in it is looked up by that path, from the root and from its own folder. A bare name is looked
    up among file names (whole, then without the suffix), then aliases, then titles; a page of Logseq answers to its
    name with slashes, a day to its date in ISO's and Logseq's spelling. A name is never matched by its end: `todo` is
    not `another-todo`. What is only alike when folded (`Uber`, `Über`) yields to what is written with the same letters,
    and a file of another format to Markdown of the same name: with its suffix it can be named without a doubt.
    """

    def __init__(self, notes: Iterable[NamedNote]) -> None:
        self._by_path: dict[str, list[NamedNote]] = {}
        self._by_name: dict[str, list[NamedNote]] = {}
        self._by_stem: dict[str, list[NamedNote]] = {}
        self._by_alias: dict[str, list[NamedNote]] = {}
        self._by_title: dict[str, list[NamedNote]] = {}
        self._folded: dict[str, str] = {}
        for note in sorted(notes, key=lambda note: note.path):
            path = self._fold(note.path)
            stem = without_suffix(path)
            name = posixpath.basename(stem)
            for table, key in ((self._by_path, path), (self._by_path, stem), (self._by_stem, name)):
                table.setdefault(key, []).append(note)
            if path != stem:
                self._by_name.setdefault(posixpath.basename(path), []).append(note)
            for called in _other_names(name):
                self._by_stem.setdefault(self._fold(called), []).append(note)
            self._by_title.setdefault(self._fold(note.title), []).append(note)
            for alias in note.aliases:
                self._by_alias.setdefault(self._fold(alias), []).append(note)

    def resolve(self, source_path: str, kind: LinkKind, target: str) -> Resolution:
        """Return the note that `target`, written in the note at `source_path`, means."""
        folder = posixpath.dirname(source_path)
        target = target.replace("\\", "/")
        candidates = self._candidates(folder, kind, target)
        if not candidates and "%" in target:
            target = unquote(target)
            candidates = self._candidates(folder, kind, target)
        if not candidates and target.endswith("#"):  # the mark of a heading that was never typed, not "C#"
            candidates = self._candidates(folder, kind, target.rstrip("#"))
        if not candidates and kind is LinkKind.MARKDOWN and "?" in target:  # of a web address: a.md?view=all
            target = target.partition("?")[0]
            candidates = self._candidates(folder, kind, target)
        return _choose(candidates, target, folder)

    def _candidates(self, folder: str, kind: LinkKind, target: str) -> list[NamedNote]:
        """Return the notes that a link in `folder` may mean, all found in the same way."""
        wanted = self._fold(target)
        if not wanted:
            return []
        if kind is LinkKind.MARKDOWN or wanted.startswith(("./", "../")):
            candidates = self._at(self._fold(folder), wanted) or self._at("", wanted)
        else:
            candidates = self._at("", wanted) if "/" in wanted else []
            if "/" in wanted and not candidates:
                candidates = self._at(self._fold(folder), wanted)
        return candidates or self._called(wanted)

    def _at(self, folder: str, wanted: str) -> list[NamedNote]:
        """Return the notes at a path, taken from `folder` unless it starts at the root."""
        path = wanted.lstrip("/") if wanted.startswith("/") else posixpath.join(folder, wanted)
        path = posixpath.normpath(path)
        if path in (".", "..") or path.startswith("../"):
            return []
        for name in (path, f"{path}/index", f"{path}/readme"):
            if name in self._by_path:
                return self._by_path[name]
        return []

    def _called(self, wanted: str) -> list[NamedNote]:
        """Return the notes that a bare name means."""
        day = journal_date(wanted)
        for candidates in (
            self._by_name.get(wanted),
            self._by_stem.get(wanted),
            self._by_alias.get(wanted),
            self._by_title.get(wanted),
            self._by_stem.get(day) if day else None,
        ):
            if candidates:
                return candidates
        return []

    def _fold(self, text: str) -> str:
        folded = self._folded.get(text)
        if folded is None:
            folded = self._folded[text] = " ".join(fold(text).split())
        return folded


_MARKDOWN = (".md", ".markdown")


def _other_names(name: str) -> list[str]:
    """Return what else a folded file name without its suffix answers to."""
    day = day_of_stem(name)
    names = [page_name(name), unquote(name) if "%" in name else name, day or name]
    return sorted({other for other in names if other != name})


def _choose(candidates: list[NamedNote], target: str, folder: str) -> Resolution:
    if not candidates:
        return UNRESOLVED
    # One note may answer to the same name twice, by its path and its file name.
    distinct = {note.id: note for note in candidates}
    if len(distinct) == 1:
        return Resolution(candidates[0].id)
    name = _letters(target)
    same_letters = [note for note in distinct.values() if _letters(note.path).casefold() == name.casefold()]
    among = same_letters or list(distinct.values())
    among = [note for note in among if note.path.lower().endswith(_MARKDOWN)] or among

    def key(note: NamedNote) -> tuple[bool, int, bool, str]:
        return posixpath.dirname(note.path) != folder, note.path.count("/"), _letters(note.path) != name, note.path

    return Resolution(min(among, key=key).id, ambiguous=len(among) > 1)


def _letters(path: str) -> str:
    return normalize("NFC", without_suffix(posixpath.basename(path)))
