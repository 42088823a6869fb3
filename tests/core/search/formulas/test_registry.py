"""Which formulas there are, and what may be asked for where."""

import pytest

from core.errors import TriskelError
from core.search.formulas.registry import FORMULAS, compared_formulas, formula_named, published_formula

PUBLISHED = ["evidence+share/v1", "evidence/v1", "rrf/k=60/v1", "max+0.3*min/v1"]


def test_four_formulas_are_published() -> None:
    assert list(FORMULAS) == PUBLISHED
    for name in PUBLISHED:
        assert published_formula(name).name == name
        assert published_formula(name).published


@pytest.mark.parametrize(
    "name",
    ["rrf/k=1/v1", "rrf/k=20/v1", "rrf/k=60/weights=1:2:0.5/v1", "max+0.3*min/calibrated/v1", "min-max/v1",
     "convex/alpha=0.5/v1", "convex/alpha=0/v1", "rrf/k=60/floor=0.25/v1", "rrf/k=60/floor=0.25/completed/v1",
     "max+0.3*min/calibrated/floor=0.3/completed/v1"],
)  # fmt: skip
def test_what_is_for_evaluation_only_is_known_and_refused_to_a_search(name: str) -> None:
    assert formula_named(name).name == name
    assert not formula_named(name).published
    with pytest.raises(TriskelError, match=r"for “triskel evaluate” alone. A search takes evidence\+share/v1, evi"):
        published_formula(name)


@pytest.mark.parametrize(
    "name",
    ["", "max", "rrf", "rrf/k=60", "rrf/k=060/v1", "rrf/k=0/v1", "rrf/k=60/v2", "rrf/k=6.5/v1", "rrf/k=-1/v1",
     "rrf/k=60/weights=1:2/v1", "rrf/k=60/weights=1.0:2:1/v1", "convex/alpha=2/v1", "convex/alpha=0.50/v1",
     "rrf/k=60/completed/floor=0.2/v1", "evidence/floor=0.2/v1", "evidence/completed/v1", "rrf/k=60/v1\n",
     "RRF/k=60/v1"],
)  # fmt: skip
def test_any_other_name_is_a_sentence_that_lists_the_published_ones(name: str) -> None:
    with pytest.raises(
        TriskelError, match=r"(?s)There is no formula.*evidence\+share/v1, evidence/v1, rrf/k=60/v1, max\+0\.3\*min/v1"
    ):
        formula_named(name)


def test_formulas_that_are_compared_have_names_of_their_own() -> None:
    names = [formula.name for formula in compared_formulas()]
    assert len(names) == len(set(names))
    assert names[:4] == PUBLISHED
    assert {"rrf/k=20/v1", "rrf/k=40/v1"} < set(names)
