"""One run over a folder: what has become private is taken out, then only the difference is done, then embedded.

Reads the notes folder and never writes there. What is told and asked on the way goes through `IndexingSeams`.
"""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.index.building import Building
from core.index.difference import REFUSED, Difference, StoredFile, difference
from core.index.embedding import EmbeddingModel, Loader
from core.index.link_graph import LINK_RULES
from core.index.look import scan_everything, scan_part
from core.index.progress import IndexProgress, Phase, Purge, PurgeState
from core.index.purging import purge
from core.index.reading_files import FileGone, FileNote, FilePrivate, FileReading, FileSame, FileUnread, read_file
from core.index.schema import DENDRON, LINKS_STALE, SCHEMA_VERSION
from core.index.taint import is_tainted
from core.index.tokens import TOKEN_RULES
from core.index.withholding import forget_withheld, path_digest, replace_withheld, withheld_as, withhold
from core.index.writer import NewNote, Writer
from core.notes.folder import FolderScan, NoteFile, check_folder
from core.notes.folding import FOLDING_RULES
from core.notes.passages import PASSAGE_RULES, embedded_text
from core.notes.privacy import PRIVACY_RULES
from core.notes.reading import READING_RULES

RULES = (
    f"schema/{SCHEMA_VERSION} {READING_RULES} {FOLDING_RULES} {TOKEN_RULES} {PASSAGE_RULES} {LINK_RULES} "
    f"{PRIVACY_RULES}"
)
"""An index filled by other rules is filled again."""

COMMIT_EVERY_SECONDS = 0.5

EMBED_AT_ONCE = 128
"""Passages fetched and sorted by length together: enough for little padding, few enough that new ones come soon."""

BIG_RUN = 500
"""Notes to read above which the full-text tables are merged once at the end; below, FTS5's own merging keeps up."""

_KEPT_BYTES = 8 * 1024 * 1024
"""Of changed notes: read to see whether they have become private, and kept so that they need not be read again."""


@dataclass(frozen=True, slots=True)
class IndexingSeams:
    """What an indexing run tells and asks while it runs.

    `reading` is told each path before it is read, so that whoever watches this process knows which file hangs.
    `unreadable` holds the reasons of files that are known to end a process, by path: they are listed, not read.
    `on_withdrawn` is told False when indexed notes turn out to have become private, and True when they are out.
    """

    on_progress: Callable[[IndexProgress], None] = lambda _progress: None
    should_stop: Callable[[], bool] = lambda: False
    reading: Callable[[str], None] = lambda _path: None
    unreadable: Mapping[str, str] = field(default_factory=dict)
    on_withdrawn: Callable[[bool], None] = lambda _done: None


class Stopped(Exception):
    """The run was asked to stop. What it had committed stays."""


@dataclass(slots=True)
class RunCounts:
    """What a run did."""

    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    purge: Purge = field(default_factory=Purge)


def rules_for(scan: FolderScan) -> str:
    """Return what the index's rows follow from beside the files: our rules, and whose link order the folder has."""
    return f"{RULES} {DENDRON}" if scan.dendron else RULES


def modification_date(mtime_ns: int) -> str:
    """Return the local day of a file's time as an ISO date; times beyond the calendar fall to its ends."""
    try:
        return dt.datetime.fromtimestamp(mtime_ns // 10**9).astimezone().date().isoformat()
    except (OverflowError, ValueError, OSError):
        return dt.date.max.isoformat() if mtime_ns > 0 else dt.date.min.isoformat()


def local_zone() -> str:
    """Return which time zone makes days of file times here."""
    return f"{'/'.join(time.tzname)} {time.timezone}"


class IndexingRun:
    """One indexing run: its counts, and the steps of `update_index`."""

    def __init__(
        self,
        folder: Path,
        index_file: Path,
        building: Building,
        seams: IndexingSeams,
        *,
        rebuild: bool,
        reveal: bool,
        only: frozenset[str] | None,
    ) -> None:
        self._folder = folder
        self._index_file = index_file
        self._building = building
        self._seams = seams
        self._rebuild = rebuild
        self._reveal = reveal
        self._only = only
        self._read_before: dict[NoteFile, FileReading] = {}
        self._gone: set[bytes | None] = set()
        self._committed = time.monotonic()
        self.counts = RunCounts()

    @property
    def _writer(self) -> Writer:
        return self._building.writer

    def update_notes(self) -> None:
        """Do steps 1 to 6."""
        # 1. Scan.
        scan = self._scan()
        # 2. Take out what has become private. A build that nobody answers from yet is mended like any other note.
        work = None if self._building.is_new_build else self._withdraw_private(scan)
        # 3. Compare, with the build that is to be filled.
        self._building.choose(rules_for(scan), rebuild=self._rebuild)
        if self._building.is_new_build:
            self._read_before.clear()  # "the same as before" was said of another build
        if work is None or self._building.is_new_build:
            work = self._difference(scan)
        with self._writer.transaction():
            if self._writer.meta("rules") != rules_for(scan):
                self._writer.set_meta("rules", rules_for(scan))
            if self._writer.meta("folder") != os.fsencode(self._folder):
                self._writer.set_meta("folder", os.fsencode(self._folder))
            self._renew_dates(work.stored)
            # 4. Take out what is gone.
            for gone in work.gone:
                self._writer.remove(gone.path)
            self._gone = {file.content_hash for file in work.gone} - {b""}
            self.counts.removed = sum(file.content_hash != b"" for file in work.gone)
            if self._only is None:
                self._writer.replace_folder_problems(scan.problems, {file.path for file in scan.files})
            if work.withheld_changed:
                replace_withheld(self._writer.connection, work.withheld)
            # 5. Read, parse and store.
            if len(work.to_read) > BIG_RUN:
                self._writer.expect_much(much=True)
            for done, file in enumerate(work.to_read):
                self._tell(Phase.READ, done, len(work.to_read))
                self._update_file(file, work, scan.dendron)
                self._commit_now_and_then()
            # 6. Point the links, and find the vectors that moved or copied texts have already.
            self._tell(Phase.LINK, len(work.to_read), len(work.to_read))
            if self._only is not None and not work.gone and self._writer.meta(LINKS_STALE):
                # Pointing the links may take longer than all before it; meanwhile they lead where they led.
                self._writer.commit_and_go_on()
            self._writer.bring_links_up_to_date()
        # Contentless tables let go of deleted words only when they are merged, which a short run leaves to a longer.
        if self._only is None and (self._writer.is_untidy() or self._writer.expects_much()):
            with self._writer.transaction():
                self._writer.expect_much(much=False)
                self._writer.tidy()
            self._writer.scrub()
        self._building.take_vectors(self._seams.should_stop)
        self._stop_if_asked()

    def _difference(self, scan: FolderScan) -> Difference:
        return difference(self._folder, scan, self._writer.connection, self._only)

    def _withdraw_private(self, scan: FolderScan) -> Difference:
        """Do step 2, and return what differs after it."""
        work = self._difference(scan)
        private = list(self._become_private(work, scan.dendron))
        if not private and not is_tainted(self._index_file):
            return work
        purge(self._writer, self._index_file, private, self._seams.on_withdrawn)
        self.counts.purge = Purge(PurgeState.DONE)
        return self._difference(scan)

    def _scan(self) -> FolderScan:
        """Do step 1; a hint that is not enough to be right is dropped."""
        self._tell(Phase.SCAN, 0, 0)
        should_stop = self._seams.should_stop
        scan = None
        in_part = self._only is not None and not self._rebuild and not self._building.is_to_go_on
        if self._only is not None and in_part and self._writer.meta("zone") == local_zone():
            scan = scan_part(
                self._folder, self._index_file, self._writer, self._only, rules_for, should_stop, reveal=self._reveal
            )
        if scan is None:
            self._only = None
            connection = self._writer.connection
            scan = scan_everything(self._folder, connection, should_stop, reveal=self._reveal, insists=self._rebuild)
        self._stop_if_asked()
        return scan

    def embed(self, loader: Loader) -> None:
        """Do step 7; a new build answers as soon as meaning sees as much of it as of the one before."""
        if self._writer.meta("model") is None and self._writer.has_vectors_of(loader.key):
            # Taken from another index; with all of them there the model need not even be loaded.
            with self._writer.transaction():
                self._writer.use_model(loader.key)
        self._building.publish_when_as_good(loader.key)
        if self._writer.meta("model") == loader.key and not self._writer.count_without_vector():
            return
        self._stop_if_asked()
        self._tell(Phase.EMBED, 0, self._writer.count_without_vector())
        model = loader.load()
        with self._writer.transaction():
            self._writer.use_model(model.key)
        self._building.publish_when_as_good(model.key)
        total = self._writer.count_without_vector()
        started = time.monotonic()
        while waiting := self._writer.passages_to_embed(EMBED_AT_ONCE):
            text_of = {row.hash: embedded_text(row.title, row.text) for row in waiting}
            hashes = sorted(text_of)
            ready: list[tuple[bytes, bytes]] = []
            for position, vector in model.embed_passages([text_of[each] for each in hashes]):
                ready.append((hashes[position], vector.tobytes()))
                if self._seams.should_stop() or time.monotonic() - self._committed > COMMIT_EVERY_SECONDS:
                    self._keep_vectors(model, ready, total, started)
            self._keep_vectors(model, ready, total, started)

    def _become_private(self, work: Difference, dendron: bool) -> Iterator[str]:
        """Yield the paths that the index holds or tells of, and that are private now.

        A changed note has to be read to know, and all of them are before any is stored. Where something is withheld
        for the first time, what has gone goes with it: the two may be one note that was moved.
        """
        if self._reveal:
            return
        yield from work.private
        if work.newly_withheld:
            yield from (file.path for file in work.gone)
        kept = 0
        for file in work.to_read:
            if file.attachment or file.path not in work.stored:
                continue
            self._stop_if_asked()
            reading = self._reading_of(file, work.stored[file.path], dendron)
            if isinstance(reading, FilePrivate):
                yield file.path
            elif kept + file.size < _KEPT_BYTES:
                kept += file.size
                self._read_before[file] = reading

    def _reading_of(self, file: NoteFile, stored: StoredFile | None, dendron: bool) -> FileReading:
        """Return what is in a file: what was read of it in this run, or what is read now."""
        if (before := self._read_before.pop(file, None)) is not None:
            return before
        self._seams.reading(file.path)
        if file.path in self._seams.unreadable:
            return FileUnread(self._seams.unreadable[file.path])
        known = stored.content_hash if stored is not None else None
        return read_file(self._folder, file, known, dendron=dendron, reveal=self._reveal)

    def _update_file(self, file: NoteFile, work: Difference, dendron: bool) -> None:
        """Read one file and store what it is; a file that cannot be read costs only itself."""
        writer = self._writer
        modified = modification_date(file.mtime_ns)
        if file.attachment:
            writer.store_attachment(file.path, file.stamp, modified)
            return
        stored = work.stored.get(file.path)
        withheld = work.withheld.get(path_digest(file.path)) if work.withheld else None
        match self._reading_of(file, stored, dendron):
            case FileSame():
                writer.touch(file.path, file.stamp, modified)
                return
            case FilePrivate(rule):
                if self._building.is_new_build:
                    writer.remove(file.path)
                elif stored is not None:  # It was written again since it was looked at.
                    with writer.between_transactions():
                        purge(writer, self._index_file, [file.path], self._seams.on_withdrawn)
                    self.counts.purge = Purge(PurgeState.DONE)
                withhold(writer.connection, withheld_as(file, rule))
                return
            case FileUnread(_, for_good) if withheld is not None:
                # Whether it is still private cannot be told, so it stays withheld, and so does what is wrong with it.
                withhold(writer.connection, withheld_as(file, withheld.rule, refused=not for_good))
                return
            case FileNote(note, passages, content_hash):
                writer.store(NewNote(note, passages, file.stamp, content_hash, note.date or modified))
                self._count_stored(content_hash, stored)
            case FileUnread(reason, True):
                writer.store_unread(file.path, file.stamp, reason)
            case FileUnread(reason, False):
                writer.store_unread(file.path, file.stamp + REFUSED, reason)
            case FileGone():
                # Where the folder itself is gone, notes are not: whoever unplugged a disk wants them back with it.
                check_folder(self._folder)
                writer.remove(file.path)
        if withheld is not None:
            forget_withheld(writer.connection, withheld)

    def _count_stored(self, content_hash: bytes, stored: StoredFile | None) -> None:
        if stored is not None:
            self.counts.changed += 1
        elif content_hash in self._gone:
            self.counts.moved += 1
        else:
            self.counts.added += 1

    def _renew_dates(self, stored: Mapping[str, StoredFile]) -> None:
        """After a journey to another time zone, make the days of file times what they would be if read today."""
        if self._writer.meta("zone") == local_zone():
            return
        self._writer.set_meta("zone", local_zone())
        for file in stored.values():
            self._writer.touch(file.path, file.stamp, modification_date(int(file.stamp.split("/")[1])))

    def _commit_now_and_then(self) -> None:
        """Make finished notes searchable, and end the run here where that was asked for."""
        stop = self._seams.should_stop()
        if stop or time.monotonic() - self._committed > COMMIT_EVERY_SECONDS:
            self._writer.commit_and_go_on()
            self._committed = time.monotonic()
        if stop:
            raise Stopped

    def _keep_vectors(
        self, model: EmbeddingModel, ready: list[tuple[bytes, bytes]], total: int, started: float
    ) -> None:
        with self._writer.transaction():
            self._writer.store_vectors(model.key, ready)
        self._building.publish_when_as_good(model.key)
        ready.clear()
        self._committed = time.monotonic()
        done = max(0, total - self._writer.count_without_vector())  # passages may have come meanwhile
        rate = done / max(self._committed - started, 1e-9)
        self._tell(Phase.EMBED, done, total, (total - done) / rate if done else None)
        self._stop_if_asked()

    def _tell(self, phase: Phase, done: int, total: int, seconds_left: float | None = None) -> None:
        self._seams.on_progress(IndexProgress(phase, done, total, seconds_left))

    def _stop_if_asked(self) -> None:
        if self._seams.should_stop():
            raise Stopped
