"""What stands within a paragraph of Org: links, code, emphasis, targets. Pure; `org` finds the paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from core.notes.note import Link, LinkKind
from core.notes.suffixes import NOTE_SUFFIXES


@dataclass(frozen=True, slots=True)
class Inline:
    """A paragraph read: `text` has the newlines of its source, `anchors` are the names of its `<<targets>>`."""

    text: str
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()


def may_hold_markup(text: str) -> bool:
    """Tell whether a text has any sign that markup begins with; else `read_inline` gives it as it is."""
    return _MAY_HOLD_MARKUP.search(text) is not None


def read_inline(text: str, line: int) -> Inline:
    """Return a paragraph, which begins at `line` and holds no NUL, without its markup."""
    links: list[Link] = []
    anchors: list[str] = []
    kept: list[str] = []  # what emphasis leaves alone: a NUL stands for each meanwhile
    counted, current = 0, line

    def protected(match: re.Match[str]) -> str:
        nonlocal counted, current
        if match["footnote"] is not None:
            return ""
        if match["anchor"] is not None:
            anchors.append(match["anchor"])
            return match["anchor"]
        label = match["label"]
        if match["code"] is not None:
            shown = match["code"][1:-1]
        else:
            current += text.count("\n", counted, match.start())
            counted = match.start()
            target = " ".join(match["target"].split())
            link = _link_to(target, " ".join((label or "").split()), current)
            if link is not None:
                links.append(link)
            shown = label or _shown_for(target)
        shown += "\n" * (match[0].count("\n") - shown.count("\n"))
        if label:
            return shown
        kept.append(shown)
        return "\0"

    plain = _OBJECT.sub(protected, text)
    for _ in range(_EMPHASIS_DEPTH):
        plain, changed = _EMPHASIS.subn(_without_marks, plain)
        if not changed:
            break
    first, *rest = plain.split("\0")
    plain = first + "".join(shown + piece for shown, piece in zip(kept, rest, strict=True))
    return Inline(plain, tuple(links), tuple(anchors))


_MAY_HOLD_MARKUP = re.compile(r"[\[*/_+=~<]")
_EMPHASIS_DEPTH = 4
"""How deep `*/_+x+_/*` nests at most: there are four marks."""

_BEFORE, _AFTER = r"""(?<![^\s\-–—('"{*/_+|\[])""", r"""(?![^\s\-–—.,;:!?'")}\\*/_+|\]\[])"""
# What begins first counts: a link within code is code. No part can run over the beginning of its like, so that a
# long line of openings costs one pass.
_OBJECT = re.compile(
    rf"""\[\[(?P<target>[^\[\]]++)\](?:\[(?P<label>(?:[^\[\]]|\[[^\[\]]*+\])*+)\])?\]
    | {_BEFORE}(?P<code>=[^\s=](?:[^=]*[^\s=])?=|~[^\s~](?:[^~]*[^\s~])?~){_AFTER}
    | (?P<footnote>\[fn:[\w-]*+\])
    | <<<?(?P<anchor>[^<>\s](?:[^<>\n]*[^<>\s])?)>>>?""",
    re.VERBOSE,
)
_EMPHASIS = re.compile(
    _BEFORE + "(?:" + "|".join(rf"{m}[^\s{m}](?:[^{m}]*[^\s{m}])?{m}" for m in (r"\*", "/", "_", r"\+")) + ")" + _AFTER
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\s)")
_PICTURE = re.compile(r".*\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|avif)", re.IGNORECASE)
_FILE_SCHEME = re.compile(r"file(?:\+\w+)?:")


def _without_marks(match: re.Match[str]) -> str:
    return match[0][1:-1]


def _link_to(written: str, label: str, line: int) -> Link | None:
    """Return the link to another note, None for one to a place in the same, to a picture or out of the folder."""
    scheme = _FILE_SCHEME.match(written)
    if scheme is not None or written.startswith(("./", "../")):
        path, _, place = written[scheme.end() if scheme else 0 :].partition("::")
        if path.startswith(("/", "~")) or not path or _is_picture(path):
            return None
        fragment = "" if place.isdecimal() or place.startswith("/") else place.lstrip("*#").strip()
        return Link(LinkKind.MARKDOWN, unquote(path).strip(), fragment, label, line)
    kind, mark, rest = written.partition(":")
    if mark and kind in ("id", "denote", "roam"):
        target, _, place = rest.partition("::")
        found = Link(LinkKind.WIKILINK, target.strip(), place.lstrip("*#").strip(), label, line)
        return found if found.target else None
    if _SCHEME.match(written) or written.startswith(("*", "#", "(", "/", "~", "//")) or not written.strip():
        return None
    if _is_picture(written):
        return None
    kind_of = LinkKind.MARKDOWN if "/" in written and written.lower().endswith(NOTE_SUFFIXES) else LinkKind.WIKILINK
    return Link(kind_of, written, "", label, line)


def _is_picture(written: str) -> bool:
    return _PICTURE.fullmatch(written) is not None


def _shown_for(target: str) -> str:
    """Return what a reader sees of a link without a label."""
    if _is_picture(target):
        return ""
    return target.partition(":")[2] if target.startswith(("file:", "roam:")) else target.lstrip("*#")
