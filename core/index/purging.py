"""Taking out of an index what has become private, before anything else is done with it.

Depends on the writer, and on the mark beside the index that keeps everyone from answering while this is under way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from core.errors import IndexDamaged, IndexFileError
from core.index.schema import WITHDRAWN
from core.index.taint import clear_taint, is_tainted, mark_tainted
from core.index.writer import Writer


class PurgeFailed(Exception):
    """The index still holds what has become private, and is refused by all; `str(error)` is the reason, a sentence."""


def purge(
    writer: Writer, index_file: Path, paths: Iterable[str], on_withdrawn: Callable[[bool], None] = lambda _done: None
) -> None:
    """Take the notes at `paths` out as if they had never been there, in one change.

    1. Mark the index, so that nobody answers from it, whatever happens to this process.
    2. Remove the notes, point links anew, drop the vectors of their texts, and merge the full-text tables.
    3. Empty the log. What a reader still holds open of it is overwritten by a later run.
    4. Take the mark away.

    `on_withdrawn` is told False after 1 and True after 4.

    Raises:
        PurgeFailed: the notes are still in it. The mark stays, and the next run tries again.
        IndexDamaged: the index is damaged, and is to be made again.
    """
    try:
        mark_tainted(index_file)  # 1
        if not is_tainted(index_file):
            raise PurgeFailed("The index could not be marked, so it was deleted. The next run makes it again.")
        on_withdrawn(False)
        with writer.transaction():  # 2
            for path in sorted(paths):
                writer.remove(path)
            writer.bring_links_up_to_date()
            writer.tidy()
            writer.set_meta(WITHDRAWN, int(writer.meta("generation") or 0) + 1)
        writer.scrub()  # 3
        clear_taint(index_file)  # 4
    except IndexDamaged:
        raise
    except IndexFileError as error:
        raise PurgeFailed(str(error)) from error
    except OSError as error:
        raise PurgeFailed(f"The index folder {index_file.parent} could not be written: {error.strerror}.") from error
    on_withdrawn(True)
