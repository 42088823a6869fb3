"""Word documents (.docx) to a `Note`.

Read as a stream of XML events rather than with python-docx, which unpacks every picture of the file and whatever a
zip bomb declares, and builds a tree of objects several times the size of its XML.
"""

from __future__ import annotations

import posixpath

from core.notes.decoding import NotText
from core.notes.formats.document_title import document_title, file_title
from core.notes.formats.docx_package import Characters, DocxPackage, Ended, Started
from core.notes.formats.docx_styles import Styles, read_styles
from core.notes.formats.docx_text import DocxText
from core.notes.formats.front_matter import date_in, tags_in
from core.notes.note import Note, Place, PropertyValue

_MAX_PROPERTY = 10_000
"""Characters of one property that are kept."""


def read_docx(path: str, data: bytes) -> Note:
    """Return a Word document as a note: paragraphs with an empty line between them, table rows and list items without.

    The cells of a row are parted by tabs; footnotes and endnotes come last. The title is that of the file's properties
    if a person wrote it, else the first paragraph in the style Title, else the first heading, else the file's name;
    tags are the keywords of the properties, and the date is that of its making, as written there. Text of one place,
    "document", since pages are only known to who lays it out. Raises NotText for what is no such document, nothing
    else; parts beside the text that are damaged are a problem.
    """
    package = DocxPackage(data)
    problems: list[str] = []
    properties = _read_properties(package, problems)
    relations = package.relations(package.document)
    parts = {relation.kind: relation.target for relation in relations.values() if not relation.external}
    styles = _styles(package, parts["styles"], problems) if "styles" in parts else Styles()
    text = DocxText(styles)
    text.begin(relations)
    package.parse(package.document, text.started, text.ended, text.characters)
    if not text.has_body:
        raise NotText("This is an Office file, but no Word document.")
    for kind in ("footnotes", "endnotes"):
        if kind in parts:
            text.begin(package.relations(parts[kind]))
            _parse_beside(package, parts[kind], problems, text.started, text.ended, text.characters)
    if text.problem:
        problems.append(text.problem)
    joined = "".join(text.out)
    tags: dict[str, str] = {}
    for tag in tags_in(properties.get("keywords", "").replace(";", ",")):
        tags.setdefault(tag.casefold(), tag)
    named: dict[str, PropertyValue] = {"author": properties.get("creator", "")}
    named |= {key: properties.get(key, "") for key in ("subject", "category", "keywords")}
    return Note(
        path=path,
        title=document_title(properties.get("title", "")) or text.title or file_title(path),
        text=joined,
        headings=tuple(text.headings),
        tags=tuple(tags.values()),
        properties={key: value for key, value in named.items() if value},
        date=date_in(properties.get("created", "")),
        links=tuple(text.links),
        problems=tuple(problems),
        places=(Place(0, "document"),) if joined else (),
    )


def _parse_beside(
    package: DocxPackage,
    part: str,
    problems: list[str],
    started: Started,
    ended: Ended | None = None,
    characters: Characters | None = None,
) -> None:
    """Give the events of a part that a document can do without."""
    try:
        package.parse(part, started, ended, characters)
    except NotText:
        problems.append(_damaged(part))


def _styles(package: DocxPackage, part: str, problems: list[str]) -> Styles:
    try:
        styles, is_whole = read_styles(package.unpacked(part))
    except NotText:
        styles, is_whole = Styles(), False
    if not is_whole:
        problems.append(_damaged(part))
    return styles


def _damaged(part: str) -> str:
    return f"A part of it is damaged and was left out: {posixpath.basename(part)}."


def _read_properties(package: DocxPackage, problems: list[str]) -> dict[str, str]:
    """Return the properties of the document by their names, those of its core ("title", "created")."""
    pieces: dict[str, list[str]] = {}
    open_names: list[str] = []

    def started(element: str, _: dict[str, str]) -> None:
        open_names.append(element.rpartition(" ")[2])

    def ended(_: str) -> None:
        open_names.pop()

    def characters(text: str) -> None:
        if len(open_names) == 2:
            pieces.setdefault(open_names[1], []).append(text[:_MAX_PROPERTY])

    if package.has(package.properties):
        _parse_beside(package, package.properties, problems, started, ended, characters)
    return {name: " ".join("".join(texts)[:_MAX_PROPERTY].split()) for name, texts in pieces.items()}
