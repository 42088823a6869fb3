"""A small folder of notes at two moments of its life, the same each time, and what may be asked of it."""

from __future__ import annotations

import os
import random
from pathlib import Path

WORDS = (
    "apple", "plums", "fig", "quince", "river", "C++", "日本語", "crème", "winter", "letter", "garden", "paper",
)  # fmt: skip

QUERIES = (
    "apple", "plums fig", "the quince river", '"apple plums"', "apple -fig", "C++", "日本", "creme", "tag:food apple",
    "path:garden letter", "picture", "note 7", "gar", "unique3", "changed", "nosuchword",
)  # fmt: skip

_FIRST_TIME = 1_700_000_000


def plant(folder: Path, count: int = 36) -> None:
    """Write the folder as it is at first: notes that link to each other, in two folders, and an attachment."""
    chance = random.Random(11)
    for number in range(count):
        _put(folder, _path(number), _text(number, chance), number)
    _put(folder, "garden/picture.png", "not looked at", count)


def tend(folder: Path, count: int = 36) -> None:
    """Change it to what it is later: notes edited, moved, copied, renamed, deleted, added and made unreadable."""
    chance = random.Random(12)
    for number in range(0, count, 3):
        _put(folder, _path(number), f"# Changed {number}\n\nchanged {_text(number, chance)}", count + number)
    for number in range(1, count, 9):
        (folder / _path(number)).unlink()
    (folder / "moved").mkdir()
    for number in range(2, count, 9):
        (folder / _path(number)).rename(folder / "moved" / f"n{number}.md")
    _put(folder, "copy.md", (folder / _path(5)).read_text("utf-8"), 3 * count)
    (folder / _path(4)).write_bytes(bytes(range(256)) * 20)
    (folder / "garden/picture.png").rename(folder / "garden/photo.png")
    for number in range(count, count + 5):
        _put(folder, _path(number), _text(number, chance), 2 * count + number)


def _path(number: int) -> str:
    return f"garden/n{number}.md" if number % 4 == 1 else f"n{number}.md"


def _text(number: int, chance: random.Random) -> str:
    front = "---\ntags: [food]\n---\n" if number % 5 == 0 else ""
    body = "\n\n".join(" ".join(chance.choices(WORDS, k=20)) for _ in range(chance.randint(1, 8)))
    return f"{front}# Note {number}\n\nunique{number} {body}\n\n[[n{number * 7 % 36}]] [[Note {number // 2}]]\n"


def _put(folder: Path, path: str, text: str, hour: int) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    os.utime(file, (_FIRST_TIME + 3600 * hour, _FIRST_TIME + 3600 * hour))
