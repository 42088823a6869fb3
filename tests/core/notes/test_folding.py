"""The folding rule: what is equal, that folding twice changes nothing, and that every position finds its way back."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.notes.folding import fold, fold_with_map

# Any code point, lone surrogates too, and often the ones that combine.
anything = st.text(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from(
            "aeoSsIiıİßﬁŉй\u0301\u0308\u0327\u0345\u034f\u200d\u00ad\u3099\u309a\uff9eかハｶᄒ\u1161\u11abㄱㅏ각\u093cक"
        ),
        st.sampled_from("\r\n\u2028\x85\xa0\u2019´ʼ\u2011\0\ud83d\ude00שָׁמُآ\u0640\ufe71\u0e34ท"),
    )
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("we’ll", "we'll"),
        ("weʼll", "we'll"),
        ("don´t", "don't"),
        ("alpha\u00a0beta", "alpha beta"),
        ("alpha\u3000beta", "alpha beta"),
        ("Crème brûlée", "creme brulee"),
        ("Été", "ete"),
        ("almoço", "almoco"),
        ("účel", unicodedata.normalize("NFD", "účel")),
        ("한국어", unicodedata.normalize("NFD", "한국어")),
        ("が", unicodedata.normalize("NFD", "が")),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("İptal", "iptal"),
        ("Işık", "ışık"),
        ("Işık", "isik"),
        ("МОСКВА", "москва"),
        ("йод", "иод"),
        ("ёлка", "елка"),
        ("ΟΔΥΣΣΕΎΣ", "οδυσσευς"),
        ("ΐ", "ι"),
        ("ᾳ", "α\u0345"),
        ("Straße", "STRASSE"),
        ("ﬁnal ﬂow", "final flow"),
        ("Ærøskøbing", "aeroskobing"),
        ("Łódź", "lodz"),
        ("Đà Nẵng", "da nang"),
        ("non\u2011stop – now", "non-stop - now"),
        ("Donau\u00addampf\u200bschiff", "donaudampfschiff"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("❤\ufe0f", "❤"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("２０３１", "2031"),
    ],
)
def test_spellings_of_one_word_are_equal(left, right):
    assert fold(left) == fold(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("か", "が"), ("は", "ぱ"), ("ที", "ท"), ("कि", "क"), ("क", "कं"), ("a-b", "ab"), ("we're", "were"), ("o", "0")],
)
def test_marks_that_are_letters_keep_words_apart(left, right):
    assert fold(left) != fold(right)


def test_newlines_stay_newlines_and_other_spaces_become_plain():
    assert fold("a\r\nb\tc\vd\u2028e\x85f\0g") == "a \nb c d e f g"


@pytest.mark.parametrize(
    ("text", "folded", "span"),
    [
        ("Crème brûlée", "brulee", (6, 12)),
        ("Cre\u0300me bru\u0302le\u0301e", "brulee", (7, 15)),
        ("die Straße hier", "strasse", (4, 10)),
        ("x 😀\u0301 İptal", "iptal", (5, 10)),
        ("ein Wör\u00adter\u00adbuch da", "worterbuch", (4, 16)),
        ("一行\r\n二行", "二行", (4, 6)),
        ("ﬁn", "i", (0, 1)),
    ],
)
def test_a_match_in_folded_text_is_marked_exactly_in_the_original(text, folded, span):
    mapped = fold_with_map(text)
    start = mapped.text.index(folded)
    assert mapped.original_span(start, start + len(folded)) == span


@given(anything)
def test_folding_with_a_map_gives_the_same_text(text):
    assert fold_with_map(text).text == fold(text)


@given(anything)
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(anything)
def test_folded_text_can_be_encoded_and_holds_no_nul(text):
    assert b"\0" not in fold(text).encode()


@given(anything, anything)
def test_folding_agrees_on_canonically_equal_texts(left, right):
    composed = unicodedata.normalize("NFC", left + right)
    assert fold(composed) == fold(unicodedata.normalize("NFD", composed))


@given(anything)
def test_every_span_leads_back_within_the_text_in_order_and_never_to_nothing(text):
    mapped = fold_with_map(text)
    ends = 0
    for position in range(len(mapped.text)):
        start, end = mapped.original_span(position, position + 1)
        assert 0 <= start < end <= len(text)
        assert end >= ends
        ends = end
        # What a span leads back to folds to something that holds what it came from.
        assert mapped.text[position] in fold(text[start:end])
    starts = [mapped.original_span(position, len(mapped.text))[0] for position in range(len(mapped.text))]
    assert starts == sorted(starts)
    if mapped.text:
        assert mapped.original_span(0, len(mapped.text))[1] == len(text)


def test_every_character_that_may_begin_a_segment_folds_alone():
    seconds = {
        int(parts[1], 16)
        for code in range(0x20000)
        if len(parts := unicodedata.decomposition(chr(code)).split()) == 2 and not parts[0].startswith("<")
    } | {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}
    # Ideographs and whole syllables are all alike; one of each kind stands for the rest.
    alike = {*range(0x3401, 0x4DC0), *range(0x4E01, 0xA000), *range(0xAC02, 0xD7A4), *range(0xD801, 0xF900)}
    wrong = []
    for code in range(0x80, 0x1FB00):
        folded = fold(chr(code))
        if code in alike or (folded and not unicodedata.combining(folded[0]) and ord(folded[0]) not in seconds):
            continue
        if fold_with_map("a" + chr(code)).original_span(0, 1) == (0, 1):
            wrong.append(hex(code))
    assert wrong == []
