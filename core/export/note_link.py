"""A link to one note, as text that can be pasted into another: wikilink, Markdown link or path. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from core.export.markdown_table import escaped_markdown, link_target
from core.export.plain_text import one_line
from core.notes.suffixes import without_suffix
from core.search.results import Hit

_NO_WIKILINK = re.compile(r"[\[\]|#^\n\r]")
"""Characters that end a wikilink's target or begin another part of it; a name with one is linked in Markdown."""


class LinkForm(StrEnum):
    """How a link to a note is written."""

    WIKILINK = "wikilink"
    MARKDOWN = "markdown"
    PATH = "path"


def note_link(hit: Hit, form: LinkForm) -> str:
    """Return a link to the note of `hit`, relative to the notes folder.

    A wikilink names the file without its ending, as note programs resolve it, and shows the title where that is another
    word. A name that no wikilink can hold becomes a Markdown link.
    """
    title = one_line(hit.title)
    name = without_suffix(hit.path.rpartition("/")[2])
    if form is LinkForm.PATH:
        return hit.path
    if form is LinkForm.WIKILINK and not _NO_WIKILINK.search(name) and name:
        shown = _NO_WIKILINK.sub(" ", title).strip()
        return f"[[{name}]]" if shown in {"", name} else f"[[{name}|{shown}]]"
    return f"[{escaped_markdown(title or name)}]({link_target(hit.path)})"
