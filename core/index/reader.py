"""Reading an index: one connection, one snapshot a search, and the few questions that searches ask of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import apsw
import numpy as np

from core.errors import IndexDamaged, IndexFileError
from core.index.builds import current_build
from core.index.database import as_index_errors, open_reader
from core.index.postings import Numbers, PostingLists, numbers_in
from core.index.progress import Problem
from core.index.row_counts import RowCounts
from core.index.schema import DENDRON, LINKS_STALE, PASSAGE_BITS, UNTIDY, WITHDRAWN, passage_id
from core.index.taint import is_tainted, refuse_if_tainted
from core.index.tokenizer import Tokenizer
from core.index.vectors import VECTOR_TYPE, PassageVectors, VectorCache

T = TypeVar("T")

MOST_KEPT = 512
"""Values of one kind that are kept of a generation: those of the last searches."""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """What a hit shows of its note; `date` is ISO, `first_passage` the ordinal of the first below the front matter."""

    id: int
    path: str
    title: str
    date: str
    first_passage: int = 0


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage; `line` is that of its first character in the file, from 1, None where a `place` tells it instead."""

    id: int
    line: int | None
    heading: str
    text: str
    place: str | None = None


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A resolved link from the note `source` to the note `note`, on a line of `source`; never to an attachment."""

    source: int
    note: int
    line: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the folder each leg can see now; `links_resolved` lead to notes, `links_to_attachments` to files."""

    notes: int
    notes_embedded: int
    passages: int
    passages_embedded: int
    links: int
    links_resolved: int
    links_to_attachments: int = 0

    @property
    def lacks_vectors(self) -> bool:
        """Whether a passage is still without a vector."""
        return self.passages_embedded < self.passages


class Reader:
    """Answers from one snapshot of an index. Belongs to one thread at a time; only `interrupt` is free of that."""

    def __init__(self, file: Path, *, to_mend: bool = False) -> None:
        """Open the index at `file`; `to_mend`: also one that nobody may answer from.

        Raises:
            IndexFileError: there is none, or it cannot be read; IndexTainted where it may hold what is private now.
        """
        self._file = file
        self._to_mend = to_mend
        if not to_mend:
            refuse_if_tainted(file)
        self._open()

    def _open(self) -> None:
        while True:
            self._build = current_build(self._file)
            try:
                self.connection = open_reader(self._build)
                break
            except IndexFileError:
                # Another build may have taken its place in between.
                if current_build(self._file) == self._build:
                    raise
        self.tokenizer = Tokenizer(self.connection)
        self.row_counts = RowCounts(self.connection)
        self.postings = PostingLists(self.connection, self.tokenizer, self.row_counts)
        self._vectors = VectorCache()
        self._generation = -1
        self._coverage: tuple[int, Coverage] | None = None
        self._fingerprint: tuple[int, str] | None = None
        self._digested: dict[tuple[Any, ...], str] = {}
        self._kept: tuple[int, dict[Hashable, OrderedDict[Hashable, Any]]] = (-1, {})

    def close(self) -> None:
        """Close the connection; nothing may be running on it."""
        self.connection.close(True)

    def begin(self) -> int:
        """Start a snapshot and return its generation: a number that each change of the index raises.

        Where another build answers for the index by now, the snapshot is of that one.

        Raises:
            IndexTainted: the index may hold what has become private since it was opened.
        """
        with as_index_errors(self._file):
            self.end()
            if not self._to_mend:
                refuse_if_tainted(self._file)
            if current_build(self._file) != self._build:
                before = self.connection
                self._open()
                before.close(True)
            self.connection.execute("BEGIN")
            self._generation = int(self._meta("generation") or 0)
            self.postings.use(self._generation)
        return self._generation

    def end(self) -> None:
        """Give the snapshot up, so that the writer may tidy its log."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    @property
    def generation(self) -> int:
        """The generation of the snapshot that was begun last."""
        return self._generation

    def was_withdrawn(self, generation: int | None = None) -> bool:
        """After `end`: return whether notes have become private since that snapshot, or one of an earlier `generation`.

        What was answered from it may not be shown then.
        """
        with as_index_errors(self._file):
            if current_build(self._file) != self._build:
                now = Reader(self._file, to_mend=True)
                try:
                    withdrawn = now.withdrawn()
                finally:
                    now.close()
            else:
                withdrawn = self.withdrawn()
        return is_tainted(self._file) or withdrawn > (self._generation if generation is None else generation)

    def withdrawn(self) -> int:
        """Return the generation that last took out what had become private, 0 for none; it is kept across builds."""
        return int(self.connection.execute("SELECT value FROM meta WHERE key = ?", (WITHDRAWN,)).get or 0)

    def interrupt(self) -> None:
        """Stop the statement that is running, from any thread."""
        # One that has just been closed, for another build answers now, has nothing to stop.
        with contextlib.suppress(apsw.ConnectionClosedError):
            self.connection.interrupt()

    def notes(self, ids: Sequence[int]) -> dict[int, NoteRow]:
        """Return the notes with these ids.

        Raises:
            IndexDamaged: one is not there; ids come from the index, so another table names it wrongly.
        """
        rows = self.connection.execute(
            "SELECT id, path, title, date, first_passage FROM note WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        )
        found = {row[0]: NoteRow(*row) for row in rows}
        if len(found) < len(set(ids)):
            raise IndexDamaged(f"The index {self._file} is damaged: it names notes that it does not hold.")
        return found

    def passages(self, ids: Sequence[int]) -> dict[int, PassageRow]:
        """Return the passages with these ids."""
        rows = self.connection.execute(
            "SELECT id, line, heading, text, place FROM passage WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        )
        return {row[0]: PassageRow(*row) for row in rows}

    def passages_of(self, path: str) -> list[PassageRow]:
        """Return all passages of the note at a path, in order; none where there is no such note."""
        note = self.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).get
        if note is None:
            return []
        rows = self.connection.execute(
            "SELECT id, line, heading, text, place FROM passage WHERE id >= ? AND id < ? ORDER BY id",
            (passage_id(note, 0), passage_id(note + 1, 0)),
        )
        return [PassageRow(*row) for row in rows]

    def out_links(self, ids: Sequence[int]) -> list[LinkRow]:
        """Return the links to notes that leave these notes, ordered by note and by place in it."""
        rows = self.connection.execute(
            "SELECT source, note, line FROM link WHERE source IN (SELECT value FROM json_each(?)) "
            "AND note IS NOT NULL AND NOT (SELECT attachment FROM note WHERE id = link.note) ORDER BY source, ordinal",
            (json.dumps(ids),),
        )
        return [LinkRow(*row) for row in rows]

    def out_degrees(self, ids: Sequence[int]) -> dict[int, int]:
        """Return how many different targets these notes' links are written to, whether or not they are found."""
        rows = self.connection.execute(
            "SELECT source, count(DISTINCT target) FROM link WHERE source IN (SELECT value FROM json_each(?)) "
            "GROUP BY source",
            (json.dumps(ids),),
        )
        return dict.fromkeys(ids, 0) | dict(rows)

    def linked_note(self, source_path: str, targets: Sequence[str]) -> NoteRow | None:
        """Return the note that a link of the note at `source_path` leads to, None for none.

        `targets` are the ways to read what was clicked; the note's own links, as they were resolved, decide.
        """
        row = self.connection.execute(
            "SELECT note.id, note.path, note.title, note.date FROM link JOIN note ON note.id = link.note "
            "WHERE link.source = (SELECT id FROM note WHERE path = ?) "
            "AND link.target IN (SELECT value FROM json_each(?)) ORDER BY link.ordinal LIMIT 1",
            (source_path, json.dumps(targets)),
        ).get
        return NoteRow(*row) if row is not None else None

    def vectors(self, model_key: str, dimensions: int) -> PassageVectors:
        """Return the vectors that this snapshot holds for a model."""
        return self._vectors.current(self.connection, model_key, dimensions, self._generation)

    def coverage(self) -> Coverage:
        """Return how much of the folder each leg can see in this snapshot."""
        if self._coverage is None or self._coverage[0] != self._generation:
            self._coverage = (self._generation, self._count())
        return self._coverage[1]

    def fingerprint(self) -> str:
        """Return a hash of everything that decides this index's answers, and of nothing else.

        It covers the rules, the model, each note's path, content and date, and which passages have no vector;
        never the folder's place, and never the order in which the index came about.
        """
        if self._fingerprint is None or self._fingerprint[0] != self._generation:
            self._fingerprint = (self._generation, self._digest())
        return self._fingerprint[1]

    def kept(self, key: Hashable, reckon: Callable[[], T], most: int | None = None) -> T:
        """Return what `reckon` gives for this generation, reckoned once in it.

        Of keys that begin alike the `most` used last are kept, since a window searches one generation for days.
        """
        if self._kept[0] != self._generation:
            self._kept = (self._generation, {})
        values = self._kept[1].setdefault(key[0] if isinstance(key, tuple) else key, OrderedDict())
        if key not in values:
            values[key] = reckon()
            while len(values) > (MOST_KEPT if most is None else most):
                values.popitem(last=False)
        values.move_to_end(key)
        found: T = values[key]
        return found

    def count_ambiguous_links(self) -> int:
        """Return how many links could mean other notes as well."""
        return int(self.connection.execute("SELECT count(*) FROM link WHERE ambiguous").get)

    def rules(self) -> str | None:
        """Return which rules filled the index."""
        return self._meta("rules")

    def is_dendron(self) -> bool:
        """Return whether the folder is Dendron's."""
        return (self.rules() or "").endswith(DENDRON)

    def zone(self) -> str | None:
        """Return the time zone in which the days of file times were taken."""
        return self._meta("zone")

    def is_unfinished(self) -> bool:
        """Return whether a run was ended before links were pointed anew, or deleted text was out of the file."""
        return bool(self._meta(LINKS_STALE) or self._meta(UNTIDY))

    def model_key(self) -> str | None:
        """Return the key of the model whose vectors the index holds, None where it has none."""
        return self._meta("model")

    def dimensions(self, model_key: str) -> int:
        """Return how many numbers a vector of a model has here; 0 where the index holds none of it."""
        length = self.connection.execute("SELECT length(value) FROM vector WHERE model = ? LIMIT 1", (model_key,)).get
        return int(length or 0) // VECTOR_TYPE.itemsize

    def problems(self) -> tuple[Problem, ...]:
        """Return what went wrong with files, in path order."""
        rows = self.connection.execute("SELECT path, reason FROM problem ORDER BY path, reason")
        return tuple(Problem(*row) for row in rows)

    def folder(self) -> str | None:
        """Return the folder that the index was made of, as it was given then. Decides nothing."""
        # Stored as the file system spells it, which need not be text.
        place = self.connection.execute("SELECT value FROM meta WHERE key = 'folder'").get
        return os.fsdecode(place) if place is not None else None

    def integrity_faults(self, *, quick: bool = False) -> list[str]:
        """Return what SQLite finds wrong with the file, nothing when it is sound.

        A `quick` look leaves out whether tables and their indexes agree, full-text tables among them.
        """
        check = "quick_check" if quick else "integrity_check"
        with as_index_errors(self._file):
            found = [str(row[0]) for row in self.connection.execute(f"PRAGMA {check}(20)")]
        return [] if found == ["ok"] else found

    def count_unread(self) -> int:
        """Return how many files are notes by name and could not be read as such."""
        return int(self.connection.execute("SELECT count(*) FROM unread_file").get)

    def _meta(self, key: str) -> str | None:
        value: str | None = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).get
        return value

    def _count(self) -> Coverage:
        notes = int(self.connection.execute("SELECT count(*) FROM note WHERE NOT attachment").get)
        passages = int(self.connection.execute("SELECT count(*) FROM passage").get)
        without = self._without_vector()
        # Notes without text have nothing to embed: they are covered as soon as the leg can see anything at all.
        covered = notes - len(np.unique(without >> PASSAGE_BITS)) if len(without) < passages else 0
        links, resolved = self.connection.execute("SELECT count(*), count(note) FROM link").get
        to_files = int(
            self.connection.execute(
                "SELECT count(*) FROM link WHERE note IN (SELECT id FROM note WHERE attachment)"
            ).get
        )
        return Coverage(notes, covered, passages, passages - len(without), links, resolved - to_files, to_files)

    def _without_vector(self) -> Numbers:
        """Return the ids of the passages without a vector, ascending."""
        sql = "SELECT group_concat(id) FROM passage WHERE vector IS NULL"
        return self.kept("without vector", lambda: np.sort(numbers_in(self.connection.execute(sql).get)))

    def _digest(self) -> str:
        # What is hashed is one (path, content hash, date) a note, then one (path, ordinal) a passage without a vector.
        rows = self.connection.execute("SELECT id, path, content_hash, date FROM note ORDER BY path").fetchall()
        digest = hashlib.sha256(repr((self._meta("rules"), self._meta("model"))).encode())
        # After a commit nearly all notes are as they were, and looking a row up costs less than writing it out.
        self._digested = {row: self._digested.get(row) or repr(row[1:]) for row in rows}
        digest.update("".join(self._digested.values()).encode())
        without = self._without_vector()
        owners, starts = np.unique(without >> PASSAGE_BITS, return_index=True)
        bounds = dict(zip(owners.tolist(), pairwise([*starts.tolist(), len(without)]), strict=True))
        ordinals = list(map(str, (without & ((1 << PASSAGE_BITS) - 1)).tolist()))
        for note, path, *_rest in rows:
            if note in bounds:
                first, last = bounds[note]
                before = f"({path!r}, "
                digest.update(f"{before}{f'){before}'.join(ordinals[first:last])})".encode())
        return digest.hexdigest()[:32]
