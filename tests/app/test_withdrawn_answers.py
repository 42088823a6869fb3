"""An answer from before a note became private is dropped, and asked for again."""

from app import cli_search
from core.index.indexer import update_index
from tests.app.private_folders import write_file

LATER = 1_700_000_100


def test_an_answer_whose_notes_become_private_meanwhile_is_asked_for_again(cli, own_index, monkeypatch):
    options = ("--folder", own_index.folder, "--home", own_index.home, "--no-meaning")
    assert cli("search", "tasks", *options).code == 0
    asked: list[int] = []
    real = cli_search.search

    def search_meanwhile(reader, *arguments, **options):
        result = real(reader, *arguments, **options)
        asked.append(result.total)
        if len(asked) == 1:
            write_file(own_index.folder / "overdue.md", "---\nprivate: true\n---\nx", LATER)
            (index_file,) = own_index.home.glob("indexes/*/index.db")
            update_index(own_index.folder, index_file)
        return result

    monkeypatch.setattr(cli_search, "search", search_meanwhile)
    answer = cli("search", "tasks", *options, "--no-update")
    assert len(asked) == 2
    assert asked[0] > asked[1]
    assert "overdue.md" not in answer.out


def test_answers_of_a_list_of_queries_fall_together_when_a_note_becomes_private(cli, own_index, monkeypatch, tmp_path):
    options = ("--folder", own_index.folder, "--home", own_index.home, "--no-meaning")
    assert cli("search", "tasks", *options).code == 0
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"id": 1, "text": "tasks"}\n{"id": 2, "text": "nothing of it"}\n')
    asked: list[str] = []
    real = cli_search.search

    def search_meanwhile(reader, encoder, request, **options):
        if len(asked) == 1:  # the first query has its answer already
            write_file(own_index.folder / "overdue.md", "---\nprivate: true\n---\nx", LATER)
            (index_file,) = own_index.home.glob("indexes/*/index.db")
            update_index(own_index.folder, index_file)
        asked.append(request.query.text)
        return real(reader, encoder, request, **options)

    monkeypatch.setattr(cli_search, "search", search_meanwhile)
    answer = cli("search", "--queries", queries, *options, "--no-update", "--format", "json")
    assert asked == ["tasks", "nothing of it"] * 2
    assert len(answer.out.splitlines()) == 2
    assert "overdue.md" not in answer.out
