"""How much the compressed streams of a PDF unpack to, before PDFium is given it. Depends on zlib alone.

PDFium reads all that a page draws in one call that nothing can break off, at up to 0.4 s for each megabyte of it,
and 200 kB can unpack to 200 MB. What cannot be seen from here (other filters, encrypted streams, one stream drawn
many times) is left to whoever ends the process that takes too long.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

_BEGINS = re.compile(rb"(?<!end)stream\r?\n")
_DICTIONARY_BYTES = 2_000
"""How far back a stream's own dictionary is looked for; one with more in it is no page's content."""

_HIGHEST_RATIO = 1_032
"""To one: no Deflate stream unpacks to more, so most are small enough without a look."""

_PIECE = 64 * 1024


def unpacks_above(data: bytes, most: int) -> bool:
    """Return whether a Flate stream of a PDF, pictures left out, unpacks to more than `most` bytes."""
    for begin in _BEGINS.finditer(data):
        start = begin.end()
        dictionary = data[max(0, begin.start() - _DICTIONARY_BYTES) : begin.start()]
        dictionary = dictionary[dictionary.rfind(b"obj") + 1 :]
        filters = dictionary.count(b"/FlateDecode")
        if not filters or b"/Image" in dictionary:
            continue
        end = data.find(b"endstream", start)
        end = end if end >= 0 else len(data)
        if (end - start) * _HIGHEST_RATIO**filters > most and _length(data[start:end], filters, most) > most:
            return True
    return False


def _length(packed: bytes, filters: int, most: int) -> int:
    """Return how much a stream unpacks to, through each of its filters, counted until it is more than `most`."""
    pieces: Iterable[bytes] = (packed[place : place + _PIECE] for place in range(0, len(packed), _PIECE))
    for _ in range(filters):
        pieces = _unpacked(pieces, most)
    return sum(map(len, pieces))


def _unpacked(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    length = 0
    for piece in pieces:
        rest = piece
        while rest and not unpacking.eof:
            try:
                found = unpacking.decompress(rest, _PIECE)
            except zlib.error:  # damaged, or encrypted: there is nothing to unpack from here on
                return
            rest = unpacking.unconsumed_tail
            length += len(found)
            yield found
            if length > most:
                return
