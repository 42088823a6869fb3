"""A block of YAML to properties. Depends on PyYAML's C loader; knows nothing of notes but what a tag looks like.

Types are those of YAML 1.2's core schema and dates, so `12:30`, `yes` and `007` stay the strings that were written.
Aliases are refused: a few of them can stand for gigabytes. Of two equal keys the last counts.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime

import yaml

from core.notes.note import PropertyValue

MAX_FRONT_MATTER = 64 * 1024
"""Characters. Larger blocks are data, not properties of a note; YAML takes a second per few megabytes."""

_MAX_DEPTH = 64
"""Nesting beyond this is an attack on the loader, which recurses in C."""


class UnreadableProperties(ValueError):
    """YAML that cannot be read, or is not for the reader's sake; `str(error)` is the reason, a clause."""


class _Loader(yaml.CSafeLoader):
    """CSafeLoader with YAML 1.2's core types; anything that does not convert stays a string."""


_Loader.yaml_implicit_resolvers = {}  # its own, filled below


def _scalar(loader: _Loader, node: yaml.ScalarNode) -> PropertyValue:
    kind, written = node.tag.rpartition(":")[2], str(node.value)
    try:
        if kind == "timestamp":
            moment = loader.construct_yaml_timestamp(node)
            return str(moment.isoformat())
        # Versions and telephone numbers look like numbers; one that would be printed otherwise stays as written.
        if kind == "int" and str(int(written)) == written:
            return int(written)
        if kind == "float" and math.isfinite(float(written)) and str(float(written)) == written:
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


def load_properties(raw: str) -> dict[str, PropertyValue] | None:
    """Return the properties of a YAML block as JSON can hold them, None where it is something else than a mapping.

    Raises UnreadableProperties, nothing else.
    """
    try:
        loaded = _load(raw)
        if loaded is not None and not isinstance(loaded, dict):
            return None
        return {str(key): _plain(value) for key, value in (loaded or {}).items()}
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise UnreadableProperties(_reason(error)) from error


def _load(raw: str) -> object:
    if len(raw) > MAX_FRONT_MATTER:
        raise UnreadableProperties(f"it is longer than {MAX_FRONT_MATTER // 1024} kB")
    # Only a block with many brackets or dashes on a line, or with deep indentation, can nest deeply.
    if "*" in raw or raw.count("[") + raw.count("{") + raw.count("- -") > _MAX_DEPTH or " " * _MAX_DEPTH in raw:
        _check_events(raw)
    if "#" in raw and _TAG_KEY.search(raw):
        raw = _with_quoted_tags(raw)
    return yaml.load(raw, Loader=_Loader)  # noqa: S506 - a safe loader, with fewer types


_TAG_KEY = re.compile(r"^(?:tags?|keywords)[ \t]*:", re.MULTILINE | re.IGNORECASE)
_TAG_ROW = re.compile(r"((?:tags?|keywords)[ \t]*:[ \t]+|[ \t]*-[ \t]+)(.*)", re.IGNORECASE)
_BARE_TAG = re.compile(r"(?<=[\[,\s])#[^\s,\]#\"']+")


def _with_quoted_tags(raw: str) -> str:
    """Return the block with `#tag` quoted in the values of tags, where YAML would see a comment."""
    rows = raw.split("\n")
    in_tags = False
    for number, row in enumerate(rows):
        if row and not row[0].isspace() and row[0] not in "-#":
            in_tags = _TAG_KEY.match(row) is not None
        match = _TAG_ROW.fullmatch(row) if in_tags and "#" in row else None
        if match is None:
            continue
        value = match[2].rstrip()
        if value.startswith("["):
            rows[number] = match[1] + _BARE_TAG.sub(lambda tag: f'"{tag[0]}"', value)
        elif len(value) > 1 and value[0] == "#" and not value[1].isspace() and '"' not in value and "\\" not in value:
            rows[number] = f'{match[1]}"{value}"'
    return "\n".join(rows)


def _check_events(raw: str) -> None:
    depth = 0
    for event in yaml.parse(raw, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise UnreadableProperties(f"line {_line(event)}: aliases are not allowed")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _MAX_DEPTH:
                raise UnreadableProperties(f"line {_line(event)}: it is nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 2 if event.start_mark is not None else 2


def _reason(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 2}: {' '.join(str(error.problem).split())}"
    if isinstance(error, UnreadableProperties):
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
