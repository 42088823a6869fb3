"""`triskel evaluate`: what it prints and writes, that a second run is cheap and equal, and what it refuses."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app import evaluation_index
from core.search.fusion import DEFAULT_FORMULA, FORMULAS

DOCUMENTS = (
    {"id": "bread", "title": "Rye bread", "text": "Feed the starter with rye flour at noon. See [[oven]]."},
    {"id": "oven", "title": "The oven", "text": "It needs twenty minutes until it is hot enough for loaves."},
    {"id": "../outside", "title": "", "text": "The ferry leaves at seven and takes bicycles."},
    {"id": "PEAS", "title": "Peas", "text": "Sow peas in March, two fingers deep."},
    {"id": "peas", "title": "Pea soup", "text": "Soak the split ones overnight and add an onion."},
)
QUERIES = (
    {"id": "q1", "text": "how do I keep a sourdough alive", "answer": "at noon"},
    {"id": "q2", "text": "cycling on the ship", "answer": "seven"},
    {"id": "q3", "text": "onion soup"},
)
QRELS = "q1\tbread\t1\nq2\t../outside\t1\nq3\tpeas\t1\n"


@pytest.fixture(scope="session")
def data_set(tmp_path_factory) -> Path:
    return write_set(tmp_path_factory.mktemp("sets") / "small")


def write_set(folder: Path, **parts: str) -> Path:
    folder.mkdir()
    texts = {
        "corpus.jsonl": "".join(json.dumps(row) + "\n" for row in DOCUMENTS),
        "queries.jsonl": "".join(json.dumps(row) + "\n" for row in QUERIES),
        "qrels.tsv": QRELS,
        **parts,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="session")
def measured_home(data_set, triskel, tmp_path_factory) -> Path:
    """A home in which the small set is indexed, with vectors. Tests share it."""
    home = tmp_path_factory.mktemp("measured") / "home"
    answer = triskel("evaluate", data_set, "--home", home)
    assert answer.code == 0, answer.err
    return home


def rows(answer) -> dict[str, dict]:
    return {row["formula"]: row for row in json.loads(answer.out)["rows"]}


def test_the_table_goes_to_stdout_and_messages_to_stderr(cli, data_set, measured_home):
    answer = cli("evaluate", data_set, "--home", measured_home)
    assert answer.code == 0
    assert "hit@1" in answer.out.splitlines()[0]
    for name in ("small", f"{DEFAULT_FORMULA} (default)", *FORMULAS, "words alone", "meaning alone", "links alone"):
        assert name in answer.out
    assert answer.err == "triskel: small: 5 notes, 3 queries\n"


def test_json_names_the_default_and_has_a_row_for_each_set_and_formula(cli, data_set, measured_home):
    answer = cli("evaluate", data_set, "--home", measured_home, "--json", "-", "--formulas", "default", "--k", "20,40")
    value = json.loads(answer.out)
    assert value["default"] == DEFAULT_FORMULA
    found = rows(answer)
    assert {DEFAULT_FORMULA, "rrf/k=20/v1", "rrf/k=40/v1", "words", "meaning", "links"} == set(found)
    for row in found.values():
        assert (row["dataset"], row["queries"]) == ("small", 3)
        assert all(0 <= row[name] <= 1 for name in ("hit@1", "recall@5", "recall@10", "mrr@10", "ndcg@10"))
    # In other words than the notes': only meaning can find these two.
    assert found["meaning"]["hit@1"] == 1.0
    assert found["words"]["hit@1"] < 1.0
    assert "timings" not in value


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_equal_runs_give_equal_bytes_whatever_the_hash_seed(triskel, data_set, measured_home, cli, seed):
    options = ("evaluate", data_set, "--home", measured_home, "--json", "-", "--formulas", "all")
    other = triskel(*options, env={"PYTHONHASHSEED": seed})
    assert other.code == 0
    assert other.out == cli(*options).out


def test_another_home_gives_the_same_figures(cli, data_set, measured_home, tmp_path):
    options = ("evaluate", data_set, "--json", "-")
    first, second = (cli(*options, "--home", home) for home in (measured_home, tmp_path / "other"))
    assert first.out == second.out


def test_a_second_run_neither_indexes_nor_loads_the_model(cli, data_set, measured_home, monkeypatch):
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("this was done before")

    monkeypatch.setattr("app.evaluation_index.index_folder", refuse)
    monkeypatch.setattr("core.index.embedding.ModelLoader.load", refuse)
    assert cli("evaluate", data_set, "--home", measured_home).code == 0


def test_another_set_of_the_same_documents_uses_their_vectors(cli, data_set, measured_home, tmp_path, monkeypatch):
    def refuse(*_arguments: object) -> None:
        raise AssertionError("this was done before")

    monkeypatch.setattr("app.evaluation_index.index_folder", refuse)
    other = write_set(tmp_path / "renamed", **{"queries.jsonl": '{"id": "q1", "text": "when are peas sown"}\n'})
    answer = cli("evaluate", other, "--home", measured_home, "--json", "-")
    assert rows(answer)["meaning"]["queries"] == 1


def test_an_index_under_other_rules_keeps_the_vectors(cli, data_set, measured_home, tmp_path, monkeypatch):
    home = tmp_path / "home"
    assert cli("evaluate", data_set, "--home", home).code == 0
    monkeypatch.setattr("app.evaluation_index.RULES", "other rules")
    reports = []
    real = evaluation_index.index_folder
    monkeypatch.setattr(evaluation_index, "index_folder", lambda job: reports.append(real(job)) or reports[-1])
    assert cli("evaluate", data_set, "--home", home).code == 0
    # A new name alone: the copy under it holds everything already.
    assert [(report.added, report.embedded, report.notes) for report in reports] == [(0, reports[0].passages, 5)]
    assert len(list(home.glob("evaluation/*/index-*.db"))) == 2


def test_nothing_is_written_outside_the_home_whatever_the_ids_say(measured_home):
    (folder,) = measured_home.glob("evaluation/*/notes")
    assert len(list(folder.rglob("*.md"))) == len(DOCUMENTS)
    assert not list(measured_home.glob("evaluation/*/outside*"))
    assert not list(measured_home.glob("evaluation/outside*"))


def test_a_repository_that_ignores_markdown_hides_no_note_of_a_set(cli, data_set, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.md\n", "utf-8")
    answer = cli("evaluate", data_set, "--home", tmp_path / "home", "--no-meaning", "--json", "-")
    assert rows(answer)["words"]["recall@10"] > 0


def test_without_meaning_no_vector_is_made_and_the_mode_is_words(cli, data_set, tmp_path):
    answer = cli("evaluate", data_set, "--home", tmp_path / "home", "--no-meaning", "--json", "-")
    assert answer.code == 0
    found = rows(answer)
    assert "meaning" not in found
    assert {row["mode"] for row in found.values()} == {"words", "links"}
    assert {row["embedded"] for row in found.values()} == {0.0}


def test_files_are_written_whole_and_never_replaced(cli, data_set, measured_home, tmp_path):
    files = [tmp_path / name for name in ("out.json", "out.html", "out.jsonl")]
    options = ("--json", files[0], "--report", files[1], "--per-query", files[2])
    answer = cli("evaluate", data_set, "--home", measured_home, *options)
    assert answer.code == 0
    assert "words alone" in answer.out
    assert json.loads(files[0].read_text("utf-8"))["default"] == DEFAULT_FORMULA
    assert files[1].read_text("utf-8").startswith("<!DOCTYPE html>")
    assert {json.loads(line)["query"] for line in files[2].read_text("utf-8").splitlines()} == {"q1", "q2", "q3"}
    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in files}
    before = [file.read_bytes() for file in files]
    for option in (options[:2], options[2:4], options[4:]):
        again = cli("evaluate", data_set, "--home", measured_home, *option)
        assert again.code == 2
        assert f"{option[1]} already exists and is not replaced" in again.err
    assert [file.read_bytes() for file in files] == before


def test_the_report_leaves_nothing_in_the_users_own_folders(cli, data_set, measured_home, tmp_path, own_home):
    cli("evaluate", data_set, "--home", measured_home, "--report", tmp_path / "out.html")
    left = [path for path in own_home.parent.rglob("*") if path.is_file()]
    assert left == []


def test_times_are_printed_only_where_they_are_asked_for(cli, data_set, measured_home):
    answer = cli("evaluate", data_set, "--home", measured_home, "--json", "-", "--timings")
    times = json.loads(answer.out)["timings"]
    assert all(0 < row["p50_ms"] <= row["p95_ms"] for row in times if row["formula"] == DEFAULT_FORMULA)


def test_fewer_queries_are_spread_over_the_set(cli, data_set, measured_home):
    answer = cli("evaluate", data_set, "--home", measured_home, "--json", "-", "--limit-queries", "2")
    assert rows(answer)["words"]["queries"] == 2


def test_sets_of_the_same_name_are_told_apart(cli, data_set, measured_home, tmp_path):
    other = write_set(tmp_path / "small")
    answer = cli("evaluate", data_set, other, data_set, "--home", measured_home, "--json", "-")
    names = list(dict.fromkeys(row["dataset"] for row in json.loads(answer.out)["rows"]))
    assert names == [f"{data_set.parent.name}/small", f"{tmp_path.name}/small", f"{data_set.parent.name}/small (2)"]


def test_judgements_of_what_is_not_there_are_told(cli, measured_home, tmp_path):
    folder = write_set(tmp_path / "loose", **{"qrels.tsv": QRELS + "q1\tgone\t1\n"})
    answer = cli("evaluate", folder, "--home", measured_home)
    assert answer.code == 0
    assert "loose: 1 judgement left out" in answer.err


def test_documents_that_are_no_text_are_told(cli, tmp_path):
    documents = [{"id": "a", "text": "rye bread"}, {"id": "b", "text": "\0\1\2\3 rye" * 200}]
    corpus = "".join(json.dumps(row) + "\n" for row in documents)
    folder = write_set(tmp_path / "binary", **{"corpus.jsonl": corpus, "qrels.tsv": "q1\ta\t1\nq2\tb\t1\n"})
    answer = cli("evaluate", folder, "--home", tmp_path / "home", "--no-meaning", "--json", "-")
    assert answer.code == 0
    assert "binary: 1 document could not be read as a note" in answer.err
    assert rows(answer)["words"]["queries"] == 2


def test_the_gate_prints_a_record_and_takes_an_earlier_run(cli, data_set, measured_home, tmp_path):
    answer = cli("evaluate", data_set, "--home", measured_home, "--gate", "rrf/k=20/v1")
    assert answer.code == 0
    assert answer.out.startswith(f"# rrf/k=20/v1 against {DEFAULT_FORMULA}\n\n**rrf/k=20/v1 is not adopted.**")
    assert "| small | words | 3 |" in answer.out
    before = tmp_path / "before.jsonl"
    cli("evaluate", data_set, "--home", measured_home, "--per-query", before, "--modes", "words,meaning,hybrid")
    again = cli("evaluate", data_set, "--home", measured_home, "--gate", "default", "--against", before)
    assert again.code == 0
    assert f"{DEFAULT_FORMULA} against {DEFAULT_FORMULA} before the change" in again.out
    assert "## Every fall\n\nNone.\n" in again.out


@pytest.mark.parametrize(
    "options, said",
    [
        (("--formulas", "rrf/k=0/v1"), "There is no formula “rrf/k=0/v1”"),
        (("--formulas", ","), "names no formula"),
        (("--k", "20,x"), "whole numbers"),
        (("--k", "0"), "whole numbers"),
        (("--k", ""), "whole numbers"),
        (("--modes", "links"), "words, meaning, hybrid"),
        (("--limit-queries", "0"), "not a number of queries"),
        (("--no-meaning", "--modes", "hybrid"), "no mode but words"),
        (("--gate", "nothing/v1"), "There is no formula"),
        (("--gate", "default"), "is the default already"),
        (("--gate", "rrf/k=20/v1", "--no-meaning"), "neither --no-meaning nor --modes"),
        (("--against", "x.jsonl"), "--against goes with --gate"),
        (("--against", "x.jsonl", "--gate", "rrf/k=20/v1"), "could not be read"),
        (("--nonsense",), "--nonsense"),
        (("--report", ""), "the path is empty"),
    ],
)
def test_what_cannot_be_meant_is_wrong_usage_and_makes_no_index(cli, data_set, own_home, options, said):
    answer = cli("evaluate", data_set, *options)
    assert answer.code == 2
    assert answer.out == ""
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not own_home.exists()


def test_without_a_directory_it_is_wrong_usage(cli):
    answer = cli("evaluate")
    assert answer.code == 2
    assert "DATASET_DIR" in answer.err


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("corpus.jsonl", '{"id": "a", "text": "x"}\n{"id": "a"', "Line 2 of"),
        ("queries.jsonl", '{"id": "a"}\n', "Line 1 of"),
        ("qrels.tsv", "q1 bread 1\n", "Line 1 of"),
    ],
)
def test_a_set_that_cannot_be_used_is_wrong_usage_named_by_file_and_line(cli, tmp_path, own_home, name, text, said):
    folder = write_set(tmp_path / "bad", **{name: text})
    answer = cli("evaluate", folder)
    assert answer.code == 2
    assert said in answer.err
    assert name in answer.err
    assert answer.err.count("\n") == 1
    assert not own_home.exists()


def test_of_several_sets_one_bad_one_is_named_before_any_is_indexed(cli, data_set, tmp_path, own_home):
    bad = write_set(tmp_path / "bad", **{"qrels.tsv": ""})
    assert cli("evaluate", data_set, bad).code == 2
    assert not own_home.exists()


@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_a_home_that_cannot_be_written_is_a_stated_failure(cli, data_set, tmp_path):
    (tmp_path / "home").write_text("a file", "utf-8")
    answer = cli("evaluate", data_set, "--home", tmp_path / "home")
    assert answer.code == 1
    assert "cannot be written" in answer.err


def test_stopping_the_indexing_keeps_what_is_done_and_says_so(cli, data_set, tmp_path, monkeypatch):
    real = evaluation_index.index_folder
    monkeypatch.setattr(evaluation_index, "index_folder", lambda job: replace(real(job), cancelled=True))
    other = write_set(tmp_path / "after it")
    answer = cli("evaluate", data_set, other, "--home", tmp_path / "home", "--json", "-")
    assert answer.code == 1
    assert "The figures are of what is indexed so far" in answer.err
    assert rows(answer)["words"]["queries"] == 3
    assert {row["dataset"] for row in json.loads(answer.out)["rows"]} == {"small"}
    gate = cli("evaluate", data_set, "--home", tmp_path / "other home", "--gate", "rrf/k=20/v1")
    assert (gate.code, gate.out) == (1, "")
    assert "Nothing is decided" in gate.err


def test_without_an_index_and_without_updating_there_is_a_stated_failure(cli, data_set, tmp_path):
    answer = cli("evaluate", data_set, "--home", tmp_path / "home", "--no-update")
    assert answer.code == 1
    assert "not indexed yet" in answer.err


def test_measuring_and_drawing_load_nothing_at_the_start_of_the_command_line(triskel, project):
    program = (
        "import sys, app.cli\nprint(sorted({'ir_measures', 'matplotlib', 'scipy', 'pytrec_eval'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
