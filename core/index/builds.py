"""Which file answers for an index: the one of its name, or the newest build that was made beside it and published.

An open database cannot be replaced on every system, so a new build has a file of its own, and a small file beside the
index names the one that answers. Exchanging that one is the whole switch: who reads the old build goes on with it.
Depends on the file system alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

_COMPANIONS = ("", "-wal", "-shm")
_BUILD = re.compile(r"\.build-([1-9]\d{0,9})\Z")
_LONGEST = 300  # characters of a file name
_TRIES, _BETWEEN_TRIES_SECONDS = 50, 0.02  # Windows refuses to exchange a file in the instant that it is read


def current_build(index_file: Path) -> Path:
    """Return the file that answers for the index, whether it is there or not."""
    try:
        with _pointer_of(index_file).open(encoding="utf-8", errors="replace") as pointer:
            name = pointer.read(_LONGEST).strip()
    except OSError:
        return index_file
    if not name.startswith(index_file.name) or not _BUILD.fullmatch(name.removeprefix(index_file.name)):
        return index_file
    return index_file.with_name(name)


def pending_build(index_file: Path) -> Path:
    """Return where the build lies, or would lie, that is to answer after the current one."""
    return index_file.with_name(f"{index_file.name}.build-{_number(index_file, current_build(index_file)) + 1}")


def aside_of(index_file: Path) -> Path:
    """Return where an index lies that could not be used any more, if there was one."""
    return index_file.with_name(index_file.name + ".unusable")


def publish(index_file: Path, build: Path) -> None:
    """Let a build answer from now on; everyone sees either it or the one before. Raises OSError."""
    pointer = _pointer_of(index_file)
    new = pointer.with_name(pointer.name + ".new")
    with open(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f"{build.name}\n")
        file.flush()
        os.fsync(file.fileno())
    for last in range(_TRIES - 1, -1, -1):
        try:
            new.replace(pointer)
            break
        except PermissionError:
            if not last:
                raise
            time.sleep(_BETWEEN_TRIES_SECONDS)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(index_file.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def remove_old_builds(index_file: Path) -> None:
    """Remove the builds before the current one. Where the system refuses, they are still read, and go the next time."""
    current = _number(index_file, current_build(index_file))
    for file in sorted(index_file.parent.glob(f"{index_file.name}*")):
        build = Path(str(file).removesuffix("-wal").removesuffix("-shm"))
        if (build == index_file or _is_build(index_file, build)) and _number(index_file, build) < current:
            with contextlib.suppress(OSError):
                file.unlink()


def discard(build: Path) -> None:
    """Remove a build with its companions. Raises OSError."""
    for suffix in reversed(_COMPANIONS):
        build.with_name(build.name + suffix).unlink(missing_ok=True)


def _pointer_of(index_file: Path) -> Path:
    return index_file.with_name(index_file.name + ".current")


def _is_build(index_file: Path, file: Path) -> bool:
    return file.name.startswith(index_file.name) and bool(_BUILD.fullmatch(file.name.removeprefix(index_file.name)))


def _number(index_file: Path, build: Path) -> int:
    found = _BUILD.fullmatch(build.name.removeprefix(index_file.name))
    return int(found[1]) if found else 0
