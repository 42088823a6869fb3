"""The HTML page: whole in itself, nothing of a note rendered, bars and badges as in the list."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ExportError
from core.export import to_html
from core.export.plain_text import one_line, visible
from core.search.results import Leg, LegReport, LegState, Snippet
from tests.core.export_samples import hit, result

VOID = {"meta", "br"}


class Page(HTMLParser):
    """Reads a page as a browser does, and keeps elements, attributes and the text inside each kind of element."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def named(self, tag: str, kind: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag and attrs.get("class", "").startswith(kind)]


@given(st.text(max_size=60))
def test_any_title_snippet_query_and_path_are_shown_and_never_markup(text: str) -> None:
    plain = Page(to_html(result(hit())))
    page = Page(to_html(result(hit(title=text, snippet=Snippet(text), path=f"a{text}.md"), query=text)))
    assert not page.open
    assert [tag for tag, _ in page.tags if tag != "mark"] == [tag for tag, _ in plain.tags if tag != "mark"]
    assert page.texts["a"] == [one_line(text) or visible(f"a{text}.md")]
    assert page.texts["bdi"] == [visible(f"a{text}.md")]
    assert page.texts["h1"] == [f"Notes for “{one_line(text)}”"]


def test_the_page_asks_for_nothing_from_anywhere() -> None:
    text = to_html(result(hit(title="<img src=https://example.org/x.png>", path="javascript:alert(1).md")))
    page = Page(text)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
    assert not any(name in {"src", "srcset", "onclick"} for _, attrs in page.tags for name in attrs)
    assert "url(" not in text
    assert "default-src 'none'" in text
    assert [attrs["href"] for tag, attrs in page.tags if tag == "a"] == ["javascript%3Aalert%281%29.md"]


@pytest.mark.parametrize(
    "path", ["a b/#1 50%.md", "ü/漢字 🐘.md", "quote\"'.md", "line\nbreak.md", "a&amp;b.md", "?q.md"]
)
def test_a_link_gives_back_any_path(path: str) -> None:
    page = Page(to_html(result(hit(path=path))))
    assert [unquote(attrs["href"]) for tag, attrs in page.tags if tag == "a"] == [path]


def test_a_bar_is_as_long_as_the_compatibility_and_a_badge_names_leg_and_rank() -> None:
    page = Page(to_html(result(hit(compatibility=0.4))))
    assert [attrs["style"] for attrs in page.named("span", "fill")] == ["width: 40.0%"]
    assert [attrs["aria-label"] for attrs in page.named("span", "track")] == ["compatibility 0.4 of 1"]
    assert [attrs["class"] for attrs in page.named("span", "badge")] == ["badge words", "badge meaning"]
    assert page.texts["p"][-1] == "T Words 1≈ Meaning 2"


def test_a_hit_that_no_leg_found_has_neither_bar_nor_band() -> None:
    page = Page(to_html(result(hit(band=None, compatibility=None, evidence=dict.fromkeys(Leg)))))
    assert page.named("span", "fit") == []
    assert page.named("span", "badge") == []


def test_marks_stand_where_the_snippet_has_them() -> None:
    page = Page(to_html(result(hit(snippet=Snippet("a < b & c", ((2, 3), (6, 7)))))))
    assert page.texts["mark"] == ["<", "&"]
    assert "a < b & c" in page.texts["p"]


def test_every_fact_of_the_search_is_told_and_a_leg_that_did_not_run_says_why() -> None:
    legs = dict(result().legs) | {Leg.MEANING: LegReport(LegState.SKIPPED, None, (0, 10), "no model")}
    facts = Page(to_html(result(legs=legs, message="Nothing matches."))).texts["dl"][0]
    for fact in ("none", "rrf/k=60/v1", "f1n6e2", "sees 6591 of 6591 notes", "skipped: no model", "Nothing matches."):
        assert fact in facts


def test_an_interim_result_is_refused() -> None:
    with pytest.raises(ExportError):
        to_html(result(hit(), interim=True))


def test_only_the_chosen_rows_are_listed_with_the_ranks_of_the_whole_list() -> None:
    page = Page(to_html(result(hit(1), hit(2), hit(3)), [2, 0]))
    assert [attrs["value"] for tag, attrs in page.tags if tag == "li"] == ["1", "3"]


def test_a_real_browser_shows_the_page(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs Chromium")
    page = tmp_path / "list.html"
    page.write_text(to_html(result(hit(1, title="<b>Bold</b>"), hit(2))), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shown = subprocess.run(
        [browser, *options, "--virtual-time-budget=1000", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    ).stdout
    assert "&lt;b&gt;Bold&lt;/b&gt;" in shown
    assert len(re.findall(r'<span class="fill" style="width: 70', shown)) == 2
