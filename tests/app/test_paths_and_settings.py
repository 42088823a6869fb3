"""Where indexes and settings lie, and that neither is ever in the way of a start."""

import json
import os
import stat
import sys
from pathlib import Path

import platformdirs
import pytest

from app.paths import absolute_path, built_in_model, make_private_folder, places
from app.settings import Settings, load_settings, save_settings
from core.errors import FolderError


@pytest.fixture
def where(tmp_path):
    return places(tmp_path / "triskel-home")


def test_a_folder_by_two_spellings_has_one_index(where, tmp_path, monkeypatch):
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    spellings = [folder, folder / "deep" / "..", tmp_path / "link", Path("notes"), Path("./link/deep/..")]
    assert len({where.index_file(each) for each in spellings}) == 1
    assert where.index_file(folder) != where.index_file(folder / "deep")


def test_a_link_to_a_folder_is_indexed_once(cli, indexed, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(indexed.folder, target_is_directory=True)
    answer = cli("search", "onions", "--folder", link, "--home", indexed.home, "--no-update", "--legs", "words")
    assert answer.code == 0
    assert "cooking/soup.md" in answer.out


def test_triskel_home_holds_index_and_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("TRISKEL_HOME", str(tmp_path / "variable"))
    where = places(None)
    assert tmp_path / "variable" in where.index_file(tmp_path / "notes").parents
    assert where.settings_file.parent == tmp_path / "variable"


def test_the_home_option_goes_before_the_variable(cli, own_index, monkeypatch, tmp_path):
    monkeypatch.setenv("TRISKEL_HOME", str(tmp_path / "variable"))
    assert cli("index", own_index.folder, "--home", tmp_path / "option", "--no-meaning").code == 0
    assert places(tmp_path / "option").index_file(own_index.folder).is_file()
    assert not (tmp_path / "variable").exists()
    assert cli("index", own_index.folder, "--no-meaning").code == 0
    assert places(tmp_path / "variable").index_file(own_index.folder).is_file()


def test_without_a_home_the_systems_own_folders_are_used(monkeypatch):
    monkeypatch.delenv("TRISKEL_HOME")
    where = places(None)
    assert where.cache == platformdirs.user_cache_path("triskel", appauthor=False)
    assert where.config == platformdirs.user_config_path("triskel", appauthor=False)


def test_an_empty_variable_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("TRISKEL_HOME", "")
    monkeypatch.chdir(tmp_path)
    assert tmp_path not in places(None).settings_file.parents


def test_a_home_may_be_relative_and_start_with_a_tilde(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "me"))
    assert places(Path("here")).cache == tmp_path / "here"
    assert places(Path("~/there")).cache == tmp_path / "me" / "there"
    assert absolute_path(Path("~no-such-user-here/x")) == tmp_path / "~no-such-user-here" / "x"


def test_a_deleted_current_folder_is_a_sentence(monkeypatch, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        with pytest.raises(FolderError, match="current folder was deleted"):
            absolute_path(Path("notes"))
    finally:
        os.chdir(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_private_folders_are_private_and_existing_ones_keep_their_rights(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    make_private_folder(tmp_path / "open" / "a" / "b")
    make_private_folder(tmp_path / "open" / "a" / "b")
    modes = [stat.S_IMODE((tmp_path / each).stat().st_mode) for each in ("open", "open/a", "open/a/b")]
    assert modes == [0o755, 0o700, 0o700]


def test_a_private_folder_below_a_file_is_an_error(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(OSError, match="file"):
        make_private_folder(tmp_path / "file" / "below")


def test_the_models_files_are_there_and_its_key_names_them(where):
    loader = built_in_model(where, threads=1)
    assert loader.source.onnx.is_file()
    assert loader.key == "all-MiniLM-L6-v2-int8/384/mean/8199be6f699a395f"
    assert all((loader.source.folder / name).is_file() for name in ("tokenizer.json", "config.json"))


def test_settings_come_back_as_they_were_saved(where):
    assert load_settings(where.settings_file) == Settings()
    saved = Settings(folder="/notes/Éte/caf\udce9", geometry="01d9")
    save_settings(where.settings_file, saved)
    assert load_settings(where.settings_file) == saved
    save_settings(where.settings_file, Settings(None, "02"))
    assert load_settings(where.settings_file) == Settings(None, "02")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b'"text"', b"\xff\xfe\x00", b'{"folder": 3}', b"[" * 100_000, b'{"folder": ["x"]}'],
    ids=["empty", "cut", "a list", "null", "a string", "no UTF-8", "a number", "deep", "a list inside"],
)
def test_a_damaged_file_costs_the_settings_and_not_the_start(where, content):
    where.settings_file.parent.mkdir(parents=True)
    where.settings_file.write_bytes(content)
    assert load_settings(where.settings_file) == Settings()


def test_one_damaged_setting_leaves_the_others(where):
    where.settings_file.parent.mkdir(parents=True)
    where.settings_file.write_text(json.dumps({"folder": 3, "geometry": "01", "later": True}), "utf-8")
    assert load_settings(where.settings_file) == Settings(None, "01")


def test_settings_that_cannot_be_saved_leave_the_old_ones_whole(where, monkeypatch):
    save_settings(where.settings_file, Settings("old", None))

    def full(_self, _target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        save_settings(where.settings_file, Settings("new", None))
    assert load_settings(where.settings_file) == Settings("old", None)


def test_saving_leaves_no_second_file(where):
    save_settings(where.settings_file, Settings("a", "b"))
    assert [each.name for each in where.settings_file.parent.iterdir()] == ["settings.json"]


def test_an_index_in_plain_sight_of_the_notes_is_refused(cli, own_index):
    answer = cli("index", own_index.folder, "--home", own_index.folder / "here", "--no-meaning")
    assert answer.code == 1
    assert "never writes" in answer.err
    assert not (own_index.folder / "here").exists()


def test_an_index_in_a_dot_folder_below_the_notes_is_allowed(tmp_path):
    # Who searches all of the home folder has ~/.cache below it.
    assert places(tmp_path / ".cache" / "triskel").index_file(tmp_path)
