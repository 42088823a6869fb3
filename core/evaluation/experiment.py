"""Runs a data set's queries through the legs and formulas of the search itself, and keeps what each gave per query.

Depends on an index reader and, for meaning, on an encoder. Nothing is searched or fused here: `core.search.search` is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.evaluation.answers import AnswerTexts, Overlap
from core.evaluation.datasets import DataSet, JudgedQuery, Series
from core.evaluation.metrics import DEPTH, FoundList, QueryFigures, figures_of
from core.evaluation.remembered_scores import RememberedScores
from core.index.reader import Reader
from core.search.evidence import Evidence
from core.search.fusion import DEFAULT_FORMULA, FusedNote
from core.search.reporting import SWITCHED_OFF
from core.search.reranking import Reranker, rerank
from core.search.results import LEGS, Failed, Leg, LegOutcome, LegState, Mode, Ranking, RerankerName
from core.search.search import (
    EncoderOrReason,
    LinksAnswer,
    SearchRequest,
    evidence_of,
    find_links,
    find_meaning,
    find_words,
    fused_notes,
)

LEGS_OF_MODE: Mapping[Mode, tuple[Leg, ...]] = {
    Mode.HYBRID: LEGS,
    Mode.WORDS: (Leg.WORDS, Leg.LINKS),
    Mode.MEANING: (Leg.MEANING, Leg.LINKS),
}
"""What may speak in a mode: links join whatever there is, as in the window where a leg is missing."""

RERANKED = ", reranked"
"""Ends the name of a formula's run whose first notes a reranker has put in order."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: formulas in modes, each leg alone beside them. `default` is what others are compared with."""

    formulas: tuple[str, ...] = (DEFAULT_FORMULA,)
    modes: tuple[Mode, ...] = (Mode.HYBRID,)
    default: str = DEFAULT_FORMULA


@dataclass(frozen=True, slots=True)
class Run:
    """What one formula in one mode, or one leg alone (`is_leg`), gave for each query, in the set's order.

    A leg that never ran has no run; a formula has one all the same, over what there is.
    """

    name: str
    mode: Mode
    is_leg: bool
    figures: tuple[QueryFigures, ...]

    def by_query(self, measure: str) -> dict[str, float]:
        """Return a measure by query id, of the queries that have it."""
        return {one.found.query: one.values[measure] for one in self.figures if measure in one.values}


@dataclass(frozen=True, slots=True)
class Measured:
    """One data set, measured.

    `embedded` is the share of passages with a vector, `unread` how many documents could not be read as notes, and
    `problems` count failures of legs and of the reranker by their reasons. `reranker` is what each formula was asked
    with a second time, None where there was none.
    """

    data_set: str
    documents: int
    series: Series | None
    fingerprint: str
    embedded: float
    default: str
    runs: tuple[Run, ...]
    overlap: Mapping[str, Overlap]
    title_overlap: Mapping[str, Overlap]
    problems: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0
    reranker: RerankerName | None = None

    @property
    def queries(self) -> int:
        """How many queries were asked."""
        return len(self.overlap)

    def run(self, name: str, mode: Mode) -> Run | None:
        """Return the run of a formula or leg in a mode, None where it was not made."""
        return next((run for run in self.runs if (run.name, run.mode) == (name, mode)), None)


def measure(
    reader: Reader,
    encoder: EncoderOrReason,
    data_set: DataSet,
    document_by_path: Mapping[str, str],
    plan: Plan,
    *,
    reranker: Reranker | None = None,
    on_query: Callable[[int], None] = lambda _done: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Measured:
    """Return what every formula and every leg finds for the judged queries of a set, in one snapshot of its index.

    Words and meaning are asked once a query; links and fusion once for each formula and mode, since the notes that
    links are followed from are the formula's own. With a `reranker`, each formula has a run without and one with it.
    `clock` gives seconds; times are kept apart from all other figures.

    Raises:
        TriskelError: there is no formula of a name, or the index cannot be read.
        apsw.InterruptError: it was called off.
    """
    reader.begin()
    try:
        texts = AnswerTexts(data_set, reader)
        asking = _Asking(reader, encoder, document_by_path, texts, plan, clock, reranker)
        for done, query in enumerate(data_set.queries):
            on_query(done)
            asking.ask(query)
        coverage = reader.coverage()
        return Measured(
            data_set=data_set.name,
            documents=len(data_set.documents),
            series=data_set.series,
            fingerprint=reader.fingerprint(),
            embedded=coverage.passages_embedded / coverage.passages if coverage.passages else 0.0,
            default=plan.default,
            runs=tuple(
                Run(name, mode, is_leg, figures_of(data_set.queries, found))
                for (name, mode, is_leg), found in asking.found.items()
                if not is_leg or name in asking.legs_that_ran
            ),
            overlap={query.id: texts.overlap(query) for query in data_set.queries},
            title_overlap={query.id: texts.title_overlap(query) for query in data_set.queries},
            problems=asking.problems,
            unread=reader.count_unread(),
            reranker=reranker.model if reranker else None,
        )
    finally:
        reader.end()


class _Asking:
    """Asks one query after another; `found` keeps the lists by formula or leg, mode, and whether it is a leg."""

    def __init__(
        self,
        reader: Reader,
        encoder: EncoderOrReason,
        document_by_path: Mapping[str, str],
        texts: AnswerTexts,
        plan: Plan,
        clock: Callable[[], float],
        reranker: Reranker | None,
    ) -> None:
        self._reader, self._encoder, self._plan, self._clock = reader, encoder, plan, clock
        self._document_by_path, self._texts = document_by_path, texts
        self._reranker = RememberedScores(reranker, clock) if reranker else None
        self.found: dict[tuple[str, Mode, bool], list[FoundList]] = {}
        self.legs_that_ran: set[str] = set()
        self.problems: dict[str, int] = {}

    def ask(self, query: JudgedQuery) -> None:
        if self._reranker:
            self._reranker.forget()
        request = SearchRequest(query.text, formula=self._plan.default)
        started = self._clock()
        words = find_words(self._reader, request)
        after_words = self._clock()
        meaning = find_meaning(self._reader, self._encoder, request)
        after_meaning = self._clock()
        seconds = {Leg.WORDS: after_words - started, Leg.MEANING: after_meaning - after_words}
        outcomes: dict[Leg, LegOutcome] = {Leg.WORDS: words, Leg.MEANING: meaning}
        for leg, outcome in outcomes.items():
            self._keep_leg(query, leg, outcome, seconds[leg])
        links = find_links(self._reader, request, words, meaning)
        self._keep_leg(query, Leg.LINKS, links.outcome, self._clock() - after_meaning)
        for mode in self._plan.modes:
            for formula in self._plan.formulas:
                self._ask_in_mode(query, formula, mode, outcomes, seconds)

    def _ask_in_mode(
        self,
        query: JudgedQuery,
        formula: str,
        mode: Mode,
        outcomes: Mapping[Leg, LegOutcome],
        seconds: Mapping[Leg, float],
    ) -> None:
        legs = LEGS_OF_MODE[mode]
        request = SearchRequest(query.text, legs=legs, formula=formula)
        words, meaning = (outcomes[leg] if leg in legs else SWITCHED_OFF for leg in (Leg.WORDS, Leg.MEANING))
        started = self._clock()
        links: LinksAnswer = find_links(self._reader, request, words, meaning)
        heard = {Leg.WORDS: words, Leg.MEANING: meaning, Leg.LINKS: links.outcome}
        evidence = links.evidence or evidence_of(self._reader, request, heard)
        fused = fused_notes(self._reader, request, heard, evidence)
        taken = self._clock() - started + sum(seconds[leg] for leg in seconds if leg in legs)
        self._keep((formula, mode, False), query, [(one.path, one.score) for one in fused[:DEPTH]], taken)
        if self._reranker:
            self._rerank(
                self._reranker, (formula + RERANKED, mode, False), query, request, fused, evidence, meaning, taken
            )

    def _rerank(
        self,
        reranker: RememberedScores,
        key: tuple[str, Mode, bool],
        query: JudgedQuery,
        request: SearchRequest,
        fused: Sequence[FusedNote],
        evidence: Evidence,
        meaning: LegOutcome,
        seconds: float,
    ) -> None:
        started, saved = self._clock(), reranker.saved
        found = rerank(self._reader, request.query, fused, evidence, meaning, reranker)
        seconds += self._clock() - started + reranker.saved - saved
        if found.report.state is LegState.FAILED and found.report.reason:
            self.problems[found.report.reason] = self.problems.get(found.report.reason, 0) + 1
        places = found.places
        ranked = [
            (one.path, places[one.note].score if one.note in places else one.score) for one in found.notes[:DEPTH]
        ]
        self._keep(key, query, ranked, seconds)

    def _keep_leg(self, query: JudgedQuery, leg: Leg, outcome: LegOutcome, seconds: float) -> None:
        if isinstance(outcome, Failed):
            self.problems[outcome.reason] = self.problems.get(outcome.reason, 0) + 1
        if isinstance(outcome, Ranking):
            self.legs_that_ran.add(str(leg))
        ranked = outcome.notes[:DEPTH] if isinstance(outcome, Ranking) else ()
        self._keep((str(leg), Mode(leg), True), query, [(one.path, one.score) for one in ranked], seconds)

    def _keep(
        self, key: tuple[str, Mode, bool], query: JudgedQuery, ranked: Iterable[tuple[str, float]], seconds: float
    ) -> None:
        listed: Sequence[tuple[str, float]] = list(ranked)
        documents = tuple(self._document_by_path[path] for path, _score in listed)
        self.found.setdefault(key, []).append(
            FoundList(
                query.id,
                documents,
                tuple(score for _path, score in listed),
                self._texts.holds_answer(query, documents),
                seconds * 1000,
            )
        )
