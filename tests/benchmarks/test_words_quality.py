"""How well the words leg finds what people asked for, beside FTS5's own unicode61 over the same documents.

Judged queries from ../shared/datasets; where a set is missing its test is skipped. Every n-th query is asked, so that
at most 300 are, spread over the file. Set TRISKEL_BENCH_VARIANTS=1 to compare other weights of word forms too.
"""

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import apsw
import pytest

from core.index.indexer import update_index
from core.index.reader import Reader
from core.search import terms
from core.search.results import Ranking
from core.search.search import SearchRequest, find_words

SETS = ("xquad-zh", "xquad-de", "dendron-links", "locomo", "cranfield", "stackfaq")
MOST_QUERIES = 300
DEPTH = 10

VARIANTS = {
    "as it is: forms 0.6, inside 0.5": {},
    "forms off": {"forms": False},
    "forms 0.4": {"FORM_WEIGHT": 0.4},
    "forms 1.0": {"FORM_WEIGHT": 1.0},
    "inside off": {"SHORTEST_INSIDE": 10_000},
    "inside 0.25": {"INSIDE_WEIGHT": 0.25},
    "inside 1.0": {"INSIDE_WEIGHT": 1.0},
    "forms and inside off": {"forms": False, "SHORTEST_INSIDE": 10_000},
}
"""Constants of `core.search.terms`, and `forms` of the request."""

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A document, and the file that it becomes."""

    path: str
    title: str
    text: str

    @property
    def markdown(self) -> str:
        """The document as a note: its title stands in front matter, where it has one."""
        if not self.title or self.text.startswith("---"):
            return self.text
        return f"---\ntitle: {json.dumps(self.title, ensure_ascii=False)}\n---\n\n{self.text}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A query, the grades (above 0) of the documents that answer it by path, and its answer where one is known."""

    text: str
    grades: dict[str, float]
    answer: str


@dataclass(frozen=True, slots=True)
class DataSet:
    """Documents and the queries that are asked of them, out of `judged` that there are."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Judged, ...]
    judged: int


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over queries: of hit@1, recall@10 and nDCG@10."""

    hit: float
    recall: float
    ndcg: float

    def __str__(self) -> str:
        return f"{self.hit:.3f} / {self.recall:.3f} / {self.ndcg:.3f}"


@dataclass
class Indexed:
    """A set, Triskel's index of it, and a plain FTS5 table of the same documents."""

    data: DataSet
    file: Path
    reader: Reader
    plain: "PlainWords"


class PlainWords:
    """FTS5 as it comes: unicode61 over title and body, any of the query's words, BM25, equal ones by path."""

    def __init__(self, documents: tuple[Document, ...]) -> None:
        self._connection = apsw.Connection(":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE document USING fts5(path UNINDEXED, title, body)")
        self._connection.executemany(
            "INSERT INTO document VALUES (?, ?, ?)", ((one.path, one.title, one.text) for one in documents)
        )
        self._tokenizer = self._connection.fts5_tokenizer("unicode61")

    def close(self) -> None:
        self._connection.close()

    def best(self, text: str) -> list[str]:
        """Return the paths of the first documents."""
        words = self._tokenizer(text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
        quoted = dict.fromkeys(f'"{word}"' for places in words for word in places)
        if not quoted:
            return []
        sql = "SELECT path FROM document WHERE document MATCH ? ORDER BY bm25(document), path LIMIT ?"
        return [path for (path,) in self._connection.execute(sql, (" OR ".join(quoted), DEPTH))]


@pytest.fixture(scope="module", params=SETS)
def indexed(request, shared, tmp_path_factory) -> Iterator[Indexed]:
    folder = shared / "datasets" / request.param
    if not (folder / "corpus.jsonl").is_file():
        pytest.skip(f"needs ../shared/datasets/{request.param}, seen from the project's root")
    data = read_data_set(folder)
    notes, file = tmp_path_factory.mktemp("notes"), tmp_path_factory.mktemp("index") / "index.db"
    for document in data.documents:
        target = notes / document.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(document.markdown, encoding="utf-8")
    report = update_index(notes, file)
    assert report.notes == len(data.documents)
    reader, plain = Reader(file), PlainWords(data.documents)
    yield Indexed(data, file, reader, plain)
    plain.close()
    reader.close()


def test_judged_queries_beside_unicode61(indexed, table):
    data = indexed.data
    ours = quality(data.queries, [best(indexed.reader, one.text) for one in data.queries])
    theirs = quality(data.queries, [indexed.plain.best(one.text) for one in data.queries])
    group = "Words leg: hit@1 / recall@10 / nDCG@10; floor: FTS5's own unicode61"
    name = f"{data.name}, {len(data.queries)} of {data.judged:,} queries, {len(data.documents):,} notes"
    table.add(group, name, str(ours), str(theirs))
    assert theirs.recall > 0
    if data.name.startswith("xquad-"):
        assert ours.recall >= theirs.recall


@pytest.mark.parametrize("length", [1, 2])
def test_short_chinese_words_are_found_inside_running_text(indexed, table, length):
    if indexed.data.name != "xquad-zh":
        pytest.skip("for the Chinese set alone")
    words = [word for one in indexed.data.queries if len(word := short_word(one, length)) == length]
    # Of a question, which stands in for an answer without Chinese, the first word may be in no document.
    in_documents = {
        word: {one.path for one in indexed.data.documents if word in one.title or word in one.text} for word in words
    }
    asked = [word for word in words if in_documents[word]]
    holding = [in_documents[word] for word in asked]
    assert len(asked) > len(words) / 2
    found = {
        "measured": [best(indexed.reader, word) for word in asked],
        "floor": [indexed.plain.best(word) for word in asked],
    }
    at_all, of_ten = (
        {name: fmean(share(list(zip(lists, holding, strict=True)))) for name, lists in found.items()}
        for share in (_found_at_all, _found_of_ten)
    )
    group = "Chinese words of one and two characters, from answers, else questions; floor: FTS5's own unicode61"
    table.add(
        group,
        f"{length} character{'s' * (length > 1)}, {len(asked)} queries: a note with it is in the first ten",
        f"{at_all['measured']:.3f}",
        f"{at_all['floor']:.3f}",
    )
    table.add(
        group, "  of the notes with it, ten at most, found", f"{of_ten['measured']:.3f}", f"{of_ten['floor']:.3f}"
    )
    assert at_all["measured"] >= at_all["floor"]


@pytest.mark.skipif(not os.environ.get("TRISKEL_BENCH_VARIANTS"), reason="TRISKEL_BENCH_VARIANTS is not set")
def test_other_weights_of_forms_and_of_words_inside_others(indexed, table, monkeypatch):
    queries = indexed.data.queries
    for name, changes in VARIANTS.items():
        forms = changes.get("forms", True)
        # What a reader remembers of a query was made with the weights of before.
        reader = Reader(indexed.file)
        with monkeypatch.context() as changed:
            for constant, value in changes.items():
                if constant != "forms":
                    changed.setattr(terms, constant, value)
            found = [best(reader, one.text, forms=forms) for one in queries]
        reader.close()
        table.add(
            f"Other weights, {indexed.data.name}: hit@1 / recall@10 / nDCG@10", name, str(quality(queries, found))
        )
        assert any(found)


def best(reader: Reader, text: str, *, forms: bool = True) -> list[str]:
    """Return the paths of the first notes that the words leg finds."""
    reader.begin()
    outcome = find_words(reader, SearchRequest(text, forms=forms))
    reader.end()
    return [note.path for note in outcome.notes[:DEPTH]] if isinstance(outcome, Ranking) else []


def read_data_set(folder: Path) -> DataSet:
    """Return the documents of a set, and every n-th of its queries that a document answers."""
    documents, path_by_id = [], {}
    for one in _rows(folder / "corpus.jsonl"):
        path = one["id"] if one["id"].endswith(".md") else f"{one['id']}.md"
        path_by_id[one["id"]] = path
        documents.append(Document(path, one.get("title", ""), one["text"]))
    grades: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, grade = line.split("\t")
        if float(grade) > 0:
            grades.setdefault(query, {})[path_by_id[document]] = float(grade)
    judged = [
        Judged(one["text"], grades[one["id"]], one.get("answer") or "")
        for one in _rows(folder / "queries.jsonl")
        if one["id"] in grades
    ]
    step = math.ceil(len(judged) / MOST_QUERIES)
    return DataSet(folder.name, tuple(documents), tuple(judged[::step]), len(judged))


def quality(queries: tuple[Judged, ...], found: list[list[str]]) -> Quality:
    """Return the means over all queries, those that found nothing included."""
    pairs = [(one.grades, paths[:DEPTH]) for one, paths in zip(queries, found, strict=True)]
    return Quality(
        fmean(bool(paths and paths[0] in grades) for grades, paths in pairs),
        fmean(len(grades.keys() & set(paths)) / len(grades) for grades, paths in pairs),
        fmean(ndcg(grades, paths) for grades, paths in pairs),
    )


def ndcg(grades: dict[str, float], paths: list[str]) -> float:
    """Return nDCG@10 with the grades as gains (Järvelin and Kekäläinen, 2002)."""
    gained = sum(grades.get(path, 0.0) / math.log2(place + 2) for place, path in enumerate(paths[:DEPTH]))
    ideal = sorted(grades.values(), reverse=True)[:DEPTH]
    return gained / sum(grade / math.log2(place + 2) for place, grade in enumerate(ideal))


def short_word(query: Judged, length: int) -> str:
    """Return the first characters of the first Chinese run of the answer, of the question where it has none."""
    run = _HAN.search(query.answer) or _HAN.search(query.text)
    return run[0][:length] if run else ""


def _found_at_all(pairs: list[tuple[list[str], set[str]]]) -> list[float]:
    return [float(not holding.isdisjoint(paths)) for paths, holding in pairs]


def _found_of_ten(pairs: list[tuple[list[str], set[str]]]) -> list[float]:
    return [len(holding.intersection(paths)) / min(DEPTH, len(holding)) for paths, holding in pairs]


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
