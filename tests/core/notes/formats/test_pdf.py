"""PDF: pages as places, cut words made whole, and files that nobody should have to trust."""

import zlib
from string import ascii_letters

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.notes.decoding import NotText
from core.notes.formats import pdf
from core.notes.formats.line_end_hyphens import join_cut_words
from core.notes.formats.pdf import read_pdf

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def file_of(objects, trailer=b""):
    """Return a PDF of these objects, numbered from 1; the first is the catalogue."""
    out, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def stream_of(content, entries=b""):
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), entries, content)


def drawn(lines):
    rows = (b"(" + line.encode("cp1252").replace(b"(", b"\\(").replace(b")", b"\\)") + b") Tj T*" for line in lines)
    return b"BT /F1 12 Tf 72 720 Td 14 TL " + b" ".join(rows) + b" ET"


def make(*pages, contents=None, info=b""):
    """Return a PDF with a page for each list of lines, or for each content stream."""
    contents = contents if contents is not None else [drawn(lines) if lines else b"" for lines in pages]
    first = 5
    kids = b" ".join(b"%d 0 R" % (first + 2 * index) for index in range(len(contents)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(contents)),
        FONT,
        b"<<%s>>" % info,
    ]
    for index, content in enumerate(contents):
        objects += (
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
            % (first + 2 * index + 1),
            stream_of(content),
        )
    return file_of(objects, b"/Info 4 0 R")


def read(*lines):
    return read_pdf("folder/the file.pdf", make(list(lines)))


GOOD = make(["One page", "of text"], ["and another"], info=b"/Title(A real title)/CreationDate(D:20260131120000Z)")


def test_pages_are_places_where_their_text_begins():
    note = read_pdf("a.pdf", make(["First page", "two lines"], [], ["Third (page)"]))
    assert note.text == "First page\ntwo lines\nThird (page)"
    assert [(place.name, note.text[place.offset :][:5]) for place in note.places] == [
        ("page 1", "First"),
        ("page 3", "Third"),
    ]
    assert note.problems == ()


def test_nothing_parts_two_pages_of_one_sentence():
    assert "\f" not in read_pdf("a.pdf", make(["a sentence that"], ["goes on"])).text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["an exam-", "ple of it"], "an example of it"),
        (["well-known here, well-", "known there"], "well-known here, well-known there"),
        (["wellknown, well-known, well-", "known"], "wellknown, well-known, wellknown"),
        (["with Jean-", "Paul"], "with Jean-Paul"),
        (["an EXAM-", "PLE of it"], "an EXAMPLE of it"),
        (["state-of-the-", "art"], "state-of-the-art"),
        (["the years 2020-", "2021"], "the years 2020-\n2021"),
        (["a dash -", "then more"], "a dash -\nthen more"),
        (["Donau\u00ad", "dampfer"], "Donaudampfer"),
        (["größ-", "ter Ärger"], "größter Ärger"),
    ],
)
def test_words_cut_at_a_line_end_are_joined_unless_the_hyphen_is_theirs(lines, text):
    assert read(*lines).text == text


def test_a_word_cut_at_a_page_end_is_joined_and_the_place_stays():
    note = read_pdf("a.pdf", make(["this is an exam-"], ["ple of it"], ["end"]))
    assert note.text == "this is an example of it\nend"
    assert [note.text[place.offset :] for place in note.places] == [note.text, "ple of it\nend", "end"]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("soft\u00adware", "software"),
        ("soft\u00ad\nware", "software"),
        ("exam-\r\nple", "example"),
        ("exam\ufffeple", "example"),
        ("exam\x02ple", "example"),
        ("B2\ufffelevel", "B2-level"),
        ("a-b c-d", "a-b c-d"),
        ("one-\n\ntwo", "one-\n\ntwo"),
        ("Well-known; well-\nknown", "Well-known; well-known"),
    ],
)
def test_marks_of_a_cut_in_every_form(text, joined):
    assert join_cut_words(text, [])[0] == joined


@given(st.lists(st.text(alphabet="ab- \n\u00ad\ufffeÄé1", min_size=1, max_size=12), min_size=1, max_size=6))
def test_places_stay_in_order_and_within_the_text(pages):
    offsets, position = [], 0
    for page in pages:
        offsets.append(position)
        position += len(page) + 1
    text, placed = join_cut_words("\n".join(pages), offsets)
    assert placed == sorted(placed)
    assert len(placed) == len(offsets)
    assert placed[0] == 0
    assert placed[-1] <= len(text)


@given(st.text(alphabet=ascii_letters + " .,\n", max_size=80))
def test_text_without_hyphens_is_left_alone(text):
    assert join_cut_words(text, [0]) == (text, [0])


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("A real title", "A real title"),
        ("  spaced \t out ", "spaced out"),
        ("All about node.js", "All about node.js"),
        ("Release 2.0", "Release 2.0"),
        ("Microsoft Word - thesis.doc", "the file"),
        ("untitled", "the file"),
        ("Untitled-1", "the file"),
        ("Unbenannt 2", "the file"),
        ("PowerPoint Presentation", "the file"),
        ("final_v3.docx", "the file"),
        ("my final version.docx", "the file"),
        ("D:\\\\texts\\\\x", "the file"),
        ("file:thesis", "the file"),
        ("-", "the file"),
        ("", "the file"),
    ],
)
def test_a_title_is_one_that_a_person_gave(written, title):
    data = make(["text"], info=b"/Title(%s)" % written.encode())
    assert read_pdf("folder/the file.pdf", data).title == title


def test_a_title_in_utf_16_with_half_a_pair_costs_nothing_but_itself():
    whole = b"<FEFF00C4007200670065>"
    assert read_pdf("x.pdf", make(["text"], info=b"/Title" + whole)).title == "Ärge"
    assert read_pdf("x.pdf", make(["text"], info=b"/Title<FEFFD800>")).title == "x"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("D:20260131120000+01'00'", "2026-01-31"),
        ("20260131120000Z", "2026-01-31"),
        ("D:20260131", "2026-01-31"),
        ("2026-01-31T10:00:00", "2026-01-31"),
        ("D:2026", None),
        ("D:20261399", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_the_date_is_the_day_of_its_making(written, date):
    assert read_pdf("x.pdf", make(["text"], info=b"/CreationDate(%s)" % written.encode())).date == date


def test_author_and_keywords_are_properties():
    note = read_pdf("x.pdf", make(["text"], info=b"/Author(Ada Lovelace)/Keywords(engine, notes)"))
    assert note.properties == {"author": "Ada Lovelace", "keywords": "engine, notes"}


def test_pages_of_pictures_are_told_from_empty_ones():
    assert read_pdf("x.pdf", make(contents=[b"10 10 50 50 re f"])).problems == (
        "It holds no text; its pages are pictures.",
    )
    note = read_pdf("x.pdf", make([], []))
    assert (note.text, note.places, note.problems) == ("", (), ("It holds no text; its pages are empty.",))


def test_an_encrypted_file_is_refused_with_its_reason():
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[]/Count 0>>",
        b"<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>" % (b"11" * 32, b"22" * 32),
    ]
    with pytest.raises(NotText, match="encrypted"):
        read_pdf("x.pdf", file_of(objects, b"/Encrypt 3 0 R/ID[<00><00>]"))


@pytest.mark.parametrize("data", [b"", b"# not a pdf\n", b"%PDF-1.7\n", b"\0" * 5000, GOOD[:100]])
def test_what_is_no_pdf_is_refused_with_a_sentence(data):
    with pytest.raises(NotText, match=r"no PDF.*\.$"):
        read_pdf("x.pdf", data)


@pytest.mark.parametrize("count", [5, 5_000, 2_000_000, 2_147_483_647, -1])
def test_a_page_tree_that_loops_ends(count):
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    pages = b"<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count %d>>" % count
    note = read_pdf("x.pdf", file_of([b"<</Type/Catalog/Pages 2 0 R>>", pages, page]))
    assert note.text == ""
    assert note.problems[-1] == "It holds no text; its pages are empty."


def test_only_so_many_pages_are_read():
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 10_003))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    pages = b"<</Type/Pages/Kids[%s]/Count 10000>>" % kids
    note = read_pdf("x.pdf", file_of([b"<</Type/Catalog/Pages 2 0 R>>", pages, *[page] * 10_000]))
    assert note.problems[0] == "It has more than 5,000 pages; only these are indexed."


def test_text_beyond_the_limit_is_left_out_and_told(monkeypatch):
    monkeypatch.setattr(pdf, "MAX_TEXT", 20)
    note = read_pdf("x.pdf", make(["ten letters"], ["ten more letters"]))
    assert note.text == "ten letters"
    assert "only its beginning" in note.problems[0]


def test_a_compressed_page_that_is_cut_short_costs_only_itself():
    packed = zlib.compress(drawn(["hidden"] * 500))[:40]
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        stream_of(packed, b"/Filter/FlateDecode"),
        FONT,
    ]
    assert read_pdf("x.pdf", file_of(objects)).title == "x"


@given(st.binary(max_size=400), st.booleans())
def test_arbitrary_bytes_give_a_note_or_not_text(data, headed):
    check(b"%PDF-1.7\n" + data if headed else data)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_file_gives_a_note_or_not_text(data):
    broken = bytearray(GOOD[: data.draw(st.integers(0, len(GOOD)))])
    for place in data.draw(st.lists(st.integers(0, max(len(broken) - 1, 0)), max_size=8)):
        if broken:
            broken[place] ^= 1 << data.draw(st.integers(0, 7))
    check(bytes(broken))


def check(data):
    try:
        note = read_pdf("x.pdf", data)
    except NotText as reason:
        assert str(reason).endswith(".")  # noqa: PT017 - either is right
        return
    note.text.encode()
    assert [place.offset for place in note.places] == sorted({place.offset for place in note.places})
