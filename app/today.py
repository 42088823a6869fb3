"""The one place that asks which day it is: relative dates of a query count from it, once, when it is made."""

from __future__ import annotations

import datetime as dt


def today() -> dt.date:
    """Return the local day."""
    return dt.datetime.now().astimezone().date()
