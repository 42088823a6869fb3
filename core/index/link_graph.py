"""From a link as it was written to the note it means. Pure: it looks at the notes' names and nothing else.

Because it looks at all names at once, an index that grew step by step resolves as one made afresh.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from core.notes.folder import NOTE_SUFFIXES
from core.notes.folding import fold
from core.notes.note import LinkKind


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


class LinkResolver:
    """Resolves links by one stated rule: same folder first, then the shallowest path, then path order.

    A link with a folder in it is looked up by that path alone. A bare name is looked up among file names (without
    the suffix), then aliases, then titles. A name is never matched by its end: `todo` is not `another-todo`.
    """

    def __init__(self, notes: Iterable[NamedNote]) -> None:
        self._by_path: dict[str, list[NamedNote]] = {}
        self._by_stem: dict[str, list[NamedNote]] = {}
        self._by_alias: dict[str, list[NamedNote]] = {}
        self._by_title: dict[str, list[NamedNote]] = {}
        self._folded: dict[str, str] = {}
        for note in sorted(notes, key=lambda note: note.path):
            path = self._fold(note.path)
            stem = _without_suffix(path)
            name = posixpath.basename(stem)
            for table, key in ((self._by_path, path), (self._by_path, stem), (self._by_stem, name)):
                table.setdefault(key, []).append(note)
            if "___" in name:
                # Logseq keeps the page a/b in the file a___b.md.
                self._by_stem.setdefault(name.replace("___", "/"), []).append(note)
            self._by_title.setdefault(self._fold(note.title), []).append(note)
            for alias in note.aliases:
                self._by_alias.setdefault(self._fold(alias), []).append(note)

    def resolve(self, source_path: str, kind: LinkKind, target: str) -> Resolution:
        """Return the note that `target`, written in the note at `source_path`, means."""
        folder = posixpath.dirname(source_path)
        wanted = self._fold(target.replace("\\", "/"))
        if not wanted:
            return UNRESOLVED
        if kind is LinkKind.MARKDOWN or wanted.startswith(("./", "../")):
            candidates = self._at(self._fold(folder), wanted) or self._at("", wanted)
        else:
            candidates = self._at("", wanted) if "/" in wanted else []
            if "/" in wanted and not candidates:
                candidates = self._at(self._fold(folder), wanted)
        if not candidates:
            candidates = self._called(wanted)
        return _choose(candidates, target, folder)

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
        stem = _without_suffix(wanted)
        with_suffix = [note for note in self._by_stem.get(stem, ()) if self._fold(note.path).endswith(wanted)]
        for candidates in (
            self._by_stem.get(wanted),
            with_suffix if stem != wanted else None,
            self._by_alias.get(wanted),
            self._by_title.get(wanted),
        ):
            if candidates:
                return candidates
        return []

    def _fold(self, text: str) -> str:
        folded = self._folded.get(text)
        if folded is None:
            folded = self._folded[text] = " ".join(fold(text).split())
        return folded


def _choose(candidates: list[NamedNote], target: str, folder: str) -> Resolution:
    if not candidates:
        return UNRESOLVED

    def key(note: NamedNote) -> tuple[bool, int, bool, str]:
        exact = _without_suffix(posixpath.basename(note.path)) == _without_suffix(posixpath.basename(target))
        return posixpath.dirname(note.path) != folder, note.path.count("/"), not exact, note.path

    # One note may answer to the same name twice, by its path and its file name.
    distinct = {note.id: note for note in candidates}
    if len(distinct) == 1:
        return Resolution(candidates[0].id)
    best = min(distinct.values(), key=key)
    return Resolution(best.id, ambiguous=len(distinct) > 1)


def _without_suffix(path: str) -> str:
    for suffix in NOTE_SUFFIXES:
        if path.lower().endswith(suffix) and len(path) > len(suffix):
            return path[: -len(suffix)]
    return path
