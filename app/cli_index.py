"""`triskel index`: bring a folder's index up to date and say what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.indexing_child import IndexingJob
from app.indexing_jobs import job_for
from app.indexing_process import run_indexing
from app.paths import Places
from app.terminal import ProgressLine, counted, ctrl_c_asks, put, say
from core.export import json_text
from core.index.progress import IndexReport, PurgeState

_PROBLEMS_SHOWN = 20

MADE_AGAIN = (
    "The index could not be used: it was damaged, or of another version. "
    "It was moved aside and made again from the notes."
)
RENEWED = "The index was of an earlier version of Triskel. It was made again from the notes."


def run_index(folder: Path, where: Places, *, rebuild: bool, meaning: bool, as_json: bool) -> int:
    """Index, print the report, and return the exit code: 1 where something that was asked for is missing."""
    report = index_folder(job_for(where, folder, meaning=meaning, rebuild=rebuild))
    if report is None:
        say("Stopped. What was done is kept, and the next run goes on from there.")
        return 1
    if sentence := made_again(report):
        say(sentence)
    if as_json:
        put(json_text(report_object(report)))
    elif report.purge.state is not PurgeState.FAILED:
        put(_report_text(report))
    if report.purge.state is PurgeState.FAILED:
        say(purge_failure(report))
        return 1
    if report.cancelled:
        say("Stopped. What was done is kept, and the next run goes on from there.")
        return 1
    if meaning and report.meaning_reason:
        say(f"Words and links are indexed; meaning is not complete. {report.meaning_reason}")
        return 1
    return 0


def index_folder(job: IndexingJob) -> IndexReport | None:
    """Run an indexing job with its progress on stderr; Ctrl+C ends it, and what was done is kept."""
    line = ProgressLine()
    with ctrl_c_asks() as asked:
        try:
            return run_indexing(job, line.show, asked)
        finally:
            line.end()


def made_again(report: IndexReport) -> str:
    """Return the sentence for an index that a run has made again of itself, "" where it was as it should be."""
    return MADE_AGAIN if report.made_again else RENEWED if report.renewed else ""


def purge_failure(report: IndexReport) -> str:
    """Return the sentence for an index that could not be cleared of what has become private."""
    return (
        f"Notes have become private and could not be taken out of the index: {report.purge.reason} "
        "It is not used until that has been done: try again."
    )


def report_object(report: IndexReport) -> dict[str, Any]:
    """Return the object that `index --json` prints."""
    return {
        "notes": report.notes,
        "passages": report.passages,
        "links": report.links,
        "resolved_links": report.resolved_links,
        "embedded": report.embedded,
        "skipped": report.skipped,
        "problems": [{"path": problem.path, "reason": problem.reason} for problem in report.problems],
        "purge": {"state": report.purge.state.value, "reason": report.purge.reason},
        "fingerprint": report.fingerprint,
    }


def _report_text(report: IndexReport) -> str:
    changes = [
        f"{count:,} {what}"
        for count, what in (
            (report.added, "new"),
            (report.changed, "changed"),
            (report.moved, "moved"),
            (report.removed, "gone"),
        )
        if count
    ]
    lines = [
        f"{counted(report.notes, 'note')} ({', '.join(changes) or 'nothing new'})",
        f"{counted(report.passages, 'passage')}, {report.embedded:,} of them with a vector",
        f"{counted(report.links, 'link')}, {report.resolved_links:,} of them lead to a note of this folder",
    ]
    if report.skipped:
        lines.append(f"{counted(report.skipped, 'file')} could not be read")
    if report.problems:
        lines.append(f"{counted(len(report.problems), 'problem')}:")
        shown = report.problems[:_PROBLEMS_SHOWN]
        lines += [f"  {problem.path!a:.200}: {problem.reason}" for problem in shown]
        if len(report.problems) > len(shown):
            lines.append(f"  … and {len(report.problems) - len(shown):,} more (“triskel doctor FOLDER” lists them all)")
    return "\n".join(lines) + "\n"
