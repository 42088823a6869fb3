"""The YAML block at the top of a note: where it ends, and what it says of the note. Opens no file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from core.notes.formats.outline import journal_date
from core.notes.formats.yaml_properties import UnreadableProperties, load_properties
from core.notes.links import links_in_line, without_brackets
from core.notes.note import Link, PropertyValue


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A note's front matter. `lines` is how many lines of the file it takes, fences included; 0 without one.

    `text` is its searchable plain text with as many newlines as the block has; it ends in a form feed, the mark
    at which passages part.
    """

    lines: int = 0
    end: int = 0
    properties: Mapping[str, PropertyValue] = field(default_factory=dict)
    text: str = ""
    links: tuple[Link, ...] = ()
    dendron: bool = False
    problem: str | None = None

    def value(self, *names: str) -> PropertyValue:
        """Return the first property with one of `names`, in any case, that has a value."""
        for name in names:
            for key, value in self.properties.items():
                if key.lower() == name and value not in (None, "", []):
                    return value
        return None


def cut_front_matter(text: str, *, dendron: bool = False) -> FrontMatter:
    """Return the front matter of `text` (newlines normalised). It is one only if the first line is `---` and it closes.

    A block that is no mapping (a passage between two rules) belongs to the body. What YAML cannot read gives no
    properties and one problem; its text and links are kept. Where prose follows a blank line in that, the fence that
    closes it is a rule further down: all of it is body.
    """
    block = _fenced(text)
    if block is None:
        return FrontMatter(problem=_UNCLOSED) if _LOOKS_OPENED.match(text) else FrontMatter()
    raw, end = block
    problem = None
    properties: Mapping[str, PropertyValue] = {}
    try:
        loaded = load_properties(raw)
    except UnreadableProperties as error:
        problem = f"Its front matter could not be read as YAML ({error}); it is indexed as plain text."
        if _holds_prose(raw):
            return FrontMatter(problem=problem)
    else:
        if loaded is None:
            return FrontMatter()
        properties = loaded
    dendron = dendron or _has_dendron_shape(properties)
    rows = raw.split("\n")[:-1]
    last = "\n" if text.endswith("\n", 0, end) else ""  # a fence may be the end of the file
    links = [link for number, row in enumerate(rows, 2) for link in links_in_line(row, number, dendron=dendron)]
    shown = "".join(f"{row}\n" for row in _searchable(rows, dendron=dendron, readable=problem is None))
    return FrontMatter(
        lines=len(rows) + 2,
        end=end,
        properties=properties,
        text=f"\n{shown}\f{last}",
        links=tuple(links),
        dendron=dendron,
        problem=problem,
    )


_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_YAML_ROW = re.compile(r"\s|\Z|#\s|-\s|[^\s:][^:\n]{0,80}:(?:\s|\Z)")
_LOOKS_OPENED = re.compile(r"---[ \t]*\n[A-Za-z][\w-]*:(?:[ \t]|\n|\Z)")
_UNCLOSED = "Its front matter is never closed by a line of ---; it is indexed as plain text."


def _holds_prose(raw: str) -> bool:
    rows = iter(raw.split("\n"))
    return any(not row.strip() for row in rows) and any(_YAML_ROW.match(row) is None for row in rows)


def _fenced(text: str) -> tuple[str, int] | None:
    """Return what stands between the fences, and the offset behind them."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    return text[opening.end() : closing.start()], closing.end()


def _has_dendron_shape(properties: Mapping[str, PropertyValue]) -> bool:
    """Tell Dendron's front matter: an id with its two times in milliseconds, or with a description."""
    stamps = [properties.get("created"), properties.get("updated")]
    return "id" in properties and (all(isinstance(stamp, int) for stamp in stamps) or "desc" in properties)


# Values that say nothing to a searcher: none, a number, date, truth value, placeholder, or an id.
_NOISE = re.compile(
    r"""(?: [|>][-+0-9]* | \[\s*\] | \{\s*\} | ["']\s*["'] | \{\{.*\}\}
      | [-+]?[\d.,:_/]+ | [Tt]rue | [Ff]alse | null | ~ | [Yy]es | [Nn]o
      | \d{4}[-/.]\d\d?[-/.]\d\d?(?:[T\ ].{0,30})?
      | (?=[a-fA-F-]*\d)[0-9a-fA-F]{8}[0-9a-fA-F-]*
      | (?=[a-z_-]*\d)[a-z0-9_-]{20,} | (?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])[\w-]{12,}
    )?""",
    re.VERBOSE | re.ASCII,
)
_ROW = re.compile(r"((?:-\s+)*)(?:([\w.-][\w .-]{0,80}?)\s{0,9}:(?=\s|$))?(.*)", re.DOTALL)

# Names and tags are searched in columns of their own; the rest is machinery.
_NOT_TEXT = frozenset(
    {"title", "tags", "tag", "keywords", "aliases", "alias"}
    | {"id", "uid", "uuid", "guid", "cssclass", "cssclasses", "permalink", "ms.assetid"}
)


def _searchable(rows: list[str], *, dendron: bool, readable: bool) -> Iterator[str]:
    """Yield each line of front matter as plain text, empty where it holds nothing to search for.

    Of what YAML could not read every line stays, since names and tags were not taken from it.
    """
    top_key = ""
    for row in rows:
        match = _ROW.fullmatch(row.strip())
        if match is None or (readable and match[0].startswith("#")):
            yield ""
            continue
        dash, key = match[1], match[2] or ""
        value = without_brackets(match[3], dendron=dendron).strip()
        if key and not dash and not row[0].isspace():
            top_key = key.lower()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1].strip()
        if readable and (top_key in _NOT_TEXT or key.lower() in _NOT_TEXT or _NOISE.fullmatch(value)):
            yield ""
        else:
            yield f"{key}: {value}" if key else value


def names_in(value: PropertyValue) -> list[str]:
    """Return the names that a property lists (aliases): a list's items, those of lists in it too, or the one value."""
    names = (without_brackets(_written(item), dendron=False).strip() for item in _scalars(value))
    return [name for name in names if name]


def title_in(value: PropertyValue) -> str:
    """Return the title that a property gives, on one line: of a list its items with commas between, "" for none."""
    return " ".join(", ".join(names_in(value)).split())


def tags_in(value: PropertyValue) -> list[str]:
    """Return the tags of a property: a list's items, or a string cut at commas, else at white space."""
    if isinstance(value, str):
        value = [*(value.split(",") if "," in value else value.split())]
    return [tag for tag in (name.lstrip("#").strip().strip("/") for name in names_in(value)) if tag]


def _scalars(value: PropertyValue) -> Iterator[str | int | float]:
    if isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, (str, int, float)):
        yield value


def _written(value: str | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_DATE = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])|(\d{4})(\d\d)(\d\d)(?!\d)")


def date_in(value: PropertyValue) -> str | None:
    """Return the ISO date that a property gives, None if it gives none.

    Strings begin with year, month and day; numbers are YYYYMMDD or, as Dendron writes, seconds or milliseconds since
    1970, taken in local time like a file's own.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    if not isinstance(value, str) and value >= 10**9:
        seconds = value / 1000 if value >= 10**11 else value
        try:
            return datetime.fromtimestamp(seconds, UTC).astimezone().date().isoformat()
        except (ValueError, OverflowError, OSError):
            return None
    written = str(value).strip().lstrip("[")
    match = _DATE.match(written)
    if match is None and written[:1].isalpha():
        return journal_date(written)
    if match is None:
        return date_in(int(value)) if isinstance(value, str) and re.fullmatch(r"[0-9]{10,14}", value.strip()) else None
    year, month, day = (match[1], match[3], match[4]) if match[1] else (match[5], match[6], match[7])
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
