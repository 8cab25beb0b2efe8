"""Sub-questions that fall out of a grouped run, taken on at once by whoever drives the cycle in this process, while the others go on.

Where nobody in this process drives it, they wait for the end of the run, after which a driver finds them (`giving_up.fallen`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar

Take = Callable[[str], None]
"""Works on a sub-question to the end of its round, in a thread of its own."""

_take: ContextVar[Take | None] = ContextVar("take", default=None)


@contextmanager
def taken_on(take: Take) -> Generator[None]:
    """Grouped runs that are executed in the block, by this thread, hand over what falls out of them."""
    token = _take.set(take)
    try:
        yield
    finally:
        _take.reset(token)


class Aside:
    """What fell out of one grouped run: handed over one after the other, each after `let_go` has freed it for another run."""

    def __init__(self, let_go: Callable[[str], None]) -> None:
        self._let_go = let_go
        self._take = _take.get()
        self._one_at_a_time = asyncio.Lock()
        self._handed_over: list[asyncio.Task[None]] = []

    def fell(self, keys: Iterable[str]) -> None:
        """These are of no more concern to the grouped run."""
        if (take := self._take) is not None:
            self._handed_over += [asyncio.create_task(self._hand_over(key, take)) for key in keys]

    async def settled(self) -> None:
        """Wait until all of them are worked on: what weighs sub-questions against each other then finds how these ended."""
        await asyncio.gather(*self._handed_over)

    async def _hand_over(self, key: str, take: Take) -> None:
        async with self._one_at_a_time:
            await asyncio.to_thread(self._let_go, key)
            await asyncio.to_thread(take, key)
