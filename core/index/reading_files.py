"""What an index stores of one file: the note in it, or why there is none. Depends on the file system and the readers.

Nothing here knows the index; a file that cannot be read costs only itself.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from core.notes.decoding import NotText
from core.notes.folder import NoteFile, read_bytes
from core.notes.note import Note, Passage
from core.notes.passages import cut_passages
from core.notes.privacy import private_by_content
from core.notes.reading import read_note

MOST_BYTES = 64 * 1024 * 1024
"""A file above this is listed and left out: it would hold a parser for seconds, and no one wrote it by hand."""

TOO_BIG = f"It is larger than {MOST_BYTES // 1024**2} MB and was left out."


@dataclass(frozen=True, slots=True)
class FileGone:
    """It vanished since the scan."""


@dataclass(frozen=True, slots=True)
class FileUnread:
    """It could not be read, and the sentence that says why: `for_good`, until it changes, or until rights come back."""

    reason: str
    for_good: bool = True


@dataclass(frozen=True, slots=True)
class FileSame:
    """Its content is what is stored already."""


@dataclass(frozen=True, slots=True)
class FilePrivate:
    """It says of itself that it is private, by this rule."""

    rule: str


@dataclass(frozen=True, slots=True)
class FileNote:
    """The note in it, cut into passages."""

    note: Note
    passages: tuple[Passage, ...]
    content_hash: bytes


FileReading: TypeAlias = "FileGone | FileUnread | FileSame | FilePrivate | FileNote"


def read_file(
    folder: Path, file: NoteFile, stored_hash: bytes | None = None, *, dendron: bool = False, reveal: bool = False
) -> FileReading:
    """Return what is in a file of the folder; `reveal` takes a private note for one like any other.

    `stored_hash` is that of the content that is stored of it, None for none.
    """
    if file.size > MOST_BYTES:
        return FileUnread(TOO_BIG)
    try:
        data = read_bytes(folder / file.path, MOST_BYTES)
    except FileNotFoundError:
        return FileGone()
    except OSError as error:
        return FileUnread(f"It could not be read: {error.strerror} ({error.errno}).", for_good=False)
    if len(data) > MOST_BYTES:
        return FileUnread(TOO_BIG)
    content_hash = hashlib.sha256(data).digest()[:16]
    if stored_hash == content_hash:
        return FileSame()
    try:
        note = read_note(file.path, data, dendron=dendron)
        rule = None if reveal else private_by_content(note, file.private_tags)
        return FilePrivate(rule) if rule is not None else FileNote(note, cut_passages(note), content_hash)
    except NotText as error:
        return FileUnread(str(error))
    except Exception as fault:  # noqa: BLE001 - a fault of our readers costs the one note that shows it
        return FileUnread(f"Triskel could not read it, which is a fault of Triskel ({type(fault).__name__}: {fault}).")
