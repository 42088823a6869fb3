"""Models from a folder: found, read as they ask to be read, and never mixed up."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelError
from core.index.embedding import EmbeddingModel, ModelLoader, Pooling
from core.index.indexer import update_index
from core.index.model_folder import model_in_folder
from core.index.reader import Reader
from tests.core.index.tiny_model import WIDTH, build_model, state


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return build_model(tmp_path / "tiny")


def load(folder: Path, tmp_path: Path) -> EmbeddingModel:
    return ModelLoader(model_in_folder(folder), tmp_path / "cache", 1).load()


def test_a_model_is_loaded_and_gives_unit_vectors_of_its_own_length(place, tmp_path):
    vector = load(place, tmp_path).embed_query("cat dog")
    assert vector.shape == (WIDTH,)
    assert np.linalg.norm(vector) == pytest.approx(1)


@pytest.mark.parametrize("network", ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "odd-name.onnx"])
def test_the_network_is_found_where_exports_put_it(tmp_path, network):
    assert model_in_folder(build_model(tmp_path / "m", network=network)).onnx == tmp_path / "m" / network


def test_the_first_token_alone_counts_where_the_model_says_so(place, tmp_path):
    mean = load(place, tmp_path).embed_query("cat dog")
    state(place, "1_Pooling/config.json", {"word_embedding_dimension": WIDTH, "pooling_mode_cls_token": True})
    source = model_in_folder(place)
    assert source.pooling is Pooling.CLS
    model = load(place, tmp_path)
    # Every text begins with the same first token, so all texts are one.
    assert np.array_equal(model.embed_query("cat"), model.embed_query("ship boat"))
    assert not np.allclose(mean, model.embed_query("cat dog"))


def test_prompts_stand_before_queries_and_passages(place, tmp_path):
    plain = load(place, tmp_path)
    expected = plain.embed_query("query: cat"), plain.embed_query("passage: cat")
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    state(place, "config_sentence_transformers.json", prompts)
    model = load(place, tmp_path)
    assert np.array_equal(model.embed_query("cat"), expected[0])
    assert np.array_equal(model.embed_passage("cat"), expected[1])


def test_whatever_changes_vectors_changes_the_key(place, tmp_path):
    keys = {model_in_folder(place).key}
    state(place, "config_sentence_transformers.json", {"prompts": {"query": "query: "}})
    keys.add(model_in_folder(place).key)
    state(place, "1_Pooling/config.json", {"pooling_mode_cls_token": True})
    keys.add(model_in_folder(place).key)
    (place / "tokenizer.json").write_text((place / "tokenizer.json").read_text() + "\n")
    keys.add(model_in_folder(place).key)
    keys.add(model_in_folder(build_model(tmp_path / "other" / "tiny", seed=2)).key)
    assert len(keys) == 5


def test_the_key_does_not_depend_on_the_place(place, tmp_path):
    moved = tmp_path / "elsewhere" / "tiny"
    shutil.copytree(place, moved)
    assert model_in_folder(moved).key == model_in_folder(place).key


def test_two_models_of_one_name_are_used_side_by_side(place, tmp_path):
    one = load(place, tmp_path)
    other = load(build_model(tmp_path / "b" / "tiny", seed=2), tmp_path)
    assert not np.allclose(one.embed_query("cat"), other.embed_query("cat"))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (shutil.rmtree, "There is no folder"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "holds no tokenizer.json"),
        (lambda folder: (folder / "model.onnx").unlink(), "holds no model.onnx"),
        (lambda folder: (folder / "config.json").unlink(), "does not say how long"),
        (lambda folder: (folder / "config.json").write_text("{"), "cannot be read"),
        (lambda folder: (folder / "config.json").write_text('{"hidden_size": "8"}'), "does not say how long"),
        (lambda folder: state(folder, "1_Pooling/config.json", {"pooling_mode_max_tokens": True}), "max_tokens"),
        (
            lambda folder: [(folder / "model.onnx").rename(folder / "a.onnx"), (folder / "b.onnx").touch()],
            "holds 2 networks",
        ),
    ],
    ids=["gone", "no tokenizer", "no network", "no width", "cut", "odd width", "odd pooling", "two networks"],
)
def test_a_folder_that_is_no_usable_model_says_what_is_wrong(place, spoil, said):
    spoil(place)
    with pytest.raises(ModelError, match=said):
        model_in_folder(place)


@pytest.mark.parametrize("content", [b"", b"no network at all"], ids=["empty", "garbage"])
def test_a_network_that_cannot_be_run_is_a_sentence(place, tmp_path, content):
    (place / "model.onnx").write_bytes(content)
    with pytest.raises(ModelError, match="could not be loaded"):
        load(place, tmp_path)


def test_a_width_that_is_not_the_model_s_is_found_at_the_first_text(place, tmp_path):
    state(place, "config.json", {"hidden_size": WIDTH + 1, "pad_token_id": 0})
    with pytest.raises(ModelError, match="vectors that cannot be used"):
        load(place, tmp_path).embed_query("cat")


def test_another_model_never_sees_the_vectors_of_the_first_and_going_back_costs_nothing(
    place, tmp_path, write, folder, index_file, monkeypatch
):
    write({"a.md": "cat dog", "b.md": "boat ship"})
    first = ModelLoader(model_in_folder(place), tmp_path / "cache", 1)
    second = ModelLoader(model_in_folder(build_model(tmp_path / "b" / "tiny", seed=2)), tmp_path / "cache", 1)
    for loader in (first, second):
        assert update_index(folder, index_file, loader).embedded == 2
        reader = Reader(index_file)
        reader.begin()
        other = second if loader is first else first
        assert len(reader.vectors(loader.key, WIDTH).passages) == 2
        assert len(reader.vectors(other.key, WIDTH).passages) == 0
        reader.end()
        reader.close()
    embedded: list[str] = []
    monkeypatch.setattr(EmbeddingModel, "embed_passages", lambda _self, texts: iter(embedded.extend(texts) or ()))
    report = update_index(folder, index_file, first)
    assert (report.embedded, embedded) == (2, [])


def test_a_folder_that_was_moved_is_loaded_from_where_it_is_now(tmp_path):
    first = build_model(tmp_path / "tiny", seed=77)
    vector = load(first, tmp_path).embed_query("cat")
    moved = tmp_path / "elsewhere" / "tiny"
    moved.parent.mkdir()
    first.rename(moved)
    assert (load(moved, tmp_path).embed_query("cat") == vector).all()
