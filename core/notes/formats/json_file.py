"""A file that holds one JSON value, bounded in depth and size. Depends on decoding."""

from __future__ import annotations

import json
import math
import re
from typing import TypeAlias

from core.notes.decoding import NotText, decode

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

MAX_BYTES = 100 * 1024 * 1024
"""Of the file. Ten seconds and 500 MB are what a file may cost."""

_MAX_MEMORY = 300_000_000
"""Bytes that the loaded values may take, strings aside, by the sizes that Python 3.11 has for them on 64 bits."""

_COST = ((b"{", 150), (b":", 90), (b"[", 72), (b",", 48))
# The closing quote may lack, so that no start is tried in vain: linear in any text.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)


def load_json(data: bytes, name: str) -> JsonValue:
    """Return the value in a file's bytes, None for a file of nothing but white space.

    `name` says what the file should be ("notebook"), for the sentence of NotText: raised for what is no JSON, nests
    too deeply or holds too much. Numbers of more than 18 digits become floats, which no reader here looks at.
    """
    if len(data) > MAX_BYTES:
        raise NotText(f"This {name} is larger than {MAX_BYTES // 1024**2} MB.")
    if _memory(data) > _MAX_MEMORY and _memory(_STRING.sub(b"", data)) > _MAX_MEMORY:
        raise NotText(f"This {name} holds too many separate values to be read.")
    text = decode(data).text
    if not text.strip(" \t\r\n\ufeff"):
        return None
    try:
        value: JsonValue = json.loads(text, parse_int=_integer, parse_float=_number, strict=False)
    except RecursionError:
        raise NotText(f"This {name} is nested too deeply to be read.") from None
    except ValueError as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise NotText(f"This is no {name}: it is not valid JSON{where}.") from None
    return value


def text_in(value: JsonValue) -> str:
    """Return a value that is a string, or a list of the lines of one, as Jupyter writes it; "" for any other."""
    if isinstance(value, list):
        return "".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""


def _memory(data: bytes) -> int:
    return sum(data.count(sign) * cost for sign, cost in _COST)


def _integer(digits: str) -> int | float:
    # Python refuses thousands of digits, and takes quadratic time for many.
    return int(digits) if len(digits) <= 18 else math.copysign(math.inf, -1 if digits.startswith("-") else 1)


def _number(written: str) -> float:
    return float(written) if len(written) <= 64 else math.nan
