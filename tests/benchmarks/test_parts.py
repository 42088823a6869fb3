"""The innermost pure parts, each on its own: what to look at when a figure of the whole has moved."""

import random

import apsw
import pytest

from core.index.tokenizer import Tokenizer
from core.notes.folding import fold
from core.notes.passages import cut_passages
from core.notes.reading import read_note
from core.search.evidence import NO_EVIDENCE
from core.search.fusion import DEFAULT_FORMULA, formula_named, fuse
from core.search.results import LEGS, RankedNote, Ranking
from core.search.snippets import snippet_of
from tests.benchmarks.floors import cut_notes, read_notes

NOTES = 100


@pytest.fixture(scope="module")
def files(generated):
    """The first notes of the generated folder, as (path, bytes)."""
    return [(file.path, (generated.folder / file.path).read_bytes()) for file in generated.scan.files[:NOTES]]


@pytest.fixture(scope="module")
def read(generated):
    return read_notes(generated.folder, generated.scan.files[:NOTES], dendron=False)


def test_read_a_hundred_notes(files, benchmark):
    notes = benchmark(lambda: [read_note(path, data) for path, data in files])
    assert len(notes) == len(files)


def test_cut_a_hundred_notes(read, benchmark):
    assert all(benchmark(lambda: [cut_passages(note) for note in read]))


def test_fold_a_hundred_notes(read, benchmark):
    assert all(benchmark(lambda: [fold(note.text) for note in read]))


def test_fifty_snippets(read, benchmark):
    texts = [passage.text for cut in cut_notes(read) for passage in cut][:50]
    words = sorted({fold(text.split()[len(text.split()) // 2]).strip(".") for text in texts})[:5]
    tokenizer = Tokenizer(apsw.Connection(":memory:"))
    snippets = benchmark(lambda: [snippet_of(text, words, tokenizer) for text in texts])
    assert any(snippet.marks for snippet in snippets)


def test_fuse_three_rankings_of_fifty(benchmark):
    draw = random.Random(3)
    rankings = {
        leg: Ranking(tuple(RankedNote(note, 1 / (1 + note), f"{note}.md", None) for note in draw.sample(range(90), 50)))
        for leg in LEGS
    }
    fused = benchmark(lambda: fuse(rankings, NO_EVIDENCE, formula_named(DEFAULT_FORMULA)))
    assert len({one.note for one in fused}) == len(fused) >= 50
