"""Logseq: properties of pages, journals, namespaces, and what it writes for itself."""

import pytest

from core.notes.formats.markdown import read_markdown


def read(text, **options):
    return read_markdown("folder/file.name.md", text, **options)


def test_logseq_page_properties_give_title_aliases_and_tags():
    note = read("title:: T\nalias:: x, [[y z]]\ntags:: [[a]]\nicon:: i\n\n- later:: no\n")
    assert (note.title, note.aliases, note.tags) == ("T", ("x", "y z"), ("a",))
    assert note.properties == {"title": "T", "alias": ["x", "y z"], "tags": ["a"], "icon": "i"}


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("- a\n  :LOGBOOK:\n  CLOCK: [2031-01-02 Thu 10:00:00]--[2031-01-02]\n  :END:\n- b\n", "a\n\n\n\nb\n"),
        ("- a\n  :LOGBOOK:\n  no end\n- b\n", "a\n:LOGBOOK:\nno end\nb\n"),
        ("- a\n  key:: value words\n  collapsed:: true\n", "a\nkey:: value words\n\n"),
        ("see ((62a1e8f0-1111-2222-3333-444455556666)) here\n", "see  here\n"),
        ("{{embed ((62a1e8f0-1111-2222-3333-444455556666))}}\n", "\n"),
        ("call f((x)) and ((62a1))\n", "call f((x)) and ((62a1))\n"),
        ("#[[multi word]] x\n", "multi word x\n"),
    ],
)
def test_what_logseq_writes_for_itself_is_no_text(source, plain):
    assert read(source).text == plain


@pytest.mark.parametrize(
    ("text", "title", "aliases", "tags", "properties"),
    [
        ("title:: x\nalias:: a, [[b]]\ntags:: x, [[y z]], #w\n\n- body", "x", ("a", "b"), ("x", "y z", "w"),
            {"title": "x", "alias": ["a", "b"], "tags": ["x", "y z", "w"]}),
        ("- title:: x\n  alias:: [[b, c]], d\n- key:: no\n", "x", ("b, c", "d"), (),
            {"title": "x", "alias": ["b, c", "d"], "key": "no"}),
        ("tags:: #a #[[b c]] #d\n", "file.name", (), ("a", "b c", "d"), {"tags": ["a", "b c", "d"]}),
        ("\n\nRating:: 5\nschlüssel:: [[v]]\n", "file.name", (), (), {"Rating": "5", "schlüssel": "[[v]]"}),
        ("alias::\ntags:: ,\nicon:: 🐘\n", "file.name", (), (), {"alias": [], "tags": [], "icon": "🐘"}),
        ("text first\nkey:: value\n", "file.name", (), (), {}),
        ("std::vector is\n", "file.name", (), (), {}),
        ("---\ntitle: F\n---\ntitle:: P\nk:: v\n", "F", (), (), {"title": "F", "k": "v"}),
    ],
)  # fmt: skip
def test_properties_at_the_very_start_are_the_notes(text, title, aliases, tags, properties):
    note = read(text)
    assert (note.title, note.aliases, sorted(note.tags)) == (title, aliases, sorted(tags))
    assert note.properties == properties


@pytest.mark.parametrize(
    ("path", "text", "title", "date"),
    [
        ("journals/2026_01_05.md", "- x", "2026-01-05", "2026-01-05"),
        ("graph/journals/2026-01-05.md", "", "2026-01-05", "2026-01-05"),
        ("journals/2026_01_05.md", "---\ndate: 2025-12-31\n---\n", "2026-01-05", "2025-12-31"),
        ("journals/2026_01_05.md", "date:: [[Jan 7th, 2026]]\n", "2026-01-05", "2026-01-07"),
        ("journals/2026_01_05.md", "# Monday\n", "Monday", "2026-01-05"),
        ("journals/2026_02_30.md", "", "2026_02_30", None),
        ("journals/2026_01_05 trip.md", "", "2026_01_05 trip", None),
        ("pages/2026_01_05.md", "", "2026_01_05", None),
        ("pages/a___b___c.md", "", "a/b/c", None),
        ("pages/a%2Fb.md", "", "a/b", None),
        ("pages/what%3F.md", "", "what?", None),
        ("pages/100%AB 5%20x.md", "", "100%AB 5%20x", None),
        ("pages/a___b.md", "title:: Own\n", "Own", None),
    ],
)
def test_journals_and_namespaces_name_and_date_a_page(path, text, title, date):
    note = read_markdown(path, text)
    assert (note.title, note.date) == (title, date)


def test_an_embed_of_logseq_is_an_embed():
    read_links = read("{{embed [[X]]}} {{ [[Y]]").links
    assert [(link.kind.value, link.target) for link in read_links] == [("embed", "X"), ("wikilink", "Y")]


def test_an_outline_indented_below_a_paragraph_is_not_code():
    note = read("type:: x\n\n\t- one [[a]] #t\n\t\t- two `[[no]]`\n\n\t\t  more [[b]]\n\n\tcode [[c]]\n")
    assert [(link.target, link.line) for link in note.links] == [("a", 3), ("b", 6), ("c", 8)]
    assert note.tags == ("t",)
    assert note.text.split("\n")[2:4] == ["one a #t", "two [[no]]"]
