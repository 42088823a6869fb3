"""Text from notes made harmless to show: a title must not move a cursor, break a line or fail to encode. Pure."""

from __future__ import annotations

import re

_CONTROLS = {code: 0x2400 + code for code in range(0x20)}  # the control pictures: ESC becomes the sign ␛
_CONTROLS[0x7F] = 0x2421
_CONTROLS |= dict.fromkeys(range(0x80, 0xA0), 0xFFFD)  # C1 has no pictures; U+009B alone starts an escape sequence
_CONTROLS |= dict.fromkeys((0x2028, 0x2029), 0x2424)  # line and paragraph separator end a line in many programs
_CONTROLS |= dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)  # file names that are no UTF-8 hold lone surrogates

_BIDI: dict[int, int | None] = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates: left open in a note, they turn around the rest of a terminal line."""

_BLANKS = re.compile(r"\s+")


def visible(text: str) -> str:
    """Return `text` with every control character and lone surrogate replaced by a visible sign, one for one."""
    return text.translate(_CONTROLS)


def one_line(text: str) -> str:
    """Return `text` on one line: runs of white space are one blank, none at the ends, controls are visible."""
    return visible(_BLANKS.sub(" ", text).strip())


def without_bidi_controls(text: str) -> str:
    """Return `text` without the characters that change the writing direction of what follows them."""
    return text.translate(_BIDI)
