"""Canvas: cards in a stable order, links to files, text as Markdown, and broken JSON."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.decoding import NotText
from core.notes.formats.canvas import read_canvas
from core.notes.note import LinkKind


def card(identity, text, x=0, y=0, **more):
    return {"id": identity, "type": "text", "text": text, "x": x, "y": y, **more}


def read(*nodes, edges=()):
    return read_canvas("boards/My board.canvas", json.dumps({"nodes": nodes, "edges": list(edges)}).encode())


def test_cards_are_read_from_the_top_then_from_the_left():
    note = read(card("a", "low", y=100), card("b", "right", x=50), card("d", "same"), card("c", "left"))
    assert note.text == "left\n\fsame\n\fright\n\flow"
    assert [(place.name, place.offset) for place in note.places] == [
        ("card 1", 0),
        ("card 2", 6),
        ("card 3", 12),
        ("card 4", 19),
    ]
    assert note.title == "My board"


def test_the_order_in_the_file_decides_nothing():
    nodes = [card(f"id{number}", f"text {number}", x=number % 3, y=number % 2) for number in range(12)]
    expected = read(*nodes)
    for seed in range(5):
        random.Random(seed).shuffle(nodes)
        assert read(*nodes) == expected


def test_text_cards_are_markdown_with_headings_links_and_tags():
    note = read(card("a", "first\ncard"), card("b", "# A *head*\nsee [[Note#Part|it]] and [x](b%20c.md) #tag", y=1))
    assert note.text == "first\ncard\n\fA head\nsee it and x #tag"
    assert [(each.text, each.line, note.text[each.offset :][:6]) for each in note.headings] == [("A head", 3, "A head")]
    assert [(link.kind, link.target, link.fragment, link.label, link.line) for link in note.links] == [
        (LinkKind.WIKILINK, "Note", "Part", "it", 4),
        (LinkKind.MARKDOWN, "b c.md", "", "x", 4),
    ]
    assert note.tags == ("tag",)


def test_a_rule_at_the_top_of_a_card_is_no_front_matter():
    note = read(card("a", "---\ntitle: x\n---\ntext"))
    assert note.title == "My board"
    assert "title: x" in note.text


def test_a_file_card_is_an_embed_with_its_part():
    note = read(
        {"id": "a", "type": "file", "file": "notes/Ünï note.md", "subpath": "#Head", "x": 0, "y": 0},
        {"id": "b", "type": "file", "file": "b.md", "subpath": "#^block", "x": 0, "y": 1},
        {"id": "c", "type": "file", "file": "", "x": 0, "y": 2},
        {"id": "d", "type": "file", "file": "c#.md", "x": 0, "y": 3},
    )
    assert [(link.kind, link.target, link.fragment, link.line) for link in note.links] == [
        (LinkKind.EMBED, "notes/Ünï note.md", "Head", 1),
        (LinkKind.EMBED, "b.md", "^block", 2),
        (LinkKind.EMBED, "c#.md", "", 3),
    ]
    assert note.text == "notes/Ünï note.md#Head\n\fb.md#^block\n\fc#.md"


def test_addresses_group_labels_and_arrow_labels_are_text():
    note = read(
        {"id": "g", "type": "group", "label": "The group", "x": -1, "y": -1},
        {"id": "h", "type": "group", "x": -1, "y": -1},
        {"id": "l", "type": "link", "url": "https://example.org/a", "x": 0, "y": 0},
        card("t", "end", y=5),
        edges=[
            {"id": "2", "fromNode": "l", "toNode": "t", "label": "second"},
            {"id": "1", "fromNode": "g", "toNode": "l", "label": " first\nline "},
            {"id": "3", "fromNode": "l", "toNode": "g"},
            {"id": "0", "fromNode": "gone", "toNode": "l", "label": "last"},
        ],
    )
    assert note.text == "The group\n\fhttps://example.org/a\n\fend\n\ffirst line\nsecond\nlast"
    assert [place.name for place in note.places] == ["card 1", "card 2", "card 3", "arrows"]
    assert note.links == ()


@pytest.mark.parametrize("data", [b"", b" \n", b"{}", b'{"nodes":[],"edges":[]}', b'{"edges":[]}', b"\xef\xbb\xbf{}"])
def test_an_empty_canvas_is_an_empty_note(data):
    note = read_canvas("x.canvas", data)
    assert (note.title, note.text, note.places, note.problems) == ("x", "", (), ())


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"# Note",
        b"[]",
        b"7",
        b'"text"',
        b'{"cells":[]}',
        b'{"nodes":{}}',
        b'{"nodes":[}',
        bytes(range(256)) * 4,
        b"[" * 200_000,
        b'{"nodes":' * 200_000,
        b'{"nodes":[' + b"{}," * 5_000_000 + b"{}]}",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_canvas_is_refused_with_a_sentence(data):
    with pytest.raises(NotText, match=r"^This .*\.$"):
        read_canvas("x.canvas", data)


@pytest.mark.parametrize(
    "digits", [b"9" * 5_000, b"-" + b"9" * 1_000_000, b"1e999", b"NaN", b"-Infinity", b"0." + b"9" * 99]
)
def test_a_number_of_any_length_is_a_place(digits):
    data = b'{"nodes":[{"type":"text","text":"a","id":"1","y":0},{"type":"text","text":"b","y":%s}]}' % digits
    assert sorted(read_canvas("x.canvas", data).text.split("\n\f")) == ["a", "b"]


def test_utf_16_and_control_characters_are_read():
    source = '{"nodes":[{"type":"text","text":"tab\there \\u0000 half \\ud800 é"}]}'
    for encoding in ("utf-8", "utf-16"):
        assert read_canvas("x.canvas", source.encode(encoding)).text == "tab\there   half \ufffd é"


WRONG = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["nodes", "edges", "type", "text", "file", "subpath", "id", "x", "y", "label", "fromNode"]),
            inner | st.sampled_from(["text", "file", "link", "group"]),
            max_size=5,
        )
    ),
)


@given(WRONG)
def test_any_json_gives_a_note_or_not_text(value):
    check(json.dumps(value).encode())
    check(json.dumps({"nodes": [value, {"type": value}], "edges": [value]}).encode())


@given(st.binary(max_size=200))
def test_arbitrary_bytes_give_a_note_or_not_text(data):
    check(data)


@given(st.data())
def test_a_damaged_file_gives_a_note_or_not_text(data):
    good = json.dumps({"nodes": [card("a", "[[x]] # y"), card("b", "é\ud83d\ude00")], "edges": []}).encode()
    broken = bytearray(good[: data.draw(st.integers(1, len(good)))])
    broken[data.draw(st.integers(0, len(broken) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    check(bytes(broken))


def check(data):
    try:
        note = read_canvas("x.canvas", data)
    except NotText as reason:
        assert str(reason).endswith(".")  # noqa: PT017 - either is right
        return
    note.text.encode()
    assert not note.places or note.places[0].offset == 0
