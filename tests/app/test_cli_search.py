"""`triskel search`: the result object, the formats, the legs, and the index that it answers from."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest
from filelock import FileLock
from jsonschema import Draft202012Validator

from app.paths import places
from core.export import CSV_COLUMNS

TOP_KEYS = ["query", "mode", "formula", "fingerprint", "total", "message", "filters", "legs", "results"]


@pytest.fixture(scope="session")
def schema(project):
    return Draft202012Validator(json.loads((project / "resources/result.schema.json").read_text("utf-8")))


@pytest.fixture
def ask(cli, indexed):
    """Return a function that searches the shared index as it is."""

    def call(query, *options):
        return cli("search", "--folder", indexed.folder, "--home", indexed.home, "--no-update", query, *options)

    return call


@pytest.fixture
def ask_json(ask, schema):
    """Return a function that searches and gives the JSON object, held against its schema."""

    def call(query, *options):
        answer = ask(query, "--format", "json", *options)
        assert answer.code == 0, answer.err
        result = json.loads(answer.out)
        schema.validate(result)
        assert list(result)[: len(TOP_KEYS)] == TOP_KEYS
        return result

    return call


def outputs(project, folder, home, query, seeds=("0", "1", "4242")):
    """Search in one process a hash seed, all at once, and return what each wrote."""
    asked = [sys.executable, "-m", "app", "search", query, "--folder", str(folder), "--home", str(home),
             "--format", "json"]  # fmt: skip
    started = [
        subprocess.Popen(asked, cwd=project, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE)
        for seed in seeds
    ]
    written = [process.communicate(timeout=50)[0] for process in started]
    assert [process.returncode for process in started] == [0] * len(seeds)
    return written


def test_three_processes_with_different_hash_seeds_write_the_same_bytes(project, indexed, schema):
    first, *others = outputs(project, indexed.folder, indexed.home, "overdue tasks query")
    assert others == [first, first]
    result = json.loads(first)
    schema.validate(result)
    assert result["mode"] == "hybrid"
    assert all(leg["state"] == "ran" and leg["notes"] for leg in result["legs"].values())
    assert all(any(hit["ranks"][leg] for hit in result["results"]) for leg in result["legs"])


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["logseq-docs", "dendron-site", "kepano"])
def test_a_real_vault_gives_the_same_bytes_in_three_processes(project, vault, schema, tmp_path, name):
    folder, home = vault(name), tmp_path / "home"
    made = subprocess.run(
        [sys.executable, "-m", "app", "index", str(folder), "--home", str(home), "--json"],
        cwd=project, capture_output=True, check=True,
    )  # fmt: skip
    report = json.loads(made.stdout)
    assert report["embedded"] == report["passages"]
    if name == "kepano":
        problems = [(each["path"], each["reason"]) for each in report["problems"]]
        assert (report["notes"], report["skipped"]) == (103, 0)
        assert len({path for path, _ in problems}) == len(problems) == 28
    first, *others = outputs(project, folder, home, "how do I query for overdue tasks")
    assert others == [first, first]
    result = json.loads(first)
    schema.validate(result)
    if name == "logseq-docs":
        assert result["mode"] == "hybrid"
        assert all(any(hit["ranks"][leg] for hit in result["results"]) for leg in result["legs"])


@pytest.mark.parametrize(
    "options, mode, states",
    [
        (["--legs", "words"], "words", ["ran", "skipped", "skipped"]),
        (["--legs", "meaning"], "meaning", ["skipped", "ran", "skipped"]),
        (["--legs", "links"], "links", ["skipped", "skipped", "ran"]),
        (["--legs", "links", "--no-meaning"], "links", ["skipped", "skipped", "ran"]),
        (["--legs", "links,words"], "words", ["ran", "skipped", "ran"]),
        (["--legs", "Meaning, links"], "meaning", ["skipped", "ran", "ran"]),
        (["--legs", "words,meaning"], "hybrid", ["ran", "ran", "skipped"]),
        (["--no-meaning"], "words", ["ran", "skipped", "ran"]),
        (["--legs", "meaning", "--no-meaning"], "none", ["skipped", "skipped", "skipped"]),
    ],
)
def test_the_mode_is_never_more_generous_than_the_legs_that_may_speak(ask_json, options, mode, states):
    result = ask_json("overdue tasks", *options)
    assert result["mode"] == mode
    assert [leg["state"] for leg in result["legs"].values()] == states
    for name, leg in result["legs"].items():
        assert (leg["reason"] == "switched off") == (leg["state"] == "skipped")
        ranks = [hit["ranks"][name] for hit in result["results"]]
        assert any(ranks) == (leg["state"] == "ran")


def test_links_alone_shows_no_seed_that_no_other_seed_links_to(ask_json):
    found = {hit["path"]: hit for hit in ask_json("overdue", "--legs", "links", "--no-meaning")["results"]}
    assert set(found) == {"queries.md", "calendar.md"}
    assert {step["path"] for hit in found.values() for step in hit["links_from"]} == {"overdue.md"}


def test_the_keys_are_the_same_with_no_results(ask_json):
    some, none = ask_json("tasks", "--no-meaning"), ask_json("zzyzx", "--no-meaning")
    assert some["results"]
    assert (none["results"], none["total"], none["mode"]) == ([], 0, "none")
    assert list(none) == list(some)
    assert {leg: list(of) for leg, of in none["legs"].items()} == {leg: list(of) for leg, of in some["legs"].items()}


def test_timings_add_timings_and_nothing_else(ask_json):
    plain, timed = ask_json("tasks", "--no-meaning"), ask_json("tasks", "--no-meaning", "--timings")
    assert list(timed) == [*TOP_KEYS, "timings"]
    assert set(timed.pop("timings")) == {"update", "model", "search"}
    assert timed == plain


def test_timings_of_the_text_format_stand_on_stderr(ask):
    plain, timed = ask("tasks", "--no-meaning"), ask("tasks", "--no-meaning", "--timings")
    assert timed.out == plain.out
    assert timed.err.startswith("triskel: update ")


def test_the_limit_cuts_the_list_and_not_the_total(ask_json):
    whole = ask_json("tasks query journal", "--no-meaning")
    for limit in (0, 1, 2):
        cut = ask_json("tasks query journal", "--no-meaning", "--limit", limit)
        assert cut["total"] == whole["total"] > 2
        assert cut["results"] == whole["results"][:limit]


def test_csv_with_no_results_is_its_header(ask):
    assert ask("zzyzx", "--no-meaning", "--format", "csv").out == ",".join(CSV_COLUMNS) + "\r\n"


def test_csv_rows_are_those_of_json_and_no_title_runs(ask, ask_json):
    rows = list(csv.DictReader(io.StringIO(ask("tasks", "--no-meaning", "--format", "csv").out, newline="")))
    hits = ask_json("tasks", "--no-meaning")["results"]
    assert [int(row["rank"]) for row in rows] == [hit["rank"] for hit in hits]
    titles = {hit["path"]: hit["title"] for hit in hits}
    assert titles["=1+1.md"] == "=1+1"
    assert "'=1+1" in {row["title"] for row in rows}
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


def test_markdown_names_each_note(ask):
    answer = ask("soup", "--no-meaning", "--format", "markdown")
    assert answer.code == 0
    assert "cooking/soup.md" in answer.out


def test_text_names_the_mode_each_leg_and_with_explain_the_why(ask):
    plain = ask("overdue", "--no-meaning").out
    assert "mode words, formula evidence+share/v1" in plain
    assert "meaning  skipped: switched off" in plain
    explained = ask("overdue", "--no-meaning", "--explain").out
    assert len(explained.splitlines()) > len(plain.splitlines())
    assert set(plain.splitlines()) <= set(explained.splitlines())


def test_output_goes_to_the_file_and_stdout_stays_empty(ask, tmp_path):
    target = tmp_path / "found.csv"
    answer = ask("tasks", "--no-meaning", "--format", "csv", "--output", target)
    assert (answer.code, answer.out) == (0, "")
    assert target.read_bytes().decode("utf-8") == ask("tasks", "--no-meaning", "--format", "csv").out
    assert list(tmp_path.iterdir()) == [target]


def test_an_existing_output_file_is_not_replaced(ask, tmp_path):
    target = tmp_path / "mine.json"
    target.write_text("mine", "utf-8")
    answer = ask("tasks", "--no-meaning", "--format", "json", "--output", target)
    assert (answer.code, answer.out) == (1, "")
    assert "already exists and was left as it is" in answer.err
    assert target.read_text("utf-8") == "mine"


def test_search_brings_the_index_up_to_date_first(cli, own_index):
    asked = ("--folder", own_index.folder, "--home", own_index.home, "--no-meaning", "--format", "json")
    assert json.loads(cli("search", "onions", *asked).out)["total"] == 1
    (own_index.folder / "new.md").write_text("# Onions again\n", "utf-8")
    (own_index.folder / "cooking/soup.md").unlink()
    found = json.loads(cli("search", "onions", *asked).out)
    assert [hit["path"] for hit in found["results"]] == ["new.md"]


def test_no_update_answers_from_the_index_as_it_is(cli, own_index):
    asked = ("--folder", own_index.folder, "--home", own_index.home, "--no-meaning", "--format", "json")
    before = cli("search", "onions", *asked)
    (own_index.folder / "new.md").write_text("# Onions again\n", "utf-8")
    assert cli("search", "onions", *asked, "--no-update").out == before.out


def test_no_update_without_an_index_is_a_sentence(cli, own_index, tmp_path):
    answer = cli("search", "onions", "--folder", own_index.folder, "--home", own_index.home, "--no-update")
    assert (answer.code, answer.out) == (1, "")
    assert "no index yet" in answer.err
    answer = cli("search", "onions", "--folder", tmp_path / "nowhere", "--home", own_index.home, "--no-update")
    assert answer.code == 1
    assert "There is no folder" in answer.err
    assert not own_index.home.exists()


def test_while_another_process_writes_the_answer_is_from_what_it_has_stored(cli, own_index):
    asked = ("search", "onions", "--folder", own_index.folder, "--home", own_index.home, "--no-meaning")
    before = cli(*asked)
    (own_index.folder / "new.md").write_text("# Onions again\n", "utf-8")
    with FileLock(places(own_index.home).index_file(own_index.folder).with_suffix(".lock")):
        answer = cli(*asked)
    assert (answer.code, answer.out) == (0, before.out)
    assert answer.err == (
        "triskel: Another Triskel is indexing this folder. The answer is from what it has stored so far.\n"
    )
    assert "new.md" in cli(*asked).out


@pytest.fixture
def queries(ask, tmp_path):
    """Return a function that writes a file of queries and asks them."""

    def call(content, *options):
        file = tmp_path / "queries.jsonl"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return ask("--queries", file, "--format", "json", "--no-meaning", *options)

    return call


def test_queries_are_answered_a_line_each_with_their_id_first(queries, ask_json, schema):
    answer = queries('{"id": "q1", "text": "tasks"}\n{"text": "zzyzx", "id": 2, "more": 1}\n{"id": "ü", "text": ""}\n')
    assert answer.code == 0, answer.err
    lines = [json.loads(line) for line in answer.out.splitlines()]
    assert [line["id"] for line in lines] == ["q1", 2, "ü"]
    for line in lines:
        schema.validate(line)
        assert list(line) == ["id", *TOP_KEYS]
    first = dict(lines[0])
    del first["id"]
    assert first == ask_json("tasks", "--no-meaning")
    assert lines[2]["results"] == []


def test_a_file_of_no_queries_is_answered_with_nothing(queries):
    answer = queries("")
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_a_file_of_queries_may_start_with_a_byte_order_mark_and_end_its_lines_like_windows(queries):
    answer = queries(b'\xef\xbb\xbf{"id": 1, "text": "tasks"}\r\n{"id": 2, "text": "soup"}\r\n')
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == [1, 2]


@pytest.mark.parametrize(
    "line",
    ["", "tasks", '["q", "tasks"]', '{"id": 1}', '{"id": 1, "text": 2}', '{"id": true, "text": "x"}',
     '{"id": null, "text": "x"}', '{"id": 1.5, "text": "x"}', "[" * 100_000, b'{"id": 1, "text": "\xff"}'],
    ids=["empty", "no JSON", "a list", "no text", "text no string", "id a bool", "id null", "id a fraction", "deep",
         "no UTF-8"],
)  # fmt: skip
def test_a_bad_line_of_queries_is_named_and_nothing_is_answered(queries, line):
    line = line if isinstance(line, bytes) else line.encode()
    answer = queries(b'{"id": 1, "text": "tasks"}\n' + line + b'\n{"id": 3, "text": "soup"}\n')
    assert (answer.code, answer.out) == (2, "")
    assert "Line 2 of" in answer.err
    assert answer.err.count("\n") == 1


def test_a_missing_file_of_queries_is_a_stated_failure(ask, tmp_path):
    answer = ask("--queries", tmp_path / "nowhere.jsonl", "--format", "json")
    assert (answer.code, answer.out) == (1, "")
    assert "could not be read" in answer.err
