"""Which files are notes, by the ends of their names. Pure data, so that a scan loads no reader."""

from __future__ import annotations

NOTE_SUFFIXES = (
    ".md", ".markdown", ".txt", ".org", ".rst", ".html", ".htm", ".pdf", ".docx", ".ipynb", ".canvas",
)  # fmt: skip
"""Compared in lower case. `core.notes.reading` has a reader for each."""


def is_note_name(name: str) -> bool:
    """Return whether a file of this name is read as a note."""
    return name.lower().endswith(NOTE_SUFFIXES)


def without_suffix(path: str) -> str:
    """Return a path or name without the suffix that makes it a note; others stay as they are."""
    lowered = path.lower()
    for suffix in NOTE_SUFFIXES:
        if lowered.endswith(suffix) and len(path) > len(suffix):
            return path[: -len(suffix)]
    return path
