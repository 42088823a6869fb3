"""What lies in a folder that holds an embedding model: which files, how its vectors are made. Reads, runs nothing.

The layout is that of models for sentence-transformers and of their ONNX exports: `tokenizer.json`,
`tokenizer_config.json`, `config.json`, the network as `model.onnx` (also below `onnx/`), and where they are given
`1_Pooling/config.json`, `2_Normalize` (we always normalise) and `config_sentence_transformers.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.errors import ModelError
from core.index.embedding import ModelSource, Pooling

NETWORKS = (
    "model.onnx",
    "onnx/model.onnx",
    "model_optimized.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "onnx/model_int8.onnx",
)
"""Where the network is looked for, in this order; else the only file that ends in .onnx."""

NEEDED = ("tokenizer.json", "tokenizer_config.json")
_WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")
_QUERY_PROMPTS = ("query", "s2p_query")
_PASSAGE_PROMPTS = ("document", "passage")
_POOLING = {"pooling_mode_cls_token": Pooling.CLS, "pooling_mode_mean_tokens": Pooling.MEAN}
_LARGEST_JSON = 1024 * 1024


def model_in_folder(folder: Path, digest: Callable[[Path], str] | None = None) -> ModelSource:
    """Return the model that lies in `folder`; its checksum is that of its files as they are now.

    `digest` stands in for `digest_of` where checksums are remembered.

    Raises:
        ModelError: something is missing, or the model makes its vectors in a way that is not built in; the sentence
            says what.
    """
    check_folder(folder)
    network = network_in(folder)
    pooling, width = _pooling(folder)
    files = [network, *(folder / name for name in NEEDED)]
    prompts = _object(folder / "config_sentence_transformers.json").get("prompts")
    return ModelSource(
        name=folder.resolve().name,
        dimensions=width,
        onnx=network,
        folder=folder,
        # That of the network alone would miss another tokenizer.
        sha256=hashlib.sha256("".join(map(digest or digest_of, files)).encode()).hexdigest(),
        pooling=pooling,
        query_prompt=_prompt(prompts, _QUERY_PROMPTS),
        passage_prompt=_prompt(prompts, _PASSAGE_PROMPTS),
        checked=False,
    )


def check_folder(folder: Path) -> None:
    """Raise ModelError where there is no such folder, or it lacks a file that every model needs."""
    if not folder.is_dir():
        raise ModelError(f"There is no folder {folder} to take a model from.")
    for name in NEEDED:
        if not (folder / name).is_file():
            raise ModelError(f"The folder {folder} holds no {name}. A model folder needs it.")


def network_in(folder: Path) -> Path:
    """Return the file of the network in a model folder; raises ModelError unless it is plain which one that is."""
    for name in NETWORKS:
        if (folder / name).is_file():
            return folder / name
    others = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
    if len(others) == 1:
        return others[0]
    if not others:
        raise ModelError(f"The folder {folder} holds no model.onnx. Triskel runs models in ONNX form.")
    raise ModelError(f"The folder {folder} holds {len(others)} networks. Name the one to use model.onnx.")


def _pooling(folder: Path) -> tuple[Pooling, int]:
    """Return how a text's vector is made of its tokens' vectors, and its length."""
    stated = _object(folder / "1_Pooling" / "config.json")
    chosen = [key for key, value in stated.items() if key.startswith("pooling_mode_") and value is True]
    if any(key not in _POOLING for key in chosen) or len(chosen) > 1:
        raise ModelError(
            f"The model in {folder} makes its vectors by {', '.join(sorted(chosen))}. Triskel knows the mean of the "
            "tokens and the first token."
        )
    config = _object(folder / "config.json")
    widths = [stated.get("word_embedding_dimension"), *(config.get(key) for key in _WIDTHS)]
    width = next((value for value in widths if isinstance(value, int) and value > 0), None)
    if width is None:
        raise ModelError(f"The folder {folder} does not say how long the model's vectors are (config.json).")
    return (_POOLING[chosen[0]] if chosen else Pooling.MEAN), width


def _prompt(prompts: object, names: tuple[str, ...]) -> str:
    if not isinstance(prompts, dict):
        return ""
    return next((prompts[name] for name in names if isinstance(prompts.get(name), str)), "")


def _object(file: Path) -> dict[str, Any]:
    """Return a JSON object; an empty one where there is no such file.

    Raises:
        ModelError: it is there and is none.
    """
    try:
        if not file.is_file():
            return {}
        with file.open("rb") as opened:
            value = json.loads(opened.read(_LARGEST_JSON))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"The model's file {file} cannot be read: {error}.") from error
    return value if isinstance(value, dict) else {}


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file; half a second for a network of 500 MB.

    Raises:
        ModelError: it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"The model file {file} cannot be read: {error.strerror}.") from error
