"""Reading and cutting whole real vaults; skipped where they are not at hand."""

import re

import pytest

from core.index.link_graph import LinkResolver, NamedNote
from core.notes.decoding import decode, normalise_newlines
from core.notes.folder import scan_folder
from core.notes.passages import MAX_LENGTH, cut_passages
from core.notes.reading import read_note


@pytest.fixture
def notes(vault):
    def read(name):
        root = vault(name)
        scan = scan_folder(root)
        assert scan.problems == ()
        return [(data, read_note(file.path, data)) for file in scan.files for data in [(root / file.path).read_bytes()]]

    return read


def test_all_of_kepano_is_read_and_each_template_is_one_problem(notes):
    read = [note for _, note in notes("kepano")]
    assert len(read) == 103
    problems = [note.problems for note in read if note.problems]
    assert len(problems) == 28
    assert all(len(each) == 1 and each[0].startswith("Its front matter could not") for each in problems)
    assert any(note.links for note in read if note.problems)


@pytest.mark.parametrize(("name", "count"), [("logseq-docs", 318), ("dendron-site", 1016), ("mint-wiki-de", 1015)])
def test_nearly_every_wikilink_outside_code_is_found_on_its_line(notes, name, count):
    read = [(data, note) for data, note in notes(name) if note.path.endswith((".md", ".txt"))]
    assert len(read) == count
    found = written = 0
    for data, note in read:
        source = normalise_newlines(decode(data).text)
        assert note.text.count("\n") == source.count("\n")
        outside_code = re.sub(r"(```|~~~).*?\1|`[^`\n]*`", "", source, flags=re.DOTALL)
        written += len(re.findall(r"\[\[[^\[\]\n]+\]\]", outside_code))
        lines = source.split("\n")
        for link in note.links:
            if link.kind != "markdown":
                found += 1
                assert link.target.split()[0] in lines[link.line - 1]
    assert found > 1000
    assert 0.97 <= found / written <= 1.03


@pytest.mark.parametrize(
    ("name", "resolved", "unresolved"),
    [("kepano", 86, 123), ("logseq-docs", 1071, 1127), ("mint-wiki-de", 1460, 224), ("dendron-site", 2995, 149)],
)
def test_links_of_real_notes_mean_real_notes(notes, name, resolved, unresolved):
    # What is left leads to pages never written, to pictures and other files that are no notes.
    read = [note for _, note in notes(name)]
    resolver = LinkResolver(NamedNote(number, note.path, note.title, note.aliases) for number, note in enumerate(read))
    links = [(note.path, link) for note in read if note.path.endswith(".md") for link in note.links]
    found = [resolver.resolve(path, link.kind, link.target).note for path, link in links]
    missing = found.count(None)
    assert len(found) - missing >= resolved
    assert missing <= unresolved


@pytest.mark.parametrize("name", ["logseq-docs", "dendron-site", "kepano"])
def test_passages_hold_every_word_once(notes, name):
    for _, note in notes(name):
        passages = cut_passages(note)
        assert "".join("".join(passage.text.split()) for passage in passages) == "".join(note.text.split())
        assert all(len(passage.text) <= MAX_LENGTH for passage in passages)


def test_dendron_labels_stand_in_the_text_and_targets_do_not(notes):
    for _, note in notes("dendron-site"):
        lines = note.text.split("\n")
        for link in note.links:
            if link.kind == "wikilink" and link.label:
                assert " ".join(link.label.split()) in lines[link.line - 1], (note.path, link)
                assert not link.target.startswith("dendron://")
