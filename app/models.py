"""Which embedding model is used: the one that a person chose in the settings, else the one that Triskel ships with."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from app.paths import Places, built_in_model, make_private_folder
from app.settings import load_settings
from core.errors import ModelError
from core.index.embedding import ModelLoader, ModelSource
from core.index.model_folder import digest_of, model_in_folder


def chosen_model(where: Places, *, threads: int) -> ModelLoader:
    """Return the loader of the chosen model; the window and the command line use the same.

    A chosen model that cannot be used is not replaced by another one in silence: its loader says why when it is asked,
    words and links go on, and the vectors that the index holds stay.
    """
    chosen = load_settings(where.settings_file).model
    if chosen is None:
        return built_in_model(where, threads=threads)
    folder = Path(chosen)
    try:
        source = model_in_folder(folder, Checksums(where.cache / "models" / "checksums.json").of)
        return ModelLoader(source, where.cache / "models", threads)
    except ModelError as error:
        nothing = ModelSource(folder.name or chosen, 0, folder / "model.onnx", folder, "", checked=False)
        return ModelLoader(nothing, where.cache / "models", threads, fault=str(error))


class Checksums:
    """Checksums of big files, taken again only when place, size or time changed: the window asks before it is shown."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def of(self, file: Path) -> str:
        """Return the SHA-256 of a file; raises ModelError where it cannot be read."""
        try:
            status = file.stat()
        except OSError:
            return digest_of(file)
        known = self._known()
        stamp = f"{file.absolute()}/{status.st_size}/{status.st_mtime_ns}/{status.st_ctime_ns}"
        if stamp not in known:
            known = {each: value for each, value in known.items() if not each.startswith(f"{file.absolute()}/")}
            known[stamp] = digest_of(file)
            # Only a little time is lost where it cannot be kept.
            with contextlib.suppress(OSError):
                make_private_folder(self._file.parent)
                new = self._file.with_name(self._file.name + ".new")
                new.write_text(json.dumps(known, indent=2) + "\n", "utf-8")
                new.replace(self._file)
        return known[stamp]

    def _known(self) -> dict[str, str]:
        try:
            stored = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(stored, dict):
            return {}
        return {stamp: digest for stamp, digest in stored.items() if isinstance(digest, str)}
