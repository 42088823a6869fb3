"""An index that could not be used is made again, and whoever asked is told in one sentence."""

from __future__ import annotations

import apsw
import pytest

from app.cli_index import MADE_AGAIN, RENEWED
from app.paths import places
from tests.app.conftest import NOTES, write_notes


def be_damaged(file):
    file.write_bytes(b"no index at all " * 400)


def be_older(file):
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize(("spoil", "sentence"), [(be_damaged, MADE_AGAIN), (be_older, RENEWED)])
@pytest.mark.parametrize("command", ["index", "search"])
def test_an_index_that_was_made_again_is_told_once(triskel, tmp_path, spoil, sentence, command):
    folder, home = write_notes(tmp_path / "notes"), tmp_path / "home"
    asked = {
        "index": ("index", folder, "--home", home, "--no-meaning"),
        "search": ("search", "tasks", "--folder", folder, "--home", home, "--no-meaning", "--format", "json"),
    }[command]
    first = triskel(*asked)
    assert first.err == ""
    spoil(places(home).index_file(folder))
    again = triskel(*asked)
    assert again.code == 0
    assert again.err == f"triskel: {sentence}\n"
    if command == "search":
        assert again.out == first.out
    else:
        assert f"{len(NOTES)} notes" in again.out
    assert triskel(*asked).err == ""
