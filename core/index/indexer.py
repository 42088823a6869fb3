"""Bringing an index up to date with its folder: the difference is found, and only the difference is done.

Runs in whichever process calls it; the application gives it a child process of its own. Reads the notes folder and
never writes there. Progress goes to a callback, and `should_stop` is asked often enough to end within a second.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.errors import ModelError
from core.index.database import as_index_errors, is_there
from core.index.difference import REFUSED, StoredFile, difference, stored_files
from core.index.embedding import EmbeddingModel, ModelLoader
from core.index.link_graph import LINK_RULES
from core.index.look import Look, look_at_everything, look_at_part
from core.index.progress import IndexProgress, IndexReport, Phase
from core.index.reader import Reader
from core.index.schema import DENDRON, LINKS_STALE, SCHEMA_VERSION, UNTIDY
from core.index.tokens import TOKEN_RULES
from core.index.writer import NewNote, Writer
from core.notes.decoding import NotText
from core.notes.folder import FolderScan, NoteFile, check_folder, read_file, scan_folder
from core.notes.folding import FOLDING_RULES
from core.notes.passages import PASSAGE_RULES, cut_passages, embedded_text
from core.notes.reading import READING_RULES, read_note

RULES = f"schema/{SCHEMA_VERSION} {READING_RULES} {FOLDING_RULES} {TOKEN_RULES} {PASSAGE_RULES} {LINK_RULES}"
"""An index filled by other rules is filled again."""

MOST_BYTES = 64 * 1024 * 1024
"""A file above this is listed and left out: it would hold a parser for seconds, and no one wrote it by hand."""

TOO_BIG = f"It is larger than {MOST_BYTES // 1024**2} MB and was left out."

COMMIT_EVERY_SECONDS = 0.5

EMBED_AT_ONCE = 128
"""Passages fetched and sorted by length together: enough for little padding, few enough that new ones come soon."""

BIG_RUN = 500
"""Notes to read above which the full-text tables are merged once at the end; below, FTS5's own merging keeps up."""


@dataclass(frozen=True, slots=True)
class IndexingSeams:
    """What an indexing run tells and asks while it runs.

    `reading` is told each path before it is read, so that whoever watches this process knows which file hangs.
    `unreadable` holds the reasons of files that are known to end a process, by path: they are listed, not read.
    """

    on_progress: Callable[[IndexProgress], None] = lambda _progress: None
    should_stop: Callable[[], bool] = lambda: False
    reading: Callable[[str], None] = lambda _path: None
    unreadable: Mapping[str, str] = field(default_factory=dict)


class Stopped(Exception):
    """The run was asked to stop. What it had committed stays."""


def update_index(
    folder: Path,
    index_file: Path,
    model: ModelLoader | None = None,
    seams: IndexingSeams | None = None,
    *,
    rebuild: bool = False,
    only: frozenset[str] | None = None,
) -> IndexReport:
    """Make the index answer for the folder as it is now, and return what it holds then.

    1. Scan the folder. 2. Compare with the index. 3. Take out what is gone. 4. Read, parse and store what is new
    or changed. 5. Point the links at their notes. 6. Embed the passages that have no vector, newest notes first.
    Without a model, or with one that cannot be used, words and links are complete all the same, and the report
    says why meaning is not.

    `only` names paths that have changed, with what lies below them, and makes a short run of it: nothing else is looked
    at, and deleted words leave the full-text tables with the next run that looks at everything. It is a hint: where it
    cannot be enough, everything is looked at.

    Raises:
        FolderError: the folder cannot be read at all.
        FolderEmptied: it holds nothing now and its index at least `SUDDENLY` files; a `rebuild` empties the index.
        IndexFileError: the index cannot be written.
    """
    seams = seams or IndexingSeams()
    writer = Writer(index_file)
    run = _Run(folder, writer, seams, rebuild, only)
    cancelled = False
    meaning_reason = "Meaning is switched off for this run." if model is None else None
    try:
        run.update_notes()
        if model is not None:
            run.embed(model)
    except Stopped:
        cancelled = True
    except ModelError as error:
        meaning_reason = str(error)
    finally:
        writer.close()
    return run.report(index_file, cancelled=cancelled, meaning_reason=meaning_reason)


def what_is_held(index_file: Path) -> IndexReport:
    """Return a report of what an index holds, and of no run.

    Raises:
        IndexFileError: there is none, or it cannot be read.
    """
    reader = Reader(index_file)
    try:
        with as_index_errors(index_file):
            reader.begin()
            coverage = reader.coverage()
            return IndexReport(
                notes=coverage.notes,
                passages=coverage.passages,
                links=coverage.links,
                resolved_links=coverage.links_resolved,
                embedded=coverage.passages_embedded,
                skipped=reader.count_unread(),
                problems=reader.problems(),
                fingerprint=reader.fingerprint(),
            )
    finally:
        reader.end()
        reader.close()


def needs_update(folder: Path, index_file: Path, model_key: str | None) -> bool:
    """Return whether a run would find work, by looking at names, sizes and times only.

    Raises:
        FolderError: the folder cannot be read.
        IndexFileError: the index is there and cannot be read.
    """
    if not is_there(index_file):
        return True
    scan = scan_folder(folder)
    reader = Reader(index_file)
    try:
        with as_index_errors(index_file):
            reader.begin()
            return (
                reader.rules() != _rules(scan)
                or reader.zone() != _zone()
                or reader.is_unfinished()
                or (model_key is not None and (reader.model_key() != model_key or reader.coverage().lacks_vectors))
                or bool(difference(folder, scan, stored_files(reader.connection)))
                or _folder_problems_changed(scan, reader)
            )
    finally:
        reader.end()
        reader.close()


def _rules(scan: FolderScan) -> str:
    """Return what the index's rows follow from beside the files: our rules, and whose link order the folder has."""
    return f"{RULES} {DENDRON}" if scan.dendron else RULES


def modification_date(mtime_ns: int) -> str:
    """Return the local day of a file's time as an ISO date; times beyond the calendar fall to its ends."""
    try:
        return dt.datetime.fromtimestamp(mtime_ns // 10**9).astimezone().date().isoformat()
    except (OverflowError, ValueError, OSError):
        return dt.date.max.isoformat() if mtime_ns > 0 else dt.date.min.isoformat()


def _zone() -> str:
    """Return which time zone makes days of file times here."""
    return f"{'/'.join(time.tzname)} {time.timezone}"


def _folder_problems_changed(scan: FolderScan, reader: Reader) -> bool:
    files = {file.path for file in scan.files}
    stored = {problem for problem in reader.problems() if problem.path not in files}
    return stored != set(scan.problems)


class _Run:
    """One indexing run: its counts, and the steps of `update_index`."""

    def __init__(
        self, folder: Path, writer: Writer, seams: IndexingSeams, rebuild: bool, only: frozenset[str] | None
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._seams = seams
        self._rebuild = rebuild
        self._only = only
        self._added = self._changed = self._moved = self._removed = 0
        self._committed = time.monotonic()

    def update_notes(self) -> None:
        """Do steps 1 to 5."""
        # 1. Scan. 2. Compare.
        look = self._look()
        scan, stored, work = look.scan, look.stored, look.work
        with self._writer.transaction():
            if self._rebuild:
                # One change for all of a rebuild: a search meanwhile sees the old index or the new one, whole.
                self._writer.clear()
            if self._writer.meta("rules") != _rules(scan):
                self._writer.set_meta("rules", _rules(scan))
            if self._writer.meta("folder") != os.fsencode(self._folder):
                self._writer.set_meta("folder", os.fsencode(self._folder))
            self._renew_dates(stored)
            # 3. Take out what is gone.
            for file in work.gone:
                self._writer.remove(file.path)
            self._removed = sum(file.content_hash != b"" for file in work.gone)
            if not look.in_part:
                self._writer.replace_folder_problems(scan.problems, {file.path for file in scan.files})
            # 4. Read, parse and store.
            if len(work.to_read) > BIG_RUN:
                self._writer.expect_much(much=True)
            gone = {file.content_hash for file in work.gone} - {b""}
            for done, note_file in enumerate(work.to_read):
                self._tell(Phase.READ, done, len(work.to_read))
                self._update_file(note_file, stored.get(note_file.path), gone, scan.dendron)
                self._commit_now_and_then()
            # 5. Point the links, and find the vectors that moved or copied texts have already.
            self._tell(Phase.LINK, len(work.to_read), len(work.to_read))
            if self._writer.meta(LINKS_STALE):
                if look.in_part and not work.gone:
                    # Pointing the links may take longer than all before it; meanwhile they lead where they led.
                    self._writer.commit_and_go_on()
                self._point_links()
        if not look.in_part:
            self._tidy()

    def _look(self) -> Look:
        """Do steps 1 and 2."""
        self._tell(Phase.SCAN, 0, 0)
        should_stop = self._seams.should_stop
        look = None
        if self._only is not None and not self._rebuild and self._writer.meta("zone") == _zone():
            look = look_at_part(self._folder, self._writer, self._only, _rules, should_stop)
        if look is None:
            look = look_at_everything(self._folder, self._writer, should_stop, insists=self._rebuild)
        self._stop_if_asked()
        rules = self._writer.meta("rules")
        self._rebuild = rules is not None and (self._rebuild or rules != _rules(look.scan))
        # What is made anew is compared with nothing.
        return replace(look, stored={}, work=difference(self._folder, look.scan, {})) if self._rebuild else look

    def _point_links(self) -> None:
        self._writer.resolve_links()
        model = self._writer.meta("model")
        if isinstance(model, str):
            self._writer.use_model(model)

    def _tidy(self) -> None:
        """Let deleted words leave the file: contentless tables let go of them only when they are merged."""
        if self._writer.meta(UNTIDY) or self._writer.expects_much():
            with self._writer.transaction():
                self._writer.expect_much(much=False)
                self._writer.tidy()
                self._writer.forget_unused_vectors()

    def _renew_dates(self, stored: Mapping[str, StoredFile]) -> None:
        """After a journey to another time zone, make the days of file times what they would be if read today."""
        if self._writer.meta("zone") == _zone():
            return
        self._writer.set_meta("zone", _zone())
        for file in stored.values():
            self._writer.touch(file.path, file.stamp, modification_date(int(file.stamp.split("/")[1])))

    def embed(self, loader: ModelLoader) -> None:
        """Do step 6."""
        if self._writer.meta("model") == loader.key and not self._writer.count_without_vector():
            return
        self._stop_if_asked()
        self._tell(Phase.EMBED, 0, self._writer.count_without_vector())
        model = loader.load()
        with self._writer.transaction():
            self._writer.use_model(model.key)
        total = self._writer.count_without_vector()
        started = time.monotonic()
        while waiting := self._writer.passages_to_embed(EMBED_AT_ONCE):
            text_of = {row.hash: embedded_text(row.title, row.text) for row in waiting}
            hashes = sorted(text_of)
            ready: list[tuple[bytes, bytes]] = []
            for position, vector in model.embed_passages([text_of[each] for each in hashes]):
                ready.append((hashes[position], vector.tobytes()))
                if time.monotonic() - self._committed > COMMIT_EVERY_SECONDS:
                    self._keep_vectors(model, ready, total, started)
            self._keep_vectors(model, ready, total, started)

    def report(self, index_file: Path, *, cancelled: bool, meaning_reason: str | None) -> IndexReport:
        """Return what the index holds now."""
        held = what_is_held(index_file)
        return replace(
            held,
            added=self._added,
            changed=self._changed,
            moved=self._moved,
            removed=self._removed - self._moved,
            cancelled=cancelled,
            meaning_reason=meaning_reason if held.embedded < held.passages else None,
        )

    def _update_file(self, file: NoteFile, stored: StoredFile | None, gone: set[bytes | None], dendron: bool) -> None:
        """Read one file and store what it is; a file that cannot be read costs only itself."""
        if file.attachment:
            self._writer.store_attachment(file.path, file.stamp, modification_date(file.mtime_ns))
            return
        self._seams.reading(file.path)
        if file.path in self._seams.unreadable:
            self._writer.store_unread(file.path, file.stamp, self._seams.unreadable[file.path])
            return
        if file.size > MOST_BYTES:
            self._writer.store_unread(file.path, file.stamp, TOO_BIG)
            return
        try:
            data = read_file(self._folder / file.path, MOST_BYTES)
        except FileNotFoundError:
            # Where the folder itself is gone, notes are not: whoever unplugged a disk wants them back with it.
            check_folder(self._folder)
            self._writer.remove(file.path)
            return
        except OSError as error:
            reason = f"It could not be read: {error.strerror} ({error.errno})."
            self._writer.store_unread(file.path, file.stamp + REFUSED, reason)
            return
        if len(data) > MOST_BYTES:
            self._writer.store_unread(file.path, file.stamp, TOO_BIG)
            return
        content_hash = hashlib.sha256(data).digest()[:16]
        modified = modification_date(file.mtime_ns)
        if stored is not None and stored.content_hash == content_hash:
            self._writer.touch(file.path, file.stamp, modified)
            return
        try:
            note = read_note(file.path, data, dendron=dendron)
            passages = cut_passages(note)
        except NotText as error:
            self._writer.store_unread(file.path, file.stamp, str(error))
            return
        except Exception as fault:  # noqa: BLE001 - a fault of our readers costs the one note that shows it
            reason = f"Triskel could not read it, which is a fault of Triskel ({type(fault).__name__}: {fault})."
            self._writer.store_unread(file.path, file.stamp, reason)
            return
        date = note.date or modified
        self._writer.store(NewNote(note, passages, file.stamp, content_hash, date))
        if stored is not None:
            self._changed += 1
        elif content_hash in gone:
            self._moved += 1
        else:
            self._added += 1

    def _commit_now_and_then(self) -> None:
        """Make finished notes searchable, and end the run here where that was asked for."""
        if self._rebuild:
            self._stop_if_asked()
            return
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
