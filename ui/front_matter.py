"""The front matter of a note as rows of name and value, for reading. Pure: nothing is loaded, YAML stays text."""

from __future__ import annotations

import re

_ROW = re.compile(r"([\w.][\w .-]{0,60}?)[ \t]{0,9}:(?:[ \t]+(.*))?$")
_MOST_ROWS = 16
_LONGEST = 300  # characters of a value


def split_front_matter(text: str) -> tuple[list[str], str, int]:
    """Return the lines between the fences, the body, and the number of lines that were cut off before it.

    `text` has plain newlines. Without a closed block at the very top there are no lines, and the body is all.
    """
    text = text.removeprefix("\ufeff")
    opening = re.match(r"---[ \t]*\n", text)
    closing = (
        re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE).search(text, opening.end()) if opening else None
    )
    if opening is None or closing is None:
        return [], text, 0
    block = text[opening.end() : closing.start()]
    return block.split("\n")[:-1], text[closing.end() :], block.count("\n") + 2


def property_rows(lines: list[str]) -> list[tuple[str, str]]:
    """Return (name, value) for every property that has a value; items of a list stand in a row."""
    rows: list[tuple[str, list[str]]] = []
    for line in lines:
        found = _ROW.match(line)
        if found and not line[0].isspace():
            rows.append((found[1], [_plain(found[2] or "")]))
        elif line.strip() and not line.lstrip().startswith("#"):
            if not rows:
                rows.append(("", []))
            rows[-1][1].append(_plain(line.strip().removeprefix("- ")))
    told = [(name, ", ".join(part for part in parts if part)) for name, parts in rows]
    told = [(name, value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…") for name, value in told if value]
    return told if len(told) <= _MOST_ROWS else [*told[: _MOST_ROWS - 1], ("", "…")]


def _plain(value: str) -> str:
    value = value.strip()
    if value in ("|", ">", "|-", ">-", "[]", "{}", "-"):
        return ""
    if len(value) > 1 and (value[0], value[-1]) in (('"', '"'), ("'", "'")):
        return value[1:-1]
    if len(value) > 1 and value[0] == "[" and value[-1] == "]" and not value.startswith("[["):
        return ", ".join(_plain(item) for item in value[1:-1].split(","))
    return value
