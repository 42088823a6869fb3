"""Tasks on pool threads, and the Qt binding they stand on."""

import sys

import pytest
from PySide6.QtCore import QObject, Signal

from app.workers import Dispatcher, Finished, Task, make_pool


class Sender(QObject):
    sent = Signal()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="True and False live for ever there")
def test_a_signal_takes_no_reference_to_true_away(qapp):
    # PySide6 6.12.0 did, at each signal, which ended the program after some hundred of them.
    sender = Sender()
    before = sys.getrefcount(True)
    for _ in range(500):
        sender.sent.emit()
    assert abs(sys.getrefcount(True) - before) < 100


def test_a_value_and_a_fault_both_come_back_to_the_main_thread(qtbot):
    dispatcher = Dispatcher()
    heard: list[Finished] = []
    dispatcher.finished.connect(heard.append)
    pool = make_pool(1)
    pool.start(Task(1, "sum", lambda: 1 + 1, dispatcher))
    pool.start(Task(2, "fault", lambda: 1 // 0, dispatcher))
    qtbot.waitUntil(lambda: len(heard) == 2)
    pool.waitForDone()
    assert (heard[0].number, heard[0].name, heard[0].value, heard[0].fault) == (1, "sum", 2, None)
    assert isinstance(heard[1].fault, ZeroDivisionError)
