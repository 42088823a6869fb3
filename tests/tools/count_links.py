"""Count the links of a folder of Markdown notes plainly, by their syntax, next to what is read and what resolves.

    python tests/tools/count_links.py [--differences N] FOLDER...

The plain count is a regular expression over each file outside code and comments: it knows nothing of Markdown's
blocks, so a small difference is expected, and `--differences` names the files with the largest. Links that lead out
of the folder, to a heading of the same note or to a picture are left out on both sides.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from core.index.link_graph import LinkResolver, NamedNote  # noqa: E402
from core.notes.decoding import NotText, decode, normalise_newlines  # noqa: E402
from core.notes.folder import scan_folder  # noqa: E402
from core.notes.formats.markdown import read_markdown  # noqa: E402
from core.notes.note import LinkKind, Note  # noqa: E402
from core.notes.suffixes import is_note_name  # noqa: E402

_CODE = re.compile(
    r"^[ \t>]*(?:[-*+] )?[ \t]*(`{3,}|~{3,})[^\n`]*\n.*?^[ \t>]*\1[`~]*[ \t]*$|(`+)(?!`)[^\n]*?(?<!`)\2(?!`)|<!--.*?-->"
    r"|%%.*?%%",
    re.DOTALL | re.MULTILINE,
)
_WIKILINK = re.compile(r"\[\[(?!\s*(?:[^\[\]|\n]*\|\s*)?#)[^\[\]\n]*[^\[\]\s][^\[\]\n]*\]\]")
_MARKDOWN_LINK = re.compile(r"(!?)\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\((<[^<>\n]+>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)")
_AWAY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|\(\(|\[\[")


def plain_count(source: str) -> tuple[int, int]:
    """Return how many wikilinks and Markdown links to local files are written in `source`."""
    source = _CODE.sub("", source)
    local = 0
    for image, written in _MARKDOWN_LINK.findall(source):
        destination = written.strip("<>").strip()
        if destination and not _AWAY.match(destination):
            local += not image or is_note_name(destination.partition("#")[0])
    return len(_WIKILINK.findall(source)), local


def count(folder: Path, differences: int) -> list[int]:
    """Print the files with the largest differences, and return the row of the table."""
    scan = scan_folder(folder)
    notes: list[Note] = []
    plain: dict[str, tuple[int, int]] = {}
    for file in scan.files:
        if not file.path.lower().endswith((".md", ".markdown")):
            notes.append(Note(path=file.path, title="", text=""))
            continue
        try:
            text = decode((folder / file.path).read_bytes()).text
        except NotText:
            continue
        notes.append(read_markdown(file.path, text, dendron=scan.dendron))
        plain[file.path] = plain_count(normalise_newlines(text))
    resolver = LinkResolver(NamedNote(number, note.path, note.title, note.aliases) for number, note in enumerate(notes))
    seen: Counter[str] = Counter()
    apart: list[tuple[int, str]] = []
    for note in notes:
        if note.path not in plain:
            continue
        read = Counter("markdown" if link.kind is LinkKind.MARKDOWN else "wiki" for link in note.links)
        wiki, local = plain[note.path]
        seen.update(plain=wiki + local, wiki=wiki, local=local, read=len(note.links))
        apart.append((len(note.links) - wiki - local, f"{note.path}: plain {wiki} + {local}, read {dict(read)}"))
        for link in note.links:
            found = resolver.resolve(note.path, link.kind, link.target)
            seen["unresolved" if found.note is None else "resolved"] += 1
            seen["ambiguous"] += found.ambiguous
    apart.sort(key=lambda each: (-abs(each[0]), each[1]))
    for difference, said in apart[:differences]:
        print(f"{difference:+5} {said}")
    return [seen[name] for name in ("wiki", "local", "plain", "read", "resolved", "ambiguous", "unresolved")]


def main() -> None:
    """Print one row a folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--differences", type=int, default=0, metavar="N")
    options = parser.parse_args()
    rows = [(folder.name, count(folder, options.differences)) for folder in options.folders]
    print("| folder | wikilinks | Markdown links | plain count | read | resolved | of these ambiguous | unresolved |")
    print("|---|---|---|---|---|---|---|---|")
    for name, numbers in rows:
        print(f"| {name} | " + " | ".join(f"{number:,}" for number in numbers) + " |")


if __name__ == "__main__":
    main()
