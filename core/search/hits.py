"""From fused notes to hits: what each shows, and everything that explains why it was found.

Depends on an index reader. Rows and texts are fetched for these notes only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from core.index.schema import passage_id
from core.search.compatibility import band_for, compatibility
from core.search.fusion import FusedNote
from core.search.results import (
    LEGS,
    BestPassage,
    Hit,
    Leg,
    LegEvidence,
    LinkStep,
    RankedNote,
    Ranking,
    RerankedPlace,
    Snippet,
)
from core.search.snippets import Match, matches_in, snippet_around
from core.search.terms import Term
from core.search.words import terms_held

if TYPE_CHECKING:
    from core.index.reader import NoteRow, PassageRow, Reader


def hits_of(
    reader: Reader,
    fused: Sequence[FusedNote],
    rankings: Mapping[str, Ranking],
    steps: Mapping[int, tuple[LinkStep, ...]],
    terms: Sequence[Term],
    words: Sequence[str],
    *,
    interim: bool,
    reranked: Mapping[int, RerankedPlace] = MappingProxyType({}),
) -> tuple[Hit, ...]:
    """Return a hit for each fused note, ranked from 1 in the order given.

    A hit is shown by the passage that the words leg found it by, else by that of the meaning leg, else by the
    first below the front matter; a note without any text has none. `words` are the keys of what is marked. An interim
    hit has no band and no compatibility, since legs that are still out may change both, and neither has one that no
    leg found, where a query of filters alone lists notes. `reranked` is what a reranker said, by note.
    """
    ids = [one.note for one in fused]
    ranked = {leg: {note.note: note for note in ranking.notes} for leg, ranking in rankings.items()}
    notes = reader.notes(ids)
    shown = {note: _shown_passage(notes[note], ranked) for note in ids}
    passages = reader.passages(list(shown.values()))
    held = terms_held(reader, terms, ids)
    legs = sum(bool(rankings[leg].notes) for leg in LEGS if leg in rankings)
    hits = []
    for rank, one in enumerate(fused, start=1):
        evidence = {
            leg: LegEvidence(one.ranks[leg], ranked[leg][one.note].score, one.contributions.get(leg, 0.0))
            if leg in one.ranks
            else None
            for leg in LEGS
        }
        ranks = [seen.rank for seen in evidence.values() if seen]
        band, held_back = (None, None) if interim or not ranks else band_for(ranks, legs, one.strength)
        passage = passages.get(shown[one.note])
        text = passage.text if passage else ""
        matches = matches_in(text, words, reader.tokenizer)
        note = notes[one.note]
        hits.append(
            Hit(
                rank=rank,
                title=note.title,
                path=note.path,
                date=note.date,
                line=_line(passage, matches),
                place=passage.place if passage else None,
                band=band,
                compatibility=None if interim or not ranks else compatibility(ranks),
                score=one.score,
                evidence=evidence,
                matched_words=tuple(dict.fromkeys(term.shown for term in held.get(one.note, ()))),
                snippet=_snippet(text, matches, note.title),
                passage=_best_passage(passage) if passage else None,
                links_from=steps.get(one.note, ()) if evidence[Leg.LINKS] else (),
                unranked_parts={name: value for name, value in one.contributions.items() if name not in one.ranks},
                held_back=held_back,
                reranked=reranked.get(one.note),
            )
        )
    return tuple(hits)


def _shown_passage(note: NoteRow, ranked: Mapping[str, Mapping[int, RankedNote]]) -> int:
    for leg in LEGS:
        found = ranked.get(leg, {}).get(note.id)
        if found and found.passage is not None:
            return found.passage
    return passage_id(note.id, note.first_passage)


def _snippet(text: str, matches: Sequence[Match], title: str) -> Snippet:
    """Return the passage's snippet, without a first line that only says the title again, which stands above it."""
    first, _, rest = text.partition("\n")
    start = len(first) + 1
    if first.strip() != title or not rest.strip() or any(match.start < start for match in matches):
        return snippet_around(text, matches)
    return snippet_around(rest, [replace(match, start=match.start - start, end=match.end - start) for match in matches])


def _line(passage: PassageRow | None, matches: Sequence[Match]) -> int | None:
    """Return the line of the first mark, else the passage's; None in a format that has no lines."""
    if passage is None or passage.line is None:
        return None
    return passage.line + passage.text.count("\n", 0, matches[0].start if matches else 0)


def _best_passage(passage: PassageRow) -> BestPassage:
    last_line = None if passage.line is None else passage.line + passage.text.rstrip().count("\n")
    return BestPassage(passage.text, passage.line, last_line, passage.heading)
