"""Searches on workers: the same result as in a row, only the newest one told, nothing left behind."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import app.search_controller as controller_module
from app.paths import built_in_model, places
from app.search_controller import ModelSlot, SearchController
from core.errors import IndexFileError
from core.export import to_json
from core.index.builds import current_build
from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.fusion import DEFAULT_FORMULA, FORMULAS
from core.search.results import LEGS, Failed, Leg, LegState, Mode, SearchResult
from core.search.search import SearchRequest, search
from resources import SAMPLE_NOTES

QUERIES = ("flat tyre on the road", "insomnia", "shelf wood", "how do the badges work", "brot backen")


@pytest.fixture(scope="module")
def index_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample notes, indexed with the real model once."""
    home = tmp_path_factory.mktemp("indexed")
    file = home / "index.db"
    report = update_index(SAMPLE_NOTES, file, built_in_model(places(home), threads=2))
    assert report.embedded == report.passages > 0
    return file


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ModelSlot:
    """The real model, loaded once."""
    return ModelSlot(built_in_model(places(tmp_path_factory.mktemp("model")), threads=1))


@pytest.fixture
def start(qapp, index_file: Path, model: ModelSlot) -> Iterator[Callable[..., SearchController]]:
    """Make controllers that are closed with the test."""
    made = []

    def make(**options) -> SearchController:
        one = SearchController(index_file, options.pop("model", model), **options)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()


def final_result(qtbot, controller: SearchController, text: str) -> SearchResult:
    results: list[SearchResult] = []
    controller.result_ready.connect(results.append)
    controller.search(text)
    qtbot.waitUntil(lambda: bool(results) and not results[-1].interim, timeout=20_000)
    controller.result_ready.disconnect(results.append)
    return results[-1]


def in_a_row(index_file: Path, model: ModelSlot, text: str, legs=LEGS, formula: str = DEFAULT_FORMULA) -> SearchResult:
    reader = Reader(index_file)
    try:
        return search(reader, model.get(), SearchRequest(text, legs, formula=formula))
    finally:
        reader.close()


@pytest.mark.parametrize("text", QUERIES)
def test_the_workers_and_the_command_line_agree_to_the_byte(qtbot, start, index_file, model, text):
    expected = to_json(in_a_row(index_file, model, text))
    controller = start()
    assert [to_json(final_result(qtbot, controller, text)) for _ in range(3)] == [expected] * 3


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_workers_and_the_command_line_agree_on_every_published_formula(qtbot, start, index_file, model, formula):
    expected = in_a_row(index_file, model, "shelf wood", formula=formula)
    found = final_result(qtbot, start(formula=formula), "shelf wood")
    assert to_json(found) == to_json(expected)
    assert [hit.unranked_parts for hit in found.hits] == [hit.unranked_parts for hit in expected.hits]
    assert found.formula == formula


def test_words_and_meaning_and_links_all_speak(qtbot, start):
    result = final_result(qtbot, start(), "shelf wood")
    assert result.mode is Mode.HYBRID
    assert all(report.state is LegState.RAN and report.notes for report in result.legs.values())


def test_meaning_finds_what_no_word_says(qtbot, start):
    result = final_result(qtbot, start(), "insomnia")
    assert result.legs[Leg.WORDS].notes == 0
    assert result.mode is Mode.MEANING
    assert "Quiet nights" in [hit.title for hit in result.hits[:3]]


def test_shuffled_thread_timing_changes_nothing(qtbot, start, index_file, model, monkeypatch):
    expected = to_json(in_a_row(index_file, model, QUERIES[0]))
    chance = random.Random(7)

    def delayed(step: Callable) -> Callable:
        def late(*arguments, **options):
            time.sleep(chance.random() * 0.03)
            return step(*arguments, **options)

        return late

    for name in ("find_words", "find_meaning", "find_links", "answer"):
        monkeypatch.setattr(controller_module, name, delayed(getattr(controller_module, name)))
    controller = start()
    for _ in range(8):
        assert to_json(final_result(qtbot, controller, QUERIES[0])) == expected


def test_words_and_meaning_run_at_the_same_time(qtbot, start, monkeypatch):
    # Each waits for the other to have begun: in a row, this would never end.
    both = threading.Barrier(2, timeout=10)

    def meeting(step: Callable) -> Callable:
        def run(*arguments, **options):
            both.wait()
            return step(*arguments, **options)

        return run

    for name in ("find_words", "find_meaning"):
        monkeypatch.setattr(controller_module, name, meeting(getattr(controller_module, name)))
    assert final_result(qtbot, start(), "shelf").hits


def test_only_the_newest_search_is_told(qtbot, start):
    controller = start()
    results: list[SearchResult] = []
    controller.result_ready.connect(results.append)
    typed = "flat tyre on the road"
    for length in range(1, len(typed) + 1):
        controller.search(typed[:length])
    qtbot.waitUntil(lambda: bool(results) and not results[-1].interim, timeout=20_000)
    qtbot.wait(100)
    assert {result.query for result in results} == {typed}
    assert [result.interim for result in results].count(False) == 1


def test_a_cancelled_search_is_not_heard_of_again(qtbot, start):
    controller = start()
    results: list[SearchResult] = []
    controller.result_ready.connect(results.append)
    controller.search("shelf")
    controller.cancel()
    qtbot.wait(300)
    assert results == []
    assert not controller.is_searching()


def test_words_are_shown_while_meaning_is_still_out(qtbot, start, monkeypatch):
    go_on = threading.Event()
    real = controller_module.find_meaning

    def held(*arguments, **options):
        go_on.wait(10)
        return real(*arguments, **options)

    monkeypatch.setattr(controller_module, "find_meaning", held)
    controller = start()
    results: list[SearchResult] = []
    controller.result_ready.connect(results.append)
    controller.search("shelf wood")
    qtbot.waitUntil(lambda: bool(results), timeout=10_000)
    interim = results[0]
    go_on.set()
    qtbot.waitUntil(lambda: not results[-1].interim, timeout=10_000)
    assert interim.interim
    assert interim.mode is Mode.WORDS
    assert interim.legs[Leg.MEANING].state is LegState.PENDING
    assert all(hit.band is None and hit.compatibility is None for hit in interim.hits)
    assert [hit.path for hit in interim.hits]


def test_a_search_while_the_model_is_missing_degrades_visibly(qtbot, start):
    class Broken(ModelSlot):
        def get(self):
            return Failed("The model file is damaged.")

    result = final_result(qtbot, start(model=Broken(None)), "shelf wood")
    assert result.mode is Mode.WORDS
    assert result.legs[Leg.MEANING].state is LegState.FAILED
    assert result.legs[Leg.MEANING].reason == "The model file is damaged."
    assert result.hits


@pytest.mark.parametrize("legs", [(Leg.WORDS,), (Leg.MEANING,), (Leg.LINKS,), (Leg.WORDS, Leg.LINKS)])
def test_legs_that_are_switched_off_are_off_as_on_the_command_line(qtbot, start, index_file, model, legs):
    result = final_result(qtbot, start(legs=legs), "shelf wood")
    assert to_json(result) == to_json(in_a_row(index_file, model, "shelf wood", legs))


def test_closing_during_a_search_leaves_nothing_running(qtbot, index_file, model):
    controller = SearchController(index_file, model)
    for text in QUERIES:
        controller.search(text)
    controller.close()


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_search_goes_on_while_the_index_is_written(qtbot, tmp_path, model, rebuild):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples [[b]]")
    file = tmp_path / "index.db"
    update_index(folder, file)
    controller = SearchController(file, model)
    stop = threading.Event()
    faults: list[BaseException] = []

    def write() -> None:
        number = 0
        try:
            while not stop.is_set():
                number += 1
                (folder / f"{number % 7}.md").write_text(f"apples and {number}")
                update_index(folder, file, rebuild=rebuild)
        except BaseException as fault:  # noqa: BLE001 - told below
            faults.append(fault)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(15):
            assert final_result(qtbot, controller, "apples").hits
    finally:
        stop.set()
        writer.join()
        controller.close()
    assert faults == []
    assert (current_build(file) == file) is not rebuild


def test_an_answer_whose_notes_become_private_meanwhile_is_dropped_and_asked_for_again(
    qtbot, tmp_path, model, monkeypatch
):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples")
    (folder / "b.md").write_text("apples too")
    file = tmp_path / "index.db"
    update_index(folder, file)
    controller = SearchController(file, model, legs=(Leg.WORDS,))
    told: list[SearchResult] = []
    controller.result_ready.connect(told.append)
    answers: list[SearchResult] = []
    real = controller_module.answer

    def answer(*arguments: object, **options: object) -> SearchResult:
        answers.append(real(*arguments, **options))
        if len(answers) == 1:
            (folder / "a.md").write_text("---\nprivate: true\n---\napples")
            update_index(folder, file)
        return answers[-1]

    monkeypatch.setattr(controller_module, "answer", answer)
    try:
        final = final_result(qtbot, controller, "apples")
    finally:
        controller.close()
    assert "a.md" in {hit.path for hit in answers[0].hits}
    assert not any(hit.path == "a.md" for result in told for hit in result.hits)
    assert [hit.path for hit in final.hits] == ["b.md"]


def test_without_an_index_the_controller_says_so(qapp, tmp_path, model):
    with pytest.raises(IndexFileError, match="no index yet"):
        SearchController(tmp_path / "none.db", model)


def test_an_index_damaged_while_it_is_open_is_told_as_that(qtbot, tmp_path, model):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples")
    file = tmp_path / "index.db"
    update_index(folder, file)
    controller = SearchController(file, model)
    try:
        file.write_bytes(b"no database any more " * 1000)
        with qtbot.waitSignal(controller.index_damaged, timeout=10_000) as told:
            controller.search("apples")
        assert "damaged" in told.args[0]
    finally:
        controller.close()
