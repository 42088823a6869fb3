"""What a person may choose about the window: data that the settings dialog shows and changes. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.export.note_link import LinkForm


class ThemeChoice(StrEnum):
    """Which colours the window wears."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST_LIGHT = "high-contrast-light"
    HIGH_CONTRAST_DARK = "high-contrast-dark"


TEXT_SIZES = (100, 125, 150, 175, 200)
"""Per cent of the system's own text size."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """`editor` is a template (see `app.editor`), "" for the system's program.

    `model` is a folder that holds one, None for the built-in model.
    """

    theme: ThemeChoice = ThemeChoice.SYSTEM
    text_percent: int = 100
    editor: str = ""
    link_form: LinkForm = LinkForm.WIKILINK
    model: str | None = None


@dataclass(frozen=True, slots=True)
class IndexRow:
    """An index that exists: of which folder ("" where it does not say), how big, and whether it is open now."""

    folder: str
    size_bytes: int
    is_open: bool = False
