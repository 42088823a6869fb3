"""The YAML block at the top of a note, and what it says of the note. Depends on PyYAML's C loader.

Types are those of YAML 1.2's core schema and dates, so `12:30`, `yes` and `007` stay the strings that were written.
Aliases are refused: a few of them can stand for gigabytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import yaml

from core.notes.links import links_in_line, without_brackets
from core.notes.note import Link, PropertyValue

MAX_FRONT_MATTER = 64 * 1024
"""Characters. Larger blocks are data, not properties of a note; YAML takes a second per few megabytes."""

_MAX_DEPTH = 64
"""Nesting beyond this is an attack on the loader, which recurses in C."""


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
    properties and one problem; its text and links are kept.
    """
    block = _fenced(text)
    if block is None:
        return FrontMatter()
    raw, end = block
    problem = None
    properties: Mapping[str, PropertyValue] = {}
    try:
        loaded = _load(raw)
        if loaded is not None and not isinstance(loaded, dict):
            return FrontMatter()
        properties = {str(key): _plain(value) for key, value in (loaded or {}).items()}
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        problem = f"Its front matter could not be read as YAML ({_reason(error)}); it is indexed as plain text."
    dendron = dendron or _has_dendron_shape(properties)
    rows = raw.split("\n")[:-1]
    last = "\n" if text.endswith("\n", 0, end) else ""  # a fence may be the end of the file
    links = [link for number, row in enumerate(rows, 2) for link in links_in_line(row, number, dendron=dendron)]
    shown = "".join(f"{row}\n" for row in _searchable(rows, dendron=dendron))
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


def _fenced(text: str) -> tuple[str, int] | None:
    """Return what stands between the fences, and the offset behind them."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    return text[opening.end() : closing.start()], closing.end()


class _Loader(yaml.CSafeLoader):
    """CSafeLoader with YAML 1.2's core types; anything that does not convert stays a string."""


_Loader.yaml_implicit_resolvers = {}  # its own, filled below


def _scalar(loader: _Loader, node: yaml.ScalarNode) -> PropertyValue:
    kind, written = node.tag.rpartition(":")[2], str(node.value)
    try:
        if kind == "timestamp":
            moment = loader.construct_yaml_timestamp(node)
            return str(moment.isoformat())
        if kind == "int":
            return int(written)
        if kind == "float" and math.isfinite(float(written)):
            return float(written)
    except (ValueError, OverflowError, AttributeError):
        return written
    return written


for _kind, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,17})", list("-+0123456789")),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
    (
        "timestamp",
        (
            r"\d{4}-\d\d-\d\d|"
            r"\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?"
        ),
        list("0123456789"),
    ),
):
    _tag = f"tag:yaml.org,2002:{_kind}"
    _Loader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), _first)
    if _kind not in ("null", "bool"):
        _Loader.add_constructor(_tag, _scalar)


class _Refused(ValueError):
    """YAML that is not read, for the reader's sake."""


def _load(raw: str) -> object:
    if len(raw) > MAX_FRONT_MATTER:
        raise _Refused(f"it is longer than {MAX_FRONT_MATTER // 1024} kB")
    # Only a block with many brackets or dashes on a line, or with deep indentation, can nest deeply.
    if "*" in raw or raw.count("[") + raw.count("{") + raw.count("- -") > _MAX_DEPTH or " " * _MAX_DEPTH in raw:
        _check_events(raw)
    return yaml.load(raw, Loader=_Loader)  # noqa: S506 - a safe loader, with fewer types


def _check_events(raw: str) -> None:
    depth = 0
    for event in yaml.parse(raw, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _Refused(f"line {_line(event)}: aliases are not allowed")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _MAX_DEPTH:
                raise _Refused(f"line {_line(event)}: it is nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 2 if event.start_mark is not None else 2


def _reason(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 2}: {' '.join(str(error.problem).split())}"
    if isinstance(error, _Refused):
        return str(error)
    return "a value in it is not valid"


def _plain(value: object) -> PropertyValue:
    """Return a loaded value as JSON can hold it."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, (set, frozenset)):
        return [_plain(inner) for inner in sorted(value, key=str)]
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


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


def _searchable(rows: list[str], *, dendron: bool) -> Iterator[str]:
    """Yield each line of front matter as plain text, empty where it holds nothing to search for."""
    top_key = ""
    for row in rows:
        match = _ROW.fullmatch(row.strip())
        if match is None or match[0].startswith("#"):
            yield ""
            continue
        dash, key = match[1], match[2] or ""
        value = without_brackets(match[3], dendron=dendron).strip()
        if key and not dash and not row[0].isspace():
            top_key = key.lower()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1].strip()
        if top_key in _NOT_TEXT or key.lower() in _NOT_TEXT or _NOISE.fullmatch(value):
            yield ""
        else:
            yield f"{key}: {value}" if key else value


def names_in(value: PropertyValue) -> list[str]:
    """Return the names that a property lists (aliases): a list's items, or the one string."""
    items = value if isinstance(value, list) else [value]
    flat = [inner for item in items for inner in (item if isinstance(item, list) else [item])]
    names = (without_brackets(str(item), dendron=False).strip() for item in flat if _is_scalar(item))
    return [name for name in names if name]


def tags_in(value: PropertyValue) -> list[str]:
    """Return the tags of a property: a list's items, or a string cut at commas, else at white space."""
    if isinstance(value, str):
        value = [*(value.split(",") if "," in value else value.split())]
    return [tag for tag in (name.lstrip("#").strip().strip("/") for name in names_in(value)) if tag]


def _is_scalar(value: PropertyValue) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


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
    match = _DATE.match(str(value).strip().lstrip("["))
    if match is None:
        return date_in(int(value)) if isinstance(value, str) and re.fullmatch(r"[0-9]{10,14}", value.strip()) else None
    year, month, day = (match[1], match[3], match[4]) if match[1] else (match[5], match[6], match[7])
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
