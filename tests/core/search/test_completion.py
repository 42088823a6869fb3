"""The evidence table: true values for every candidate, the same to the bit as the legs' own."""

import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.completion import complete, readable_share
from core.search.evidence import Evidence
from core.search.formulas.formula import notes_of
from core.search.fusion import FORMULAS
from core.search.results import Leg, Ranking, Skipped
from core.search.search import SearchRequest, find_links, find_meaning, find_words, search
from core.search.words import values_of

DEPTH = 50
ASKED = "wolves winter pack"


def by_rank(text: str, *given, **options) -> SearchRequest:
    """A request whose order is that of ranks alone, which can be worked out by hand."""
    return SearchRequest(text, *given, **{"formula": "rrf/k=60/v1", **options})


@pytest.fixture
def reader(index_of, note):
    """Notes in three thirds: with the words and far, without them and near, and with a few of both; 1 links to all."""
    count = 150
    notes = []
    for number in range(1, count + 1):
        said = [ASKED, "pack of cards", "nothing of the kind"][number % 3]
        near = (1, 10 * (number % 3 != 2) + number / count, 0, 0)
        notes.append(
            note(
                f"{number:03}.md",
                [said + f" other{number} " * (number % 7), f"further text {number}"],
                title="Wolves winter pack" if number == 75 else f"Note {number}",
                links=[f"{target:03}.md" for target in range(1, count + 1)] if number == 3 else (),
                vectors=[near, (0, 0, 1, number)] if number % 10 else [None, None],
            )
        )
    return index_of(*notes)


def table_of(reader, encoder, request: SearchRequest, visible=None) -> tuple[dict[str, Ranking], Evidence]:
    words, meaning = find_words(reader, request, visible), find_meaning(reader, encoder, request, visible)
    links = find_links(reader, request, words, meaning, visible)
    assert links.evidence is not None
    return {Leg.WORDS: words, Leg.MEANING: meaning, Leg.LINKS: links.outcome}, links.evidence


def test_every_candidate_has_the_true_value_of_every_leg(reader, encoder) -> None:
    rankings, table = table_of(reader, encoder, by_rank(ASKED))
    assert [len(found.notes) for found in rankings.values()] == [DEPTH] * 3
    candidates = notes_of(rankings)
    assert len(candidates) > 2 * DEPTH - 10
    assert set(candidates) <= set(table.words)
    assert {note for note in candidates if note % 10} == set(table.cosines)
    assert all(note in table.links or note == table.seeds[0].note for note in candidates)


def test_a_value_of_words_filled_in_is_to_the_bit_what_the_leg_gives(reader) -> None:
    words = find_words(reader, by_rank(ASKED))
    everything = values_of(reader, words.scale, set(range(1, 151)))
    assert {one.note: everything[one.note].score.hex() for one in words.notes} == {
        one.note: one.score.hex() for one in words.notes}  # fmt: skip
    left_out = [value.score for note, value in everything.items() if note not in words.values]
    assert len(left_out) > 50
    assert max(left_out) <= words.notes[-1].score


def test_a_cosine_filled_in_is_to_the_bit_what_the_leg_gives(reader, encoder) -> None:
    rankings, table = table_of(reader, encoder, by_rank(ASKED))
    far = set(notes_of(rankings)) - {one.note for one in rankings[Leg.MEANING].notes}
    near = find_meaning(reader, encoder, by_rank(ASKED), far)
    assert len(near.notes) > 20
    assert {one.note: one.score.hex() for one in near.notes} == {
        one.note: table.cosines[one.note].hex() for one in near.notes}  # fmt: skip


def test_no_note_that_may_not_be_seen_is_in_the_table(reader, encoder) -> None:
    visible = set(range(1, 151, 2))
    _, table = table_of(reader, encoder, by_rank(ASKED), visible)
    held = {*table.words, *table.cosines, *table.links, *table.titled, *(seed.note for seed in table.seeds)}
    assert held <= visible


def test_what_may_not_be_seen_leaves_the_out_degree_of_a_seed_what_its_text_says(reader, encoder) -> None:
    asked = (by_rank(ASKED), None), (by_rank(ASKED + " path:00"), None), (by_rank(ASKED), {3, 4, 5})
    for request, visible in asked:
        _, table = table_of(reader, encoder, request, visible)
        assert {seed.note: seed.out_degree for seed in table.seeds}[3] == 150
    assert set(table_of(reader, encoder, asked[1][0])[1].words) == {*range(1, 10), 100}


def test_a_title_that_is_the_query_is_told_whatever_its_case(reader, encoder) -> None:
    for asked in (ASKED, "WOLVES  winter pack", f"“{ASKED}”"):
        assert table_of(reader, encoder, by_rank(asked))[1].titled == {75}
    assert table_of(reader, encoder, by_rank("wolves winter"))[1].titled == frozenset()


def test_an_alias_counts_as_a_title(tmp_path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("---\naliases: [x, ISEGRIM'S  Kin]\n---\nwolves of Isegrim's kin")
    (folder / "b.md").write_text("Isegrim's kin")
    update_index(folder, tmp_path / "index.db")
    reader = Reader(tmp_path / "index.db")
    try:
        result = search(reader, Skipped("none"), by_rank("Isegrim’s kin", formula="evidence/v1"))
    finally:
        reader.close()
    assert {hit.path: hit.unranked_parts for hit in result.hits} == {"a.md": {"title": 0.5}, "b.md": {}}
    assert result.hits[0].path == "a.md"


def test_a_leg_that_did_not_run_has_no_values(reader, encoder) -> None:
    request = by_rank(ASKED)
    words, meaning = find_words(reader, request), find_meaning(reader, encoder, request)
    assert complete(reader, request.query, words, Skipped("off"), [1, 2]).cosines == {}
    assert complete(reader, request.query, None, meaning, [1, 2]).words == {}


@pytest.mark.parametrize("formula", FORMULAS)
def test_completing_changes_no_badge_rank_agreement_mode_or_total(reader, encoder, formula) -> None:
    result = search(reader, encoder, by_rank(ASKED, formula=formula, limit=200))
    reader.begin()
    rankings, _ = table_of(reader, encoder, by_rank(ASKED, formula=formula))
    ranks = {leg: {one.path: rank for rank, one in enumerate(found.notes, 1)} for leg, found in rankings.items()}
    for hit in result.hits:
        assert {leg: seen.rank for leg, seen in hit.evidence.items() if seen} == {
            leg: ranks[leg][hit.path] for leg in ranks if hit.path in ranks[leg]}  # fmt: skip
        assert {"words", "meaning", "links"}.isdisjoint(
            leg for leg in hit.unranked_parts if hit.evidence.get(leg) is not None
        )
    assert result.total == len({path for found in ranks.values() for path in found})


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("wolves in winter", 1.0),
        ("数据 ab", 0.5),
        ("変数", 0.0),
        ("2024", 1.0),
        ("", 1.0),
        ("Ёлка", 0.0),
        ("naïve Œuvre", 1.0),
    ],
)
def test_the_share_of_letters_that_the_model_can_read(text: str, share: float) -> None:
    assert readable_share(text) == share
