"""A reranker that was chosen in the settings: the window starts without it, and explains what it did."""

import pytest

import app.rerankers
from app.settings import Settings, save_settings
from core.search.results import LegState
from tests.core.search.tiny_cross_encoder import build_cross_encoder
from ui.result_pane import ResultPane
from ui.why import why


def choose(where, reranker) -> None:
    save_settings(where.settings_file, Settings(reranker=str(reranker)))


@pytest.fixture
def loaded(monkeypatch) -> list[str]:
    """What was loaded, in order."""
    names: list[str] = []
    real = app.rerankers.CrossEncoder

    def load(source, **options):
        names.append(source.name)
        return real(source, **options)

    monkeypatch.setattr(app.rerankers, "CrossEncoder", load)
    return names


def test_a_chosen_reranker_is_loaded_for_the_first_list_and_never_before_the_window_is_painted(
    new_desk, where, tmp_path, loaded
):
    choose(where, build_cross_encoder(tmp_path / "tiny", worth={"shelf": 1.0, "wood": -1.0}))
    desk = new_desk(where)
    desk.start()
    assert loaded == []
    hits = desk.search("shelf wood")
    assert loaded == ["tiny"]
    assert desk.result.reranker.state is LegState.RAN
    assert [hit.reranked.score for hit in hits[:20]] == sorted((hit.reranked.score for hit in hits[:20]), reverse=True)
    moved = next(hit for hit in hits if hit.reranked.fused_rank != hit.rank)
    assert "by the fused score" in dict(why(moved, desk.result).lines)["Reranker"]
    desk.search("flat tyre")
    assert loaded == ["tiny"]
    desk.window.close()


def test_one_that_has_gone_leaves_the_list_as_it_was_and_is_said_above_it(new_desk, where, tmp_path):
    choose(where, tmp_path / "gone")
    desk = new_desk(where)
    desk.start()
    hits = desk.search("shelf wood")
    assert [hit.reranked for hit in hits] == [None] * len(hits)
    assert "Reranker failed: There is no folder" in desk.window.findChild(ResultPane).notes.text()
    desk.window.close()
