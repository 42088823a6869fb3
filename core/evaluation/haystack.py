"""A haystack that grows: the note folders of six people's lives, in six sizes and one of 8,000 more, as data sets.

Twenty fixed needles stand in every size. What is added is other notes of the same kinds, and near-duplicates of the
needles. Everything follows from the seed; a smaller size is the beginning of a larger one. Writes only where told.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.errors import DataSetError
from core.evaluation.haystack_needles import NEEDLES, POOLS, Needle

SIZES = (77, 154, 231, 308, 386, 463)
"""Notes of each size; the published haystack that it is compared with has the same."""

DISTRACTORS = 8_000
"""Notes of a further size beyond the last one."""

SERIES = "haystack"

NEAR_DUPLICATE_EVERY = 4
"""Among the notes that are added, every fourth is a needle with other facts."""

LINK_REACH = 40
"""A note links to two of so many before it."""

_FIRST_DAY = dt.date(2024, 1, 1)

_TITLES: Mapping[str, tuple[str, ...]] = {
    "people": ("{person} and {other}", "Lunch with {person}", "{person}, {city}"),
    "projects": ("{project} plan", "{project} status", "Ideas for {project}"),
    "meetings": ("Weekly, {month} {number}", "Meeting with {person}", "Call about {project}"),
    "recipes": ("{dish} with {herb}", "Quick {dish}", "{dish} for {other}"),
    "travel": ("A day in {city}", "Train to {city}", "{hotel}, {city}"),
    "code": ("{tool} cheat sheet", "Moving {project} to {tool}", "{tool} on {street}"),
}

_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "people": (
        "{person} recommended a book on the history of {city}.",
        "Talked about {other}, who is learning the {instrument}.",
        "They are looking for a flat near {street}.",
        "Owes me {number} for the theatre tickets.",
        "Will be away for most of {month}.",
        "Their {animal} has grown a lot.",
    ),
    "projects": (
        "{project} needs a decision on hosting before {month}.",
        "{person} leads the work, {other} tests.",
        "The estimate is {number} days without the review.",
        "Open question: who pays for the licence after the first year?",
        "The {colour} draft was liked most.",
        "A smaller first version would be enough for {city}.",
    ),
    "meetings": (
        "Present: {person}, {other}, and two guests from {city}.",
        "{project} is on track, apart from the documentation.",
        "The next date is the {number}th of {month}.",
        "We spent {minutes} minutes on the agenda alone.",
        "Action: {other} writes the summary.",
        "The projector in the {colour} room is broken again.",
    ),
    "recipes": (
        "Serves four, or three hungry people.",
        "Simmer for {minutes} minutes and add {herb} to taste.",
        "{other} would like it without {food}.",
        "Keeps for two days in the fridge.",
        "Goes well with {dish}.",
        "A little lemon at the end helps.",
    ),
    "travel": (
        "The train leaves from platform {number}.",
        "{hotel} was full, so we walked to {street}.",
        "Best coffee in {city} is behind the market.",
        "Met {person} by chance at the museum.",
        "In {month} the light is lovely and the queues are short.",
        "The {colour} tram line goes to the beach.",
    ),
    "code": (
        "Installed {tool} and removed the old cron job.",
        "{project} builds in {number} seconds now.",
        "The log was full because {tool} retried for ever.",
        "Ask {person} before touching the {colour} cluster.",
        "A timeout of {minutes} seconds is plenty.",
        "Wrote a small script that renames the files by date.",
    ),
}

FOLDERS = tuple(_TITLES)


@dataclass(frozen=True, slots=True)
class HaystackNote:
    """A note: its id is its path without the suffix. `needle` is the number of the needle it is, None for others."""

    id: str
    title: str
    text: str
    needle: int | None = None


def haystack_notes(count: int, seed: int = 0) -> list[HaystackNote]:
    """Return the first `count` notes; the needles are the first of them."""
    choose = _Choice(seed)
    notes: list[HaystackNote] = []
    while len(notes) < count:
        place = len(notes)
        if place < len(NEEDLES):
            part = NEEDLES[place]
            folder, title, text = (
                part.folder,
                *(choose.filled(each, place, part.values) for each in (part.title, part.text)),
            )
        elif place % NEAR_DUPLICATE_EVERY == 0:
            folder, title, text = _near_duplicate(NEEDLES[place // NEAR_DUPLICATE_EVERY % len(NEEDLES)], place, choose)
        else:
            folder, title, text = _filler(FOLDERS[place % len(FOLDERS)], place, choose)
        notes.append(_note(folder, title, text, place, _linked_from(place, notes, choose), choose))
    return notes


def write_haystack(folder: Path, seed: int = 0, sizes: Sequence[int] = (*SIZES, SIZES[-1] + DISTRACTORS)) -> list[Path]:
    """Write a data set directory for each size below `folder`, and return them, the smallest first.

    Raises:
        DataSetError: the folder cannot be written.
    """
    notes = haystack_notes(max(sizes), seed)
    written = []
    for size in sizes:
        target = folder / f"{SERIES}-{size:05}"
        part = notes[:size]
        needles = [(f"needle{note.needle:02}", NEEDLES[note.needle], note) for note in part if note.needle is not None]
        rows: dict[str, list[dict[str, Any]]] = {
            "corpus.jsonl": [{"id": note.id, "title": note.title, "text": note.text} for note in part],
            "queries.jsonl": [{"id": key, "text": one.question, "answer": one.answer} for key, one, _ in needles],
            "INFO.json": [{"docs": size, "queries": len(needles), "series": {"name": SERIES, "size": size}}],
        }
        try:
            target.mkdir(parents=True, exist_ok=True)
            for name, values in rows.items():
                text = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
                (target / name).write_text(text, encoding="utf-8", newline="\n")
            judged = "".join(f"{key}\t{note.id}\t1\n" for key, _one, note in needles)
            (target / "qrels.tsv").write_text(judged, encoding="utf-8", newline="\n")
        except OSError as error:
            raise DataSetError(f"The folder {target} cannot be written: {error.strerror}.") from error
        written.append(target)
    return written


class _Choice:
    """Chooses by a hash of the seed and of what is chosen for: the same on every machine and version of Python."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def number(self, below: int, *purpose: object) -> int:
        """Return a number from 0, below a bound above 0."""
        digest = sha256(repr((self._seed, *purpose)).encode()).digest()
        return int.from_bytes(digest[:8], "big") % below

    def one(self, options: Sequence[str], *purpose: object) -> str:
        return options[self.number(len(options), *purpose)]

    def filled(self, template: str, place: int, values: Mapping[str, str]) -> str:
        """Return a template with its slots filled: by `values`, else from the pools, the same for all of a note."""
        return re.sub(
            r"\{(\w+)\}", lambda slot: values.get(slot[1]) or self.one(POOLS[slot[1]], place, slot[1]), template
        )


def _linked_from(place: int, notes: Sequence[HaystackNote], choose: _Choice) -> list[HaystackNote]:
    """Return the notes that one links to: two of those shortly before it.

    So a needle is linked to as often as any other note; links to all earlier ones would lead to the needles first.
    """
    chosen = dict.fromkeys(place - 1 - choose.number(LINK_REACH, which, place) for which in ("first", "second"))
    # Before the first note there is none: so the first ones link to fewer, and no more lead to them.
    return [notes[each] for each in chosen if each >= 0]


def _near_duplicate(needle: Needle, place: int, choose: _Choice) -> tuple[str, str, str]:
    """Return a needle with other facts; what does not matter to the question may stay as it is."""
    kept = {
        slot: value
        for slot, value in needle.values.items()
        if slot not in needle.key and choose.number(2, place, "keep", slot)
    }
    title, text = (choose.filled(part, place, kept) for part in (needle.title, needle.text))
    return needle.folder, title, text


def _filler(folder: str, place: int, choose: _Choice) -> tuple[str, str, str]:
    title = choose.filled(choose.one(_TITLES[folder], place, "title"), place, {})
    sentences = list(_SENTENCES[folder])
    lines = []
    for turn in range(3 + choose.number(3, place, "length")):
        sentence = sentences.pop(choose.number(len(sentences), place, "sentence", turn))
        # Each sentence has values of its own, so that notes of the same sentences still differ.
        lines.append(choose.filled(sentence, place * 10 + turn, {}))
    return folder, title[0].upper() + title[1:], " ".join(lines)


def _note(
    folder: str, title: str, text: str, place: int, links: Sequence[HaystackNote], choose: _Choice
) -> HaystackNote:
    day = _FIRST_DAY + dt.timedelta(days=choose.number(730, place, "day"))
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    body = f"---\ndate: {day.isoformat()}\ntags: [{folder}]\n---\n\n{text}\n"
    if links:
        body += "\nSee also " + " and ".join(f"[[{link.id.rpartition('/')[2]}]]" for link in links) + ".\n"
    return HaystackNote(f"{folder}/{name}-{place:04}", title, body, place if place < len(NEEDLES) else None)
