"""Queries of the kinds that people type, drawn from the words of an index, the same ones for the same index."""

from __future__ import annotations

import random
from collections.abc import Mapping

import apsw

QUERIES_A_CLASS = 20


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

    several = range(QUERIES_A_CLASS)
    return {
        "one rare word": [draw.choice(rare) for _ in several],
        "two common words": [" ".join(draw.sample(common, 2)) for _ in several],
        "question of ten words": [question() for _ in several],
        "three letters of a word": [draw.choice(beginnings) for _ in several],
        "nonsense": [f"zqx{draw.randrange(10**6)}v wqj{draw.randrange(10**6)}k" for _ in several],
    }
