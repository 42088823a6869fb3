"""How much of a note is rendered at once, and how its front matter is read."""

from __future__ import annotations

import pytest

from ui.front_matter import property_rows, split_front_matter
from ui.preview_slice import BUDGET, Part, part_around, part_from, part_until

SHAPES = {
    "wide table": "|a" * 10 + "|\n" + "|-" * 10 + "|\n" + ("|word" * 10 + "|\n") * 400,
    "very wide table": "|a" * 1000 + "|\n" + "|-" * 1000 + "|\n" + ("|x" * 1000 + "|\n") * 5,
    "fences": "```\nx\n```\n\n" * 3_000,
    "list": "- item\n" * 4_500,
    "paragraphs": "a\n\n" * 13_000,
    "words in one line": "boiler " * 6_000,
    "one word": "x" * 40_000,
    "code spans": "`x` " * 9_000,
    "han": "漢字" * 20_000,
}


def test_a_usual_note_is_shown_whole() -> None:
    body = "# Boiler\n\nThe pressure was *right*; see [[log]].\n\n- one\n- two\n\n| a | b |\n|--|--|\n| c | d |\n" * 6
    assert part_around(body, 20) == Part(body, 0, 60, 60)
    assert part_around("", 1) == Part("", 0, 0, 0)


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_a_note_is_made_of_what_is_rendered_is_bounded(shape: str) -> None:
    part = part_around(SHAPES[shape], 1)
    assert part.shortened
    assert 200 <= len(part.text) <= 30_000
    assert part.text.count("|") <= 300
    assert part.text.count("- item") <= 600
    assert part.text.count("`x`") <= 1_500


def test_a_part_lies_around_its_line_and_uses_what_one_side_leaves() -> None:
    body = "".join(f"line {number}\n" for number in range(10_000))
    middle = part_around(body, 5_000)
    assert abs((middle.first + middle.last) / 2 - 5_000) < 10
    top, bottom = part_around(body, 1), part_around(body, 10_000)
    assert (top.first, bottom.last) == (0, 10_000)
    for part in (top, bottom):
        assert part.last - part.first > 0.9 * (middle.last - middle.first)


def test_parts_follow_one_another_without_a_gap() -> None:
    body = "".join(f"line {number}\n" for number in range(3_000))
    lines, part = [], part_from(body, 1)
    while True:
        lines += part.text.splitlines()
        if part.last == part.total:
            break
        part = part_from(body, part.last + 1)
    assert lines == body.splitlines()
    assert part_until(body, 1_000).text.splitlines()[-1] == "line 999"


def test_a_part_within_a_table_keeps_its_head_and_one_within_code_its_fence() -> None:
    table = "| city | rain |\n|--|--|\n" + "".join(f"| c{number} | {number} |\n" for number in range(2_000))
    part = part_around(table, 1_000)
    assert part.text.startswith("| city | rain |\n|--|--|\n| c")
    code = "~~~python\n" + "x = 1\n" * 5_000 + "~~~\n"
    assert part_around(code, 2_500).text.startswith("~~~\nx = 1\n")


def test_a_part_within_an_outline_does_not_turn_into_code() -> None:
    body = "- top\n" + "\t\t- deep\n" * 3_000 + "- end\n"
    part = part_around(body, 1_500)
    assert part.first > 0
    assert part.text.startswith("- deep\n- deep\n")


def test_a_line_that_is_too_long_is_cut_around_the_passage() -> None:
    line = "lorem ipsum " * 20_000 + "the needle lies here in it " + "dolor sit " * 20_000
    part = part_around(line, 1, "needle lies  here in it and more")
    assert part.cut
    assert "the needle lies here" in part.text
    assert part.text.startswith("… ")


@pytest.mark.parametrize("line", [1, 2, 300_000, 600_000, 999_999])
def test_the_right_lines_of_a_huge_note_are_found(line: int) -> None:
    body = "".join(f"{number}\n" for number in range(1, 1_000_001))
    part = part_around(body, line)
    assert f"\n{line}\n" in f"\n{part.text}"
    assert part.text.splitlines()[0] == str(part.first + 1)
    assert part.total == 1_000_000
    assert BUDGET / 40 < part.last - part.first < BUDGET / 10


@pytest.mark.parametrize(
    ("source", "rows", "body", "lines"),
    [
        ("---\na: 1\n---\nx\n", [("a", "1")], "x\n", 3),
        ("---\na: 1\n...\nx", [("a", "1")], "x", 3),
        ("\ufeff---\na: 1\n---\nx", [("a", "1")], "x", 3),
        ("---\na: 1\n---", [("a", "1")], "", 3),
        ("---\n---\nx", [], "x", 2),
        ("---\nno end\n", [], "---\nno end\n", 0),
        ("x\n---\ny\n---\n", [], "x\n---\ny\n---\n", 0),
        ("", [], "", 0),
    ],
)
def test_front_matter_is_cut_off_at_the_start_only(source: str, rows: list, body: str, lines: int) -> None:
    block, found, cut = split_front_matter(source)
    assert (property_rows(block), found, cut) == (rows, body, lines)


@pytest.mark.parametrize(
    ("block", "rows"),
    [
        (["tags: [a, 'b c']", "# comment", "aliases:", "- x", "- y"], [("tags", "a, b c"), ("aliases", "x, y")]),
        (['title: "A: b"', "empty:", "none: []"], [("title", "A: b")]),
        (["up: [[Other note]]"], [("up", "[[Other note]]")]),
        (["text: >", "  two", "  lines"], [("text", "two, lines")]),
        (["no property at all"], [("", "no property at all")]),
        (["x: " + "y" * 500], [("x", "y" * 300 + "…")]),
    ],
)
def test_properties_are_rows_of_name_and_value(block: list[str], rows: list) -> None:
    assert property_rows(block) == rows


def test_very_many_properties_are_not_all_shown() -> None:
    rows = property_rows([f"k{number}: v" for number in range(100)])
    assert len(rows) == 16
    assert rows[-1] == ("", "…")
