"""Plain text, headings and links of a Word document's parts. Pure: takes XML events.

Deleted and moved text, the instructions of fields, and what stands in for a drawing that cannot be shown are not what
a reader sees, and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.notes.decoding import NotText
from core.notes.formats.document_title import MAX_TITLE
from core.notes.formats.docx_package import Relation
from core.notes.formats.docx_styles import MAIN, TITLE, Styles, outline_level, value_of
from core.notes.formats.parts import MAX_TEXT, TOO_LONG
from core.notes.links import parse_markdown_link
from core.notes.note import Heading, Link

_MATH = (
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
)
_RELATION_ID = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships id",
    "http://purl.oclc.org/ooxml/officeDocument/relationships id",
)
# "tabs" are where tabs stop; the changes hold how a paragraph was before.
_LEFT_OUT = ("del", "moveFrom", "tabs", "pPrChange", "rPrChange", "sectPrChange", "tblPrChange")
_TAKEN = (
    "body", "p", "pStyle", "outlineLvl", "numPr", "t", "tab", "ptab", "br", "cr", "noBreakHyphen", "tr", "tc",
    "hyperlink", *_LEFT_OUT,
)  # fmt: skip
_NAMES = {
    **{f"{space} {name}": name for space in MAIN for name in _TAKEN},
    **{f"{space} t": "t" for space in _MATH},
    "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback": "Fallback",
}
_SKIPPED = frozenset({*_LEFT_OUT, "Fallback"})
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}

_MAX_DEPTH = 100
"""Of text boxes in text boxes; Word allows none."""


@dataclass(slots=True)
class _Written:
    """A hyperlink before its line is known: `line` counts from 0 in its paragraph."""

    target: str
    label: str
    line: int


@dataclass(slots=True)
class _Paragraph:
    pieces: list[str] = field(default_factory=list)
    links: list[_Written] = field(default_factory=list)
    open_links: list[tuple[str, int, int]] = field(default_factory=list)
    newlines: int = 0
    style: str = ""
    level: int | None = None
    in_list: bool = False


class DocxText:
    """Takes the events of the parts in their order, each after `begin`.

    `out` joined is the text, `title` the first paragraph in the style Title, else the first heading. `has_body` tells
    whether any part was a document's. A table in a table's cell is text of that cell.
    """

    def __init__(self, styles: Styles) -> None:
        self.out: list[str] = []
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.title = ""
        self.problem: str | None = None
        self._styles = styles
        self._kinds: dict[str, tuple[int | None, bool]] = {}
        self._title_level: int | None = None
        self.has_body = False
        self._taken = self._length = 0
        self._line = 1
        self._tight = False
        self.begin({})

    def begin(self, relations: Mapping[str, Relation]) -> None:
        """Take a part from its beginning; what the one before left open is dropped."""
        self._relations = relations
        self._paragraphs: list[_Paragraph] = []  # a text box has paragraphs within one
        self._row: list[str] = []
        self._row_links: list[_Written] = []
        self._cell: list[str] = []
        self._row_depth = self._cell_depth = 0
        self._skipped = self._in_text = 0

    def started(self, element: str, attributes: dict[str, str]) -> None:
        """Take the beginning of an element. Raises NotText where paragraphs nest as none do."""
        name = _NAMES.get(element)
        if name is None:
            return
        if name in _SKIPPED:
            self._skipped += 1
        if self._skipped:
            return
        if name == "p":
            if len(self._paragraphs) == _MAX_DEPTH:
                raise NotText("This Word document is nested too deeply to be read.")
            self._paragraphs.append(_Paragraph())
        elif name == "t":
            self._in_text += 1
        elif name == "tr":
            self._row_depth += 1
        elif name == "tc":
            self._cell_depth += 1
        elif name == "body":
            self.has_body = True
        elif self._paragraphs:
            self._started_within(self._paragraphs[-1], name, attributes)

    def _started_within(self, paragraph: _Paragraph, name: str, attributes: dict[str, str]) -> None:
        if name == "pStyle":
            paragraph.style = value_of(attributes)
        elif name == "outlineLvl":
            paragraph.level = outline_level(value_of(attributes))
        elif name == "numPr":
            paragraph.in_list = True
        elif name == "hyperlink":
            # Word knows no link in a link; the outer one has the text of both.
            target = "" if paragraph.open_links else self._target(attributes)
            paragraph.open_links.append((target, len(paragraph.pieces), paragraph.newlines))
        else:
            paragraph.pieces.append(_SIGNS[name])
            paragraph.newlines += _SIGNS[name] == "\n"

    def ended(self, element: str) -> None:
        """Take the end of an element."""
        name = _NAMES.get(element)
        if name is None:
            return
        if name in _SKIPPED:
            self._skipped -= 1
        elif self._skipped:
            return
        elif name == "t":
            self._in_text -= 1
        elif name == "p":
            self._end_paragraph(self._paragraphs.pop())
        elif name == "hyperlink" and self._paragraphs and self._paragraphs[-1].open_links:
            paragraph = self._paragraphs[-1]
            target, first, line = paragraph.open_links.pop()
            if target:
                label = " ".join("".join(paragraph.pieces[first:]).split())
                paragraph.links.append(_Written(target, label, line))
        elif name == "tc":
            self._cell_depth -= 1
            if not self._cell_depth:
                self._row.append(" ".join(" ".join(self._cell).split()))
                self._cell = []
        elif name == "tr":
            self._row_depth -= 1
            if not self._row_depth:
                self._put("\t".join(self._row), self._row_links, tight=True)
                self._row, self._row_links = [], []

    def characters(self, text: str) -> None:
        """Take text."""
        if not self._in_text or self._skipped or not self._paragraphs:
            return
        self._taken += len(text)
        if self._taken > MAX_TEXT:
            self.problem = TOO_LONG
            return
        self._paragraphs[-1].pieces.append(text.replace("\n", " ").replace("\r", " "))

    def _target(self, attributes: dict[str, str]) -> str:
        relation_id = next((attributes[key] for key in _RELATION_ID if key in attributes), "")
        relation = self._relations.get(relation_id)
        if relation is None or not relation.external:
            return ""
        anchor = value_of(attributes, "anchor")
        # Word writes Windows' paths as they are.
        target = relation.target.replace("\\", "/")
        return f"{target}#{anchor}" if anchor and "#" not in target else target

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.pieces)
        if self._cell_depth:
            self._cell.append(text)
            self._row_links += (_Written(each.target, each.label, 0) for each in paragraph.links)
            return
        level, in_list = self._kind_of(paragraph.style)
        if paragraph.level is not None:
            level = paragraph.level
        if level is None:
            self._put(text, paragraph.links, tight=paragraph.in_list or in_list)
            return
        heading = " ".join(text.split())
        self._put(heading, [_Written(each.target, each.label, 0) for each in paragraph.links])
        if not heading:
            return
        self.headings.append(Heading(max(level, 1), heading, self._line, self._length - len(heading)))
        if self._title_level is None or (level == TITLE and self._title_level != TITLE):
            self.title, self._title_level = heading[:MAX_TITLE], level

    def _kind_of(self, style: str) -> tuple[int | None, bool]:
        """Return the level of a style's headings, and whether it is a list's."""
        kind = self._kinds.get(style)
        if kind is None:
            kind = self._kinds[style] = self._styles.level(style), self._styles.is_list(style)
        return kind

    def _put(self, text: str, links: list[_Written], *, tight: bool = False) -> None:
        """Append a paragraph or row; between two that are tight stands no empty line."""
        # White space at its beginning stays, that a link's line may be counted in it.
        text = text.rstrip()
        if not text.strip() and not links:
            return
        if self.out:
            between = "\n" if tight and self._tight else "\n\n"
            self._append(between)
        for written in links:
            link = parse_markdown_link(written.target, written.label, self._line + written.line, image=False)
            if link is not None:
                self.links.append(link)
        self._append(text)
        self._tight = tight

    def _append(self, text: str) -> None:
        self.out.append(text)
        self._length += len(text)
        self._line += text.count("\n")
