"""Without a display there is a sentence and exit 1, and Qt, which would end the process, is never started."""

import os
import shutil
import socket
import struct
import subprocess
import sys
import time

import pytest

from app import display
from app.display import NoDisplayError, check_display

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="about X11 and Wayland")

VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XAUTHORITY", "XDG_SESSION_TYPE")
NOBODY_HERE = ":91837"
"""A display number that no server has."""


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """Return a function that makes the environment one with these variables about displays, and no others."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    def make(**variables):
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return make


@pytest.mark.parametrize(
    "variables, said",
    [
        ({}, "There is no display to open a window on."),
        ({"DISPLAY": ""}, "There is no display to open a window on."),
        ({"DISPLAY": NOBODY_HERE}, f"Nobody answers at the display {NOBODY_HERE}."),
        ({"DISPLAY": "localhost:59000"}, "Nobody answers at the display localhost:59000."),
        ({"DISPLAY": "no display at all"}, "Nobody answers at the display no display at all."),
        ({"WAYLAND_DISPLAY": "wayland-77"}, "Nobody answers at the display wayland-77."),
        ({"QT_QPA_PLATFORM": "xcb"}, "There is no display to open a window on."),
        ({"QT_QPA_PLATFORM": "wayland"}, "Nobody answers at the display wayland-0."),
        ({"QT_QPA_PLATFORM": "telegraph"}, "QT_QPA_PLATFORM asks for “telegraph”, which Qt does not have."),
    ],
)
def test_no_display_is_a_sentence_and_exit_1_and_qt_does_not_abort(triskel, environment, tmp_path, variables, said):
    environment(**variables)
    (tmp_path / "notes").mkdir()
    answer = triskel(tmp_path / "notes")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == (
        f"triskel: {said} On the command line, “triskel search QUERY --folder FOLDER” searches without a window.\n"
    )


def test_no_display_leaves_no_home_behind(triskel, environment, own_home):
    environment()
    assert triskel().code == 1
    assert not own_home.exists()


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "offscreen:size=800x600", "telegraph;offscreen"])
def test_platforms_that_draw_in_memory_need_no_display(environment, platform):
    environment(QT_QPA_PLATFORM=platform)
    check_display()


def test_one_display_that_answers_is_enough(environment, tmp_path, monkeypatch):
    monkeypatch.setattr(display, "_missing_library", lambda _platform: None)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-5"))
        server.listen()
        environment(WAYLAND_DISPLAY="wayland-5", DISPLAY=NOBODY_HERE)
        check_display()
        environment(WAYLAND_DISPLAY=str(tmp_path / "wayland-5"))
        check_display()
    with pytest.raises(NoDisplayError, match="Nobody answers"):
        check_display()


def test_a_missing_system_library_is_named_with_what_to_do(environment, tmp_path, monkeypatch):
    monkeypatch.setattr(display, "_x_answers", lambda _display: True)
    broken = tmp_path / "libqxcb.so"
    broken.write_bytes(b"no library")
    monkeypatch.setattr(display, "_plugin", lambda _platform: broken)
    environment(DISPLAY=":0")
    with pytest.raises(NoDisplayError, match=r"A system library that Qt needs is missing .*make run"):
        check_display()


@pytest.fixture
def closed_display(tmp_path):
    """A real X server that lets in only whoever has its cookie: its display, and the file with the cookie."""
    if shutil.which("Xvfb") is None or display._missing_library("xcb") is not None:
        pytest.skip("needs Xvfb and Qt's system libraries")
    cookie = tmp_path / "cookie"
    read, write = os.pipe()
    parts = (b"", b"", b"MIT-MAGIC-COOKIE-1", b"0123456789abcdef")
    cookie.write_bytes(struct.pack(">H", 0xFFFF) + b"".join(struct.pack(">H", len(each)) + each for each in parts))
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-auth", str(cookie), "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    number = b""
    deadline = time.monotonic() + 20
    while not number.endswith(b"\n") and time.monotonic() < deadline:
        number += (piece := os.read(read, 16))
        if not piece:
            break
    os.close(read)
    try:
        if not number.strip():
            pytest.skip("Xvfb does not start here")
        yield f":{number.decode().strip()}", cookie
    finally:
        server.terminate()
        server.wait(10)


def test_a_display_that_lets_this_user_do_nothing_is_a_sentence(triskel, environment, closed_display, tmp_path):
    number, cookie = closed_display
    environment(DISPLAY=number, XAUTHORITY=str(tmp_path / "none"))
    answer = triskel()
    assert answer.code == 1
    assert f"triskel: The display {number} lets this user open no window." in answer.err
    environment(DISPLAY=number, XAUTHORITY=str(cookie))
    check_display()
