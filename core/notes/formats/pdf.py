"""PDF files to a `Note`: their pages are its places. Depends on pypdfium2.

PDFium is C++ that reads files from strangers: it may take long or end the process, so this belongs where a process
can be ended, with the indexing. Its objects are closed in order, so it holds nothing when a note is returned.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from typing import Any

from core.notes.decoding import NotText, normalise_newlines
from core.notes.formats.document_title import document_title, file_title
from core.notes.formats.front_matter import date_in
from core.notes.formats.line_end_hyphens import join_cut_words
from core.notes.formats.parts import MAX_TEXT, TOO_LONG
from core.notes.formats.pdf_streams import unpacks_above
from core.notes.note import Note, Place, PropertyValue

MAX_PAGES = 5_000
"""Pages of a file that are read: a page of dense text takes 2 ms, and no book has as many."""

MAX_STREAM = 32 * 1024 * 1024
"""Bytes that a stream may unpack to. The text of the densest page has 20 kB, the largest plots and maps come near;
filled with text it takes PDFium 12 s, in one call."""

_MAX_UNREADABLE = 200
"""Pages in a row that cannot be read before the rest is given up: a damaged page tree may claim any number of them."""

_PASSWORD = 4
"""PDFium's code for a file that it cannot open without a password (FPDF_ERR_PASSWORD)."""

# All that a note's text has of control characters are newlines and tabs; \x02 is PDFium's mark of a cut word.
_CONTROLS = re.compile("[\0\x01\x03-\x08\x0b-\x1f\x7f\x80-\x9f\ud800-\udfff\uffff]")


@dataclass(slots=True)
class _Pages:
    """What has been read so far of a document's pages."""

    texts: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    drawn: bool = False


def read_pdf(path: str, data: bytes) -> Note:
    """Return a PDF as a note: its text page after page, and "page 3" for a place; pages without text have none.

    The title is that of the file's properties if a person wrote it, else the file's name; the date is that of its
    making, as written there. Words cut at a line's or page's end are joined; nothing marks the end of a page, since a
    sentence may go over it. At most MAX_PAGES and MAX_TEXT are read. Raises NotText for what is no PDF, asks for a
    password, or has a stream above MAX_STREAM, nothing else.
    """
    import pypdfium2

    if not data:
        raise NotText("This file is empty; it is no PDF.")
    if unpacks_above(data, MAX_STREAM):
        raise NotText(f"A part of this PDF unpacks to more than {MAX_STREAM // 1024**2} MB; it is not read.")
    try:
        with pypdfium2.PdfDocument(data) as document:
            properties = {key.lower(): _property(document, key) for key in ("Title", "Author", "Subject", "Keywords")}
            made = _date(_property(document, "CreationDate"))
            pages = _read_pages(document)
    except pypdfium2.PdfiumError as error:
        if error.err_code == _PASSWORD:
            raise NotText("This PDF is encrypted; it cannot be read without its password.") from None
        raise NotText("This is no PDF, or it is damaged.") from None
    text, offsets = _joined(pages.texts)
    written: dict[str, PropertyValue] = {key: value for key, value in properties.items() if value and key != "title"}
    return Note(
        path=path,
        title=document_title(properties["title"]) or file_title(path),
        text=text,
        properties=written,
        date=made,
        problems=tuple(pages.problems),
        places=tuple(Place(offset, name) for offset, name in zip(offsets, pages.places, strict=True)),
    )


def _read_pages(document: Any) -> _Pages:  # noqa: ANN401 - pypdfium2 has no types
    import pypdfium2

    pages = _Pages()
    claimed = len(document)
    length = unreadable = in_a_row = 0
    for number in range(1, min(claimed, MAX_PAGES) + 1):
        try:
            text, has_objects = _page(document, number - 1)
        except pypdfium2.PdfiumError:
            unreadable, in_a_row = unreadable + 1, in_a_row + 1
            if in_a_row == _MAX_UNREADABLE:
                break
            continue
        in_a_row = 0
        pages.drawn = pages.drawn or has_objects
        if not text:
            continue
        if length + len(text) > MAX_TEXT:
            pages.problems.append(TOO_LONG)
            break
        length += len(text) + 1
        pages.texts.append(text)
        pages.places.append(f"page {number}")
    if claimed > MAX_PAGES:
        pages.problems.append(f"It has more than {MAX_PAGES:,} pages; only these are indexed.")
    if unreadable:
        pages.problems.append(f"{unreadable:,} of its pages {'is' if unreadable == 1 else 'are'} damaged.")
    if not pages.texts:
        reason = "its pages are pictures" if pages.drawn else "its pages are empty"
        pages.problems.append(f"It holds no text; {reason}.")
    return pages


def _page(document: Any, index: int) -> tuple[str, bool]:  # noqa: ANN401
    """Return a page's text, and whether anything is drawn on it. Raises PdfiumError."""
    import pypdfium2.raw

    with contextlib.closing(document[index]) as page:
        has_objects = pypdfium2.raw.FPDFPage_CountObjects(page) > 0
        if not has_objects:
            return "", False
        with contextlib.closing(page.get_textpage()) as text_page:
            return _CONTROLS.sub(" ", normalise_newlines(text_page.get_text_bounded())).strip(), True


def _joined(texts: list[str]) -> tuple[str, list[int]]:
    """Return the texts of all pages, a line each at least, as one with cut words whole, and where each begins."""
    offsets, position = [], 0
    for text in texts:
        offsets.append(position)
        position += len(text) + 1
    return join_cut_words("\n".join(texts), offsets)


def _property(document: Any, key: str) -> str:  # noqa: ANN401
    try:
        value = str(document.get_metadata_value(key))
    except UnicodeDecodeError:  # a half of a surrogate pair
        return ""
    return " ".join(_CONTROLS.sub(" ", value[:10_000]).split())


def _date(written: str) -> str | None:
    """Return the day in a PDF's date, "D:20260131120000+01'00'", the D: often left out, or in an ISO date."""
    day = written.removeprefix("D:").strip()[:10]
    return date_in(day[:8] if day[:8].isdecimal() else day)
