"""Work of a loop that takes longer than a call may: started, looked after, and known to a later process even where its own was killed."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from research_pipeline.errors import ResearchError
from research_pipeline.loop_state import EventKind, LoopEvent, LoopState, Work
from resources.owners import Owner
from resources.stores import Stores

LOST = "Its process went away. Ask again: what was paid stands in the ledger."
_log = logging.getLogger("research")


class Works:
    """The work of all loops of a home in this process, one piece of each study at a time."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="loop")
        self._futures: dict[str, Future[None]] = {}
        self._starting = threading.Lock()

    def start(self, cycle: str, what: str, do: Callable[[], dict[str, Any]], *, actor: str) -> Work | None:
        """Begin a piece of work in a thread; None where another piece of the same loop is under way."""
        with self._starting:
            if self.sweep(cycle).working:
                return None
            work = Work(id=uuid.uuid4().hex[:12], what=what, owner=Owner.this_process().name_of_process)
            self._stores.loop.append(cycle, [LoopEvent(EventKind.WORK_STARTED, {"work": work.model_dump(mode="json")})], actor=actor)
            self._futures[work.id] = self._threads.submit(self._run, cycle, work, do, actor)
            return work

    def wait(self, work: Work, *, seconds: float | None) -> None:
        """Wait for the end of work that this process does, at most so long; None: until it ends."""
        future = self._futures.get(work.id)
        if future is None:
            return
        try:
            future.result(timeout=seconds)
        except TimeoutError:
            return

    def sweep(self, cycle: str) -> LoopState:
        """The state of a loop once work whose process is gone is known to have ended."""
        state = self._stores.loop.state(cycle)
        lost = [work for work in state.working if work.id not in self._futures and not _lives(work)]
        if not lost:
            return state
        ends = [LoopEvent(EventKind.WORK_ENDED, {"id": work.id, "error": LOST}) for work in lost]
        return self._stores.loop.append(cycle, ends, actor="")

    def close(self) -> None:
        """End after the work under way."""
        self._threads.shutdown(wait=True)

    def _run(self, cycle: str, work: Work, do: Callable[[], dict[str, Any]], actor: str) -> None:
        data: dict[str, Any] = {"id": work.id}
        try:
            data["result"] = do()
        except ResearchError as error:
            data["error"] = str(error)
        except Exception as fault:  # noqa: BLE001 - nobody waits for this thread: whatever it is, it is told as the end of the work
            _log.exception("Work of the loop broke down: %s", work.what)
            data["error"] = f"{type(fault).__name__}: {fault}"
        self._stores.loop.append(cycle, [LoopEvent(EventKind.WORK_ENDED, data)], actor=actor)


def _lives(work: Work) -> bool:
    return Owner.named(work.owner).lives(lease_until=0.0, now=0.0)
