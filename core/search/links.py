"""The links leg: one hop along the outgoing links of the best notes. Pure: rows in, a ranking out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from core.search.grouping import DEPTH, Visible
from core.search.results import RankedNote, Ranking

if TYPE_CHECKING:
    from core.index.reader import LinkRow

SEEDS = 10
"""How many of the best notes links are followed from."""


def first_links(seeds: Sequence[int], links: Iterable[LinkRow], visible: Visible = None) -> dict[int, list[LinkRow]]:
    """Return, for each note that a seed links to, the first link of each of those seeds, best seed first.

    `links` are ordered by place within a note. A seed's link to itself does not count, so a seed is found only
    through another seed.
    """
    first: dict[tuple[int, int], LinkRow] = {}
    for link in links:
        if link.source != link.note and (visible is None or link.note in visible):
            first.setdefault((link.note, link.source), link)
    found: dict[int, list[LinkRow]] = {}
    rank = {seed: place for place, seed in enumerate(seeds)}
    for link in sorted(first.values(), key=lambda link: (rank[link.source], link.note)):
        found.setdefault(link.note, []).append(link)
    return found


def rank_by_links(
    seeds: Sequence[int],
    links_by_note: Mapping[int, Sequence[LinkRow]],
    path_by_note: Mapping[int, str],
    depth: int = DEPTH,
) -> Ranking:
    """Return the notes of `first_links`: by the number of seeds that link to them, best seed, path.

    The score is the number of seeds.
    """
    rank = {seed: place for place, seed in enumerate(seeds)}

    def order(note: int) -> tuple[int, int, str]:
        links = links_by_note[note]
        return -len(links), min(rank[link.source] for link in links), path_by_note[note]

    ranked = sorted(links_by_note, key=order)[:depth]
    return Ranking(tuple(RankedNote(note, float(len(links_by_note[note])), path_by_note[note]) for note in ranked))
