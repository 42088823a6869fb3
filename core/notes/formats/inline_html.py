"""The HTML that stands within Markdown: what a reader sees of it, and where it links to. Pure.

By regular expressions, each linear: it is made of pieces that close nowhere, and every newline must stay.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_DROPPED = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|</?[A-Za-z][^<>]*>|<[!?][^<>]*>", re.DOTALL | re.IGNORECASE
)
_ANCHOR = re.compile(
    r"""<!--.*?(?:-->|\Z)|<a\s[^<>]*?\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))[^<>]*>""",
    re.DOTALL | re.IGNORECASE,
)
_LINE_END = re.compile(r"(?<![ \t])[ \t]*\n[ \t]*")  # the look-behind keeps long runs of spaces linear
_BREAK = re.compile(r"</?(?:br|p|div|li|td|th|tr|hr)\b", re.IGNORECASE)


def html_text(markup: str) -> str:
    """Return what a reader sees of HTML, with every newline kept."""

    def replacement(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n") or (" " if is_break(match[0]) else "")

    text = _LINE_END.sub("\n", _DROPPED.sub(replacement, markup)).strip(" \t")
    return html.unescape(text) if "&" in text else text


def is_break(tag: str) -> bool:
    """Tell whether a tag parts the words before it from those behind."""
    return _BREAK.match(tag) is not None


def anchors(markup: str) -> Iterator[tuple[str, int]]:
    """Yield the destination of each `<a href>` outside comments, and how many lines below the first it begins."""
    for match in _ANCHOR.finditer(markup):
        destination = html.unescape(match[1] or match[2] or match[3] or "").strip()
        if destination:
            yield destination, markup.count("\n", 0, match.start())
