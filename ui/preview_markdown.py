"""A note's source made ready for Qt's Markdown reader: readable wikilinks, no images, no machinery of note programs.

Pure text in, text out. Code is left as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_LINE = 20_000
WIKILINK_SCHEME = "wikilink"
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n]+)\]\]")
_IMAGE = re.compile(r"!\[([^\[\]\n]*)\](?=\()")
_PROPERTY = re.compile(r"\s*(?:[-*+] +)?(?:title|alias|id|collapsed)::(?:\s|$)")
_BLOCK_ID = re.compile(r"[ \t]+\^[A-Za-z0-9-]+[ \t]*(?=\n?$)")
_MARKED = re.compile(r"==(?=[^\s=])([^=\n]*[^\s=])==")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+.!|~-])")


def readable_markdown(body: str) -> str:
    """Return Markdown whose wikilinks are links with readable text, and whose images are links to them.

    Logseq's property lines, ids of blocks and the signs of ==marks== are left out. A wikilink's address
    is `wikilink:` and the percent-escaped source, brackets included.
    """
    after_quotation = False
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
        elif not _PROPERTY.match(line):
            if after_quotation and line.lstrip().startswith("|"):
                # Qt puts the first cell of a table right after a quotation one line too low.
                shown.append("\u200b\n\n")
            shown.append(_outside_code(line))
        if line.strip():
            after_quotation = line.lstrip().startswith(">") and not fence
    return "".join(shown)


def _outside_code(line: str) -> str:
    line = _BLOCK_ID.sub("", line)
    if "==" in line and len(line) <= _LONGEST_LINE:
        line = _in_text(line, lambda text: _MARKED.sub(r"\1", text))
    if "[" not in line or len(line) > _LONGEST_LINE:
        return line
    return _in_text(line, _with_links)


def _in_text(line: str, change: Callable[[str], str]) -> str:
    """Return a line with everything but its code spans changed."""
    parts = []
    end = 0
    for code in _CODE_SPAN.finditer(line):
        parts += [change(line[end : code.start()]), code[0]]
        end = code.end()
    return "".join((*parts, change(line[end:])))


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
