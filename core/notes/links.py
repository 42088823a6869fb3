"""What a written link means: its target, fragment and label. Pure; resolving it to a note is the index's work.

Dendron's `#x` and `@name`, short for links to the notes `tags.x` and `user.name`, are no links here. `#x` is a tag, so
`tag:x` lists its notes; as a link it would make each tag's note a neighbour of all that carry it. `@name` is found as
it is typed: of 918 in Dendron's own vault one has a note; the others are handles and code, and would be dead links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from core.notes.note import Link, LinkKind
from core.notes.suffixes import is_note_name

_DENDRON = "dendron://"

# "Note: a.md" is a name with a colon; a scheme is followed by something at once.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\s|%20|$)")
_SIZE = re.compile(r"\d+(x\d+)?")


@dataclass(frozen=True, slots=True)
class Wikilink:
    """What stands between `[[` and `]]`. `shown` is what a reader sees of it: never a target where there is a label."""

    target: str
    fragment: str
    label: str

    @property
    def shown(self) -> str:
        """Return the text that stands in for the link."""
        return self.label or (f"{self.target}#{self.fragment}" if self.target and self.fragment else self.target)

    def link(self, line: int, *, embed: bool) -> Link | None:
        """Return the link to another note, None where it names none."""
        if not self.target:
            return None
        kind = LinkKind.EMBED if embed else LinkKind.WIKILINK
        return Link(kind, self.target, self.fragment, self.label, line)


def parse_wikilink(left: str, right: str | None, *, dendron: bool) -> Wikilink:
    """Return the meaning of `[[left|right]]`, or of `[[left]]` where `right` is None.

    Dendron writes the label first; a right side that begins with `dendron://` is always a target.
    """
    left = left.rstrip("\\").strip()  # in a table the bar is escaped
    right = None if right is None else right.strip()
    target, label = left, right or ""
    if right and (dendron or right.startswith(_DENDRON)) and not left.startswith(_DENDRON):
        target, label = right, left
    if target.startswith(_DENDRON):
        target = target[len(_DENDRON) :].partition("/")[2]
    target, fragment = _split_fragment(target)
    if not target and not label:
        label = fragment
    return Wikilink(target, fragment, "" if _SIZE.fullmatch(label) else label)


def _split_fragment(target: str) -> tuple[str, str]:
    name, mark, fragment = target.partition("#")
    if name and mark and not fragment:
        name = target  # "C#" is a name
    elif not mark:
        name, mark, fragment = target.partition("^")
        fragment = mark + fragment
    return name.strip(), fragment.strip()


def parse_markdown_link(destination: str, label: str, line: int, *, image: bool) -> Link | None:
    """Return the link of `[label](destination)`, None if it leads out of the folder, nowhere, or to a plain image."""
    if destination.startswith("[[") and destination.endswith("]]"):  # Logseq: [label]([[page]])
        return parse_wikilink(destination[2:-2], label or None, dendron=False).link(line, embed=image)
    if destination.startswith(("//", "((")) or _SCHEME.match(destination.lstrip("(")):
        return None
    path, _, fragment = destination.partition("#")
    target = unquote(path).strip()
    if not target or (image and not is_note_name(target)):
        return None
    kind = LinkKind.EMBED if image else LinkKind.MARKDOWN
    return Link(kind, target, unquote(fragment).strip(), label, line)


_WRITTEN = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")


def links_in_line(text: str, line: int, *, dendron: bool) -> list[Link]:
    """Return the wikilinks of one line that no Markdown parser reads (front matter)."""
    if "[[" not in text:
        return []
    found = (
        parse_wikilink(match[2], match[3], dendron=dendron).link(line, embed=bool(match[1]))
        for match in _WRITTEN.finditer(text)
    )
    return [link for link in found if link is not None]


def without_brackets(text: str, *, dendron: bool) -> str:
    """Return a line with what its wikilinks show in their place."""
    if "[[" not in text:
        return text
    return _WRITTEN.sub(lambda match: parse_wikilink(match[2], match[3], dendron=dendron).shown, text)


def targets_of(source: str) -> tuple[str, ...]:
    """Return the targets that a link may mean, as it stands in a note: `[[…]]` whole, or the address of another.

    Two for a wikilink with a bar, since Dendron writes its label first; none for an address outside the folder.
    """
    if source.startswith("[[") and source.endswith("]]"):
        left, bar, right = source[2:-2].partition("|")
        readings = [parse_wikilink(left, right if bar else None, dendron=dendron) for dendron in (False, True)]
        return tuple(dict.fromkeys(reading.target for reading in readings if reading.target))
    link = parse_markdown_link(source, "", 1, image=False)
    return (link.target,) if link is not None else ()
