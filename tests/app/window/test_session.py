"""The real window with everything behind it: typed into, waited for, and closed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.paths import Places, built_in_model, places
from core.notes.suffixes import NOTE_SUFFIXES
from core.search.results import Mode
from resources import SAMPLE_NOTES


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
    qtbot.waitUntil(desk.session._searches.is_open, timeout=30_000)
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


def test_a_web_address_goes_to_the_browser(desk):
    desk.start()
    desk.window.link_activated.emit("https://example.org/")
    assert desk.addresses == ["https://example.org/"]


def test_the_last_folder_is_opened_again(new_desk, where):
    first = new_desk(where)
    first.start()
    first.window.close()
    second = new_desk(where)
    second.start(None)
    assert second.search("shelf wood")
    second.window.close()


def test_the_first_start_shows_the_welcome(new_desk, own_home):
    desk = new_desk(places(own_home))
    desk.start(None)
    assert "Triskel" in desk.window.windowTitle()
    assert desk.result is None
    desk.window.close()


def test_a_folder_that_has_gone_since_is_the_welcome_again(new_desk, own_home, tmp_path):
    where = places(own_home)
    where.config.mkdir(parents=True)
    where.settings_file.write_text(json.dumps({"folder": str(tmp_path / "gone"), "geometry": "zz"}))
    desk = new_desk(where)
    desk.start(None)
    assert "no folder" in desk.window._notice.text()
    assert desk.window._welcome.isVisible()
    desk.window.close()


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_last_folder_that_cannot_be_looked_at_is_the_welcome_and_a_sentence(
    new_desk, own_home, tmp_path, monkeypatch, error
):
    where = places(own_home)
    where.config.mkdir(parents=True)
    folder = tmp_path / "locked" / "notes"
    where.settings_file.write_text(json.dumps({"folder": str(folder)}))
    real = Path.stat

    def refusing(path: Path, **how):
        if path == folder:
            raise error
        return real(path, **how)

    monkeypatch.setattr(Path, "stat", refusing)
    desk = new_desk(where)
    desk.start(None)
    assert "cannot be looked at" in desk.window._notice.text() or "no permission" in desk.window._notice.text()
    assert desk.window._welcome.isVisible()
    desk.window.close()


def test_another_folder_puts_the_cursor_into_the_box_with_its_text_selected(desk, notes, qtbot):
    desk.start(notes({"a.md": "apples"}))
    desk.type("pears")
    desk.window.result_list.setFocus()
    desk.session.choose_folder = lambda _parent, start: SAMPLE_NOTES if start == notes({}).parent else None
    desk.window.actions_by_key["choose_folder"].trigger()
    assert desk.window.query_box.hasFocus()
    assert desk.window.query_box.selectedText() == "pears"
    qtbot.waitUntil(lambda: not desk.session.is_indexing(), timeout=60_000)


def test_a_folder_without_notes_says_so_and_offers_another(desk, notes):
    folder = notes({"picture.png": "x"})
    desk.start(folder)
    empty = desk.window._results.empty
    assert empty.texts()[1] == f"This folder holds no notes ({', '.join(NOTE_SUFFIXES)})."
    assert empty.buttons[0].isVisible()
    desk.search("apples")
    assert empty.texts()[1] == f"This folder holds no notes ({', '.join(NOTE_SUFFIXES)})."
    (folder / "a.md").write_text("apples")
    desk.refresh()
    assert desk.search("apples")


def test_looking_for_changes_says_what_it_found(desk, notes):
    folder = notes({"a.md": "apples"})
    desk.start(folder)
    desk.refresh()
    assert desk.window._notice.text() == "Nothing has changed"
    desk.session._live._watcher.stop()  # which would find it before the key is pressed
    (folder / "b.md").write_text("pears")
    desk.refresh()
    assert desk.window._notice.text() == "Notes: 1 added"


def test_stopping_says_how_far_meaning_came_and_how_to_go_on(desk, qtbot, tmp_path):
    desk.session.start(many_notes(tmp_path, 300))
    desk.window.show()
    qtbot.waitUntil(desk.session._searches.is_open, timeout=30_000)
    qtbot.waitUntil(lambda: "passages" in desk.window.status_line.progress_text.text(), timeout=30_000)
    desk.window.actions_by_key["cancel"].trigger()
    qtbot.waitUntil(lambda: not desk.session.is_indexing(), timeout=5_000)
    assert re.fullmatch(r"Stopped; F5 goes on\. Meaning covers [\d,]+ of [\d,]+ passages", desk.state())


def test_a_damaged_model_leaves_words_and_links_and_says_why(new_desk, own_home, tmp_path, monkeypatch):
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

    monkeypatch.setattr(session_module, "chosen_model", with_damage)
    monkeypatch.setattr("app.indexing_jobs.chosen_model", with_damage)
    desk = new_desk(places(own_home))
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
