"""Loading a cross-encoder from a folder or by name, and what it says of a query and a text; never from the network."""

from __future__ import annotations

import random
import shutil
import socket
from pathlib import Path

import pytest

from core.errors import ModelError
from core.search.cross_encoder import CrossEncoder, cross_encoder_in_folder, fetched_folder
from tests.core.search.tiny_cross_encoder import build_cross_encoder

NAMED = "Xenova/ms-marco-MiniLM-L-6-v2"
TEXTS = ("gold", "gold and silver", "mud", "a bronze bowl of mud", "nothing of worth", "")


@pytest.fixture
def no_socket(monkeypatch):
    """Let no socket be made at all, and tell of every try, caught or not."""
    import fastembed  # noqa: F401 - a library of its own looks at its import whether there is IPv6, by making a socket

    tried: list[object] = []

    def refuse(*given: object, **options: object) -> None:
        tried.append((given, options))
        raise OSError("no socket in this test")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.delenv("HF_HUB_OFFLINE")  # which alone would keep it quiet
    yield tried
    assert tried == []


def loaded(folder: Path, cache: Path) -> CrossEncoder:
    return CrossEncoder(cross_encoder_in_folder(folder), cache_folder=cache)


def cached_by_name(cache: Path) -> Path:
    """Lay a tiny cross-encoder where a download of the named one would have left it."""
    repository = cache / f"models--{NAMED.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0" * 40)
    return build_cross_encoder(repository / "snapshots" / ("0" * 40), network="onnx/model.onnx")


def test_a_pair_gets_the_networks_number(tmp_path):
    encoder = loaded(build_cross_encoder(tmp_path / "tiny"), tmp_path / "cache")
    assert [encoder.score("gold mud", text) for text in TEXTS] == [5.0, 8.0, -4.0, -3.0, 0.0, 0.0]
    assert encoder.model.name == "tiny"


@pytest.mark.parametrize("network", ["onnx/model.onnx", "other.onnx"])
def test_the_network_is_found_where_exports_put_it(tmp_path, network):
    encoder = loaded(build_cross_encoder(tmp_path / "tiny", network=network), tmp_path / "cache")
    assert encoder.score("q", "silver") == 3.0


def test_loading_and_scoring_open_no_socket(tmp_path, no_socket):
    assert loaded(build_cross_encoder(tmp_path / "tiny"), tmp_path / "cache").score("q", "gold") == 5.0


def test_a_text_longer_than_the_network_reads_is_cut(tmp_path):
    encoder = loaded(build_cross_encoder(tmp_path / "tiny", longest=16), tmp_path / "cache")
    assert encoder.score("q", "word " * 500 + "gold") == 0.0


def test_a_pairs_number_depends_on_nothing_that_was_read_before_or_beside_it(tmp_path):
    encoder = loaded(build_cross_encoder(tmp_path / "tiny", worth={"gold": 0.1, "silver": 0.7, "mud": -0.3}), tmp_path)
    alone = {text: encoder.score("q", text).hex() for text in TEXTS}
    chance = random.Random(3)
    for _ in range(5):
        order = chance.sample(TEXTS, len(TEXTS))
        assert {text: encoder.score("q", text).hex() for text in order} == alone


def test_files_that_change_make_another_name_under_the_same_folder(tmp_path):
    folder = build_cross_encoder(tmp_path / "tiny")
    first = loaded(folder, tmp_path)
    build_cross_encoder(folder, worth={"gold": -1.0})
    second = loaded(folder, tmp_path)
    assert first.model.name == second.model.name
    assert first.model.sha256 != second.model.sha256
    assert (first.score("q", "gold"), second.score("q", "gold")) == (5.0, -1.0)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("tokenizer.json", "holds no tokenizer.json"),
        ("tokenizer_config.json", "holds no tokenizer_config.json"),
        ("model.onnx", "holds no model.onnx"),
    ],
)
def test_a_missing_file_is_named(tmp_path, missing, said):
    folder = build_cross_encoder(tmp_path / "tiny")
    (folder / missing).unlink()
    with pytest.raises(ModelError, match=said):
        cross_encoder_in_folder(folder)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelError, match="There is no folder"):
        cross_encoder_in_folder(tmp_path / "gone")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_a_sentence(tmp_path, file):
    folder = build_cross_encoder(tmp_path / "tiny")
    (folder / file).write_bytes(b"\x00broken")
    with pytest.raises(ModelError, match="The reranker tiny could not be loaded"):
        loaded(folder, tmp_path / "cache")


def test_a_network_that_gives_two_numbers_is_no_reranker(tmp_path):
    encoder = loaded(build_cross_encoder(tmp_path / "tiny", outputs=2), tmp_path / "cache")
    with pytest.raises(ModelError, match="gave 1 × 2 numbers for a query and a text, where one was expected"):
        encoder.score("q", "gold")


def test_a_named_one_is_taken_from_the_cache_without_a_socket(tmp_path, no_socket):
    cached_by_name(tmp_path)
    folder, network = fetched_folder(NAMED.lower(), tmp_path)
    source = cross_encoder_in_folder(folder, name=NAMED, network=network)
    assert CrossEncoder(source, cache_folder=tmp_path).score("q", "silver") == 3.0
    assert source.name == NAMED


def test_a_named_one_that_is_not_here_says_how_to_fetch_it_and_opens_no_socket(tmp_path, no_socket, capsys):
    with pytest.raises(ModelError, match=r"is not on this machine\. With --allow-download .* fetches it \(80 MB\)"):
        fetched_folder(NAMED, tmp_path)
    assert capsys.readouterr() == ("", "")


def test_a_cache_without_the_network_counts_as_not_here(tmp_path, no_socket):
    shutil.rmtree(cached_by_name(tmp_path) / "onnx")
    with pytest.raises(ModelError, match="is not on this machine"):
        fetched_folder(NAMED, tmp_path)


@pytest.mark.parametrize("allowed", [True, False])
def test_only_consent_lets_files_be_fetched(tmp_path, monkeypatch, allowed):
    from fastembed.common.model_management import ModelManagement

    asked = []
    monkeypatch.setattr(
        ModelManagement, "download_model", lambda *_given, **options: asked.append(options) or tmp_path / "fetched"
    )
    fetched_folder(NAMED, tmp_path, allow_download=allowed)
    assert [options["local_files_only"] for options in asked] == [not allowed]


def test_what_cannot_be_fetched_is_a_sentence(tmp_path, monkeypatch):
    from fastembed.common.model_management import ModelManagement

    def fail(*_given, **_options):
        raise OSError("the cable is out")

    monkeypatch.setattr(ModelManagement, "download_model", fail)
    with pytest.raises(ModelError, match="could not be fetched: the cable is out"):
        fetched_folder(NAMED, tmp_path, allow_download=True)


def test_a_name_that_nobody_knows_is_said(tmp_path, no_socket):
    with pytest.raises(ModelError, match="no reranker of that name is known"):
        fetched_folder("nobody/nothing", tmp_path)
