"""Word documents: text in the order it is read, headings, tables, links, and archives that nobody should trust."""

import datetime as dt
import io
import zipfile

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from hypothesis import given
from hypothesis import strategies as st

from core.notes.decoding import NotText
from core.notes.formats import docx_package, docx_text
from core.notes.formats.docx import read_docx
from core.notes.formats.parts import TOO_LONG

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def saved(document):
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def read(document):
    return read_docx("papers/My paper.docx", saved(document))


def archive(members, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def raw(body, styles="", namespace=W):
    """Return a document of this body's XML, with styles where they are given."""
    members = {"word/document.xml": f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'}
    if styles:
        members["word/_rels/document.xml.rels"] = (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'
        )
        members["word/styles.xml"] = f'<w:styles xmlns:w="{W}">{styles}</w:styles>'
    return archive(members)


def paragraph(text, properties=""):
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def add_hyperlink(paragraph, target, text, anchor=None):
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    if anchor:
        link.set(qn("w:anchor"), anchor)
    run, written = OxmlElement("w:r"), OxmlElement("w:t")
    written.text = text
    run.append(written)
    link.append(run)
    paragraph._p.append(link)


def small():
    document = docx.Document()
    document.add_heading("Head", 1)
    document.add_paragraph("Some text, and more of it.")
    return saved(document)


SMALL = small()


def test_headings_paragraphs_lists_and_tables_are_read_in_order():
    document = docx.Document()
    document.add_heading("The title", 0)
    document.add_heading("First", 1)
    document.add_paragraph("Grüße & more\tat a tab\nand a line")
    for item in ("one", "two"):
        document.add_paragraph(item, style="List Bullet")
    table = document.add_table(2, 2)
    table.cell(0, 0).text, table.cell(0, 1).text, table.cell(1, 1).text = "a", "b", "d\nd2"
    document.add_heading("Second", 2)
    note = read(document)
    assert note.text == ("The title\n\nFirst\n\nGrüße & more\tat a tab\nand a line\n\none\ntwo\na\tb\n\td d2\n\nSecond")
    lines = note.text.split("\n")
    assert [(each.level, each.text) for each in note.headings] == [(1, "The title"), (1, "First"), (2, "Second")]
    for heading in note.headings:
        assert lines[heading.line - 1] == heading.text
        assert note.text[heading.offset :].startswith(heading.text)
    assert [(place.offset, place.name) for place in note.places] == [(0, "document")]
    assert note.problems == ()


@pytest.mark.parametrize(
    ("property_", "headings", "title"),
    [
        ("Written by me", [("Head", 1)], "Written by me"),
        ("", [("Head", 1), ("The title", 0)], "The title"),
        ("", [("Head", 2), ("Other", 1)], "Head"),
        ("Word Document", [("Head", 1)], "Head"),
        ("Microsoft Word - x.doc", [], "My paper"),
        ("", [], "My paper"),
    ],
)
def test_the_title_is_the_best_that_a_person_wrote(property_, headings, title):
    document = docx.Document()
    document.core_properties.title = property_
    for text, level in headings:
        document.add_heading(text, level)
    assert read(document).title == title


def test_keywords_are_tags_and_the_date_is_that_of_its_making():
    document = docx.Document()
    properties = document.core_properties
    properties.keywords, properties.author, properties.subject = "bees; honey making, Bees", "Ada", "Keeping"
    properties.created = dt.datetime(2026, 1, 31, 23, 15)  # noqa: DTZ001 - as the library takes it
    note = read(document)
    assert note.tags == ("bees", "honey making")
    assert note.date == "2026-01-31"
    assert note.properties == {"author": "Ada", "subject": "Keeping", "keywords": "bees; honey making, Bees"}


def test_links_to_files_are_kept_and_addresses_are_not():
    document = docx.Document()
    document.add_paragraph("before")
    written = document.add_paragraph("see\n")
    add_hyperlink(written, "My%20other.docx", "the other")
    add_hyperlink(written, "..\\notes\\a.md", "a note", anchor="Part")
    add_hyperlink(written, "https://example.org/b.md", "out")
    add_hyperlink(written, "mailto:a@example.org", "mail")
    cell = document.add_table(1, 1).cell(0, 0).paragraphs[0]
    add_hyperlink(cell, "c.md", "cell")
    note = read(document)
    assert note.text == "before\n\nsee\nthe othera noteoutmail\n\ncell"
    assert [(link.kind.value, link.target, link.fragment, link.label, link.line) for link in note.links] == [
        ("markdown", "My other.docx", "", "the other", 4),
        ("markdown", "../notes/a.md", "Part", "a note", 4),
        ("markdown", "c.md", "", "cell", 6),
    ]


STYLES = (
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:styleId="Out"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>'
    '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>'
)


@pytest.mark.parametrize(
    ("properties", "level"),
    [
        ('<w:pStyle w:val="berschrift1"/>', 1),
        ('<w:pStyle w:val="Mine"/>', 1),
        ('<w:pStyle w:val="Out"/>', 3),
        ('<w:outlineLvl w:val="1"/>', 2),
        ('<w:pStyle w:val="Titel"/>', 1),
        ('<w:pStyle w:val="Heading4"/>', 4),  # of no style that the file has
        ('<w:pStyle w:val="Loop"/>', None),
        ('<w:pStyle w:val="Gone"/>', None),
        ('<w:outlineLvl w:val="9"/>', None),
        ("", None),
        ('<w:pPrChange><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr></w:pPrChange>', None),
    ],
)
def test_a_heading_is_known_by_its_style_in_any_language(properties, level):
    note = read_docx("x.docx", raw(paragraph("text", properties), STYLES))
    assert note.text == "text"
    assert [heading.level for heading in note.headings] == ([level] if level else [])


def test_each_document_is_read_by_its_own_styles_whatever_was_read_before():
    files = [
        raw(paragraph("text", '<w:pStyle w:val="A"/>'), f'<w:style w:styleId="A"><w:name w:val="{name}"/></w:style>')
        for name in ("heading 1", "heading 2", "Body", *(f"heading {level}" for level in range(3, 10)))
    ]
    levels = [[heading.level for heading in read_docx("x.docx", data).headings] for data in (*files, *files)]
    assert levels == [[1], [2], [], *([level] for level in range(3, 10))] * 2


def test_damaged_styles_are_told_each_time_they_are_met():
    data = raw(paragraph("text", '<w:pStyle w:val="A"/>'), '<w:style w:styleId="A"><w:name w:val="heading 2"/><broken')
    for _ in range(3):
        note = read_docx("x.docx", data)
        assert note.problems == ("A part of it is damaged and was left out: styles.xml.",)
        assert [heading.level for heading in note.headings] == [2]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del></w:p>", "a"),
        (f"<w:p><w:moveFrom>{paragraph('b')}</w:moveFrom><w:ins><w:r><w:t>a</w:t></w:r></w:ins></w:p>", "a"),
        ("<w:p><w:r><w:instrText>HYPERLINK x</w:instrText></w:r><w:r><w:t>a</w:t></w:r></w:p>", "a"),
        ("<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a"),
        ("<w:p><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t></w:r></w:p>", "a\u2011bc"),
        ("<w:p><w:r><w:t>wo</w:t></w:r><w:proofErr/><w:r><w:t>rd</w:t></w:r></w:p>", "word"),
        (f"<w:sdt><w:sdtContent>{paragraph('in a control')}</w:sdtContent></w:sdt>", "in a control"),
        (f"<w:p><w:r><w:t>out</w:t><w:txbxContent>{paragraph('box')}</w:txbxContent></w:r></w:p>", "box\n\nout"),
        (paragraph("") * 5 + paragraph("a"), "a"),
        (paragraph("a\nb&#13;&#10;c"), "a b  c"),
        (
            "<w:tbl><w:tr><w:tc>{}<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl></w:tc><w:tc>{}</w:tc></w:tr></w:tbl>".format(
                *map(paragraph, "abc")
            ),
            "a b\tc",
        ),
        (f"<w:tc>{paragraph('no row')}</w:tc>{paragraph('a')}", "a"),
        ("", ""),
    ],
)
def test_what_a_reader_sees_is_the_text(body, text):
    note = read_docx("x.docx", raw(body))
    assert note.text == text
    assert bool(note.places) == bool(text)


def test_the_strict_form_is_read():
    assert read_docx("x.docx", raw(paragraph("text"), namespace=STRICT)).text == "text"


def test_footnotes_come_last_and_a_damaged_one_is_told():
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/footnotes" Target="footnotes.xml"/></Relationships>'
    )
    members = {
        "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{paragraph("text")}</w:body></w:document>',
        "word/_rels/document.xml.rels": rels,
        "word/footnotes.xml": f'<w:footnotes xmlns:w="{W}"><w:footnote>{paragraph("foot")}</w:footnote></w:footnotes>',
    }
    assert read_docx("x.docx", archive(members)).text == "text\n\nfoot"
    note = read_docx("x.docx", archive(members | {"word/footnotes.xml": "<w:footnotes"}))
    assert (note.text, note.problems) == ("text", ("A part of it is damaged and was left out: footnotes.xml.",))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"# text", "no Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "encrypted"),
        (SMALL[:-50], "no Word document"),
        (archive({"a.txt": "text"}), "no Word document"),
        (archive({"word/document.xml": "<not closed"}), "no Word document"),
        (archive({"word/document.xml": '<a xmlns="x"/>'}), "but no Word document"),
        (archive({"word/document.xml": "<a/>"}, zipfile.ZIP_LZMA), "no Word document"),
        (raw(f"<w:p w:x='{' ' * 1_000_000}'/>"), "too long"),
        (raw("<w:p>" * 500 + "</w:p>" * 500), "nested"),
    ],
    # An archive says when it was made, which is no name for a test.
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_is_no_document_is_refused_with_a_sentence(data, reason):
    with pytest.raises(NotText, match=rf"^This .*{reason}.*\.$"):
        read_docx("x.docx", data)


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY e "&b;&b;&b;&b;">',
        '<!ENTITY e SYSTEM "file:///etc/hostname">',
        '<!ENTITY % e SYSTEM "http://127.0.0.1:9/x.dtd"> %e;',
    ],
)
def test_entities_are_never_read(declared):
    xml = f'<!DOCTYPE x [{declared}]><w:document xmlns:w="{W}"><w:body>{paragraph("&e;")}</w:body></w:document>'
    with pytest.raises(NotText, match="document type"):
        read_docx("x.docx", archive({"word/document.xml": xml}))


def test_a_bomb_is_refused_by_the_size_that_it_declares():
    data = raw(paragraph(" " * (docx_package.MAX_XML + 1)))
    assert len(data) < 1_000_000
    with pytest.raises(NotText, match="100 MB"):
        read_docx("x.docx", data)


def test_a_bomb_that_lies_about_its_size_is_refused_all_the_same(monkeypatch):
    monkeypatch.setattr(docx_package, "MAX_XML", 100_000)
    monkeypatch.setattr(docx_package, "_CHUNK", 10_000)
    data = raw(paragraph("x" * 200_000))
    size = len(f'<w:document xmlns:w="{W}"><w:body>{paragraph("x" * 200_000)}</w:body></w:document>')
    lie = data.replace(size.to_bytes(4, "little"), (1_000).to_bytes(4, "little"))
    assert lie != data
    with pytest.raises(NotText):
        read_docx("x.docx", lie)


def test_too_many_tags_are_refused(monkeypatch):
    monkeypatch.setattr(docx_package, "_MAX_TAGS", 1_000)
    with pytest.raises(NotText, match="too many"):
        read_docx("x.docx", raw("<w:p/>" * 1_000))


def test_text_beyond_the_limit_is_left_out_and_told(monkeypatch):
    monkeypatch.setattr(docx_text, "MAX_TEXT", 10)
    note = read_docx("x.docx", raw(paragraph("ten letter") + paragraph("more")))
    assert (note.text, note.problems) == ("ten letter", (TOO_LONG,))


@given(st.binary(max_size=200), st.booleans())
def test_arbitrary_bytes_give_a_note_or_not_text(data, as_part):
    check(archive({"word/document.xml": data}) if as_part else data)


@given(st.data())
def test_a_damaged_file_gives_a_note_or_not_text(data):
    whole = data.draw(st.booleans())
    broken = bytearray(SMALL if whole else SMALL[: data.draw(st.integers(1, len(SMALL)))])
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    check(bytes(broken))


@given(st.text(alphabet="<>/wptrc:=\"' &;", max_size=60))
def test_any_markup_gives_a_note_or_not_text(markup):
    check(raw(markup))


def check(data):
    try:
        note = read_docx("x.docx", data)
    except NotText as reason:
        assert str(reason).endswith(".")  # noqa: PT017 - either is right
        return
    note.text.encode()
