"""Waiting for something that another process does: looked for again and again until a deadline, never for a fixed time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_SECONDS = 60.0


def eventually(look: Callable[[], T], *, what: str, seconds: float = PATIENCE_SECONDS, pause: float = 0.01) -> T:
    """What `look` returns as soon as that is true of it.

    Raises:
        AssertionError: it was not in so many seconds; `what` says for what was waited.
    """
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until, f"{what}: not within {seconds:g} s"
        time.sleep(pause)
    return found
