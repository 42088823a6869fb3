"""Draw the real window, with a real index behind it, to PNG files: light and dark, at 100 % and 200 %, wide and narrow.

    python tests/tools/screenshots.py OUT_DIR [--folder NOTES --query TEXT]

Without a folder the sample notes are shown. The index is made in a temporary home, or in `--home` to keep it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

QUERY = "shelf wood"
NOTHING = "xxqzvv"
WEAK = "how do I sharpen a plane"
PATIENCE_SECONDS = 1800


def main() -> int:
    """Draw every state in a process of its own for each scale, since Qt takes the scale at its start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--query", default=QUERY)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--scale", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.scale:
        draw(given.out, given.folder, given.query, given.home, given.scale)
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as own_home:
        home = given.home or Path(own_home)
        for scale in ("1", "2"):
            command = [sys.executable, __file__, str(given.out), "--query", given.query, "--home", str(home)]
            command += ["--folder", str(given.folder)] if given.folder else []
            environment = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
            code = subprocess.run([*command, "--scale", scale], env=environment, check=False).returncode
            if code:
                return code
    return 0


def draw(out: Path, folder: Path | None, query: str, home: Path, scale: str) -> None:
    """Open the window and save each state."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from app.paths import places
    from app.session import Session
    from resources import SAMPLE_NOTES
    from ui.theme import DARK, LIGHT
    from ui.upkeep import Upkeep

    application = QApplication([])
    session = Session(places(home), opener=lambda _file: True, open_address=lambda _address: True)
    window = session.window

    def wait(done: Callable[[], bool]) -> None:
        beat = QTimer(interval=20)
        beat.timeout.connect(lambda: None)
        beat.start()
        end = time.monotonic() + PATIENCE_SECONDS
        while not done() and time.monotonic() < end:
            application.processEvents()
            time.sleep(0.005)

    def settle() -> None:
        end = time.monotonic() + 0.4
        wait(lambda: time.monotonic() > end)

    def save(state: str) -> None:
        settle()
        file = out / f"{state}-{scale}x.png"
        window.grab().save(str(file))
        print(file)

    def search(text: str) -> None:
        window.query_box.setText(text)
        window.query_box.flush()
        wait(lambda: not session.is_searching())

    for theme in (LIGHT, DARK):
        window.use_theme(theme)
        window.resize(1120, 720)
        window.show_folder(None)
        window.show()
        save(f"welcome-{theme.name}")
        session.open_folder(folder or SAMPLE_NOTES)
        settle()
        if session.is_indexing():
            search(query)
            save(f"indexing-{theme.name}")
        wait(lambda: not session.is_indexing())
        search("")
        save(f"empty-box-{theme.name}")
        search(query)
        save(f"window-{theme.name}")
        window.actions_by_key["why"].setChecked(True)
        save(f"why-{theme.name}")
        window.actions_by_key["why"].setChecked(False)
        window.offer_refresh(True)
        save(f"refresh-{theme.name}")
        window.offer_refresh(False)
        window.show_upkeep(Upkeep(paused=True))
        save(f"paused-{theme.name}")
        window.show_upkeep(Upkeep(offline="There is no folder here now."))
        save(f"offline-{theme.name}")
        window.show_upkeep(Upkeep())
        search(NOTHING)
        save(f"nonsense-{theme.name}")
        search(WEAK)
        save(f"weak-{theme.name}")
        search(query)
        window.resize(640, 720)
        save(f"narrow-{theme.name}")
        window.offer_refresh(True)
        window.show_upkeep(Upkeep(offline="There is no folder here now.", emptied=True))
        save(f"narrow-offline-{theme.name}")
        window.offer_refresh(False)
        window.show_upkeep(Upkeep())
    window.close()


if __name__ == "__main__":
    sys.exit(main())
