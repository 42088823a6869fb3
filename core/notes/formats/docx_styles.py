"""Which paragraphs of a Word document are headings, by their styles. Pure: takes the XML of its style sheet.

Word writes the names of its own styles in English whatever its language ("heading 1"); others say by an outline level
that they are headings, or are based on one that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.notes.decoding import NotText
from core.notes.formats.docx_package import parse_xml

MAIN = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
"""The namespaces of Word's elements: the usual one, and that of the strict form."""

_NAMES = {f"{space} {name}": name for space in MAIN for name in ("style", "name", "basedOn", "outlineLvl", "numPr")}

TITLE = 0
"""The level of the style Title."""

_MAX_BASES = 12
"""Styles that one is based on, one on the other: Word allows eleven."""

_REMEMBERED = 8
_MAX_REMEMBERED = 512 * 1024
"""Style sheets that are remembered, and the bytes of the longest: together four megabytes at most."""

_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)


def value_of(attributes: dict[str, str], name: str = "val") -> str:
    """Return the attribute `name` of Word's namespaces, "" without one."""
    for space in MAIN:
        value = attributes.get(f"{space} {name}")
        if value is not None:
            return value
    return ""


def outline_level(written: str) -> int | None:
    """Return the heading level, from 1, of an outline level as it is written, from 0; 9 is body text."""
    return int(written) + 1 if re.fullmatch(r"[0-8]", written) else None


@dataclass(slots=True)
class _Style:
    name: str = ""
    based_on: str = ""
    level: int | None = None
    in_list: bool = False


def read_styles(sheet: bytes) -> tuple[Styles, bool]:
    """Return the styles of a style sheet, and whether all of it could be read.

    The documents of a folder come from few templates, so that most have the sheet of one before them; reading it is
    two thirds of reading a document.
    """
    return _remembered_styles(sheet) if len(sheet) <= _MAX_REMEMBERED else _read_styles(sheet)


def _read_styles(sheet: bytes) -> tuple[Styles, bool]:
    styles = Styles()
    try:
        parse_xml(sheet, styles.started)
    except NotText:
        return styles, False
    return styles, True


_remembered_styles = lru_cache(maxsize=_REMEMBERED)(_read_styles)


class Styles:
    """Takes the elements of a style sheet; a document without one is read by the usual ids."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._style = _Style()

    def started(self, element: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element."""
        match _NAMES.get(element):
            case "style":
                self._style = self._styles.setdefault(value_of(attributes, "styleId"), _Style())
            case "name":
                self._style.name = value_of(attributes)
            case "basedOn":
                self._style.based_on = value_of(attributes)
            case "outlineLvl":
                self._style.level = outline_level(value_of(attributes))
            case "numPr":
                self._style.in_list = True

    def level(self, style_id: str) -> int | None:
        """Return the level of a style's headings, TITLE for the title's, None for other paragraphs."""
        own = self._styles.get(style_id, _Style(style_id)).name.strip().casefold()
        if own == "title":
            return TITLE
        for style in self._bases(style_id):
            if match := _HEADING.fullmatch(style.name.strip()):
                return int(match[1])
            if style.level is not None:
                return style.level
        return None

    def is_list(self, style_id: str) -> bool:
        """Tell whether the paragraphs of a style are items of a list."""
        return any(style.in_list for style in self._bases(style_id))

    def _bases(self, style_id: str) -> Iterator[_Style]:
        """Yield a style and those that it is based on, one on the other."""
        for _ in range(_MAX_BASES):
            style = self._styles.get(style_id, _Style(style_id))
            yield style
            if not style.based_on:
                return
            style_id = style.based_on
