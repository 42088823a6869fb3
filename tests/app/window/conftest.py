"""A window that is being used, with everything behind it and a home of its own."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.paths import Places, built_in_model, places
from app.session import Session
from core.index.indexer import update_index
from resources import SAMPLE_NOTES


@pytest.fixture(scope="module")
def indexed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the sample notes are indexed already."""
    home = tmp_path_factory.mktemp("indexed")
    where = places(home)
    update_index(SAMPLE_NOTES, where.index_file(SAMPLE_NOTES), built_in_model(where, threads=2))
    return home


@pytest.fixture
def where(indexed_home: Path, own_home: Path) -> Places:
    """A home of the test's own, with the sample notes indexed."""
    shutil.copytree(indexed_home, own_home)
    return places(own_home)


class Desk:
    """A window that is being used, and what was opened from it."""

    def __init__(self, qtbot, where: Places) -> None:
        self.qtbot = qtbot
        self.opened: list[Path] = []
        self.addresses: list[str] = []
        self.session = Session(
            where,
            opener=lambda file: self.opened.append(file) is None,
            open_address=lambda address: self.addresses.append(address) is None,
        )
        self.window = self.session.window
        qtbot.addWidget(self.window)

    def start(self, folder: Path | None = SAMPLE_NOTES) -> None:
        self.session.start(folder)
        self.window.show()
        self.qtbot.waitExposed(self.window)
        if folder is not None:
            self.qtbot.waitUntil(lambda: not self.session.is_indexing(), timeout=60_000)

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(self.window.query_box, text)

    def search(self, text: str) -> list:
        self.window.query_box.clear()
        self.type(text)
        self.qtbot.waitUntil(lambda: self.result is not None and self.result.query == text, timeout=30_000)
        self.qtbot.waitUntil(lambda: not self.session.is_searching(), timeout=30_000)
        return self.window.result_list.result_model.hits

    @property
    def result(self):
        return self.session._list.result

    def press(self, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        held = Qt.KeyboardModifier.NoModifier
        for modifier in modifiers:
            held |= modifier
        self.qtbot.keyClick(self.window.query_box, key, held)

    def refresh(self) -> None:
        """Press F5 and wait for the end of it."""
        self.window.actions_by_key["reindex"].trigger()
        self.qtbot.waitUntil(lambda: not self.session.is_indexing(), timeout=60_000)

    def state(self) -> str:
        return self.window.status_line.state.text()

    def paths(self) -> list[str]:
        return [hit.path for hit in self.window.result_list.result_model.hits]

    def previewed(self) -> str:
        return self.window.preview_pane.preview.toPlainText()


@pytest.fixture
def new_desk(qtbot) -> Callable[[Places], Desk]:
    """Return a function that opens another window; the test closes it."""
    return lambda where: Desk(qtbot, where)


@pytest.fixture
def desk(qtbot, where: Places) -> Iterator[Desk]:
    """An open window, closed with the test."""
    one = Desk(qtbot, where)
    yield one
    one.window.close()


@pytest.fixture
def notes(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes notes by path into one folder, and returns the folder."""

    def write(texts: dict[str, str]) -> Path:
        folder = tmp_path / "notes"
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
        folder.mkdir(exist_ok=True)
        return folder

    return write
