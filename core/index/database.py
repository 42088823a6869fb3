"""Opening an index file, the one place where pragmas are set and SQLite's codes become our sentences.

Every connection that Triskel uses is opened here and belongs to one thread at a time.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path

import apsw

from core.errors import IndexDamaged, IndexFileError
from core.index.schema import SCHEMA, SCHEMA_VERSION

APPLICATION_ID = 0x74724B31
"""`trk1`: tells our files from other people's SQLite databases."""

BUSY_TIMEOUT_MS = 5_000

NO_INDEX = "This folder has no index yet. Run “triskel index FOLDER” first."

_DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, ValueError)
"""What a damaged file leads to. Our SQL is constant, so an error in it is one of the tables it names; and we write
text, JSON and names of kinds, so what is none of these when it is read (a ValueError) was changed since."""

_SETTINGS = (
    # Deleted text is overwritten, since people delete notes for a reason.
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA trusted_schema = OFF",
    # 32 MB of page cache and 256 MB of mapped file: the whole index of a usual folder.
    "PRAGMA cache_size = -32000",
    "PRAGMA mmap_size = 268435456",
)


def open_writer(file: Path) -> apsw.Connection:
    """Return the writing connection of an index, made new where there is none.

    An index of another version, a damaged one, or another program's file is moved aside first: the index is
    made of the notes and can be made again.

    Raises:
        IndexFileError: the folder or the file cannot be written.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise IndexFileError(f"The index folder {file.parent} cannot be made: {error.strerror}.") from error
    with as_index_errors(file):
        try:
            return _open_current(file)
        except (*_DAMAGE, _OtherVersionError):
            move_aside(file)
            return _open_current(file)


def open_reader(file: Path) -> apsw.Connection:
    """Return a connection that can only read.

    Raises:
        IndexFileError: there is no index yet, it is of another version, or it cannot be read.
    """
    if not is_there(file):
        raise IndexFileError(NO_INDEX)
    with as_index_errors(file):
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            _apply_settings(connection)
            try:
                version = _version(connection)
            except apsw.ReadOnlyError:
                # In a folder that cannot be written, a WAL database opens only as one that nobody changes.
                connection.close()
                uri = f"{file.absolute().as_uri()}?immutable=1"
                connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
                _apply_settings(connection)
                version = _version(connection)
            if version == (0, 0) and _is_empty(connection):
                raise IndexFileError(NO_INDEX)
            if version != (APPLICATION_ID, SCHEMA_VERSION):
                raise IndexFileError(
                    f"The index {file} is of another version of Triskel. Index the folder to renew it."
                )
            if _tables(connection) != _expected_tables():
                raise IndexDamaged(_damaged(file))
        except BaseException:
            connection.close(True)
            raise
    return connection


def is_there(file: Path) -> bool:
    """Return whether there is an index at `file`.

    Raises:
        IndexFileError: the folder it would lie in may not be looked at.
    """
    try:
        return file.is_file()
    except OSError as error:
        raise IndexFileError(f"The index folder {file.parent} cannot be looked at: {error.strerror}.") from error


def is_sound(file: Path) -> bool:
    """Return whether SQLite finds nothing wrong with the file, full-text tables included; reads all of it."""
    try:
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return connection.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]
        finally:
            connection.close(True)
    except (apsw.Error, ValueError):
        return False


@contextlib.contextmanager
def as_index_errors(file: Path) -> Iterator[None]:
    """Turn what SQLite says of the file into a sentence; an interrupted search stays what it is."""
    try:
        yield
    except apsw.InterruptError:
        raise
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError) as error:
        raise IndexFileError(f"The index {file} cannot be written: {error}. Check the rights on its folder.") from error
    except apsw.FullError as error:
        raise IndexFileError(f"The disk that holds the index {file} is full. Free some space and try again.") from error
    except _DAMAGE as error:
        raise IndexDamaged(_damaged(file)) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise IndexFileError("Another program is writing this index. Try again in a moment.") from error
    except apsw.IOError as error:
        raise IndexFileError(f"The index {file} could not be read or written: {error}.") from error
    except (TypeError, LookupError, ArithmeticError, apsw.Error) as fault:
        # Ours, unless the file explains it: a NULL where none can be, a row that another one should have.
        if not is_sound(file):
            raise IndexDamaged(_damaged(file)) from fault
        raise


@contextlib.contextmanager
def rolled_back_on_error(connection: apsw.Connection) -> Iterator[None]:
    """Undo the open transaction where the block raises; the block itself commits."""
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def move_aside(file: Path) -> Path:
    """Rename an index that cannot be used, with its companions; an earlier one moved aside is replaced."""
    aside = file.with_name(file.name + ".unusable")
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    file.replace(aside)
    return aside


def _damaged(file: Path) -> str:
    return f"The index {file} is damaged. Indexing the folder makes it again from the notes."


class _OtherVersionError(Exception):
    """The file is a database, and not one that this version reads."""


def _open_current(file: Path) -> apsw.Connection:
    # Another index may be attached by its address, so that it is only read.
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(str(file), flags=flags)
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        version = _version(connection)
        empty = _is_empty(connection)
        if version != (APPLICATION_ID, SCHEMA_VERSION) and not (empty and version == (0, 0)):
            raise _OtherVersionError
        if not empty and _tables(connection) != _expected_tables():
            raise _OtherVersionError
        connection.pragma("journal_mode", "wal")
        connection.execute("PRAGMA synchronous = NORMAL")
        _apply_settings(connection)
        if empty:
            _create(connection)
        file.chmod(0o600)
    except BaseException:
        connection.close(True)
        raise
    return connection


def _create(connection: apsw.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with rolled_back_on_error(connection):
        # Another process may have made the tables while this one waited for the lock.
        if _version(connection) == (0, 0):
            connection.execute(SCHEMA)
            connection.execute("INSERT INTO meta VALUES ('generation', 0)")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")


def _is_empty(connection: apsw.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get


def _tables(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Return name and text of everything our schema makes; what FTS5 makes below its tables is its own affair."""
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND NOT (type = 'table' AND name GLOB '*_words_*') "
        "ORDER BY name"
    )
    return [(str(row[0]), str(row[1])) for row in rows]


@functools.cache
def _expected_tables() -> list[tuple[str, str]]:
    """Return what `_tables` gives of a new index; a damaged schema differs, and no check of SQLite's tells."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute(SCHEMA)
        return _tables(connection)
    finally:
        connection.close()


def _version(connection: apsw.Connection) -> tuple[int, int]:
    return connection.pragma("application_id"), connection.pragma("user_version")


def _apply_settings(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    for setting in _SETTINGS:
        connection.execute(setting)
