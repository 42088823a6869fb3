"""From bytes to text: encodings by mark, by shape and by guess; what is no text; and that nothing else is raised."""

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.decoding import NotText, decode, normalise_newlines

GERMAN = "Größe und Länge – „schön“\r\nzweite Zeile\n"

WIDE = (
    "Привет, мир: это заметка о море.\n",
    "日本語のメモ。\n今日は良い天気ですね。\n",
    "中文笔记和全文搜索。\n",
    "오늘은 날씨가 좋습니다.\n",
    "Καλημέρα κόσμε\n",
    "שלום עולם\n",
    "สวัสดี ชาวโลก\n",
    "🐘 слон 🐘\n",
)
UTF_16 = ("utf-16-le", "utf-16-be")


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
        (b"\0\0\xfe\xff" + GERMAN.encode("utf-32-be"), GERMAN, "utf-32-be"),
        (GERMAN.encode("utf-32-le"), GERMAN, "utf-32-le"),
        (GERMAN.encode("utf-32-be"), GERMAN, "utf-32-be"),
        *((text.encode(encoding), text, encoding) for text in WIDE for encoding in UTF_16),
        (b"\xef\xbb\xbf", "", "utf-8"),
        (b"\xff\xfe", "", "utf-16-le"),
        ("日本語\n".encode(), "日本語\n", "utf-8"),
        ("🐘 e\u0301 \u200d".encode(), "🐘 e\u0301 \u200d", "utf-8"),
        (b"a\x1b[31m\n", "a\x1b[31m\n", "utf-8"),
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
    ("text", "encodings"),
    [
        ("Größe und Länge – „schön“, naïve café für 5 €. " * 3, ("cp1252",)),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń. " * 4, ("cp1250",)),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4, ("cp1251", "koi8_r")),
        ("Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί. " * 4, ("cp1253",)),
        ("דג סקרן שט בים מאוכזב ולפתע מצא לו חברה. " * 5, ("cp1255",)),
        ("نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر. " * 5, ("cp1256",)),
        ("今天天气很好，我们去公园散步。数据库索引和全文搜索的笔记。" * 6, ("gb18030", "gbk")),
        ("今天天氣很好，我們去公園散步。資料庫索引和全文搜尋的筆記。" * 6, ("big5",)),
        ("日本語のノートを読みます。今日は良い天気ですね。" * 6, ("cp932", "shift_jis", "euc_jp")),
        ("오늘은 날씨가 아주 좋습니다. 우리는 공원에서 산책을 했습니다. " * 6, ("euc_kr", "cp949")),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_older_encodings_are_guessed_and_told(text, encodings, newline):
    written = newline.join([text, text])
    for encoding in encodings:
        decoded = decode(written.encode(encoding))
        assert decoded.text == written, encoding
        assert decoded.problem is not None
        assert decoded.problem.startswith("It is not UTF-8; it was read as ")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"ab\0cd and more", "ab cd and more"),
        ("日本\0語".encode(), "日本 語"),
        ("Größe\0 und Länge".encode("cp1252"), "Größe  und Länge"),
        (b"\0" + b"words " * 20, " " + "words " * 20),
    ],
)
def test_a_nul_in_a_text_does_not_make_it_utf_16(data, text):
    assert decode(data).text == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_bytes_cut_off_at_the_end_cost_one_character(encoding):
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0"}
    decoded = decode((marks.get(encoding, b"") + ("Größe für Bäume, schön über Öl " * 3 + "ä").encode(encoding))[:-1])
    assert decoded.text == "Größe für Bäume, schön über Öl " * 3 + "\ufffd"
    assert decoded.problem is not None


def test_a_wide_text_may_be_cut_anywhere_by_the_sample():
    text = "Привет 🐘 мир\n" * 12_000
    for shift in ("", "a", "ab"):
        for encoding in (*UTF_16, "utf-32-le", "utf-32-be"):
            assert decode((shift + text).encode(encoding)).text == shift + text, encoding


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
    [
        bytes(range(256)) * 20,
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"\x7fELF" + bytes(range(32)) * 8 + b"text" * 20,
        bytes(4_000),
        b"".join(number.to_bytes(4, "little") for number in range(3_000)),
        b"".join(number.to_bytes(2, "big") for number in range(3_000)),
        zlib.compress(random.Random(1).randbytes(20_000)),
        b"PK\x03\x04" + random.Random(2).randbytes(5_000),
        b"SQLite format 3\0" + bytes(3_000),
        # packed so well that hardly a control character is left
        b"PK\x03\x04\x14   \x08 u(" + b"\xec\xc1 nearly text " * 2_000,
        b"\x1f\x8b\x08 " + b"\xec\xc1 nearly text " * 2_000,
    ],
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
