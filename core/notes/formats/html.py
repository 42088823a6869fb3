"""HTML to a `Note`: what a reader sees of a page, on the lines of the file. Pure: the standard library alone.

The source is cut into tags and text by one pass of our own. selectolax gives no positions, so the lines of the file
would be lost; html.parser gives them, but a file of nothing but "<a " keeps it busy for hours.
"""

from __future__ import annotations

import html
import re

from core.notes.decoding import Decoded, decode, normalise_newlines
from core.notes.distinct import distinct
from core.notes.formats.document_title import MAX_TITLE, file_title
from core.notes.formats.front_matter import date_in
from core.notes.links import parse_markdown_link
from core.notes.note import Heading, Link, Note, PropertyValue

_DECLARED_WITHIN = 4096
"""Bytes in which a page may name its encoding; browsers look at 1,024."""

_MAX_PROPERTIES = 200
"""A page has a dozen <meta> tags; more are no properties of a note."""

_CHARSET = re.compile(rb"""<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
# The families of the WHATWG's list that Python has; UTF-8 and UTF-16 are told by their bytes.
_KNOWN = re.compile(r"(?:windows|cp|iso|koi8|mac|euc|gb|big5|shift|tis|latin|us-ascii)[\w:-]*", re.IGNORECASE)
_AS_BROWSERS_DO = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "iso-8859-9": "cp1254", "iso-8859-11": "cp874",
    "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932",
    "euc-kr": "cp949", "macintosh": "mac_roman",
}  # fmt: skip


def decode_html(data: bytes) -> Decoded:
    """Return the text of a page like `decode`, and by the encoding that it names where the bytes do not tell theirs.

    Raises NotText for binary content, nothing else.
    """
    decoded = decode(data)
    declared = _CHARSET.search(data, 0, _DECLARED_WITHIN)
    if declared is None:
        return decoded
    name = declared[1].decode("ascii", "replace").lower()
    # ISO-2022 is written in ASCII bytes, which are UTF-8 as well.
    if _KNOWN.fullmatch(name) is None or (decoded.problem is None and not name.startswith("iso-2022")):
        return decoded
    encoding = _AS_BROWSERS_DO.get(name, name)
    try:
        return Decoded(data.decode(encoding).replace("\0", " "), encoding)
    except (LookupError, ValueError):  # a name that Python does not know, or bytes that do not fit it
        return decoded


def read_html(path: str, text: str) -> Note:
    """Return the note that a page is, whatever it holds."""
    page = _Page(normalise_newlines(text))
    page.read()
    properties = page.properties
    named = {key.lower(): value for key, value in properties.items()}
    dates = (date_in(named.get(name)) for name in _DATES)
    return Note(
        path=path,
        title=page.title[:MAX_TITLE] or next((each.text for each in page.headings), "")[:MAX_TITLE] or file_title(path),
        text="".join(page.out),
        headings=tuple(page.headings),
        tags=distinct(page.tags),
        properties=properties,
        date=next((found for found in dates if found), None),
        links=tuple(page.links),
    )


_DATES = (
    "date", "dcterms.date", "dc.date", "dcterms.created", "dc.date.created", "article:published_time", "created",
    "dcterms.modified", "article:modified_time", "updated",
)  # fmt: skip

# A bracket before anything else is text.
_MARKUP = re.compile(r"<(?=[A-Za-z!?]|/[A-Za-z])")
# Possessive, so that a tag that never ends is given up after one pass. A quote opens a value only behind "=".
_TAG = re.compile(
    r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^=>]++|=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])))*+)>""",
)
# Where some tag before has swallowed the rest of the file: up to the next bracket.
_SHORT_TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]*+)([^<>]*+)>")
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?+""")
_TEMPLATE = re.compile(r"<(/?)template(?=[\s/>])", re.IGNORECASE)
_TITLE_END = re.compile(r"[\n<]")
_COMMENT_END = re.compile(r"--!?>")

_UNSEEN = frozenset({"script", "style", "noscript", "iframe", "noembed", "noframes"})
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in (*sorted(_UNSEEN), "title")}
_NO_MARKUP_WITHIN = _UNSEEN | {"template", "title"}
"""Elements whose contents are no markup, or are not shown."""

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Between two words on a line these part them as a space does; they also end a heading that was not closed.
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html",
    "label", "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "section", "select", "summary",
    "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_ENDS_HEADING = frozenset({
    "article", "blockquote", "body", "dl", "hr", "html", "main", "ol", "p", "pre", "section", "table", "ul",
})  # fmt: skip

_SPACES = re.compile(r"[ \t\f\v]+")
_AROUND_NEWLINE = re.compile(r" ?\n ?")
_ENTITY_IN_VALUE = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});")
# html.unescape raises at numbers of thousands of digits; no character has more than seven.
_HUGE_NUMBER = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")


class _Page:
    """Plain text (`"".join(out)`, one newline for each of the source), title, headings and links, after `read`."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tag = _TAG
        self._length = 0
        self._line = 1
        self._gap = False  # a space is due before the next word
        self._at_line_start = True
        self._pre = 0
        self._svg = 0
        self._no_title_end = False
        self._abroad = False  # <base> puts relative addresses on another site
        self._heading: tuple[int, int] | None = None  # level, first piece of `out`
        self._anchor: tuple[str, int, int] | None = None  # address, first piece of `out`, line
        self.out: list[str] = []
        self.title = ""
        self.headings: list[Heading] = []
        self.tags: list[str] = []
        self.links: list[Link] = []
        self.properties: dict[str, PropertyValue] = {}

    def read(self) -> None:
        """Go through the source once; no step looks at a place a second time but for a bounded number of times."""
        source, position = self._source, 0
        while opening := _MARKUP.search(source, position):
            start = opening.start()
            if start > position:
                self._text(source[position:start])
            position = self._markup(start)
        self._text(source[position:])
        self._end_heading()
        self._end_anchor()

    def _markup(self, start: int) -> int:
        """Take what begins with the "<" at `start`; return where it ends."""
        source = self._source
        if source[start + 1] in "!?":
            return self._declared(start)
        match = self._tag.match(source, start)
        if match is None and self._tag is _TAG:
            self._tag = _SHORT_TAG
            match = _SHORT_TAG.match(source, start)
        if match is None:
            self._text("<")
            return start + 1
        slash, name, attributes = match.groups()
        name = name.lower()
        if slash:
            self._closed(name)
            return self._skip(start, match.end())
        self._opened(name, attributes)
        behind = self._skip(start, match.end())
        return self._contents(name, behind) if name in _NO_MARKUP_WITHIN else behind

    def _declared(self, start: int) -> int:
        """Take the comment, declaration or instruction at `start`; return where it ends."""
        source = self._source
        if source.startswith("<!--", start):
            # "<!-->" and "<!--->" are whole comments.
            end = _COMMENT_END.search(source, start + 2)
            return self._skip(start, end.end() if end else len(source))
        bracket = source.find(">", start)
        return self._skip(start, bracket + 1 if bracket >= 0 else len(source))

    def _contents(self, name: str, start: int) -> int:
        """Take what stands in an element of _NO_MARKUP_WITHIN; return where it ends."""
        source = self._source
        if name in _UNSEEN:
            closing = _RAW_END[name].search(source, start)
            return self._skip(start, closing.start() if closing else len(source))
        if name == "template":
            depth = 1
            for each in _TEMPLATE.finditer(source, start):
                depth += -1 if each[1] else 1
                if not depth:
                    return self._skip(start, each.start())
            return self._skip(start, len(source))
        found = None if self._no_title_end else _RAW_END["title"].search(source, start)
        if found is not None:
            end = found.start()
        else:  # never closed: it ends with its line, so that the page is not lost
            self._no_title_end = True
            early = _TITLE_END.search(source, start)
            end = early.start() if early else len(source)
        if not self.title and not self._svg:
            self.title = " ".join(_unescape(source[start : min(end, start + 10_000)]).split())
        return self._skip(start, end)

    def _opened(self, name: str, attributes: str) -> None:
        if name in _BLOCKS:
            self._gap = True
            if name in _ENDS_HEADING:
                self._end_heading()
            self._pre += name == "pre"
        elif name in _HEADINGS:
            self._gap = True
            self._end_heading()
            self._heading = _HEADINGS[name], len(self.out)
        elif name == "a":
            self._end_anchor()
            address = _attributes(attributes).get("href")
            if address:
                self._anchor = address, len(self.out), self._line
        elif name == "img":
            alternative = _attributes(attributes).get("alt", "")
            self._put(" ".join(alternative.split()))
        elif name == "meta":
            self._meta(_attributes(attributes))
        elif name == "base":
            self._abroad = self._abroad or "//" in _attributes(attributes).get("href", "")
        elif name == "svg":
            self._svg += 1

    def _closed(self, name: str) -> None:
        if name in _BLOCKS:
            self._gap = True
            self._pre = max(self._pre - (name == "pre"), 0)
        elif name in _HEADINGS:
            self._gap = True
            self._end_heading()
        elif name == "a":
            self._end_anchor()
        elif name == "svg":
            self._svg = max(self._svg - 1, 0)

    def _meta(self, attributes: dict[str, str]) -> None:
        name = attributes.get("name") or attributes.get("property") or ""
        content = " ".join(attributes.get("content", "").split())
        if not name or not content or len(self.properties) >= _MAX_PROPERTIES:
            return
        self.properties.setdefault(name, content)
        if name.lower() in ("keywords", "tags", "article:tag", "news_keywords"):
            self.tags += [tag for tag in (part.strip().lstrip("#") for part in content.split(",")) if tag]

    def _end_heading(self) -> None:
        if self._heading is None:
            return
        (level, first), self._heading = self._heading, None
        written = "".join(self.out[first:])
        text = " ".join(written.split())[:MAX_TITLE]
        if text:
            before = len(written) - len(written.lstrip())
            line = self._line - written.count("\n", before)
            self.headings.append(Heading(level, text, line, self._length - len(written) + before))

    def _end_anchor(self) -> None:
        if self._anchor is None:
            return
        (address, first, line), self._anchor = self._anchor, None
        label = " ".join("".join(self.out[first:]).split())[:MAX_TITLE]
        path, mark, fragment = re.sub(r"[\t\n]", "", address).strip().partition("#")
        if self._abroad or address.startswith("[["):
            return
        # What follows "?" is for a server; in the name of a file it is written %3F.
        link = parse_markdown_link(path.partition("?")[0] + mark + fragment, label, line, image=False)
        if link is not None:
            self.links.append(link)

    def _skip(self, start: int, end: int) -> int:
        """Put the newlines of what is not shown; return `end`."""
        newlines = self._source.count("\n", start, end)
        if newlines:
            self._put("\n" * newlines)
        return end

    def _text(self, text: str) -> None:
        if not text:
            return
        if "&" in text:
            decoded = _unescape(text)
            if decoded.count("\n") != text.count("\n"):  # a newline as an entity is no line of the file
                decoded = "\n".join(_unescape(row).replace("\n", " ") for row in text.split("\n"))
            text = decoded.replace("\r", " ")
        if self._pre:
            self._put(text)
            return
        if "  " in text or "\t" in text or "\f" in text or "\v" in text:
            text = _SPACES.sub(" ", text)
        if " \n" in text or "\n " in text:
            text = _AROUND_NEWLINE.sub("\n", text)
        if text.startswith(" "):
            self._gap = True
            text = text[1:]
        due = text.endswith(" ")
        self._put(text[:-1] if due else text)
        self._gap = self._gap or due

    def _put(self, text: str) -> None:
        if not text:
            return
        if self._gap and not self._at_line_start and text[0] not in "\n ":
            self.out.append(" ")
            self._length += 1
        self._gap = False
        self.out.append(text)
        self._length += len(text)
        if "\n" in text:
            self._line += text.count("\n")
            self._at_line_start = text[-1] == "\n"
        else:
            self._at_line_start = False


def _attributes(written: str) -> dict[str, str]:
    """Return the attributes of a tag by name in lower case; of equal names the first counts."""
    values: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        values.setdefault(name.lower(), double or single or bare)
    # Without its semicolon an entity in an address is a parameter: ?a=1&copy=2.
    return {name: _ENTITY_IN_VALUE.sub(lambda match: html.unescape(match[0]), value) for name, value in values.items()}


def _unescape(text: str) -> str:
    return html.unescape(_HUGE_NUMBER.sub("\ufffd", text))
