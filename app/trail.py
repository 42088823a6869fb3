"""The notes that the preview has shown, for going back and forward, and following a link from one to the next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.errors import IndexFileError
from core.index.reader import NoteRow, Reader
from core.notes.links import targets_of
from core.search.results import Hit, Snippet

_LONGEST = 200  # notes; nobody goes back further


class Trail:
    """Hits in the order in which their notes were shown, and which of them is shown now."""

    def __init__(self) -> None:
        self._hits: list[Hit] = []
        self._place = -1
        self._target: int | None = None

    def take(self, hit: Hit) -> None:
        """Note that a note is shown: where `step` led to, or a new one, which ends the way forward."""
        target, self._target = self._target, None
        if target is not None and self._hits[target].path == hit.path:
            self._place = target
            return
        if self._place >= 0 and self._hits[self._place].path == hit.path:
            self._hits[self._place] = hit
            return
        self._hits[self._place + 1 :] = [hit]
        del self._hits[:-_LONGEST]
        self._place = len(self._hits) - 1

    def step(self, step: int) -> Hit | None:
        """Return the hit that lies `step` places on, None for none; it counts as shown when it is taken."""
        place = self._place + step
        if not 0 <= place < len(self._hits):
            return None
        self._target = place
        return self._hits[place]

    def ways(self) -> tuple[bool, bool]:
        """Return whether there is a note before and one after."""
        return self._place > 0, self._place + 1 < len(self._hits)

    def forget(self) -> None:
        """Begin anew: another folder was opened."""
        self._hits.clear()
        self._place, self._target = -1, None


def linked_hit(index_file: Path, source: Hit, target: str) -> Hit | None:
    """Return the note that a link of `source` leads to, as a hit that no search found; None for none."""
    try:
        reader = Reader(index_file)
    except IndexFileError:
        return None
    try:
        note: NoteRow | None = reader.linked_note(source.path, targets_of(target))
    finally:
        reader.close()
    return None if note is None else unfound_hit(source, note.path, note.title, note.date)


def unfound_hit(source: Hit, path: str, title: str, date: str) -> Hit:
    """Return a note that was reached from that of `source` as a hit that no search found."""
    return replace(source, path=path, title=title, date=date, line=None, passage=None, snippet=Snippet(""))
