"""One note out of parts that each have a place: the cells of a notebook, the cards of a canvas. Pure.

Between two parts stands a form feed, where a passage always ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.notes.decoding import normalise_newlines
from core.notes.formats.markdown import page_tags
from core.notes.formats.markdown_text import MarkdownText
from core.notes.formats.outline import page_properties
from core.notes.note import Heading, Link, Note, Place

MAX_TEXT = 32_000_000
"""Characters: what an index can number in passages; the same as `core.notes.reading` cuts other formats at."""

TOO_LONG = f"It is longer than {MAX_TEXT // 10**6} million characters; only its beginning is indexed."

_MAX_MARKDOWN = 4_000_000
"""Characters that are read as Markdown, which takes seconds for as many; the rest is text as it stands."""

_PART = 300
"""Characters that take as long as the beginning of a part."""

_BETWEEN = "\n\f"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Parts:
    """Takes parts in their order and gives the note; `heading` is the first heading in any of them."""

    def __init__(self) -> None:
        self.heading = ""
        self._text: list[str] = []
        self._places: list[Place] = []
        self._length = 0
        self._lines = 1
        self._markdown = 0
        self._headings: list[Heading] = []
        self._links: list[Link] = []
        self._tags: dict[str, str] = {}
        self._problems: list[str] = []

    def add_text(self, place: str, text: str, links: tuple[Link, ...] = ()) -> None:
        """Add a part as it stands. The lines of `links` count from 1 in it."""
        first = self._next_line()
        self._add(
            place,
            clean_text(text),
            (),
            [Link(each.kind, each.target, each.fragment, each.label, first + each.line - 1) for each in links],
        )

    def add_markdown(self, place: str, source: str) -> None:
        """Add a part that is Markdown: without its markup, and with its headings, links and tags."""
        self._markdown += len(source) + _PART
        if self._markdown > _MAX_MARKDOWN:
            self.add_text(place, source)
            self._tell("It holds more Markdown than is read; the rest is indexed as plain text.")
            return
        # A body alone: only a file can have front matter. An empty line before it keeps a mark of byte order text.
        body = "\n" + clean_text(source)
        reader = MarkdownText(body, first_line=self._next_line() - 1, dendron=False)
        reader.read()
        for tag in (*page_tags(page_properties(body)), *reader.tags):
            self._tags.setdefault(tag.casefold(), tag)
        self._add(place, "".join(reader.out)[1:], reader.headings, reader.links)
        if reader.headings and not self.heading:
            self.heading = reader.headings[0].text

    def note(self, path: str, title: str) -> Note:
        """Return the note of all parts so far."""
        return Note(
            path=path,
            title=title,
            text="".join(self._text),
            headings=tuple(self._headings),
            tags=tuple(self._tags.values()),
            links=tuple(self._links),
            problems=tuple(self._problems),
            places=tuple(self._places),
        )

    def _next_line(self) -> int:
        """Return the line that the next part begins at."""
        return self._lines + _BETWEEN.count("\n") if self._text else self._lines

    def _add(self, place: str, text: str, headings: Sequence[Heading], links: Sequence[Link]) -> None:
        """Add a part whose headings and links have their lines in the note; the offsets count from the line before."""
        if self._length + len(_BETWEEN) >= MAX_TEXT:
            self._tell(TOO_LONG)
            return
        text = text.rstrip()
        if not text and not links:
            return
        if self._text:
            self._put(_BETWEEN)
        if self._length + len(text) > MAX_TEXT:
            text = text[: MAX_TEXT - self._length]
            self._tell(TOO_LONG)
        self._places.append(Place(self._length, place))
        for each in headings:
            if each.offset <= len(text):
                self._headings.append(Heading(each.level, each.text, each.line, self._length + each.offset - 1))
        self._links += links
        self._put(text)

    def _put(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)
        self._lines += text.count("\n")

    def _tell(self, problem: str) -> None:
        if problem not in self._problems:
            self._problems.append(problem)


def clean_text(text: str) -> str:
    """Return text as a note can hold it: newlines normalised, NULs as spaces, halves of surrogate pairs replaced."""
    text = normalise_newlines(text).replace("\0", " ")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
