"""The vectors of a set's queries, kept in a file by content, so that a second run need not load the model.

Depends on numpy and on a model that is loaded when the first unknown text is met.
"""

from __future__ import annotations

import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import IndexFileError
from core.index.embedding import EmbeddingModel, ModelLoader
from core.search.results import ModelName


class RememberedQueries:
    """An encoder that knows the queries of before; what it learns is written by `keep`."""

    def __init__(self, loader: ModelLoader, folder: Path) -> None:
        source = loader.source
        self.model = ModelName(source.name, source.dimensions, source.sha256)
        self.key = loader.key
        self._loader = loader
        self._loaded: EmbeddingModel | None = None
        self._file = folder / f"queries-{sha256(loader.key.encode()).hexdigest()[:16]}.npz"
        self._vectors = _read(self._file, source.dimensions)
        self._learned = False

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of `text`, shape (dimensions,), as the model gives it; raises ModelError."""
        key = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if key not in self._vectors:
            if self._loaded is None:
                self._loaded = self._loader.load()
            self._vectors[key] = self._loaded.embed_query(text)
            self._learned = True
        return self._vectors[key]

    def keep(self) -> None:
        """Write what was learned; the file is replaced in one step.

        Raises:
            IndexFileError: it cannot be written.
        """
        if not self._learned:
            return
        keys = sorted(self._vectors)
        partial = self._file.with_suffix(".partial")
        try:
            with partial.open("wb") as file:
                np.savez(file, keys=np.array(keys), vectors=np.stack([self._vectors[key] for key in keys]))
            partial.replace(self._file)
        except OSError as error:
            raise IndexFileError(f"The file {self._file} cannot be written: {error.strerror}.") from error
        self._learned = False


def _read(file: Path, dimensions: int) -> dict[str, NDArray[np.float32]]:
    """Return the vectors in a file by key; none where it is missing or is not what was written."""
    try:
        with np.load(file, allow_pickle=False) as held:
            keys, vectors = held["keys"], held["vectors"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}
    if vectors.shape != (len(keys), dimensions) or vectors.dtype != np.float32:
        return {}
    return dict(zip((str(key) for key in keys), vectors, strict=True))
