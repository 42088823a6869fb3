"""The title of a document that a word processor or typesetter wrote. Pure: reads strings alone."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from core.notes.suffixes import without_suffix

MAX_TITLE = 300
"""Characters: a title stands before every passage that is embedded."""

# What programs write where a person wrote nothing, in the languages they come in.
_NO_TITLE = re.compile(
    r"""(?: untitled | no\ title | title | (?:new\ |word\ )?document | (?:powerpoint\ )?presentation | slide
      | unbenannt | (?:ohne|kein)\ titel | dokument | sans\ (?:titre|nom) | titre | senza\ titolo
      | sin\ t[ií]tulo | sem\ t[ií]tulo | naamloos | namnlös | bez\ nazwy | без\ названия
      | 文档 | 无标题 | 無標題 | 未命名 | 無題 | 제목\ 없음
      ) [\s\-_\#()]* \d*""",
    re.IGNORECASE | re.VERBOSE,
)
_BY_A_PROGRAM = re.compile(r"microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio) ?-.*", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:[a-z]:[\\/]|[a-z]+://|file:|about:|[\\/]).*", re.IGNORECASE)
# With a space in it, only an ending of documents makes a file name: "All about node.js" is a title.
_FILE_NAME = re.compile(
    r"\S+\.[a-z][a-z0-9]{1,4} | .+\.(?:docx?|dotx?|odt|rtf|txt|pdf|pptx?|xlsx?|indd|qxd|tex|dvi|e?ps|wpd|pages|pub)",
    re.IGNORECASE | re.VERBOSE,
)


def document_title(written: str) -> str:
    """Return the title that a file's properties hold, on one line; "" where it is none.

    None is what a program wrote ("untitled", "Microsoft Word - a.doc"), a file name, an address, and what holds no two
    letters or digits.
    """
    title = " ".join(written[:10_000].split())
    if sum(map(str.isalnum, title)) < 2:
        return ""
    if any(pattern.fullmatch(title) for pattern in (_NO_TITLE, _BY_A_PROGRAM, _ADDRESS, _FILE_NAME)):
        return ""
    return title[:MAX_TITLE]


def file_title(path: str) -> str:
    """Return the title of a note that has none of its own: its file's name without folder and suffix."""
    name = PurePosixPath(path).name
    return without_suffix(name).strip()[:MAX_TITLE] or name
