"""From what a person typed to a `Query`. Pure: no index, no clock, and no string that raises.

The language is small and forgiving. At a word's start, `"…"` is a phrase, `-` removes notes, a known name and a colon
make a filter, and `[key:value]` asks for a property; `OR` between two parts joins them. Anything else is text. What
looks like an operator and cannot be one is text too, or is left out, and the query's message says which and where.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from core.search.query import AnyOf, Clause, Filter, FilterKind, Part, Phrase, Query, Word
from core.search.typed_dates import read_date

MAX_QUERY_LENGTH = 2_000
"""Code points. Longer than any question people type; it keeps a pasted page from costing seconds."""

_UNSTORABLE = {0: " "} | dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
"""NUL ends a string inside SQLite, and a lone surrogate cannot be encoded at all."""

_CLOSERS = {'"': '"', "“": '”"', "„": '“”"', "”": '”"', "«": "»", "»": "«", "「": "」", "『": "』"}
"""By opening quote. Apostrophes are not here: `don't` and `we’ll` would open a quote at every turn."""

_FILTER = re.compile(
    rf"({'|'.join(kind for kind in FilterKind if kind is not FilterKind.PROPERTY)}):", re.IGNORECASE | re.ASCII
)
_LINK_TARGET = re.compile(r"\[\[([^\[\]]*)\]\]")
_PROPERTY = re.compile(
    r"""\[ (?: ["“”„] (?P<quoted_key> [^"“”„]*) ["“”„] | (?P<key> [^\s\[\](){}<>|^:"“”„]+) )
        (?P<colon> :\s* (?: ["“”„] (?P<quoted_value> [^"“”„]*) ["“”„] | (?P<value> [^\s\[\]"“”„]+) )? )? \] (?!\S)""",
    re.VERBOSE,
)
_WORD = re.compile(r"\S+")
_JOINER = re.compile("-*")


@dataclass(frozen=True, slots=True)
class _Item:
    """A clause in the making. `part` is None where something was left out."""

    start: int
    end: int
    part: Part | None
    negated: bool = False


@dataclass(frozen=True, slots=True, order=True)
class _Remark:
    """A sentence about the query, and how much it matters: 0 first."""

    weight: int
    place: int
    sentence: str


def parse_query(text: str, today: date) -> Query:
    """Return the query that `text` says; relative dates in it count back from `today`. Never raises."""
    storable = text.translate(_UNSTORABLE)
    stripped, cut = _cut(storable.strip())
    lead = len(storable) - len(storable.lstrip())
    reader = _Reader(stripped, today, lead, ends_open=not cut and storable[-1:] == stripped[-1:])
    clauses = tuple(_clauses(reader.joined()))
    remarks = [_Remark(0, 0, f"The query was cut to its first {MAX_QUERY_LENGTH:,} characters.")] if cut else []
    return Query(
        stripped,
        clauses,
        message=_message([*remarks, *reader.remarks]),
        meaning=" ".join(text for clause in clauses if not clause.negated for text in _texts(clause.part)),
    )


def _cut(stripped: str) -> tuple[str, bool]:
    """Return at most `MAX_QUERY_LENGTH` code points of it, and whether that is less than all."""
    if len(stripped) <= MAX_QUERY_LENGTH:
        return stripped, False
    cut = stripped[:MAX_QUERY_LENGTH]
    if not stripped[MAX_QUERY_LENGTH].isspace():
        # Half a word would be looked for as a word of its own, so it goes, unless there is nothing else.
        whole_words = cut.rsplit(None, 1)
        cut = whole_words[0] if len(whole_words) == 2 else cut
    return cut.rstrip(), True


def _clauses(items: list[_Item]) -> Iterator[Clause]:
    for item in items:
        if item.part is not None:
            yield Clause(item.start, item.end, item.part, item.negated, _shown(item.part, negated=item.negated))


def _message(remarks: list[_Remark]) -> str | None:
    """Return the two sentences that matter most, of each kind the first; None where there is nothing to say."""
    first_of_kind = {remark.weight: remark for remark in sorted(remarks, reverse=True)}
    return " ".join(first_of_kind[weight].sentence for weight in sorted(first_of_kind)[:2]) or None


class _Reader:
    """Cuts one query into its parts from left to right, and keeps what there is to remark.

    `lead` is how many characters of white space stood before `text`: places in remarks are those in the box.
    """

    def __init__(self, text: str, today: date, lead: int, *, ends_open: bool) -> None:
        self.remarks: list[_Remark] = []
        self._text = text
        self._today = today
        self._lead = lead
        self._ends_open = ends_open

    def joined(self) -> list[_Item]:
        """Return the parts in order, those that OR joins as one."""
        joined: list[_Item] = []
        items = self._items()
        index = 0
        while index < len(items):
            parts = [items[index]]
            while index + 2 < len(items) and self._joins(*items[index : index + 3]):
                index += 2
                parts.append(items[index])
            if len(parts) == 1 and self._is_or(parts[0]):
                self._remark(5, parts[0].start, "“OR” at character {} joins nothing, so it counts as a word.")
            joined.append(_any_of(parts) if len(parts) > 1 else parts[0])
            index += 1
        return joined

    def _items(self) -> list[_Item]:
        items: list[_Item] = []
        place = 0
        while (found := _WORD.search(self._text, place)) is not None:
            items.append(self._item(found.start(), found.end()))
            place = items[-1].end
        return items

    def _item(self, start: int, word_end: int) -> _Item:
        """Read what stands at `start`, the first character of a word that ends at `word_end`."""
        text = self._text
        negated = text[start] == "-" and start + 1 < word_end
        at = start + 1 if negated else start
        for read in (self._phrase, self._filter, self._property):
            found = read(at)
            if found is not None:
                part, end = found
                return _Item(start, end, part, negated)
        if negated and not _can_be_removed(text[at:word_end]):
            negated, at = False, start
        return _Item(start, word_end, self._word(at, word_end), negated)

    def _word(self, start: int, end: int) -> Word:
        typed = self._text[start:end]
        prefix = len(typed) > 1 and typed[-1] == "*" and unicodedata.category(typed[-2])[0] in "LNM"
        last = self._ends_open and end == len(self._text)
        return Word(typed[:-1] if prefix else typed, prefix=prefix, last=last)

    def _phrase(self, at: int) -> tuple[Part | None, int] | None:
        quoted = self._quoted(at)
        if quoted is None:
            return None
        inside, end, closed = quoted
        if not closed:
            self._remark(3, at, "The quote at character {} is not closed, so everything after it counts as one phrase.")
        words = inside.split()
        if not words:
            self._remark(4, at, "The quotes at character {} are empty, so they were left out.")
        return (Phrase(" ".join(words)) if words else None), end

    def _quoted(self, at: int) -> tuple[str, int, bool] | None:
        """Return what stands in the quotes that open here, where they end, and whether they are closed.

        Hyphens right behind the closing quote belong to it: in `"open source"-project` nothing is removed.
        """
        text = self._text
        closers = _CLOSERS.get(text[at : at + 1])
        if closers is None or (text[at] == "»" and text[at + 1 : at + 2].isspace()):
            return None  # `Edit » Copy` is a way through menus
        places = [place for closer in closers if (place := text.find(closer, at + 1)) >= 0]
        if places:
            close = min(places)
            joiner = _JOINER.match(text, close + 1)
            return text[at + 1 : close], joiner.end() if joiner else close + 1, True
        if text[at] == '"' and at + 1 < len(text):
            return text[at + 1 :], len(text), False
        return None

    def _filter(self, at: int) -> tuple[Part | None, int] | None:
        name = _FILTER.match(self._text, at)
        if name is None:
            return None
        kind = FilterKind(name[1].lower())
        typed, end = self._value(kind, name.end())
        value = _cleaned(kind, typed)
        if not value:
            self._remark(2, at, f"“{kind}:” at character {{}} has no value, so it was left out.")
            return None, end
        if kind in {FilterKind.AFTER, FilterKind.BEFORE}:
            day = read_date(value, self._today)
            if day is None:
                self._remark(
                    1,
                    at,
                    f"The date of “{kind}:” at character {{}} cannot be read, so it was left out; "
                    "write it like 2026-11-17, 2w or yesterday.",
                )
                return None, end
            value = day.isoformat()
        return Filter(kind, value), end

    def _value(self, kind: FilterKind, at: int) -> tuple[str, int]:
        """Return a filter's value, which stands right behind the colon, and where it ends."""
        quoted = self._quoted(at)
        if quoted is not None:
            value, end, closed = quoted
            if not closed:
                sentence = f"The quote at character {{}} is not closed, so “{kind}:” takes everything after it."
                self._remark(3, at, sentence)
            return value, end
        target = _LINK_TARGET.match(self._text, at) if kind is FilterKind.LINK else None
        if target is not None:
            return target[1], target.end()
        word = _WORD.match(self._text, at)
        if word is None or word[0] == '"':  # a quote that was just opened
            return "", word.end() if word else at
        return word[0], word.end()

    def _property(self, at: int) -> tuple[Part | None, int] | None:
        found = _PROPERTY.match(self._text, at)
        if found is None:
            return None
        key, value = found["key"] or "", found["value"] or (found["quoted_value"] or "").strip()
        if found["key"] is None:
            key = found["quoted_key"].strip()
        elif key in {"x", "X"} or not any(character.isalpha() for character in key):
            return None  # a ticked box, a footnote
        if not key:
            return None
        if found["colon"] and not value:
            self._remark(2, at, "The property at character {} has no value, so it was left out.")
            return None, found.end()
        return Filter(FilterKind.PROPERTY, value, key), found.end()

    def _joins(self, left: _Item, between: _Item, right: _Item) -> bool:
        """Whether `between` is an OR that joins its neighbours: two texts or two filters, neither negated."""
        return (
            self._is_or(between)
            and not self._is_or(left)
            and not self._is_or(right)
            and _can_be_joined(left)
            and _can_be_joined(right)
            and isinstance(left.part, Filter) == isinstance(right.part, Filter)
        )

    def _is_or(self, item: _Item) -> bool:
        return isinstance(item.part, Word) and self._text[item.start : item.end] == "OR"

    def _remark(self, weight: int, at: int, sentence: str) -> None:
        self.remarks.append(_Remark(weight, at, sentence.replace("{}", str(self._lead + at + 1), 1)))


def _any_of(items: list[_Item]) -> _Item:
    parts = tuple(item.part for item in items if isinstance(item.part, Word | Phrase | Filter))
    return _Item(items[0].start, items[-1].end, AnyOf(parts))


def _can_be_joined(item: _Item) -> bool:
    return item.part is not None and not item.negated


def _can_be_removed(word: str) -> bool:
    """Whether `-word` is meant as an exclusion: `--flag`, `->` and `-=` are text."""
    return word[0] not in "->" and any(unicodedata.category(sign) == "So" or sign.isalnum() for sign in word)


def _cleaned(kind: FilterKind, typed: str) -> str:
    """Return a filter's value without the signs that people type before it: `#tag`, `.md`, `*.md`."""
    value = typed.strip()
    if kind is FilterKind.TAG:
        return value.lstrip("#").strip()
    if kind is FilterKind.EXT:
        return value.lstrip("*.").strip()
    if kind is FilterKind.LINK and (target := _LINK_TARGET.fullmatch(value)) is not None:
        return target[1].strip()
    return value


def _texts(part: Part) -> Iterator[str]:
    """Yield what a language model can read in a part."""
    if isinstance(part, AnyOf):
        for one in part.parts:
            yield from _texts(one)
    elif isinstance(part, Word | Phrase):
        yield part.text


def _shown(part: Part, *, negated: bool) -> str:
    if isinstance(part, Word) and not negated:
        return ""
    if not negated:
        return _said(part)
    return f"without {_said(part)}" if isinstance(part, Filter) else f"without: {_said(part)}"


def _said(part: Part) -> str:
    """Return a part in words, white space made plain."""
    if isinstance(part, AnyOf):
        return " or ".join(map(_said, part.parts))
    if isinstance(part, Word):
        return part.text + ("*" if part.prefix else "")
    if isinstance(part, Phrase):
        return f"“{part.text}”"
    value = " ".join(part.value.split())
    if part.kind is not FilterKind.PROPERTY:
        return f"{part.kind}: {value}"
    key = " ".join(part.key.split())
    return f"[{key}: {value}]" if value else f"[{key}]"
