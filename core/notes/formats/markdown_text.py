"""Markdown's events to line-aligned plain text, headings, tags and links. Depends on pyromark.

Decided here: HTML loses its tags and comments, code keeps its text, list markers and check boxes go, table cells are
parted by a bar. `%% comments %%` stay ordinary text, but nothing in them is a link. A heading in a list or quote is no
title. There are no links or tags in code, and in HTML only `<a href>` is a link, but indented code that begins with a
bullet is an outline. Of Logseq, drawers, block references and properties that are machinery go. Mathematics is not
parsed, so `$5 and $6` stays as written.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Any

import pyromark

from core.notes.formats.inline_html import anchors, html_text, is_break
from core.notes.links import parse_markdown_link, parse_wikilink
from core.notes.note import Heading, Link

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_WIKILINKS
)

# A tag begins after white space or an opening bracket, and is never a number alone. On the source, where `\#` and
# `&#35;` can be told from it.
_TAG_BEGINS = r"(?:(?<=[\s(\[{\"'>,;])|(?<!.))#"
_TAG_PART = r"(?:[\w/-]|[^\x00-\x7f\s\u2000-\u206f\u3000-\u303f\uff00-\uff0f])+"
_TAG = re.compile(f"{_TAG_BEGINS}({_TAG_PART})")
_DENDRON_TAG = re.compile(rf"{_TAG_BEGINS}({_TAG_PART}(?:\.{_TAG_PART})*)")
_CALLOUT = re.compile(r"\[!\w[^\]\n]*\][+-]?[ \t]*")
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^[A-Za-z0-9-]+$")
# What Logseq writes below a block for itself.
_LOGSEQ_MACHINERY = re.compile(r"^(?:id:: [0-9a-f-]{36}|(?:collapsed|heading|background-color):: \S+)$")
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_BLOCK_REFERENCE = re.compile(rf"\(\({_UUID}\)\)|\{{\{{embed \(\({_UUID}\)\)\}}\}}")
_DRAWER = re.compile(r":(?:LOGBOOK|PROPERTIES):[ \t]*")
_DRAWER_END = b":END:"

# Outliners indent their items by tabs, also below a paragraph, where CommonMark sees code. Such code begins with a
# bullet; real code hardly ever does.
_BULLET = re.compile(r"\s*[-*+] ")
_MAX_NESTING = 3

# Nothing of these but their contents matters.
_SILENT = frozenset({"Paragraph", "Item", "Emphasis", "Strong", "Strikethrough"})
_NEVER_TITLE = frozenset({"BlockQuote", "List", "FootnoteDefinition"})


class MarkdownText:
    """Plain text, headings, tags and links of a Markdown body, after `read`.

    The text (`"".join(out)`) has one newline for each of the source. `headings` have their offset in it, and like
    links their line in the file, where the body begins at `first_line`. `title` is the first heading that may be one.
    Positions within are UTF-8 byte offsets, as the parser gives them.
    """

    def __init__(self, body: str, *, first_line: int, dendron: bool, nesting: int = 0) -> None:
        try:
            self._data, self._source = body.encode(), body
        except UnicodeEncodeError:
            self._data = body.encode("utf-8", "replace")
            self._source = self._data.decode()
        self._dendron = dendron
        self._position = 0
        self._line = first_line
        self._length = 0
        self._counted = 0
        self.out: list[str] = []
        self.headings: list[Heading] = []
        self.tags: list[str] = []
        self.links: list[Link] = []
        # The links that are open: kind, first piece of `out`, start, and what the parser said of the link.
        self._open: list[tuple[str, int, int, dict[str, Any]]] = []
        self._heading: tuple[int, int, int] | None = None
        self._html: list[str] = []
        self._html_start = -1
        self._nesting = nesting
        self._in_code = False
        self._in_indented = False
        self._row_begins = False
        self._after_quote = False
        self._has_oddities = "%%" in body or "((" in body or ":END:" in body
        self._comment_start = -1
        self._links_before_comment = 0
        self._drawer_end = 0
        self._depth = 0  # of lists and quotes: a heading in one is not the note's title
        self.title = ""

    def read(self) -> None:
        """Go through the events once."""
        put, text, started, ended, silent = self._put, self._text, self._started, self._ended, _SILENT
        events: Iterable[Any] = pyromark.events_with_range(self._source, options=_OPTIONS, merge_text=True)
        for event, span in events:
            if type(event) is str:  # breaks and rules: their newlines are counted by what follows
                continue
            (kind,) = event
            value = event[kind]
            if kind == "Text":
                text(span["start"], span["end"], value)
            elif kind == "End":
                if type(value) is not str or value not in silent:
                    ended(value, span["end"])
            elif kind == "Start":
                if type(value) is not str or value not in silent:
                    started(value, span["start"])
            elif kind == "Code":
                put(span["start"], span["end"], value)
            elif kind == "Html":
                if self._html_start >= 0:
                    self._html.append(value)
            elif kind == "InlineHtml":
                self._inline_html(span["start"], span["end"], value)
        self._put(len(self._data), len(self._data), "")

    def _put(self, start: int, end: int, text: str) -> None:
        """Append `text`, which stands in the source at [start, end), on the source's line."""
        data, position = self._data, self._position
        if start > position:
            newlines = data.count(b"\n", position, start)
            if newlines:
                self.out.append("\n" * newlines)
                self._line += newlines
        # Never from before what is already there: newlines are counted once, whatever ranges the parser gives.
        within = data.count(b"\n", start if start > position else position, end)  # noqa: FURB136 - twice as quick as max
        if within or "\n" in text:
            surplus = within - text.count("\n")
            if surplus < 0:
                text, surplus = text.replace("\n", " "), within
            text += "\n" * surplus
            self._line += within
        self.out.append(text)
        self._position = end if end > position else position  # noqa: FURB136

    def _outline(self, start: int, end: int, text: str) -> None:
        """Read the outline that the parser takes for indented code, as if it stood at the margin."""
        self._put(start, start, "")
        inner = MarkdownText(
            textwrap.dedent(text), first_line=self._line, dendron=self._dendron, nesting=self._nesting + 1
        )
        inner.read()
        self.tags += inner.tags
        self.links += inner.links
        self._put(start, end, "".join(inner.out))

    def _text(self, start: int, end: int, text: str) -> None:
        if self._html_start >= 0:  # indentation that the parser puts back
            self._html.append(text)
            return
        if self._in_indented and self._nesting < _MAX_NESTING and _BULLET.match(text):
            self._outline(start, end, text)
            return
        if not self._in_code:
            if self._has_oddities and start < self._drawer_end:
                return
            if self._after_quote:
                self._after_quote = False
                text = _CALLOUT.sub("", text, count=1) if text.startswith("[!") else text
            if "#" in text and not self._open:
                self._find_tags(start, end)
            if "^" in text and self._data[end : end + 1] in (b"\n", b""):
                text = _BLOCK_ID.sub("", text)
            elif "::" in text and _LOGSEQ_MACHINERY.match(text):
                text = ""
            if self._has_oddities:
                text = self._without_oddities(start, end, text)
        self._put(start, end, text)

    def _without_oddities(self, start: int, end: int, text: str) -> str:
        """Return text without drawers and block references, and take notice of comments."""
        if text.startswith(":") and _DRAWER.fullmatch(text):
            self._drawer_end = self._data.find(_DRAWER_END, end) + len(_DRAWER_END)
            return "" if self._drawer_end > end else text
        if "%%" in text:
            self._mark_comments(start, end)
        return _BLOCK_REFERENCE.sub("", text) if "((" in text else text

    def _inline_html(self, start: int, end: int, markup: str) -> None:
        if is_break(markup):
            self._put(start, end, " ")
        elif markup[1] in "aA":
            self._put(start, start, "")
            self._find_anchors(markup)

    def _mark_comments(self, start: int, end: int) -> None:
        """Forget the links between two `%%`; one that is never closed hides nothing."""
        place = self._data.find(b"%%", start, end)
        while place >= 0:
            opened, self._comment_start = self._comment_start, -1
            # Only one that begins a line goes on beyond its paragraph: "100%%" is no comment.
            if opened >= 0 and (self._data[opened - 1 : opened] in (b"\n", b"") or not self._parted(opened, place)):
                del self.links[self._links_before_comment :]
            else:
                self._comment_start, self._links_before_comment = place, len(self.links)
            place = self._data.find(b"%%", place + 2, end)

    def _parted(self, start: int, end: int) -> bool:
        return self._data.find(b"\n\n", start, end) >= 0

    def _find_anchors(self, markup: str) -> None:
        """Keep the links of HTML that begins at the present line."""
        for destination, lines_below in anchors(markup):
            self._keep(parse_markdown_link(destination, "", self._line + lines_below, image=False))

    def _find_tags(self, start: int, end: int) -> None:
        if self._data[start - 1 : start] == b"\\":  # the text begins behind an escape
            start += 1
        pattern = _DENDRON_TAG if self._dendron else _TAG  # its hierarchy has dots
        for written in pattern.findall(self._data[start:end].decode("utf-8", "replace")):
            tag = written.strip("/-")
            if tag and not tag.isdecimal():
                self.tags.append(tag)

    def _started(self, value: str | dict[str, Any], start: int) -> None:
        if isinstance(value, str):
            if value == "TableCell":
                if not self._row_begins:
                    self._put(start, start, " | ")
                self._row_begins = False
            elif value in ("TableRow", "TableHead"):
                self._row_begins = True
            elif value == "HtmlBlock":
                self._html, self._html_start = [], start
            return
        [(kind, details)] = value.items()
        if kind in ("Link", "Image"):
            self._put(start, start, "")
            self._open.append((kind, len(self.out), start, details))
        elif kind == "Heading":
            self._put(start, start, "")
            self._heading = (int(details["level"][1:]), len(self.out), self._line)
        elif kind == "CodeBlock":
            self._in_code = True
            self._in_indented = details == "Indented"
        elif kind in _NEVER_TITLE:
            self._depth += 1
            self._after_quote = kind == "BlockQuote"

    def _ended(self, value: str | dict[str, Any], end: int) -> None:
        if isinstance(value, str):
            if value in ("Link", "Image"):
                self._end_link(end)
            elif value == "CodeBlock":
                self._in_code = self._in_indented = False
            elif value == "HtmlBlock":
                markup = "".join(self._html)
                if "href" in markup or "HREF" in markup:
                    self._put(self._html_start, self._html_start, "")
                    self._find_anchors(markup)
                self._put(self._html_start, end, html_text(markup))
                self._html_start = -1
            elif value in _NEVER_TITLE:
                self._depth -= 1
            return
        [kind] = value
        if kind == "Heading" and self._heading is not None:
            self._end_heading(*self._heading)
        elif kind in _NEVER_TITLE:
            self._depth -= 1
            self._after_quote = False

    def _end_link(self, end: int) -> None:
        kind, first, start, details = self._open.pop()
        label = "".join(self.out[first:])
        destination, link_type = details["dest_url"], details["link_type"]
        line = self._line - label.count("\n")
        if type(link_type) is not dict:
            if link_type not in ("Autolink", "Email"):
                label = " ".join(label.split())
                self._keep(parse_markdown_link(destination, label, line, image=kind == "Image"))
            return
        right = " ".join(label.split()) if link_type["WikiLink"]["has_pothole"] else None
        wikilink = parse_wikilink(" ".join(destination.split()), right, dendron=self._dendron)
        before = self.out[first - 2] if first >= 2 else ""
        self._keep(wikilink.link(line, embed=kind == "Image" or before.endswith("{{embed ")))
        if self._open:
            return  # a picture in a label: its text is the label's
        if before.endswith("#") and kind == "Link" and (len(before) == 1 or before[-2].isspace()):
            self.out[first - 2] = before[:-1]
            self.tags.append(wikilink.target)
        del self.out[first:]
        self._position, self._line = start, line
        shown = wikilink.shown
        if kind == "Image" and right and not wikilink.label:
            shown = ""  # the size of a picture
        self._put(start, end, shown)

    def _keep(self, link: Link | None) -> None:
        if link is not None:
            self.links.append(link)

    def _end_heading(self, level: int, first: int, line: int) -> None:
        self._heading = None
        text = " ".join("".join(self.out[first:]).split())
        self._length += sum(map(len, self.out[self._counted : first]))
        self._counted = first
        if text:
            if not self._depth and not self.title:
                self.title = text
            self.headings.append(Heading(level, text, line, self._length))
