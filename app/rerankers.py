"""Which reranker is used: none, unless one is named on the command line or in the settings."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from app.models import Checksums
from app.paths import Places
from app.settings import load_settings
from core.errors import ModelError
from core.search.cross_encoder import CrossEncoder, cross_encoder_in_folder, fetched_folder
from core.search.reranking import RerankerOrReason
from core.search.results import Failed

NONE = "none"
"""What is typed to do without the reranker of the settings."""


@dataclass(frozen=True, slots=True)
class RerankerLoader:
    """A reranker that can be loaded when it is needed: from a folder, or by name where its files are here already.

    `allow_download` is a person's consent, given on the command line, to fetch the files of one that is named.
    """

    chosen: str
    where: Places
    allow_download: bool = False

    def load(self) -> CrossEncoder:
        """Load it; raises ModelError."""
        cache = self.where.cache / "models"
        checksums = Checksums(cache / "checksums.json")
        folder, name, network = Path(self.chosen), "", ""
        if not folder.is_dir() and _may_be_a_name(self.chosen):
            name = self.chosen
            folder, network = fetched_folder(name, cache, allow_download=self.allow_download)
        return CrossEncoder(
            cross_encoder_in_folder(folder, checksums.of, name=name, network=network), cache_folder=cache
        )

    def load_or_say(self) -> RerankerOrReason:
        """Load it, or return why it cannot be."""
        try:
            return self.load()
        except ModelError as error:
            return Failed(str(error))


def add_reranker_options(parser: argparse.ArgumentParser) -> None:
    """Add what a command can be told of a reranker."""
    parser.add_argument(
        "--reranker",
        metavar="FOLDER",
        type=_named,
        help="a cross-encoder that puts the first 20 notes in order; “none”",
    )
    parser.add_argument(
        "--allow-download", action="store_true", help="fetch a --reranker that is named and not on this machine"
    )


def chosen_reranker(where: Places, given: str | None = None, *, allow_download: bool = False) -> RerankerLoader | None:
    """Return the loader of the reranker that was `given`, else of the one in the settings; None where there is none."""
    chosen = given if given is not None else load_settings(where.settings_file).reranker
    return None if chosen in (None, "", NONE) else RerankerLoader(str(chosen), where, allow_download)


def _may_be_a_name(text: str) -> bool:
    """Return whether a text may be `owner/model`, as fastembed names them, rather than a path."""
    owner, _, model = text.partition("/")
    return bool(owner and model) and "/" not in model and not text.startswith((".", "~")) and "\\" not in text


def _named(text: str) -> str:
    """Return what was typed; an empty text is a variable of the shell that was not set."""
    if not text:
        raise argparse.ArgumentTypeError("it names no reranker")
    return text
