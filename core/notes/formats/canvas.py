"""Obsidian's canvas files (JSON Canvas 1.0) to a `Note`: their cards are its places. Depends on the Markdown reader."""

from __future__ import annotations

import math

from core.notes.decoding import NotText
from core.notes.formats.document_title import file_title
from core.notes.formats.json_file import JsonValue, load_json, text_in
from core.notes.formats.parts import Parts, clean_text
from core.notes.note import Link, LinkKind, Note


def read_canvas(path: str, data: bytes) -> Note:
    """Return a canvas as a note, with its file's name for a title.

    Its cards are read from the top, then from the left (`y`, `x`, `id`, place in the file), and those that hold
    something are counted from 1: "card 3". Text cards are Markdown; a file card shows its path and is an embed of that
    file; of links and groups the address and the label are text. What is written on the arrows comes last, one a line,
    in the order of the cards that they join, at the place "arrows". An empty file is an empty canvas.
    Raises NotText for what is no canvas, nothing else.
    """
    loaded = load_json(data, "canvas")
    canvas = {} if loaded is None else loaded
    if not isinstance(canvas, dict) or (canvas and not isinstance(canvas.get("nodes", canvas.get("edges")), list)):
        raise NotText("This is JSON, but no canvas: it has no cards.")
    cards = sorted(_objects(canvas.get("nodes")), key=_position)
    parts = Parts()
    number = 1
    for card in cards:
        number += _add_card(parts, f"card {number}", card)
    labels = _labels(_objects(canvas.get("edges")), cards)
    if labels:
        parts.add_text("arrows", "\n".join(labels))
    return parts.note(path, file_title(path))


def _objects(values: JsonValue) -> list[dict[str, JsonValue]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _position(card: dict[str, JsonValue]) -> tuple[float, float, str]:
    return _number(card.get("y")), _number(card.get("x")), text_in(card.get("id"))


def _number(value: JsonValue) -> float:
    number = float(value) if isinstance(value, (int, float)) else 0.0
    return 0.0 if math.isnan(number) else number


def _add_card(parts: Parts, place: str, card: dict[str, JsonValue]) -> bool:
    """Add what a card holds; tell whether it holds anything."""
    match card.get("type"):
        case "file":
            file = " ".join(clean_text(text_in(card.get("file"))).split())
            fragment = clean_text(text_in(card.get("subpath"))).strip().removeprefix("#").strip()
            if not file:
                return False
            link = Link(LinkKind.EMBED, file, fragment, "", 1)
            parts.add_text(place, f"{file}#{fragment}" if fragment else file, (link,))
        case "link":
            url = text_in(card.get("url")).strip()
            if not url:
                return False
            parts.add_text(place, url)
        case "group":
            label = text_in(card.get("label")).strip()
            if not label:
                return False
            parts.add_text(place, label)
        case _:
            text = text_in(card.get("text"))
            if not text.strip():
                return False
            parts.add_markdown(place, text)
    return True


def _labels(edges: list[dict[str, JsonValue]], cards: list[dict[str, JsonValue]]) -> list[str]:
    ranks: dict[str, int] = {}
    for rank, card in enumerate(cards):
        ranks.setdefault(text_in(card.get("id")), rank)

    def order(edge: dict[str, JsonValue]) -> tuple[int, int, str]:
        first, second = (ranks.get(text_in(edge.get(end)), len(ranks)) for end in ("fromNode", "toNode"))
        return first, second, text_in(edge.get("id"))

    labels = (" ".join(text_in(edge.get("label")).split()) for edge in sorted(edges, key=order))
    return [label for label in labels if label]
