"""The chosen model: the same for the window and the command line, never replaced in silence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import app.models
from app.models import chosen_model
from app.paths import Places, built_in_model, places
from app.settings import Settings, save_settings
from core.errors import ModelError
from tests.core.index.tiny_model import WIDTH, build_model


@pytest.fixture
def where(own_home: Path) -> Places:
    return places(own_home)


def choose(where: Places, folder: Path | None) -> None:
    save_settings(where.settings_file, Settings(model=None if folder is None else str(folder)))


def test_without_a_choice_it_is_the_built_in_model(where):
    assert chosen_model(where, threads=1) == built_in_model(where, threads=1)


def test_a_chosen_folder_is_used(where, tmp_path):
    choose(where, build_model(tmp_path / "tiny"))
    assert chosen_model(where, threads=1).load().embed_query("cat").shape == (WIDTH,)


def test_a_choice_that_has_gone_is_not_replaced_and_says_why_when_it_is_needed(where, tmp_path):
    choose(where, tmp_path / "gone")
    loader = chosen_model(where, threads=1)
    assert loader.key != built_in_model(where, threads=1).key
    with pytest.raises(ModelError, match="There is no folder"):
        loader.load()


def test_files_are_summed_once_and_again_when_they_change(where, tmp_path, monkeypatch):
    summed: list[Path] = []
    real = app.models.digest_of
    monkeypatch.setattr(app.models, "digest_of", lambda file: summed.append(file) or real(file))
    folder = build_model(tmp_path / "tiny")
    choose(where, folder)
    first = chosen_model(where, threads=1).key
    assert (len(summed), chosen_model(where, threads=2).key, len(summed)) == (3, first, 3)
    (folder / "tokenizer.json").write_text((folder / "tokenizer.json").read_text() + "\n")
    assert chosen_model(where, threads=1).key != first
    assert summed[3:] == [folder / "tokenizer.json"]
    kept = json.loads((where.cache / "models" / "checksums.json").read_text())
    assert len(kept) == 3


@pytest.mark.parametrize("content", ["", "[]", '{"x": 3}', "[" * 100_000])
def test_damaged_checksums_cost_only_time(where, tmp_path, content):
    choose(where, build_model(tmp_path / "tiny"))
    key = chosen_model(where, threads=1).key
    (where.cache / "models" / "checksums.json").write_text(content)
    assert chosen_model(where, threads=1).key == key


def test_the_command_line_uses_the_chosen_model_and_words_go_on_without_it(cli, where, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("a cat on a boat", "utf-8")
    folder = build_model(tmp_path / "tiny")
    choose(where, folder)
    found = json.loads(cli("search", "cat", "--folder", notes, "--format", "json").out)
    assert found["mode"] == "hybrid"
    assert found["legs"]["meaning"]["model"]["name"] == "tiny"
    assert found["legs"]["meaning"]["model"]["dimensions"] == WIDTH
    folder.rename(tmp_path / "moved")
    answer = cli("search", "cat", "--folder", notes, "--format", "json")
    found = json.loads(answer.out)
    assert (found["mode"], found["total"]) == ("words", 1)
    assert "There is no folder" in found["legs"]["meaning"]["reason"]


def test_opening_another_folder_keeps_the_choice(where, tmp_path):
    settings = Settings(folder="a", geometry="01", model="m")
    save_settings(where.settings_file, replace(settings, folder="b"))
    assert json.loads(where.settings_file.read_text())["model"] == "m"
