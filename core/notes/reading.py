"""The bytes of a file to a `Note`, by the reader that its suffix asks for. Depends on the readers; opens no file.

A reader is loaded when a file first asks for it: a folder of Markdown never loads what reads PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from core.notes.decoding import Decoded, decode, normalise_newlines
from core.notes.formats.document_title import file_title
from core.notes.formats.markdown import read_markdown
from core.notes.formats.parts import MAX_TEXT, TOO_LONG
from core.notes.note import Note

READING_RULES = "read/v2"
"""Part of the index's fingerprint: a change of any reader changes every index."""

MAX_LINKS = 100_000
"""Links of one note: a file of nothing else would take minutes to point, and no person wrote it."""


class Reader(Protocol):
    """What reads one format. Raises NotText, with a sentence, for a file that is not what its name says."""

    def __call__(self, path: str, data: bytes, dendron: bool, /) -> Note:
        """Return the note in `data`; `dendron` says that the folder is Dendron's."""


def read_note(path: str, data: bytes, *, dendron: bool = False) -> Note:
    """Return the note in a file's bytes; `path` is relative to the folder.

    Text beyond MAX_TEXT is cut, and links beyond MAX_LINKS are left out, and said so. Raises NotText for a file that is
    not what its name says, nothing else.
    """
    lowered = path.lower()
    reader = next((reader for suffix, reader in READERS.items() if lowered.endswith(suffix)), _markdown)
    return _within_limits(reader(path, data, dendron))


def read_text(path: str, text: str) -> Note:
    """Return a plain text file as a note: its title is the file's name, and nothing in it is markup."""
    return Note(path=path, title=file_title(path), text=normalise_newlines(text))


def _from_text(
    path: str, data: bytes, read: Callable[[str, str], Note], decoder: Callable[[bytes], Decoded] = decode
) -> Note:
    """Decode the bytes of a format that is text, cut them to what is read, and read them."""
    decoded = decoder(data)
    problems = [decoded.problem] if decoded.problem else []
    text = decoded.text
    if len(text) > MAX_TEXT:
        text = _beginning(text)
        problems.append(TOO_LONG)
    note = read(path, text)
    return replace(note, problems=(*problems, *note.problems)) if problems else note


def _within_limits(note: Note) -> Note:
    problems = []
    if len(note.text) > MAX_TEXT:
        text = _beginning(note.text)
        lines = text.count("\n") + 1
        note = replace(
            note,
            text=text,
            headings=tuple(heading for heading in note.headings if heading.offset < len(text)),
            places=tuple(place for place in note.places if place.offset < len(text)),
            links=tuple(link for link in note.links if link.line <= lines),
        )
        problems.append(TOO_LONG)
    if len(note.links) > MAX_LINKS:
        problems.append(f"It holds {len(note.links):,} links; only the first {MAX_LINKS:,} are followed.")
        note = replace(note, links=note.links[:MAX_LINKS])
    return replace(note, problems=(*note.problems, *problems)) if problems else note


def _beginning(text: str) -> str:
    """Return the first MAX_TEXT characters up to a line's end, or a word's where one line takes half of them."""
    half = MAX_TEXT // 2
    cut = text.rfind("\n", half, MAX_TEXT) + 1 or text.rfind(" ", half, MAX_TEXT) + 1
    return text[: cut or MAX_TEXT]


def _markdown(path: str, data: bytes, dendron: bool, /) -> Note:
    return _from_text(path, data, lambda path, text: read_markdown(path, text, dendron=dendron))


def _plain_text(path: str, data: bytes, _dendron: bool, /) -> Note:
    return _from_text(path, data, read_text)


def _org(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.org import read_org

    return _from_text(path, data, read_org)


def _restructured(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.restructured import read_restructured

    return _from_text(path, data, read_restructured)


def _html(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.html import decode_html, read_html

    return _from_text(path, data, read_html, decode_html)


def _pdf(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.pdf import read_pdf

    return read_pdf(path, data)


def _docx(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.docx import read_docx

    return read_docx(path, data)


def _notebook(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.notebook import read_notebook

    return read_notebook(path, data)


def _canvas(path: str, data: bytes, _dendron: bool, /) -> Note:
    from core.notes.formats.canvas import read_canvas

    return read_canvas(path, data)


READERS: Mapping[str, Reader] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _plain_text,
    ".org": _org,
    ".rst": _restructured,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".docx": _docx,
    ".ipynb": _notebook,
    ".canvas": _canvas,
}
"""By the end of a file's name, in lower case: those of `core.notes.suffixes`."""
