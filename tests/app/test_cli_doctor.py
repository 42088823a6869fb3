"""`triskel doctor`: the state of an index that is sound, missing, behind, or damaged."""

import json

import pytest

from app.paths import places


@pytest.fixture
def doctor(cli):
    """Return a function that asks for the state as JSON, with the exit code."""

    def call(made, *, folder=True):
        answer = cli("doctor", *([made.folder] if folder else []), "--home", made.home, "--json")
        return answer.code, json.loads(answer.out)

    return call


def test_a_sound_index_is_told_with_its_counts(doctor, cli, indexed):
    code, state = doctor(indexed)
    assert code == 0
    assert (state["sound"], state["integrity"], state["state"]) == (True, "ok", "up to date")
    assert (state["folder"], state["notes"], state["passages"]) == (str(indexed.folder), 7, 7)
    assert state["links"] == {"all": 4, "resolved": 4, "to_attachments": 0, "unresolved": 0, "ambiguous": 0}
    assert state["coverage"] == {"words": [7, 7], "meaning": [7, 7], "links": [4, 4]}
    assert (state["unread"], state["hidden"], state["attachments"], state["problems"]) == (0, {}, 0, [])
    assert state["model"].startswith("all-MiniLM-L6-v2-int8/384/")
    assert state["size_bytes"] > 0
    report = json.loads(cli("index", indexed.folder, "--home", indexed.home, "--json").out)
    assert state["fingerprint"] == report["fingerprint"]
    text = cli("doctor", indexed.folder, "--home", indexed.home).out
    assert "integrity    ok" in text
    assert "meaning      sees 7 of 7" in text


def test_a_folder_without_an_index_is_told_and_is_no_fault(doctor, cli, own_index):
    code, state = doctor(own_index)
    assert code == 0
    assert "no index yet" in state["state"]
    assert (state["notes"], state["integrity"], state["fingerprint"]) == (0, None, None)
    assert "no index yet" in cli("doctor", own_index.folder, "--home", own_index.home).out
    assert not own_index.home.exists()


def test_the_keys_are_the_same_whatever_the_state(doctor, indexed, own_index):
    assert list(doctor(indexed)[1]) == list(doctor(own_index)[1])


def test_without_a_folder_every_index_is_told(doctor, cli, own_index, tmp_path):
    assert doctor(own_index, folder=False) == (0, {"indexes": []})
    assert cli("doctor", "--home", own_index.home).out == "No folder is indexed yet.\n"
    second = tmp_path / "second"
    second.mkdir()
    for folder in (own_index.folder, second):
        cli("index", folder, "--home", own_index.home, "--no-meaning")
    code, state = doctor(own_index, folder=False)
    assert code == 0
    assert {each["folder"]: each["notes"] for each in state["indexes"]} == {str(own_index.folder): 7, str(second): 0}


def test_what_changed_since_the_last_run_is_counted(doctor, cli, own_index):
    cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    (own_index.folder / "queries.md").unlink()
    (own_index.folder / "new.md").write_text("# New\n", "utf-8")
    (own_index.folder / ".hidden.md").write_text("# Hidden\n", "utf-8")
    _, state = doctor(own_index)
    assert state["state"] == "1 file to read and 1 gone since the last run"
    assert state["hidden"] == {"name begins with a dot": 1}


def test_what_is_left_aside_is_told_by_reason_beside_the_attachments(doctor, cli, own_index):
    cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    for name in ("picture.png", "drawn.svg", "note.md~", "old.log"):
        (own_index.folder / name).write_text("x", "utf-8")
    (own_index.folder / ".gitignore").write_text("*.log\n", "utf-8")
    _, state = doctor(own_index)
    assert state["attachments"] == 2
    assert list(state["hidden"].items()) == [
        ("editor and temporary files", 1),
        ("name begins with a dot", 1),
        ("named by .gitignore", 1),
    ]
    text = cli("doctor", own_index.folder, "--home", own_index.home).out
    assert "  attachments  2\n  hidden       3 files and folders\n    1: editor and temporary files\n" in text


def test_words_and_links_without_vectors_are_up_to_date_and_say_what_is_not(doctor, cli, own_index):
    cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    code, state = doctor(own_index)
    assert (code, state["sound"]) == (0, True)
    assert state["coverage"]["meaning"] == [0, 7]
    assert state["state"] == "up to date for words and links; meaning is not complete"


def test_a_file_that_could_not_be_read_is_listed_with_its_reason(doctor, cli, own_index):
    (own_index.folder / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00")
    cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    _, state = doctor(own_index)
    assert state["unread"] == 1
    assert [each["path"] for each in state["problems"]] == ["picture.md"]
    reason = state["problems"][0]["reason"]
    assert f"    'picture.md': {reason}" in cli("doctor", own_index.folder, "--home", own_index.home).out


@pytest.mark.parametrize("whole", [True, False], ids=["no database", "damaged pages"])
def test_a_damaged_index_is_told_and_is_a_failure(doctor, cli, own_index, whole):
    cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    file = places(own_index.home).index_file(own_index.folder)
    data = bytearray(file.read_bytes())
    if whole:
        data[:100] = b"x" * 100
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 3000] = b"\xff" * 3000
    for companion in ("-wal", "-shm"):
        file.with_name(file.name + companion).unlink(missing_ok=True)
    file.write_bytes(data)
    code, state = doctor(own_index)
    assert (code, state["sound"]) == (1, False)
    assert "is damaged" in state["state"]
    answer = cli("doctor", own_index.folder, "--home", own_index.home)
    assert answer.code == 1
    assert "is damaged" in answer.out
    assert cli("doctor", "--home", own_index.home).code == 1


def test_a_folder_that_is_gone_is_told_beside_its_index(doctor, cli, own_index):
    cli("index", own_index.folder, "--home", own_index.home, "--no-meaning")
    own_index.folder.rename(own_index.folder.with_name("elsewhere"))
    code, state = doctor(own_index, folder=False)
    assert code == 1
    assert state["indexes"][0]["notes"] == 7
    assert "There is no folder" in state["indexes"][0]["state"]
