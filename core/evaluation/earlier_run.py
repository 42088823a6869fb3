"""What an earlier run gave per query, from the lines that `evaluate --per-query` wrote. Reads one file.

By it a change that is no formula (of passages, stems, a leg) goes through the same gate: measured before and after.
"""

from __future__ import annotations

import json
from pathlib import Path

from core.errors import DataSetError
from core.evaluation.gate import GATED, Results
from core.notes.folder import displayed
from core.search.results import Mode


def read_earlier_run(file: Path) -> tuple[str, Results]:
    """Return the name of the default of that run, and what it gave by set and mode.

    Raises:
        DataSetError: the file cannot be read, a line is not what was written, or no line is of a default.
    """
    names: set[str] = set()
    found: dict[tuple[str, Mode], dict[str, dict[str, float]]] = {}
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise DataSetError(f"The file {displayed(str(file))} could not be read: {error.strerror}.") from error
    for number, line in enumerate(lines, start=1):
        try:
            value = json.loads(line)
            if not value["default"]:
                continue
            names.add(str(value["formula"]))
            values = found.setdefault((str(value["dataset"]), Mode(value["mode"])), {})
            for measure in GATED:
                if value[measure] is not None:
                    values.setdefault(measure, {})[str(value["query"])] = float(value[measure])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DataSetError(
                f"Line {number} of {displayed(str(file))} is none that “triskel evaluate --per-query” writes."
            ) from None
    if len(names) != 1:
        raise DataSetError(f"{displayed(str(file))} does not hold the results of one default formula.")
    return names.pop(), dict(found)
