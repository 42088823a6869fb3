"""A data set's documents as a folder of Markdown notes, and the way back from a note's path to its document.

Whatever an id holds, its note lies inside the folder, under a name that every file system takes and no scan leaves
aside. The same ids give the same paths on every machine, since paths are searched too.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

from core.errors import IndexFileError
from core.evaluation.datasets import Document
from core.notes.formats.front_matter import cut_front_matter
from core.notes.ignoring import hidden_by_name

NOTE_FILE_RULES = "notes/v1"
"""Another rule for paths or texts makes other notes: part of the name of the folder that they are kept in."""

MOST_NAME_BYTES = 200
"""Of a file's or folder's name: file systems take 255, some after a change of form."""

MOST_PATH_BYTES = 600
MOST_FOLDERS = 20

_MODIFIED = 946_728_000
"""Noon of 1 January 2000, UTC: every note has the same time, so no run depends on when it was made."""

_REFUSED = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"\\|?*\u2028\u2029\ud800-\udfff\ufffe\uffff]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|\Z)", re.IGNORECASE)


def note_paths(ids: Iterable[str]) -> dict[str, str]:
    """Return for each document id, in the order given, the path of its note relative to the folder, `/` between names.

    It is the id, with `.md` added where it does not end so. An id that is no safe path (it leaves the folder, is too
    long, holds what some file system refuses, has a name that a scan leaves aside) or that cannot stand beside an
    earlier one (equal in another case or form, or a file where a folder must be) gets a flat name with a hash.
    """
    paths: dict[str, str] = {}
    taken = _Taken()
    for identity in ids:
        path = identity if identity.lower().endswith(".md") else f"{identity}.md"
        attempt = 0
        while not _is_safe(path) or not taken.has_room_for(path):
            path = _flat_name(identity, attempt)
            attempt += 1
        taken.add(path)
        paths[identity] = path
    return paths


def write_notes(documents: Iterable[Document], paths: Mapping[str, str], folder: Path) -> None:
    """Write the documents' notes into a folder that is Triskel's own; notes that are there already stay.

    Raises:
        IndexFileError: the folder cannot be written.
    """
    for document in documents:
        file = folder / paths[document.id]
        content = note_text(document).encode()
        try:
            if _is_written(file, len(content)):
                continue
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.write_bytes(content)
            # Last, so that a note that was broken off in the middle is seen to be none.
            os.utime(file, (_MODIFIED, _MODIFIED))
        except OSError as error:
            raise IndexFileError(f"The folder {folder} cannot be written: {error.strerror}.") from error


def note_text(document: Document) -> str:
    """Return the document as Markdown: its title, where it has one, stands in front matter and not in the text."""
    if not document.title:
        return document.text
    front = cut_front_matter(document.text)
    line = f"title: {json.dumps(' '.join(document.title.split()), ensure_ascii=False)}\n"
    if not front.lines:
        return f"---\n{line}---\n\n{document.text}"
    if front.value("title") is not None or front.problem is not None:
        return document.text
    first, _, rest = document.text.partition("\n")
    return f"{first}\n{line}{rest}"


def _is_written(file: Path, size: int) -> bool:
    try:
        status = file.stat()
    except FileNotFoundError:
        return False
    return status.st_size == size and status.st_mtime == _MODIFIED


def _is_safe(path: str) -> bool:
    names = path.split("/")
    if len(names) > MOST_FOLDERS or len(path.encode("utf-8", "replace")) > MOST_PATH_BYTES or _REFUSED.search(path):
        return False
    parents = ["", *names]
    return all(
        _is_safe_name(name, parents[place], is_folder=place < len(names) - 1) for place, name in enumerate(names)
    )


def _is_safe_name(name: str, parent: str, *, is_folder: bool) -> bool:
    return (
        name not in {"", ".", ".."}
        and len(name.encode()) <= MOST_NAME_BYTES
        and name[-1] not in " ."
        and not name.startswith((" ", "."))
        and not _DEVICES.match(name)
        and hidden_by_name(name, parent, is_folder=is_folder) is None
    )


class _Taken:
    """The paths given so far, compared as a file system does that knows no cases and no forms of letters."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: dict[str, str] = {}

    def has_room_for(self, path: str) -> bool:
        """Return whether a file can be made here: nothing has its name, and its folders are no files."""
        compared = _compared(path)
        return (
            compared not in self._files
            and compared not in self._folders
            and all(
                _compared(folder) not in self._files and self._folders.get(_compared(folder), folder) == folder
                for folder in _folders(path)
            )
        )

    def add(self, path: str) -> None:
        self._files.add(_compared(path))
        self._folders.update((_compared(folder), folder) for folder in _folders(path))


def _folders(path: str) -> Iterator[str]:
    """Yield the folders that a path goes through, the outermost first."""
    place = path.find("/")
    while place >= 0:
        yield path[:place]
        place = path.find("/", place + 1)


def _compared(path: str) -> str:
    return normalize("NFC", normalize("NFKD", path).casefold())


def _flat_name(identity: str, attempt: int) -> str:
    """Return a name of letters and digits: what a person can recognise of an id, and a hash that makes it one."""
    readable = re.sub(r"[^\w-]+", "-", normalize("NFC", identity)).strip("-_")[:40]
    # A second attempt is needed only where somebody gave another document this very name.
    digest = sha256(f"{attempt or ''}{identity}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{readable}-{digest}.md" if readable else f"{digest}.md"
