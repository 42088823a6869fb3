"""Writes the growing haystack as data set directories: make_haystack.py FOLDER [--large] [--seed N]."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.evaluation.haystack import DISTRACTORS, SIZES, write_haystack


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--large", action="store_true", help=f"one size more, of {DISTRACTORS:,} further notes")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sizes = (*SIZES, SIZES[-1] + DISTRACTORS) if given.large else SIZES
    for written in write_haystack(given.folder, given.seed, sizes):
        print(written, file=sys.stderr)


if __name__ == "__main__":
    main()
