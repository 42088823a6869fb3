"""What the columns of a note are given: names as words, properties as filters see them. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.index.tokens import apart, spread, with_added
from core.notes.folding import fold
from core.notes.note import Note, Passage, PropertyValue


def first_below_front_matter(note: Note, passages: Sequence[Passage]) -> int:
    """Return the ordinal of the first passage below the front matter."""
    # A form feed parts front matter and body; where there is nothing below it, the front matter is what there is.
    body = note.text.find("\f") + 1
    return next((passage.ordinal for passage in passages if passage.start >= body), 0)


def names_as_words(names: Iterable[str]) -> str:
    """Return names as FTS5 is given them, apart from each other."""
    cut = [spread(name, fold(name)) for name in names]
    return with_added(apart(one.running for one in cut), [word for one in cut for word in one.added])


def flat_properties(properties: Mapping[str, PropertyValue]) -> Iterator[tuple[str, str]]:
    """Yield (key, value) pairs as filters see them: a list gives one for each item, nothing gives an empty value."""
    for key, value in properties.items():
        items = value if isinstance(value, list) else [value]
        for item in items or [None]:
            yield key, "" if item is None else _written(item)


def _written(value: PropertyValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else as_json(value)


def as_json(value: object) -> str:
    """Return a value as JSON, the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
