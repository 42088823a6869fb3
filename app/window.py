"""The window's process: makes the window and the controllers, and joins them. Everything Qt starts here."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from app.display import check_display
from app.paths import Places


def run_window(folder: Path | None, where: Places) -> int:
    """Show the window on `folder`, or on the last one, and return the exit code when it is closed.

    Raises:
        NoDisplayError: no window can be shown here.
        FolderError: `folder` was named and is not there.
    """
    check_display()
    from PySide6.QtWidgets import QApplication

    from app.opening import open_address_with_system, open_with_system
    from app.session import Session

    application = QApplication(sys.argv[:1])
    application.setApplicationName("Triskel")
    application.setDesktopFileName("triskel")
    # Ctrl+C in the terminal ends the program, which Python alone would notice only at the next event.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    session = Session(where, opener=open_with_system, open_address=open_address_with_system)
    session.start(folder)
    session.window.show()
    code: int = application.exec()
    return code
