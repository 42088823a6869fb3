"""A search for each key press, its legs side by side on workers, the newest one replacing all before it.

Joins `core.search` to Qt: the steps are core's, in the order core states; this decides only where they run. The
command line runs the same steps in a row, and both come to the same result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw
from PySide6.QtCore import QObject, Signal

from app.rerankers import RerankerLoader
from app.today import today
from app.workers import Dispatcher, Finished, Task, make_pool
from core.errors import IndexDamaged, ModelError, TriskelError
from core.index.database import as_index_errors
from core.index.embedding import EmbeddingModel, ModelLoader
from core.index.reader import Reader
from core.search.fusion import DEFAULT_FORMULA
from core.search.reranking import Reranker, RerankerOrReason
from core.search.results import LEGS, Failed, Leg, LegOutcome, ModelName, Ranking, RerankerName, SearchResult, Skipped
from core.search.search import LinksAnswer, SearchRequest, answer, find_links, find_meaning, find_words

_THREADS = 3
"""Words, meaning, and one to put an interim list together while meaning is still out."""

_SNAPSHOT_TRIES = 100

_LOOK_AGAIN_SECONDS = 0.05
"""Between two looks whether a search that waits for the reranker is still the newest: too short to be felt."""


class ModelSlot:
    """The model that queries are embedded with: loaded once, by the first worker that needs it."""

    def __init__(self, loader: ModelLoader | None) -> None:
        self._loader = loader
        self._lock = threading.Lock()
        self._model: EmbeddingModel | Skipped | Failed | None = None
        if loader is None:
            self._model = Skipped("switched off")

    def get(self) -> EmbeddingModel | Skipped | Failed:
        """Return the model or why there is none; the first call takes about a second."""
        with self._lock:
            if self._model is None and self._loader is not None:
                try:
                    self._model = self._loader.load()
                except ModelError as error:
                    self._model = Failed(str(error))
            assert self._model is not None
            return self._model


class RerankerSlot:
    """The reranker of the final results: loaded once, by the first worker that has notes to put in order."""

    def __init__(self, loader: RerankerLoader | None) -> None:
        self._loader = loader
        self._lock = threading.Lock()
        self._reranker: RerankerOrReason | None = None

    def get(self, check: Callable[[], None]) -> RerankerOrReason | None:
        """Return the reranker, why it cannot be used, or None where it is off; the first call takes seconds.

        Who comes while another one loads it waits, calling `check` now and then, which may raise to give up.
        """
        while not self._lock.acquire(timeout=_LOOK_AGAIN_SECONDS):
            check()
        try:
            if self._reranker is None and self._loader is not None:
                self._reranker = self._loader.load_or_say()
            return self._reranker
        finally:
            self._lock.release()

    def is_off(self) -> bool:
        """Return whether no reranker is wanted."""
        return self._loader is None


@dataclass(frozen=True, slots=True)
class _UntilNewer:
    """A reranker that looks before each text whether its search is still the newest one."""

    reranker: Reranker
    check: Callable[[], None]

    @property
    def model(self) -> RerankerName:
        return self.reranker.model

    def score(self, query: str, text: str) -> float:
        self.check()
        return self.reranker.score(query, text)


@dataclass(slots=True)
class _Connection:
    """A reader and the right to use it; only `interrupt` is free to other threads."""

    reader: Reader
    lock: threading.Lock = field(default_factory=threading.Lock)


class _Superseded(Exception):
    """A newer search has begun; this one's work is dropped."""


class _Withdrawn(Exception):
    """Notes have become private while the search ran; what it found is dropped, and it is run again."""


@dataclass(slots=True)
class _Search:
    """What is known so far of the search that is running. Touched on the main thread only."""

    number: int
    request: SearchRequest
    words: LegOutcome | None = None
    meaning: LegOutcome | None = None
    model: ModelName | None = None
    links_started: bool = False


class SearchController(QObject):
    """Runs searches over one index and tells their results on the main thread.

    Signals:
        result_ready: a SearchResult; interim ones come before the final one of the same query.
        search_failed: a sentence; the index could not be read.
        index_damaged: a sentence; the index is no longer what was written, and has to be made again.
    """

    result_ready = Signal(object)
    search_failed = Signal(str)
    index_damaged = Signal(str)
    model_ready = Signal()

    def __init__(
        self,
        index_file: Path,
        model: ModelSlot,
        parent: QObject | None = None,
        *,
        legs: tuple[Leg, ...] = LEGS,
        formula: str = DEFAULT_FORMULA,
        reranker: RerankerSlot | None = None,
    ) -> None:
        """Open the index at `index_file`.

        Raises:
            IndexFileError: it is not there yet or cannot be read.
        """
        super().__init__(parent)
        self._index_file = index_file
        self._model = model
        self._reranker = reranker or RerankerSlot(None)
        self._legs = legs
        self._formula = formula
        self._words = _Connection(Reader(index_file))
        self._meaning = _Connection(Reader(index_file))
        self._links = _Connection(Reader(index_file))
        self._pool = make_pool(_THREADS)
        self._dispatcher = Dispatcher(self)
        self._dispatcher.finished.connect(self._on_task_finished)
        self._number = 0
        self._search: _Search | None = None

    def warm_up(self) -> None:
        """Load the model in the background, so that the first search need not wait for it."""
        self._start(0, "model", self._model.get)

    def search(self, text: str) -> None:
        """Begin a search; every earlier one is called off and will not be heard of again."""
        self._call_off()
        self._search = _Search(self._number, SearchRequest(text, self._legs, formula=self._formula, today=today()))
        number, request = self._number, self._search.request
        self._start(number, "snapshot", lambda: self._take_snapshot(number, request))

    def cancel(self) -> None:
        """Call the running search off, if there is one."""
        self._call_off()
        self._search = None

    def is_searching(self) -> bool:
        """Return whether a final result is still to come."""
        return self._search is not None

    def close(self) -> None:
        """End all work and close the index; nothing is heard of this controller afterwards."""
        self._call_off()
        self._search = None
        self._dispatcher.finished.disconnect(self._on_task_finished)
        self._pool.waitForDone()
        for connection in self._connections():
            connection.reader.end()
            connection.reader.close()

    def _call_off(self) -> None:
        self._number += 1
        self._pool.clear()
        for connection in self._connections():
            connection.reader.interrupt()

    def _connections(self) -> tuple[_Connection, ...]:
        return self._words, self._meaning, self._links

    def _start(self, number: int, name: str, work: Callable[[], object]) -> None:
        def guarded() -> object:
            with as_index_errors(self._index_file):
                return work()

        self._pool.start(Task(number, name, guarded, self._dispatcher))

    # On workers ------------------------------------------------------------------------------------------------------

    def _take_snapshot(self, number: int, request: SearchRequest) -> None:
        """Give the three readers a snapshot of the same generation, whatever the indexing process is writing."""
        with self._words.lock, self._meaning.lock, self._links.lock:
            for _ in range(_SNAPSHOT_TRIES):
                self._check(number)
                generations = {connection.reader.begin() for connection in self._connections()}
                if len(generations) == 1:
                    return
        raise TriskelError("The index changes too fast to be read. Try again in a moment.")

    def _find_words(self, number: int, request: SearchRequest) -> LegOutcome:
        with self._words.lock:
            self._check(number)
            return find_words(self._words.reader, request)

    def _find_meaning(self, number: int, request: SearchRequest) -> tuple[LegOutcome, ModelName | None]:
        if Leg.MEANING not in request.legs_to_run:
            return Skipped("switched off"), None
        encoder = self._model.get()
        with self._meaning.lock:
            self._check(number)
            model = None if isinstance(encoder, Skipped | Failed) else encoder.model
            return find_meaning(self._meaning.reader, encoder, request), model

    def _answer_meanwhile(self, search: _Search) -> SearchResult:
        with self._words.lock:
            self._check(search.number)
            reader = self._words.reader
            found = answer(reader, search.request, search.words, None, None, pending=(Leg.MEANING, Leg.LINKS))
            self._check_standing(reader)
            return found

    def _answer(self, search: _Search) -> SearchResult:
        assert search.words is not None
        assert search.meaning is not None
        reranker = self._reranker_for(search)
        with self._links.lock:
            self._check(search.number)
            reader = self._links.reader
            links: LinksAnswer = find_links(reader, search.request, search.words, search.meaning)
            self._check(search.number)
            found = answer(
                reader, search.request, search.words, search.meaning, links, model=search.model, reranker=reranker
            )
            self._check_standing(reader)
        for connection in (self._words, self._meaning):
            with connection.lock:
                # A newer search may have begun a snapshot of its own.
                if search.number == self._number:
                    connection.reader.end()
        return found

    def _reranker_for(self, search: _Search) -> RerankerOrReason | None:
        """Return the reranker for a final result; it is not loaded where there is nothing to put in order."""
        if self._reranker.is_off():
            return None
        if not any(isinstance(found, Ranking) and found.notes for found in (search.words, search.meaning)):
            return Skipped("No note was found, so there is nothing to put in order.")

        def check() -> None:
            self._check(search.number)

        check()
        reranker = self._reranker.get(check)
        if reranker is None or isinstance(reranker, Skipped | Failed):
            return reranker
        return _UntilNewer(reranker, check)

    def _check_standing(self, reader: Reader) -> None:
        """Give up the snapshot of a reader that has answered, and see that its answer may still be shown."""
        reader.end()
        if reader.was_withdrawn():
            raise _Withdrawn

    def _check(self, number: int) -> None:
        if number != self._number:
            raise _Superseded

    # On the main thread ----------------------------------------------------------------------------------------------

    def _on_task_finished(self, finished: Finished) -> None:
        """Take what a task came to; the one place where stale results are dropped."""
        if finished.name == "model":
            self.model_ready.emit()
            return
        search = self._search
        if search is None or finished.number != search.number:
            return
        if finished.fault is not None:
            self._on_fault(finished.fault)
            return
        match finished.name:
            case "snapshot":
                number, request = search.number, search.request
                self._start(number, "words", lambda: self._find_words(number, request))
                self._start(number, "meaning", lambda: self._find_meaning(number, request))
            case "words":
                search.words = finished.value  # type: ignore[assignment]
                if search.meaning is None:
                    self._start(search.number, "interim", lambda: self._answer_meanwhile(search))
            case "meaning":
                search.meaning, search.model = finished.value  # type: ignore[misc]
            case "interim":
                self.result_ready.emit(finished.value)
            case "answer":
                self._search = None
                self.result_ready.emit(finished.value)
        if search.words is not None and search.meaning is not None and not search.links_started:
            search.links_started = True
            self._start(search.number, "answer", lambda: self._answer(search))

    def _on_fault(self, fault: BaseException) -> None:
        if isinstance(fault, _Superseded | apsw.InterruptError):
            return
        if isinstance(fault, _Withdrawn) and self._search is not None:
            self.search(self._search.request.text)
            return
        self._search = None
        if isinstance(fault, IndexDamaged):
            self.index_damaged.emit(str(fault))
        elif isinstance(fault, TriskelError | apsw.Error):
            self.search_failed.emit(str(fault))
        else:
            raise fault
