"""A cross-encoder small enough for a test to build: its number is the sum of a value for each word of the text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORTH: Mapping[str, float] = {"gold": 5.0, "silver": 3.0, "bronze": 1.0, "mud": -4.0}
"""Words that this cross-encoder knows, and what each adds; all others add nothing."""

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def build_cross_encoder(
    folder: Path,
    *,
    network: str = "model.onnx",
    worth: Mapping[str, float] = WORTH,
    outputs: int = 1,
    longest: int = 256,
) -> Path:
    """Write a folder with a cross-encoder and return it. It gives `outputs` numbers for a pair, all the same.

    The second text counts, the query does not: token types tell them apart, as in BERT.
    """
    (folder / network).parent.mkdir(parents=True, exist_ok=True)
    words = (*SPECIAL, *worth)
    table = np.array([0.0] * len(SPECIAL) + [worth[word] for word in words[len(SPECIAL) :]], np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["values"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["values", "second"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "axes"], ["total"], keepdims=1),
        helper.make_node("Tile", ["total", "times"], ["logits"]),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "token_type_ids", "attention_mask")
    ]
    given = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "numbers"])]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([1], np.int64), "axes"),
        numpy_helper.from_array(np.array([1, outputs], np.int64), "times"),
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, given, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, folder / network)
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    for file, value in (
        ("tokenizer_config.json", {"model_max_length": longest, "pad_token": "[PAD]"}),
        ("config.json", {"pad_token_id": 0, "num_labels": outputs}),
    ):
        (folder / file).write_text(json.dumps(value), "utf-8")
    return folder
