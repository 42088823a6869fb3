"""PDFs that unpack to far more than they hold are known before anything reads them."""

import os
import zlib

import pytest

from core.notes.decoding import NotText
from core.notes.formats.pdf import MAX_STREAM, read_pdf
from core.notes.formats.pdf_streams import unpacks_above

MOST = 1_000_000


def stream(packed: bytes, entries: bytes = b"/Filter/FlateDecode") -> bytes:
    return b"4 0 obj\n<</Length %d%s>>stream\n%s\nendstream\nendobj\n" % (len(packed), entries, packed)


def pdf_drawing(content: bytes) -> bytes:
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    ]
    out = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, each) for number, each in enumerate(objects, 1))
    out += stream(zlib.compress(content, 9))
    out += b"5 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n"
    return out + b"trailer<</Size 6/Root 1 0 R>>\n%%EOF"


@pytest.mark.parametrize(
    ("data", "above"),
    [
        pytest.param(stream(zlib.compress(bytes(MOST))), False, id="as much as is read"),
        pytest.param(stream(zlib.compress(bytes(MOST + 1))), True, id="a byte more"),
        pytest.param(stream(zlib.compress(os.urandom(MOST + 1))), True, id="that hardly packs"),
        pytest.param(b"%PDF\n" * 9 + stream(b"") + stream(zlib.compress(bytes(2 * MOST))), True, id="not the first"),
        pytest.param(
            stream(zlib.compress(zlib.compress(bytes(50 * MOST))), b"/Filter[/FlateDecode/FlateDecode]"),
            True,
            id="packed twice",
        ),
        pytest.param(
            stream(zlib.compress(bytes(2 * MOST)), b"/Subtype/Image/Filter/FlateDecode"), False, id="a picture"
        ),
        pytest.param(stream(bytes(2 * MOST), b""), False, id="not packed"),
        pytest.param(stream(b"\0" * 20_000), False, id="damaged"),
        pytest.param(stream(zlib.compress(bytes(2 * MOST))[:500]), False, id="cut off"),
        pytest.param(stream(zlib.compress(bytes(2 * MOST))).partition(b"\nendstream")[0], True, id="without an end"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b"stream\nstream\r\nendstream\n" * 1_000, False, id="no dictionaries"),
    ],
)
def test_what_unpacks_to_too_much_is_told(data, above):
    assert unpacks_above(data, MOST) is above


def test_a_page_that_unpacks_to_200_mb_costs_its_file_alone():
    line = b"(A line of a page that is drawn again and again.) Tj\n"
    bomb = pdf_drawing(b"BT /F1 12 Tf 72 700 Td " + line * (200 * 1024**2 // len(line)))
    assert len(bomb) < 1_000_000
    with pytest.raises(NotText, match="unpacks to more than 32 MB"):
        read_pdf("bomb.pdf", bomb)


def test_a_page_that_unpacks_to_much_and_not_too_much_is_read():
    spaces = b" " * (MAX_STREAM - 1_000)
    note = read_pdf("large.pdf", pdf_drawing(spaces + b"BT /F1 12 Tf 72 700 Td (harbour) Tj ET"))
    assert note.text == "harbour"
