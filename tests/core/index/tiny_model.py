"""A model small enough for a test to build: each word has a vector of its own, a text has their mean or its first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WIDTH = 8
WORDS = ("[PAD]", "[UNK]", "[CLS]", "cat", "dog", "boat", "ship", "query:", "passage:")


def build_model(folder: Path, *, network: str = "model.onnx", seed: int = 1, words: Sequence[str] = WORDS) -> Path:
    """Write a model folder and return it. Words that it does not know have the vector of `[UNK]`."""
    (folder / network).parent.mkdir(parents=True, exist_ok=True)
    table = np.random.default_rng(seed).normal(size=(len(words), WIDTH)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in _INPUTS]
    outputs = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", WIDTH])]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, [numpy_helper.from_array(table, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, folder / network)
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 2)])
    tokenizer.save(str(folder / "tokenizer.json"))
    _write(folder / "tokenizer_config.json", {"model_max_length": 64, "pad_token": "[PAD]"})
    _write(folder / "config.json", {"hidden_size": WIDTH, "pad_token_id": 0})
    return folder


def state(folder: Path, file: str, value: object) -> None:
    """Write one of the JSON files that say how a model is used."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    _write(folder / file, value)


_INPUTS = ("input_ids", "attention_mask")


def _write(file: Path, value: object) -> None:
    file.write_text(json.dumps(value), "utf-8")
