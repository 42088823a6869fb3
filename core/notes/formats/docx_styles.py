"""Which paragraphs of a Word document are headings, by their styles. Pure: takes XML events.

Word writes the names of its own styles in English whatever its language ("heading 1"); others say by an outline level
that they are headings, or are based on one that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAIN = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
"""The namespaces of Word's elements: the usual one, and that of the strict form."""

TITLE = 0
"""The level of the style Title."""

_MAX_BASES = 12
"""Styles that one is based on, one on the other: Word allows eleven."""

_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)


def name_of(element: str) -> str:
    """Return the name of an element or attribute without its namespace, "" outside Word's own."""
    namespace, _, name = element.rpartition(" ")
    return name if namespace in MAIN else ""


def value_of(attributes: dict[str, str], name: str = "val") -> str:
    """Return the attribute `name` of Word's namespaces, "" without one."""
    return next((value for space in MAIN if (value := attributes.get(f"{space} {name}")) is not None), "")


def outline_level(written: str) -> int | None:
    """Return the heading level, from 1, of an outline level as it is written, from 0; 9 is body text."""
    return int(written) + 1 if re.fullmatch(r"[0-8]", written) else None


@dataclass(slots=True)
class _Style:
    name: str = ""
    based_on: str = ""
    level: int | None = None
    in_list: bool = False


class Styles:
    """Takes the elements of the styles part; a document without one is read by the usual ids."""

    def __init__(self) -> None:
        self._styles: dict[str, _Style] = {}
        self._style = _Style()

    def started(self, element: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element."""
        match name_of(element):
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
