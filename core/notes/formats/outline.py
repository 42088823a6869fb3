"""What Logseq keeps in plain Markdown: properties of a page, names of its files, journal days. Pure.

`key:: value` lines at the very start of a note are its properties in any folder, as Obsidian's Dataview has them too.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePosixPath

from core.notes.note import PropertyValue

_PAGE_PROPERTY = re.compile(r"[ \t]*(?:- )?([^\W\d_][\w.-]*)::(?=\s|\Z)[ \t]*(.*)(?:\n|\Z)")
_LISTS = frozenset({"alias", "aliases", "tags", "tag", "keywords"})
_ITEM = re.compile(r'\s*(?:#?\[\[(.+?)\]\]|"([^"]*)"|(#[^\s,]+|[^,]+))')


def page_properties(body: str) -> dict[str, PropertyValue]:
    """Return the `key:: value` lines that a page begins with; names and tags as lists."""
    properties: dict[str, PropertyValue] = {}
    if "::" not in body:
        return properties
    start = len(body) - len(body.lstrip("\n"))
    while match := _PAGE_PROPERTY.match(body, start):
        key, value = match[1], match[2].strip()
        if key.lower() in _LISTS:
            names: list[PropertyValue] = [*_names(value)]
            properties[key] = names
        elif value:
            properties[key] = value
        start = match.end()
    return properties


def _names(value: str) -> list[str]:
    """Return the names of a list: a comma within `[[…]]` or quotes parts nothing, and white space parts `#tags`."""
    names = ((match[1] or match[2] or match[3] or "").strip().lstrip("#") for match in _ITEM.finditer(value))
    return [name for name in names if name]


# Characters that no file name may hold everywhere, as Logseq writes them.
_ESCAPED = re.compile(r"%(2F|5C|3A|3F|2A|22|3C|3E|7C|23|25|2E)", re.IGNORECASE)


def page_name(stem: str) -> str:
    """Return the name of the page that Logseq keeps in a file: `a___b` and `a%2Fb` hold the page `a/b`."""
    if "___" in stem:
        stem = stem.replace("___", "/")
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), stem) if "%" in stem else stem


_JOURNAL_FILE = re.compile(r"(\d{4})[_-](\d\d)[_-](\d\d)", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_JOURNAL_NAME = re.compile(r"([a-z]{3})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?, (\d{4})", re.ASCII | re.IGNORECASE)


def journal_day(path: str) -> str | None:
    """Return the ISO date of a journal's file, `journals/2026_01_05.md`; None for any other file."""
    if "/" not in path:
        return None
    place = PurePosixPath(path)
    return day_of_stem(place.stem) if place.parent.name.lower() == "journals" else None


def day_of_stem(stem: str) -> str | None:
    """Return the ISO date that a file name without its suffix is, None where it is none or more than that."""
    match = _JOURNAL_FILE.fullmatch(stem)
    return _iso(match[1], match[2], match[3]) if match else None


def journal_date(name: str) -> str | None:
    """Return the ISO date that begins `name` in Logseq's default spelling, `Jan 5th, 2026`; None without one."""
    match = _JOURNAL_NAME.match(name)
    if match is None or match[1].lower() not in _MONTHS:
        return None
    return _iso(match[3], str(_MONTHS.index(match[1].lower()) + 1), match[2])


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
