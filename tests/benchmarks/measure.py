"""Timing a part of Triskel beside its floor, and the table of what was found. Knows nothing of what is timed.

Other programs share the machine, so a part and its floor run in turns, and the ratio is the median of the ratios of
neighbours: what slows one turn slows both.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

Seconds = list[float]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. `ratio` is the part's time divided by its floor's, so 1 is as fast as can be."""

    name: str
    figure: str
    floor: str = ""
    ratio: float | None = None


@dataclass(slots=True)
class Table:
    """The figures of a run, in groups, in the order in which they were found."""

    groups: dict[str, list[Row]] = field(default_factory=dict)

    def add(self, group: str, name: str, figure: str, floor: str = "", ratio: float | None = None) -> None:
        self.groups.setdefault(group, []).append(Row(name, figure, floor, ratio))

    def lines(self) -> list[str]:
        """Return the table as text, its columns as wide as they need to be."""
        rows = [row for group in self.groups.values() for row in group]
        name, figure, floor = (
            max([len(title), *(len(getattr(row, field)) for row in rows)])
            for title, field in (("part", "name"), ("measured", "figure"), ("floor", "floor"))
        )
        lines = [f"{'part':{name + 2}}  {'measured':>{figure}}  {'floor':>{floor}}  ratio"]
        for title, group in self.groups.items():
            lines += ["", title]
            for row in group:
                ratio = f"{row.ratio:5.2f}" if row.ratio is not None else ""
                lines.append(f"  {row.name:{name}}  {row.figure:>{figure}}  {row.floor:>{floor}}  {ratio}".rstrip())
        return lines


def in_turns(parts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Seconds]:
    """Run the parts one after another, all of them `rounds` times; return each one's seconds, in order of rounds.

    Every second round runs them backwards, so that none always profits from what the one before it warmed.
    """
    seconds: dict[str, Seconds] = {name: [] for name in parts}
    gc.collect()
    for number in range(rounds):
        for name in list(parts)[:: -1 if number % 2 else 1]:
            seconds[name].append(seconds_of(parts[name]))
    return seconds


def seconds_of(part: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    part()
    return time.perf_counter() - started


def ratio_to(floor: Sequence[float], part: Sequence[float]) -> float:
    """Return the median of the ratios of neighbours."""
    return median(one / other for one, other in zip(part, floor, strict=True))


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the times lie, the nearest one that was measured."""
    in_order = sorted(seconds)
    return in_order[min(len(in_order) - 1, int(share * len(in_order)))]


def shown(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


def percentiles(seconds: Sequence[float]) -> str:
    """Return the median and the times that one in twenty and one in a hundred exceeds."""
    return " / ".join(f"{percentile(seconds, share) * 1e3:.2f}" for share in (0.5, 0.95, 0.99)) + " ms"


def p50_p95(seconds: Sequence[float]) -> str:
    """Return the median and the time that one in twenty exceeds."""
    return f"{percentile(seconds, 0.5) * 1e3:.2f} / {percentile(seconds, 0.95) * 1e3:.2f} ms"
