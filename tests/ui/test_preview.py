"""The preview: what is rendered, what is refused, where it lands."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor, QTextDocument, QTextFormat

from core.search.results import BestPassage
from ui.preview import Preview
from ui.preview_markdown import link_label, readable_markdown
from ui.preview_place import current_mark, passage_span
from ui.theme import LIGHT

FILLER = "\n\n".join(f"Paragraph {number} of a long note that must be scrolled to be read." for number in range(80))


@pytest.fixture
def preview(qtbot, made):
    shown = Preview(made["look"](), made["find_marks"])
    qtbot.addWidget(shown)
    shown.resize(420, 300)
    shown.show()
    return shown


def _passage(text: str, line: int = 1) -> BestPassage:
    return BestPassage(text, line, line, "")


def _text_of(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


@pytest.mark.parametrize(
    ("inside", "label"),
    [("x", "x"), ("x|y", "y"), ("x#h", "x › h"), ("#h", "h"), ("a/b#h|", "a/b › h"), ("a\\|b", "b"), ("#", "#")],
)
def test_a_wikilink_is_shown_readable(inside: str, label: str) -> None:
    assert link_label(inside) == label


def test_wikilinks_in_code_stay_as_they_are() -> None:
    source = "`[[a]]` and [[b]]\n\n```\n[[c]]\n```\n\n~~~~\n```\n[[d]]\n~~~~\n"
    shown = readable_markdown(source)
    assert "`[[a]]`" in shown
    assert "[b](wikilink:%5B%5Bb%5D%5D)" in shown
    assert "\n[[c]]\n" in shown
    assert "\n[[d]]\n" in shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("title:: My page\nalias:: a, b\n\ntext\n", "\ntext\n"),
        ("- a block\n  id:: 64f0-12\n  collapsed:: true\n- two\n", "- a block\n- two\n"),
        ("a paragraph ^block-1\n", "a paragraph\n"),
        ("2 ^ 3 and x^2\n", "2 ^ 3 and x^2\n"),
        ("this is ==marked== and ==so is this==", "this is marked and so is this"),
        ("a == b and c == d", "a == b and c == d"),
        ("`==code== ^x`", "`==code== ^x`"),
        ("```\nid:: 1\n==x== ^y\n```\n", "```\nid:: 1\n==x== ^y\n```\n"),
        ("priority:: high\n", "priority:: high\n"),
    ],
)
def test_the_machinery_of_note_programs_is_not_shown(source: str, shown: str) -> None:
    assert readable_markdown(source) == shown


def test_raw_html_is_shown_and_does_nothing(preview, made) -> None:
    preview.show_note(made["hit"](1), "a <b>bold</b> <script>x()</script>\n\n<img src='http://example.org/x.png'>", ())
    assert "<b>bold</b> <script>x()</script>" in preview.toPlainText()
    assert "<img src='http://example.org/x.png'>" in preview.toPlainText()


@pytest.mark.parametrize("address", ["file:///etc/hostname", "http://example.org/x.png", "img/p.png", "qrc:/x"])
def test_nothing_is_ever_loaded(preview, address: str) -> None:
    for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.StyleSheetResource):
        assert preview.loadResource(kind.value, QUrl(address)).isNull()


def test_images_are_links_to_them(preview, made) -> None:
    preview.show_note(made["hit"](1), "see ![a picture](img/p.png) and ![](q.png)", ())
    assert preview.toPlainText() == "see a picture and image"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("[[x|y]]", "[[x|y]]"),
        ("[[a b#c d]]", "[[a b#c d]]"),
        ("[[50 % *off* ünï]]", "[[50 % *off* ünï]]"),
        ("[t](other.md#h)", "other.md#h"),
        ("[t](https://example.org/?a=b)", "https://example.org/?a=b"),
    ],
)
def test_a_clicked_link_is_told_and_not_followed(preview, made, qtbot, source: str, told: str) -> None:
    preview.show_note(made["hit"](1), source, ())
    cursor = QTextCursor(preview.document())
    cursor.setPosition(1)
    address = cursor.charFormat().anchorHref()
    before = preview.toPlainText()
    with qtbot.waitSignal(preview.link_activated) as got:
        preview.anchorClicked.emit(QUrl(address))
    assert got.args == [told]
    assert preview.toPlainText() == before
    assert not preview.openLinks()


def test_plain_text_positions_are_document_positions(preview, made) -> None:
    source = (
        "# 😀 head\n\n- publish\n\n| a | publish |\n|--|--|\n| 😀 | publish |\n\n```\npublish\n```\n\n> 😀😀 publish"
    )
    preview.show_note(made["hit"](1), source, ("publish",))
    assert len(preview.marks) == 5
    assert {_text_of(preview.document(), start, end) for start, end in preview.marks} == {"publish"}


def test_the_preview_is_centred_on_the_passage(preview, made, qtbot) -> None:
    source = f"{FILLER}\n\nThe *passage* that was  meant,\nwith publish in it.\n\n{FILLER}"
    hit = made["hit"](1, passage=_passage("The passage that was meant,\nwith publish in it.", 161))
    preview.show_note(hit, f"publish first\n\n{source}", ("publish",))
    start, _ = preview.marks[1]
    cursor = QTextCursor(preview.document())
    cursor.setPosition(start)
    middle = preview.cursorRect(cursor).center().y()
    assert abs(middle - preview.viewport().height() / 2) < 40
    preview.resize(300, 500)
    qtbot.waitUntil(lambda: abs(preview.cursorRect(cursor).center().y() - preview.viewport().height() / 2) < 60)


def test_without_the_passage_the_line_decides_the_place(preview, made) -> None:
    preview.show_note(made["hit"](1, passage=_passage("not in this note at all", 80)), FILLER, ())
    bar = preview.verticalScrollBar()
    assert 0.3 < bar.value() / bar.maximum() < 0.7


def test_next_and_previous_go_round(preview, made, qtbot) -> None:
    told = []
    preview.marks_changed.connect(lambda current, total: told.append((current, total)))
    preview.show_note(made["hit"](1, passage=_passage("publish x")), "publish x publish y publish", ("publish",))
    preview.go_to_next(1)
    preview.go_to_next(1)
    preview.go_to_next(1)
    preview.go_to_next(-1)
    assert told == [(1, 3), (2, 3), (3, 3), (1, 3), (3, 3)]


def test_the_current_match_is_told_by_more_than_colour(preview, made) -> None:
    preview.show_note(made["hit"](1, passage=_passage("publish x")), "publish x publish", ("publish",))
    (current,) = preview.extraSelections()
    assert current.format.fontUnderline()
    assert current.cursor.selectionStart() == preview.marks[0][0]
    cursor = QTextCursor(preview.document())
    cursor.setPosition(preview.marks[1][0] + 1)
    assert not cursor.charFormat().fontUnderline()
    assert cursor.charFormat().background().color().name() == LIGHT.mark


def test_a_late_result_of_the_same_note_keeps_the_readers_place(preview, made) -> None:
    preview.show_note(made["hit"](1), FILLER, ("long",))
    preview.verticalScrollBar().setValue(700)
    preview.show_note(made["hit"](4, path="garden/note-1.md"), FILLER, ("long",))
    assert preview.verticalScrollBar().value() == 700


def test_the_note_cannot_be_edited(preview, made, qtbot) -> None:
    preview.show_note(made["hit"](1), "text", ())
    qtbot.keyClicks(preview, "abc")
    assert preview.toPlainText() == "text"


def test_a_passage_is_found_whatever_the_white_space_and_nearest_to_its_line() -> None:
    plain = "one two three four five\nx\none  two\nthree four five"
    assert passage_span(plain, "one two three\nfour five", 0.0) == (0, 23)
    assert passage_span(plain, "one two three\nfour five", 1.0) == (26, 50)
    assert passage_span(plain, "gone", 0.5) == (25, 25)
    assert passage_span("", "x", 0.3) == (0, 0)


def test_a_few_words_stand_for_a_passage_that_markup_broke() -> None:
    plain = "intro\nfirst item\nall of these words are here today\nend"
    start, end = passage_span(plain, "- first\n[x] all of these words are here today", 0.0)
    assert plain[start:end] == "of these words are here"


def test_the_first_mark_in_the_passage_is_current() -> None:
    marks = [(0, 2), (10, 12), (20, 22)]
    assert current_mark(marks, (9, 30)) == 1
    assert current_mark(marks, (17, 17)) == 2
    assert current_mark([], (0, 5)) is None


def test_front_matter_stands_as_muted_plain_text_above_the_note(preview, made) -> None:
    source = (
        "---\ntitle: Boiler *log*\ntags: [home, heat]\nempty:\nrooms:\n  - kitchen\n  - hall\n---\n# Log\n\npublish\n"
    )
    preview.show_note(made["hit"](1), source, ("publish",))
    told = "title  Boiler *log*\ntags  home, heat\nrooms  kitchen, hall\nLog\npublish"
    assert preview.toPlainText() == told
    assert [_text_of(preview.document(), *mark) for mark in preview.marks] == ["publish"]
    cursor = QTextCursor(preview.document())
    cursor.setPosition(8)
    assert cursor.charFormat().foreground().color().name() == LIGHT.muted


def test_a_note_of_front_matter_alone_is_not_blank(preview, made) -> None:
    preview.show_note(made["hit"](1), "---\nstatus: publish\n---\n", ("publish",))
    assert preview.toPlainText() == "status  publish"
    assert len(preview.marks) == 1


def test_a_table_after_a_quotation_looks_like_any_other(preview, made) -> None:
    table = "| a | b |\n|--|--|\n| c | d |\n"
    formats = []
    for source in (f"> quoted\n\n{table}", f"plain\n\n{table}"):
        preview.show_note(made["hit"](1), source, ())
        found = next(frame for frame in preview.document().rootFrame().childFrames())
        cells = [found.cellAt(row, column) for row in (0, 1) for column in (0, 1)]
        formats.append(
            [
                (
                    cell.firstCursorPosition().block().text(),
                    cell.firstCursorPosition().blockFormat().topMargin(),
                    cell.firstCursorPosition().blockFormat().leftMargin(),
                    cell.firstCursorPosition().blockFormat().bottomMargin(),
                    cell.firstCursorPosition().blockFormat().hasProperty(QTextFormat.Property.BlockQuoteLevel),
                )
                for cell in cells
            ]
        )
    assert formats[0] == formats[1]
    assert [text for text, *_ in formats[0]] == ["a", "b", "c", "d"]


def test_a_long_note_is_shown_in_parts_that_follow_one_another(preview, made) -> None:
    source = "".join(f"Paragraph {number} of many.\n\n" for number in range(5_000))
    preview.show_note(made["hit"](1, passage=_passage("Paragraph 2500 of many.", 5_001)), source, ())
    middle = preview.part
    assert middle.shortened
    assert "Paragraph 2500 of many." in preview.toPlainText()
    preview.show_part(1)
    after = preview.part
    assert after.first == middle.last
    preview.show_part(-1)
    assert preview.part.last == after.first
    for _ in range(20):
        preview.show_part(-1)
    assert preview.part.first == 0
    assert preview.toPlainText().startswith("Paragraph 0 of many.")


def test_of_very_many_matches_those_round_the_current_are_painted(preview, made) -> None:
    preview.show_note(made["hit"](1), "publish it now\n\n" * 500, ("it", "now", "publish"))
    total = len(preview.marks)
    assert total > 1_000
    for step in (1, -2):
        preview.go_to_next(step)
        current = preview._current
        start, end = preview.marks[current]
        assert preview.extraSelections()[0].cursor.selectedText() == _text_of(preview.document(), start, end)
        near = preview.marks[(current + 1) % total]
        cursor = QTextCursor(preview.document())
        cursor.setPosition(near[0] + 1)
        assert cursor.charFormat().background().color().name() == LIGHT.mark
