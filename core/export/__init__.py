"""A finished search result as text, and the text as a file. The window and the command line call the same functions.

Pure but for `write_export`. Every function refuses an interim result with `ExportError`. A new format is one more
function of a result and row numbers, entered in `EXPORT_FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from core.export.atomic_write import write_export
from core.export.csv_table import CSV_COLUMNS, neutralised_cells, to_csv
from core.export.html_page import to_html
from core.export.json_object import as_object, json_text, to_json
from core.export.markdown_table import to_markdown
from core.export.terminal_text import to_text
from core.search.results import SearchResult

Renderer: TypeAlias = Callable[[SearchResult, Sequence[int] | None], str]
"""Result and row numbers (positions in `hits` from 0, None for all) in, the whole text out."""

EXPORT_FORMATS: Mapping[str, Renderer] = MappingProxyType(
    {"text": to_text, "json": to_json, "csv": to_csv, "markdown": to_markdown, "html": to_html}
)
"""The formats by the name that `--format` takes."""

SUFFIX_BY_FORMAT: Mapping[str, str] = MappingProxyType(
    {"text": ".txt", "json": ".json", "csv": ".csv", "markdown": ".md", "html": ".html"}
)
"""The file name ending that a save dialog offers for each format."""

__all__ = [
    "CSV_COLUMNS",
    "EXPORT_FORMATS",
    "SUFFIX_BY_FORMAT",
    "Renderer",
    "as_object",
    "json_text",
    "neutralised_cells",
    "to_csv",
    "to_html",
    "to_json",
    "to_markdown",
    "to_text",
    "write_export",
]
