"""What became of each leg, and what there is to say of a query, as people read it. Depends on an index reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.search.results import Failed, Hit, Leg, LegOutcome, LegReport, LegState, ModelName, Ranking, Skipped
from core.search.words import WordsRanking

if TYPE_CHECKING:
    from core.index.reader import Reader
    from core.search.query import Query

SWITCHED_OFF = Skipped("switched off")

ONLY_WEAK = "Only weak matches: no note holds much of what was asked."

ONLY_COMMON = "Every word of the query stands in more than half of the notes, so they tell little apart."

TOO_FEW = 20
"""Notes below which a word in more than half of them says nothing of the word."""

NOTHING_MATCHES = "Nothing matches."
"""Said only where every leg that should have run did."""


def reports_of(
    reader: Reader, outcomes: Mapping[Leg, LegOutcome | None], model: ModelName | None
) -> dict[Leg, LegReport]:
    """Return what became of each leg: pending where there is no outcome yet. `model` is what meaning used."""
    seen = reader.coverage()
    coverage = {
        Leg.WORDS: (seen.notes, seen.notes),
        Leg.MEANING: (seen.notes_embedded, seen.notes),
        Leg.LINKS: (seen.links_resolved, seen.links),
    }
    reports = {}
    for leg, outcome in outcomes.items():
        match outcome:
            case Ranking(notes):
                used = model if leg is Leg.MEANING else None
                reports[leg] = LegReport(LegState.RAN, len(notes), coverage[leg], model=used)
            case Skipped(reason):
                reports[leg] = LegReport(LegState.SKIPPED, None, coverage[leg], reason)
            case Failed(reason):
                reports[leg] = LegReport(LegState.FAILED, None, coverage[leg], reason)
            case None:
                reports[leg] = LegReport(LegState.PENDING, None, coverage[leg])
    return reports


def message_for(
    query: Query, hits: Sequence[Hit], total: int, reports: Mapping[Leg, LegReport], words: LegOutcome | None = None
) -> str | None:
    """Return what is to be said of the query, if anything: "nothing matches" only if all that should ran.

    `words` is what the words leg gave: a query of nothing but common words is told from a weak match by their idf.
    """
    if query.is_empty:
        return "Type what you are looking for."
    states = [report.state for report in reports.values()]
    if LegState.PENDING in states:
        return query.message
    if not total:
        told = _nothing(query, reports)
    elif isinstance(words, WordsRanking) and _are_all_common(words):
        told = ONLY_COMMON
    elif hits and all(hit.weak for hit in hits):
        told = ONLY_WEAK
    else:
        return query.message
    return f"{told} {query.message}" if query.message else told


def _are_all_common(words: WordsRanking) -> bool:
    table = words.scale.notes
    return table.size >= TOO_FEW and not any(table.tells(term) for term in table.counts)


def _nothing(query: Query, reports: Mapping[Leg, LegReport]) -> str:
    """Return why there is nothing to show."""
    if query.clauses and not query.asks_for_text:
        return "No note is left by these filters."
    if not query.clauses:
        return "The query holds nothing to look for."
    should_have_run = [leg for leg, report in reports.items() if report.reason != SWITCHED_OFF.reason]
    if not query.has_letters_or_digits and Leg.WORDS in should_have_run:
        should_have_run = [Leg.WORDS]  # symbols have no meaning to compare, and what is not found has no links
    silent = [leg for leg in should_have_run if reports[leg].state is not LegState.RAN]
    if not silent:
        return NOTHING_MATCHES
    return f"Nothing was found, but not every search could look: {', '.join(silent)}."
