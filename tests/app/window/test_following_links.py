"""From note to note: links in the preview, back and forward."""

import pytest
from PySide6.QtCore import Qt

NOTES = {
    "a.md": "# First\n\napples are in [[b]] and [[c]]",
    "b.md": "# Second\n\napples and pears",
    "c.md": "# Third\n\nonly words about the sea, back to [[a]]",
}


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


@pytest.fixture
def reader(desk, qtbot, notes):
    """A desk with `a.md` in the preview, in a list that holds `b.md` and not `c.md`."""
    desk.start(notes(NOTES))
    hits = [hit for hit in desk.search("apples") if hit.path != "c.md"]
    # Meaning and links bring every note of so small a folder: the list is cut to what the words found.
    desk.window.result_list.result_model.set_hits(hits)
    assert desk.window.select_note("a.md")
    qtbot.waitUntil(lambda: "apples are in" in desk.previewed(), timeout=5_000)
    desk.window.actions_by_key["why"].setChecked(True)
    return desk


def _why(desk) -> str:
    return "\n".join(desk.window.preview_pane.why.texts())


def test_a_link_to_a_note_of_the_list_selects_it_there(reader, qtbot):
    reader.window.link_activated.emit("[[b]]")
    qtbot.waitUntil(lambda: "apples and pears" in reader.previewed(), timeout=5_000)
    assert reader.window.result_list.current_hit().path == "b.md"
    assert "by words: apples" in _why(reader)
    assert not reader.window.preview_pane.back.isVisible()


def test_a_link_to_another_note_is_not_explained_as_if_it_had_been_found(reader, qtbot):
    reader.window.link_activated.emit("[[c]]")
    qtbot.waitUntil(lambda: "the sea" in reader.previewed(), timeout=5_000)
    assert reader.window.preview_pane.title.text() == "Third"
    assert _why(reader) == "Opened from a link; not in this list."
    assert reader.window.result_list.current_hit().path == "a.md"
    assert reader.window.preview_pane.back.isVisible()


def test_a_click_on_the_selected_row_shows_its_own_note_again(reader, qtbot):
    reader.window.link_activated.emit("[[c]]")
    qtbot.waitUntil(lambda: "the sea" in reader.previewed(), timeout=5_000)
    rows = reader.window.result_list
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.currentIndex()).center())
    qtbot.waitUntil(lambda: "apples are in" in reader.previewed(), timeout=5_000)
    assert "by words: apples" in _why(reader)


def test_back_and_forward_go_over_what_the_preview_showed(reader, qtbot):
    actions = reader.window.actions_by_key
    assert not actions["forward"].isEnabled()
    reader.window.link_activated.emit("[[c]]")
    qtbot.waitUntil(lambda: "the sea" in reader.previewed(), timeout=5_000)
    reader.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: "apples are in" in reader.previewed(), timeout=5_000)
    assert "by words: apples" in _why(reader)
    reader.press(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: "the sea" in reader.previewed(), timeout=5_000)
    assert not actions["forward"].isEnabled()
    assert actions["back"].isEnabled()


def test_a_new_search_brings_its_own_note_back(reader, qtbot):
    reader.window.link_activated.emit("[[c]]")
    qtbot.waitUntil(lambda: "the sea" in reader.previewed(), timeout=5_000)
    reader.search("pears")
    qtbot.waitUntil(lambda: "pears" in reader.previewed(), timeout=5_000)
    assert reader.window.preview_pane.title.text() == reader.window.result_list.current_hit().title
