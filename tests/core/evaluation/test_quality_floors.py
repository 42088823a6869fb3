"""Floors of quality on the small labelled sets: a wide margin below what was measured, so that a real loss is seen.

Words and links need no vectors and are measured on every n-th query; with meaning on the smallest set alone, since
embedding a set takes minutes elsewhere. Skipped where ../shared is absent. `make gate` looks at everything.
"""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from app.paths import built_in_model, indexing_threads, places
from core.evaluation.answers import Overlap
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


WITHOUT_MEANING = {
    ("stackfaq", "words", "hit@1"): 0.727,
    ("stackfaq", "words", "recall@10"): 0.978,
    ("cranfield", "words", "hit@1"): 0.699,
    ("cranfield", "words", "ndcg@10"): 0.521,
    ("dendron-links", "words", "recall@10"): 0.866,
    ("dendron-links", "links", "recall@10"): 0.613,
    ("dendron-links", DEFAULT_FORMULA, "recall@10"): 0.878,
}
"""As measured on these queries, without a model."""


@pytest.mark.timeout(240)
@pytest.mark.parametrize("name, ranking, measured_by", WITHOUT_MEANING)
def test_words_and_links_stay_above_their_floor(by_words, name, ranking, measured_by):
    one = by_words(name)
    run = next(run for run in one.runs if run.name == ranking)
    assert mean_of(run.figures, measured_by) >= WITHOUT_MEANING[name, ranking, measured_by] - MARGIN


@pytest.mark.timeout(240)
def test_links_find_notes_that_share_no_word_with_the_query(by_words):
    one = by_words("dendron-links")
    words, whole = (next(run for run in one.runs if run.name == name) for name in ("words", DEFAULT_FORMULA))
    hard = [place for place, query in enumerate(one.overlap) if one.overlap[query] is Overlap.NONE]
    assert len(hard) > 20
    alone, with_links = (mean_of([run.figures[place] for place in hard], "recall@10") for run in (words, whole))
    assert with_links > alone


@pytest.mark.timeout(300)
def test_meaning_and_both_together_stay_above_their_floor(shared, tmp_path):
    model = built_in_model(places(tmp_path / "home"), threads=indexing_threads())
    one = asked(labelled(shared, "stackfaq"), tmp_path, Plan(), model)
    assert one.embedded == 1
    found = {run.name: mean_of(run.figures, "hit@1") for run in one.runs}
    assert found["meaning"] >= 0.950 - MARGIN
    assert found[DEFAULT_FORMULA] >= 0.887 - MARGIN
