"""So many calls of one process at once, whatever threads and event loops they come from; askers take turns.

A run with a hundred calls to make thus keeps another one of its process, with a single call, waiting for one reply and no longer.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from concurrent.futures import Future
from contextlib import asynccontextmanager


class Slots:
    """The slots of a process for one service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = 0
        self._waiting: dict[object, deque[Future[None]]] = {}  # the asker whose turn it is first

    @asynccontextmanager
    async def one(self, asker: object, *, most: int) -> AsyncGenerator[None]:
        """A slot for the block, once fewer than `most` are taken and it is the asker's turn."""
        mine = self._asked(asker, most)
        try:
            if not mine.done():  # a free one is taken on the spot: whoever asks first is also sent first
                await asyncio.wrap_future(mine)
        except asyncio.CancelledError:
            if not mine.cancel():  # it was given meanwhile
                self._give_back()
            raise
        try:
            yield
        finally:
            self._give_back()

    def _asked(self, asker: object, most: int) -> Future[None]:
        mine: Future[None] = Future()
        with self._lock:
            if self._taken < most and not self._waiting:
                self._taken += 1
                mine.set_result(None)
            else:
                self._waiting.setdefault(asker, deque()).append(mine)
        return mine

    def _give_back(self) -> None:
        with self._lock:
            while self._waiting:
                asker = next(iter(self._waiting))
                line = self._waiting.pop(asker)
                mine = line.popleft()
                if line:
                    self._waiting[asker] = line
                if mine.set_running_or_notify_cancel():
                    mine.set_result(None)
                    return
            self._taken -= 1
