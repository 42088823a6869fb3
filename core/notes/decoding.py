"""From the bytes of a file to text. Depends on charset-normalizer; knows nothing of notes.

Newlines are left as they are: `normalise_newlines` is for those who count lines.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from unicodedata import category

from charset_normalizer import from_bytes

_SAMPLE = 64 * 1024
"""Bytes looked at to tell text from other things and to guess an encoding; guessing runs at about 1 MB/s."""

_BOMS = (  # the longer first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SIGNATURES = (
    b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\x7fELF", b"MZ\x90\0", b"OggS\0",
    b"SQLite format 3\0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
)  # fmt: skip
"""How archives, pictures, programs and the like begin, where no text does: one that is packed well has so few control
characters that it would pass for text."""

_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\f\r\b\x1b")

_PRINTABLE = bytes(range(32, 127))
_NO_TEXT = frozenset({"Cc", "Cn", "Co", "Cs"})

_GUESSED = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r",
    "cp932", "euc_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip

_WESTERN = frozenset("äöüÄÖÜßéèêëàâáãåæçíìîïñóòôõøúùûÉÈÀÁÂÅÆÇÍÑÓÔØÚ–—‘’“”„…•€£§°·«»¿¡ºª²³½¼©®™±×\xa0")
"""What Western notes hold beyond ASCII. A short text of only these is read as Windows-1252 without guessing."""


class NotText(ValueError):
    """The bytes are no text; `str(error)` is the reason, a sentence."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the Python name of its encoding, and a sentence if the encoding was guessed or did not fit wholly."""

    text: str
    encoding: str
    problem: str | None = None


def decode(data: bytes) -> Decoded:
    """Return the text of a file: by its byte order mark, else UTF-8, UTF-16 by its NULs, else the likeliest encoding.

    NULs become spaces, so that no position moves. Raises NotText for binary content, nothing else.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], encoding)
    if data.startswith(_SIGNATURES):
        raise NotText("This file holds binary data, not text.")
    sample = data[:_SAMPLE]
    wide = _wide_encoding(sample)
    if wide is not None:
        return _lenient(data, wide)
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    wide = _wide_encoding_of_other_scripts(sample, controls)
    if wide is not None:
        return _lenient(data, wide)
    # Single control characters are slips in a text; a tenth of it is not. Sixteen bits a unit went above.
    if controls > 8 and controls * 10 > len(sample):
        raise NotText("This file holds binary data, not text.")
    try:
        return Decoded(_without_nul(data.decode()), "utf-8")
    except UnicodeDecodeError:
        pass
    # Compressed data has a control character in ten; text in an old encoding has none.
    if controls > 4 and controls * 50 > len(sample):
        raise NotText("This file holds binary data, not text.")
    return _damaged_utf8(data) or _guessed(data, sample)


def normalise_newlines(text: str) -> str:
    """Return `text` with one newline character for each line break: CRLF, lone CR and LF are breaks, nothing else."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _lenient(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(_without_nul(data.decode(encoding)), encoding)
    except UnicodeDecodeError:
        text = _without_nul(data.decode(encoding, "replace"))
        return Decoded(text, encoding, f"Some of its bytes are not valid {encoding.upper()}; they are shown as \ufffd.")


def _wide_encoding(sample: bytes) -> str | None:
    """Return the UTF-16 or UTF-32 that the NULs of `sample` speak for: half of its bytes or more, on one side."""
    pairs = len(sample) // 2
    if pairs < 2 or b"\0" not in sample:
        return None
    quads = len(sample) // 4
    for encoding, highest, next_to_it in (("utf-32-le", 3, 2), ("utf-32-be", 0, 1)):
        nuls = [sample[side : quads * 4 : 4].count(0) for side in (highest, next_to_it)]
        if quads > 1 and nuls[0] == quads and nuls[1] * 2 >= quads and _is_plausible(sample[: quads * 4], encoding):
            return encoding
    even, odd = sample[: pairs * 2 : 2].count(0), sample[1 : pairs * 2 : 2].count(0)
    if odd * 10 >= pairs * 6 and even * 20 <= pairs:
        return "utf-16-le"
    if even * 10 >= pairs * 6 and odd * 20 <= pairs:
        return "utf-16-be"
    return None


def _wide_encoding_of_other_scripts(sample: bytes, controls: int) -> str | None:
    """Return the UTF-16 of a text whose letters have no NULs, so that only its spaces and line ends tell."""
    if b"\0" not in sample:
        return None
    printable = len(sample) - len(sample.translate(None, _PRINTABLE))
    if printable * 4 > len(sample) * 3 or (controls * 10 <= len(sample) and _is_utf8(sample)):
        return None
    pairs = sample[: len(sample) // 2 * 2]
    even, odd = pairs[::2].count(0), pairs[1::2].count(0)
    if even < odd and _is_plausible(pairs, "utf-16-le"):
        return "utf-16-le"
    if odd < even and _is_plausible(pairs, "utf-16-be"):
        return "utf-16-be"
    return None


def _is_utf8(sample: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return True


def _is_plausible(sample: bytes, encoding: str) -> bool:
    """Tell whether bytes are text in an encoding: all of it decodes, to characters that exist and are no controls."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    return all(character in "\t\n\r\f" or category(character) not in _NO_TEXT for character in set(text))


def _damaged_utf8(data: bytes) -> Decoded | None:
    """Return the text of UTF-8 with a few wrong bytes; in another encoding hardly any byte above 127 fits by chance."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    fitting = len(text) - len(text.encode("ascii", "ignore")) - wrong
    return _lenient(data, "utf-8") if fitting > 4 * wrong else None


def _guessed(data: bytes, sample: bytes) -> Decoded:
    encoding = "cp1252"
    try:
        western = set(sample.decode("cp1252"))
    except UnicodeDecodeError:
        western = set("\0\x80")
    if any(not character.isascii() and character not in _WESTERN for character in western):
        match = from_bytes(sample, cp_isolation=list(_GUESSED)).best()
        encoding = match.encoding if match is not None else encoding
    try:
        text = data.decode(encoding)
        problem = f"It is not UTF-8; it was read as {_name(encoding)}."
    except (UnicodeDecodeError, LookupError):
        encoding = "cp1252"
        text = data.decode(encoding, "replace")
        problem = f"It is not UTF-8; it was read as {_name(encoding)}, and what did not fit is shown as \ufffd."
    return Decoded(_without_nul(text), encoding, problem)


def _name(encoding: str) -> str:
    return f"Windows-{encoding[2:]}" if encoding.startswith("cp125") else encoding.upper().replace("_", "-")


def _without_nul(text: str) -> str:
    return text.replace("\0", " ")
