"""Dates as people type them in a query, made absolute. Pure: today is an argument, no clock."""

from __future__ import annotations

import calendar
import re
import unicodedata
from datetime import date, timedelta

_YEAR_FIRST = re.compile(r"(\d{4})(?:([-/])(\d{1,2})(?:\2(\d{1,2}))?)?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", re.ASCII)
_AGO = re.compile(r"(\d{1,5})([dwmy])", re.ASCII)
_DAYS_AGO = {"today": 0, "yesterday": 1, "tomorrow": -1}
_DAYS_IN = {"d": 1, "w": 7}
_MONTHS_IN = {"m": 1, "y": 12}


def read_date(typed: str, today: date) -> date | None:
    """Return the first day of what was typed, or None where it is no date.

    Years, months and days (`2026`, `2026-01`, `2026/01/05`, `05.01.2026`), `today`, `yesterday`, `tomorrow`, and days,
    weeks, months and years ago (`3d`, `2w`, `6m`, `1y`) in any case. Months and years go by the calendar: one month
    before 31 March is the last day of February.
    """
    text = unicodedata.normalize("NFKC", typed).strip().lower()
    try:
        if (found := _YEAR_FIRST.fullmatch(text)) is not None:
            return date(int(found[1]), int(found[3] or 1), int(found[4] or 1))
        if (found := _DAY_FIRST.fullmatch(text)) is not None:
            return date(int(found[3]), int(found[2]), int(found[1]))
        if text in _DAYS_AGO:
            return today - timedelta(days=_DAYS_AGO[text])
        if (found := _AGO.fullmatch(text)) is not None:
            return _ago(int(found[1]), found[2], today)
    except (ValueError, OverflowError):
        return None  # a 30 February, or further back than the calendar goes
    return None


def _ago(count: int, unit: str, today: date) -> date:
    if unit in _DAYS_IN:
        return today - timedelta(days=count * _DAYS_IN[unit])
    year, month = divmod(today.year * 12 + today.month - 1 - count * _MONTHS_IN[unit], 12)
    if year < 1:
        raise ValueError("before the first year of the calendar")
    return date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1]))
