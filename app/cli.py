"""The command line: what may be typed, and which function answers. Imports no Qt until a window is asked for."""

from __future__ import annotations

import argparse
import difflib
import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

from app.cli_doctor import run_doctor
from app.cli_evaluate import add_evaluate_options, run_evaluate
from app.cli_index import run_index
from app.cli_search import run_search
from app.paths import absolute_path, places
from app.rerankers import add_reranker_options
from app.terminal import UsageError, say
from core.errors import TriskelError
from core.export import EXPORT_FORMATS
from core.search.fusion import DEFAULT_FORMULA, published_formula
from core.search.results import LEGS, Leg
from core.search.search import DEFAULT_LIMIT

VERSION = "0.1.0"

DONE, STATED_FAILURE, WRONG_USAGE = 0, 1, 2

_ABOUT = "Find the note you mean in a folder of notes on your own machine."
_WINDOW_USAGE = "triskel [FOLDER] | triskel {index,search,evaluate,doctor} …"


# Not numbers below nought, which are texts to argparse, nor what holds a space.
_REMOVAL = re.compile(r"-(?!-)(?!\d*\.?\d+\Z)\S+")


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        # A shortened option would change its meaning on the day a longer one joins it.
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. “{self.prog} --help” lists what can be said.")


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments ask and return the exit code: 0 done, 1 a stated failure, 2 wrong usage.

    Data goes to stdout, progress and messages to stderr.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # The same bytes whatever the locale; what cannot be encoded is shown escaped.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        return _dispatch(list(arguments))
    except UsageError as error:
        say(str(error))
        return WRONG_USAGE
    except TriskelError as error:
        say(str(error))
        _forget_unwritten()
        return STATED_FAILURE
    except PermissionError as error:
        # An index folder that may not even be looked at; what the notes folder refuses is told where it is read.
        say(f"You have no permission to use {error.filename or 'a file that is needed'}.")
        return STATED_FAILURE
    except BrokenPipeError:
        # Whoever read our output has read enough (a pager that was closed).
        _forget_unwritten()
        return DONE
    except KeyboardInterrupt:
        say("Stopped.")
        return STATED_FAILURE


def _forget_unwritten() -> None:
    """Keep the interpreter's end from trying again to write what stdout did not take."""
    stream = cast("TextIO | None", sys.stdout)
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _dispatch(arguments: list[str]) -> int:
    commands: dict[str, Callable[[list[str]], int]] = {
        "index": _index,
        "search": _search,
        "doctor": _doctor,
        "evaluate": _evaluate,
    }
    if arguments and arguments[0] in commands:
        return commands[arguments[0]](arguments[1:])
    return _window(arguments)


def _index(arguments: list[str]) -> int:
    parser = _Parser(prog="triskel index", description="Bring the index of a folder up to date.")
    parser.add_argument("folder", metavar="FOLDER", type=_path, help="the notes; everything below is read")
    parser.add_argument("--rebuild", action="store_true", help="make the index anew instead of by difference")
    parser.add_argument("--no-meaning", action="store_true", help="words and links only")
    parser.add_argument("--json", action="store_true", help="print what the index holds as one JSON object")
    _add_home(parser)
    given = parser.parse_args(arguments)
    return run_index(
        absolute_path(given.folder),
        places(given.home),
        rebuild=given.rebuild,
        meaning=not given.no_meaning,
        as_json=given.json,
    )


def _search(arguments: list[str]) -> int:
    parser = _Parser(prog="triskel search", description="Search a folder of notes.")
    parser.add_argument(
        "query", metavar="QUERY", nargs="?", help="what you remember; write “-- -word” for one with a minus"
    )
    parser.add_argument("--folder", metavar="FOLDER", type=_path, required=True, action="append", help="the notes")
    parser.add_argument("--queries", metavar="FILE.jsonl", type=_path, help='one {"id", "text"} a line')
    parser.add_argument(
        "--limit", metavar="N", type=_count, default=DEFAULT_LIMIT, help=f"most notes to show ({DEFAULT_LIMIT})"
    )
    parser.add_argument("--format", choices=sorted(EXPORT_FORMATS), default="text", help="of the answer (text)")
    parser.add_argument("--output", metavar="FILE", type=_path, help="write there; an existing file is not replaced")
    parser.add_argument("--formula", metavar="NAME", type=_formula, default=DEFAULT_FORMULA, help="how ranks are fused")
    parser.add_argument(
        "--legs", metavar="words,meaning,links", type=_legs, default=LEGS, help="which searches count (all)"
    )
    add_reranker_options(parser)
    parser.add_argument("--explain", action="store_true", help="say for each note why it was found (text format)")
    parser.add_argument("--exact", action="store_true", help="words as typed alone, no other forms of them")
    parser.add_argument("--no-update", action="store_true", help="answer from the index as it is")
    parser.add_argument("--no-meaning", action="store_true", help="words and links only; no model is loaded")
    parser.add_argument("--timings", action="store_true", help="say how long each step took")
    parser.add_argument("--reveal", action="store_true", help="find private notes too")
    _add_home(parser)
    _check_for_removals(arguments)
    given = parser.parse_args(arguments)
    if (given.query is None) == (given.queries is None):
        raise UsageError("Give a query, or a file of queries with --queries, and not both.")
    if given.query is not None and not given.query.strip():
        raise UsageError("The query is empty. Type what you are looking for.")
    if given.queries is not None and given.format != "json":
        raise UsageError("--queries answers with one JSON object a line: say --format json.")
    if len(given.folder) > 1:
        raise UsageError("One folder at a time: searching several as one is not built yet.")
    return run_search(given, absolute_path(given.folder[0]), places(given.home))


def _check_for_removals(arguments: Sequence[str]) -> None:
    """Raise UsageError for a `-word` that is no part of a longer query: `-harbour` would count as `-h` and more."""
    options = itertools.takewhile(lambda argument: argument != "--", arguments)
    for argument in options:
        if _REMOVAL.fullmatch(argument) and argument != "-h":
            raise UsageError(
                f"“{argument}” is no option. A query with a minus is one text in quotes, and one that begins with it "
                f"stands last, behind two dashes: triskel search --folder FOLDER -- '{argument}'"
            )


def _doctor(arguments: list[str]) -> int:
    parser = _Parser(prog="triskel doctor", description="Say what is indexed, what is not, and why.")
    parser.add_argument("folder", metavar="FOLDER", type=_path, nargs="?", help="without it: every index there is")
    parser.add_argument("--json", action="store_true", help="print it as one JSON object")
    _add_home(parser)
    given = parser.parse_args(arguments)
    folder = absolute_path(given.folder) if given.folder else None
    return run_doctor(folder, places(given.home), as_json=given.json)


def _evaluate(arguments: list[str]) -> int:
    parser = _Parser(prog="triskel evaluate", description="Measure how well searches find what labelled queries ask.")
    parser.add_argument(
        "data_sets", metavar="DATASET_DIR", type=_path, nargs="+", help="with corpus.jsonl, queries.jsonl and qrels.tsv"
    )
    add_evaluate_options(parser, _path)
    _add_home(parser)
    given = parser.parse_args(arguments)
    return run_evaluate(given, places(given.home))


def _window(arguments: list[str]) -> int:
    parser = _Parser(prog="triskel", description=_ABOUT, usage=_WINDOW_USAGE)
    parser.add_argument("folder", metavar="FOLDER", type=_path, nargs="?", help="opens the window on it")
    parser.add_argument("--version", action="version", version=f"triskel {VERSION}")
    _add_home(parser)
    given = parser.parse_args(arguments)
    folder = absolute_path(given.folder) if given.folder else None
    if folder is not None and not folder.exists():
        raise UsageError(_no_folder(given.folder))

    from app.window import run_window

    return run_window(folder, places(given.home))


def _no_folder(typed: Path) -> str:
    meant = difflib.get_close_matches(str(typed), ("index", "search", "evaluate", "doctor"), n=1)
    return f"There is no folder {typed}." + (f" Did you mean “triskel {meant[0]}”?" if meant else "")


def _path(text: str) -> Path:
    """Return a path that was typed; an empty one is a variable of the shell that was not set."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def _add_home(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--home", metavar="DIR", type=_path, help="keep index and settings there")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of notes")
    return number


def _formula(text: str) -> str:
    try:
        return published_formula(text).name
    except TriskelError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _legs(text: str) -> tuple[Leg, ...]:
    names = {name.strip().casefold() for name in text.split(",") if name.strip()}
    unknown = sorted(names - set(LEGS))
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"“{text}” names no legs; they are {', '.join(LEGS)}")
    return tuple(leg for leg in LEGS if leg in names)
