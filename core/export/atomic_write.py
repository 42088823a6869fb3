"""Write an export so that the file is either whole or not there, and nothing is replaced unasked."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from core.errors import ExportError
from core.export.plain_text import visible

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would turn newlines into CRLF
_NO_INHERIT = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NO_INHERIT


def write_export(path: Path, text: str, *, overwrite: bool = False, bom: bool = False) -> None:
    """Write `text` to `path` as UTF-8, newlines as they are; `bom` puts a byte order mark first, for Excel.

    The text goes to a temporary file in the same folder, to disk, then to its name in one step; a failure leaves no
    trace. Without `overwrite` an existing file stays as it is, also if it appears while this runs.
    Raises `ExportError` with a sentence.
    """
    content = text.encode("utf-8-sig" if bom else "utf-8")
    try:
        target = _target(path, overwrite)
        temporary = target.with_name(f".triskel-{secrets.token_hex(8)}.tmp")
        try:
            _write_to_disk(temporary, content)
            if overwrite:
                _keep_permissions(target, temporary)
                temporary.replace(target)
            else:
                _put_in_place(temporary, target)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        _sync_folder(target.parent)
    except (OSError, ValueError) as error:
        raise ExportError(_sentence(path, error)) from error


def _target(path: Path, overwrite: bool) -> Path:
    """Return the place to write to; symbolic links are followed only where the file behind may be replaced."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder")
    if not overwrite:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "exists")
        return path
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    return target


def _write_to_disk(path: Path, content: bytes) -> None:
    # 0o666 less the umask, as any new file; tempfile's 0o600 would hide a shared export from its readers.
    descriptor = os.open(path, _CREATE, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _keep_permissions(target: Path, temporary: Path) -> None:
    with suppress(OSError):
        temporary.chmod(stat.S_IMODE(target.stat().st_mode))


def _put_in_place(temporary: Path, target: Path) -> None:
    """Give `temporary` its name, or raise `FileExistsError`: a hard link, unlike a rename, never replaces."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        _reserve_and_replace(temporary, target)


def _reserve_and_replace(temporary: Path, target: Path) -> None:
    """Do the same on file systems without hard links (FAT, some network shares).

    Creating the empty file is the step that only one can win; what is replaced then is our own.
    """
    descriptor = os.open(target, _CREATE, 0o666)
    try:
        reserved = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    try:
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            if os.path.samestat(reserved, target.stat()) and target.stat().st_size == 0:
                target.unlink()
        raise


def _sync_folder(folder: Path) -> None:
    """Put the new name on disk too. The file is whole by now, so a system that cannot do this is no failure."""
    if os.name != "posix":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | _NO_INHERIT)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sentence(path: Path, error: OSError | ValueError) -> str:
    name, folder = visible(str(path)), visible(str(path.parent))
    if not isinstance(error, OSError):
        return f"{name} is not a possible file name."
    match error.errno:
        case errno.EEXIST:
            return f"{name} already exists and was left as it is."
        case errno.EISDIR:
            return f"{name} is a folder; give the name of a file."
        case errno.ENOENT:
            return f"The folder {folder} does not exist."
        case errno.ENOTDIR:
            return f"{folder} is not a folder."
        case errno.EACCES | errno.EPERM:
            return f"{name} could not be written: no permission."
        case errno.EROFS:
            return f"{name} could not be written: the disk is read-only."
        case errno.ENOSPC | errno.EDQUOT:
            return f"{name} could not be written: there is no space left on the disk."
        case errno.ENAMETOOLONG:
            return f"{name} could not be written: the name is too long."
    return f"{name} could not be written: {error.strerror or error}."
