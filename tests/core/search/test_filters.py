"""Filters, phrases and removals act inside every leg: real files, a real index, a scripted encoder."""

import datetime as dt
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.results import Leg, LegState, Mode, SearchResult, Skipped
from core.search.search import SearchRequest, search

NOTES = {
    "project/alpha.md": "---\ntags: [project/alpha, Work]\ndate: 2026-11-20\nstatus: Done\n---\n# Alpha plan\n\n"
    "The apples of [[beta]] and the right or wrong way.",
    "project/beta.md": "---\ntags: project\ndate: 2026-10-01\nstatus: open\n---\n# Beta\n\nApples and pears, draft.",
    "Été/crème.md": "---\ndate: 2025-05-05\nkind: [a, b]\n---\n# Crème brûlée\n\nSugar and apples.",
    "old.txt": "apples of long ago",
    "journal.org": "#+TITLE: Journal\napples in a journal",
    "projects.md": "---\ntags: projects\ndate: 2024-01-01\n---\nA path with apples, see [[alpha]].",
}
TODAY = dt.date(2026, 12, 1)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    place = tmp_path_factory.mktemp("filters")
    for path, text in NOTES.items():
        file = place / "notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        long_ago = time.mktime((2020, 1, 2, 12, 0, 0, 0, 0, -1))
        os.utime(file, (long_ago, long_ago))
    update_index(place / "notes", place / "index.db")
    one = Reader(place / "index.db")
    yield one
    one.close()


@pytest.fixture
def find(reader: Reader) -> Callable[[str], SearchResult]:
    return lambda text: search(reader, Skipped("no model"), SearchRequest(text, today=TODAY))


def names(result: SearchResult) -> set[str]:
    return {hit.path.rpartition("/")[2].partition(".")[0] for hit in result.hits}


ALL = {"alpha", "beta", "crème", "old", "journal", "projects"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("apples", ALL),
        ("tag:project", {"alpha", "beta"}),
        ("tag:project/alpha", {"alpha"}),
        ("TAG:work", {"alpha"}),
        ("tag:#Work", {"alpha"}),
        ("-tag:project", ALL - {"alpha", "beta"}),
        ("path:project", {"alpha", "beta", "projects"}),
        ("path:project/", {"alpha", "beta"}),
        ("path:ete", {"crème"}),
        ("path:/project", {"alpha", "beta", "projects"}),
        ("path:/project/", {"alpha", "beta"}),
        ("path:/al", {"alpha"}),
        ("path:/lpha", set()),
        ("path:/ete/creme", {"crème"}),
        ("path:\\project\\be", {"beta"}),
        ("Path:ÉTÉ", {"crème"}),
        ('path:"project/al"', {"alpha"}),
        ("title:creme", {"crème"}),
        ("ext:txt", {"old"}),
        ("ext:.org", {"journal"}),
        ("-ext:md", {"old", "journal"}),
        ("after:2026-10-01", {"alpha", "beta"}),
        ("after:2026-10-02", {"alpha"}),
        ("before:2025", {"projects", "old", "journal"}),
        ("after:2w", {"alpha"}),
        ("after:2025 before:2026-11", {"beta", "crème"}),
        ("link:beta", {"alpha"}),
        ("link:alpha", {"beta", "projects"}),
        ("[status:done]", {"alpha"}),
        ("[Status]", {"alpha", "beta"}),
        ("-[status]", ALL - {"alpha", "beta"}),
        ("[kind:b]", {"crème"}),
        ("tag:project OR ext:txt", {"alpha", "beta", "old"}),
        ('"right or wrong"', {"alpha"}),
        ('"right or wrong" path:project', {"alpha"}),
        ('"right or wrong" path:ete', set()),
        ("apples -draft", ALL - {"beta"}),
        ('apples -"long ago"', ALL - {"old"}),
        ("apples -tag:project -ext:txt", {"crème", "journal", "projects"}),
        ("-apples", set()),
        ("-draft", ALL - {"beta"}),
        ("tag:nothing", set()),
    ],
)
def test_a_filter_leaves_these_notes(find, text: str, left: set[str]) -> None:
    assert names(find(text)) == left


def test_filters_alone_list_notes_newest_first_and_say_so(find) -> None:
    result = find("-draft")
    assert [hit.date for hit in result.hits] == sorted((hit.date for hit in result.hits), reverse=True)
    assert (result.mode, result.total) == (Mode.NONE, 5)
    assert {report.state for leg, report in result.legs.items() if leg is not Leg.MEANING} == {LegState.SKIPPED}
    assert {(hit.band, hit.compatibility, hit.score) for hit in result.hits} == {(None, None, 0.0)}


def test_filters_that_leave_nothing_say_so(find) -> None:
    assert find("tag:nothing").message == "No note is left by these filters."


def test_relative_dates_are_told_as_absolute_ones(find) -> None:
    assert find("apples after:2w").filters == ("after: 2026-11-17",)


def test_a_removed_word_is_removed_from_links_too(find) -> None:
    assert "beta" not in names(find("alpha plan -pears"))
    assert "beta" in names(find("alpha plan"))


def test_alternatives_count_as_one_word_of_two_spellings(find) -> None:
    result = find("pears OR sugar")
    assert names(result) >= {"beta", "crème"}
    assert {hit.matched_words for hit in result.hits if hit.evidence[Leg.WORDS]} == {("pears or sugar",)}


def test_a_small_filter_is_not_starved_by_a_big_rest(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number:03}.md").write_text("apples " * (number + 1))
    (folder / "small").mkdir()
    (folder / "small" / "one.md").write_text("many other words stand around the apples of this one " * 5)
    update_index(folder, tmp_path / "index.db")
    reader = Reader(tmp_path / "index.db")
    result = search(reader, Skipped("no model"), SearchRequest("apples path:small/"))
    reader.close()
    assert [hit.path for hit in result.hits] == ["small/one.md"]
    assert result.hits[0].evidence[Leg.WORDS].rank == 1


@pytest.mark.parametrize(("dendron", "left"), [(True, {"body.md", "front.md"}), (False, {"body.md"})])
def test_a_tag_of_dendron_holds_those_below_its_dots(tmp_path: Path, dendron: bool, left: set[str]) -> None:
    notes = {"body.md": "Read by #role.reader.", "front.md": "---\ntags: role.writer\n---\n", "other.md": "#roles"}
    (tmp_path / "notes").mkdir()
    for path, text in notes.items():
        (tmp_path / "notes" / path).write_text(text, "utf-8")
    if dendron:
        (tmp_path / "notes" / "dendron.yml").touch()
    update_index(tmp_path / "notes", tmp_path / "index.db")
    reader = Reader(tmp_path / "index.db")
    try:
        found = {hit.path for hit in search(reader, Skipped("no model"), SearchRequest("tag:role")).hits}
        exact = {hit.path for hit in search(reader, Skipped("no model"), SearchRequest("tag:role.reader")).hits}
    finally:
        reader.close()
    assert (found, exact) == (left, {"body.md"} if dendron else set())
