"""What a search gives: leg outcomes on the way, hits with evidence at the end. Pure data.

The window, the exports and the command line read these and recompute nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from core.search.query import Clause


class Leg(StrEnum):
    """The independent searches, in the fixed order in which sums run."""

    WORDS = "words"
    MEANING = "meaning"
    LINKS = "links"


LEGS: tuple[Leg, ...] = (Leg.WORDS, Leg.MEANING, Leg.LINKS)

TITLE_PART = "title"
"""The name of the part of a fused score that an exact title or alias adds. It belongs to no leg."""


class Mode(StrEnum):
    """What contributed to a result, never more generous than what ran."""

    HYBRID = "hybrid"
    WORDS = "words"
    MEANING = "meaning"
    LINKS = "links"
    NONE = "none"


class Band(StrEnum):
    """A word for how well the searches agree on a note, and how much it holds of what was asked."""

    STRONG = "strong"
    GOOD = "good"
    PARTIAL = "partial"


class HeldBack(StrEnum):
    """What kept a hit from being a strong match."""

    AGREEMENT = "agreement"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class RankedNote:
    """A note in a ranking. `passage` is the passage id that found it, None where none did.

    `score` is the retriever's own, higher is better; it explains, and never decides a fusion by rank.
    `path` is the last key of every order.
    """

    note: int
    score: float
    path: str
    passage: int | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a retriever or leg returns: notes best first, in a total order; the first has rank 1."""

    notes: tuple[RankedNote, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """The leg did not run; `reason` is a sentence a person can read."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The leg ran and could not answer; `reason` is a sentence a person can read."""

    reason: str


LegOutcome: TypeAlias = "Ranking | Skipped | Failed"


@dataclass(frozen=True, slots=True)
class LegEvidence:
    """What one leg says of one note: rank from 1, the leg's own score, its part of the fused score."""

    rank: int
    score: float
    contribution: float


@dataclass(frozen=True, slots=True)
class LinkStep:
    """A seed note that links to the hit: its rank among the seeds from 1, and the line of the link in it."""

    seed_path: str
    seed_title: str
    seed_rank: int
    line: int


@dataclass(frozen=True, slots=True)
class Snippet:
    """Plain text of at most a few lines; `marks` are [start, end) spans of it in code points."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class BestPassage:
    """The passage a hit is shown by: its text in the note's plain text, and the file's lines it covers, from 1.

    The lines are None in a format that has none.
    """

    text: str
    line: int | None
    last_line: int | None
    heading: str


@dataclass(frozen=True, slots=True)
class RerankedPlace:
    """What a reranker said of a note: its score, higher is better, and the note's rank before, from 1."""

    score: float
    fused_rank: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One note found, with everything that explains why. `line` is that of the first mark, else the passage's.

    `place` says where the passage begins in a format without lines, as "page 3"; `line` is then None.
    `band` and `compatibility` are None in an interim result, where legs are still out, and where no leg found the note:
    a query of filters alone lists notes.
    `held_back` is what keeps it from being a strong match, None where nothing does or there is no band.
    `date` is an ISO date. `path` is relative to the folder.
    `unranked_parts` are parts of the score that no rank stands behind, by leg or as `title`: what a leg says of a note
    that it did not surface, and an exact title. They explain the score, and count as no leg's finding.
    `reranked` is None where no reranker read the note; else `rank` is the place it gave, by its own score alone.
    """

    rank: int
    title: str
    path: str
    date: str
    line: int | None
    band: Band | None
    compatibility: float | None
    score: float
    evidence: Mapping[Leg, LegEvidence | None]
    matched_words: tuple[str, ...]
    snippet: Snippet
    passage: BestPassage | None
    links_from: tuple[LinkStep, ...] = ()
    pinned: bool = False
    place: str | None = None
    unranked_parts: Mapping[str, float] = field(default_factory=dict)
    held_back: HeldBack | None = None
    reranked: RerankedPlace | None = None

    @property
    def weak(self) -> bool:
        """Whether the note holds so little of what was asked that agreement does not help (`bands/v1`)."""
        return self.band is Band.PARTIAL and self.held_back is HeldBack.EVIDENCE

    def part(self, name: str) -> float | None:
        """Return what a leg, or an exact title, adds to the score, surfaced or not; None where it adds nothing."""
        seen = self.evidence.get(Leg(name)) if name in LEGS else None
        return seen.contribution if seen else self.unranked_parts.get(name)


@dataclass(frozen=True, slots=True)
class ModelName:
    """Which embedding model a leg used."""

    name: str
    dimensions: int
    sha256: str


@dataclass(frozen=True, slots=True)
class RerankerName:
    """Which reranker read the first notes; `sha256` is that of its files."""

    name: str
    sha256: str


class LegState(StrEnum):
    """How a leg ended, or that it has not yet."""

    RAN = "ran"
    SKIPPED = "skipped"
    FAILED = "failed"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class LegReport:
    """What became of a leg: `notes` found (None unless it ran), the reason otherwise.

    `coverage` is (what the leg can see now, what there is): notes for words and meaning,
    resolved links and links for links.
    """

    state: LegState
    notes: int | None
    coverage: tuple[int, int]
    reason: str | None = None
    model: ModelName | None = None


@dataclass(frozen=True, slots=True)
class RerankerReport:
    """What became of the reranker: how many of the first `notes` it read (None unless it ran), the reason otherwise."""

    state: LegState
    notes: int | None
    reason: str | None = None
    model: RerankerName | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a query. `total` is the number of fused visible notes before the limit.

    `interim` results name the legs still out as pending, and may be shown but not exported.
    `message` is a sentence about the query or its outcome, where there is something to say; the part of it that is
    about how the query was understood stands alone in `remark`.
    """

    query: str
    mode: Mode
    formula: str
    fingerprint: str
    total: int
    legs: Mapping[Leg, LegReport]
    hits: tuple[Hit, ...] = ()
    interim: bool = False
    message: str | None = None
    words: tuple[str, ...] = field(default=())
    """The keys of the spellings that the words leg looked for, in query order: what a preview marks."""
    clauses: tuple[Clause, ...] = field(default=())
    """How the query was understood, part by part."""
    remark: str | None = None
    reranker: RerankerReport | None = None
    """None where none was asked for, and in an interim result."""
    generation: int = field(default=0, compare=False)
    """Of the snapshot that was read. Two indexes of one folder count differently, so it is no part of the answer."""
    withdrawn: int = field(default=0, compare=False)
    """The generation that last took out what had become private: an answer of an earlier one may not be shown."""

    @property
    def weak_from(self) -> int | None:
        """The rank from which on all hits are weak matches, None where the last one is not."""
        first = None
        for hit in reversed(self.hits):
            if not hit.weak:
                break
            first = hit.rank
        return first

    @property
    def filters(self) -> tuple[str, ...]:
        """What was understood as filters, phrases, alternatives and removals, in words; dates are absolute."""
        return tuple(clause.shown for clause in self.clauses if clause.shown)
