"""What reading a file gives: a `Note` and the things in it. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

PropertyValue: TypeAlias = "str | int | float | bool | list[PropertyValue] | dict[str, PropertyValue] | None"
"""A front matter value as JSON can hold it; dates are ISO strings."""


class LinkKind(StrEnum):
    """How a link was written."""

    WIKILINK = "wikilink"
    MARKDOWN = "markdown"
    EMBED = "embed"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `line` counts from 1 in the file, `offset` is its place in `Note.text`."""

    level: int
    text: str
    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Link:
    """A reference to another note, as it was written.

    `target` is the path or name alone: no fragment, no label, percent-escapes decoded,
    `dendron://vault/` cut off. `fragment` is the heading or `^block`, "" where there is none.
    A link to a heading of the same note has an empty target and is not kept.
    """

    kind: LinkKind
    target: str
    fragment: str
    label: str
    line: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of `Note.text` stands in a file that has no lines to count: from `offset` on, as "page 3"."""

    offset: int
    name: str


@dataclass(frozen=True, slots=True)
class Note:
    r"""One file of the folder, read.

    `text` is the plain text, markup taken off, with exactly one newline for each newline of the
    file: the line in the file of an offset is `1 + text.count("\\n", 0, offset)`.
    `path` is relative to the folder, with `/` between its parts, in the file system's own spelling.
    `date` is the ISO date of the front matter (`date`, `created` or `updated`), None without one.
    `places` are empty for a format that has lines. Else they are in the order of their offsets, the first 0 where
    the text begins with one, and lines of `text` are none of the file: `Heading.line` and `Link.line` count those.
    `problems` are sentences for the status list; the note is indexed all the same.
    """

    path: str
    title: str
    text: str
    headings: tuple[Heading, ...] = ()
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, PropertyValue] = field(default_factory=dict)
    date: str | None = None
    links: tuple[Link, ...] = ()
    problems: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A contiguous piece of a note: what is embedded and shown as a snippet.

    `text` is `note.text[start:start + len(text)]`, never empty and never all white space;
    `line` is the line in the file of its first character, None in a note that has places instead; `place` is the name
    of the one it begins in, None in a note that has lines.
    """

    ordinal: int
    text: str
    start: int
    line: int | None
    heading: str
    place: str | None = None
