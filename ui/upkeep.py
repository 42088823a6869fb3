"""How the open folder's index is kept up to date, as the status line tells it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What a person should know of it; nothing where edits are found at once.

    `offline` is the sentence why the folder cannot be read now, and `emptied` says that it is there and holds nothing.
    `late` is why changes are found by looking now and then only. `slowed`: the machine runs on its battery.
    `deaf` counts how often the watcher missed a change and was started anew.
    """

    paused: bool = False
    offline: str = ""
    emptied: bool = False
    late: str = ""
    slowed: bool = False
    deaf: int = 0
