"""What *Why this note?* makes of the parts of a score."""

from core.search.results import Leg, LegEvidence
from tests.core.export_samples import hit, result
from ui.why import why


def test_a_completed_value_is_told_in_the_numbers_and_is_no_finding(qapp) -> None:
    found = hit(unranked_parts={"links": 0.25, "title": 0.5})
    told = why(found, result(found))
    assert dict(told.numbers)["Links"] == "not among its first 50 · adds 0.250000"
    assert dict(told.numbers)["Exact title"] == "adds 0.500000"
    assert told.headline == "Two of three searches agree: good"
    assert [row.found for row in told.legs] == [True, True, False]


def test_a_leg_that_says_nothing_of_a_note_has_no_number(qapp) -> None:
    found = hit(evidence={Leg.WORDS: LegEvidence(1, 7.0, 1 / 61), Leg.MEANING: None, Leg.LINKS: None})
    assert [name for name, _ in why(found, result(found)).numbers][:2] == ["Words", "Compatibility"]
