"""What *Why this note?* makes of the parts of a score."""

from core.search.results import Leg, LegEvidence, LegState, RerankedPlace, RerankerName, RerankerReport
from tests.core.export_samples import hit, result
from ui.status_text import leg_notes
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


RERANKED = RerankerReport(LegState.RAN, 20, model=RerankerName("ms-marco", "b" * 64))


def test_the_reranker_has_a_line_of_its_own_with_both_places(qapp) -> None:
    found = hit(3, reranked=RerankedPlace(-3.5, 7))
    told = why(found, result(found, reranker=RERANKED))
    assert dict(told.lines)["Reranker"] == "ms-marco put it 3rd; it was 7th by the fused score · score -3.5"
    assert dict(told.numbers)["Order"] == "score 0.032522 by rrf/k=60/v1"


def test_without_a_reranker_there_is_no_line_of_one(qapp) -> None:
    assert "Reranker" not in dict(why(hit(), result(hit())).lines)


def test_a_note_that_the_reranker_did_not_read_is_told_so(qapp) -> None:
    found = hit(21)
    told = why(found, result(found, reranker=RERANKED))
    assert dict(told.lines)["Reranker"] == "ms-marco read the first 20 alone, and not this note"


def test_a_reranker_that_failed_says_why(qapp) -> None:
    failed = RerankerReport(LegState.FAILED, None, "There is no folder x.")
    told = why(hit(), result(hit(), reranker=failed))
    assert dict(told.lines)["Reranker"] == "failed: There is no folder x."
    assert leg_notes(result(hit(), reranker=failed)) == "Reranker failed: There is no folder x."
