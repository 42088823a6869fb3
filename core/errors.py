"""Errors that a person can do something about, each with one sentence that says what.

Pure: no database, no Qt. Everything else that is raised is a fault of the program.
"""


class TriskelError(Exception):
    """A stated failure. `str(error)` is one plain sentence, ready to be shown."""


class FolderError(TriskelError):
    """The notes folder is missing, is no folder, or may not be read."""


class FolderEmptied(FolderError):
    """The notes folder holds nothing although its index holds many notes: it may be a disk that is not mounted."""


class IndexFileError(TriskelError):
    """The index cannot be opened or written."""


class IndexDamaged(IndexFileError):
    """The index is no longer what was written; making it again from the notes mends it."""


class IndexOutdated(IndexFileError):
    """The index was made by an earlier version; a new build takes its place, and takes over what it can."""


class IndexTainted(IndexFileError):
    """The index may hold what has become private; it is refused whole until a run has taken that out."""


class ModelError(TriskelError):
    """The embedding model cannot be used; words and links go on without it."""


class ExportError(TriskelError):
    """A result list could not be written where it was asked for."""


class DataSetError(TriskelError):
    """A data set directory cannot be read; the sentence names the file and the line."""
