"""From bytes to text: encodings by mark, by shape and by guess; what is no text; and that nothing else is raised."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.decoding import NotText, decode, normalise_newlines

GERMAN = "Größe und Länge – „schön“\r\nzweite Zeile\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (GERMAN.encode(), GERMAN, "utf-8"),
        (b"\xef\xbb\xbf" + GERMAN.encode(), GERMAN, "utf-8"),
        (b"\xff\xfe" + GERMAN.encode("utf-16-le"), GERMAN, "utf-16-le"),
        (b"\xfe\xff" + GERMAN.encode("utf-16-be"), GERMAN, "utf-16-be"),
        (b"\xff\xfe\0\0" + GERMAN.encode("utf-32-le"), GERMAN, "utf-32-le"),
        (GERMAN.encode("utf-16-le"), GERMAN, "utf-16-le"),
        (GERMAN.encode("utf-16-be"), GERMAN, "utf-16-be"),
    ],
)
def test_unicode_is_read_without_a_problem(data, text, encoding):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.problem) == (text, encoding, None)


def test_a_short_western_text_is_windows_1252_and_says_so():
    decoded = decode("Größe – „schön“".encode("cp1252"))
    assert decoded.text == "Größe – „schön“"
    assert decoded.problem == "It is not UTF-8; it was read as Windows-1252."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4, "cp1251"),
        ("日本語のノートを読みます。今日は良い天気ですね。" * 6, "cp932"),
    ],
)
def test_older_encodings_are_guessed_and_told(text, encoding):
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.problem is not None


def test_bytes_that_fit_nothing_are_replaced_and_told():
    decoded = decode(b"plain \x81\x8d\x8f\x90\x9d text")
    assert decoded.text.startswith("plain ")
    assert decoded.problem is not None


def test_one_wrong_byte_in_utf_8_does_not_spoil_the_rest():
    decoded = decode(("Größe für Bäume, schön über Öl " * 5).encode() + b"\xff und mehr\n")
    assert decoded.encoding == "utf-8"
    assert decoded.text.endswith("Öl \ufffd und mehr\n")
    assert decoded.problem == "Some of its bytes are not valid UTF-8; they are shown as \ufffd."


def test_single_nuls_become_spaces_so_that_no_position_moves():
    assert decode(b"one\0two\nthree four five six").text == "one two\nthree four five six"


@pytest.mark.parametrize(
    "data",
    [bytes(range(256)) * 20, b"\x89PNG\r\n\x1a\n" + bytes(200), b"\x7fELF" + bytes(range(32)) * 8 + b"text" * 20],
)
def test_binary_data_is_refused_with_a_sentence(data):
    with pytest.raises(NotText, match="binary data, not text"):
        decode(data)


@given(st.one_of(st.binary(max_size=300), st.text().map(lambda text: text.encode("utf-16-le", "surrogatepass"))))
def test_nothing_but_not_text_is_ever_raised(data):
    try:
        decoded = decode(data)
    except NotText:
        return
    assert "\0" not in decoded.text
    decoded.text.encode()


@given(st.text(st.sampled_from("a\r\n\u2028\x85 ")))
def test_each_line_break_of_three_kinds_becomes_one_newline(text):
    lines = text.encode().splitlines(keepends=True)
    breaks = sum(line.endswith((b"\r", b"\n")) for line in lines)
    assert normalise_newlines(text).count("\n") == breaks
