"""Whether a list that is shown would look another way now."""

import pytest

from app.shown_result import shows_the_same
from core.search.results import Band, HeldBack
from tests.core.export_samples import hit, result

PARTIAL = hit(band=Band.PARTIAL, held_back=HeldBack.AGREEMENT)


def test_a_score_that_differs_alone_looks_the_same():
    assert shows_the_same(result(PARTIAL), result(hit(band=Band.PARTIAL, held_back=HeldBack.AGREEMENT, score=0.9)))


@pytest.mark.parametrize("changed", [{"held_back": HeldBack.EVIDENCE}, {"held_back": None}, {"band": Band.GOOD}])
def test_a_note_that_became_a_weak_match_or_is_held_back_by_something_else_looks_another_way(changed):
    now = hit(**{"band": Band.PARTIAL, "held_back": HeldBack.AGREEMENT, **changed})
    assert not shows_the_same(result(PARTIAL), result(now))
