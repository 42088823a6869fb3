"""A folder that is not there, or suddenly holds nothing: its index is kept, asked, and emptied only for who insists."""

import shutil

import pytest


@pytest.fixture
def many(tmp_path, write_many, cli):
    """A folder of thirty notes with an index, and the options that say where it is."""
    folder = write_many(tmp_path / "notes", 30)
    options = ("--home", tmp_path / "home", "--no-meaning")
    assert cli("index", folder, *options).code == 0
    return folder, options


def test_a_folder_that_suddenly_holds_nothing_keeps_its_index_and_says_how_to_insist(cli, many):
    folder, options = many
    shutil.rmtree(folder)
    folder.mkdir()
    answer = cli("index", folder, *options)
    assert answer.code == 1
    assert "holds nothing now, and its index 30 files" in answer.err
    assert "A disk that is not mounted looks like this, so the index was kept as it is." in answer.err
    assert "“triskel index FOLDER --rebuild”" in answer.err
    found = cli("search", "note", "--folder", folder, *options)
    assert found.code == 0
    assert "n0001.md" in found.out
    assert "The answer is from the index as it was." in found.err
    insisting = cli("index", folder, *options, "--rebuild")
    assert insisting.code == 0
    assert insisting.out.startswith("0 notes")


def test_a_folder_that_is_not_there_is_searched_by_its_index(cli, many, tmp_path):
    folder, options = many
    folder.rename(tmp_path / "unplugged")
    found = cli("search", "note", "--folder", folder, *options)
    assert found.code == 0
    assert "n0001.md" in found.out
    assert "There is no folder" in found.err
    assert "The answer is from the index as it was." in found.err
    (tmp_path / "unplugged").rename(folder)
    assert "(nothing new)" in cli("index", folder, *options).out


def test_an_index_is_not_emptied_by_indexing_a_folder_that_is_not_there(cli, many, tmp_path):
    folder, options = many
    folder.rename(tmp_path / "unplugged")
    answer = cli("index", folder, *options, "--rebuild")
    assert answer.code == 1
    assert "There is no folder" in answer.err
    (tmp_path / "unplugged").rename(folder)
    assert "(nothing new)" in cli("index", folder, *options).out
