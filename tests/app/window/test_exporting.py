"""Saving and copying from the real window."""

import csv
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from ui.export_menu import with_suffix
from ui.notice import NoticeKind


@pytest.mark.parametrize("kind", ["csv", "json", "markdown", "html"])
def test_the_list_is_saved_as_it_is_shown(desk, tmp_path, kind):
    desk.start()
    hits = desk.search("shelf wood")
    target = tmp_path / f"saved.{kind}"
    desk.window.export_menu.choose_file = lambda _parent, _kind, _suggested: target
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
    desk.window.export_menu.choose_file = lambda _parent, _kind, _suggested: target
    desk.window.actions_by_key["export_selected_json"].trigger()
    assert [row["path"] for row in json.loads(target.read_text("utf-8"))["results"]] == [hits[1].path]


def test_an_export_that_cannot_be_written_is_a_sentence(desk, tmp_path):
    desk.start()
    desk.search("shelf wood")
    desk.window.export_menu.choose_file = lambda _parent, _kind, _suggested: tmp_path / "no folder" / "x.csv"
    desk.window.actions_by_key["export_csv"].trigger()
    assert "no folder" in desk.window._notice.text()
    assert desk.window._notice.kind is NoticeKind.PROBLEM


def test_a_copy_says_how_many_notes_went_where(desk):
    desk.start()
    hits = desk.search("shelf wood")
    desk.window.actions_by_key["copy_json"].trigger()
    assert desk.window._notice.text() == f"{len(hits)} notes copied as JSON"
    assert desk.window._notice.kind is NoticeKind.DONE
    assert len(json.loads(QGuiApplication.clipboard().text())["results"]) == len(hits)
    desk.window.actions_by_key["copy_selected_markdown"].trigger()
    assert desk.window._notice.text() == "1 note copied as Markdown"


def test_a_list_is_saved_among_the_notes_only_after_a_question_asked_once(desk, notes):
    folder = notes({"a.md": "apples"})
    desk.start(folder)
    desk.search("apples")
    asked = []
    answers = [False, True]
    desk.session.exports.ask = lambda _parent, question: asked.append(question) or answers[len(asked) - 1]
    desk.window.export_menu.choose_file = lambda _parent, _kind, _suggested: folder / "list.md"
    save = desk.window.actions_by_key["export_markdown"]
    save.trigger()
    assert not (folder / "list.md").exists()
    save.trigger()
    assert (folder / "list.md").exists()
    save.trigger()
    assert len(asked) == 2
    assert asked[0] == (
        "This folder holds your notes; the file would be found as one of them. Save there all the same?"
    )


def test_the_save_dialog_starts_where_the_last_file_went_with_the_query_as_its_name(desk, tmp_path, monkeypatch):
    documents = tmp_path / "documents"
    documents.mkdir()
    monkeypatch.setattr("ui.export_menu.QStandardPaths.writableLocation", lambda _kind: str(documents))
    suggested = []
    desk.window.export_menu.choose_file = lambda _parent, _kind, path: suggested.append(path) or tmp_path / "x.csv"
    desk.start()
    desk.search("shelf wood?")
    desk.window.actions_by_key["export_csv"].trigger()
    desk.window.actions_by_key["export_markdown"].trigger()
    assert suggested == [documents / "shelf wood.csv", tmp_path / "shelf wood.md"]


@pytest.mark.parametrize(
    ("typed", "kind", "saved"),
    [
        ("a.csv", "csv", "a.csv"),
        ("a", "json", "a.json"),
        ("a.csv", "json", "a.csv.json"),
        ("a.MARKDOWN", "markdown", "a.MARKDOWN"),
        ("v1.2", "markdown", "v1.2.md"),
    ],
)
def test_a_suffix_that_disagrees_with_the_format_gets_the_right_one(typed: str, kind: str, saved: str):
    assert with_suffix(Path(typed), kind) == Path(saved)


def test_ctrl_c_in_the_box_copies_a_link_to_the_selected_note_where_no_text_is_selected(desk):
    desk.start()
    desk.search("shelf wood")
    hit = desk.window.result_list.current_hit()
    desk.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    name = hit.path.rsplit("/", 1)[-1].removesuffix(".md")
    assert QGuiApplication.clipboard().text() == f"[[{name}]]"
    assert desk.window._notice.text() == f"Copied [[{name}]]"
    desk.window.query_box.selectAll()
    desk.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "shelf wood"
