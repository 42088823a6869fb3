"""Private notes in the window: withheld until they are asked for, and dropped from sight when one becomes private."""

from pathlib import Path

import pytest

from core.index.indexer import update_index
from core.index.taint import mark_tainted

TEXTS = {
    "boiler.md": "# Boiler\n\nThe boiler is bled in autumn. See [[diary]].\n",
    "diary.md": "---\nprivate: true\n---\n# Diary\n\nBoiler, and what nobody should read.\n",
    "radiator.md": "# Radiator\n\nBled after the boiler.\n",
}


@pytest.fixture
def folder(notes) -> Path:
    return notes(TEXTS)


def settled(desk, text: str, *paths: str) -> None:
    desk.qtbot.waitUntil(
        lambda: not desk.session.is_indexing() and not desk.session.is_searching() and sorted(desk.paths()) == [*paths],
        timeout=60_000,
    )
    assert desk.result.query == text


def test_private_notes_come_with_the_switch_and_go_with_it(desk, folder):
    desk.start(folder)
    desk.search("boiler")
    settled(desk, "boiler", "boiler.md", "radiator.md")
    switch = desk.window.actions_by_key["reveal"]
    assert not switch.isChecked()
    switch.trigger()
    assert "private notes shown" in desk.window.windowTitle()
    settled(desk, "boiler", "boiler.md", "diary.md", "radiator.md")
    switch.trigger()
    assert desk.paths() == []
    assert "private" not in desk.window.windowTitle()
    settled(desk, "boiler", "boiler.md", "radiator.md")


def test_another_folder_is_opened_with_its_private_notes_withheld(desk, folder, tmp_path):
    desk.start(folder)
    desk.window.actions_by_key["reveal"].trigger()
    (tmp_path / "other").mkdir()
    desk.session.open_folder(tmp_path / "other")
    assert not desk.window.actions_by_key["reveal"].isChecked()
    assert "private" not in desk.window.windowTitle()
    desk.qtbot.waitUntil(lambda: not desk.session.is_indexing(), timeout=60_000)


def test_a_note_that_becomes_private_goes_from_list_preview_and_the_way_back(desk, folder):
    desk.start(folder)
    desk.search("radiator")
    desk.qtbot.waitUntil(lambda: "Radiator" in desk.previewed(), timeout=10_000)
    desk.search("boiler")
    desk.qtbot.waitUntil(lambda: "autumn" in desk.previewed(), timeout=10_000)
    assert desk.window.actions_by_key["back"].isEnabled()
    (folder / "boiler.md").write_text("---\nprivate: true\n---\n" + TEXTS["boiler.md"], "utf-8")
    desk.refresh()
    settled(desk, "boiler", "radiator.md")
    desk.qtbot.waitUntil(lambda: "Radiator" in desk.previewed(), timeout=10_000)
    assert "autumn" not in desk.previewed()
    assert not desk.window.actions_by_key["back"].isEnabled()


def test_an_index_that_may_hold_private_notes_answers_nothing(desk, folder, where):
    desk.start(folder)
    desk.search("boiler")
    mark_tainted(where.index_file(folder))
    desk.window.query_box.clear()
    desk.type("autumn")
    desk.qtbot.waitUntil(lambda: not desk.session.is_searching() and desk.paths() == [], timeout=10_000)
    assert desk.result is None
    desk.refresh()
    settled(desk, "autumn", "boiler.md", "radiator.md")


def test_a_note_that_another_process_takes_out_goes_from_list_and_preview_unasked(desk, folder, where):
    desk.start(folder)
    desk.session._live.pause()
    desk.search("boiler")
    desk.qtbot.waitUntil(lambda: "autumn" in desk.previewed(), timeout=10_000)
    (folder / "boiler.md").write_text("---\nprivate: true\n---\n" + TEXTS["boiler.md"], "utf-8")
    update_index(folder, where.index_file(folder))
    desk.session._on_index_changed()
    desk.qtbot.waitUntil(lambda: desk.paths() == ["radiator.md"], timeout=30_000)
    desk.qtbot.waitUntil(lambda: "Radiator" in desk.previewed(), timeout=10_000)
    assert not desk.window.actions_by_key["back"].isEnabled()
