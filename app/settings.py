"""What the window remembers between starts: looks, places, and which models compare meanings.

The models change results, so the command line reads them too, and every result names those that it used.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from app.paths import make_private_folder


@dataclass(frozen=True, slots=True)
class Settings:
    """`folder` is the notes folder that was open last; `geometry` is Qt's own description of the window, in hex.

    `model` is a folder that holds another embedding model, None for the built-in one. `reranker` is a folder that holds
    a cross-encoder, or the name of one whose files are on this machine; None where none is used.
    """

    folder: str | None = None
    geometry: str | None = None
    model: str | None = None
    reranker: str | None = None


def load_settings(file: Path) -> Settings:
    """Return the stored settings; a missing or damaged file costs the settings, never the start."""
    try:
        stored = json.loads(file.read_text("utf-8"))
        known = {each.name: stored.get(each.name) for each in fields(Settings)}
    except (OSError, ValueError, AttributeError, RecursionError):
        return Settings()
    return Settings(**{name: value for name, value in known.items() if isinstance(value, str)})


def save_settings(file: Path, settings: Settings) -> None:
    """Store the settings, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    make_private_folder(file.parent)
    new = file.with_name(file.name + ".new")
    new.write_text(json.dumps(asdict(settings), indent=2) + "\n", "utf-8")
    new.replace(file)
