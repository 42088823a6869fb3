"""Names that are told apart whatever their case. Pure."""

from __future__ import annotations

from collections.abc import Iterable


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names in their order, each spelt as it came first."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(name.casefold(), name)
    return tuple(first.values())
