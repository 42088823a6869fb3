"""`triskel evaluate`: index labelled data sets, ask their queries, and say how well each formula and each leg finds."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from app.evaluation_index import SetIndex, bring_up_to_date, set_index
from app.models import chosen_model
from app.paths import Places
from app.rerankers import NONE, RerankerLoader, add_reranker_options
from app.terminal import ProgressLine, UsageError, counted, put, say
from core.errors import DataSetError, ExportError, TriskelError
from core.evaluation.datasets import DataSet, read_data_set
from core.evaluation.decision_record import record_text
from core.evaluation.earlier_run import read_earlier_run
from core.evaluation.experiment import Measured, Plan, measure
from core.evaluation.gate import MODES, Results, judge, pairs_of, reranked_pairs_of, results_of, weight_reasons
from core.evaluation.metrics import check_installed
from core.evaluation.query_vectors import RememberedQueries
from core.evaluation.summary import as_object, query_lines, table_text, timing_lines
from core.export import json_text, write_export
from core.index.database import as_index_errors, is_there
from core.index.reader import Reader
from core.notes.folder import displayed
from core.search.formulas.registry import compared_formulas
from core.search.fusion import DEFAULT_FORMULA, FORMULAS, formula_named
from core.search.reranking import Reranker
from core.search.results import Mode, Skipped

DEFAULT, ALL = "default", "all"

T = TypeVar("T")
EarlierRun: TypeAlias = tuple[str, Results]
_STDOUT = "-"
_STOPPED = "Indexing was stopped. The figures are of what is indexed so far, and sets that were to follow are left out."


def add_evaluate_options(parser: argparse.ArgumentParser, path: Callable[[str], Path]) -> None:
    """Add what `triskel evaluate` can be told; `path` reads a path that was typed."""
    parser.add_argument(
        "--formulas", metavar="A,B", type=_formulas, default=tuple(FORMULAS), help="names; “default”, “all” are words"
    )
    parser.add_argument("--k", metavar="20,40,60", type=_constants, default=(), help="rank fusion with these constants")
    parser.add_argument("--modes", metavar="hybrid", type=_modes, default=(), help="words, meaning, hybrid")
    parser.add_argument("--report", metavar="FILE.html", type=path, help="write a page with plots")
    parser.add_argument("--json", metavar="FILE", type=path, help="write the figures as JSON; “-” for standard output")
    parser.add_argument("--per-query", metavar="FILE", type=path, help="write each query's figures, one JSON line each")
    parser.add_argument("--gate", metavar="NAME", type=_formula, help="judge a formula, print the decision's record")
    parser.add_argument("--against", metavar="FILE", type=path, help="with --gate: what --per-query wrote before")
    add_reranker_options(parser)
    parser.add_argument("--limit-queries", metavar="N", type=_number, help="ask at most so many, spread over each set")
    parser.add_argument("--no-update", action="store_true", help="answer from the indexes as they are")
    parser.add_argument("--no-meaning", action="store_true", help="words and links only; no model is loaded")
    parser.add_argument("--timings", action="store_true", help="add how long searches took")
    parser.add_argument("--reveal", action="store_true", help="find documents too that say they are private")


def run_evaluate(given: argparse.Namespace, where: Places) -> int:
    """Measure the data sets of `given` (see `cli`), write what was asked for, and return the exit code.

    1. Read all sets and look at all files to be written, so that nothing fails after an hour that could fail now.
    2. Bring each set's index up to date, ask its queries.
    3. Print the table, write JSON, lines and report.
    """
    # 1
    check_installed(plots=given.report is not None)
    _check_writable([file for file in (given.report, given.json, given.per_query) if file and str(file) != _STDOUT])
    plan = _plan(given)
    earlier = _usable(read_earlier_run, given.against) if given.against is not None else None
    data_sets = _named_apart([(folder, _read(folder)) for folder in given.data_sets])
    if given.limit_queries is not None:
        data_sets = [_with_fewer_queries(data_set, given.limit_queries) for data_set in data_sets]
    reranker = _reranker(given, where)
    # 2
    measured, wrong = [], []
    for data_set in data_sets:
        one, problems = _measured(data_set, plan, given, where, reranker)
        measured.append(one)
        wrong += problems
        for problem in problems:
            say(problem)
        if _STOPPED in problems:
            break
    if wrong and given.gate is not None:
        raise TriskelError("Nothing is decided, since not everything could be measured.")
    # 3
    record = _record(given, measured, plan.default, earlier) if given.gate is not None else None
    _write(given, measured, plan.default, record, where)
    return 1 if wrong else 0


def _check_writable(files: Sequence[Path]) -> None:
    """Return if files can be made where they are asked for, as far as can be told before there is anything to write."""
    if len({file.absolute() for file in files}) < len(files):
        raise UsageError("Each file that is written needs a name of its own.")
    for file in files:
        if os.path.lexists(file):
            raise ExportError(f"{displayed(str(file))} already exists and was left as it is.")
        if not file.absolute().parent.is_dir():
            raise ExportError(f"The folder {displayed(str(file.parent))} does not exist.")


def _write(
    given: argparse.Namespace, measured: Sequence[Measured], default: str, record: str | None, where: Places
) -> None:
    """Print the record, the JSON object or the table, and write the files that were asked for."""
    value = as_object(measured, default, timings=given.timings)
    if record is not None:
        put(record)
    elif given.json is not None and str(given.json) == _STDOUT:
        put(json_text(value))
    else:
        put(table_text(measured, default))
    for line in timing_lines(measured) if given.timings else ():
        say(line)
    if given.json is not None and str(given.json) != _STDOUT:
        write_export(given.json, json_text(value))
    if given.per_query is not None:
        write_export(given.per_query, query_lines(measured))
    if given.report is not None:
        _write_report(given.report, measured, default, where)


def _write_report(file: Path, measured: Sequence[Measured], default: str, where: Places) -> None:
    # Where matplotlib keeps its list of fonts: else it would make a folder of its own in the user's.
    os.environ.setdefault("MPLCONFIGDIR", str(where.evaluation / "plots"))
    from core.evaluation.report import report_page

    write_export(file, report_page(measured, default))


def _plan(given: argparse.Namespace) -> Plan:
    names = dict.fromkeys([DEFAULT_FORMULA, *given.formulas, *(f"rrf/k={k}/v1" for k in given.k)])
    if given.gate is not None:
        if given.no_meaning or given.modes:
            raise UsageError("The gate looks at all modes, so --gate takes neither --no-meaning nor --modes.")
        if given.gate == DEFAULT_FORMULA and given.against is None:
            raise UsageError(f"{DEFAULT_FORMULA} is the default already. Name a candidate, or a run --against it.")
        return Plan(tuple(dict.fromkeys([DEFAULT_FORMULA, given.gate])), MODES, DEFAULT_FORMULA)
    if given.against is not None:
        raise UsageError("--against goes with --gate.")
    modes = given.modes or ((Mode.WORDS,) if given.no_meaning else (Mode.HYBRID,))
    if given.no_meaning and set(modes) != {Mode.WORDS}:
        raise UsageError("With --no-meaning there is no mode but words.")
    return Plan(tuple(names), tuple(modes), DEFAULT_FORMULA)


def _reranker(given: argparse.Namespace, where: Places) -> Reranker | None:
    """Return the reranker to measure with: that of the command line alone, so that figures do not hang on settings.

    Raises:
        ModelError: it cannot be loaded, so there is nothing to measure.
    """
    if given.reranker in (None, NONE):
        return None
    return RerankerLoader(given.reranker, where, given.allow_download).load()


def _read(folder: Path) -> DataSet:
    data_set = _usable(read_data_set, folder)
    if data_set.unused_judgements:
        say(f"{data_set.name}: {counted(data_set.unused_judgements, 'judgement')} left out, for naming "
            "a query or document that is not there.")  # fmt: skip
    return data_set


def _usable(read: Callable[[Path], T], path: Path) -> T:
    """Return what a function reads; where it cannot, what was typed is at fault."""
    try:
        return read(path)
    except DataSetError as error:
        raise UsageError(str(error)) from error


def _record(given: argparse.Namespace, measured: Sequence[Measured], default: str, earlier: EarlierRun | None) -> str:
    """Return the record of the gate's decision on a candidate."""
    candidate, command = given.gate, f"make gate CANDIDATE={given.gate}"
    name, others = earlier or (default, results_of(measured, default))
    if earlier:
        name, command = f"{name} before the change", f"{command} AGAINST=FILE"
    pairs = pairs_of(measured, candidate, others)
    if earlier is None:
        pairs += reranked_pairs_of(measured, candidate, default)
    if given.reranker not in (None, NONE):
        command += ' ARGS="--reranker FOLDER"'
    verdict = judge(pairs, weight_reasons(measured, candidate))
    return record_text(verdict, measured, candidate, name, command)


def _named_apart(read: Sequence[tuple[Path, DataSet]]) -> list[DataSet]:
    """Return the sets; folders of the same name are told apart by the folder they are in, else by a number."""
    seen: Counter[str] = Counter()
    named = []
    names = Counter(data_set.name for _folder, data_set in read)
    for folder, data_set in read:
        name = data_set.name
        if names[name] > 1:
            name = f"{folder.resolve().parent.name}/{name}"
        seen[name] += 1
        named.append(replace(data_set, name=name if seen[name] == 1 else f"{name} ({seen[name]})"))
    return named


def _with_fewer_queries(data_set: DataSet, most: int) -> DataSet:
    """Return a set with every n-th of its queries."""
    step = -(-len(data_set.queries) // most)
    return replace(data_set, queries=data_set.queries[::step])


def _measured(
    data_set: DataSet, plan: Plan, given: argparse.Namespace, where: Places, reranker: Reranker | None
) -> tuple[Measured, list[str]]:
    """Return a set's figures, and a sentence for each thing that could not be looked at."""
    index = set_index(data_set, where, reveal=given.reveal)
    queries = len(data_set.queries)
    say(f"{data_set.name}: {counted(len(data_set.documents), 'note')}, "
        f"{'1 query' if queries == 1 else f'{queries:,} queries'}")  # fmt: skip
    meaning = not given.no_meaning
    problems = []
    if given.no_update:
        if not is_there(index.index_file):
            raise TriskelError(f"{data_set.name} is not indexed yet. Leave --no-update out.")
    elif not bring_up_to_date(data_set, index, where, meaning=meaning):
        problems.append(_STOPPED)
    one = _asked(data_set, index, plan, where, reranker, meaning=meaning)
    if one.unread:
        say(f"{data_set.name}: {counted(one.unread, 'document')} could not be read as a note and cannot be found.")
    if meaning and one.embedded < 1:
        problems.append(f"{data_set.name}: only {one.embedded:.0%} of the passages have a vector.")
    problems += [
        f"{data_set.name}: {times:,} times, a search could not answer. {reason}"
        for reason, times in one.problems.items()
    ]
    return one, problems


def _asked(
    data_set: DataSet, index: SetIndex, plan: Plan, where: Places, reranker: Reranker | None, *, meaning: bool
) -> Measured:
    encoder = RememberedQueries(chosen_model(where, threads=1), index.folder) if meaning else None
    line = ProgressLine()
    total = len(data_set.queries)
    reader = Reader(index.index_file)
    try:
        with as_index_errors(index.index_file):
            return measure(
                reader,
                encoder or Skipped("switched off"),
                data_set,
                index.document_by_path,
                plan,
                reranker=reranker,
                on_query=lambda done: line.tell(f"asking {done:,} of {total:,} queries"),
            )
    finally:
        line.end()
        reader.close()
        if encoder is not None:
            encoder.keep()


def _formulas(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for name in (each.strip() for each in text.split(",")):
        if not name:
            continue
        if name == ALL:
            names += [formula.name for formula in compared_formulas()]
            continue
        names.append(_formula(name))
    if not names:
        raise argparse.ArgumentTypeError(f"“{text}” names no formula")
    return tuple(names)


def _formula(text: str) -> str:
    try:
        return formula_named(DEFAULT_FORMULA if text == DEFAULT else text).name
    except TriskelError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from error


def _constants(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and 0 < int(part) <= 100_000 for part in parts):
        raise argparse.ArgumentTypeError(f"“{text}” is no list of whole numbers from 1 to 100,000")
    return tuple(int(part) for part in parts)


def _modes(text: str) -> tuple[Mode, ...]:
    names = {part.strip() for part in text.split(",") if part.strip()}
    if not names or names - set(MODES):
        raise argparse.ArgumentTypeError(f"“{text}” names no modes; they are {', '.join(MODES)}")
    return tuple(mode for mode in MODES if mode in names)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"“{text}” is not a number of queries")
    return int(text)
