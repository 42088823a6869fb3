"""Queries of the kinds that people type, drawn from the words of an index, the same ones for the same index."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping

import apsw

QUERIES_A_CLASS = 20

NOTHING_TO_FIND = ("one letter of a word", "nonsense", "Chinese")
"""Classes that a folder need not hold anything of: a last letter alone is no beginning yet."""

_CHINESE = ("数据库", "笔记 搜索", "什么是向量", "人工智能的历史", "中")
_WORD = re.compile(r"[^\W_]+")


def query_classes(connection: apsw.Connection) -> Mapping[str, list[str]]:
    """Return queries by what they are like; the index must hold a few hundred words."""
    draw = random.Random(7)
    [(notes,)] = connection.execute("SELECT count(*) FROM note").fetchall()
    rows = connection.execute(
        "SELECT term, doc FROM vocabulary WHERE length(term) > 2 ORDER BY doc DESC, term"
    ).fetchall()
    words = [(word, count) for word, count in rows if word.isalpha()]
    known = {word for word, _ in rows}
    common = [word for word, count in words if notes / 20 <= count <= notes / 2][:200]
    middling = [word for word, count in words if 4 <= count < notes / 20]
    rare = [word for word, count in words if count <= 3]
    beginnings = sorted({word[:3] for word in middling} - known)

    def question() -> str:
        return " ".join(draw.sample(draw.sample(common, 5) + draw.sample(middling, 4) + draw.sample(rare, 1), 10))

    texts = [
        row[0]
        for row in connection.execute("SELECT text FROM passage WHERE length(text) > 120 ORDER BY id LIMIT 20000")
    ]
    tags = [row[0] for row in connection.execute("SELECT tag FROM note_tag GROUP BY tag ORDER BY count(*) DESC, tag")]

    def phrase() -> str:
        found = _WORD.findall(draw.choice(texts))
        first = draw.randrange(max(1, len(found) - 3))
        return " ".join(found[first : first + 3])

    several = range(QUERIES_A_CLASS)
    return {
        "one rare word": [draw.choice(rare) for _ in several],
        "two common words": [" ".join(draw.sample(common, 2)) for _ in several],
        "question of ten words": [question() for _ in several],
        "one letter of a word": [draw.choice(middling)[:1] for _ in several],
        "two letters of a word": [draw.choice(middling)[:2] for _ in several],
        "three letters of a word": [draw.choice(beginnings) for _ in several],
        "phrase of three words": [f'"{phrase()}"' for _ in several],
        "common word, filtered by tag": [
            f"{draw.choice(common)} tag:{draw.choice(tags[:20])}" for _ in several if tags
        ],
        "nonsense": [f"zqx{draw.randrange(10**6)}v wqj{draw.randrange(10**6)}k" for _ in several],
        "Chinese": [draw.choice(_CHINESE) for _ in several],
        "26 beginnings of one letter": [" ".join(f"{letter}*" for letter in string.ascii_lowercase)],
    }
