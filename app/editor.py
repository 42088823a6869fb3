"""The editor that a person chose: a command or an address with places for the file and the line. Starts no shell.

Nothing in a note or in its folder decides what is started; only this setting does.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from core.errors import TriskelError

EXAMPLES: tuple[tuple[str, str], ...] = (
    ("Visual Studio Code", "code -g {file}:{line}"),
    ("Sublime Text", "subl {file}:{line}"),
    ("Kate", "kate -l {line} {file}"),
    ("gVim", "gvim +{line} {file}"),
    ("Emacs", "emacsclient -n +{line} {file}"),
    ("Obsidian", "obsidian://open?path={file}"),
    ("Logseq", "logseq://graph/{folder_name}?page={stem}"),
)
"""What a person may choose from; each stays a text that can be changed."""

PLACES = ("file", "line", "folder", "folder_name", "path", "stem")

_PLACE = re.compile(r"\{(\w+)\}")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_REFUSED_SCHEMES = frozenset({"file", "javascript", "data", "http", "https", "ftp"})


class EditorError(TriskelError):
    """The text of the setting says nothing that can be started; the sentence says why."""


@dataclass(frozen=True, slots=True)
class EditorCommand:
    """A program and its arguments."""

    program: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditorAddress:
    """An address that belongs to another program, as `obsidian://…`."""

    address: str


def check_template(template: str) -> None:
    """Raise EditorError where a template can never name an editor: what a settings page asks before it stores one."""
    for name in _PLACE.findall(template):
        if name not in PLACES:
            known = ", ".join(f"{{{place}}}" for place in PLACES)
            raise EditorError(f"The editor's command holds {{{name}}}, which is nothing that is known: {known}.")
    if _ADDRESS.match(template):
        scheme = template.partition(":")[0].lower()
        if scheme in _REFUSED_SCHEMES:
            raise EditorError(f"An address that begins with {scheme}: names no editor.")
        return
    if not _split(template):
        raise EditorError("The editor's command is empty.")


def editor_for(template: str, folder: Path, path: str, line: int | None) -> EditorCommand | EditorAddress:
    """Return what opens the note at `path` of `folder`, at a line from 1 (1 where it is None).

    Places are filled in after the template was split into arguments, so that no file name is ever taken for an option,
    another argument or a part of the address.

    Raises:
        EditorError: the template names no editor, or its program is not installed.
    """
    check_template(template)
    values = {
        "file": str(folder / path),
        "line": str(line or 1),
        "folder": str(folder),
        "folder_name": folder.name,
        "path": path,
        "stem": Path(path).stem,
    }
    if _ADDRESS.match(template):
        return EditorAddress(_PLACE.sub(lambda match: quote(values[match[1]], safe=""), template))
    program, *arguments = _split(template)
    if "{file}" not in template and "{path}" not in template:
        arguments.append("{file}")
    found = shutil.which(program)
    if found is None:
        raise EditorError(f"The editor “{program}” was not found. The settings say which one is used.")
    return EditorCommand(found, tuple(_PLACE.sub(lambda match: values[match[1]], each) for each in arguments))


def _split(template: str) -> Sequence[str]:
    """Return a command's parts as the system's shell would cut them; a backslash is part of a path on Windows."""
    try:
        if sys.platform == "win32":
            return [part.strip('"') for part in shlex.split(template, posix=False)]
        return shlex.split(template)
    except ValueError as error:
        raise EditorError(f"The editor's command cannot be read: {error}.") from error
