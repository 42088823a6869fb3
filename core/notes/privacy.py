"""Which notes are private: by what a note says of itself, or by a `.triskelprivate` file. Opens such files alone.

1. A property `private` that says yes (true, yes, on, 1), and the tag `private` or one below it (`private/diary`).
2. `.triskelprivate`, which travels with the notes and is never written by Triskel: patterns as in .gitignore name what
   is private below its folder, and lines `tag:NAME` choose further tags there. An empty one makes its folder private.
   It holds wherever the notes are looked at from: one above the notes folder counts too.

What is below a private folder is private, attachments included, and no pattern takes it out again. A rule that cannot
be read withholds everything below its folder and says so: the other mistake could not be taken back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.notes.folding import fold
from core.notes.ignoring import Patterns, deciding, patterns_in, text_of_rules
from core.notes.note import Note, PropertyValue

PRIVATE_FILE = ".triskelprivate"

PRIVACY_RULES = "private/v1"
"""Part of the rules that fill an index: with other ones every note is looked at again."""

BY_PROPERTY = "“private” in the note's properties"
BY_TAG = "tagged #{}"
BY_FILE = "named by .triskelprivate"

_OWN_TAG = "private"
_YES = frozenset({"true", "yes", "on", "1", "y", "t"})
# Of front matter that YAML cannot read there are no properties; what it plainly says counts all the same.
_PLAIN_YES = re.compile(
    r"^[ \t]*[\"']?private[\"']?[ \t]*:[ \t]*[\"']?(?:true|yes|on|1|y)\b", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PathRules:
    """What the rule files say in one folder: their patterns, the deepest first, and the folded tags that they choose.

    `all_private` says that everything below is, whatever the patterns say.
    """

    patterns: tuple[Patterns, ...] = ()
    tags: tuple[str, ...] = ()
    all_private: bool = False

    def names(self, path: str, name: str, *, is_folder: bool) -> bool:
        """Return whether an entry of the folder is private; `path` is from the notes folder."""
        if self.all_private:
            return True
        rule = deciding(self.patterns, path, name, is_folder=is_folder) if self.patterns else None
        return rule is not None and rule.ignores

    def may_name(self, path: str) -> bool:
        """Return whether something at `path`, of which no more is known, is private."""
        name = path.rpartition("/")[2]
        return any(self.names(path, name, is_folder=is_folder) for is_folder in (True, False))


def rules_below(file: Path, above: PathRules, *, prefix: str = "", cut: int = 0) -> tuple[PathRules, str | None]:
    """Return the rules that hold in the folder of a rule file, and what is wrong with the file (None: nothing).

    `prefix` and `cut` are those of `ignoring.Patterns`.
    """
    text, reason = text_of_rules(file)
    lines = text.split("\n")
    tags = {fold(line.strip()[4:]).strip().strip("#/") for line in lines if line.strip().lower().startswith("tag:")}
    patterns, wrong = patterns_in(
        "\n".join("" if line.strip().lower().startswith("tag:") else line for line in lines), prefix=prefix, cut=cut
    )
    reason = reason or wrong
    empty = not text.strip() and file.is_file()
    rules = PathRules(
        (patterns, *above.patterns) if patterns is not None else above.patterns,
        tuple(sorted({*above.tags, *tags} - {""})),
        above.all_private or empty or reason is not None,
    )
    return rules, None if reason is None else f"{reason} Until that is mended, all of its folder counts as private."


def rules_above(root: Path) -> tuple[PathRules, tuple[tuple[str, str], ...]]:
    """Return what the rule files above a notes folder say about it, and what is wrong with them.

    Wrong is a file's path from the notes folder and a sentence.
    """
    root = Path(os.path.realpath(root))
    found = PathRules()
    wrong: list[tuple[str, str]] = []
    line = [root, *root.parents]
    for depth in range(len(line) - 1, 0, -1):
        file = line[depth] / PRIVATE_FILE
        if not os.path.lexists(file) or found.all_private:
            continue
        parts = [folder.name for folder in reversed(line[:depth])]
        # A pattern may name the notes folder, or a folder on the way to it.
        rules, reason = rules_below(file, PathRules(tags=found.tags))
        on_the_way = ["/".join(parts[: end + 1]) for end in range(depth)]
        named = rules.all_private or any(
            rules.names(path, path.rpartition("/")[2], is_folder=True) for path in on_the_way
        )
        below, _ = rules_below(file, found, prefix="".join(f"{part}/" for part in parts))
        found = replace(below, all_private=below.all_private or named)
        if reason is not None:
            wrong.append(("../" * depth + PRIVATE_FILE, reason))
    return found, tuple(wrong)


def private_by_content(note: Note, tags: Sequence[str] = ()) -> str | None:
    """Return the rule by which a note says that it is private, None for none; `tags` are further ones, folded."""
    for key, value in note.properties.items():
        if fold(key).strip() == _OWN_TAG and _says_yes(value):
            return BY_PROPERTY
    if note.problems and _PLAIN_YES.search(note.text[:_FRONT]):
        return BY_PROPERTY
    chosen = (_OWN_TAG, *tags)
    for tag in note.tags:
        folded = fold(tag)
        for each in chosen:
            if folded == each or folded.startswith(f"{each}/"):
                return BY_TAG.format(each)
    return None


_FRONT = 64 * 1024
"""Characters in which front matter that cannot be read is looked at: as far as it is read elsewhere."""


def _says_yes(value: PropertyValue) -> bool:
    if isinstance(value, list):
        return any(_says_yes(item) for item in value)
    if isinstance(value, bool):
        return value
    return isinstance(value, str | int | float) and fold(str(value)).strip() in _YES
