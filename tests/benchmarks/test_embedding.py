"""Embedding with the real model beside a bare session on the same passages, with as many threads."""

import shutil
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from app.paths import built_in_model, indexing_threads, places
from core.errors import ModelError
from core.index.embedding import EmbeddingModel, ModelLoader
from core.index.indexer import update_index
from core.notes.passages import embedded_text
from tests.benchmarks.floors import BareModel, cut_notes, read_notes
from tests.benchmarks.measure import in_turns, p50_p95, ratio_to

PASSAGES = 200
QUERIES = 100
AT_ONCE = 25
"""Passages of a turn: short turns, since whoever else needs the cores slows a session of two threads most."""


@pytest.fixture(scope="module")
def loader(tmp_path_factory) -> ModelLoader:
    """The built-in model, as it embeds in bulk."""
    return built_in_model(places(tmp_path_factory.mktemp("model")), threads=indexing_threads())


@pytest.fixture(scope="module")
def model(loader) -> EmbeddingModel:
    try:
        return loader.load()
    except ModelError as error:
        pytest.skip(f"the built-in model cannot be loaded: {error}")


@pytest.fixture(scope="module")
def bare(loader, model) -> BareModel:
    return BareModel(loader.source, loader.threads)


class _Loaded:
    """A loader whose model is loaded already, so that loading is not timed."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.key = model.key
        self._model = model

    def load(self) -> EmbeddingModel:
        return self._model


def test_passages_beside_a_bare_session(notes, model, bare, table, rounds, tmp_path):
    folder, texts = _folder_with_passages(notes, tmp_path / "notes")
    ours, plain = {}, {}
    words_only = tmp_path / "words.db"
    update_index(folder, words_only)
    index_file = tmp_path / "index.db"
    reports = []

    def whole_run():
        shutil.copyfile(words_only, index_file)
        reports.append(update_index(folder, index_file, _Loaded(model)))

    def in_parts(part):
        return [lambda place=place: part(texts[place : place + AT_ONCE]) for place in range(0, len(texts), AT_ONCE)]

    def embed(some):
        ours.update((some[place], vector) for place, vector in model.embed_passages(some))

    def bare_embed(some):
        plain.update(zip(some, bare.embed(some), strict=True))

    ours_parts, bare_parts = in_parts(embed), in_parts(bare_embed)
    embedding, floor = [], []
    for number in range(rounds):
        for place, part in enumerate(ours_parts):
            pair = {"ours": part, "bare": bare_parts[place]}
            took = in_turns(dict(reversed(pair.items())) if (number + place) % 2 else pair, 1)
            embedding += took["ours"]
            floor += took["bare"]
    whole = in_turns(
        {
            "bare": lambda: bare.embed(texts),
            "run": whole_run,
            "no model": lambda: update_index(folder, index_file),
        },
        rounds,
    )
    # The floor must have done the same work.
    assert max(np.abs(ours[text] - plain[text]).max() for text in texts) < 1e-5
    assert reports[0].embedded == len(texts)

    group = f"Meaning: {len(texts)} passages of {notes.name}, {indexing_threads()} threads"
    per_second, bare_per_second = (f"{len(texts) * rounds / sum(seconds):.1f}" for seconds in (embedding, floor))
    table.add(group, "embed_passages, passages a second", per_second, bare_per_second, ratio_to(floor, embedding))
    steps = [run - idle for run, idle in zip(whole["run"], whole["no model"], strict=True)]
    per_second, bare_per_second = (f"{len(texts) / median(seconds):.1f}" for seconds in (steps, whole["bare"]))
    name = "update_index's embedding step, passages a second"
    table.add(group, name, per_second, bare_per_second, ratio_to(whole["bare"], steps))


def test_queries_beside_a_bare_session(generated, model, bare, table):
    titles = [Path(file.path).stem for file in generated.scan.files[:QUERIES]]
    ours, plain = [], []
    for number, title in enumerate(titles):
        parts = {"ours": lambda title=title: model.embed_query(title), "bare": lambda title=title: bare.embed([title])}
        took = in_turns(dict(reversed(parts.items())) if number % 2 else parts, 1)
        ours += took["ours"]
        plain += took["bare"]
    assert np.abs(model.embed_query(titles[0]) - bare.embed(titles[:1])[0]).max() < 1e-5
    group = f"Meaning: one query of a few words, {indexing_threads()} threads"
    table.add(group, "embed_query, p50 / p95", p50_p95(ours), p50_p95(plain), ratio_to(plain, ours))


def _folder_with_passages(notes, target: Path) -> tuple[Path, list[str]]:
    """Copy notes from all over the folder until they hold enough passages of different texts; return those too."""
    texts: dict[str, None] = {}
    step = max(1, len(notes.scan.files) // PASSAGES)
    for file in notes.scan.files[::step]:
        [note] = read_notes(notes.folder, [file], dendron=notes.scan.dendron)
        cut = [embedded_text(note.title, passage) for passage in cut_notes([note])[0]]
        # A long note alone would be all there is, and a text that stands twice is embedded once.
        if not cut or len(cut) > PASSAGES // 10 or not texts.keys().isdisjoint(cut) or len(set(cut)) < len(cut):
            continue
        texts.update(dict.fromkeys(cut))
        (target / file.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(notes.folder / file.path, target / file.path)
        if len(texts) >= PASSAGES:
            break
    return target, list(texts)
