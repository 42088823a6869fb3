"""How a query and the documents that answer it relate as texts: who holds the answer, and which words are shared.

Depends on an index reader, whose words and counts are used. Everything is compared folded, by the one folding rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from core.evaluation.datasets import DataSet, JudgedQuery
from core.index.reader import Reader
from core.index.tokens import is_unspaced
from core.notes.folding import fold


class Overlap(StrEnum):
    """How many of a query's words its answer holds."""

    NONE = "none"
    UNDER_HALF = "under half"
    REST = "rest"


class AnswerTexts:
    """The texts of a data set, asked about one query at a time; each is folded and cut into words once."""

    def __init__(self, data_set: DataSet, reader: Reader) -> None:
        self._document_by_id = {document.id: document for document in data_set.documents}
        self._reader = reader
        self._notes = reader.coverage().notes
        self._folded: dict[str, str] = {}
        self._words: dict[tuple[str, bool], frozenset[str]] = {}

    def holds_answer(self, query: JudgedQuery, documents: Iterable[str]) -> bool | None:
        """Return whether title or text of one of some documents holds an answer as whole words; None without answers.

        Scripts without spaces have no whole words: there any place counts.
        """
        answers = [folded for answer in query.answers if (folded := _in_one_line(fold(answer)))]
        if not answers:
            return None
        return any(_holds(self._text(document), answer) for document in documents for answer in answers)

    def overlap(self, query: JudgedQuery) -> Overlap:
        """Return how much of the query stands in a document that answers it: the set's own figure where it has one.

        It is the share of the query's words that the document with most of them holds, in title or text. Words in more
        than half of the notes tell nothing and do not count.
        """
        if query.overlap is not None:
            return _class_of(query.overlap)
        return self._shared(query, titles_only=False)

    def title_overlap(self, query: JudgedQuery) -> Overlap:
        """Return the same for the titles of the documents that answer; a set without titles has none."""
        return self._shared(query, titles_only=True)

    def _shared(self, query: JudgedQuery, *, titles_only: bool) -> Overlap:
        asked = {word for word in self._cut(query.text) if self._is_telling(word)}
        if not asked:
            return Overlap.NONE
        shares = (len(asked & self._words_of(document, titles_only)) / len(asked) for document in query.grades)
        return _class_of(max(shares))

    def _words_of(self, document: str, titles_only: bool) -> frozenset[str]:
        key = document, titles_only
        if key not in self._words:
            known = self._document_by_id[document]
            text = known.title if titles_only else f"{known.title}\n{known.text}"
            self._words[key] = frozenset(self._cut(text))
        return self._words[key]

    def _cut(self, text: str) -> set[str]:
        return {word.folded for word in self._reader.tokenizer.words(text)}

    def _is_telling(self, word: str) -> bool:
        held = self._reader.connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (word,)).get
        return 2 * (held or 0) <= self._notes

    def _text(self, document: str) -> str:
        if document not in self._folded:
            known = self._document_by_id[document]
            self._folded[document] = _in_one_line(fold(f"{known.title}\n{known.text}"))
        return self._folded[document]


def _class_of(share: float) -> Overlap:
    if share == 0:
        return Overlap.NONE
    return Overlap.UNDER_HALF if share < 0.5 else Overlap.REST


def _holds(text: str, answer: str) -> bool:
    place = text.find(answer)
    while place >= 0:
        end = place + len(answer)
        if not _joined(text[place - 1 : place + 1]) and not _joined(text[end - 1 : end + 1]):
            return True
        place = text.find(answer, place + 1)
    return False


def _joined(pair: str) -> bool:
    """Return whether two neighbouring characters belong to one word; at the ends of a text there are not two."""
    return len(pair) == 2 and all(character.isalnum() and not is_unspaced(character) for character in pair)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
