"""`triskel doctor`: what is indexed, what each leg can see, what could not be read and why, and whether it is sound."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from app.models import chosen_model
from app.paths import Places
from app.terminal import counted, put
from core.errors import TriskelError
from core.export import json_text
from core.index.database import as_index_errors, is_there
from core.index.difference import difference
from core.index.indexer import needs_update
from core.index.reader import Reader
from core.index.withholding import count_by_rule
from core.notes.folder import check_folder, scan_folder


def run_doctor(folder: Path | None, where: Places, *, as_json: bool) -> int:
    """Print the state of one folder's index, or of all there are, and return the exit code (1: not sound)."""
    files = [where.index_file(folder)] if folder is not None else sorted(where.indexes.glob("*/index.db"))
    found = [_examined(folder, file, where) for file in files]
    if as_json:
        value: Any = found[0] if folder is not None else {"indexes": found}
        put(json_text(value))
    else:
        put("\n".join(_text(each) for each in found) or "No folder is indexed yet.\n")
    return 0 if all(each["sound"] for each in found) else 1


def _examined(folder: Path | None, file: Path, where: Places) -> dict[str, Any]:
    """Return everything that can be said of one index; the keys are always the same."""
    state: dict[str, Any] = {
        "folder": str(folder) if folder else None,
        "index": str(file),
        "sound": True,
        "state": None,
        "notes": 0,
        "passages": 0,
        "links": {"all": 0, "resolved": 0, "to_attachments": 0, "unresolved": 0, "ambiguous": 0},
        "coverage": {"words": [0, 0], "meaning": [0, 0], "links": [0, 0]},
        "unread": 0,
        "hidden": None,
        "withheld": {},
        "attachments": None,
        "problems": [],
        "size_bytes": 0,
        "integrity": None,
        "model": None,
        "fingerprint": None,
    }
    if not is_there(file):
        if folder is not None:
            check_folder(folder)
        state["state"] = "This folder has no index yet. “triskel index FOLDER” makes it."
        state["sound"] = not os.path.lexists(file)
        return state
    try:
        # With the index that holds private notes too, which lies beside it where they were ever shown.
        state["size_bytes"] = sum(each.stat().st_size for each in file.parent.iterdir() if each.is_file())
        with as_index_errors(file):
            _examine(state, folder, file, where)
    except TriskelError as error:
        state["sound"] = False
        state["state"] = str(error)
    return state


def _examine(state: dict[str, Any], folder: Path | None, file: Path, where: Places) -> None:
    reader = Reader(file)
    try:
        reader.begin()
        if folder is None and (place := reader.folder()):
            folder = Path(place)
            state["folder"] = place
        seen = reader.coverage()
        state["notes"], state["passages"] = seen.notes, seen.passages
        state["links"] = {
            "all": seen.links,
            "resolved": seen.links_resolved,
            "to_attachments": seen.links_to_attachments,
            "unresolved": seen.links - seen.links_resolved - seen.links_to_attachments,
            "ambiguous": reader.count_ambiguous_links(),
        }
        state["coverage"] = {
            "words": [seen.notes, seen.notes],
            "meaning": [seen.notes_embedded, seen.notes],
            "links": [seen.links_resolved, seen.links],
        }
        state["withheld"] = dict(count_by_rule(reader.connection))
        state["unread"] = reader.count_unread()
        state["problems"] = [{"path": each.path, "reason": each.reason} for each in reader.problems()]
        faults = reader.integrity_faults()
        state["integrity"] = faults or "ok"
        state["sound"] = not faults
        state["model"] = reader.model_key()
        state["fingerprint"] = reader.fingerprint()
        if folder is not None:
            scan = scan_folder(folder)
            state["hidden"] = {each.reason: each.count for each in scan.hidden}
            state["attachments"] = len(scan.attachments)
            work = difference(folder, scan, reader.connection)
            state["state"] = "up to date"
            if work:
                state["state"] = (
                    f"{counted(len(work.to_read), 'file')} to read and {len(work.gone):,} gone since the last run"
                )
            elif needs_update(folder, file, None):
                state["state"] = "the last run did not finish"
            elif seen.lacks_vectors or state["model"] != chosen_model(where, threads=1).key:
                state["state"] = "up to date for words and links; meaning is not complete"
    finally:
        reader.end()
        reader.close()


def _elsewhere(links: dict[str, int]) -> str:
    return f"{links['to_attachments']:,} to an attachment, {links['unresolved']:,} nowhere"


def _text(state: dict[str, Any]) -> str:
    links = state["links"]
    hidden = state["hidden"]
    lines = [
        f"{state['folder'] or 'a folder that is not known'}",
        f"  state        {state['state'] or 'not compared with a folder'}",
        f"  notes        {state['notes']:,}, in {counted(state['passages'], 'passage')}",
        f"  links        {links['all']:,}: {links['resolved']:,} lead to a note, {_elsewhere(links)}",
        f"  ambiguous    {counted(links['ambiguous'], 'link')} could mean several notes or files",
        *(f"  {leg:<12} sees {part:,} of {all_:,}" for leg, (part, all_) in state["coverage"].items()),
        f"  model        {state['model'] or 'none yet'}",
        f"  not read     {counted(state['unread'], 'file')}",
        f"  attachments  {'not counted' if state['attachments'] is None else format(state['attachments'], ',')}",
        f"  hidden       {'not counted' if hidden is None else f'{sum(hidden.values()):,} files and folders'}",
        *(f"    {count:,}: {reason}" for reason, count in (hidden or {}).items()),
        f"  private      {counted(sum(state['withheld'].values()), 'file')} withheld",
        *(f"    {count:,}: {rule}" for rule, count in state["withheld"].items()),
        f"  size         {state['size_bytes'] / 1e6:,.1f} MB at {state['index']}",
        f"  integrity    {state['integrity'] or 'not checked'}",
        f"  fingerprint  {state['fingerprint'] or 'none'}",
        f"  problems     {len(state['problems']):,}",
        *(f"    {each['path']!a}: {each['reason']}" for each in state["problems"]),
    ]
    return "\n".join(lines) + "\n"
