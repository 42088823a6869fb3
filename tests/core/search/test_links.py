"""One hop along the links of the seeds."""

from core.index.reader import LinkRow
from core.search.links import first_links, rank_by_links


def ranked(seeds: list[int], links: list[tuple[int, int]], visible=None, depth: int = 50) -> list[tuple[int, float]]:
    rows = [LinkRow(source, note, line) for line, (source, note) in enumerate(links, 1)]
    found = first_links(seeds, rows, visible)
    ranking = rank_by_links(seeds, found, {note: f"{note:03}.md" for note in range(1000)}, depth)
    return [(one.note, one.score) for one in ranking.notes]


def test_more_seeds_come_before_a_better_seed() -> None:
    assert ranked([1, 2, 3], [(1, 10), (2, 11), (3, 11)]) == [(11, 2.0), (10, 1.0)]


def test_of_as_many_seeds_the_best_decides_and_then_the_path() -> None:
    assert ranked([7, 5], [(5, 10), (7, 12), (7, 11)]) == [(11, 1.0), (12, 1.0), (10, 1.0)]


def test_a_seed_that_links_twice_counts_once_with_its_first_line() -> None:
    rows = [LinkRow(1, 10, 4), LinkRow(1, 10, 9)]
    assert first_links([1], rows) == {10: [LinkRow(1, 10, 4)]}
    assert ranked([1], [(1, 10), (1, 10)]) == [(10, 1.0)]


def test_a_link_to_itself_does_not_count() -> None:
    assert ranked([1, 2], [(1, 1), (2, 2)]) == []


def test_a_seed_counts_through_another_seed_s_link() -> None:
    assert ranked([1, 2], [(1, 1), (2, 1)]) == [(1, 1.0)]


def test_a_note_that_may_not_be_seen_is_not_found_and_takes_no_place() -> None:
    links = [(1, note) for note in range(10, 100)]
    assert [note for note, _ in ranked([1], links, {1, *range(40, 100)})] == list(range(40, 90))


def test_the_steps_to_a_note_stand_best_seed_first() -> None:
    rows = [LinkRow(5, 10, 1), LinkRow(7, 10, 2)]
    assert first_links([7, 5], rows)[10] == [LinkRow(7, 10, 2), LinkRow(5, 10, 1)]
