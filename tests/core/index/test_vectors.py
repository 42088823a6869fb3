"""The vectors of an index as one array."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.index import vectors as vectors_module
from core.index.reader import Reader
from core.index.vectors import VECTOR_TYPE, PassageVectors
from core.index.writer import Writer

KEY, DIMENSIONS = "scripted", 4


def unit(number: int) -> bytes:
    vector = np.zeros(DIMENSIONS, VECTOR_TYPE)
    vector[number % DIMENSIONS] = 1.0
    return vector.tobytes()


@pytest.fixture
def embed(write, update, index_file: Path) -> Callable[..., Reader]:
    """Index notes, give each passage a vector, and return a reader in a snapshot."""
    opened = []

    def run(notes: dict[str, str], spoil: Callable[[bytes], bytes] = lambda value: value) -> Reader:
        write(notes)
        update()
        writer = Writer(index_file)
        with writer.transaction():
            writer.use_model(KEY)
        waiting = writer.passages_to_embed(1000)
        with writer.transaction():
            writer.store_vectors(KEY, [(row.hash, unit(place)) for place, row in enumerate(waiting)])
        first = writer.connection.execute("SELECT id, value FROM vector ORDER BY id LIMIT 1").get
        with writer.transaction():
            writer.connection.execute("UPDATE vector SET value = ? WHERE id = ?", (spoil(first[1]), first[0]))
        writer.close()
        reader = Reader(index_file)
        opened.append(reader)
        reader.begin()
        return reader

    yield run
    for reader in opened:
        reader.end()
        reader.close()


def test_every_passage_with_a_vector_is_there_in_order(embed):
    vectors = embed({"a.md": "one", "b.md": "two", "c.md": "three"}).vectors(KEY, DIMENSIONS)
    assert len(vectors.passages) == 3
    assert list(vectors.passages) == sorted(vectors.passages)
    assert vectors.matrix.dtype == np.float32
    assert vectors.matrix.flags.c_contiguous


def test_passages_of_the_same_text_share_a_row(embed):
    vectors = embed({"x/a.md": "same", "y/a.md": "same", "z/b.md": "other"}).vectors(KEY, DIMENSIONS)
    assert len(vectors.passages) == 3
    assert len(vectors.matrix) == 2


def test_another_model_s_vectors_are_never_mixed_in(embed):
    assert len(embed({"a.md": "one"}).vectors("another", DIMENSIONS).passages) == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda value: np.full(DIMENSIONS, np.nan, VECTOR_TYPE).tobytes(),
        lambda value: np.full(DIMENSIONS, np.inf, VECTOR_TYPE).tobytes(),
        lambda value: np.zeros(DIMENSIONS, VECTOR_TYPE).tobytes(),
        lambda value: np.full(DIMENSIONS, 1e30, VECTOR_TYPE).tobytes(),
        lambda value: value[:-1],
        lambda value: value * 2,
        lambda value: b"",
    ],
    ids=["nan", "inf", "zero", "huge", "short", "long", "empty"],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_a_damaged_vector_takes_no_part(embed, spoil):
    vectors = embed({"a.md": "one", "b.md": "two", "c.md": "three"}, spoil).vectors(KEY, DIMENSIONS)
    assert len(vectors.passages) == 2
    assert np.isfinite(vectors.matrix[vectors.rows]).all()


def test_a_change_of_the_index_is_seen(embed, write, update, index_file):
    reader = embed({"a.md": "one", "b.md": "two"})
    assert len(reader.vectors(KEY, DIMENSIONS).passages) == 2
    (index_file.parent.parent / "notes" / "a.md").unlink()
    reader.end()
    update()
    reader.begin()
    assert len(reader.vectors(KEY, DIMENSIONS).passages) == 1


@pytest.fixture
def codes_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors get codes however few they are, two of them before a search."""
    monkeypatch.setattr(vectors_module, "CODED_FROM", 1)
    monkeypatch.setattr(vectors_module, "ENCODED_A_SEARCH", 2)


def codes_of(vectors: PassageVectors) -> list[list[int]]:
    return [] if vectors.codes is None else vectors.codes.values.tolist()


def test_vectors_get_their_codes_search_by_search(embed, codes_early):
    reader = embed({f"{name}.md": name for name in ("one", "two", "three", "four", "five")})
    held = [len(reader.vectors(KEY, DIMENSIONS).codes) for _ in range(5)]
    assert held == [0, 2, 4, 5, 5]
    vectors = reader.vectors(KEY, DIMENSIONS)
    assert codes_of(vectors) == (vectors.matrix * 127).tolist()


def test_codes_stay_with_their_vectors_when_others_come_and_go(embed, write, update, index_file, codes_early):
    reader = embed({f"{name}.md": f"text of {name}" for name in "abcde"})
    for _ in range(4):
        reader.vectors(KEY, DIMENSIONS)
    (index_file.parent.parent / "notes" / "c.md").unlink()
    reader.end()
    update()
    reader.begin()
    vectors = reader.vectors(KEY, DIMENSIONS)
    assert len(vectors.codes) == 4
    assert codes_of(vectors) == (vectors.matrix * 127).tolist()
    reader.end()
    write({"0.md": "text of a new one"})
    update()
    writer = Writer(index_file)
    with writer.transaction():
        writer.store_vectors(KEY, [(row.hash, unit(1)) for row in writer.passages_to_embed(9)])
    writer.close()
    reader.begin()
    assert len(reader.vectors(KEY, DIMENSIONS).codes) == 4
    vectors = reader.vectors(KEY, DIMENSIONS)
    assert len(vectors.codes) == 5
    assert codes_of(vectors) == (vectors.matrix * 127).tolist()


def test_few_vectors_have_no_codes(embed):
    reader = embed({"a.md": "one", "b.md": "two"})
    reader.vectors(KEY, DIMENSIONS)
    assert reader.vectors(KEY, DIMENSIONS).codes is None
