"""The entry point: `triskel`, or `python -m app`. Imports nothing heavy, since each command starts here."""

from __future__ import annotations

import multiprocessing
import sys


def main() -> int:
    """Run the command line's request and return the exit code."""
    multiprocessing.freeze_support()
    from app.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
