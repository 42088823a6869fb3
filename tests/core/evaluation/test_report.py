"""The report is one page that needs nothing beside it, says the same each time, and takes no name for markup."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core.errors import TriskelError
from core.evaluation import metrics
from core.evaluation.answers import Overlap
from core.evaluation.datasets import Series
from core.evaluation.experiment import Plan, measure
from core.evaluation.plots import AGREEMENT, agreement_shares, plot_agreement, plot_constants, plot_growth, plot_set
from core.evaluation.published import published_beside
from core.evaluation.report import report_page
from core.evaluation.summary import table_text
from core.search.fusion import DEFAULT_FORMULA
from core.search.results import Mode, Skipped

PLAN = Plan(("rrf/k=20/v1", "rrf/k=60/v1", DEFAULT_FORMULA), (Mode.HYBRID,))
EVIL = '<script>alert("$x_1$")</script> & $\\frac'


@pytest.fixture
def measured(index_of, small_set):
    with index_of(small_set) as (reader, document_by_path):
        one = measure(reader, Skipped("switched off"), small_set, document_by_path, PLAN)
    # As if meaning had run as words did, so that every plot has something to show.
    words = one.run("words", Mode.WORDS)
    return replace(one, runs=(*one.runs, replace(words, name="meaning", mode=Mode.MEANING)))


@pytest.fixture
def page(measured):
    larger = replace(measured, data_set="larger", documents=40, series=Series("hay", 40))
    return report_page([replace(measured, series=Series("hay", 4)), larger], DEFAULT_FORMULA)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def test_the_page_needs_nothing_beside_it(page):
    tags = Tags()
    tags.feed(page)
    names = {tag for tag, _attributes in tags.seen}
    assert names & {"script", "link", "img", "iframe", "object", "image"} == set()
    for tag, attributes in tags.seen:
        for name, value in attributes.items():
            assert not re.search(r"//|url\((?!#)|^javascript:", value or ""), (tag, name, value)
            if name in {"href", "xlink:href", "src"}:
                assert value.startswith("#")
    assert "http" not in page.replace("http-equiv", "")
    assert "@import" not in page


def test_every_plot_is_there_and_follows_light_and_dark(page):
    assert page.count("<svg ") == 5  # agreement, growth, the k sweep, one a set
    assert "prefers-color-scheme: dark" in page
    colours = set(re.findall(r"(?:fill|stroke): (#\w+)", page))
    assert colours == set(), "a colour of its own would vanish on one of the grounds"
    for variable in set(re.findall(r"var\((--\w+)\)", page)):
        assert page.count(f"{variable}: #") == 2, variable


def test_every_reference_within_a_plot_is_kept(page):
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', page)) <= set(ids)


def test_equal_figures_give_equal_bytes(measured, page):
    larger = replace(measured, data_set="larger", documents=40, series=Series("hay", 40))
    assert report_page([replace(measured, series=Series("hay", 4)), larger], DEFAULT_FORMULA) == page


def test_a_name_is_never_taken_for_markup(measured):
    named = replace(measured, data_set=EVIL, runs=tuple(replace(run, name=run.name) for run in measured.runs))
    page = report_page([named], DEFAULT_FORMULA)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "&lt;script&gt;" in plot_agreement([named])


def test_plots_without_data_are_left_out(measured):
    alone = replace(measured, runs=tuple(run for run in measured.runs if run.name in {DEFAULT_FORMULA, "words"}))
    assert plot_constants([alone]) is None
    assert plot_growth([alone]) is None
    assert plot_agreement([alone]) is None
    assert "<svg" in plot_set(alone)


def test_shares_of_agreement_are_reckoned_by_hand(measured):
    words, meaning = measured.run("words", Mode.WORDS), measured.run("meaning", Mode.MEANING)
    nothing = tuple(replace(one, values={**one.values, "recall@10": 0.0}) for one in meaning.figures[1:])
    runs = [words, replace(meaning, figures=(meaning.figures[0], *nothing))]
    shares = dict(zip(AGREEMENT, agreement_shares(replace(measured, runs=tuple(runs))), strict=True))
    assert shares == pytest.approx(
        {"words and meaning": 1 / 3, "words alone": 2 / 3, "meaning alone": 0, "links alone": 0, "none of them": 0}
    )


def test_published_figures_stand_only_beside_the_very_questions_they_are_of(measured):
    queries = {f"q{number}": Overlap.REST for number in range(1536)}
    locomo = replace(measured, data_set="locomo", documents=272, overlap=queries, runs=())
    assert [other.program for other in published_beside(locomo)] == [
        "basic-memory", "basic-memory, after its full-text repair", "mem0",
    ]  # fmt: skip
    assert "mem0 (published)" in table_text([locomo], DEFAULT_FORMULA)
    assert "mem0 (published)" in report_page([locomo], DEFAULT_FORMULA)
    assert published_beside(replace(locomo, overlap={"q1": Overlap.REST})) == ()
    assert published_beside(replace(locomo, documents=273)) == ()


def test_without_matplotlib_one_sentence_says_how_to_add_it(measured, monkeypatch):
    real = metrics.importlib.util.find_spec
    monkeypatch.setattr(metrics.importlib.util, "find_spec", lambda name: None if name == "matplotlib" else real(name))
    with pytest.raises(TriskelError, match=r"Measuring needs matplotlib.*triskel\[evaluation\]"):
        plot_set(measured)
