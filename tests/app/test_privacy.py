"""What a run of the program leaves outside its own folders: nothing."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_search_by_meaning_leaves_no_trace_outside_its_home(tmp_path: Path, project: Path):
    # ONNX Runtime keeps a device's number and a queue of usage events in the cache folder, unless told not to.
    notes, home, user = tmp_path / "notes", tmp_path / "triskel", tmp_path / "user"
    notes.mkdir()
    user.mkdir()
    (notes / "a.md").write_text("The kettle is broken.")
    environment = {
        **os.environ,
        "HOME": str(user),
        "XDG_CACHE_HOME": str(user / ".cache"),
        "XDG_CONFIG_HOME": str(user / ".config"),
        "XDG_DATA_HOME": str(user / ".local/share"),
        "XDG_STATE_HOME": str(user / ".local/state"),
        "TMPDIR": str(user),
    }
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    command = [sys.executable, "-m", "app", "search", "boiling water", "--folder", str(notes), "--home", str(home)]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=True)
    assert "mode meaning" in done.stdout
    assert [str(path.relative_to(user)) for path in user.rglob("*")] == []
