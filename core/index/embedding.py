"""The embedding model, run by fastembed from files on this machine, never from the network.

Depends on fastembed and ONNX Runtime, which are imported only when a model is loaded: they take half a second.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelError
from core.index.vectors import VECTOR_TYPE
from core.search.results import ModelName

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.rerank.cross_encoder import TextCrossEncoder

FastembedModel = TypeVar("FastembedModel", "TextEmbedding", "TextCrossEncoder")

BATCH_TOKENS = 1_024
"""Tokens of a batch, padding included. Bigger batches win no time and cost memory: 64 passages of 512 took 5 GB."""


class Encoder(Protocol):
    """What the meaning leg needs of a model."""

    @property
    def model(self) -> ModelName:
        """Which model it is."""

    @property
    def key(self) -> str:
        """The name under which the index keeps this model's vectors."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of `text`, shape (dimensions,); raises ModelError."""


class Pooling(StrEnum):
    """How a text's vector is made of those of its tokens."""

    MEAN = "mean"
    CLS = "cls"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """Where a model's files lie, and the checksum that they must have.

    `onnx` is the network; `folder` holds tokenizer.json, tokenizer_config.json and, where there are any,
    special_tokens_map.json and config.json. The prompts stand before every query and every passage. `checked` says
    whether the checksum is known beforehand and must fit; else it was taken of the files themselves and names them.
    """

    name: str
    dimensions: int
    onnx: Path
    folder: Path
    sha256: str
    pooling: Pooling = Pooling.MEAN
    query_prompt: str = ""
    passage_prompt: str = ""
    checked: bool = True

    @property
    def key(self) -> str:
        """The name under which vectors of this model are kept; other files or another way to use them, other name."""
        name = f"{self.name}/{self.dimensions}/{self.pooling}/{self.sha256[:16]}"
        if self.query_prompt or self.passage_prompt:
            prompts = hashlib.sha256(repr((self.query_prompt, self.passage_prompt)).encode()).hexdigest()
            name += f"/{prompts[:8]}"
        return name


class EmbeddingModel:
    """A loaded model. One session may be used from several threads."""

    def __init__(self, source: ModelSource, *, cache_folder: Path, threads: int) -> None:
        """Load the model at `source`; takes about a second.

        Raises:
            ModelError: a file is missing, is not the one it should be, or cannot be run.
        """
        self.model = ModelName(source.name, source.dimensions, source.sha256)
        self.key = source.key
        self._source = source
        self._embedding = _load(source, cache_folder, threads)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of `text`, shape (dimensions,)."""
        vector: NDArray[np.float32] = self._embed([self._source.query_prompt + text])[0]
        return vector

    def embed_passage(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of one passage, shape (dimensions,)."""
        return next(vector for _position, vector in self.embed_passages([text]))

    def embed_passages(self, texts: Sequence[str]) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Yield (position in `texts`, unit vector), shortest texts first, a batch at a time."""
        texts = [self._source.passage_prompt + text for text in texts]
        lengths = self.token_counts(texts)
        for batch in length_sorted_batches(lengths, BATCH_TOKENS):
            vectors = self._embed([texts[position] for position in batch])
            yield from zip(batch, vectors, strict=True)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens the model reads of each text, special ones included."""
        tokenize: Callable[[list[str]], list[object]] = self._embedding.model.tokenize  # type: ignore[attr-defined]
        return [sum(encoding.attention_mask) for encoding in tokenize(list(texts))]  # type: ignore[attr-defined]

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            vectors = np.array(list(self._embedding.embed(texts, batch_size=len(texts))), VECTOR_TYPE)
        except Exception as error:
            raise ModelError(f"The model {self.model.name} failed while reading a text: {error}") from error
        if vectors.shape != (len(texts), self.model.dimensions) or not np.isfinite(vectors).all():
            raise ModelError(f"The model {self.model.name} gave vectors that cannot be used.")
        return vectors


class Loader(Protocol):
    """What can give a model when it is needed, and knows the name of its vectors before."""

    @property
    def key(self) -> str:
        """The name under which the index keeps this model's vectors."""

    def load(self) -> EmbeddingModel:
        """Load the model; raises ModelError."""


@dataclass(frozen=True, slots=True)
class ModelLoader:
    """A model that can be loaded when it is needed; its key is known before.

    `fault` is why it cannot be used, where that is known already: loading it says so, and everything else goes on.
    """

    source: ModelSource
    cache_folder: Path
    threads: int
    fault: str = ""

    @property
    def key(self) -> str:
        """The name under which the index keeps this model's vectors."""
        return self.source.key

    def load(self) -> EmbeddingModel:
        """Load the model; raises ModelError."""
        if self.fault:
            raise ModelError(self.fault)
        return EmbeddingModel(self.source, cache_folder=self.cache_folder, threads=self.threads)


def length_sorted_batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Yield positions in batches, shortest first, so that no batch with its padding exceeds `most_tokens`.

    A text that is longer than that stands alone.
    """
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: (lengths[position], position)):
        if batch and lengths[position] * (len(batch) + 1) > most_tokens:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _check(source: ModelSource) -> None:
    """Raise ModelError where files of a model that came with the program are missing or are not what they were."""
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"):
        if not (source.folder / name).is_file():
            raise ModelError(f"The model's file {name} is missing. Install Triskel again to mend it.")
    try:
        with source.onnx.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"The model file {source.onnx.name} cannot be read: {error.strerror}.") from error
    if digest != source.sha256:
        raise ModelError(
            f"The model file {source.onnx.name} is damaged (its checksum is wrong). Install Triskel again to mend it."
        )


def silence_runtime() -> None:
    """Keep ONNX Runtime from gathering usage events and sending them to its makers: to be called before all else."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()


def opened_from_folder(
    kind: type[FastembedModel],
    key: str,
    folder: Path,
    *,
    cache_folder: Path,
    threads: int,
    described: Mapping[str, Any],
) -> FastembedModel:
    """Return a model of one of fastembed's kinds whose files lie in `folder`; nothing is fetched.

    It is made known under `key`, once a process, as it is `described` to that kind. The key tells apart two folders of
    the same name, and ours from fastembed's own names.
    """
    from fastembed.common.model_description import ModelSource as FastembedSource

    known = {str(model["model"]).lower() for model in kind.list_supported_models()}
    if key.lower() not in known:
        # The source is never used, since the files are named below; fastembed asks for one all the same.
        sources = FastembedSource(hf="triskel/local-files-only")
        kind.add_custom_model(model=key, sources=sources, **described)
    return kind(
        model_name=key,
        cache_dir=str(cache_folder),
        threads=threads,
        specific_model_path=str(folder),
        local_files_only=True,
    )


def _load(source: ModelSource, cache_folder: Path, threads: int) -> TextEmbedding:
    if source.checked:
        _check(source)
    try:
        silence_runtime()
        from fastembed import TextEmbedding
        from fastembed.common.model_description import PoolingType

        return opened_from_folder(
            TextEmbedding,
            # It would look for a model that was moved or copied where it first was.
            f"{source.key}/{source.onnx}",
            source.folder,
            cache_folder=cache_folder,
            threads=threads,
            described={
                "pooling": PoolingType.CLS if source.pooling is Pooling.CLS else PoolingType.MEAN,
                "normalization": True,
                "dim": source.dimensions,
                "model_file": str(source.onnx),
            },
        )
    except Exception as error:
        raise ModelError(f"The model {source.name} could not be loaded: {error}") from error
