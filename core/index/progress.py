"""What an indexing run says while it runs and when it ends. Pure data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Phase(StrEnum):
    """The steps of an indexing run, in order."""

    SCAN = "scan"
    READ = "read"
    LINK = "link"
    EMBED = "embed"


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far a run is: `done` of `total` notes (passages while embedding); the time left where it can be told."""

    phase: Phase
    done: int
    total: int
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read, or not wholly, and why. `path` is relative to the folder."""

    path: str
    reason: str


class PurgeState(StrEnum):
    """What became of taking out the notes that have become private."""

    NONE = "none"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Purge:
    """Whether notes that were indexed have become private in this run; the `reason` says why they could not go."""

    state: PurgeState = PurgeState.NONE
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index holds after a run, and what the run met.

    `embedded` counts passages that have a vector; `skipped` counts files that are notes by name and could not be read.
    `meaning_reason` says why passages are still without vectors, None where none are. `cancelled` runs kept
    what they had done. The counts `added`, `changed`, `moved` and `removed` are those of this run; private notes count
    in none of them. `withheld` counts those by rule: for `doctor` and settings alone, and never told elsewhere.
    `made_again` says that there was an index which could not be used (damaged, of a later version): it was moved aside.
    `renewed` says that there was one of an earlier version, in whose place there is one of this version now.
    """

    notes: int
    passages: int
    links: int
    resolved_links: int
    embedded: int
    skipped: int
    problems: tuple[Problem, ...] = field(default=())
    fingerprint: str = ""
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    cancelled: bool = False
    meaning_reason: str | None = None
    purge: Purge = Purge()
    withheld: tuple[tuple[str, int], ...] = ()
    made_again: bool = False
    renewed: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the run came to its end, and the index may be answered from."""
        return not self.cancelled and self.purge.state is not PurgeState.FAILED
