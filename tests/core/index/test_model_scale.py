"""What is known of a model's cosines before it is trusted."""

from __future__ import annotations

import numpy as np
import pytest

from app.paths import built_in_model, places
from core.index.model_folder import model_in_folder
from core.index.model_scale import measure_scale
from core.index.probe_texts import PROBES
from tests.core.index.tiny_model import build_model


class Scripted:
    """Gives every text the vector that a function makes of (language, number of the pair)."""

    def __init__(self, vector) -> None:
        self._vector_by_text = {
            text: vector(language, number)
            for language, pairs in PROBES.items()
            for number, pair in enumerate(pairs)
            for text in pair
        }

    def embed_query(self, text: str):
        return self._vector_by_text[text]

    embed_passage = embed_query


def one_hot(number: int):
    vector = np.zeros(16, np.float32)
    vector[number] = 1
    return vector


def test_a_model_that_tells_everything_apart_reads_every_language():
    scale = measure_scale(Scripted(lambda _language, number: one_hot(number)))
    assert (scale.unrelated_mean, scale.unrelated_spread, scale.related_mean) == (0, 0, 1)
    assert scale.languages == tuple(PROBES)
    assert scale.separates


def test_a_model_that_gives_every_text_one_vector_reads_none_and_is_not_on_by_itself():
    scale = measure_scale(Scripted(lambda _language, _number: one_hot(0)))
    assert set(scale.told_apart.values()) == {0.5}
    assert scale.languages == ()
    assert not scale.separates


def test_a_language_is_judged_by_its_own_pairs():
    scale = measure_scale(Scripted(lambda language, number: one_hot(number if language == "German" else 0)))
    assert scale.languages == ("German",)


def test_the_built_in_model_reads_english_and_no_other_of_the_probed_languages(own_home):
    model = built_in_model(places(own_home), threads=1).load()
    scale = measure_scale(model)
    assert scale.languages == ("English",)
    assert scale.unrelated_mean == pytest.approx(0.0457, abs=0.002)
    assert scale.related_mean == pytest.approx(0.383, abs=0.002)
    assert scale == measure_scale(model)


def test_a_model_of_random_vectors_is_found_out(tmp_path):
    from core.index.embedding import ModelLoader

    model = ModelLoader(model_in_folder(build_model(tmp_path / "tiny")), tmp_path / "cache", 1).load()
    assert not measure_scale(model).separates


def test_probes_of_a_language_ask_as_many_questions_as_they_answer_and_share_no_text():
    texts = [text for pairs in PROBES.values() for pair in pairs for text in pair]
    assert len(texts) == len(set(texts))
    assert all(len(pairs) >= 8 for pairs in PROBES.values())
