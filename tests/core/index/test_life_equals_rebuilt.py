"""An index that was kept up to date answers with the same bytes as one built afresh from the final folder.

Random histories of a real folder: what people, editors, sync programs and other machines do to notes. After every few
steps the index that grew is brought up to date, and whole JSON results of a query set, fingerprint included, are
compared with those of an index made at that moment.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core.index import reading_files
from core.index.indexer import IndexingSeams, needs_update, update_index
from core.index.reader import Reader
from tests.tools.fake_model import FakeModel
from tests.tools.whole_answers import NO_MODEL, whole_answers

MODELS = (FakeModel("first"), FakeModel("second"))
COMPARE_EVERY = 4

MOST_BYTES = 20_000
"""Instead of 64 MB, so that files above it are made and copied at no cost."""

ZONES = ("UTC", "Pacific/Auckland", "America/Los_Angeles")

FOLDERS = ("", "garden", "garden/old", "Été", "node_modules")
NAMES = ("apple.md", "Apple.md", "plum pie.md", "fig.txt", "2026-03-01.md", "日記.md", "page.html", "rose.png")
PATHS = tuple(f"{folder}/{name}" if folder else name for folder in FOLDERS for name in NAMES)
WORDS = ("apple", "plums", "fig", "quince", "river", "C++", "日本語", "crème", "🐘", "worker_pid", "the")
TITLES = ("Apple", "Plum pie", "About figs", "River")
TARGETS = ("apple", "Plum pie", "garden/fig", "2026-03-01", "About figs", "pomme", "nowhere", "日記", "../apple.md")

QUERIES = (
    "apple", "plums", "plum fig", "the quince river", '"apple plums"', "apple -fig", "C++", "日本", "creme", "🐘",
    "worker", "tag:food apple", "path:garden fig", "tag:food", "after:2023-11-15 apple", "rose", "2026-03-01", "pomme",
    "nosuchword", "app", "before:2020-01-01",
)  # fmt: skip

IGNORE_LINES = ("*.txt", "garden/", "apple.md", "!apple.md", "old/", "rose.*", "!node_modules")

words = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
tags = st.lists(st.sampled_from(["food", "work/now"]), max_size=2)
aliases = st.lists(st.just("pomme"), max_size=1)
front_matter = st.one_of(
    st.just(""),
    st.builds(lambda tags, names: f"---\ntags: {json.dumps(tags)}\naliases: {json.dumps(names)}\n---\n", tags, aliases),
    st.dates(dt.date(1990, 1, 1), dt.date(2030, 1, 1)).map(lambda day: f"---\ndate: {day}\n---\n"),
    st.just("---\nbroken: [\n---\n"),
)
titles = st.one_of(st.just(""), st.sampled_from(TITLES).map(lambda title: f"# {title}\n\n"))
links = st.lists(st.sampled_from(TARGETS), max_size=3).map(
    lambda targets: "".join(f"\n\n[[{each}]] and [so]({each.replace(' ', '%20')})" for each in targets)
)
# Long enough for several passages now and then.
more = st.builds(lambda text, times: f"\n\n{text}" * times, words, st.sampled_from([0, 0, 1, 12]))
texts = st.builds(lambda *parts: "".join(parts), front_matter, titles, words, links, more)
paths = st.sampled_from(PATHS)
chosen = st.integers(0, 10_000)


class Life(RuleBasedStateMachine):
    """A folder, the index that is kept up to date with it, and now and then a fresh index beside it."""

    def __init__(self) -> None:
        super().__init__()
        self._undo = contextlib.ExitStack()
        place = Path(self._undo.enter_context(tempfile.TemporaryDirectory(prefix="triskel-life-")))
        self.folder = place / "notes"
        self.folder.mkdir()
        self.grown = place / "grown" / "index.db"
        self.place = place
        self.steps = 0
        self.clock = 1_700_000_000_000_000_000
        self.refused: set[Path] = set()
        self.indexing = False
        self.model: FakeModel | None = None
        self.had_a_model = False
        opened = os.open

        def refuse(file, *rest, **options):
            if self.indexing and isinstance(file, Path) and file in self.refused:
                raise PermissionError(13, "Permission denied")
            return opened(file, *rest, **options)

        # Rights do not bind root, under whom tests may run.
        self._undo.enter_context(mock.patch.object(os, "open", refuse))
        self._undo.enter_context(mock.patch.dict(os.environ))
        self._undo.enter_context(mock.patch.object(reading_files, "MOST_BYTES", MOST_BYTES))

    def teardown(self) -> None:
        self._undo.close()
        if hasattr(time, "tzset"):
            time.tzset()

    @initialize(notes=st.dictionaries(paths, texts, max_size=6), model=st.sampled_from([None, *MODELS]))
    def begin(self, notes, model):
        for path, text in sorted(notes.items()):
            self.put(path, text.encode())
        self.use(model)

    # What is done to the folder.

    @rule(path=paths, text=texts)
    def write(self, path, text):
        self.put(path, text.encode())

    @rule(which=chosen, text=texts)
    def edit(self, which, text):
        for file in self.one(which):
            self.put(self.path_of(file), text.encode())

    @rule(which=chosen, line=words)
    def add_a_line(self, which, line):
        for file in self.one(which):
            self.put(self.path_of(file), file.read_bytes() + f"\n\n{line} [[apple]]\n".encode())

    @rule(which=chosen)
    def edit_within_the_old_size_and_time(self, which):
        # What a restored backup or a synchronising program does: only the time of status tells.
        for file in self.one(which):
            before = file.stat()
            data = file.read_bytes()[::-1] if file.suffix == ".txt" else file.read_bytes().replace(b"apple", b"quinc")
            while file.stat().st_ctime_ns == before.st_ctime_ns:
                file.write_bytes(data)
                os.utime(file, ns=(before.st_mtime_ns, before.st_mtime_ns))

    @rule(which=chosen)
    def write_again_with_the_same_content(self, which):
        for file in self.one(which):
            self.touch(file)

    @rule(which=chosen, path=paths)
    def move(self, which, path):
        for file in self.one(which):
            with self.room_for(path) as target:
                file.replace(target)

    @rule(which=chosen)
    def rename_in_case_alone(self, which):
        for file in self.one(which):
            file.replace(file.with_name(file.name.swapcase().replace(".MD", ".md").replace(".TXT", ".txt")))

    @rule(which=chosen, path=paths)
    def copy(self, which, path):
        for file in self.one(which):
            with self.room_for(path) as target:
                if target != file:
                    target.unlink(missing_ok=True)
                    shutil.copyfile(file, target)
                    self.touch(target)

    @rule(which=chosen)
    def delete(self, which):
        for file in self.one(which):
            file.unlink()

    @rule(which=chosen, path=paths)
    def delete_and_write_the_same_elsewhere(self, which, path):
        for file in self.one(which):
            data = file.read_bytes()
            file.unlink()
            self.put(path, data)

    @rule(which=chosen)
    def become_binary(self, which):
        for file in self.one(which):
            self.put(self.path_of(file), bytes(range(256)) * 20)

    @rule(which=chosen)
    def become_unreadable_or_readable_again(self, which):
        for file in self.one(which):
            self.refused ^= {file}
            # What was read before stays known until something shows that it may have changed; the way back may be mute.
            if file in self.refused:
                self.touch(file)

    @rule(which=chosen)
    def become_too_big(self, which):
        for file in self.one(which):
            os.truncate(file, MOST_BYTES + 1)
            self.touch(file)

    @rule(which=chosen)
    def become_empty(self, which):
        for file in self.one(which):
            self.put(self.path_of(file), b"")

    @rule(which=chosen, path=paths)
    def link_to_a_file(self, which, path):
        for file in self.one(which):
            with self.room_for(path) as target:
                if not target.exists() and not target.is_symlink():
                    target.symlink_to(file)

    @rule(folder=st.sampled_from(FOLDERS[1:]), goal=st.sampled_from(["moved", "garden", "Été/inner"]))
    def move_a_folder(self, folder, goal):
        source, goal = self.folder / folder, self.folder / goal
        if source.is_dir() and not goal.exists() and not goal.is_relative_to(source):
            goal.parent.mkdir(parents=True, exist_ok=True)
            source.rename(goal)

    @rule(folder=st.sampled_from([*FOLDERS[1:], "moved"]))
    def delete_a_folder(self, folder):
        shutil.rmtree(self.folder / folder, ignore_errors=True)

    @rule(
        name=st.sampled_from([".triskelignore", ".gitignore"]),
        folder=st.sampled_from(["", "garden"]),
        lines=st.lists(st.sampled_from(IGNORE_LINES), max_size=3),
    )
    def change_what_is_ignored(self, name, folder, lines):
        if (self.folder / folder).is_dir():
            self.put(f"{folder}/{name}" if folder else name, "\n".join(lines).encode())

    @rule()
    def become_a_dendron_vault_or_none(self):
        marker = self.folder / "dendron.yml"
        if marker.exists():
            marker.unlink()
        else:
            marker.write_text("version: 5\n")

    # What is done with the index.

    @rule(model=st.sampled_from([None, *MODELS]))
    def switch_the_model(self, model):
        self.use(model)

    @precondition(lambda _self: hasattr(time, "tzset"))
    @rule(zone=st.sampled_from(ZONES))
    def travel(self, zone):
        os.environ["TZ"] = zone
        time.tzset()

    @rule(rebuild=st.booleans())
    def update(self, rebuild):
        self.run(rebuild=rebuild)

    @rule(after=st.integers(1, 60), rebuild=st.booleans())
    def update_and_stop_on_the_way(self, after, rebuild):
        asked = iter(range(1_000_000))
        self.run(IndexingSeams(should_stop=lambda: next(asked) >= after), rebuild=rebuild)

    @invariant()
    def the_index_answers_like_a_fresh_one(self):
        self.steps += 1
        if self.steps % COMPARE_EVERY:
            return
        grown = self.run()
        fresh_file = self.place / f"fresh{self.steps}" / "index.db"
        fresh = self.run(into=fresh_file)
        event(f"compared {min(fresh.notes, 5)} notes or more")
        assert grown.problems == fresh.problems
        # Vectors stay when meaning is switched off, so that it can be switched on again at no cost.
        kept = self.model is None and self.had_a_model
        if not kept:
            assert grown.fingerprint == fresh.fingerprint
            assert (grown.notes, grown.passages, grown.links, grown.resolved_links, grown.skipped, grown.embedded) == (
                fresh.notes, fresh.passages, fresh.links, fresh.resolved_links, fresh.skipped, fresh.embedded
            )  # fmt: skip
        encoder = self.model or NO_MODEL
        expected = whole_answers(fresh_file, QUERIES, encoder)
        found = whole_answers(self.grown, QUERIES, encoder)
        if kept:
            expected, found = ([without_coverage(each) for each in answers] for answers in (expected, found))
        for query, one, other in zip(QUERIES, found, expected, strict=True):
            assert one == other, query
        with self.refusing():
            assert not needs_update(self.folder, self.grown, self.model.key if self.model else None)
        reader = Reader(self.grown)
        assert reader.integrity_faults() == []
        reader.close()
        shutil.rmtree(fresh_file.parent)

    def run(self, seams: IndexingSeams | None = None, *, rebuild: bool = False, into: Path | None = None):
        with self.refusing():
            return update_index(self.folder, into or self.grown, self.model, seams, rebuild=rebuild)

    @contextlib.contextmanager
    def refusing(self):
        """Let the system refuse to open what may not be read, as it does to the indexer and not to the test."""
        self.indexing = True
        try:
            yield
        finally:
            self.indexing = False

    def use(self, model: FakeModel | None) -> None:
        self.model = model
        self.had_a_model |= model is not None

    def one(self, which: int) -> list[Path]:
        """Return one of the files, none where there are none; a note before an ignore file."""
        files = sorted(file for file in self.folder.rglob("*.*") if file.is_file() and not file.is_symlink())
        files = [file for file in files if not file.name.endswith("ignore") and file.name != "dendron.yml"]
        return [files[which % len(files)]] if files else []

    def path_of(self, file: Path) -> str:
        return file.relative_to(self.folder).as_posix()

    def put(self, path: str, data: bytes) -> None:
        with self.room_for(path) as file:
            if file.is_symlink():
                file.unlink()
            file.write_bytes(data)
            self.touch(file)

    @contextlib.contextmanager
    def room_for(self, path: str):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_dir():
            yield file

    def touch(self, file: Path) -> None:
        # Each change at a time of its own, as when a person works: the clock of some file systems is coarse.
        self.clock += 3_600_000_000_001
        os.utime(file, ns=(self.clock, self.clock))


def without_coverage(answer: str) -> dict:
    """Return a result without what tells of vectors that a fresh index has not."""
    value = json.loads(answer)
    del value["fingerprint"], value["legs"]["meaning"]
    return value


@pytest.mark.timeout(3600)
def test_an_index_that_lived_answers_like_one_built_afresh(life_length):
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=life_length(10, 400),
            stateful_step_count=40,
            derandomize=life_length(1, 0) == 1,
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
