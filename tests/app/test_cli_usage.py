"""What may be typed, and what is answered to what may not: exit 2, one sentence, nothing on stdout."""

import os
import subprocess
import sys

import pytest

from app.cli import run


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nword\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "Give a query"),
        (["word", "--queries", "q.jsonl"], "not both"),
        ([""], "query is empty"),
        (["  \t "], "query is empty"),
        (["word", "--formula", "rrf/k=1/v0"], "evidence/v1, rrf/k=60/v1"),
        (["word", "--formula", "rrf/k=20/v1"], "is for “triskel evaluate” alone"),
        (["word", "--legs", "words,tags"], "words, meaning, links"),
        (["word", "--legs", ","], "words, meaning, links"),
        (["word", "--limit", "-1"], "-1 is not a number of notes"),
        (["word", "--limit", "many"], "many is not a number of notes"),
        (["word", "--format", "xml"], "'csv', 'html', 'json', 'markdown', 'text'"),
        (["word", "--queries", "q.jsonl", "--format", "json"], "not both"),
        (["--queries", "q.jsonl"], "--format json"),
        (["word", "--nonsense"], "--nonsense"),
        (["word", "--folder", "second"], "One folder at a time"),
        (["-draft"], "“-draft” is no option"),
        (["-x"], "-- '-x'"),
        (["-tag:x"], "-- '-tag:x'"),
        (["-harbour"], "-- '-harbour'"),
        (["harbour", "-boat"], "-- '-boat'"),
        (["-limit", "5"], "“-limit” is no option"),
        (["-2w"], "“-2w” is no option"),
    ],
)
def test_a_search_that_cannot_be_meant_is_wrong_usage_and_makes_no_index(cli, notes, own_home, arguments, said):
    answer = cli("search", *arguments, "--folder", notes)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("triskel: ")
    assert answer.err.count("\n") == 1
    assert not own_home.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--", "-nothing"], id="behind two dashes"),
        pytest.param(["-nothing word"], id="in a longer query"),
        pytest.param(["-38.101 word"], id="a number in a longer query"),
        pytest.param(["word", "--limit", "5"], id="with options behind it"),
    ],
)
def test_a_query_that_begins_with_a_removal_can_be_asked(cli, notes, own_home, arguments):
    answer = cli("search", "--folder", notes, "--home", own_home, "--no-meaning", *arguments)
    assert answer.code == 0
    assert "a.md" in answer.out


@pytest.mark.parametrize(
    "arguments",
    [["search", "word"], ["index"], ["index", "a", "b"], ["doctor", "a", "b"], ["a", "b"], ["evaluate", "x"]],
)
def test_a_missing_or_surplus_argument_is_wrong_usage(cli, arguments):
    answer = cli(*arguments)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("command", [[], ["index"], ["search"], ["doctor"]])
def test_help_goes_to_stdout_and_is_no_failure(capsys, command):
    with pytest.raises(SystemExit) as ended:
        run([*command, "--help"])
    assert ended.value.code == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: triskel")
    assert not err


def test_the_version_is_that_of_the_package(capsys, project):
    with pytest.raises(SystemExit):
        run(["--version"])
    version = capsys.readouterr().out.split()[1]
    assert f'version = "{version}"' in (project / "pyproject.toml").read_text("utf-8")


def test_the_command_line_answers_without_qt(project, notes):
    blocked = "import sys; sys.modules['PySide6'] = None; from app.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", blocked, "search", "word", "--folder", str(notes), "--no-meaning"],
        cwd=project, capture_output=True, encoding="utf-8", timeout=50,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "a.md" in done.stdout


def test_output_is_utf_8_whatever_the_locale(triskel, indexed):
    asked = ("search", "zeit", "--folder", indexed.folder, "--home", indexed.home, "--no-update", "--legs", "words")
    answers = [
        triskel(*asked, env={"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}).out
        for locale in ("C", "C.UTF-8")
    ]
    assert answers[0] == answers[1]
    assert "Wärme" in answers[0]


def test_a_query_that_is_no_valid_text_is_searched_all_the_same(triskel, indexed):
    asked = ("--folder", indexed.folder, "--home", indexed.home, "--no-update", "--legs", "words", "--format", "json")
    answer = triskel("search", b"soup caf\xe9", *asked)
    assert answer.code == 0, answer.err
    assert '"query": "soup caf\N{REPLACEMENT CHARACTER}"' in answer.out


def test_a_reader_that_goes_away_is_no_failure(project, indexed):
    read, write = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "search", "tasks", "--folder", str(indexed.folder), "--home", str(indexed.home),
         "--no-update", "--no-meaning"],
        cwd=project, stdout=write, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    os.close(write)
    os.close(read)
    _, err = process.communicate(timeout=50)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_behind_stdout_is_a_sentence(project, indexed):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "app", "search", "tasks", "--folder", str(indexed.folder), "--home",
             str(indexed.home), "--no-update", "--no-meaning"],
            cwd=project, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=50,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "triskel: The output could not be written: No space left on device.\n"


@pytest.mark.parametrize("arguments", [["index", ""], ["search", "x", "--folder", ""], ["doctor", "", "--json"]])
def test_an_empty_path_is_refused_and_not_taken_for_the_current_folder(cli, arguments):
    answer = cli(*arguments)
    assert answer.code == 2
    assert "empty" in answer.err


@pytest.mark.parametrize(("typed", "meant"), [("docter", "doctor"), ("serach", "search"), ("indx", "index")])
def test_a_mistyped_command_is_told_apart_from_a_folder(cli, typed, meant):
    answer = cli(typed)
    assert answer.code == 2
    assert f"Did you mean “triskel {meant}”?" in answer.err
