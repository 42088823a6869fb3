"""Writing an export: whole or not at all, and never over a file unasked."""

from __future__ import annotations

import errno
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.errors import ExportError
from core.export import (
    write_export,
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that holds no left-over temporary file after the test."""
    yield tmp_path
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _no_hard_links(*_arguments: object, **_options: object) -> None:
    raise OSError(errno.EOPNOTSUPP, "no hard links here")


@pytest.fixture(params=["hard links", "no hard links"])
def any_file_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no hard links":
        monkeypatch.setattr(os, "link", _no_hard_links)


@pytest.mark.usefixtures("any_file_system")
def test_a_new_file_holds_the_text_byte_for_byte(folder: Path) -> None:
    write_export(folder / "out.csv", "a\r\nü\n")
    assert (folder / "out.csv").read_bytes() == "a\r\nü\n".encode()
    assert names_in(folder) == ["out.csv"]


def test_a_byte_order_mark_is_written_on_request(folder: Path) -> None:
    write_export(folder / "out.csv", "ü", bom=True)
    assert (folder / "out.csv").read_bytes() == b"\xef\xbb\xbf\xc3\xbc"


@pytest.mark.usefixtures("any_file_system")
def test_an_existing_file_is_never_overwritten_unasked(folder: Path) -> None:
    target = folder / "out.csv"
    target.write_text("old")
    with pytest.raises(ExportError, match=r"out\.csv already exists and was left as it is\.$"):
        write_export(target, "new")
    assert target.read_text() == "old"


@pytest.mark.usefixtures("any_file_system")
def test_a_file_that_appears_while_writing_is_never_overwritten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = folder / "out.csv"
    sync = os.fsync

    def appear(descriptor: int) -> None:
        target.write_text("from elsewhere")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", appear)
    with pytest.raises(ExportError, match="already exists"):
        write_export(target, "new")
    assert target.read_text() == "from elsewhere"


@pytest.mark.usefixtures("any_file_system")
def test_of_many_writers_at_once_exactly_one_wins(folder: Path) -> None:
    target = folder / "out.csv"
    start = threading.Barrier(8)
    refused: list[str] = []

    def write(number: int) -> None:
        start.wait()
        try:
            write_export(target, f"writer {number}")
        except ExportError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7
    assert re.fullmatch(r"writer \d", target.read_text())


def test_overwriting_replaces_the_whole_file_and_keeps_its_permissions(folder: Path) -> None:
    target = folder / "out.csv"
    target.write_text("old and longer")
    target.chmod(0o640)
    write_export(target, "new", overwrite=True)
    assert target.read_text() == "new"
    assert os.name != "posix" or stat.S_IMODE(target.stat().st_mode) == 0o640


def test_overwriting_a_file_that_is_not_there_writes_it(folder: Path) -> None:
    write_export(folder / "out.csv", "new", overwrite=True)
    assert (folder / "out.csv").read_text() == "new"


def test_overwriting_a_symbolic_link_writes_the_file_behind_it(folder: Path) -> None:
    behind, link = folder / "behind.csv", folder / "link.csv"
    behind.write_text("old")
    link.symlink_to(behind)
    write_export(link, "new", overwrite=True)
    assert link.is_symlink()
    assert behind.read_text() == "new"


def test_a_dangling_symbolic_link_is_not_followed_unasked(folder: Path) -> None:
    link = folder / "link.csv"
    link.symlink_to(folder / "nowhere.csv")
    with pytest.raises(ExportError, match="already exists"):
        write_export(link, "new")
    assert not (folder / "nowhere.csv").exists()


@pytest.mark.skipif(os.name != "posix", reason="named pipes in the file system are POSIX")
def test_a_pipe_or_device_is_not_replaced(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(ExportError, match="device or a pipe"):
        write_export(folder / "pipe", "new", overwrite=True)
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="umask is POSIX")
def test_a_new_file_has_the_usual_permissions(folder: Path) -> None:
    (folder / "usual").write_text("")
    write_export(folder / "out.csv", "text")
    assert (folder / "out.csv").stat().st_mode == (folder / "usual").stat().st_mode


def _failing(number: int) -> Callable[..., None]:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file_whole(folder: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    target = folder / "out.csv"
    target.write_text("old")
    monkeypatch.setattr(os, step, _failing(errno.ENOSPC))
    with pytest.raises(ExportError, match=r"no space left on the disk\.$"):
        write_export(target, "new", overwrite=True)
    assert target.read_text() == "old"
    assert names_in(folder) == ["out.csv"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_no_new_file(folder: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setattr(os, "link", _no_hard_links)
    monkeypatch.setattr(os, step, _failing(errno.EIO))
    with pytest.raises(ExportError, match="could not be written"):
        write_export(folder / "out.csv", "new")
    assert names_in(folder) == []


def test_an_interrupt_while_writing_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_export(folder / "out.csv", "new")
    assert names_in(folder) == []


def test_a_folder_that_cannot_be_synced_is_no_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def files_only(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "folders cannot be synced here")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", files_only)
    write_export(folder / "out.csv", "new")
    assert (folder / "out.csv").read_text() == "new"


@pytest.mark.parametrize(
    "number, sentence",
    [
        (errno.ENOSPC, "there is no space left on the disk."),
        (errno.EDQUOT, "there is no space left on the disk."),
        (errno.EACCES, "no permission."),
        (errno.EROFS, "the disk is read-only."),
    ],
)
def test_what_the_disk_refuses_is_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    monkeypatch.setattr(os, "open", _failing(number))
    with pytest.raises(ExportError) as caught:
        write_export(folder / "out.csv", "new")
    assert str(caught.value) == f"{folder / 'out.csv'} could not be written: {sentence}"


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    "name, sentence",
    [
        ("", "is a folder; give the name of a file."),
        ("missing/out.csv", "missing does not exist."),
        ("file/out.csv", "file is not a folder."),
        ("n" * 300, "the name is too long."),
        ("a\0b", "is not a possible file name."),
    ],
)
def test_an_impossible_place_is_a_sentence(folder: Path, name: str, sentence: str, overwrite: bool) -> None:
    (folder / "file").write_text("")
    with pytest.raises(ExportError) as caught:
        write_export(folder / name, "new", overwrite=overwrite)
    assert str(caught.value).endswith(sentence)
    assert names_in(folder) == ["file"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_permission_is_a_sentence(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(ExportError, match="no permission"):
        write_export(closed / "out.csv", "new")
