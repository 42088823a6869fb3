"""Jupyter notebooks (.ipynb, nbformat 3 and 4) to a `Note`: their cells are its places. Depends on the Markdown reader.

Markdown cells are read as Markdown. Code stands as it was written: what looks like a tag or a link in it is none.
Of outputs only plain text is read, never pictures or their bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.notes.decoding import NotText
from core.notes.formats.document_title import MAX_TITLE, file_title
from core.notes.formats.json_file import JsonValue, load_json, text_in
from core.notes.formats.parts import Parts
from core.notes.note import Note

MAX_OUTPUT = 2_000
"""Characters of one cell's output: beyond it are logs and tables of numbers, which would drown the text."""

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def read_notebook(path: str, data: bytes) -> Note:
    """Return a notebook as a note; its title is the first Markdown heading, else the file's name.

    A place is "cell 3", counted over all cells of the file from 1; empty cells have none. An empty file is an empty
    notebook, as it is for Jupyter's editors. Raises NotText for what is no notebook, nothing else.
    """
    parts = Parts()
    for number, cell in enumerate(_cells(load_json(data, "notebook")), 1):
        place = f"cell {number}"
        kind = cell.get("cell_type")
        source = text_in(cell.get("source")) or text_in(cell.get("input"))  # nbformat 3 has "input" for code
        if kind == "markdown":
            parts.add_markdown(place, source)
        elif kind == "heading":  # nbformat 3
            level = cell.get("level")
            marks = "#" * min(max(level, 1), 6) if isinstance(level, int) else "#"
            parts.add_markdown(place, f"{marks} {' '.join(source.split())}")
        else:
            output = _output(cell.get("outputs"))
            parts.add_text(place, f"{source.rstrip()}\n\n{output}" if output and source.strip() else source or output)
    return parts.note(path, parts.heading[:MAX_TITLE] or file_title(path))


def _cells(notebook: JsonValue) -> Iterator[dict[str, JsonValue]]:
    if notebook is None or notebook == {}:
        return
    if not isinstance(notebook, dict):
        raise NotText("This is JSON, but no notebook: it has no cells.")
    sheets: list[JsonValue] = [notebook]
    if "cells" not in notebook:  # nbformat 3
        worksheets = notebook.get("worksheets")
        if not isinstance(worksheets, list) and "nbformat" not in notebook:
            raise NotText("This is JSON, but no notebook: it has no cells.")
        sheets = worksheets if isinstance(worksheets, list) else []
    for sheet in sheets:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        yield from (cell for cell in cells if isinstance(cell, dict)) if isinstance(cells, list) else ()


def _output(outputs: JsonValue) -> str:
    """Return the plain text of a cell's outputs, cut at MAX_OUTPUT characters."""
    texts: list[str] = []
    room = MAX_OUTPUT
    for output in outputs if isinstance(outputs, list) else []:
        if room <= 0:
            break
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        # Streams and nbformat 3 have the text beside the kind; errors have none, so tracebacks stay out.
        written = text_in(data.get("text/plain")) if isinstance(data, dict) else text_in(output.get("text"))
        # Colours are taken off what may be shown, which is looked for in four times as much, not in 50 MB.
        text = _COLOURS.sub("", written[: 4 * MAX_OUTPUT]).strip("\n")[:room].rstrip()
        if text:
            texts.append(text)
            room -= len(text)
    return "\n".join(texts)
