"""An embedding model that takes no time, for tests of an index's life, where what vectors mean plays no part.

A text's vector depends on its words alone and on the model's name. Depends on numpy; can be sent to another process.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.index.vectors import VECTOR_TYPE
from core.search.results import ModelName

DIMENSIONS = 16
BATCH = 8
"""Texts of a batch, as a real model takes several at once."""


@dataclass(frozen=True)
class FakeModel:
    """Turns texts into unit vectors; writes a line for each text into `log`, and takes `seconds` for a batch."""

    name: str = "fake"
    log: Path | None = None
    seconds: float = 0.0

    @property
    def model(self) -> ModelName:
        return ModelName(self.name, DIMENSIONS, "0" * 64)

    @property
    def key(self) -> str:
        return f"{self.name}/{DIMENSIONS}"

    def load(self) -> FakeModel:
        """Return itself: it is its own loader."""
        return self

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of `text`, shape (dimensions,)."""
        total = np.zeros(DIMENSIONS)
        for word in [self.name, *text.casefold().split()]:
            total += np.frombuffer(hashlib.sha256(word.encode()).digest()[:DIMENSIONS], np.int8)
        return (total / np.linalg.norm(total)).astype(VECTOR_TYPE)

    def embed_passages(self, texts: Sequence[str]) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Yield (position in `texts`, unit vector), shortest texts first, a batch at a time."""
        order = sorted(range(len(texts)), key=lambda position: (len(texts[position]), position))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            time.sleep(self.seconds)
            self._write_down([texts[position] for position in batch])
            yield from [(position, self.embed_query(texts[position])) for position in batch]

    def _write_down(self, texts: Sequence[str]) -> None:
        if self.log is None:
            return
        lines = "".join(hashlib.sha256(text.encode()).hexdigest() + "\n" for text in texts)
        # One write, so that a process that is killed leaves no half line.
        descriptor = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, lines.encode())
        os.close(descriptor)
