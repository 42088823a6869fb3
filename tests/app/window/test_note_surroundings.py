"""What lies around the note in the preview, in the real window."""

import pytest

NOTES = {
    "apple.md": "# Apple\n\nA fruit for cider. See [[pear]].\n",
    "pear.md": "# Pear\n\nA fruit for perry. See [[stone]].\n",
    "stone.md": "# Stone\n\nGranite and slate.\n",
}


@pytest.fixture
def around(desk, notes):
    desk.start(notes(NOTES))
    desk.search("perry")
    panel = desk.window.preview_pane.around
    desk.qtbot.waitUntil(lambda: "perry" in desk.previewed())
    return panel


def names(panel) -> list[str]:
    return [row.accessibleName() for row in panel.rows()]


def test_an_open_panel_names_links_both_ways_and_what_is_near_in_meaning(desk, around):
    around.button.click()
    desk.qtbot.waitUntil(lambda: len(around.rows()) >= 4)
    assert names(around)[:2] == ["Stone, stone.md", "Apple, apple.md"]
    assert sorted(names(around)[2:]) == ["Apple, apple.md", "Stone, stone.md"]


def test_a_note_beside_another_is_shown_by_a_click_and_back_leads_back(desk, around):
    around.button.click()
    desk.qtbot.waitUntil(lambda: len(around.rows()) >= 4)
    around.rows()[0].click()
    desk.qtbot.waitUntil(lambda: "Granite" in desk.previewed())
    desk.qtbot.waitUntil(lambda: names(around)[:1] == ["Pear, pear.md"])
    desk.window.actions_by_key["back"].trigger()
    desk.qtbot.waitUntil(lambda: "perry" in desk.previewed())


def test_a_closed_panel_looks_for_nothing(desk, around):
    assert around.rows() == []
