"""Write a folder of made-up Markdown notes, the same bytes for the same seed: something to measure on anywhere.

Words follow Zipf's law as Mandelbrot amended it, each note has a subject that it keeps coming back to, lengths are
log-normal with a mean of about 2.3 kB, a note has about six links, and some notes are linked much more than others:
the shape of real folders (6,591 notes, 15 MB, 38,963 links). One note in fifty has paragraphs in Chinese. Depends on
the standard library alone.

    python tests/tools/generate_notes.py FOLDER [--notes 6600] [--seed 1]
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

VOCABULARY = 40_000
SUBJECTS = 300
SUBJECT_WORDS = 80
SUBJECT_SHARE = 0.12
"""Of a note's words, those that are of its subject."""

MEDIAN_WORDS = 175
SPREAD = 0.95
"""Standard deviation of the logarithm of a note's length: some notes are stubs, a few are long."""

CHINESE_EVERY = 50
CHINESE_WORDS = 120

LINKED_SENTENCES = 0.33
FOLDERS = 40

_ONSETS = [
    "b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w",
    "br", "ch", "cl", "cr", "dr", "fl", "gr", "pl", "pr", "sh", "sl", "sp", "st", "th", "tr",
]  # fmt: skip
_NUCLEI = ["a", "e", "i", "o", "u", "ai", "ea", "ee", "io", "ou", "é", "ü"]
_CODAS = ("", "", "", "n", "r", "s", "t", "l", "m", "nd", "st", "ck")
_CHINESE = ("的", "是", "中", "笔记", "什么", "搜索", "数据库", "向量", "人工", "智能", "历史", "了", "在", "我们")
_NUCLEUS_WEIGHTS = tuple(1 if nucleus.isascii() else 0.08 for nucleus in _NUCLEI)


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Words by rank, and what draws from them: cumulated weights by rank."""

    words: Sequence[str]
    cumulated: Sequence[float]


def write_notes(folder: Path, notes: int, seed: int = 1) -> None:
    """Fill `folder`, which is made if missing, with `notes` notes in about forty folders of two levels."""
    draw = random.Random(seed)
    dictionary = make_dictionary(draw)
    subjects = [draw.sample(dictionary.words[200:], SUBJECT_WORDS) for _ in range(SUBJECTS)]
    names = [f"{' '.join(draw.choices(dictionary.words[50:8_000], k=draw.randint(1, 3)))} {n}" for n in range(notes)]
    # Few notes gather most links, as in folders with index notes.
    popularity = list(itertools.accumulate(1 / (rank + 3) for rank in range(notes)))
    by_popularity = draw.sample(names, notes)
    places = [f"{draw.choice(dictionary.words[100:900])}/{number % 5}" for number in range(FOLDERS)]
    for number, name in enumerate(names):
        linked = iter(draw.choices(by_popularity, cum_weights=popularity, k=200))
        text = note_text(draw, name, dictionary, draw.choice(subjects), linked)
        if number % CHINESE_EVERY == 0:
            text += f"\n{chinese_text(random.Random(f'{seed} {number}'))}\n"
        file = folder / places[draw.randrange(FOLDERS)] / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        # Half a day apart: the dates of notes without front matter are equal between runs too.
        written = dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC) + dt.timedelta(hours=12 * (number % 4_000))
        os.utime(file, (written.timestamp(), written.timestamp()))


def make_dictionary(draw: random.Random) -> Dictionary:
    """Return distinct words of one to four syllables, the short ones mostly common, with Zipf's weights."""
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        longest = 1 + min(3, len(words) * 4 // VOCABULARY + (len(words) > 150))
        syllables = draw.randint(1, longest)
        words["".join(_syllable(draw) for _ in range(syllables))] = None
    weights = (1 / (rank + 2.7) ** 1.07 for rank in range(VOCABULARY))
    return Dictionary(list(words), list(itertools.accumulate(weights)))


def note_text(
    draw: random.Random, name: str, dictionary: Dictionary, subject: Sequence[str], linked: Iterator[str]
) -> str:
    """Return a note's Markdown: front matter in two of five, headings, paragraphs, lists, now and then code."""
    length = max(8, round(MEDIAN_WORDS * draw.lognormvariate(0, SPREAD)))
    common = draw.choices(dictionary.words, cum_weights=dictionary.cumulated, k=length)
    words = iter([draw.choice(subject) if draw.random() < SUBJECT_SHARE else word for word in common])
    parts = []
    if draw.random() < 0.4:
        day = dt.date(2020, 1, 1) + dt.timedelta(days=draw.randrange(2_000))
        parts.append(f"---\ntitle: {name.capitalize()}\ndate: {day}\ntags: [{subject[0]}, {subject[1]}]\n---")
    parts.append(f"# {name.capitalize()}")
    while block := list(itertools.islice(words, draw.randint(25, 90))):
        kind = draw.random()
        if kind < 0.2:
            parts.append(f"## {' '.join(block[:3]).capitalize()}")
        if kind < 0.75:
            parts.append(_paragraph(draw, block, linked))
        elif kind < 0.96:
            items = (block[start : start + 9] for start in range(0, len(block), 9))
            parts.append("\n".join(f"- {' '.join(item)}" for item in items))
        else:
            parts.append("```\n" + "\n".join(f"{word} = {place}" for place, word in enumerate(block)) + "\n```")
    return "\n\n".join(parts) + "\n"


def chinese_text(draw: random.Random) -> str:
    """Return some sentences in words of one to three characters, the first of which are the most common."""
    words = [
        *_CHINESE,
        *("".join(chr(0x4E00 + (37 * word + place) % 3_000) for place in range(2)) for word in range(900)),
    ]
    weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    drawn = draw.choices(words, cum_weights=weights, k=draw.randint(20, CHINESE_WORDS))
    return "。".join("".join(drawn[start : start + 12]) for start in range(0, len(drawn), 12)) + "。"


def _paragraph(draw: random.Random, words: list[str], linked: Iterator[str]) -> str:
    sentences = []
    rest = iter(words)
    while sentence := list(itertools.islice(rest, draw.randint(6, 20))):
        if draw.random() < LINKED_SENTENCES and (target := next(linked, None)):
            sentence.append(f"[[{target}]]")
        if draw.random() < 0.1:
            sentence[0] = f"**{sentence[0]}**"
        first, *others = sentence
        sentences.append(" ".join((first.capitalize(), *others)) + ".")
    return " ".join(sentences)


def _syllable(draw: random.Random) -> str:
    return draw.choice(_ONSETS) + draw.choices(_NUCLEI, _NUCLEUS_WEIGHTS)[0] + draw.choice(_CODAS)


def main() -> None:
    """Read the command line and write the folder."""
    parser = argparse.ArgumentParser(description="Write a folder of made-up notes.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=6_600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_notes(options.folder, options.notes, options.seed)


if __name__ == "__main__":
    main()
