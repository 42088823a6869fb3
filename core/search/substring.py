"""Text that holds no word at all, such as `->` or `:=`, looked for as it stands. Depends on an index reader.

Symbols are in no word index, so every passage is looked at; the search can be called off at any row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.index.schema import note_of
from core.search.grouping import Row, Visible, rank_notes, visible_rows

if TYPE_CHECKING:
    from core.index.reader import Reader
    from core.search.results import Ranking

LITERAL = "="
"""Begins the key of a text that is marked wherever it stands, cut into words or not. No word begins with it."""

_PASSAGES = (
    "SELECT id, (length(text) - length(replace(text, ?1, ''))) / length(?1) FROM passage "
    "WHERE instr(text, ?1) ORDER BY id"
)
_TITLES = "SELECT id FROM note WHERE instr(title, ?1) OR instr(path, ?1)"


def rank_by_symbols(reader: Reader, text: str, visible: Visible = None) -> Ranking:
    """Return the notes that hold a text: by how often, those with it in title or path first, then path.

    The passage that shows a note is the first with it.
    """
    often: dict[int, int] = {}
    first: dict[int, int] = {}
    rows = (Row(note_of(passage), passage, count) for passage, count in reader.connection.execute(_PASSAGES, (text,)))
    for row in visible_rows(rows, visible):
        often[row.note] = often.get(row.note, 0) + int(row.score)
        first.setdefault(row.note, row.passage or 0)
    named = (Row(note, None, 0.0) for (note,) in reader.connection.execute(_TITLES, (text,)))
    for row in visible_rows(named, visible):
        often[row.note] = often.get(row.note, 0) + 1_000_000
    paths = {note.id: note.path for note in reader.notes(sorted(often)).values()}
    return rank_notes([Row(note, first.get(note), float(count)) for note, count in often.items()], paths)


def notes_with_text(reader: Reader, text: str) -> set[int]:
    """Return the notes that hold a text in title, path or body."""
    found = {note for (note,) in reader.connection.execute(_TITLES, (text,))}
    rows = reader.connection.execute("SELECT id FROM passage WHERE instr(text, ?)", (text,))
    return found | {note_of(passage) for (passage,) in rows}
