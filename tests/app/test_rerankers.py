"""A reranker in the settings or on the command line, and in the window: asked for final lists alone, on a worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

from app.paths import Places, places
from app.rerankers import RerankerLoader, chosen_reranker
from app.search_controller import ModelSlot, RerankerSlot, SearchController
from app.settings import Settings, load_settings, save_settings
from core.export import to_json
from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.results import Failed, LegState, RerankerName, SearchResult, Skipped
from core.search.search import SearchRequest, search
from resources import RESOURCES
from tests.core.search.tiny_cross_encoder import build_cross_encoder

NOTES = {
    "one.md": "# One\n\nharbour harbour harbour\n",
    "two.md": "# Two\n\nharbour and some silver in it\n",
    "three.md": "# Three\n\nharbour and gold, with a good deal more to say of it\n",
}
FUSED, RERANKED = ["one.md", "two.md", "three.md"], ["three.md", "two.md", "one.md"]
SWITCHED_OFF = Skipped("switched off")


@pytest.fixture
def where(own_home: Path) -> Places:
    return places(own_home)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for path, text in NOTES.items():
        (folder / path).write_text(text, "utf-8")
    return folder


@pytest.fixture
def index_file(notes: Path, tmp_path: Path) -> Path:
    update_index(notes, tmp_path / "index.db")
    return tmp_path / "index.db"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return build_cross_encoder(tmp_path / "tiny")


def choose(where: Places, reranker: Path | str | None) -> None:
    save_settings(where.settings_file, Settings(reranker=None if reranker is None else str(reranker)))


# The command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def ask(cli, notes) -> Callable:
    def call(*options: object, query: str = "harbour"):
        return cli("search", query, "--folder", notes, "--no-meaning", "--format", "json", *options)

    return call


def listed(answer) -> list[str]:
    return [hit["path"] for hit in json.loads(answer.out)["results"]]


def test_without_one_it_is_off(ask, where):
    found = json.loads(ask().out)
    assert [hit["path"] for hit in found["results"]] == FUSED
    assert "reranker" not in found
    assert chosen_reranker(where) is None


def test_a_folder_on_the_command_line_puts_the_list_in_order(ask, tiny):
    answer = ask("--reranker", tiny)
    found = json.loads(answer.out)
    jsonschema.validate(found, json.loads((RESOURCES / "result.schema.json").read_text("utf-8")))
    assert listed(answer) == RERANKED
    assert found["reranker"]["model"]["name"] == "tiny"
    assert [hit["reranked"]["fused_rank"] for hit in found["results"]] == [3, 2, 1]
    assert answer.out == ask("--reranker", tiny).out


def test_the_settings_choose_it_too_and_none_does_without(ask, where, tiny):
    choose(where, tiny)
    assert load_settings(where.settings_file).reranker == str(tiny)
    assert listed(ask()) == RERANKED
    assert listed(ask("--reranker", "none")) == FUSED


def test_the_command_line_goes_before_the_settings(ask, where, tiny, tmp_path):
    choose(where, tmp_path / "gone")
    assert listed(ask("--reranker", tiny)) == RERANKED


def test_many_queries_are_answered_by_one(cli, notes, tiny, tmp_path):
    (tmp_path / "queries.jsonl").write_text('{"id": 1, "text": "harbour"}\n{"id": 2, "text": "path:one"}\n')
    options = ("--folder", notes, "--no-meaning", "--format", "json", "--reranker", tiny)
    first, second = cli("search", "--queries", tmp_path / "queries.jsonl", *options).out.splitlines()
    assert json.loads(first)["reranker"]["state"] == "ran"
    assert json.loads(second)["reranker"]["state"] == "skipped"


def test_what_cannot_be_loaded_is_one_sentence_and_the_list_is_as_without(ask, tmp_path):
    off, on = ask(), ask("--reranker", tmp_path / "gone")
    assert (on.code, json.loads(on.out)["results"]) == (0, json.loads(off.out)["results"])
    assert "The list is in the fused order. There is no folder" in on.err
    assert json.loads(on.out)["reranker"]["state"] == "failed"


def test_a_model_of_another_kind_is_one_sentence(ask, tmp_path):
    two = build_cross_encoder(tmp_path / "classifier", outputs=2)
    answer = ask("--reranker", two)
    assert listed(answer) == FUSED
    assert "The reranker classifier gave 1 × 2 numbers for a query and a text, where one was expected." in answer.err


def test_a_named_one_that_is_not_here_says_how_to_fetch_it(ask):
    answer = ask("--reranker", "Xenova/ms-marco-MiniLM-L-6-v2")
    assert listed(answer) == FUSED
    assert "is not on this machine. With --allow-download the command line fetches it (80 MB)." in answer.err


@pytest.mark.parametrize("consent", [(), ("--allow-download",)])
@pytest.mark.parametrize("chosen_by", ["settings", "command line"])
def test_only_the_command_line_consents_to_a_download(ask, where, tiny, monkeypatch, consent, chosen_by):
    import app.rerankers

    asked = []
    monkeypatch.setattr(
        app.rerankers, "fetched_folder", lambda *_given, **named: asked.append(named) or (tiny, "model.onnx")
    )
    name = "Xenova/ms-marco-MiniLM-L-6-v2"
    choose(where, name if chosen_by == "settings" else None)
    answer = ask(*(("--reranker", name) if chosen_by == "command line" else ()), *consent)
    assert json.loads(answer.out)["reranker"]["model"]["name"] == name
    assert asked == [{"allow_download": bool(consent)}]
    assert chosen_reranker(where, name).allow_download is False, "what the window does"


IN_A_PROCESS = """
import socket, sys
import fastembed  # a library of its own looks once, at its import, whether there is IPv6
tried = []
def refuse(*given, **options):
    tried.append(given)
    raise OSError("no socket in this test")
class LocalSocket(socket.socket):
    def __init__(self, family=-1, *given, **options):
        if family != getattr(socket, "AF_UNIX", None):  # which pipes between processes are made of
            refuse(family)
        super().__init__(family, *given, **options)
socket.socket = LocalSocket
socket.create_connection = socket.getaddrinfo = refuse
from app.cli import run
code = run(sys.argv[1:])
print(len(tried), "sockets", file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("chosen", ["folder", "Xenova/ms-marco-MiniLM-L-6-v2", "nobody/nothing"])
def test_without_consent_no_socket_is_opened(project, notes, own_home, tiny, chosen):
    # In a process of its own, where no variable says that the hub cannot be reached.
    environment = {name: value for name, value in os.environ.items() if name != "HF_HUB_OFFLINE"}
    given = ["search", "harbour", "--folder", notes, "--no-meaning", "--home", own_home, "--format", "json"]
    given += ["--reranker", tiny if chosen == "folder" else chosen]
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, *map(str, given)],
        cwd=project,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "\n0 sockets" in f"\n{done.stderr}"
    state = json.loads(done.stdout)["reranker"]["state"]
    assert state == ("ran" if chosen == "folder" else "failed")


def test_an_empty_name_is_wrong_usage(ask):
    answer = ask("--reranker", "")
    assert (answer.code, "it names no reranker" in answer.err) == (2, True)


@pytest.mark.parametrize("text", ["./a/b", "~/b", "/a/b", "a", "a/b/c", "a/", "/b", "a\\b"])
def test_what_looks_like_a_path_is_never_looked_for_by_name(where, text, monkeypatch):
    import app.rerankers

    monkeypatch.setattr(app.rerankers, "fetched_folder", lambda *_given, **_named: pytest.fail("looked for by name"))
    found = RerankerLoader(text, where).load_or_say()
    assert isinstance(found, Failed)
    assert "There is no folder" in found.reason


# Measuring -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def harbours(tmp_path) -> Path:
    folder = tmp_path / "harbours"
    folder.mkdir()
    documents = [{"id": path, "title": "", "text": text} for path, text in NOTES.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "harbour"}\n')
    (folder / "qrels.tsv").write_text("q\tthree.md\t1\n")
    return folder


@pytest.fixture
def measure(cli, harbours) -> Callable:
    return lambda *options: cli("evaluate", harbours, "--formulas", "default", "--no-meaning", "--json", "-", *options)


def test_evaluate_reports_off_and_on(measure, tiny):
    value = json.loads(measure("--reranker", tiny).out)
    first = {row["formula"]: row["hit@1"] for row in value["rows"] if not row["leg"]}
    assert first == {value["default"]: 0.0, f"{value['default']}, reranked": 1.0}
    assert value["reranker"]["name"] == "tiny"


@pytest.mark.timeout(180)  # the process that embeds has the lowest priority
def test_a_gate_with_it_judges_off_and_on_and_says_how_to_repeat_that(cli, harbours, tiny):
    answer = cli("evaluate", harbours, "--gate", "evidence/v1", "--reranker", tiny)
    assert answer.code == 0, answer.err
    assert 'make gate CANDIDATE=evidence/v1 ARGS="--reranker FOLDER"' in answer.out
    assert "Reranker off, and on (tiny)." in answer.out
    assert "| harbours | hybrid, reranked | 1 |" in answer.out


def test_evaluate_does_not_hang_on_the_settings(measure, where, tiny):
    choose(where, tiny)
    assert "reranked" not in measure().out


def test_evaluate_measures_nothing_with_one_that_cannot_be_loaded(measure, where, tmp_path):
    answer = measure("--reranker", tmp_path / "gone")
    assert (answer.code, answer.out) == (1, "")
    assert "There is no folder" in answer.err
    assert not where.evaluation.exists()


# The window ----------------------------------------------------------------------------------------------------------


class Loader:
    """Gives a reranker that waits until it may go on; counts what was asked of both."""

    def __init__(self) -> None:
        self.model = RerankerName("held", "0" * 64)
        self.go_on, self.begun = threading.Event(), threading.Event()
        self.loaded = 0
        self.asked: list[str] = []

    def load_or_say(self):
        self.loaded += 1
        return self

    def score(self, query: str, text: str) -> float:
        self.asked.append(query)
        self.begun.set()
        assert self.go_on.wait(20)
        return float(len(text))


@pytest.fixture
def start(qapp, index_file) -> Iterator[Callable[..., SearchController]]:
    """Make controllers without meaning that are closed with the test."""
    made = []

    def make(loader) -> SearchController:
        made.append(SearchController(index_file, ModelSlot(None), reranker=RerankerSlot(loader)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def heard(controller: SearchController) -> list[SearchResult]:
    results: list[SearchResult] = []
    controller.result_ready.connect(results.append)
    return results


def final_result(qtbot, controller: SearchController, text: str) -> SearchResult:
    results = heard(controller)
    controller.search(text)
    qtbot.waitUntil(lambda: bool(results) and not results[-1].interim, timeout=20_000)
    return results[-1]


def in_a_row(index_file: Path, reranker, text: str) -> SearchResult:
    reader = Reader(index_file)
    try:
        return search(reader, SWITCHED_OFF, SearchRequest(text), reranker=reranker)
    finally:
        reader.close()


@pytest.mark.parametrize("text", ["harbour", "gold harbour", "zzzz", "path:one", "→", ""])
def test_the_workers_and_the_command_line_agree_to_the_byte(qtbot, start, index_file, where, tiny, text):
    loader = RerankerLoader(str(tiny), where)
    expected = to_json(in_a_row(index_file, loader.load(), text))
    assert to_json(final_result(qtbot, start(loader), text)) == expected


def test_one_that_cannot_be_loaded_is_told_in_the_result(qtbot, start, where, tmp_path):
    found = final_result(qtbot, start(RerankerLoader(str(tmp_path / "gone"), where)), "harbour")
    assert [hit.path for hit in found.hits] == FUSED
    assert found.reranker.state is LegState.FAILED
    assert "There is no folder" in found.reranker.reason


def test_it_is_not_loaded_before_there_are_notes_to_put_in_order(qtbot, start):
    loader = Loader()
    loader.go_on.set()
    controller = start(loader)
    controller.warm_up()
    for text in ("", "zzzz", "path:one"):
        final_result(qtbot, controller, text)
    assert loader.loaded == 0
    for text in ("harbour", "gold"):
        final_result(qtbot, controller, text)
    assert loader.loaded == 1


def test_it_is_asked_for_the_final_list_alone(qtbot, start):
    loader = Loader()
    controller = start(loader)
    results = heard(controller)
    controller.search("harbour")
    qtbot.waitUntil(loader.begun.is_set, timeout=20_000)
    # It has begun, and whatever is told until it is done is an interim list in the fused order.
    assert all(result.interim and result.reranker is None for result in results)
    loader.go_on.set()
    qtbot.waitUntil(lambda: bool(results) and not results[-1].interim, timeout=20_000)
    assert len(loader.asked) == len(NOTES)


def test_a_newer_query_drops_the_reading_of_an_older_one(qtbot, start):
    loader = Loader()
    controller = start(loader)
    results = heard(controller)
    controller.search("harbour")
    qtbot.waitUntil(loader.begun.is_set, timeout=20_000)
    controller.search("gold")
    loader.go_on.set()
    qtbot.waitUntil(lambda: bool(results) and not results[-1].interim, timeout=20_000)
    assert {result.query for result in results if not result.interim} == {"gold"}
    assert loader.asked.count("harbour") == 1, "the rest of the older list is not read"


def test_a_search_that_waits_for_it_to_be_loaded_gives_up_for_a_newer_one(qtbot, start):
    class Slow(Loader):
        def load_or_say(self):
            self.begun.set()
            assert self.go_on.wait(20)
            return super().load_or_say()

    loader = Slow()
    controller = start(loader)
    results = heard(controller)
    controller.search("harbour")
    qtbot.waitUntil(loader.begun.is_set, timeout=20_000)
    # Each of these would keep a thread until it is loaded, and there are three.
    for text in ("h", "ha", "har", "harb", "gold"):
        controller.search(text)
        qtbot.wait(100)
    loader.go_on.set()
    qtbot.waitUntil(lambda: bool(results) and not results[-1].interim, timeout=20_000)
    assert results[-1].query == "gold"
    assert (loader.loaded, set(loader.asked)) == (1, {"gold"})


def test_closing_while_it_reads_leaves_nothing_running(qtbot, index_file):
    loader = Loader()
    controller = SearchController(index_file, ModelSlot(None), reranker=RerankerSlot(loader))
    controller.search("harbour")
    qtbot.waitUntil(loader.begun.is_set, timeout=20_000)
    threading.Timer(0.1, loader.go_on.set).start()
    controller.close()
    assert len(loader.asked) == 1
