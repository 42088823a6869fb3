"""From a query to a result: the one place where the legs are run, fused and explained.

Depends on an index reader and, for meaning, on an encoder. No Qt, no clock: the command line calls `search`, the
window calls the same steps on its workers, and both get the same result.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import apsw

from core.errors import TriskelError
from core.search.compatibility import mode_for
from core.search.completion import complete
from core.search.evidence import Evidence, Seed
from core.search.filters import listed_notes, visible_notes
from core.search.formulas.formula import notes_of
from core.search.fusion import DEFAULT_FORMULA, FusedNote, formula_named, fuse, seeds_of
from core.search.grouping import DEPTH, Visible, rank_notes
from core.search.hits import hits_of
from core.search.links import first_links, rank_by_links
from core.search.meaning import MeaningRanking, best_by_meaning
from core.search.parsing import parse_query
from core.search.query import AnyOf, Phrase, Query, Word
from core.search.reporting import SWITCHED_OFF, message_for, reports_of
from core.search.reranking import RerankerOrReason, rerank
from core.search.results import (
    LEGS,
    Failed,
    Leg,
    LegOutcome,
    LinkStep,
    ModelName,
    Ranking,
    SearchResult,
    Skipped,
)
from core.search.substring import LITERAL, rank_by_symbols
from core.search.terms import exact_spellings, terms_of
from core.search.words import rank_by_words

if TYPE_CHECKING:
    from core.index.embedding import Encoder
    from core.index.reader import Reader

DEFAULT_LIMIT = 50

_NO_TEXT = "The query holds filters alone, so the notes that they leave are listed."

EncoderOrReason: TypeAlias = "Encoder | Skipped | Failed"
"""A model, or why there is none."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked. `legs` are those that may speak in the result, `limit` the most hits.

    `today` is the day that relative dates count from: the caller's, since no clock decides a result. `forms` says
    whether other forms of a word count for it (`core.search.stems`).

    Raises:
        TriskelError: no formula of that name, or a negative limit.
    """

    text: str
    legs: tuple[Leg, ...] = LEGS
    limit: int = DEFAULT_LIMIT
    formula: str = DEFAULT_FORMULA
    today: dt.date = dt.date(1970, 1, 1)
    forms: bool = True

    def __post_init__(self) -> None:
        formula_named(self.formula)
        if self.limit < 0:
            raise TriskelError(f"The limit must be 0 or more, not {self.limit}.")

    @property
    def query(self) -> Query:
        """The text, parsed."""
        return parse_query(self.text, self.today)

    @property
    def legs_to_run(self) -> tuple[Leg, ...]:
        """The legs whose rankings are needed, in order.

        A leg that is switched off has no part in the result. Where links stand alone, words and meaning still run,
        unseen, to give them notes to start from.
        """
        if set(self.legs) == {Leg.LINKS}:
            return LEGS
        return tuple(leg for leg in LEGS if leg in self.legs)


@dataclass(frozen=True, slots=True)
class LinksAnswer:
    """What the links leg found, and for each note it ranked the seeds that led there, best seed first.

    `evidence` is the table of all candidates, which the leg needs for its seeds; None where it did not run.
    """

    outcome: LegOutcome
    steps: Mapping[int, tuple[LinkStep, ...]] = field(default_factory=dict)
    evidence: Evidence | None = None


def search(
    reader: Reader,
    encoder: EncoderOrReason,
    request: SearchRequest,
    visible: Visible = None,
    reranker: RerankerOrReason | None = None,
) -> SearchResult:
    """Return the result of a query, all steps in a row, in one snapshot of the index.

    `reranker` is None where none is wanted.

    1. Read the notes and passages that hold the words, and rank them.
    2. Rank the passages by nearness to the query's vector.
    3. Fuse these two, take the best ten notes, and rank what they link to.
    4. Fuse the three, let the reranker order the first ones, and gather for each hit what explains it.

    Raises:
        TriskelError: the index cannot be read at all; a leg that cannot answer is named in the result instead.
        apsw.InterruptError: the search was called off.
    """
    reader.begin()
    try:
        words = find_words(reader, request, visible)  # 1
        meaning = find_meaning(reader, encoder, request, visible)  # 2
        links = find_links(reader, request, words, meaning, visible)  # 3
        model = None if isinstance(encoder, Skipped | Failed) else encoder.model
        return answer(reader, request, words, meaning, links, model=model, reranker=reranker)  # 4
    finally:
        reader.end()


def find_words(reader: Reader, request: SearchRequest, visible: Visible = None) -> LegOutcome:
    """Return what the words leg finds; only apsw.InterruptError is raised."""
    if Leg.WORDS not in request.legs_to_run:
        return SWITCHED_OFF
    try:
        query = request.query
        left = visible_notes(reader, query, visible)
        terms = terms_of(reader, query, forms=request.forms)
        symbols = _symbols(reader, query)
        if terms:
            return _followed_by(rank_by_words(reader, terms, left), reader, symbols, left)
        if symbols:
            return rank_by_symbols(reader, symbols, left)
        return Skipped(
            _NO_TEXT if query.clauses and not query.asks_for_text else "The query holds no word to look for."
        )
    except apsw.InterruptError:
        raise
    except (apsw.Error, TriskelError) as error:
        return Failed(f"The words could not be searched: {error}")


def find_meaning(
    reader: Reader, encoder: EncoderOrReason, request: SearchRequest, visible: Visible = None
) -> LegOutcome:
    """Return what the meaning leg finds; only apsw.InterruptError is raised."""
    if Leg.MEANING not in request.legs_to_run:
        return SWITCHED_OFF
    if isinstance(encoder, Skipped | Failed):
        return encoder
    query = request.query
    if query.clauses and not query.asks_for_text:
        return Skipped(_NO_TEXT)
    if not query.has_letters_or_digits:
        return Skipped("The query holds no letters or digits, so it has no meaning to compare.")
    try:
        vectors = reader.vectors(encoder.key, encoder.model.dimensions)
        if not len(vectors.passages):
            return Skipped("No passage has a vector yet.")
        left = visible_notes(reader, query, visible)
        rows, nearness = best_by_meaning(vectors, encoder.embed_query(query.meaning), left)
        notes = reader.notes([row.note for row in rows])
        ranking = rank_notes(rows, {note.id: note.path for note in notes.values()})
        return MeaningRanking(ranking.notes, nearness)
    except apsw.InterruptError:
        raise
    except (apsw.Error, TriskelError) as error:
        return Failed(f"The meaning could not be searched: {error}")


def find_links(
    reader: Reader, request: SearchRequest, words: LegOutcome, meaning: LegOutcome, visible: Visible = None
) -> LinksAnswer:
    """Return what the seeds link to; only apsw.InterruptError is raised.

    1. Complete the candidates of words and meaning. Seeds are the first ten of both, fused by the request's formula.
    2. Follow the seeds' links to visible notes, and rank these.
    3. Complete the notes that links alone found, and note for all candidates which seeds link to them.
    """
    if Leg.LINKS not in request.legs_to_run:
        return LinksAnswer(SWITCHED_OFF)
    rankings = _rankings({Leg.WORDS: words, Leg.MEANING: meaning})
    if not rankings:
        return LinksAnswer(Skipped("Neither words nor meaning gave a note to start from."))
    query = request.query
    try:
        # 1
        searched = notes_of(rankings)
        evidence = complete(reader, query, words, meaning, searched)
        seeds = seeds_of(rankings, evidence, formula_named(request.formula))
        # 2
        links_by_note = first_links(seeds, reader.out_links(seeds), visible_notes(reader, query, visible))
        degrees = reader.out_degrees(seeds)
        notes = reader.notes([*seeds, *links_by_note])
        ranking = rank_by_links(seeds, links_by_note, {note.id: note.path for note in notes.values()})
        # 3
        candidates = notes_of({**rankings, Leg.LINKS: ranking})
        evidence = complete(reader, query, words, meaning, sorted({*candidates}.difference(searched)), evidence)
    except apsw.InterruptError:
        raise
    except (apsw.Error, TriskelError) as error:
        return LinksAnswer(Failed(f"The links could not be followed: {error}"))
    evidence = replace(
        evidence,
        seeds=tuple(Seed(seed, degrees[seed]) for seed in seeds),
        links={
            note: tuple(link.source for link in links_by_note[note]) for note in candidates if note in links_by_note
        },
    )
    rank = {seed: place for place, seed in enumerate(seeds, start=1)}
    steps = {
        ranked.note: tuple(
            LinkStep(notes[link.source].path, notes[link.source].title, rank[link.source], link.line)
            for link in links_by_note[ranked.note]
        )
        for ranked in ranking.notes
    }
    return LinksAnswer(ranking, steps, evidence)


def fused_notes(
    reader: Reader, request: SearchRequest, outcomes: Mapping[Leg, LegOutcome | None], evidence: Evidence | None = None
) -> list[FusedNote]:
    """Return all notes of the legs' rankings, fused by the request's formula: the candidates in their final order.

    `evidence` is that of the links leg, which covers all candidates; without it, those of `outcomes` are completed.
    """
    if evidence is None:
        evidence = evidence_of(reader, request, outcomes)
    return fuse(_rankings(outcomes), evidence, formula_named(request.formula))


def evidence_of(reader: Reader, request: SearchRequest, outcomes: Mapping[Leg, LegOutcome | None]) -> Evidence:
    """Return the table of all candidates of the legs' rankings, where the links leg has not made it."""
    words, meaning = outcomes.get(Leg.WORDS), outcomes.get(Leg.MEANING)
    return complete(reader, request.query, words, meaning, notes_of(_rankings(outcomes)))


def answer(
    reader: Reader,
    request: SearchRequest,
    words: LegOutcome | None,
    meaning: LegOutcome | None,
    links: LinksAnswer | None,
    *,
    pending: tuple[Leg, ...] = (),
    model: ModelName | None = None,
    visible: Visible = None,
    reranker: RerankerOrReason | None = None,
) -> SearchResult:
    """Return the legs' outcomes as one result, with rows and snippets for the hits within the limit.

    Outcomes of `pending` legs are not looked at and may be None; with any the result is an interim one, without
    bands and compatibility, and is never reranked. `model` is what meaning used, None where it had none; `reranker` is
    None where it is off.

    1. Tell what became of each leg, and keep the rankings that may speak.
    2. Fuse them, and let the reranker put the first ones in order; where nothing but filters was asked, list the notes
       that they leave.
    3. Fetch what the hits within the limit show, and put each together with its evidence.
    4. Say what mode the whole is in, and what there is to say of the query.
    """
    query = request.query
    # 1
    found = {Leg.WORDS: words, Leg.MEANING: meaning, Leg.LINKS: links.outcome if links else None}
    outcomes: dict[Leg, LegOutcome | None] = {}
    for leg in LEGS:
        if leg not in request.legs:
            outcomes[leg] = SWITCHED_OFF
        else:
            outcomes[leg] = None if leg in pending else found[leg]
    rankings = _rankings(outcomes)
    reports = reports_of(reader, outcomes, model)
    # 2
    evidence = links.evidence if links and Leg.LINKS not in pending else None
    if evidence is None:
        evidence = evidence_of(reader, request, outcomes)
    fused = fused_notes(reader, request, outcomes, evidence)
    reordered = None
    if reranker is not None and not pending:
        reordered = rerank(reader, query, fused, evidence, outcomes[Leg.MEANING], reranker)
        fused = reordered.notes
    if query.clauses and not query.asks_for_text:
        left = listed_notes(reader, visible_notes(reader, query, visible))
        fused = [FusedNote(note, path, 0.0, {}, {}) for note, path in left]
    page = fused[: request.limit]
    # 3
    terms = terms_of(reader, query, forms=request.forms)
    marked = tuple(dict.fromkeys(spelling.key for term in terms for spelling in term.spellings))
    marked += tuple(LITERAL + text for text in _symbols(reader, query))
    steps = links.steps if links else {}
    places = reordered.places if reordered else {}
    hits = hits_of(reader, page, rankings, steps, terms, marked, interim=bool(pending), reranked=places)
    # 4
    off = [leg for leg in LEGS if leg not in request.legs]
    mode = mode_for([leg for leg in LEGS if leg in rankings and rankings[leg].notes], off)
    return SearchResult(
        query=query.text,
        mode=mode,
        formula=request.formula,
        fingerprint=reader.fingerprint(),
        total=len(fused),
        legs=reports,
        hits=hits,
        interim=bool(pending),
        message=message_for(query, hits, len(fused), reports, words),
        words=marked,
        clauses=query.clauses,
        remark=query.message,
        reranker=reordered.report if reordered else None,
        generation=reader.generation,
        withdrawn=reader.withdrawn(),
    )


def _symbols(reader: Reader, query: Query) -> tuple[str, ...]:
    """Return the distinct texts of a query that hold no word, in order: symbols, looked for as they stand."""
    asked = [clause.part for clause in query.clauses if not clause.negated]
    parts = [one for part in asked for one in (part.parts if isinstance(part, AnyOf) else (part,))]
    texts = [part.text for part in parts if isinstance(part, Word | Phrase)]
    return tuple(dict.fromkeys(text for text in texts if not exact_spellings(reader, text)))


def _followed_by(ranking: Ranking, reader: Reader, symbols: tuple[str, ...], visible: Visible) -> Ranking:
    """Return a ranking by words, and behind it, where there is room, the notes that hold symbols of the query alone."""
    if not symbols or len(ranking.notes) >= DEPTH:
        return ranking
    known = {one.note for one in ranking.notes}
    further = [one for one in rank_by_symbols(reader, symbols, visible).notes if one.note not in known]
    # Their own score is of another kind; on the scale of words they hold nothing.
    return replace(ranking, notes=(*ranking.notes, *(replace(one, score=0.0) for one in further))[:DEPTH])


def _rankings(outcomes: Mapping[Leg, LegOutcome | None]) -> dict[str, Ranking]:
    return {leg: outcome for leg, outcome in outcomes.items() if isinstance(outcome, Ranking)}
