"""Which build a run fills: the current one, or a new one beside it, which answers once it is as good as the one before.

Depends on the writer and on `builds`, which holds what the file system knows of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import IndexFileError, IndexOutdated
from core.index.builds import discard, pending_build, publish, remove_old_builds
from core.index.schema import WITHDRAWN
from core.index.taint import clear_taint
from core.index.vector_sharing import take_vectors
from core.index.writer import Writer


class Building:
    """The writers of one run. `writer` is that of the build to fill; `is_renewed` once it answers for an outdated one.

    A first index is filled in place, for nobody loses anything by it. One that is to be made anew goes on answering
    while its successor is filled, bit by bit, so that a run that was ended goes on where it was; the successor has the
    vectors of the texts that both hold.
    """

    def __init__(self, index_file: Path) -> None:
        """Open the index; one of an earlier version cannot be filled, and answers nobody.

        Raises:
            IndexFileError: it cannot be written.
        """
        self._file = index_file
        remove_old_builds(index_file)
        self.is_new_build = self.is_renewed = False
        self._generation = self._withdrawn = 0
        self._covered = 0.0
        self._outdated = False
        self._model: str | bytes | int | None = None
        try:
            self.writer = Writer(index_file)
        except IndexOutdated:
            self._outdated = True
            self._open_pending(None)

    def close(self) -> None:
        """Close what is open; a build that was not published stays for the next run."""
        self.writer.close()

    @property
    def is_to_go_on(self) -> bool:
        """Whether a new build was begun, here or by an earlier run, and is not finished."""
        return self.is_new_build or pending_build(self._file).is_file()

    def choose(self, rules: str, *, rebuild: bool) -> None:
        """Begin a new build, or go on with one, where the index was filled by other rules or a `rebuild` was asked."""
        if self.is_new_build:
            self._open_pending(rules)
            return
        filled_by = self.writer.meta("rules")
        if filled_by is None or not (rebuild or self.is_to_go_on or filled_by != rules):
            return
        before = self.writer
        self._generation = int(before.meta("generation") or 0)
        self._withdrawn = int(before.meta(WITHDRAWN) or 0)
        self._model, self._covered = before.meta("model"), before.share_with_vector()
        self._open_pending(rules, after=before)

    def take_vectors(self, should_stop: Callable[[], bool]) -> None:
        """Give a new build the vectors of the one before; none where it is not there or cannot be read."""
        if not self.is_new_build:
            return
        take_vectors(self.writer, self._file, should_stop)
        if isinstance(self._model, str):
            with self.writer.transaction():
                self.writer.use_model(self._model)

    def publish_when_as_good(self, model: str | None) -> None:
        """Let the new build answer if meaning sees no less of it, by this model, than of the one before."""
        if self.is_new_build and (model != self._model or self.writer.share_with_vector() >= self._covered):
            self.publish()

    def publish(self) -> None:
        """Let the new build answer, if this is one; nothing is missing that this run could have added.

        Raises:
            IndexFileError: the index folder cannot be written.
        """
        if not self.is_new_build:
            return
        with self.writer.transaction():
            # What a reader knows of the build before is older than anything in this one.
            generation = max(self._generation, int(self.writer.meta("generation") or 0))
            self.writer.set_meta("generation", generation)
            self.writer.set_meta(WITHDRAWN, self._withdrawn)
        # What is in the log is on the disk only when it has been taken into the file.
        self.writer.scrub()
        try:
            publish(self._file, pending_build(self._file))
            clear_taint(self._file)
        except OSError as error:
            raise IndexFileError(
                f"The index folder {self._file.parent} cannot be written: {error.strerror}."
            ) from error
        self.is_new_build = False
        self.is_renewed = self._outdated
        remove_old_builds(self._file)

    def _open_pending(self, rules: str | None, *, after: Writer | None = None) -> None:
        if after is not None:
            after.close()
        elif self.is_new_build:
            self.writer.close()
        self.writer = Writer(self._file, pending=True)
        self.is_new_build = True
        if rules is not None and self.writer.meta("rules") not in (None, rules):
            # It was begun by other rules.
            self.writer.close()
            discard(pending_build(self._file))
            self.writer = Writer(self._file, pending=True)
