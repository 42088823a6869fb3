"""Text that holds no word at all, such as `->` or `:=`, looked for as it stands. Depends on an index reader.

Symbols are in no word index, so every passage is looked at; the search can be called off at any row.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def rank_by_symbols(reader: Reader, texts: Sequence[str], visible: Visible = None) -> Ranking:
    """Return the notes that hold any of some texts: by how many of them, by how often, then path.

    One in the title or path counts as a thousand. The passage that shows a note is the first with one.
    """
    held: dict[int, int] = {}
    often: dict[int, int] = {}
    first: dict[int, int] = {}
    for text in texts:
        with_it: dict[int, int] = {}
        rows = (Row(note_of(one), one, count) for one, count in reader.connection.execute(_PASSAGES, (text,)))
        for row in visible_rows(rows, visible):
            with_it[row.note] = with_it.get(row.note, 0) + int(row.score)
            first[row.note] = min(first.get(row.note, row.passage or 0), row.passage or 0)
        named = (Row(note, None, 0.0) for (note,) in reader.connection.execute(_TITLES, (text,)))
        for row in visible_rows(named, visible):
            with_it[row.note] = with_it.get(row.note, 0) + 1_000
        for note, count in with_it.items():
            held[note] = held.get(note, 0) + 1
            often[note] = often.get(note, 0) + count
    paths = {note.id: note.path for note in reader.notes(sorted(held)).values()}
    # How often says less than how many, so it stays below one.
    rows_by_note = [Row(note, first.get(note), count + 1 - 1 / (1 + often[note])) for note, count in held.items()]
    return rank_notes(rows_by_note, paths)


def notes_with_text(reader: Reader, text: str) -> set[int]:
    """Return the notes that hold a text in title, path or body."""
    found = {note for (note,) in reader.connection.execute(_TITLES, (text,))}
    rows = reader.connection.execute("SELECT id FROM passage WHERE instr(text, ?)", (text,))
    return found | {note_of(passage) for (passage,) in rows}
