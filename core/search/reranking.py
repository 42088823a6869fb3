"""A reranker reads the first fused notes once more, each beside the query, and puts them into its own order.

Depends on an index reader and on a reranker, which is an option and off unless a person chose one. The fused scores,
ranks and compatibility stay what they were; both places of a note are kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from core.errors import ModelError
from core.index.schema import passage_id
from core.search.meaning import MeaningRanking
from core.search.results import Failed, LegState, RerankedPlace, RerankerName, RerankerReport, Skipped

if TYPE_CHECKING:
    from core.index.reader import Reader
    from core.search.evidence import Evidence
    from core.search.fusion import FusedNote
    from core.search.query import Query
    from core.search.results import LegOutcome

MOST_RERANKED = 20
"""Notes that are read again, whatever the limit of the list: two pages of what people look at, in bounded time."""


class Reranker(Protocol):
    """What reranking needs of a cross-encoder."""

    @property
    def model(self) -> RerankerName:
        """Which one it is."""

    def score(self, query: str, text: str) -> float:
        """Return how well `text` answers `query`, higher is better, by these two alone; raises ModelError."""


RerankerOrReason: TypeAlias = "Reranker | Skipped | Failed"
"""A reranker, or why there is none."""


@dataclass(frozen=True, slots=True)
class Reordering:
    """The notes in their final order, what became of the reranker, and by note id what it said of those it read."""

    notes: list[FusedNote]
    report: RerankerReport
    places: Mapping[int, RerankedPlace] = field(default_factory=dict)


def rerank(
    reader: Reader,
    query: Query,
    fused: Sequence[FusedNote],
    evidence: Evidence,
    meaning: LegOutcome | None,
    reranker: RerankerOrReason,
) -> Reordering:
    """Return the fused notes with the first `MOST_RERANKED` in the reranker's order; equal scores keep the fused one.

    A note's score is that of its better passage of two at most: the one with the best words and the one nearest in
    meaning (the first passage where it has neither), each with the note's title. Both are taken from the legs' values,
    not from their rankings, and each pair is read by itself, so a note's score depends on no other note.
    A reranker that cannot answer leaves the list as it was, and the report says why.

    Raises:
        apsw.Error: SQLite could not answer.
    """
    if query.clauses and not query.asks_for_text:
        return _as_it_was(fused, Skipped("The query holds filters alone, so there is nothing to compare notes with."))
    if not query.has_letters_or_digits:
        return _as_it_was(fused, Skipped("The query holds no letters or digits, so there is nothing to compare."))
    if not fused:
        return _as_it_was(fused, Skipped("No note was found, so there is nothing to put in order."))
    if isinstance(reranker, Skipped | Failed):
        return _as_it_was(fused, reranker)
    first = fused[:MOST_RERANKED]
    texts = _texts_of(reader, [one.note for one in first], evidence, meaning)
    try:
        scores = {
            note: max(_finite(reranker.score(query.meaning, text), reranker.model) for text in own)
            for note, own in texts.items()
        }
    except ModelError as error:
        return _as_it_was(fused, Failed(str(error)))
    ordered = sorted(first, key=lambda one: -scores[one.note])  # stable: equal scores keep the fused order
    places = {one.note: RerankedPlace(scores[one.note], rank) for rank, one in enumerate(first, start=1)}
    report = RerankerReport(LegState.RAN, len(first), model=reranker.model)
    return Reordering([*ordered, *fused[MOST_RERANKED:]], report, places)


def _as_it_was(fused: Sequence[FusedNote], why: Skipped | Failed) -> Reordering:
    state = LegState.FAILED if isinstance(why, Failed) else LegState.SKIPPED
    return Reordering(list(fused), RerankerReport(state, None, why.reason))


def _texts_of(
    reader: Reader, notes: Sequence[int], evidence: Evidence, meaning: LegOutcome | None
) -> dict[int, tuple[str, ...]]:
    """Return for each note the texts that are read, one at least: its title and a passage, or its title alone."""
    nearest = meaning.nearness.passages_of(notes) if isinstance(meaning, MeaningRanking) else {}
    rows = reader.notes(notes)
    chosen: dict[int, tuple[int, ...]] = {}
    for note in notes:
        value = evidence.words.get(note)
        found = (value.shown if value else None, nearest.get(note))
        ids = tuple(dict.fromkeys(passage for passage in found if passage is not None))
        chosen[note] = ids or (passage_id(note, rows[note].first_passage),)
    passages = reader.passages([passage for ids in chosen.values() for passage in ids])
    texts = {}
    for note, ids in chosen.items():
        title = rows[note].title
        held = [passages[passage].text for passage in ids if passage in passages]
        # A Markdown note's first passage often begins with its title as it is.
        own = [text if text.startswith(title) else f"{title}\n{text}" for text in held]
        texts[note] = tuple(own) or (title,)
    return texts


def _finite(score: float, model: RerankerName) -> float:
    if not math.isfinite(score):
        raise ModelError(f"The reranker {model.name} gave a score that is not a number.")
    return score
