"""The program as it is started, on an X server, with keys from outside."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

PATIENCE_SECONDS = 45.0

pytestmark = [
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb"),
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="needs xdotool"),
    pytest.mark.timeout(180),
]


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of the test's own; the display's name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


def wait_for(found: Callable[[], object]) -> object:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.1)
    raise AssertionError("waited in vain")


def test_the_program_is_typed_into_and_opens_the_note_that_was_meant(display, tmp_path, own_home, project):
    folder = tmp_path / "my notes"
    folder.mkdir()
    (folder / "boiler.md").write_text("# The boiler\n\nBleed the radiators in October.\n")
    (folder / "bread.md").write_text("# Bread\n\nA loaf a week.\n")
    # What Qt calls to open a file: here it says which one.
    opened = tmp_path / "opened"
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> "{opened}"\n')
    (tools / "xdg-open").chmod(0o755)
    environment = {
        **{name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"},
        "DISPLAY": display,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
    }
    said = (tmp_path / "said").open("w+")
    program = subprocess.Popen(
        [sys.executable, "-m", "app", str(folder), "--home", str(own_home)], cwd=project, env=environment, stderr=said
    )

    def xdotool(*arguments: str) -> str:
        done = subprocess.run(["xdotool", *arguments], env=environment, capture_output=True, text=True)
        return done.stdout.strip()

    try:
        window = str(wait_for(lambda: xdotool("search", "--onlyvisible", "--name", "my notes")))
        xdotool("windowfocus", "--sync", window)
        # The index appears when its first notes are in; the keys are for a program that can answer.
        wait_for(lambda: list(own_home.glob("indexes/*/index.db")))
        xdotool("type", "--delay", "40", "radiators")
        time.sleep(1.0)
        xdotool("key", "Return")
        wait_for(opened.exists)
        xdotool("key", "ctrl+q")
        assert program.wait(10) == 0
    finally:
        if program.poll() is None:
            program.send_signal(signal.SIGKILL)
            program.wait(10)
        said.seek(0)
        text = said.read()
        said.close()
    assert opened.read_text().splitlines()[0].endswith("boiler.md")
    assert text == ""
    assert (own_home / "settings.json").is_file()
