"""Embedding on battery: half the speed, and never in the way of a stop."""

import threading
import time
from types import SimpleNamespace

import psutil
import pytest

from app import indexing_child
from app.indexing_child import Slowed, on_battery
from core.index.progress import Phase


def battery(plugged):
    return SimpleNamespace(percent=50, secsleft=3600, power_plugged=plugged)


@pytest.mark.parametrize(
    "state, expected", [(None, False), (battery(True), False), (battery(None), False), (battery(False), True)]
)
def test_a_machine_is_on_battery_only_if_it_says_so(monkeypatch, state, expected):
    monkeypatch.setattr(psutil, "sensors_battery", lambda: state, raising=False)
    assert on_battery() is expected


def test_a_system_without_such_a_question_is_not_on_battery(monkeypatch):
    monkeypatch.delattr(psutil, "sensors_battery", raising=False)
    assert on_battery() is False


@pytest.fixture
def pace(monkeypatch):
    """A pace on battery, what it sends, and the waits it takes."""
    monkeypatch.setattr(indexing_child, "on_battery", lambda: True)
    sent, waits = [], []
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", waits.append)
    return indexing_child._Pace(stop, sent.append), sent, waits


def test_on_battery_embedding_rests_as_long_as_it_worked_and_says_so_once(pace):
    one, sent, waits = pace
    for _ in range(3):
        time.sleep(0.05)
        one.rest(Phase.EMBED)
    assert sent == [Slowed(True)]
    assert len(waits) == 3
    assert all(seconds >= 0.05 for seconds in waits)


def test_words_and_links_do_not_rest(pace):
    one, sent, waits = pace
    for phase in (Phase.SCAN, Phase.READ, Phase.LINK):
        one.rest(phase)
    assert (sent, waits) == ([], [])


def test_a_stop_ends_a_rest(monkeypatch):
    monkeypatch.setattr(indexing_child, "on_battery", lambda: True)
    stop = threading.Event()
    pace = indexing_child._Pace(stop, lambda _event: None)
    pace._began -= 60
    stop.set()
    begun = time.monotonic()
    pace.rest(Phase.EMBED)
    assert time.monotonic() - begun < 5
