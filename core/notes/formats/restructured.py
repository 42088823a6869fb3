"""reStructuredText to a `Note`: titles, fields, links and plain text, a line of text for each line of the file. Pure.

Read by line, as text with titles and links: what directives of Sphinx and others do is not carried out.
"""

from __future__ import annotations

import re

from core.notes.decoding import normalise_newlines
from core.notes.distinct import distinct
from core.notes.formats.document_title import MAX_TITLE, file_title
from core.notes.formats.front_matter import date_in
from core.notes.links import parse_markdown_link
from core.notes.note import Heading, Link, LinkKind, Note, PropertyValue


def read_restructured(path: str, text: str) -> Note:
    """Return the note that a reStructuredText file is, whatever it holds."""
    reader = _Document(normalise_newlines(text).replace("\0", " "))
    reader.read()
    named = {key.lower(): str(value) for key, value in reader.properties.items()}
    dates = (date_in(named[name]) for name in ("date", "created", "updated") if name in named)
    first = reader.headings[0].text if reader.headings else ""
    return Note(
        path=path,
        title=(named.get("title") or first or file_title(path))[:MAX_TITLE],
        text="\n".join(reader.out),
        headings=tuple(reader.headings),
        tags=distinct(reader.tags),
        properties=reader.properties,
        date=next((found for found in dates if found), None),
        links=tuple(reader.links),
    )


_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]{1,200}\|[ \t]+)?([A-Za-z][\w:.+-]{0,60}?)::(?:[ \t]+(.*)|[ \t]*)")
_TARGET = re.compile(r"\.\.[ \t]+_(?:`[^`]*`|[^:\\]|\\.)*+:(?:[ \t]+(.*)|[ \t]*)")
_ANONYMOUS = re.compile(r"__[ \t]+(.*)")
_FOOTNOTE = re.compile(r"\.\.[ \t]+\[[^\]\s]{1,100}\](?:[ \t]+(.*)|[ \t]*)")
_METADATA = re.compile(r"\.\.[ \t]+([A-Za-z][\w-]{0,40}):(?:[ \t]+(.*)|[ \t]*)")
_FIELD = re.compile(r":((?:[^:\\\s]|\\.)(?:[^:\\]|\\.){0,80}+):(?:[ \t]+(.*)|[ \t]*)")
_ITEM = re.compile(r"(?:[-+*•‣⁃]|(?:[0-9]{1,9}|#|[A-Za-z])[.)]|\((?:[0-9]{1,9}|#|[A-Za-z])\))(?:[ \t]+|$)")
_LINE_BLOCK = re.compile(r"\|(?:[ \t]+|$)")
_TABLE_RULE = re.compile(r"\+[-=+]*\+[ \t]*|=+(?:[ \t]+=+)+[ \t]*|-+(?:[ \t]+-+)+[ \t]*")

# Directives whose contents are no markup, and those of which nothing is shown.
_LITERAL = frozenset({
    "code", "code-block", "sourcecode", "parsed-literal", "math", "raw", "highlight", "literalinclude", "graphviz",
    "digraph", "graph", "doctest", "testcode", "testoutput", "prompt", "command-output", "mermaid", "uml",
    "csv-table", "productionlist", "ipython", "jupyter-execute", "plot",
})  # fmt: skip
# Their argument is a path, a language or an option, not text.
_SILENT = _LITERAL | frozenset({
    "image", "figure", "include", "toctree", "contents", "index", "module", "currentmodule", "py:module",
    "py:currentmodule", "default-role", "role", "only", "automodule", "autoclass", "autofunction", "highlight",
    "default-domain", "sectnum", "target-notes", "list-table", "tabularcolumns", "class", "rst-class", "container",
    "meta", "tags", "youtube",
})  # fmt: skip
_TAGS = frozenset({"tags", "keywords", "tag", "category", "categories"})


class _Document:
    """What the lines of a file hold, after `read`. `out` has a line for each of the source."""

    def __init__(self, text: str) -> None:
        self._rows = text.split("\n")
        self._length = 0
        self._prose: list[str] = []  # lines of a paragraph: a link or emphasis may run over their ends
        self._indent = 0  # of the paragraph
        self._styles: list[tuple[str, bool]] = []  # of titles, the highest first
        self._begun = False  # body text was seen: fields from here on are no properties
        self.out: list[str] = []
        self.headings: list[Heading] = []
        self.tags: list[str] = []
        self.properties: dict[str, PropertyValue] = {}
        self.links: list[Link] = []

    def read(self) -> None:
        """Go through the lines once; every line is looked at a bounded number of times."""
        number = 0
        while number < len(self._rows):
            number = self._take(number)
        self._flush()

    def _take(self, number: int) -> int:
        """Take the line at `number` and what belongs to it; return the number of the next."""
        row = self._rows[number]
        bare = row.strip()
        indent = _indent_of(row)
        if not bare:
            literal = bool(self._prose) and self._prose[-1].endswith("::")
            self._put("")
            return self._literal(number + 1, self._indent) if literal else number + 1
        if not self._prose:
            end = self._title(number)
            if end:
                return end
            self._indent = indent
            if bare.startswith(("..", "__")) and (end := self._explicit(number, bare, indent)):
                return end
            if bare[0] == ":" and (field := _FIELD.fullmatch(bare)):
                return self._field(field[1], field[2] or "", number, indent)
            if bare.startswith(">>>"):
                return self._doctest(number)
        if bare[0] in "+=-" and _TABLE_RULE.fullmatch(bare):
            self._put("")
            return number + 1
        if bare[0] == "|" and bare[-1] == "|" and len(bare) > 1:
            bare = " | ".join(cell.strip() for cell in bare.strip("|").split("|"))
            self._flush()
        else:
            item = _ITEM.match(bare) or _LINE_BLOCK.match(bare)
            if item is not None:
                self._flush()
                bare = bare[item.end() :]
        if not self._prose:
            self._indent = indent
        self._begun = True
        self._prose.append(bare)
        return number + 1

    def _title(self, number: int) -> int:
        """Take the title or transition that begins at `number`; return the line behind it, 0 where none does."""
        rows = self._rows
        row = rows[number].rstrip()
        below = rows[number + 1].rstrip() if number + 1 < len(rows) else ""
        over = _ADORNMENT.fullmatch(row)
        if over is not None:
            text, under = below, rows[number + 2].rstrip() if number + 2 < len(rows) else ""
            if text.strip() and under == row and len(row) >= min(len(text.strip()), 4):
                return self._heading(text.strip(), (over[1], True), number, 3)
            if len(row) >= 4 and not text:
                self._put("")
                return number + 1
            # "..." or "::" over a line of text is text; so is a lone adornment that underlines nothing.
            if not text or _ADORNMENT.fullmatch(text) is None:
                return 0
        under_match = _ADORNMENT.fullmatch(below)
        if under_match is None or row[0].isspace() or len(below) < min(len(row), 4) or below == "::":
            return 0
        return self._heading(row, (under_match[1], False), number, 2)

    def _heading(self, written: str, style: tuple[str, bool], number: int, lines: int) -> int:
        if style not in self._styles:
            self._styles.append(style)
        at = number + (lines == 3)
        text = " ".join(self._inline(written, at + 1).split())
        if lines == 3:
            self._put("")
        if text:
            self.headings.append(Heading(self._styles.index(style) + 1, text, at + 1, self._length))
        self._put(text)
        self._put("")
        return number + lines

    def _explicit(self, number: int, bare: str, indent: int) -> int:
        """Take the explicit markup at `number`; return the line behind it, 0 where it is text after all."""
        if anonymous := _ANONYMOUS.fullmatch(bare):
            self._address(anonymous[1], "", number)
            self._put("")
            return number + 1
        if bare != ".." and not bare.startswith((".. ", "..\t")):
            return 0
        if directive := _DIRECTIVE.fullmatch(bare):
            return self._directive(directive[1].lower(), directive[2] or "", number, indent)
        if target := _TARGET.fullmatch(bare):
            name = bare[bare.index("_") + 1 :].partition(":")[0].strip("`")
            self._address(target[1] or "", name, number)
            self._put("")
            return number + 1
        if footnote := _FOOTNOTE.fullmatch(bare):
            self._begun = True
            self._prose.append(footnote[1] or "")
            return number + 1
        if not self._begun and (metadata := _METADATA.fullmatch(bare)):  # as Nikola and Pelican write it
            self._property(metadata[1], metadata[2] or "")
            self._put("")
            return number + 1
        return self._drop(number, indent)

    def _directive(self, name: str, argument: str, number: int, indent: int) -> int:
        if name == "tags":
            self.tags += _listed(argument)
        self._put("" if name in _SILENT else self._inline(argument.strip(), number + 1))
        number += 1
        while number < len(self._rows) and _indent_of(self._rows[number]) > indent:
            option = _FIELD.fullmatch(self._rows[number].strip())
            if option is None:
                break
            key, value = option[1].lower(), (option[2] or "").strip()
            if name == "meta":
                self._property(option[1], value)
            self._put(value if key in ("alt", "caption") else "")
            number += 1
        if name == "toctree":
            return self._entries(number, indent)
        self._begun = self._begun or name != "meta"
        return self._literal(number, indent) if name in _LITERAL else number

    def _entries(self, number: int, indent: int) -> int:
        """Take the notes that a table of contents names, one a line: `path` or `Title <path>`."""
        end = self._end_of_block(number, indent)
        for place in range(number, end):
            entry = self._rows[place].strip()
            titled = _WITH_ADDRESS.fullmatch(entry)
            label, address = (titled[1].strip(), titled[2]) if titled else ("", entry)
            if address and address != "self" and "*" not in address:
                self._document(address, label, place + 1)
            self._put(label or address)
        return end

    def _field(self, key: str, value: str, number: int, indent: int) -> int:
        """Take a field and the lines that go on with its value."""
        if self._begun:
            self._prose.append(f"{key}: {value}".strip())
            return number + 1
        end = self._end_of_block(number + 1, indent)
        rest = self._rows[number + 1 : end]
        whole = " ".join(part for part in (value.strip(), *(line.strip() for line in rest)) if part)
        self._property(key, whole)
        hidden = key.lower() in _TAGS or key.lower() in ("title", "date", "created", "updated", "id")
        self._put("" if hidden else self._inline(f"{key}: {value}".strip(), number + 1))
        for place, line in enumerate(rest, number + 2):
            self._put("" if hidden else self._inline(line.strip(), place))
        return end

    def _property(self, key: str, value: str) -> None:
        value = value.strip()
        if not value:
            return
        self.properties.setdefault(key, value)
        if key.lower() in _TAGS:
            self.tags += _listed(value)

    def _literal(self, number: int, indent: int) -> int:
        """Take the block that is indented deeper than `indent` as it stands; return the line behind it."""
        end = self._end_of_block(number, indent)
        for line in self._rows[number:end]:
            self._put(line.rstrip())
        return end

    def _drop(self, number: int, indent: int) -> int:
        """Take a comment: its line and the block below it."""
        # An empty comment ends a block; what follows it is text.
        alone = self._rows[number].strip() == ".." and not "".join(self._rows[number + 1 : number + 2]).strip()
        end = number + 1 if alone else self._end_of_block(number + 1, indent)
        for _ in range(number, end):
            self._put("")
        return end

    def _doctest(self, number: int) -> int:
        while number < len(self._rows) and self._rows[number].strip():
            self._put(self._rows[number].rstrip())
            number += 1
        return number

    def _end_of_block(self, number: int, indent: int) -> int:
        """Return the line behind the block from `number` on whose lines are indented deeper than `indent`."""
        end = number
        while number < len(self._rows):
            row = self._rows[number]
            if row.strip():
                if _indent_of(row) <= indent:
                    break
                end = number + 1
            number += 1
        return end

    def _address(self, address: str, label: str, number: int) -> None:
        address = address.strip()
        if not address.endswith("_"):  # else another name of a target
            self._keep(parse_markdown_link(address.replace("\\", ""), label, number + 1, image=False))

    def _document(self, written: str, label: str, line: int) -> None:
        """Keep the link to a document of Sphinx: a path without its suffix, from the top where it begins with "/"."""
        target = written.strip()
        if target and "://" not in target:
            self._keep(Link(LinkKind.MARKDOWN, target, "", label, line))

    def _keep(self, link: Link | None) -> None:
        if link is not None:
            self.links.append(link)

    def _put(self, line: str) -> None:
        """Put a line as it stands, behind the paragraph that it ends."""
        if self._prose:
            self._flush()
        self._line(line)

    def _line(self, line: str) -> None:
        self.out.append(line)
        self._length += len(line) + 1

    def _flush(self) -> None:
        if not self._prose:
            return
        prose, self._prose = self._prose, []
        if prose[-1].endswith("::"):
            prose[-1] = prose[-1][:-2] if prose[-1] == "::" or prose[-1].endswith(" ::") else prose[-1][:-1]
        for line in self._inline("\n".join(prose), len(self.out) + 1).split("\n"):
            self._line(line.rstrip())

    def _inline(self, text: str, line: int) -> str:
        """Return the plain text of a paragraph that begins at `line`, with its newlines, and keep its links."""
        if not _MAY_HOLD_MARKUP.search(text):
            return text
        counted, current = 0, line

        def shown(match: re.Match[str]) -> str:
            nonlocal counted, current
            current += text.count("\n", counted, match.start())
            counted = match.start()
            escaped, literal, strong, emphasis = match["escaped"], match["literal"], match["strong"], match["emphasis"]
            if escaped is not None:
                return "" if escaped == " " else escaped
            if match["footnote"] is not None:
                return ""
            words = literal or strong or emphasis
            if words is None:
                words = self._interpreted(match["before"] or match["after"], match["text"], match["link"], current)
            return words + "\n" * (match[0].count("\n") - words.count("\n"))

        return _INLINE.sub(shown, text)

    def _interpreted(self, role: str | None, text: str, mark: str | None, line: int) -> str:
        """Return what a reader sees of `text` in backquotes, and keep the link that it is."""
        found = _WITH_ADDRESS.fullmatch(text)
        label, address = (found[1].strip(), " ".join(found[2].split())) if found else (text, text)
        name = " ".join(label.split()) if found else ""
        if role is None and mark is not None and found and not address.endswith("_"):
            self._keep(parse_markdown_link(address.replace("\\", ""), name, line, image=False))
            return label or address
        if role == "doc":
            self._document(" ".join(address.split()), name, line)
        return label.lstrip("~!") if role is not None else label or text


_MAY_HOLD_MARKUP = re.compile(r"[`*\\]|\]_")
_BEFORE, _AFTER = r"""(?<![^\s\-:/'"<(\[{‘“«])""", r"""(?![^\s\-.,:;!?\\/'")\]}>’”»])"""
# What begins first counts. Each part ends at the next of its own marks or not at all, so that a line of openings
# costs one pass.
_INLINE = re.compile(
    rf"""\\(?P<escaped>[^\n])
    | ``(?P<literal>(?=\S)(?:[^`]|`(?!`))++)``
    | (?::(?P<before>[A-Za-z][\w.+-]{{0,40}}(?::[\w.+-]{{1,40}}){{0,2}}):)?
      `(?P<text>[^`\s][^`]*+)`(?::(?P<after>[A-Za-z][\w.+-]{{0,40}}):)?(?P<link>__?(?!\w))?
    | {_BEFORE}\*\*(?P<strong>[^\s*](?:[^*]*[^\s*])?)\*\*{_AFTER}
    | {_BEFORE}\*(?P<emphasis>[^\s*](?:[^*]*[^\s*])?)\*{_AFTER}
    | (?P<footnote>\[(?:[0-9]+|\#[\w-]*|\*)\]_(?!\w))""",
    re.VERBOSE,
)
_WITH_ADDRESS = re.compile(r"([^<]*)<([^<>]+)>\s*")


def _indent_of(row: str) -> int:
    return len(row) - len(row.lstrip(" \t"))


def _listed(value: str) -> list[str]:
    """Return the tags of a field: cut at commas, else at white space."""
    parts = re.split(r"[,;]", value) if re.search(r"[,;]", value) else value.split()
    return [tag for tag in (part.strip().lstrip("#") for part in parts) if tag]
