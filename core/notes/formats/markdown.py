"""Markdown to a `Note`: what front matter, page properties and body say together. Opens no file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from core.notes.decoding import normalise_newlines
from core.notes.formats.front_matter import FrontMatter, cut_front_matter, date_in, names_in, tags_in, title_in
from core.notes.formats.markdown_text import MarkdownText
from core.notes.formats.outline import journal_day, page_name, page_properties
from core.notes.note import Heading, Note, PropertyValue
from core.notes.suffixes import without_suffix

MAX_TITLE = 300
"""Characters: a title stands before every passage that is embedded."""


def read_markdown(path: str, text: str, *, dendron: bool = False) -> Note:
    """Return the note that `text` is, whatever it holds.

    `dendron` says that the folder is Dendron's, where `[[label|target]]` is the order; a note whose front matter has
    Dendron's shape is taken so without it.
    """
    text = normalise_newlines(text).removeprefix("\ufeff")
    front = cut_front_matter(text, dendron=dendron)
    body = text[front.end :]
    reader = MarkdownText(body, first_line=front.lines + 1, dendron=front.dendron or dendron)
    reader.read()
    page = page_properties(body)
    properties = {**page, **front.properties}
    named = FrontMatter(properties=properties)
    day = journal_day(path)
    return Note(
        path=path,
        title=(title_in(named.value("title")) or reader.title or day or page_name(stem(path)))[:MAX_TITLE],
        text=front.text + "".join(reader.out),
        headings=tuple(
            Heading(heading.level, heading.text, heading.line, heading.offset + len(front.text))
            for heading in reader.headings
        ),
        tags=_distinct([*page_tags(properties), *reader.tags], key=str.casefold),
        aliases=_distinct(_listed(properties, ("aliases", "alias"), names_in)),
        properties=properties,
        date=_first_date(named) or day,
        links=(*front.links, *reader.links),
        problems=(front.problem,) if front.problem else (),
    )


def page_tags(properties: Mapping[str, PropertyValue]) -> list[str]:
    """Return the tags that the properties of a note name."""
    return _listed(properties, ("tags", "tag", "keywords"), tags_in)


def stem(path: str) -> str:
    """Return a note's file name without folder and suffix, dots within it kept."""
    name = PurePosixPath(path).name
    return without_suffix(name).strip() or name


def _listed(
    properties: Mapping[str, PropertyValue], keys: tuple[str, ...], items: Callable[[PropertyValue], list[str]]
) -> list[str]:
    return [item for key, value in properties.items() if key.lower() in keys for item in items(value)]


def _first_date(properties: FrontMatter) -> str | None:
    dates = (date_in(properties.value(name)) for name in ("date", "created", "updated"))
    return next((found for found in dates if found), None)


def _distinct(items: list[str], key: Callable[[str], str] = str) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for item in items:
        first.setdefault(key(item), item)
    return tuple(first.values())
