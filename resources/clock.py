"""The time, and waiting for it: handed to everything that waits, so that a test need not."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What tells the time and waits."""

    def now(self) -> float:
        """Seconds since 1970."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when so many seconds have passed."""
        ...


class SystemClock:
    """The machine's own time."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Return when so many seconds have passed."""
        await asyncio.sleep(seconds)


def moment(clock: Clock) -> str:
    """Now, in ISO 8601 and UTC with microseconds: sorts as text."""
    return datetime.fromtimestamp(clock.now(), UTC).isoformat(timespec="microseconds")
