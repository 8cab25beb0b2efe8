"""Waiting for something that another program holds: with patience, with a word to the person, and with an end."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable

from research_pipeline.errors import StorageBusy

OnWait = Callable[[str], None]

_WORD_SECONDS = 30.0
_log = logging.getLogger(__name__)


class Wait:
    """One wait for `what`.

    Args:
        patience: seconds until it is given up.
        on_wait: is told who is waited for; by default the log is.
    """

    def __init__(self, what: str, *, patience: float, on_wait: OnWait | None = None) -> None:
        self._what = what
        self._patience = patience
        self._tell = on_wait or _log.warning
        self._began = time.monotonic()
        self._spoke = float("-inf")

    @property
    def remaining(self) -> float:
        """Seconds of patience left, never negative."""
        return max(0.0, self._began + self._patience - time.monotonic())

    def note(self, holder: str, *, speak_after: float) -> None:
        """Say who is waited for, once the wait has lasted `speak_after` seconds, and then twice a minute.

        Raises:
            StorageBusy: the patience is at its end.
        """
        if not self.remaining:
            raise StorageBusy(
                f"{self._what} was held by {holder} for {self._patience:.0f} s. Nothing was written, and nothing was lost.",
                remedy="Close it there, then run again.",
            )
        now = time.monotonic()
        if now >= self._began + speak_after and now >= self._spoke + _WORD_SECONDS:
            self._spoke = now
            self._tell(f"{self._what} is held by {holder}. Waiting for it; nothing is lost.")

    def pause(self, *, about: float) -> None:
        """Sleep for `about` so many seconds, from half to one and a half of it, so that waiters do not march in step."""
        time.sleep(min(self.remaining, about * random.uniform(0.5, 1.5)))  # noqa: S311 - spreads load, guards nothing
