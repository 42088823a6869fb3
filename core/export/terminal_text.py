"""A result as plain text for a terminal: no colour, the same bytes at any width, nothing that it obeys. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.export.plain_text import one_line, visible, without_bidi_controls
from core.export.selection import exported_hits, reranker_line, rounded
from core.search.results import LEGS, TITLE_PART, Hit, Leg, LegState, SearchResult

_LABEL = max(len(leg) for leg in LEGS) + 2
_MARGIN = " " * 6


def to_text(result: SearchResult, rows: Sequence[int] | None = None, *, explain: bool = False) -> str:
    """Return the hits at `rows` (None for all) for reading: what ran, then a block of lines a hit.

    With `explain`, each block also says what each leg contributed, which words matched and which notes link to it.
    Raises `ExportError` for an interim result.
    """
    hits = exported_hits(result, rows)
    found = f"{result.total} {'note' if result.total == 1 else 'notes'}, {len(hits)} shown"
    made_by = f"mode {result.mode}, formula {_shown(result.formula)}, fingerprint {_shown(result.fingerprint)}"
    lines = [_shown(result.query), f"{found}; {made_by}", *_leg_lines(result)]
    if result.reranker is not None:
        lines.append(f"  {'order':<{_LABEL}}reranker {_shown(reranker_line(result.reranker))}")
    if result.filters:
        lines.append(f"  {'asked':<{_LABEL}}{_shown(' | '.join(result.filters))}")
    if result.message:
        lines += ["", _shown(result.message)]
    elif result.total == 0:
        lines += ["", _nothing_found(result)]
    for hit in hits:
        lines += ["", *_hit_lines(hit)]
        if explain:
            lines += _why_lines(hit)
    return "\n".join(lines) + "\n"


def _shown(text: str) -> str:
    return without_bidi_controls(one_line(text))


def _shown_path(path: str) -> str:
    return without_bidi_controls(visible(path))


def _leg_lines(result: SearchResult) -> Iterator[str]:
    for leg in LEGS:
        report = result.legs[leg]
        if report.state is LegState.RAN:
            seen, there = report.coverage
            what = "links" if leg is Leg.LINKS else "notes"
            yield f"  {leg:<{_LABEL}}found {report.notes}; sees {seen} of {there} {what}"
        else:
            yield f"  {leg:<{_LABEL}}{report.state}: {_shown(report.reason or 'no reason given')}"


def _nothing_found(result: SearchResult) -> str:
    """Say "nothing matches" only where both legs that search by themselves did, and links did not fail."""
    searched = all(result.legs[leg].state is LegState.RAN for leg in (Leg.WORDS, Leg.MEANING))
    if searched and result.legs[Leg.LINKS].state is not LegState.FAILED:
        return "Nothing matches."
    return "No notes found; not every leg could search."


def _hit_lines(hit: Hit) -> Iterator[str]:
    place = _shown_path(hit.path) + _shown_place(hit)
    found_by = ", ".join(f"{leg} {evidence.rank}" for leg in LEGS if (evidence := hit.evidence.get(leg)) is not None)
    agreement = "" if hit.band is None or hit.compatibility is None else f"{hit.band} {hit.compatibility:.2f}   "
    yield f"{hit.rank:>4}  {_shown(hit.title) or _shown_path(hit.path)}"
    yield f"{_MARGIN}{place}   {_shown(hit.date)}"
    yield f"{_MARGIN}{agreement}{found_by}{'   pinned' if hit.pinned else ''}{'   weak' if hit.weak else ''}"
    snippet = _shown(hit.snippet.text)
    if snippet:
        yield _MARGIN + snippet


def _shown_place(hit: Hit) -> str:
    """Return the line or page behind a path, as terminals that open files at a click understand it."""
    if hit.line is not None:
        return f":{hit.line}"
    return f" ({_shown(hit.place)})" if hit.place else ""


def _why_lines(hit: Hit) -> Iterator[str]:
    for leg in LEGS:
        evidence = hit.evidence.get(leg)
        part = hit.part(leg)
        if evidence is None:
            counts = "" if part is None else f"   contribution {part:.6f}"
            yield f"{_MARGIN}  {leg:<{_LABEL}}did not find it{counts}"
        else:
            yield (
                f"{_MARGIN}  {leg:<{_LABEL}}rank {evidence.rank:>2}   contribution {evidence.contribution:.6f}"
                f"   own score {rounded(evidence.score)}"
            )
    if (title := hit.part(TITLE_PART)) is not None:
        yield f"{_MARGIN}  {TITLE_PART:<{_LABEL}}is the query   contribution {title:.6f}"
    yield f"{_MARGIN}  {'fused':<{_LABEL}}score {hit.score:.6f}"
    if hit.reranked is not None:
        place = f"rank {hit.rank:>2}   was rank {hit.reranked.fused_rank}   own score {rounded(hit.reranked.score)}"
        yield f"{_MARGIN}  {'reranker':<{_LABEL}}{place}"
    if hit.matched_words:
        yield f"{_MARGIN}  {'matched':<{_LABEL}}{_shown(', '.join(hit.matched_words))}"
    for step in hit.links_from:
        yield (
            f"{_MARGIN}  {'link':<{_LABEL}}from {_shown(step.seed_title) or _shown_path(step.seed_path)} "
            f"({_shown_path(step.seed_path)}:{step.line}, seed {step.seed_rank})"
        )
