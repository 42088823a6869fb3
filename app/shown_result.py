"""The result list: the answer to what is typed. A list that is looked at does not change by itself.

Joins the searches to the window. When the index changes under a list, the query is asked again unseen, and the new
answer is offered where it looks otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.open_index import OpenIndex
from core.search.results import Hit, LegState, SearchResult
from ui.main_window import MainWindow

_SEARCH_AGAIN_MS = 1_000
"""How soon a search that found nothing is tried again while its folder is being read for the first time."""


class ShownResult(QObject):
    """What the window shows of a query.

    Signals:
        leg_failed: a leg could not answer, perhaps because of the index.
        unreadable: a sentence; the index could not be read, and nothing is shown.
        index_missing: there is nothing to search.
        withdrawn: what was shown until now may hold what has become private.
    """

    leg_failed = Signal()
    unreadable = Signal(str)
    index_missing = Signal()
    withdrawn = Signal()

    def __init__(
        self, window: MainWindow, searches: OpenIndex, is_indexing: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._searches = searches
        self._is_indexing = is_indexing
        self._text = ""
        self._result: SearchResult | None = None
        self._newer: SearchResult | None = None
        self._comparing = self._compare_again = self._wants_newer = False
        self._again = QTimer(self, interval=_SEARCH_AGAIN_MS, singleShot=True)
        self._again.timeout.connect(self.search)
        window.query_changed.connect(self._on_query_changed)
        window.refresh_requested.connect(self.refresh)
        searches.result_ready.connect(self._on_result_ready)
        searches.search_failed.connect(self._on_search_failed)

    @property
    def result(self) -> SearchResult | None:
        """What is shown; None where nothing is."""
        return self._result

    def words(self) -> tuple[str, ...]:
        """Return what is marked in the notes of the list."""
        return self._result.words if self._result is not None else ()

    def search(self) -> None:
        """Ask what is typed, and show the answer."""
        self._again.stop()
        self._comparing = self._compare_again = self._wants_newer = False
        self._offer(None)
        self._searches.renew()
        if not self._text.strip():
            self._result = None
            self._searches.cancel()
            self._window.clear_result()
        elif self._searches.is_open():
            self._searches.search(self._text)
        else:
            self.clear("This folder is being read. Results appear as soon as it is.")
            if not self._is_indexing():
                self.index_missing.emit()

    def clear(self, sentence: str) -> None:
        """Show a sentence in place of the list; a search that is running is called off."""
        self._searches.cancel()
        self._result = None
        self._comparing = self._compare_again = False
        self._offer(None)
        self._window.clear_result(sentence)

    def index_changed(self) -> None:
        """Say that the index changed: ask again, unseen where a list is looked at."""
        if self._searches.renew() or self._result is None or not self._result.hits or not self._text.strip():
            self.search()
        elif self._searches.is_searching() and not self._comparing:
            self._compare_again = True  # that search may have begun before the change
        else:
            self._comparing = True
            self._searches.search(self._text)

    def refresh(self) -> None:
        """Show what is offered."""
        newer = self._newer
        if newer is not None:
            self._offer(None)
            self._show(newer)

    def index_asked_for(self) -> None:
        """Show what the index holds by now: a person asked for the changes."""
        self._wants_newer = True
        self.refresh()
        self.index_changed()

    def stop(self) -> None:
        """Do nothing more by itself."""
        self._again.stop()

    def _show(self, result: SearchResult) -> None:
        if self._result is not None and result.withdrawn > self._result.generation:
            # Another process has taken them out; that ours does is told before there is an answer.
            self.withdrawn.emit()
        self._result = result
        self._window.show_result(result)

    def _offer(self, newer: SearchResult | None) -> None:
        self._newer = newer
        self._window.offer_refresh(newer is not None)

    def _on_query_changed(self, text: str) -> None:
        self._text = text
        self.search()

    def _on_result_ready(self, result: SearchResult) -> None:
        if self._comparing:
            if not result.interim:
                self._comparing = False
                self._compare(result)
            return
        self._show(result)
        if result.interim:
            return
        if self._compare_again:
            self._compare_again = False
            self.index_changed()
        if not result.hits and self._is_indexing():
            self._again.start()
        if any(report.state is LegState.FAILED for report in result.legs.values()):
            self.leg_failed.emit()

    def _compare(self, now: SearchResult) -> None:
        wants, self._wants_newer = self._wants_newer, False
        if self._result is None or self._result.query != now.query:
            return
        withdrawn = now.withdrawn > self._result.generation
        if not withdrawn and shows_the_same(self._result, now):
            self._offer(None)
            self._window.show_coverage(now)
        elif wants or withdrawn:
            self._offer(None)
            self._show(now)
        else:
            self._offer(now)

    def _on_search_failed(self, sentence: str) -> None:
        if self._comparing:
            self._comparing = False  # what is shown stays; the next change of the index is another occasion
        elif self._searches.renew():
            self.search()
        else:
            self.clear(sentence)
            self.unreadable.emit(sentence)


def shows_the_same(shown: SearchResult, now: SearchResult) -> bool:
    """Return whether a list would look as it does: the same notes in the same order, told in the same way.

    Scores may differ in their last places after any edit of the folder; a person sees ranks.
    """
    if (shown.total, shown.mode, shown.message) != (now.total, now.mode, now.message):
        return False
    return [_seen(hit) for hit in shown.hits] == [_seen(hit) for hit in now.hits]


def _seen(hit: Hit) -> tuple[object, ...]:
    ranks = tuple((leg, evidence and evidence.rank) for leg, evidence in hit.evidence.items())
    return (
        hit.path, hit.title, hit.date, hit.line, hit.place, hit.band, hit.compatibility, hit.pinned, hit.snippet, ranks,
        hit.matched_words, hit.links_from, hit.held_back,
    )  # fmt: skip
