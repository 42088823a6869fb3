"""The bytes of a file to a `Note`, by the reader that its suffix asks for. Depends on the readers; opens no file."""

from __future__ import annotations

from dataclasses import replace

from core.notes.decoding import decode, normalise_newlines
from core.notes.markdown import read_markdown, stem
from core.notes.note import Note

READING_RULES = "read/v1"
"""Part of the index's fingerprint: a change of any reader changes every index."""

MAX_TEXT = 32_000_000
"""Characters of a file that are read: 65,536 passages of about 500 characters, the most that an index can number."""

MAX_LINKS = 100_000
"""Links of one note: a file of nothing else would take minutes to point, and no person wrote it."""


def read_note(path: str, data: bytes, *, dendron: bool = False) -> Note:
    """Return the note in a file's bytes; `path` is relative to the folder.

    Text beyond MAX_TEXT is cut at a line's end, and said so. Raises NotText for binary content, nothing else.
    """
    decoded = decode(data)
    problems = [decoded.problem] if decoded.problem else []
    text = decoded.text
    if len(text) > MAX_TEXT:
        text = text[: text.rfind("\n", 0, MAX_TEXT) + 1 or MAX_TEXT]
        problems.append(f"It is longer than {MAX_TEXT // 10**6} million characters; only its beginning is indexed.")
    note = read_text(path, text) if path.lower().endswith(".txt") else read_markdown(path, text, dendron=dendron)
    if len(note.links) > MAX_LINKS:
        problems.append(f"It holds {len(note.links):,} links; only the first {MAX_LINKS:,} are followed.")
        note = replace(note, links=note.links[:MAX_LINKS])
    return replace(note, problems=(*problems, *note.problems)) if problems else note


def read_text(path: str, text: str) -> Note:
    """Return a plain text file as a note: its title is the file's name, and nothing in it is markup."""
    return Note(path=path, title=stem(path), text=normalise_newlines(text))
