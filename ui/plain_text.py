"""Small rules for text that is shown as it is: positions, direction, one line, dates, counts. Pure."""

from __future__ import annotations

import datetime as dt
import html
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEK = 7


def utf16_spans(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return [start, end) code point spans of `text` as the UTF-16 spans that Qt counts in.

    Characters beyond the basic plane (emoji, rare ideographs) take two units. Spans may overlap and come in any order.
    """
    wanted = list(spans)
    if not wanted or text.isascii() or max(text) <= "\uffff":
        return wanted
    astral = [index for index, character in enumerate(text) if character > "\uffff"]
    places = sorted({place for span in wanted for place in span})
    shift: dict[int, int] = {}
    passed = 0
    for place in places:
        while passed < len(astral) and astral[passed] < place:
            passed += 1
        shift[place] = place + passed
    return [(shift[start], shift[end]) for start, end in wanted]


_DIRECTION = dict.fromkeys([0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_NO_WIDTH = dict.fromkeys(_DIRECTION, "\u2060")


def without_direction(text: str) -> str:
    """Return `text` without the characters that turn the direction of what follows, even beyond its own end."""
    return text.translate(_DIRECTION)


def with_natural_direction(text: str) -> str:
    """Return `text` with those characters replaced by ones without width, so that every position stays."""
    return text.translate(_NO_WIDTH)


def one_line(text: str) -> str:
    """Return `text` on one line: white space and control characters become single spaces."""
    text = without_direction(text)
    return " ".join("".join(" " if unicodedata.category(c) == "Cc" else c for c in text).split())


def ordinal(number: int) -> str:
    """Return 1 as "1st", 2 as "2nd", 11 as "11th"."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def file_name_of(query: str) -> str:
    """Return a query as a file name without suffix, safe on every system; "results" where nothing is left of it."""
    kept = "".join(c if c.isalnum() or c in "-_" else " " for c in without_direction(query))
    name = " ".join(kept.split())[:60].strip()
    if not name:
        return "results"
    reserved = name.lower() in {"con", "prn", "aux", "nul"} or (name[:3].lower() in {"com", "lpt"} and len(name) == 4)
    return f"results {name}" if reserved else name


def is_right_to_left(text: str) -> bool:
    """Say whether the first letter with a direction runs from right to left (rule P2 of UAX 9)."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


def tooltip_of(text: str) -> str:
    """Return `text` for a tooltip, where Qt would otherwise render markup that a title happens to hold."""
    return "<qt>" + html.escape(text).replace("\n", "<br>") + "</qt>"


def menu_text(text: str) -> str:
    """Return `text` for a button or menu, where a single & would underline the next letter."""
    return text.replace("&", "&&")


def full_date(iso: str) -> str:
    """Return an ISO date as "12 Mar 2026"; what is no date is returned as it is."""
    day = _parsed(iso)
    return iso if day is None else f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def shown_date(iso: str, today: dt.date) -> str:
    """Return an ISO date as a person would say it on `today`: "yesterday", "3 days ago", else the date in full."""
    day = _parsed(iso)
    if day is None:
        return iso
    age = (today - day).days
    if age == 0:
        return "today"
    if age == 1:
        return "yesterday"
    if 1 < age < _WEEK:
        return f"{age} days ago"
    return full_date(iso)


def _parsed(iso: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(iso[:10])
    except ValueError:
        return None


def count_of(seen: int, total: int) -> str:
    """Return "6,591" where all is seen, else "4,120 of 6,591"."""
    return f"{total:,}" if seen >= total else f"{seen:,} of {total:,}"


def shown_path(path: str) -> str:
    """Return the folder of a note's path, its parts set apart: "garden / howto"; "" at the top."""
    return " / ".join(without_direction(path).split("/")[:-1])


def shown_seconds(seconds: float) -> str:
    """Return a time left in one coarse unit, so that it does not flicker: "45 s", "12 min", "2 h"."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole if whole < 10 else -(-whole // 5) * 5} s"
    if whole < 3600:
        return f"{-(-whole // 60)} min"
    return f"{-(-whole // 3600)} h"
