"""The parts of a Word document: XML files in a zip archive, bounded in size and number. Depends on nothing but Python.

Nothing is unpacked before its declared size is looked at, nor further than its limit whatever was declared. A document
type declaration is refused, and with it every entity; nothing outside the file is ever asked for.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import TypeAlias
from xml.parsers import expat

from core.notes.decoding import NotText

MAX_XML = 100 * 1024 * 1024
"""Bytes of a part when unpacked: a book of a thousand pages has ten million."""

_MAX_TAGS = 2_500_000
"""Of a part: half a million are read in a second. A book of a thousand pages has about as many."""

_LONGEST_TAG = 1_000_000
_LONG_TAG = re.compile(rb"<[^<>]{%d}" % _LONGEST_TAG)
"""Expat looks through an unfinished tag again with each megabyte that it takes: seconds for one of a hundred."""

_MAX_MEMBERS = 50_000
"""Of the archive: each takes half a kilobyte to know."""

_CHUNK = 1024 * 1024
_NO_DOCUMENT = "This is no Word document, or it is damaged."
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, LookupError, RuntimeError,
               OverflowError)  # fmt: skip

Started: TypeAlias = Callable[[str, dict[str, str]], object]
Ended: TypeAlias = Callable[[str], object]
Characters: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to: `kind` is the last part of its type ("styles"), `target` an address or a member's name."""

    kind: str
    target: str
    external: bool


class DocxPackage:
    """An archive in memory. `document` is the name of its main part. Raises NotText where there is none."""

    def __init__(self, data: bytes) -> None:
        if not data:
            raise NotText("This file is empty; it is no Word document.")
        if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
            raise NotText("This Word document is encrypted, or of the format before 2007; it cannot be read.")
        if data.count(b"PK\x01\x02") > _MAX_MEMBERS:
            raise NotText(f"This archive holds more than {_MAX_MEMBERS:,} files; it is not read as a Word document.")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN_ZIP:
            raise NotText(_NO_DOCUMENT) from None
        self._parts = {relation.kind: relation.target for relation in self.relations("").values()}
        self.document = self._parts.get("officeDocument", "word/document.xml")
        self.properties = self._parts.get("core-properties", "docProps/core.xml")

    def has(self, part: str) -> bool:
        """Return whether the archive has a member of this name."""
        return part in self._archive.NameToInfo

    def relations(self, part: str) -> Mapping[str, Relation]:
        """Return the relations of a part, or with "" of the whole, by their ids; none where they cannot be read."""
        found: dict[str, Relation] = {}
        folder = dirname(part)

        def started(name: str, attributes: dict[str, str]) -> None:
            target = attributes.get("Target")
            if target is None or name.rpartition(" ")[2] != "Relationship":
                return
            external = attributes.get("TargetMode") == "External"
            if not external:
                target = normpath(join("/", folder, target)).lstrip("/")
            kind = attributes.get("Type", "").rpartition("/")[2]
            found.setdefault(attributes.get("Id", ""), Relation(kind, target, external))

        try:
            self.parse(join(folder, "_rels", f"{part.rpartition('/')[2]}.rels"), started)
        except NotText:
            return {}
        return found

    def parse(
        self, part: str, started: Started, ended: Ended | None = None, characters: Characters | None = None
    ) -> None:
        """Give the events of a part, names as "namespace name". Raises NotText where it is missing, damaged or big."""
        parse_xml(self.unpacked(part), started, ended, characters)

    def unpacked(self, part: str) -> bytes:
        """Return the XML of a part. Raises NotText where it is missing, damaged or big."""
        too_big = f"This Word document unpacks to more than {MAX_XML // 1024**2} MB of text; it is not read."
        data = bytearray()
        try:
            member = self._archive.getinfo(part)
            if member.file_size > MAX_XML:
                raise NotText(too_big)
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise NotText(_NO_DOCUMENT)
            with self._archive.open(member) as file:
                while chunk := file.read(_CHUNK):
                    data += chunk
                    if len(data) > MAX_XML:
                        raise NotText(too_big)
        except NotText:
            raise
        except _BROKEN_ZIP:
            raise NotText(_NO_DOCUMENT) from None
        if data.count(b"<") > _MAX_TAGS or (len(data) > _LONGEST_TAG and _LONG_TAG.search(data)):
            raise NotText("This Word document holds too many or too long tags to be read.")
        return bytes(data)


def parse_xml(data: bytes, started: Started, ended: Ended | None = None, characters: Characters | None = None) -> None:
    """Give the events of a part's XML, names as "namespace name". Raises NotText where it is damaged."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.buffer_size = 64 * 1024
    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except NotText:
        raise
    except (expat.ExpatError, ValueError, LookupError):
        raise NotText(_NO_DOCUMENT) from None


def _refuse(*_: object) -> None:
    raise NotText("This Word document declares a document type, which none does; it is not read.")
