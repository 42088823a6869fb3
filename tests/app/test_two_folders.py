"""One folder with private notes and one that never had them: everything that is published of both is equal."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.paths import built_in_model, places
from core.export import to_json
from core.index.indexer import needs_update, update_index
from core.index.reader import Reader
from core.search.results import Leg
from core.search.search import SearchRequest, search
from tests.app.private_folders import indexed, published, result_of, write_folder

PRIVATE = "---\nprivate: true\n---\n"
FILLERS = {f"filler{number}.md": " ".join(f"filler{number}x{place}" for place in range(30)) for number in range(12)}

VISIBLE = {
    "garden/tomatoes.md": "# Tomatoes\n\nWater them early. See [[compost]] and [[diary/march]] and [[Operation]].\n",
    "garden/compost.md": "---\ntags: [garden]\n---\n# Compost\n\nTurn the heap in autumn, good for tomatoes.\n",
    "work/plan.md": "The plan for autumn: [[tomatoes]], [the surgeon](../health/surgeon.md), ![[scan.png]].\n",
    "work/todo.txt": "Water the heap, call the surgeon.\n",
    "photo.png": "no note",
    **FILLERS,
}
HIDDEN = {
    "diary/march.md": "# March\n\nTomatoes tomatoes tomatoes, and [[compost]]. Nobody should read this. #tomatoes\n",
    "diary/autumn.md": "Autumn autumn autumn heap heap.\n",
    "diary/heap.png": "a picture",
    "diary/broken.pdf": "no PDF at all",
    "health/surgeon.md": PRIVATE + "# Operation\n\nThe surgeon, the heap, the autumn. [[compost]] [[tomatoes]]\n",
    "health/blood.md": "Blood, tomatoes, autumn. #private/health\n",
    "water.md": "---\naliases: [compost]\ntags: [Private]\n---\n# Compost\n\nWater water heap.\n",
    "chosen.md": "Autumn plan for the heap. #Money/tax\n",
}
RULES = {".triskelprivate": "diary/\ntag: money\n"}
QUERIES = (
    "tomatoes",
    "autumn heap",
    "surgeon",
    "Operation",
    "water",
    "compost",
    "heap autumn water tomatoes",
    "tag:private",
    "tag:garden",
    "path:diary",
    "tomatoe",
    "scan.png",
    "heap.png",
    "nobody should read this",
    '"call the surgeon"',
)


def both(tmp_path: Path, visible: dict[str, str], hidden: dict[str, str]) -> tuple[Path, Path]:
    """Index a folder with the private notes and one without; return the two index files."""
    files = []
    for name, texts in (("with", {**visible, **hidden}), ("without", visible)):
        files.append(tmp_path / name / "home" / "index.db")
        indexed(write_folder(tmp_path / name / "notes", texts), files[-1])
    return files[0], files[1]


def paths(index_file: Path, query: str, leg: Leg) -> list[str]:
    return [hit.path for hit in result_of(index_file, query, [leg]).hits]


def revealed(tmp_path: Path, texts: dict[str, str]) -> Path:
    """Index a folder with its private notes taken for notes like any other."""
    number = len(list(tmp_path.glob("revealed*")))
    index_file = tmp_path / f"revealed{number}" / "home" / "index.db"
    indexed(write_folder(tmp_path / f"revealed{number}" / "notes", texts), index_file, reveal=True)
    return index_file


def test_all_output_is_that_of_a_folder_without_the_private_notes(tmp_path):
    with_them, without = both(tmp_path, {**VISIBLE, **RULES}, HIDDEN)
    assert published(with_them, QUERIES) == published(without, QUERIES)


def test_what_indexing_says_is_that_of_a_folder_without_them(tmp_path):
    said = [
        indexed(write_folder(tmp_path / name / "notes", texts), tmp_path / name / "index.db")
        for name, texts in (("with", {**VISIBLE, **RULES, **HIDDEN}), ("without", {**VISIBLE, **RULES}))
    ]
    assert said[0] == said[1]


def test_the_index_holds_neither_names_nor_texts_of_private_notes(tmp_path):
    with_them, _ = both(tmp_path, {**VISIBLE, **RULES}, HIDDEN)
    stored = b"".join(file.read_bytes() for file in with_them.parent.iterdir())
    for trace in (b"Nobody", b"nobody", b"march.md", b"surgeon.md\0", b"Blood", b"blood", b"chosen.md", b"broken.pdf"):
        assert trace not in stored


def test_an_unchanged_folder_of_private_notes_needs_no_update(tmp_path):
    with_them, _ = both(tmp_path, {**VISIBLE, **RULES}, HIDDEN)
    folder = tmp_path / "with" / "notes"
    assert not needs_update(folder, with_them, "words")
    (folder / "health" / "blood.md").unlink()
    assert needs_update(folder, with_them, "words")


# That the fixtures can fail ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leg", "query", "private"),
    [
        (Leg.WORDS, "autumn heap", "diary/autumn.md"),
        (Leg.WORDS, "heap.png", "diary/heap.png"),
        (Leg.MEANING, "autumn heap", "diary/autumn.md"),
        (Leg.LINKS, "tomatoes", "diary/march.md"),
    ],
)
def test_without_withholding_the_private_note_stands_in_each_leg(tmp_path, leg, query, private):
    with_them, _ = both(tmp_path, {**VISIBLE, **RULES}, HIDDEN)
    assert private in paths(revealed(tmp_path, {**VISIBLE, **RULES, **HIDDEN}), query, leg)[:50]
    assert private not in paths(with_them, query, leg)


def idf_fixture(shared: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return visible notes, of which one holds the shared word, and private ones that all do."""
    common = " ".join(f"common{place}" for place in range(20))
    visible = {"x.md": f"amber {common}", "y.md": f"{shared} {common}", "z.md": "amber too", "w.md": "amber else"}
    return {**visible, **FILLERS}, {f"p{number}.md": f"{PRIVATE}birch secret{number}" for number in range(8)}


def first_of(index_file: Path, query: str, *among: str) -> str:
    return next(path for path in paths(index_file, query, Leg.WORDS) if path in among)


def test_a_private_note_would_turn_two_visible_ones_round_by_how_rare_a_word_is(tmp_path):
    visible, hidden = idf_fixture("birch")
    with_them, without = both(tmp_path, visible, hidden)
    assert first_of(without, "amber birch", "x.md", "y.md") == "y.md"
    assert first_of(revealed(tmp_path, {**visible, **hidden}), "amber birch", "x.md", "y.md") == "x.md"
    assert published(with_them, ["amber birch"]) == published(without, ["amber birch"])


def test_it_turns_nothing_round_once_no_visible_note_holds_the_word(tmp_path):
    visible, hidden = idf_fixture("cherry")
    _, without = both(tmp_path, visible, hidden)
    orders = [
        [path for path in paths(file, "amber cherry", Leg.WORDS) if path in visible]
        for file in (without, revealed(tmp_path, {**visible, **hidden}))
    ]
    assert orders[0] == orders[1]


def test_a_private_note_would_turn_two_visible_ones_round_by_its_length_alone(tmp_path):
    visible = {
        "x.md": "cedar " + " ".join(f"one{place}" for place in range(8)),
        "y.md": "cedar cedar " + " ".join(f"two{place}" for place in range(45)),
        **FILLERS,
    }
    short = {"p.md": PRIVATE + "qqz"}
    long = {"p.md": PRIVATE + " ".join(f"qqz{place}" for place in range(20_000))}
    files = [revealed(tmp_path, {**visible, **hidden}) for hidden in (short, long)]
    counts = []
    for file in files:
        reader = Reader(file)
        reader.begin()
        counts.append(reader.coverage().notes)
        reader.close()
    assert counts[0] == counts[1]
    assert not any("qqz" in text for text in visible.values())
    assert [first_of(file, "cedar", "x.md", "y.md") for file in files] == ["x.md", "y.md"]
    with_them, without = both(tmp_path, visible, long)
    assert published(with_them, ["cedar"]) == published(without, ["cedar"])


def test_a_filter_between_the_legs_and_fusion_would_lose_visible_notes(tmp_path):
    visible = {**{f"v{number}.md": f"maple and {number} more words here" for number in range(5)}, **FILLERS}
    hidden = {f"p{number:02}.md": f"{PRIVATE}maple maple maple" for number in range(60)}
    with_them, without = both(tmp_path, visible, hidden)
    everything = revealed(tmp_path, {**visible, **hidden})
    for leg in (Leg.WORDS, Leg.MEANING):
        assert not set(paths(everything, "maple", leg)) & set(visible)
        assert set(paths(with_them, "maple", leg)) >= {"v0.md", "v4.md"}
    assert published(with_them, ["maple"]) == published(without, ["maple"])


def test_a_private_seed_would_bring_another_note_in_by_its_links(tmp_path):
    visible = {"a.md": "walnut alone", "target.md": "nothing of it", **FILLERS}
    hidden = {"p.md": PRIVATE + "walnut [[target]]", "q.md": PRIVATE + "walnut [[a]]"}
    with_them, without = both(tmp_path, visible, hidden)
    assert "target.md" in paths(revealed(tmp_path, {**visible, **hidden}), "walnut", Leg.LINKS)
    assert "target.md" not in paths(with_them, "walnut", Leg.LINKS)
    assert published(with_them, ["walnut"]) == published(without, ["walnut"])


# Random folders ------------------------------------------------------------------------------------------------------

WORDS = ("oak", "elm", "ash", "fir", "yew", "oaken", "private")
NAMES = ("a", "b", "c", "d", "e")
bodies = st.lists(st.sampled_from([*WORDS, *(f"[[{name}]]" for name in NAMES), "#green", "![[pic.png]]"]), max_size=12)
kinds = st.sampled_from(["plain", "plain", "plain", "property", "tag", "chosen"])
places_ = st.sampled_from(["", "sub/", "diary/", "diary/deep/"])
notes = st.dictionaries(st.tuples(places_, st.sampled_from(NAMES)), st.tuples(kinds, bodies), max_size=9)


def text_of(kind: str, words: list[str]) -> str:
    body = " ".join(words)
    match kind:
        case "property":
            return f"{PRIVATE}{body}"
        case "tag":
            return f"---\ntags: [x, private]\naliases: [oak]\n---\n{body}"
        case "chosen":
            return f"{body} #secret/one"
    return body


@given(drawn=notes)
@settings(max_examples=25)
def test_any_folder_publishes_what_it_would_without_its_private_notes(tmp_path_factory, drawn):
    visible = {".triskelprivate": "/diary/\ntag:secret\n"}
    hidden = {}
    for (place, name), (kind, words) in drawn.items():
        is_private = kind != "plain" or place.startswith("diary/")
        (hidden if is_private else visible)[f"{place}{name}.md"] = text_of(kind, words)
    hidden["diary/pic.png"] = "x"
    base = tmp_path_factory.mktemp("random")
    with_them, without = both(base, visible, hidden)
    queries = ["oak", "elm ash", "fir yew private", "tag:green oak", "a", "pic"]
    assert published(with_them, queries) == published(without, queries)


# With the real model -------------------------------------------------------------------------------------------------


def test_with_the_real_model_all_output_is_that_of_a_folder_without_them(tmp_path, own_home):
    model = built_in_model(places(own_home), threads=2)
    encoder = model.load()
    answers = []
    for name, texts in (("with", {**VISIBLE, **RULES, **HIDDEN}), ("without", {**VISIBLE, **RULES})):
        folder = write_folder(tmp_path / name / "notes", texts)
        index_file = tmp_path / name / "index.db"
        update_index(folder, index_file, model)
        reader = Reader(index_file)
        answers.append([to_json(search(reader, encoder, SearchRequest(query))) for query in QUERIES])
        reader.close()
    assert answers[0] == answers[1]
