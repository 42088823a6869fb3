"""Made-up documents and what they look like in each format that Triskel reads: the same bytes for the same seed.

A document is drawn once, as a title and blocks, and written in any format, so that formats differ in markup alone.
Words and their frequencies are those of `generate_notes`. Depends on python-docx for DOCX; PDF is written here.
"""

from __future__ import annotations

import io
import itertools
import json
import random
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from textwrap import wrap

from tests.tools.generate_notes import Dictionary, make_dictionary

SHORTEST, LONGEST = 2_000, 5_000
"""Characters of a document's words."""

LINK_SHARE = 0.3
"""Paragraphs with a link in them."""

_PAGE_LINES = 44
_LINE_LENGTH = 88


@dataclass(frozen=True, slots=True)
class Block:
    """A heading (`level` from 1), a paragraph (level 0, one item, maybe a link behind it) or a list (many items)."""

    items: tuple[str, ...]
    level: int = 0
    link: str = ""

    @property
    def is_list(self) -> bool:
        """Whether each item stands on a line of its own."""
        return len(self.items) > 1


@dataclass(frozen=True, slots=True)
class Document:
    """A title, and the blocks below it in order."""

    title: str
    blocks: tuple[Block, ...]


def draw_documents(text_size: int, seed: int = 1) -> list[Document]:
    """Return documents of `SHORTEST` to `LONGEST` characters, together about `text_size`."""
    draw = random.Random(seed)
    dictionary = make_dictionary(draw)
    documents, size = [], 0
    while size < text_size:
        length = draw.randint(SHORTEST, LONGEST)
        documents.append(_draw_document(draw, dictionary, length))
        size += length
    return documents


def _draw_document(draw: random.Random, dictionary: Dictionary, length: int) -> Document:
    blocks: list[Block] = []
    size = 0
    while size < length:
        words = draw.choices(dictionary.words, cum_weights=dictionary.cumulated, k=draw.randint(25, 90))
        kind = draw.random()
        if kind < 0.25 or not blocks:
            blocks.append(Block((" ".join(words[:4]).capitalize(),), level=draw.randint(1, 3)))
        if kind < 0.75:
            link = " ".join(words[5:7]) if draw.random() < LINK_SHARE else ""
            blocks.append(Block((_sentences(draw, words),), link=link))
        else:
            blocks.append(Block(tuple(" ".join(words[start : start + 9]) for start in range(0, len(words), 9))))
        size += sum(len(item) for item in blocks[-1].items)
    return Document(" ".join(draw.choices(dictionary.words[50:8_000], k=3)).capitalize(), tuple(blocks))


def _sentences(draw: random.Random, words: list[str]) -> str:
    sentences, rest = [], iter(words)
    while sentence := [word for _, word in zip(range(draw.randint(6, 20)), rest, strict=False)]:
        sentences.append(f"{' '.join(sentence).capitalize()}.")
    return " ".join(sentences)


def _markdown(document: Document) -> bytes:
    parts = [f"---\ntitle: {document.title}\ntags: [made-up]\n---"]
    parts += [_markdown_block(block) for block in document.blocks]
    return ("\n\n".join(parts) + "\n").encode()


def _markdown_block(block: Block) -> str:
    if block.level:
        return f"{'#' * (block.level + 1)} {block.items[0]}"
    if block.is_list:
        return "\n".join(f"- {item}" for item in block.items)
    link = f" See [[{block.link}]] and [more]({block.link.replace(' ', '%20')}.md)." if block.link else ""
    return block.items[0] + link


def _text(document: Document) -> bytes:
    lines = [document.title]
    for block in document.blocks:
        lines += ["", *block.items] + ([f"See {block.link}."] if block.link else [])
    return ("\n".join(lines) + "\n").encode()


def _org(document: Document) -> bytes:
    lines = [f"#+TITLE: {document.title}", "#+FILETAGS: :madeup:"]
    for block in document.blocks:
        if block.level:
            lines += ["", f"{'*' * block.level} {block.items[0]}"]
        elif block.is_list:
            lines += ["", *(f"- {item}" for item in block.items)]
        else:
            lines += ["", block.items[0] + (f" See [[file:{block.link}.org][{block.link}]]." if block.link else "")]
    return ("\n".join(lines) + "\n").encode()


def _restructured(document: Document) -> bytes:
    lines = ["=" * len(document.title), document.title, "=" * len(document.title)]
    for block in document.blocks:
        if block.level:
            lines += ["", block.items[0], "-~^"[block.level - 1] * len(block.items[0])]
        elif block.is_list:
            lines += ["", *(f"* {item}" for item in block.items)]
        else:
            target = f"{block.link.replace(' ', '-')}.rst"
            link = f" See `{block.link} <{target}>`_ and :doc:`{block.link}`." if block.link else ""
            lines += ["", block.items[0] + link]
    return ("\n".join(lines) + "\n").encode()


def _html(document: Document) -> bytes:
    parts = [
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(document.title)}</title>',
        '<style>body { margin: 2em }</style></head><body><nav><a href="index.html">Home</a></nav><main>',
    ]
    for block in document.blocks:
        if block.level:
            parts.append(f'<h{block.level} id="s{len(parts)}">{escape(block.items[0])}</h{block.level}>')
        elif block.is_list:
            items = "".join(f"<li>{escape(item)}</li>\n" for item in block.items)
            parts.append(f'<ul class="plain">\n{items}</ul>')
        else:
            link = f' See <a href="{escape(block.link)}.html"><em>{escape(block.link)}</em></a>.' if block.link else ""
            parts.append(f"<p>{escape(block.items[0])}{link}</p>")
    return ("\n".join([*parts, "</main></body></html>"]) + "\n").encode()


def _notebook(document: Document) -> bytes:
    cells: list[dict[str, object]] = [_cell("markdown", f"# {document.title}")]
    for number, block in enumerate(document.blocks):
        if block.is_list and number % 2:
            code = "\n".join(f"print({json.dumps(item, ensure_ascii=False)})" for item in block.items)
            output = {"output_type": "stream", "name": "stdout", "text": [f"{block.items[0]}\n"]}
            cells.append(_cell("code", code) | {"execution_count": number, "outputs": [output]})
        else:
            cells.append(_cell("markdown", _markdown_block(block)))
    whole = {"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def _cell(kind: str, source: str) -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}


def _canvas(document: Document) -> bytes:
    nodes = []
    for number, block in enumerate(document.blocks):
        place = {"x": number % 4 * 420, "y": number // 4 * 320, "width": 400, "height": 300}
        nodes.append({"id": f"{number:016x}", "type": "text", "text": _markdown_block(block)} | place)
    edges = [
        {"id": f"e{one['id']}", "fromNode": one["id"], "toNode": other["id"]}
        for one, other in itertools.pairwise(nodes)
    ]
    return json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False, indent="\t").encode()


def _docx(document: Document) -> bytes:
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    written = docx.Document()
    # The template holds 350 kB of styles, most of them for tables; what Word writes holds those in use: a tenth.
    for style in [style for style in written.styles if style.type == WD_STYLE_TYPE.TABLE]:
        style.delete()
    written.core_properties.title = document.title
    written.core_properties.created = written.core_properties.modified = datetime(2026, 1, 2, tzinfo=UTC)
    for block in document.blocks:
        if block.level:
            written.add_heading(block.items[0], block.level)
        elif block.is_list:
            for item in block.items:
                written.add_paragraph(item, style="List Bullet")
        else:
            paragraph = written.add_paragraph(block.items[0])
            if block.link:
                link = OxmlElement("w:hyperlink")
                target = f"{block.link.replace(' ', '%20')}.docx"
                link.set(qn("r:id"), paragraph.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
                link.append(paragraph.add_run(block.link)._r)
                paragraph._p.append(link)
    file = io.BytesIO()
    written.save(file)
    return file.getvalue()


def _pdf(document: Document) -> bytes:
    lines = [document.title, *_pdf_lines(document)]
    pages = [lines[start : start + _PAGE_LINES] for start in range(0, len(lines), _PAGE_LINES)]
    kids = b" ".join(b"%d 0 R" % (5 + 2 * number) for number in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(pages)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        b"<</Title(%s)>>" % _pdf_string(document.title),
    ]
    for number, page in enumerate(pages):
        shown = b"\n".join(b"(%s) Tj T*" % _pdf_string(line) for line in page)
        content = zlib.compress(b"BT /F1 10 Tf 60 760 Td 15 TL\n%s\nET" % shown)
        objects += [
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
            % (6 + 2 * number),
            b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content),
        ]
    return _pdf_file(objects)


def _pdf_lines(document: Document) -> Iterator[str]:
    for block in document.blocks:
        yield ""
        for item in block.items:
            yield from wrap(f"\u2022 {item}" if block.is_list else item, _LINE_LENGTH)
        if block.link:
            yield f"See {block.link}."


def _pdf_string(text: str) -> bytes:
    return text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _pdf_file(objects: list[bytes]) -> bytes:
    """Return a PDF of these objects, numbered from 1: the first is the catalogue, the fourth tells of the document."""
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    count, table_at = len(objects) + 1, len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(out + b"trailer<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF" % (count, table_at))


WRITERS: Mapping[str, Callable[[Document], bytes]] = {
    ".md": _markdown,
    ".txt": _text,
    ".org": _org,
    ".rst": _restructured,
    ".html": _html,
    ".ipynb": _notebook,
    ".canvas": _canvas,
    ".docx": _docx,
    ".pdf": _pdf,
}
"""What writes a document, by the suffix of its file."""
