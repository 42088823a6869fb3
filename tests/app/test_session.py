"""The real window with everything behind it: typed into, waited for, and closed."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.paths import Places, built_in_model, places
from app.session import Session
from core.index.indexer import update_index
from core.search.results import Mode
from resources import SAMPLE_NOTES


@pytest.fixture(scope="module")
def indexed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the sample notes are indexed already."""
    home = tmp_path_factory.mktemp("indexed")
    where = places(home)
    update_index(SAMPLE_NOTES, where.index_file(SAMPLE_NOTES), built_in_model(where, threads=2))
    return home


@pytest.fixture
def where(indexed_home: Path, own_home: Path) -> Places:
    """A home of the test's own, with the sample notes indexed."""
    shutil.copytree(indexed_home, own_home)
    return places(own_home)


class Desk:
    """A window that is being used, and what was opened from it."""

    def __init__(self, qtbot, where: Places) -> None:
        self.qtbot = qtbot
        self.opened: list[Path] = []
        self.addresses: list[str] = []
        self.session = Session(
            where,
            opener=lambda file: self.opened.append(file) is None,
            open_address=lambda address: self.addresses.append(address) is None,
        )
        self.window = self.session.window
        qtbot.addWidget(self.window)

    def start(self, folder: Path | None = SAMPLE_NOTES) -> None:
        self.session.start(folder)
        self.window.show()
        self.qtbot.waitExposed(self.window)
        if folder is not None:
            self.qtbot.waitUntil(lambda: not self.session.is_indexing(), timeout=60_000)

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(self.window.query_box, text)

    def search(self, text: str) -> list:
        self.window.query_box.clear()
        self.type(text)
        self.qtbot.waitUntil(lambda: self.result is not None and self.result.query == text, timeout=30_000)
        self.qtbot.waitUntil(lambda: not self.session.is_searching(), timeout=30_000)
        return self.window.result_list.result_model.hits

    @property
    def result(self):
        return self.session._result

    def press(self, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        held = Qt.KeyboardModifier.NoModifier
        for modifier in modifiers:
            held |= modifier
        self.qtbot.keyClick(self.window.query_box, key, held)

    def previewed(self) -> str:
        return self.window.preview_pane.preview.toPlainText()


@pytest.fixture
def desk(qtbot, where: Places) -> Iterator[Desk]:
    """An open window, closed with the test."""
    one = Desk(qtbot, where)
    yield one
    one.window.close()


def test_typing_a_query_shows_what_all_three_legs_found(desk):
    desk.start()
    hits = desk.search("shelf wood")
    assert desk.result.mode is Mode.HYBRID
    assert len(hits) == len(desk.result.hits) > 3
    assert {leg for hit in hits for leg, evidence in hit.evidence.items() if evidence} == set(desk.result.legs)


def test_the_window_and_the_command_line_give_the_same_bytes(desk, where, project):
    desk.start()
    desk.search("flat tyre on the road")
    desk.session._on_copy_requested("json", None)
    command = [sys.executable, "-m", "app", "search", "flat tyre on the road", "--folder", str(SAMPLE_NOTES)]
    command += ["--format", "json", "--home", str(where.cache)]
    printed = subprocess.run(command, cwd=project, capture_output=True, check=True).stdout
    assert QGuiApplication.clipboard().text().encode() == printed


def test_the_cursor_stays_in_the_box_while_the_arrows_move_the_selection(desk, qtbot):
    desk.start()
    hits = desk.search("shelf wood")
    box = desk.window.query_box
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Down)
    assert desk.window.result_list.current_hit() == hits[2]
    desk.press(Qt.Key.Key_Up)
    assert desk.window.result_list.current_hit() == hits[1]
    assert box.hasFocus()
    desk.type("x")
    assert box.text() == "shelf woodx"


def test_the_selected_note_is_shown_with_its_matches_marked(desk, qtbot):
    desk.start()
    hits = desk.search("shelf wood")
    qtbot.waitUntil(lambda: desk.window.preview_pane.title.text() == hits[0].title, timeout=5_000)
    assert "shelf" in desk.previewed().lower()
    assert desk.window.preview_pane.preview.extraSelections()


def test_enter_opens_the_selected_note_with_the_systems_program(desk):
    desk.start()
    hits = desk.search("shelf wood")
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    assert desk.opened == [SAMPLE_NOTES / hits[1].path]


def test_a_note_that_has_gone_is_a_sentence_and_nothing_opens(desk, tmp_path, qtbot):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples")
    desk.start(folder)
    desk.search("apples")
    (folder / "a.md").unlink()
    desk.press(Qt.Key.Key_Return)
    assert desk.opened == []
    assert "moved or deleted" in desk.window._notice.text()


def test_escape_clears_the_box_and_the_results(desk, qtbot):
    desk.start()
    assert desk.search("shelf wood")
    desk.press(Qt.Key.Key_Escape)
    assert desk.window.query_box.text() == ""
    qtbot.waitUntil(lambda: not desk.window.result_list.result_model.hits, timeout=2_000)
    assert desk.window.query_box.hasFocus()


@pytest.mark.parametrize("kind", ["csv", "json", "markdown"])
def test_the_list_is_saved_as_it_is_shown(desk, tmp_path, kind):
    desk.start()
    hits = desk.search("shelf wood")
    target = tmp_path / f"saved.{kind}"
    desk.window.export_menu.choose_file = lambda _parent, _kind: target
    desk.window.actions_by_key[f"export_{kind}"].trigger()
    text = target.read_text("utf-8")
    if kind == "json":
        assert [row["path"] for row in json.loads(text)["results"]] == [hit.path for hit in hits]
    elif kind == "csv":
        assert [row["path"] for row in csv.DictReader(text.splitlines())] == [hit.path for hit in hits]
    else:
        assert all(hit.title in text for hit in hits[:5])


def test_only_the_selected_rows_are_saved_where_that_was_asked(desk, tmp_path):
    desk.start()
    hits = desk.search("shelf wood")
    desk.press(Qt.Key.Key_Down)
    target = tmp_path / "one.json"
    desk.window.export_menu.choose_file = lambda _parent, _kind: target
    desk.window.actions_by_key["export_selected_json"].trigger()
    assert [row["path"] for row in json.loads(target.read_text("utf-8"))["results"]] == [hits[1].path]


def test_an_export_that_cannot_be_written_is_a_sentence(desk, tmp_path):
    desk.start()
    desk.search("shelf wood")
    desk.window.export_menu.choose_file = lambda _parent, _kind: tmp_path / "no folder" / "x.csv"
    desk.window.actions_by_key["export_csv"].trigger()
    assert "no folder" in desk.window._notice.text()


def test_words_are_found_before_the_first_vector_exists(desk, qtbot, tmp_path):
    folder = many_notes(tmp_path, 300)
    desk.session.start(folder)
    desk.window.show()
    desk.type("number 17")
    qtbot.waitUntil(lambda: desk.result is not None and bool(desk.result.hits), timeout=30_000)
    assert desk.session.is_indexing()
    desk.window.actions_by_key["cancel"].trigger()
    qtbot.waitUntil(lambda: not desk.session.is_indexing(), timeout=5_000)


def test_indexing_is_cancelled_within_a_second_and_keeps_what_it_did(desk, qtbot, tmp_path):
    desk.session.start(many_notes(tmp_path, 300))
    desk.window.show()
    qtbot.waitUntil(lambda: desk.session._searches is not None, timeout=30_000)
    qtbot.wait(1_500)
    assert desk.session.is_indexing()
    desk.window.actions_by_key["cancel"].trigger()
    # The process itself needs at most 0.8 s; the rest is the machine's.
    qtbot.waitUntil(lambda: not desk.session.is_indexing(), timeout=3_000)
    assert desk.search("number 17")


def test_closing_the_window_during_a_search_and_indexing_leaves_nothing_behind(desk, qtbot, tmp_path):
    desk.session.start(many_notes(tmp_path, 100))
    desk.window.show()
    desk.type("number")
    desk.window.close()


def test_closing_the_window_during_a_search_leaves_no_thread(desk):
    desk.start()
    desk.type("shelf wood and the long way home")
    desk.window.query_box.flush()
    assert desk.session.is_searching()
    desk.window.close()
    assert not desk.session.is_searching()


def test_a_link_in_the_preview_leads_to_its_note(desk, qtbot, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("apples are in [[b]] and [there](sub/c%20d.md)")
    (folder / "b.md").write_text("# The second\n\npears")
    (folder / "sub").mkdir()
    (folder / "sub/c d.md").write_text("# The third\n\nplums")
    desk.start(folder)
    desk.search("apples")
    pane = desk.window.preview_pane
    qtbot.waitUntil(lambda: "apples" in desk.previewed(), timeout=5_000)
    desk.window.link_activated.emit("sub/c%20d.md")
    qtbot.waitUntil(lambda: "plums" in desk.previewed(), timeout=5_000)
    assert pane.title.text() == "The third"


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "smb://x/y", "no such note", "[[x]]"])
def test_a_link_that_leads_out_of_the_folder_opens_nothing(desk, qtbot, tmp_path, address):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text(f"apples [x]({address})")
    desk.start(folder)
    desk.search("apples")
    qtbot.waitUntil(lambda: "apples" in desk.previewed(), timeout=5_000)
    desk.window.link_activated.emit(address)
    assert desk.opened == []
    assert desk.addresses == []
    assert desk.window._notice.text()


def test_a_web_address_goes_to_the_browser(desk):
    desk.start()
    desk.window.link_activated.emit("https://example.org/")
    assert desk.addresses == ["https://example.org/"]


def test_the_last_folder_is_opened_again(qtbot, where):
    first = Desk(qtbot, where)
    first.start()
    first.window.close()
    second = Desk(qtbot, where)
    second.start(None)
    assert second.search("shelf wood")
    second.window.close()


def test_the_first_start_shows_the_welcome(qtbot, own_home):
    desk = Desk(qtbot, places(own_home))
    desk.start(None)
    assert "Triskel" in desk.window.windowTitle()
    assert desk.result is None
    desk.window.close()


def test_a_folder_that_has_gone_since_is_the_welcome_again(qtbot, own_home, tmp_path):
    where = places(own_home)
    where.config.mkdir(parents=True)
    where.settings_file.write_text(json.dumps({"folder": str(tmp_path / "gone"), "geometry": "zz"}))
    desk = Desk(qtbot, where)
    desk.start(None)
    desk.window.close()


def test_a_damaged_model_leaves_words_and_links_and_says_why(qtbot, own_home, tmp_path, monkeypatch):
    damaged = tmp_path / "model.onnx"
    damaged.write_bytes(b"damaged")
    import app.session as session_module

    real = built_in_model

    def with_damage(where: Places, *, threads: int):
        loader = real(where, threads=threads)
        return type(loader)(
            type(loader.source)(**{**{n: getattr(loader.source, n) for n in loader.source.__slots__}, "onnx": damaged}),
            loader.cache_folder,
            threads,
        )

    monkeypatch.setattr(session_module, "built_in_model", with_damage)
    desk = Desk(qtbot, places(own_home))
    desk.start()
    hits = desk.search("shelf wood")
    assert hits
    assert desk.result.mode is Mode.WORDS
    assert "damaged" in desk.window._notice.text()
    assert "damaged" in desk.result.legs["meaning"].reason
    desk.window.close()


def many_notes(tmp_path: Path, count: int) -> Path:
    """A folder that takes a while to embed."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(count):
        body = " ".join(f"sentence {place} of the long note with the number {number}." for place in range(40))
        (folder / f"{number}.md").write_text(f"# Note {number}\n\n{body}\n")
    return folder
