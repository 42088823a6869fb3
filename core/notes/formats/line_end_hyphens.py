"""Words that a typesetter cut at the end of a line, made whole again. Pure.

A cut is a hyphen between a letter and a line's end where the next line begins with a letter. The rule that undoes it:

- A soft hyphen, which is only there to be cut at, always goes.
- The hyphen belongs to the word if the rest begins with a capital ("Jean-Paul"), unless both are capitals throughout.
- It belongs to the word if that has another hyphen ("state-of-the-art"), or if the text writes it elsewhere within a
  line with the hyphen and nowhere without ("well-known").
- Else the parts are one word: "exam-" and "ple" are "example".

Next to a digit nothing is joined: "2020-" at a line's end is a range.
"""

from __future__ import annotations

import io
import re

_MARK = "\ufffe"
"""What PDFium puts in place of a hyphen and the line's end after it; its other text function has \x02."""

_MAX_LOOKED_FOR = 200_000
"""Words that are looked for in the text: a book has a tenth of it. Beyond, cuts are undone without looking."""

_CUT = re.compile(rf"([^\W\d_]+)([{_MARK}\x02\u00ad]|-(?=[ \t]*\r?\n))[ \t]*\r?\n?[ \t]*(?=([^\W\d_]+)(-?))")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def join_cut_words(text: str, offsets: list[int]) -> tuple[str, list[int]]:
    """Return `text` with cut words joined, and where each of the ascending `offsets` is in it then."""
    if not any(sign in text for sign in f"-{_MARK}\x02\u00ad"):
        return text, offsets
    written = _written(text)
    out = io.StringIO()
    placed: list[int] = []
    position = removed = 0
    for cut in _CUT.finditer(text):
        while len(placed) < len(offsets) and offsets[len(placed)] < cut.end():
            placed.append(min(offsets[len(placed)], cut.end(2)) - removed)
        hyphen = "-" if _belongs(text, cut, written) else ""
        out.write(text[position : cut.end(1)])
        out.write(hyphen)
        position = cut.end()
        removed += position - cut.end(1) - len(hyphen)
    out.write(text[position:])
    placed += (offset - removed for offset in offsets[len(placed) :])
    return out.getvalue().replace(_MARK, "-").replace("\x02", "-"), placed


def _forms(cut: re.Match[str]) -> tuple[str, str]:
    return f"{cut[1]}-{cut[3]}".casefold(), f"{cut[1]}{cut[3]}".casefold()


def _written(text: str) -> set[str]:
    """Return which forms of the cut words, with and without a hyphen, the text has within a line."""
    looked_for: set[str] = set()
    for cut in _CUT.finditer(text):
        looked_for.update(_forms(cut))
        if len(looked_for) >= _MAX_LOOKED_FOR:
            break
    if not looked_for:
        return looked_for
    return looked_for.intersection(match[0].casefold() for match in _HYPHENATED.finditer(text))


def _belongs(text: str, cut: re.Match[str], written: set[str]) -> bool:
    """Tell whether the hyphen of a cut is part of the word."""
    before, mark, after, next_hyphen = cut.groups()
    if mark == "\u00ad":
        return False
    if after[0].isupper():
        return not (before.isupper() and after.isupper() and len(before) > 1)
    if next_hyphen or (cut.start() > 0 and text[cut.start() - 1] == "-"):
        return True
    with_hyphen, without = _forms(cut)
    return with_hyphen in written and without not in written
