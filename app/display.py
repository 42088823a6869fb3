"""Whether a window can be shown here, found out before Qt is loaded: without a display Qt ends the process.

Depends on nothing of Qt but the place of its plugin files.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import socket
import sys
from pathlib import Path

from core.errors import TriskelError

_POINT_AT_COMMAND_LINE = "On the command line, “triskel search QUERY --folder FOLDER” searches without a window."


class NoDisplayError(TriskelError):
    """No window can be shown; the sentence says what is missing."""


def check_display() -> None:
    """Return if a window can be shown.

    Raises:
        NoDisplayError: there is no display, nobody answers at it, or Qt's system libraries are missing.
    """
    if not sys.platform.startswith("linux"):
        return
    faults = []
    for platform in _platforms():
        fault = _fault_of(platform)
        if fault is None:
            return
        faults.append(fault)
    # Qt tries them in a row too; the last is the one most systems have.
    fault = faults[-1] if faults else "There is no display to open a window on."
    raise NoDisplayError(f"{fault} {_POINT_AT_COMMAND_LINE}")


def _platforms() -> list[str]:
    """Return the names of Qt's platforms that it would try here, in its order."""
    asked = [name.partition(":")[0] for name in os.environ.get("QT_QPA_PLATFORM", "").split(";")]
    if any(asked):
        return [name for name in asked if name]
    found = (("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY"))
    return [platform for platform, variable in found if os.environ.get(variable)]


def _fault_of(platform: str) -> str | None:
    """Return in a sentence why Qt cannot start on a platform, None where it can."""
    if platform == "xcb":
        display = os.environ.get("DISPLAY", "")
        if not display:
            return "There is no display to open a window on."
        if not _x_answers(display):
            return f"Nobody answers at the display {display}."
        return _missing_library(platform) or _x_refusal(display)
    if platform.startswith("wayland"):
        display = os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
        # An absolute name stands for itself.
        place = Path(os.environ.get("XDG_RUNTIME_DIR", ""), display)
        if not _connects(socket.AF_UNIX, str(place)):
            return f"Nobody answers at the display {display}."
        return _missing_library("wayland")
    return None if _plugin(platform).is_file() else f"QT_QPA_PLATFORM asks for “{platform}”, which Qt does not have."


def _x_answers(display: str) -> bool:
    """Return whether an X server listens at `display`, such as `:0` or `host:10.0`."""
    host, _, rest = display.rpartition(":")
    number = rest.partition(".")[0]
    if not (number.isascii() and number.isdigit()):
        return False
    if host in ("", "unix"):
        place = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers put their sockets
        # The same name without a file, as some servers listen only there.
        return _connects(socket.AF_UNIX, place) or _connects(socket.AF_UNIX, "\0" + place)
    try:
        socket.create_connection((host.strip("[]"), 6000 + int(number)), timeout=2.0).close()
    except (OSError, OverflowError, UnicodeError):
        return False
    return True


def _connects(family: socket.AddressFamily, address: str) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.settimeout(2.0)
        try:
            probe.connect(address)
        except OSError:
            return False
    return True


def _x_refusal(display: str) -> str | None:
    """Return that the X server lets this user do nothing, if so: as with another user's display under sudo."""
    xcb = ctypes.CDLL("libxcb.so.1")  # Qt's plugin has just been loaded, and with it this library.
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(os.fsencode(display), None)
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return f"The display {display} lets this user open no window." if refused else None


def _plugin(platform: str) -> Path:
    """Return the file of one of Qt's platform plugins, whether or not it is there."""
    spec = importlib.util.find_spec("PySide6")
    package = Path(spec.origin).parent if spec is not None and spec.origin is not None else Path()
    return package / "Qt" / "plugins" / "platforms" / f"libq{platform}.so"


def _missing_library(platform: str) -> str | None:
    """Return which shared library a platform plugin wants and this system lacks, None where all is there."""
    try:
        ctypes.CDLL(str(_plugin(platform)))
    except OSError as error:
        library = str(error).partition(":")[0]
        return f"A system library that Qt needs is missing ({library}). “make run” names the packages to install."
    return None
