"""Bad input is a sentence, not a traceback: exit 1, and no index is left of what never was a folder."""

import json
import os

import pytest

from app import paths


def assert_one_sentence(answer, *parts):
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("triskel: ")
    assert answer.err.count("\n") == 1, answer.err
    for part in parts:
        assert part in answer.err


@pytest.fixture(params=["index", "search", "doctor"])
def ask(request, cli):
    """Return a function that gives a folder to each command."""

    def call(folder, *rest, run=cli):
        if request.param == "search":
            return run("search", "word", "--folder", folder, *rest)
        return run(request.param, folder, *rest)

    return call


def test_a_missing_folder_is_a_sentence_and_leaves_no_index(ask, tmp_path, own_home):
    assert_one_sentence(ask(tmp_path / "nowhere"), "There is no folder", "nowhere")
    assert not own_home.exists()


def test_a_file_instead_of_a_folder_is_a_sentence(ask, tmp_path, own_home):
    file = tmp_path / "note.md"
    file.write_text("# Note\n", "utf-8")
    assert_one_sentence(ask(file), "is a file; a folder of notes is needed")
    assert not own_home.exists()


def test_a_user_that_does_not_exist_is_a_missing_folder(ask):
    assert_one_sentence(ask("~no-such-user-here/notes"), "There is no folder")


def test_a_folder_without_permission_is_a_sentence(ask, triskel, without_root_rights, tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0)

    def run(*arguments):
        return triskel(*arguments, prefix=without_root_rights)

    assert_one_sentence(ask(folder, run=run), "You have no permission to read the folder")


def test_a_home_that_may_not_be_looked_at_is_a_sentence(ask, triskel, without_root_rights, own_index):
    own_index.home.mkdir(mode=0o700)
    own_index.home.chmod(0)

    def run(*arguments):
        return triskel(*arguments, "--home", own_index.home, prefix=without_root_rights)

    answer = ask(own_index.folder, run=run)
    own_index.home.chmod(0o700)
    assert answer.code == 1
    assert "ermission" in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("asked", [["index"], ["search", "word", "--folder"]], ids=["index", "search"])
def test_an_index_folder_that_cannot_be_made_is_a_sentence(cli, tmp_path, own_index, asked):
    (tmp_path / "file").write_text("", "utf-8")
    answer = cli(*asked, own_index.folder, "--home", tmp_path / "file" / "home")
    assert_one_sentence(answer, "The index folder", "cannot be written")


def test_a_read_only_index_still_answers_and_says_that_it_is_old(cli, triskel, without_root_rights, own_index):
    assert cli("index", own_index.folder, "--home", own_index.home, "--no-meaning").code == 0
    (own_index.folder / "new.md").write_text("# Onions again\n", "utf-8")
    place = paths.places(own_index.home).index_file(own_index.folder).parent
    for file in place.iterdir():
        file.chmod(0o400)
    place.chmod(0o500)
    answer = triskel(
        "search", "onions", "--folder", own_index.folder, "--home", own_index.home, "--no-meaning",
        prefix=without_root_rights,
    )  # fmt: skip
    place.chmod(0o700)
    assert answer.code == 0, answer.err
    assert "cooking/soup.md" in answer.out
    assert "new.md" not in answer.out
    assert "The answer is from the index as it was." in answer.err


def test_an_empty_folder_is_indexed_and_searched(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    indexed = cli("index", tmp_path / "empty", "--no-meaning", "--json")
    assert indexed.code == 0
    assert json.loads(indexed.out)["notes"] == 0
    found = cli("search", "word", "--folder", tmp_path / "empty", "--no-meaning", "--format", "json")
    assert found.code == 0
    result = json.loads(found.out)
    assert (result["mode"], result["total"], result["results"]) == ("none", 0, [])
    assert result["legs"]["words"]["coverage"] == [0, 0]


def test_a_query_of_only_symbols_finds_nothing_and_says_why(cli, indexed):
    asked = ("--folder", indexed.folder, "--home", indexed.home, "--no-update", "--format", "json")
    answer = cli("search", "?!… ***", *asked)
    assert answer.code == 0
    result = json.loads(answer.out)
    assert (result["mode"], result["results"]) == ("none", [])
    assert result["message"] == "Nothing matches."
    assert {name: leg["state"] for name, leg in result["legs"].items()} == {
        "words": "ran",
        "meaning": "skipped",
        "links": "ran",
    }
    assert answer.err == "triskel: Nothing matches.\n"


@pytest.fixture
def damaged_model(monkeypatch, tmp_path):
    """Let the built-in model be one whose file is not what it should be."""
    package = tmp_path / "packages" / "damaged_model_for_tests"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", "utf-8")
    (package / "model.onnx").write_bytes(b"\x08\x07not a network")
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(paths, "_MODEL_PACKAGE", package.name)


def test_with_a_damaged_model_words_and_links_go_on_and_the_reason_is_shown(cli, own_index, damaged_model):
    place = ("--home", own_index.home)
    made = cli("index", own_index.folder, *place, "--json")
    assert made.code == 1
    assert "meaning is not complete. The model file model.onnx is damaged" in made.err
    state = json.loads(made.out)
    assert (state["notes"], state["embedded"]) == (7, 0)

    found = cli("search", "overdue tasks", "--folder", own_index.folder, *place, "--format", "json")
    assert found.code == 0
    result = json.loads(found.out)
    assert result["mode"] == "words"
    assert "overdue.md" in {hit["path"] for hit in result["results"]}
    assert result["legs"]["meaning"]["state"] == "failed"
    assert "damaged" in result["legs"]["meaning"]["reason"]
    assert result["legs"]["meaning"]["coverage"] == [0, 7]
    assert result["legs"]["links"]["state"] == "ran"
    assert found.err.startswith("triskel: meaning could not answer: The model file model.onnx is damaged")


def test_a_missing_model_package_costs_only_meaning(cli, own_index, monkeypatch):
    monkeypatch.setattr(paths, "_MODEL_PACKAGE", "no_such_package_for_tests")
    asked = ("--folder", own_index.folder, "--home", own_index.home, "--format", "json")
    answer = cli("search", "overdue", *asked)
    assert answer.code == 0
    result = json.loads(answer.out)
    assert result["mode"] == "words"
    assert "overdue.md" in {hit["path"] for hit in result["results"]}
    assert "cannot be read" in result["legs"]["meaning"]["reason"]


def damage(file):
    """Overwrite every third page of a database, but not its first ones, and forget its log."""
    data = bytearray(file.read_bytes())
    for page in range(3, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 2000] = b"\xff" * 2000
    file.write_bytes(data)
    for companion in ("-wal", "-shm"):
        file.with_name(file.name + companion).unlink(missing_ok=True)


def test_an_index_that_is_no_database_any_more_is_told_and_made_again_by_the_next_search(cli, own_index):
    asked = ("search", "overdue", "--folder", own_index.folder, "--home", own_index.home, "--no-meaning")
    before = cli(*asked).out
    file = paths.places(own_index.home).index_file(own_index.folder)
    for companion in ("-wal", "-shm"):
        file.with_name(file.name + companion).unlink(missing_ok=True)
    file.write_bytes(b"no database" * 1000)
    assert_one_sentence(cli(*asked, "--no-update"), "is damaged", "Indexing the folder")
    answer = cli(*asked)
    assert (answer.code, answer.out) == (0, before)


def test_an_index_with_damaged_pages_is_told_and_rebuild_makes_it_again(cli, own_index):
    place = ("--home", own_index.home)
    made = cli("index", own_index.folder, *place, "--no-meaning", "--json")
    damage(paths.places(own_index.home).index_file(own_index.folder))
    asked = ("search", "overdue", "--folder", own_index.folder, *place, "--no-meaning")
    assert_one_sentence(cli(*asked, "--no-update"), "is damaged", "Indexing the folder")
    again = cli("index", own_index.folder, *place, "--no-meaning", "--rebuild", "--json")
    assert (again.code, again.out) == (0, made.out), again.err
    assert "overdue.md" in cli(*asked).out
    assert cli("doctor", own_index.folder, *place).code == 0


def test_a_current_folder_that_was_deleted_is_a_sentence(cli, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        answer = cli("index", "notes")
    finally:
        os.chdir(tmp_path)  # before monkeypatch looks for where it was
    assert_one_sentence(answer, "The current folder was deleted")
