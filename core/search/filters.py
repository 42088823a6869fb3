"""Which notes a query's filters, phrases and removals leave. Depends on an index reader.

What comes out is a set of note ids that every leg is given, so a note that is filtered out takes no place anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from core.notes.folding import fold
from core.notes.suffixes import without_suffix
from core.search.query import AnyOf, Filter, FilterKind, Part, Phrase, Query, Word
from core.search.substring import notes_with_text
from core.search.terms import exact_spellings, is_one_character

if TYPE_CHECKING:
    from core.index.reader import Reader
    from core.search.grouping import Visible

_VISIBLE_KEPT = 8
"""Queries whose notes are kept: a filter may leave nearly all of them, 3 MB of 48,000."""


def visible_notes(reader: Reader, query: Query, visible: Visible = None) -> Visible:
    """Return the notes that a query may show, out of those that are `visible`; None where that is all of them."""
    found = reader.kept(("visible", query), lambda: _left_by(reader, query), most=_VISIBLE_KEPT)
    if found is None or visible is None:
        return visible if found is None else found
    return found & visible


def listed_notes(reader: Reader, visible: Visible) -> list[tuple[int, str]]:
    """Return (id, path) of the visible notes, newest first, those of one day by path."""
    rows = reader.connection.execute("SELECT id, path FROM note ORDER BY date DESC, path")
    return [(note, path) for note, path in rows if visible is None or note in visible]


def _left_by(reader: Reader, query: Query) -> frozenset[int] | None:
    left: set[int] | None = None
    for clause in query.clauses:
        if clause.negated:
            if left is None:
                left = _ids(reader, "SELECT id FROM note")
            left -= _holding(reader, clause.part)
        elif _is_required(clause.part):
            found = _holding(reader, clause.part)
            left = found if left is None else left & found
    return None if left is None else frozenset(left)


def _is_required(part: Part) -> bool:
    if isinstance(part, AnyOf):
        return not all(isinstance(one, Word) for one in part.parts)
    return not isinstance(part, Word)


def _holding(reader: Reader, part: Part) -> set[int]:
    if isinstance(part, AnyOf):
        return set[int]().union(*(_holding(reader, one) for one in part.parts))
    if isinstance(part, Filter):
        return _FILTERS[part.kind](reader, part)
    return _with_text(reader, part)


def _with_text(reader: Reader, part: Word | Phrase) -> set[int]:
    """Return the notes that hold a word or phrase as it is typed, in no other form."""
    spellings = exact_spellings(reader, part.text, prefix=isinstance(part, Word) and part.prefix)
    if not spellings:
        return notes_with_text(reader, part.text)
    expression = " AND ".join(spelling.expression for spelling in spellings)
    found = _ids(reader, "SELECT rowid FROM note_words WHERE note_words MATCH ?", expression)
    if _needs_a_look(reader, part.text):
        found = {note for note in sorted(found) if _stands_in(reader, part.text, note)}
    return found | _ids(reader, "SELECT rowid FROM attachment_words WHERE attachment_words MATCH ?", expression)


def _needs_a_look(reader: Reader, text: str) -> bool:
    """Return whether the full-text tables cannot tell where parts of a text stand.

    Words with symbols are kept beside the text, and a first character of a script without spaces may end a pair.
    """
    words = reader.tokenizer.words(text)
    return len(words) > 1 and (bool(reader.tokenizer.literals(text)) or is_one_character(words[0].folded))


def _stands_in(reader: Reader, text: str, note: int) -> bool:
    wanted = _on_one_line(text)
    title, path, aliases = reader.connection.execute("SELECT title, path, aliases FROM note WHERE id = ?", (note,)).get
    body = "\n".join(row.text for row in reader.passages_of(path))
    return any(wanted in _on_one_line(held) for held in (title, path, aliases, body))


def _on_one_line(text: str) -> str:
    return " ".join(fold(text).split())


def _tagged(reader: Reader, one: Filter) -> set[int]:
    tag = fold(one.value).strip().strip("/")
    # Above "/" there is "0": what begins with the tag and a slash is a tag below it. Below "/" there is ".".
    sql = "SELECT note FROM note_tag WHERE tag = ?1 OR (tag > ?1 || ?2 AND tag < ?1 || '0')"
    return _ids(reader, sql, tag, "." if reader.is_dendron() else "/")


def _at_path(reader: Reader, one: Filter) -> set[int]:
    """Return the notes with a text in their path, which begins with a slash as every folder's name in it does."""
    wanted = fold(one.value.replace("\\", "/"))
    return _ids(reader, "SELECT id FROM note WHERE instr('/' || folded_path, ?)", wanted)


def _titled(reader: Reader, one: Filter) -> set[int]:
    return _ids(reader, "SELECT id FROM note WHERE instr(folded_title, ?)", fold(one.value))


def _of_format(reader: Reader, one: Filter) -> set[int]:
    suffix = "." + fold(one.value).lstrip(".")
    return _ids(reader, "SELECT id FROM note WHERE substr(folded_path, -length(?1)) = ?1", suffix)


def _from_day(reader: Reader, one: Filter) -> set[int]:
    return _ids(reader, "SELECT id FROM note WHERE date >= ?", one.value)


def _before_day(reader: Reader, one: Filter) -> set[int]:
    return _ids(reader, "SELECT id FROM note WHERE date < ?", one.value)


def _linked(reader: Reader, one: Filter) -> set[int]:
    """Return the notes that link to, or are linked from, the notes of a name: title, file name or path."""
    wanted = fold(one.value.strip().removeprefix("[[").removesuffix("]]")).strip()
    stem = without_suffix(wanted)
    named = "SELECT id, folded_title, folded_path FROM note WHERE folded_title = ? OR instr(folded_path, ?)"
    linked: set[int] = set()
    for row in reader.connection.execute(named, (wanted, stem)).fetchall():
        note, title, path = cast("tuple[int, str, str]", row)
        if title == wanted or _ends_with_name(path, wanted) or _ends_with_name(without_suffix(path), stem):
            linked |= _ids(reader, "SELECT source FROM link WHERE note = ?", note)
            linked |= _ids(reader, "SELECT note FROM link WHERE source = ? AND note IS NOT NULL", note)
    return linked


def _ends_with_name(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name)


def _with_property(reader: Reader, one: Filter) -> set[int]:
    key, value = fold(one.key).strip(), fold(one.value).strip()
    if not value:
        return _ids(reader, "SELECT note FROM note_property WHERE key = ?", key)
    return _ids(reader, "SELECT note FROM note_property WHERE key = ? AND value = ?", key, value)


_FILTERS: Mapping[FilterKind, Callable[[Reader, Filter], set[int]]] = {
    FilterKind.TAG: _tagged,
    FilterKind.PATH: _at_path,
    FilterKind.TITLE: _titled,
    FilterKind.EXT: _of_format,
    FilterKind.AFTER: _from_day,
    FilterKind.BEFORE: _before_day,
    FilterKind.LINK: _linked,
    FilterKind.PROPERTY: _with_property,
}


def _ids(reader: Reader, sql: str, *values: str | int) -> set[int]:
    return {int(row[0]) for row in reader.connection.execute(sql, values)}
