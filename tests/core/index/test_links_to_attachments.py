"""Links to pictures and archives lead somewhere, and take no note's place."""

from core.index.indexer import what_is_held
from core.index.reader import Reader
from core.search.results import Leg, Skipped
from core.search.search import SearchRequest, search

NOTES = {
    "trip.md": "# Trip\n\nThe harbour: ![[harbour.png]], [tickets](files/tickets.zip), [[boat]], ![[lost.png]]\n",
    "boat.md": "# Boat\n\nA small one, seen from ![[harbour.png]].\n",
}
FILES = {"pictures/harbour.png": "x", "files/tickets.zip": "x"}


def counts(reader) -> tuple[int, int, int]:
    seen = reader.coverage()
    return seen.links, seen.links_resolved, seen.links_to_attachments


def test_links_to_attachments_are_counted_apart_from_those_to_notes(write, reader, index_file):
    write(NOTES | FILES)
    assert counts(reader()) == (5, 1, 3)
    assert what_is_held(index_file).resolved_links == 1


def test_attachments_take_no_part_in_the_links_leg(write, reader):
    write(NOTES | FILES)
    opened = reader()
    result = search(opened, Skipped("no model"), SearchRequest("trip"))
    assert sorted(hit.path for hit in result.hits) == ["boat.md", "trip.md"]
    assert result.legs[Leg.LINKS].notes == 1


def test_who_uses_a_picture_can_be_asked(write, reader):
    write(NOTES | FILES)
    opened = reader()
    result = search(opened, Skipped("no model"), SearchRequest("link:harbour.png"))
    assert sorted(hit.path for hit in result.hits) == ["boat.md", "trip.md"]


def test_a_click_on_a_link_to_a_picture_finds_it(write, reader):
    write(NOTES | FILES)
    found = reader().linked_note("trip.md", ("harbour.png",))
    assert found is not None
    assert found.path == "pictures/harbour.png"


def test_links_follow_attachments_that_come_change_and_go(write, update, folder, index_file):
    def counts_now() -> tuple[int, int, int]:
        # Closed before the next run, which would wait for an open snapshot to be able to shorten its log.
        update()
        opened = Reader(index_file)
        try:
            return counts(opened)
        finally:
            opened.close()

    write(NOTES)
    assert counts_now() == (5, 1, 0)
    write(FILES)
    assert counts_now() == (5, 1, 3)
    write({"files/tickets.zip": "longer than before"})
    assert counts_now() == (5, 1, 3)
    (folder / "pictures" / "harbour.png").unlink()
    assert counts_now() == (5, 1, 1)
    assert update().fingerprint == update(rebuild=True).fingerprint
    assert counts_now() == (5, 1, 1)
