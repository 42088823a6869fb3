"""Writing an index: the rows of a note change together, and every commit raises the generation.

Depends on one writing connection. Knows tables, not files: what to write is decided in `indexer`.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from core.index.database import BUSY_TIMEOUT_MS, as_index_errors, open_writer, rolled_back_on_error
from core.index.link_graph import LinkGraph, NamedNote
from core.index.note_columns import as_json, first_below_front_matter, flat_properties, names_as_words
from core.index.progress import Problem
from core.index.schema import (
    BULK_HASH_BYTES,
    FTS5_AUTOMERGE,
    FTS5_HASH_BYTES,
    FULL_TEXT_TABLES,
    LINKS_STALE,
    PASSAGE_BITS,
    UNTIDY,
    passage_id,
)
from core.index.tokens import spread, with_added
from core.notes.folding import fold
from core.notes.note import LinkKind, Note, Passage
from core.notes.passages import embedded_text, passage_hash

_WAIT_FOR_LOG_MS = 1_000
"""How long a run waits for readers to let go of the log that it would empty; a search takes a hundredth of it."""


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note ready to be stored, with what the file system says of its file."""

    note: Note
    passages: tuple[Passage, ...]
    stamp: str
    content_hash: bytes
    date: str


@dataclass(frozen=True, slots=True)
class PassageToEmbed:
    """A passage without a vector, with the title that is embedded in front of it."""

    hash: bytes
    title: str
    text: str


class Writer:
    """The one writer of an index. All changes happen inside `transaction()`."""

    def __init__(self, file: Path) -> None:
        """Open the index at `file` for writing, making it where there is none.

        Raises:
            IndexFileError: it cannot be written.
        """
        self.file = file
        self.connection = open_writer(file)
        self._changes_before = 0
        # What an earlier run left stale is not known note by note.
        self._names_changed = bool(self.meta(LINKS_STALE))
        self._changed_sources: list[int] = []

    def close(self) -> None:
        """Close the connection, after giving deleted pages of the log back, where the file still lets us."""
        # Never hides what ended the run: after damage a statement may be open, and the log stays for the next run.
        with contextlib.suppress(apsw.Error):
            self._empty_log()
        self.connection.close(True)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what the block writes as one change, or nothing of it."""
        with as_index_errors(self.file), rolled_back_on_error(self.connection):
            self._begin()
            yield
            self._commit()

    def commit_and_go_on(self) -> None:
        """Inside a transaction: make what was written so far visible, and start the next one."""
        self._commit()
        self._begin()

    @contextmanager
    def between_transactions(self) -> Iterator[None]:
        """Inside a transaction: commit, let the block do what it does in ones of its own, and start the next one."""
        self._commit()
        yield
        self._begin()

    def _begin(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        self._changes_before = self.connection.total_changes()

    def _commit(self) -> None:
        if self.connection.total_changes() != self._changes_before:
            self.connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
        self.connection.execute("COMMIT")

    def meta(self, key: str) -> str | bytes | int | None:
        """Return a stored setting of the index."""
        value: str | bytes | int | None = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).get
        return value

    def set_meta(self, key: str, value: str | bytes | int) -> None:
        """Store a setting of the index."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def clear(self) -> None:
        """Remove everything but the vectors, which belong to texts and are found again by their hash."""
        self.connection.execute(
            "DELETE FROM note; DELETE FROM passage; DELETE FROM link; DELETE FROM problem; DELETE FROM unread_file;"
            "DELETE FROM note_tag; DELETE FROM note_property; DELETE FROM withheld_file;"
            "INSERT INTO attachment_words(attachment_words) VALUES ('delete-all');"
            "INSERT INTO note_words(note_words) VALUES ('delete-all');"
            "INSERT INTO passage_words(passage_words) VALUES ('delete-all');"
        )
        self.set_meta(UNTIDY, "1")

    def store(self, new: NewNote) -> None:
        """Put a note in, or in the place of what was at its path."""
        note = new.note
        names = as_json(note.aliases)
        # A note keeps its id, so that links to it stay right while its names do.
        before = self.connection.execute("SELECT id, title, aliases FROM note WHERE path = ?", (note.path,)).get
        self._names_changed |= before is None or before[1:] != (note.title, names)
        self._take_out(note.path)
        self.set_meta(LINKS_STALE, "1")
        self.connection.execute(
            "INSERT INTO note (id, path, stamp, content_hash, title, date, date_from_mtime, aliases, tags, "
            "properties, first_passage, folded_path, folded_title) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                before[0] if before else None,
                note.path,
                new.stamp,
                new.content_hash,
                note.title,
                new.date,
                note.date is None,
                names,
                as_json(note.tags),
                as_json(dict(note.properties)),
                first_below_front_matter(note, new.passages),
                fold(note.path),
                fold(note.title),
            ),
        )
        identity = self.connection.last_insert_rowid()
        self._changed_sources.append(identity)
        self._store_passages(identity, note, new.passages)
        self.connection.executemany(
            "INSERT OR IGNORE INTO note_tag VALUES (?, ?)", ((fold(tag), identity) for tag in note.tags)
        )
        self.connection.executemany(
            "INSERT OR IGNORE INTO note_property VALUES (?, ?, ?)",
            ((fold(key), fold(value), identity) for key, value in flat_properties(note.properties)),
        )
        self.connection.executemany(
            "INSERT INTO link (source, ordinal, kind, target, fragment, label, line) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (identity, ordinal, link.kind.value, link.target, link.fragment, link.label, link.line)
                for ordinal, link in enumerate(note.links)
            ),
        )
        self.set_problems(note.path, note.problems)

    def _store_passages(self, identity: int, note: Note, passages: Sequence[Passage]) -> None:
        rowids = [passage_id(identity, passage.ordinal) for passage in passages]
        self.connection.executemany(
            "INSERT INTO passage (id, hash, line, heading, text, place) VALUES (?, ?, ?, ?, ?, ?)",
            (
                (
                    rowid,
                    passage_hash(embedded_text(note.title, passage)),
                    passage.line,
                    passage.heading,
                    passage.text,
                    passage.place,
                )
                for rowid, passage in zip(rowids, passages, strict=True)
            ),
        )
        bodies = [spread(passage.text, fold(passage.text)) for passage in passages]
        self.connection.executemany(
            "INSERT INTO passage_words (rowid, body) VALUES (?, ?)",
            ((rowid, body.whole) for rowid, body in zip(rowids, bodies, strict=True)),
        )
        whole = with_added("\n".join(body.running for body in bodies), [word for body in bodies for word in body.added])
        called = (note.path, *note.aliases, *(f"#{tag}" for tag in note.tags))
        self.connection.execute(
            "INSERT INTO note_words (rowid, title, names, body) VALUES (?, ?, ?, ?)",
            (identity, names_as_words([note.title]), names_as_words(called), whole),
        )

    def store_attachment(self, path: str, stamp: str, date: str) -> None:
        """Put a file in that is found by its name alone."""
        before = self.connection.execute("SELECT id FROM note WHERE path = ? AND attachment", (path,)).get
        self._names_changed |= before is None
        self._take_out(path)
        self.set_meta(LINKS_STALE, "1")
        title = path.rpartition("/")[2]
        self.connection.execute(
            "INSERT INTO note (id, path, stamp, content_hash, title, date, date_from_mtime, aliases, tags, properties, "
            "attachment, folded_path, folded_title) VALUES (?, ?, ?, x'', ?, ?, 1, '[]', '[]', '{}', 1, ?, ?)",
            (before, path, stamp, title, date, fold(path), fold(title)),
        )
        self.connection.execute(
            "INSERT INTO attachment_words (rowid, names) VALUES (?, ?)",
            (self.connection.last_insert_rowid(), names_as_words([path])),
        )

    def touch(self, path: str, stamp: str, date_from_mtime: str) -> None:
        """Note that a file was written again with the same content; its date moves where it came from the file."""
        self.connection.execute(
            "UPDATE note SET stamp = ?, date = iif(date_from_mtime, ?, date) WHERE path = ?",
            (stamp, date_from_mtime, path),
        )

    def remove(self, path: str) -> None:
        """Take a note and everything of it out; nothing happens where there is none."""
        self._names_changed |= self._take_out(path)

    def _take_out(self, path: str) -> bool:
        """Delete the rows of a note, and return whether there was one."""
        identity = self.connection.execute("SELECT id FROM note WHERE path = ?", (path,)).get
        if identity is not None:
            self.set_meta(LINKS_STALE, "1")
            self.set_meta(UNTIDY, "1")
            first, last = identity << PASSAGE_BITS, (identity + 1) << PASSAGE_BITS
            passages = self.connection.execute(
                "SELECT id FROM passage WHERE id >= ? AND id < ?", (first, last)
            ).fetchall()
            self.connection.executemany("DELETE FROM passage_words WHERE rowid = ?", passages)
            for table in ("note_words", "attachment_words"):
                self.connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (identity,))
            for table in ("note_tag", "note_property"):
                self.connection.execute(f"DELETE FROM {table} WHERE note = ?", (identity,))
            self.connection.execute("DELETE FROM passage WHERE id >= ? AND id < ?", (first, last))
            self.connection.execute("DELETE FROM link WHERE source = ?", (identity,))
            self.connection.execute("DELETE FROM note WHERE id = ?", (identity,))
        self.connection.execute("DELETE FROM unread_file WHERE path = ?", (path,))
        self.set_problems(path, ())
        return identity is not None

    def store_unread(self, path: str, stamp: str, reason: str) -> None:
        """Record a file that cannot be a note as it is; it is not tried again until it changes."""
        self.remove(path)
        self.connection.execute("INSERT INTO unread_file VALUES (?, ?)", (path, stamp))
        self.set_problems(path, (reason,))

    def replace_folder_problems(self, problems: Iterable[Problem], files: Container[str]) -> None:
        """Replace what is said of paths that are no files of the scan: folders, links, names that are not text."""
        now = {(each.path, each.reason) for each in problems}
        rows = self.connection.execute("SELECT path, reason FROM problem").fetchall()
        before = {row for row in rows if row[0] not in files}
        self.connection.executemany("DELETE FROM problem WHERE path = ? AND reason = ?", sorted(before - now))
        self.connection.executemany("INSERT INTO problem VALUES (?, ?)", sorted(now - before))

    def set_problems(self, path: str, reasons: Iterable[str]) -> None:
        """Replace what is said of a file."""
        self.connection.execute("DELETE FROM problem WHERE path = ?", (path,))
        self.connection.executemany("INSERT OR IGNORE INTO problem VALUES (?, ?)", ((path, why) for why in reasons))

    def bring_links_up_to_date(self) -> None:
        """Where notes changed: point the links, and find the vectors that moved or copied texts have already."""
        if self.meta(LINKS_STALE):
            self.resolve_links()
            model = self.meta("model")
            if isinstance(model, str):
                self.use_model(model)
            self.forget_unused_vectors()

    def resolve_links(self) -> None:
        """Point every link at the note or attachment it means now.

        Where no note came, went or changed its names, only the links of changed notes can mean another.
        """
        notes = self._named(attachments=False)
        graph = LinkGraph(notes, self._named(attachments=True))
        paths = {note.id: note.path for note in notes}
        changed = []
        links = self.connection.execute(
            "SELECT source, ordinal, kind, target, note, ambiguous FROM link "
            "WHERE ?1 OR source IN (SELECT value FROM json_each(?2))",
            (self._names_changed, json.dumps(self._changed_sources)),
        )
        for source, ordinal, kind, target, before, ambiguous_before in links:
            found = graph.resolve(paths[source], LinkKind(kind), target)
            if (found.note, found.ambiguous) != (before, bool(ambiguous_before)):
                changed.append((found.note, found.ambiguous, source, ordinal))
        self.connection.executemany("UPDATE link SET note = ?, ambiguous = ? WHERE source = ? AND ordinal = ?", changed)
        self.set_meta(LINKS_STALE, "")
        self._names_changed = False
        self._changed_sources.clear()

    def _named(self, *, attachments: bool) -> list[NamedNote]:
        names = self.connection.execute(
            "SELECT id, path, title, aliases FROM note WHERE attachment = ?", (attachments,)
        )
        return [NamedNote(row[0], row[1], row[2], tuple(json.loads(row[3]))) for row in names]

    def use_model(self, key: str) -> None:
        """Make `key` the index's model: passages keep or find vectors of it, and of no other."""
        if self.meta("model") != key:
            self.set_meta("model", key)
            self.connection.execute("UPDATE passage SET vector = NULL WHERE vector IS NOT NULL")
        self.connection.execute(
            "UPDATE passage SET vector = (SELECT id FROM vector WHERE vector.hash = passage.hash AND model = ?) "
            "WHERE vector IS NULL AND EXISTS (SELECT 1 FROM vector WHERE vector.hash = passage.hash AND model = ?)",
            (key, key),
        )

    def passages_to_embed(self, most: int) -> list[PassageToEmbed]:
        """Return passages without a vector, those of the newest notes first."""
        rows = self.connection.execute(
            "SELECT passage.hash, note.title, passage.text FROM passage "
            f"JOIN note ON note.id = passage.id >> {PASSAGE_BITS} WHERE passage.vector IS NULL "
            "ORDER BY note.date DESC, note.path, passage.id LIMIT ?",
            (most,),
        )
        return [PassageToEmbed(*row) for row in rows]

    def count_without_vector(self) -> int:
        """Return how many passages are still to be embedded."""
        return int(self.connection.execute("SELECT count(*) FROM passage WHERE vector IS NULL").get)

    def forget_unused_vectors(self) -> None:
        """Drop the vectors of texts that no passage holds any more."""
        self.connection.execute("DELETE FROM vector WHERE hash NOT IN (SELECT hash FROM passage)")

    def store_vectors(self, key: str, vectors: Sequence[tuple[bytes, bytes]]) -> None:
        """Store (passage hash, vector) pairs, and give them to every passage with that text."""
        for text_hash, value in vectors:
            self.connection.execute(
                "INSERT OR IGNORE INTO vector (hash, model, value) VALUES (?, ?, ?)", (text_hash, key, value)
            )
            self.connection.execute(
                "UPDATE passage SET vector = (SELECT id FROM vector WHERE hash = ? AND model = ?) "
                "WHERE hash = ? AND vector IS NULL",
                (text_hash, key, text_hash),
            )

    def expect_much(self, *, much: bool) -> None:
        """Tell FTS5 whether a big run begins, in which merging on the way is work done twice, or has ended."""
        for table in FULL_TEXT_TABLES:
            for setting, value in (
                ("hashsize", BULK_HASH_BYTES if much else FTS5_HASH_BYTES),
                ("automerge", 0 if much else FTS5_AUTOMERGE),
            ):
                self.connection.execute(f"INSERT INTO {table}({table}, rank) VALUES (?, ?)", (setting, value))

    def expects_much(self) -> bool:
        """Return whether a big run began and has not been ended, by this process or by one that was killed."""
        automerge = self.connection.execute("SELECT v FROM note_words_config WHERE k = 'automerge'").get
        return bool(automerge == 0)

    def is_untidy(self) -> bool:
        """Return whether something of what was taken out may still be in the file or its log."""
        return bool(self.meta(UNTIDY))

    def tidy(self) -> None:
        """Merge the full-text tables, so that deleted words leave the file; costs most after a big change."""
        for table in FULL_TEXT_TABLES:
            self.connection.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")

    def scrub(self) -> None:
        """After `tidy`, outside of a transaction: empty the log, the last place where deleted text may stand.

        Where a reader still needs a part of it, that it was not emptied stays noted, and the next run does it.
        """
        with as_index_errors(self.file):
            if self._empty_log():
                # No change of what the index says, so no new generation.
                self.connection.execute("DELETE FROM meta WHERE key = ?", (UNTIDY,))

    def _empty_log(self) -> bool:
        self.connection.set_busy_timeout(_WAIT_FOR_LOG_MS)
        try:
            busy = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
        finally:
            self.connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        return not busy
