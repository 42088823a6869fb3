"""A cross-encoder from files on this machine, run by fastembed: one number for a query and a text, read together.

Depends on fastembed and ONNX Runtime, which are imported only when one is loaded. A cross-encoder is looked for in a
folder, or by one of fastembed's names among the files that an earlier download left. Nothing is downloaded but by
`fetched_folder` with `allow_download`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import ModelError
from core.index.embedding import opened_from_folder, silence_runtime
from core.index.model_folder import NEEDED, check_folder, digest_of, network_in
from core.search.results import RerankerName

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

_THREADS = 2
"""The same for the window and the command line: how a sum is shared among threads may decide its last bits.

Two take 0.6 of the time of one, and people wait for a list.
"""

_WEIGHTS = ("_data", ".data")
"""How files that hold the weights of a network end, behind its own name."""


@dataclass(frozen=True, slots=True)
class CrossEncoderSource:
    """Where a cross-encoder's files lie: `folder` holds the tokenizer, `network` is below it, `sha256` is of them all.

    `further` are files that belong to the network, relative to the folder.
    """

    name: str
    folder: Path
    network: Path
    sha256: str
    further: tuple[str, ...] = ()


def cross_encoder_in_folder(
    folder: Path, digest: Callable[[Path], str] = digest_of, *, name: str = "", network: str = ""
) -> CrossEncoderSource:
    """Return the cross-encoder that lies in `folder`: the layout of an embedding model (see `model_folder`).

    `name` stands in for the folder's, `network` names the file where it is known, relative to the folder.

    Raises:
        ModelError: something is missing; the sentence says what.
    """
    check_folder(folder)
    file = folder / network if network else network_in(folder)
    if not file.is_file():
        raise ModelError(f"The folder {folder} holds no {network}.")
    weights = [file.with_name(file.name + ending) for ending in _WEIGHTS]
    further = [each for each in weights if each.is_file()]
    files = [file, *further, *(folder / each for each in NEEDED)]
    sha256 = hashlib.sha256("".join(map(digest, files)).encode()).hexdigest()
    inside = tuple(each.relative_to(folder).as_posix() for each in further)
    return CrossEncoderSource(name or folder.resolve().name, folder, file, sha256, inside)


def fetched_folder(name: str, cache_folder: Path, *, allow_download: bool = False) -> tuple[Path, str]:
    """Return the folder that holds one of fastembed's cross-encoders, and its network's place in it.

    Only files that lie in `cache_folder` already are used, unless `allow_download` says that they may be fetched.

    Raises:
        ModelError: there is none of that name, or it is not on this machine and could or may not be fetched.
    """
    try:
        silence_runtime()
        from fastembed.common.model_description import BaseModelDescription, ModelSource
        from fastembed.common.model_management import ModelManagement
        from fastembed.rerank.cross_encoder import TextCrossEncoder
        from loguru import logger
    except ImportError as error:
        raise ModelError(f"The reranker {name} could not be loaded: {error}") from error
    known = {str(each["model"]).lower(): each for each in TextCrossEncoder.list_supported_models()}
    if name.lower() not in known:
        raise ModelError(f"There is no folder {name} to take a reranker from, and no reranker of that name is known.")
    stated = known[name.lower()]
    description = BaseModelDescription(
        model=str(stated["model"]),
        sources=ModelSource(hf=stated["sources"]["hf"], url=stated["sources"]["url"]),
        model_file=str(stated["model_file"]),
        description="",
        license="",
        size_in_GB=float(stated["size_in_GB"]),
        additional_files=list(stated["additional_files"]),
    )
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    logger.disable("fastembed")  # it logs to stderr what is raised here as a sentence
    try:
        folder = ModelManagement.download_model(
            description, str(cache_folder), retries=1, local_files_only=not allow_download
        )
    except Exception as error:
        if allow_download:
            raise ModelError(f"The reranker {name} could not be fetched: {error}") from error
        size = f"{description.size_in_GB * 1000:,.0f} MB"
        raise ModelError(
            f"The reranker {name} is not on this machine. With --allow-download the command line fetches it ({size})."
        ) from error
    return folder, description.model_file


class CrossEncoder:
    """A loaded cross-encoder. One session may be used from several threads."""

    def __init__(self, source: CrossEncoderSource, *, cache_folder: Path) -> None:
        """Load it; takes a second or so.

        Raises:
            ModelError: a file cannot be read or run.
        """
        self.model = RerankerName(source.name, source.sha256)
        self._encoder = _load(source, cache_folder)

    def score(self, query: str, text: str) -> float:
        """Return the network's number for a query and a text, higher is better.

        A pair is run by itself, without padding: in a batch, a quantised network's numbers depend on the other texts.

        Raises:
            ModelError: the network failed, or gave anything but one number.
        """
        try:
            [read] = self._encoder.model.tokenize([(query, text)])  # type: ignore[attr-defined]
            session = self._encoder.model.model  # type: ignore[attr-defined]
            parts = {"input_ids": read.ids, "token_type_ids": read.type_ids, "attention_mask": read.attention_mask}
            names = [each.name for each in session.get_inputs()]
            given = {name: np.array([parts[name]], np.int64) for name in names if name in parts}
            found = np.asarray(session.run(None, given)[0])
        except Exception as error:
            raise ModelError(f"The reranker {self.model.name} failed while reading a text: {error}") from error
        if found.size != 1:
            shape = " × ".join(map(str, found.shape))
            raise ModelError(
                f"The reranker {self.model.name} gave {shape} numbers for a query and a text, where one was expected. "
                "It is a model of another kind."
            )
        return float(found.reshape(()))


def _load(source: CrossEncoderSource, cache_folder: Path) -> TextCrossEncoder:
    try:
        silence_runtime()
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        network = source.network.relative_to(source.folder).as_posix()
        return opened_from_folder(
            TextCrossEncoder,
            # The same network may lie elsewhere in its folder.
            f"{source.name}/{source.sha256[:16]}/{network}",
            source.folder,
            cache_folder=cache_folder,
            threads=_THREADS,
            described={"model_file": network, "additional_files": list(source.further)},
        )
    except Exception as error:
        raise ModelError(f"The reranker {source.name} could not be loaded: {error}") from error
