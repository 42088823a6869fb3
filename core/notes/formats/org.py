"""Org to a `Note`: titles, tags, drawers, links and plain text, a line of text for each line of the file. Pure.

Read line by line. orgparse knows the line of a headline only, not of a link or a word, and one bad timestamp
(`CLOCK: [2020-99-99]`) makes it raise for the whole file.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from core.notes.decoding import normalise_newlines
from core.notes.distinct import distinct
from core.notes.formats.document_title import MAX_TITLE, file_title
from core.notes.formats.front_matter import date_in
from core.notes.formats.org_inline import may_hold_markup, read_inline
from core.notes.note import Heading, Link, LinkKind, Note, PropertyValue

_MAX_PROPERTIES = 1000
"""Names and values of properties that a note keeps; an outline of ten thousand drawers is a table, not properties."""


def read_org(path: str, text: str) -> Note:
    """Return the note that an Org file is, whatever it holds.

    Without `#+TITLE` the first headline is the title only where it stands alone on the highest level, at the top;
    an outline of many is called by its file's name, as Emacs and Logseq do.
    """
    reader = _Outline(normalise_newlines(text).replace("\0", " "))
    reader.read()
    named = {key.lower(): value for key, value in reader.properties.items()}
    dates = (date_in(str(named[name]).strip("<[ ")) for name in ("date", "created", "updated") if name in named)
    inside = {_folded(name) for name in reader.anchors}
    return Note(
        path=path,
        title=(" ".join(reader.title) or reader.only_headline() or file_title(path))[:MAX_TITLE],
        text="\n".join(reader.out),
        headings=tuple(reader.headings),
        tags=distinct(reader.tags),
        aliases=tuple(dict.fromkeys([*reader.aliases, *reader.ids])),
        properties=reader.properties,
        date=next((found for found in dates if found), None),
        # [[Name]] means a headline or <<target>> of its own file before a note of that name.
        links=tuple(
            link for link in reader.links if link.kind is not LinkKind.WIKILINK or _folded(link.target) not in inside
        ),
    )


_HEADLINE = re.compile(r"(\*+)[ \t]+(.*)")
_HEADLINE_TAGS = re.compile(r"(?:^|[ \t]):((?:[\w@#%]+:)+)[ \t]*$")
_PRIORITY = re.compile(r"^((?:[A-Z]+[ \t]+)?)\[#\w\][ \t]*")
_TODO = re.compile(r"^(?:TODO|DONE|NEXT|WAITING|DOING|LATER|NOW|CANCELLED|CANCELED)[ \t]+")
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\S+)(?:[ \t].*)?", re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+(\w[\w-]*)(?:\[[^\]]*\])?:(?:[ \t]+(.*)|[ \t]*)")
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*")
_PROPERTY = re.compile(r"[ \t]*:([^\s:][^\s:]*):(?:[ \t]+(.*)|[ \t]*)")
_COMMENT = re.compile(r"[ \t]*#(?:[ \t].*)?")
_FIXED_WIDTH = re.compile(r"[ \t]*:(?: (.*))?")
_RULE = re.compile(r"[ \t]*-{5,}[ \t]*")
_CLOCK = re.compile(r"[ \t]*CLOCK:")
_ITEM = re.compile(
    r"[ \t]*(?:[-+]|[0-9]{1,9}[.)]|(?<=[ \t])\*)(?:[ \t]+|$)(?:\[@[0-9]+\][ \t]*)?(?:\[[ Xx-]\](?:[ \t]+|$))?"
)
_TABLE_RULE = re.compile(r"[ \t]*\|[-+|: \t]*\|?[ \t]*")
_QUOTED_OR_WORD = re.compile(r'"([^"]*)"|(\S+)')

_VERBATIM = frozenset({"src", "example", "export", "comment"})
_SHOWN_KEYWORDS = frozenset({"author", "description", "subtitle", "caption", "summary"})
# What programs keep in drawers for themselves.
_MACHINERY = frozenset({
    "id", "custom_id", "roam_aliases", "roam_alias", "roam_tags", "alias", "aliases", "title", "created", "updated",
    "modified", "date", "category", "visibility", "collapsed", "heading", "style", "header-args", "ordered",
    "logging", "columns", "last_repeat", "archive_time", "archive_file", "archive_category", "archive_todo",
    "archive_itags", "archive_olpath", "export_file_name",
})  # fmt: skip


class _Outline:
    """What the lines of an Org file hold, after `read`. `out` has a line for each of the source."""

    def __init__(self, text: str) -> None:
        self._rows = text.split("\n")
        self._length = 0
        self._prose: list[str] = []  # lines of a paragraph: a link or emphasis may run over their ends
        self._ends: dict[str, list[int]] = {}
        self._headlines: list[int] = []
        self._top = True  # before the first headline
        self._values = 0
        self.out: list[str] = []
        self.title: list[str] = []
        self.headings: list[Heading] = []
        self.tags: list[str] = []
        self.aliases: list[str] = []
        self.ids: list[str] = []
        self.anchors: list[str] = []
        self.properties: dict[str, PropertyValue] = {}
        self.links: list[Link] = []

    def read(self) -> None:
        """Go through the lines once, after a first look at where blocks and drawers end."""
        rows = self._rows
        for number, row in enumerate(rows):
            block = _BLOCK.fullmatch(row)
            if block is not None and block[1].lower() == "end":
                self._ends.setdefault(block[2].lower(), []).append(number)
            elif row.startswith("*") and _HEADLINE.match(row):
                self._headlines.append(number)
            elif ":" in row and row.strip().lower() == ":end:":
                self._ends.setdefault(":", []).append(number)
        number = 0
        while number < len(rows):
            number = self._take(number)
        self._flush()

    def only_headline(self) -> str:
        """Return the headline that stands for the whole file, without its TODO; "" where none does."""
        tops = [heading for heading in self.headings if heading.level == self.headings[0].level]
        if len(tops) != 1 or "".join(self.out[: tops[0].line - 1]).strip():
            return ""
        return _TODO.sub("", tops[0].text)

    def _take(self, number: int) -> int:
        """Take the line at `number` and what belongs to it; return the number of the next."""
        row = self._rows[number]
        first = row.lstrip()[:1]
        if not first:
            self._put("")
        elif row[0] == "*" and (headline := _HEADLINE.fullmatch(row)):
            self._headline(len(headline[1]), headline[2], number)
        elif first == "#":
            return self._hash(row, number)
        elif first == ":":
            return self._colon(row, number)
        elif first == "|":
            self._prose.append("" if _TABLE_RULE.fullmatch(row) else " | ".join(_cells(row)))
            self._flush()
        elif (first == "-" and _RULE.fullmatch(row)) or (first == "C" and _CLOCK.match(row)):
            self._put("")
        elif first in "-+*0123456789" and (item := _ITEM.match(row)):
            self._flush()
            self._prose.append(row[item.end() :])
        else:
            self._prose.append(row.strip())
        return number + 1

    def _hash(self, row: str, number: int) -> int:
        block = _BLOCK.fullmatch(row)
        if block is not None:
            name = block[2].lower()
            end = self._end_of(name, number) if block[1].lower() == "begin" and name in _VERBATIM else None
            self._put("")
            if end is not None:
                for line in self._rows[number + 1 : end]:
                    self._put("" if name == "comment" else _unescaped(line))
                self._put("")
                return end + 1
        elif keyword := _KEYWORD.fullmatch(row):
            self._keyword(keyword[1], (keyword[2] or "").strip())
        elif _COMMENT.fullmatch(row):
            self._put("")
        else:
            self._prose.append(row.strip())
        return number + 1

    def _colon(self, row: str, number: int) -> int:
        drawer = _DRAWER.fullmatch(row)
        if drawer is not None:
            end = self._end_of(":", number)
            if drawer[1].lower() == "end":
                self._put("")
                return number + 1
            if end is not None:
                self._put("")
                if drawer[1].lower() != "properties":
                    return number + 1  # a log: its lines are text, its end is passed over
                for line in self._rows[number + 1 : end]:
                    self._property(line)
                self._put("")
                return end + 1
        fixed = _FIXED_WIDTH.fullmatch(row)
        if fixed is not None:
            self._put(fixed[1] or "")
        else:
            self._prose.append(row.strip())
        return number + 1

    def _end_of(self, name: str, number: int) -> int | None:
        """Return the line that ends the block or drawer begun at `number`: a headline would end it unclosed."""
        ends = self._ends.get(name, [])
        place = bisect_right(ends, number)
        if place == len(ends):
            return None
        following = bisect_right(self._headlines, number)
        if following < len(self._headlines) and self._headlines[following] < ends[place]:
            return None
        return ends[place]

    def _headline(self, level: int, written: str, number: int) -> None:
        self._flush()
        self._top = False
        tags = _HEADLINE_TAGS.search(written)
        if tags is not None:
            self.tags += [tag for tag in tags[1].split(":") if tag]
            written = written[: tags.start()]
        written = _PRIORITY.sub(r"\1", written)
        text = self._shown(written, number + 1).strip()
        if text:
            self.headings.append(Heading(level, " ".join(text.split()), number + 1, self._length))
            if "[[" not in written:  # a headline that is a link is not what it links to
                self.anchors.append(_TODO.sub("", text))
        self._put(text)

    def _keyword(self, written: str, value: str) -> None:
        key = written.lower()
        shown = ""
        if key == "title":
            self.title.append(" ".join(self._shown(value, 1).split()))
        elif key == "filetags":
            self.tags += [tag for tag in re.split(r"[:,\s]+", value) if tag]
        elif key in ("alias", "aliases"):
            self.aliases += [part.strip() for part in value.split(",") if part.strip()]
        elif key in ("roam_alias", "roam_aliases"):
            self.aliases += _names(value)
        elif key in ("roam_tags", "keywords"):
            self.tags += _names(value) if key == "roam_tags" else [part.strip() for part in value.split(",")]
            self.tags = [tag for tag in self.tags if tag]
        elif key == "identifier" and value:  # denote's
            self.ids.append(value)
        elif key == "property":
            key, _, value = value.partition(" ")
        elif key == "name" and value:
            self.anchors.append(value)
        elif key in _SHOWN_KEYWORDS:
            shown = value
        if self._top and value:
            self._keep(key, value.strip())
        if shown:
            self._flush()
            self._prose.append(shown)
            self._flush()
        else:
            self._put("")

    def _property(self, line: str) -> None:
        match = _PROPERTY.fullmatch(line)
        key, value = (match[1], (match[2] or "").strip()) if match else ("", "")
        if not key or not value:
            self._put("")
            return
        name = key.rstrip("+").lower()
        # Emacs writes a node's ID in capitals; the id of each block of Logseq is a link's end for nobody else.
        if name == "id" and (self._top or key == "ID"):
            self.ids.append(value)
        elif name in ("roam_aliases", "roam_alias"):
            self.aliases += _names(value)
        elif name in ("alias", "aliases") and self._top:
            self.aliases += [part.strip() for part in value.split(",") if part.strip()]
        elif name == "custom_id":
            self.anchors.append(value)
        elif name in ("tags", "roam_tags"):
            self.tags += [tag for tag in re.split(r"[:,\s]+", value) if tag]
        if name == "title" and self._top and not self.title:
            self.title.append(value)
        self._keep(key.rstrip("+"), value)
        if name in _MACHINERY or name.startswith("header-args") or not any(map(str.isalpha, value)):
            self._put("")
        else:
            self._flush()
            self._prose.append(f"{key}: {value}")
            self._flush()

    def _keep(self, key: str, value: str) -> None:
        """Keep a property; one with several values is their list, in their order."""
        known = self.properties.get(key)
        if not key or self._values >= _MAX_PROPERTIES or known == value:
            return
        self._values += 1
        if known is None:
            self.properties[key] = value
        elif not isinstance(known, list):
            self.properties[key] = [known, value]
        elif value not in known:
            known.append(value)

    def _shown(self, text: str, line: int) -> str:
        if not may_hold_markup(text):
            return text
        inline = read_inline(text, line)
        self.links += inline.links
        self.anchors += inline.anchors
        return inline.text

    def _put(self, line: str) -> None:
        """Put a line as it stands, behind the paragraph that it ends."""
        if self._prose:
            self._flush()
        self._line(line)

    def _line(self, line: str) -> None:
        self.out.append(line)
        self._length += len(line) + 1

    def _flush(self) -> None:
        if self._prose:
            prose, self._prose = "\n".join(self._prose), []
            for line in self._shown(prose, len(self.out) + 1).split("\n"):
                self._line(line)


def _names(value: str) -> list[str]:
    return [name for name in (quoted or word for quoted, word in _QUOTED_OR_WORD.findall(value)) if name]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _unescaped(line: str) -> str:
    """Return a line of a block without the comma that keeps it from being a headline or keyword."""
    bare = line.lstrip()
    return line.replace(",", "", 1) if bare.startswith((",*", ",#+")) else line


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
