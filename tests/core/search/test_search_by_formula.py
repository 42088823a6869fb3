"""The whole path under each published formula: what is promised of it from the query to the hits."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.search.fusion import FORMULAS
from core.search.results import LEGS, Failed, Leg, Mode, Skipped
from core.search.search import SearchRequest, answer, find_words, search

ASKED = "wolves winter"


@pytest.fixture
def pack(index_of, note, fillers):
    """Some notes with the words, some near, some both, three linked from the best; `z` and `y` are the same text."""
    return index_of(
        note("both.md", ["wolves in winter"], links=["linked.md", "y.md", "z.md"], vectors=[(1, 0.2, 0, 0)]),
        note("words.md", ["wolves and winter and wolves"], vectors=[None]),
        note("near.md", ["a pack hunts"], vectors=[(1, 0, 0, 0)]),
        note("linked.md", ["a quiet place"], vectors=[(0.1, 1, 0, 0)]),
        note("z.md", ["wolves there"], title="same", vectors=[(0.5, 1, 0, 0)]),
        note("y.md", ["wolves there"], title="same", vectors=[(0.5, 1, 0, 0)]),
        note("titled.md", ["far from it"], title="Wolves Winter", vectors=[(0, 0, 1, 0)]),
        *(note(f"more/{number:02}.md", [f"winter {number} " * (1 + number % 4)], vectors=[(1, number, 0, 0)])
          for number in range(70)),
        *fillers(40),
    )  # fmt: skip


def hits(reader, encoder, visible=None, **asked):
    return {hit.path: hit for hit in search(reader, encoder, SearchRequest(ASKED, limit=500, **asked), visible).hits}


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_parts_of_a_hit_add_up_to_its_score(pack, encoder, formula: str) -> None:
    for hit in hits(pack, encoder, formula=formula).values():
        parts = [hit.part(name) for name in (*LEGS, "title")]
        assert hit.score == pytest.approx(sum(part for part in parts if part is not None), rel=1e-12)


def test_under_evidence_a_title_is_a_part_of_its_own_and_a_completed_value_is_no_finding(pack, encoder) -> None:
    found = hits(pack, encoder, formula="evidence/v1")
    assert found["titled.md"].part("title") == 0.5
    near = found["near.md"]
    assert near.evidence[Leg.WORDS] is None
    assert near.compatibility <= 0.6
    legs_without_a_rank = [(hit, name) for hit in found.values() for name in hit.unranked_parts if name in LEGS]
    assert legs_without_a_rank
    assert all(hit.evidence[Leg(name)] is None for hit, name in legs_without_a_rank)


def test_hiding_a_note_that_is_no_seed_leaves_every_other_score_to_the_bit(pack, encoder) -> None:
    """Notes that links alone found are among the hidden, and so are notes that only one leg surfaced."""
    everything = hits(pack, encoder, formula="evidence/v1")
    order = list(everything)
    ids = {path: note for note, path in pack.connection.execute("SELECT id, path FROM note")}
    kept = set(ids.values())
    reached = [path for path, hit in everything.items() if hit.evidence[Leg.LINKS]]
    assert reached
    for hidden in (*reached[-1:], *order[12:40:3]):
        rest = hits(pack, encoder, kept - {ids[hidden]}, formula="evidence/v1")
        # Where a leg had more than its depth, the next one takes the free place.
        assert len(set(rest) - set(order)) <= 2
        others = [path for path in order if path != hidden]
        assert [(path, rest[path].score.hex()) for path in rest if path in everything] == [
            (path, everything[path].score.hex()) for path in others]  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
def test_identical_notes_have_the_same_score_and_fall_back_to_path(pack, encoder, formula: str) -> None:
    found = hits(pack, encoder, formula=formula)
    order = list(found)
    assert order.index("y.md") < order.index("z.md")
    if formula == "evidence/v1":
        assert found["y.md"].score.hex() == found["z.md"].score.hex()


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("gone", [Skipped("switched off by hand"), Failed("The model file is damaged.")])
def test_without_a_model_words_and_links_rank_alone(pack, formula: str, gone) -> None:
    result = search(pack, gone, SearchRequest(ASKED, formula=formula))
    assert result.mode is Mode.WORDS
    assert all(hit.part("meaning") is None for hit in result.hits)
    assert {"both.md", "titled.md", "words.md"} <= {hit.path for hit in result.hits}
    assert result.total > len(result.hits)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("off", [*Leg, None])
def test_a_leg_switched_off_adds_no_part(pack, encoder, formula: str, off) -> None:
    legs = tuple(leg for leg in LEGS if leg is not off)
    for hit in hits(pack, encoder, legs=legs, formula=formula).values():
        assert off is None or hit.part(off) is None
        assert off is not Leg.WORDS or hit.part("title") is None


@pytest.mark.parametrize("formula", FORMULAS)
def test_links_alone_rank_what_the_seeds_link_to(pack, encoder, formula: str) -> None:
    found = hits(pack, encoder, legs=(Leg.LINKS,), formula=formula)
    assert list(found) == ["linked.md", "y.md", "z.md"]
    assert all(set(hit.unranked_parts) == set() for hit in found.values())


def test_an_interim_result_reads_no_evidence_of_legs_that_are_out(pack, encoder, monkeypatch) -> None:
    request = SearchRequest(ASKED)
    words = find_words(pack, request)
    monkeypatch.setattr("core.search.completion.values_of", None)
    interim = answer(pack, request, words, None, None, pending=(Leg.MEANING, Leg.LINKS))
    assert [hit.path for hit in interim.hits] == [one.path for one in words.notes]


def test_words_count_beside_symbols_and_symbols_alone_keep_the_order_of_their_leg(index_of, note, encoder) -> None:
    reader = index_of(
        note("often.md", ["-> and -> and ->"]), note("once.md", ["this ->"]), note("both.md", ["wolves -> sheep"]),
        note("word.md", ["wolves"]), note("none.md", ["nothing"]), note("other.md", ["no such thing"]),
    )  # fmt: skip
    beside = search(reader, encoder, SearchRequest("wolves ->", formula="evidence/v1")).hits
    assert [hit.path for hit in beside] == ["word.md", "both.md", "often.md", "once.md"]
    assert [hit.part("words") > 0 for hit in beside] == [True, True, False, False]
    alone = search(reader, encoder, SearchRequest("->", formula="evidence/v1")).hits
    assert [hit.path for hit in alone] == ["often.md", "both.md", "once.md"]


SCRIPT = """
import sys
from core.search.evidence import Evidence, Seed
from core.search.formulas.registry import compared_formulas
from core.search.fusion import fuse
from core.search.results import RankedNote, Ranking
from core.search.words import WordsValue
names = set("words meaning links substring aaa zzz".split())
ranking = {name: Ranking(tuple(RankedNote(n, 1 / (1 + i), f"{n}.md") for i, n in enumerate(range(len(name), 30, 3))))
           for name in names}
table = Evidence({n: WordsValue(1 / n, 1 / n, 0.1, 0.2) for n in range(1, 30)}, {n: n / 31 for n in range(1, 30)},
                 (Seed(29, 3), Seed(28, 5)), {n: (29, 28) for n in range(1, 20)}, frozenset({3, 4}))
for formula in compared_formulas():
    for one in fuse(ranking, table, formula):
        print(formula.name, one.path, one.score.hex(), list(one.ranks), list(one.contributions.items()))
"""


def test_hash_seeds_change_no_byte_of_any_formula() -> None:
    project = Path(__file__).resolve().parents[3]
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], cwd=project, env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }  # fmt: skip
    assert len(printed) == 1
    assert printed.pop()
