"""Waiting for something that another program holds: with patience, with a word to the person, and with an end."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable

from research_pipeline.errors import StorageBusy

OnWait = Callable[[str], None]

_log = logging.getLogger(__name__)


class Wait:
    """One wait for `what`.

    Args:
        patience: seconds until it is given up.
        on_wait: is told who is waited for, after the first second, then every half minute and whenever the holder changes;
            by default the log is.
    """

    FIRST_WORD_SECONDS = 1.0
    NEXT_WORD_SECONDS = 30.0

    def __init__(self, what: str, *, patience: float, on_wait: OnWait | None = None) -> None:
        self._what = what
        self._patience = patience
        self._tell = on_wait or _log.warning
        self._began = time.monotonic()
        self._next_word = self._began + self.FIRST_WORD_SECONDS
        self._told = ""

    @property
    def remaining(self) -> float:
        """Seconds of patience left, never negative."""
        return max(0.0, self._began + self._patience - time.monotonic())

    def pause(self, holder: str, *, about: float) -> None:
        """Sleep `about` so many seconds, at random between half and one and a half of it, so that waiters do not march in step.

        Raises:
            StorageBusy: the patience is at its end.
        """
        if not self.remaining:
            raise StorageBusy(
                f"{self._what} was held by {holder} for {self._patience:.0f} s. Nothing was written, and nothing was lost.",
                remedy="Close it there, then run again.",
            )
        self._speak(holder)
        time.sleep(min(self.remaining, about * random.uniform(0.5, 1.5)))  # noqa: S311 - spreads load, guards nothing

    def _speak(self, holder: str) -> None:
        now = time.monotonic()
        changed = bool(self._told) and holder != self._told
        if now >= self._next_word or changed:
            self._tell(f"{self._what} is held by {holder}. Waiting for it; nothing is lost.")
            self._told = holder
            self._next_word = now + self.NEXT_WORD_SECONDS
