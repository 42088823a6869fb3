"""A note's source made ready for Qt's Markdown reader: no front matter, readable wikilinks, no images, a bounded size.

Pure text in, text out. Code is left as it is.
"""

from __future__ import annotations

import re
from urllib.parse import quote

LARGEST = 100_000
"""Characters beyond which only a slice is rendered: 1 MB takes Qt half a second, 100 kB 50 ms (measured)."""

_SLICE = 40_000
_LONGEST_LINE = 20_000
WIKILINK_SCHEME = "wikilink"
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n]+)\]\]")
_IMAGE = re.compile(r"!\[([^\[\]\n]*)\](?=\()")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+.!|~-])")


def without_front_matter(markdown: str) -> tuple[str, int]:
    """Return the body of a note and the number of lines that were cut off before it."""
    lines = markdown.removeprefix("\ufeff").splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return "".join(lines), 0
    for index, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return "".join(lines[index + 1 :]), index + 1
    return "".join(lines), 0


def slice_around(body: str, line: int) -> tuple[str, bool]:
    """Return the part of a large body around its `line` (from 1), cut at line ends, and whether anything was cut."""
    if len(body) <= LARGEST:
        return body, False
    lines = body.splitlines(keepends=True)
    middle = min(max(line - 1, 0), len(lines) - 1)
    first, last, size = middle, middle + 1, len(lines[middle])
    while size < _SLICE and (first > 0 or last < len(lines)):
        if first > 0:
            first -= 1
            size += len(lines[first])
        if last < len(lines):
            size += len(lines[last])
            last += 1
    return "".join(lines[first:last])[: 2 * _SLICE], True


def readable_markdown(body: str) -> str:
    """Return Markdown whose wikilinks are links with readable text, and whose images are links to them.

    A wikilink's address is `wikilink:` and the percent-escaped source, brackets included.
    """
    shown = []
    fence = ""
    for line in body.splitlines(keepends=True):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and line.strip().strip(fence[0]) == "":
                fence = ""
            shown.append(line)
        elif opening:
            fence = opening[1]
            shown.append(line)
        else:
            shown.append(_outside_code(line))
    return "".join(shown)


def _outside_code(line: str) -> str:
    if "[" not in line or len(line) > _LONGEST_LINE:
        return line
    parts = []
    end = 0
    for code in _CODE_SPAN.finditer(line):
        parts += [_with_links(line[end : code.start()]), code[0]]
        end = code.end()
    return "".join((*parts, _with_links(line[end:])))


def _with_links(text: str) -> str:
    text = _WIKILINK.sub(lambda found: _link(found[0], found[1]), text)
    return _IMAGE.sub(lambda found: f"[{found[1] or 'image'}]", text)


def _link(source: str, inside: str) -> str:
    label = _MARKUP.sub(r"\\\1", link_label(inside))
    return f"[{label}]({WIKILINK_SCHEME}:{quote(source, safe='')})"


def link_label(inside: str) -> str:
    """Return what a wikilink is shown as: its label, else its target with "#" spelt as a step inwards.

    A right side that begins with `dendron://` is the target, since Dendron writes its label first.
    """
    target, _, label = inside.replace("\\|", "|").partition("|")
    if label.strip().startswith("dendron://"):
        target, label = label, target
    if target.strip().startswith("dendron://"):
        target = target.strip().removeprefix("dendron://").partition("/")[2]
    if label.strip():
        return label.strip()
    return " › ".join(part for part in (piece.strip() for piece in target.split("#")) if part) or inside
