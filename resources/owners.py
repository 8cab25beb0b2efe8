"""Who holds a call that is under way, and whether that process still lives.

On the same machine the kernel is asked: a process that was killed is known to be gone at once, and one that is merely slow or
suspended is never taken for dead, since its call would then be paid twice. On another machine a lease decides, which a thread renews.
"""

from __future__ import annotations

import hashlib
import logging
import os
import socket
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy.exc import DBAPIError

LEASE_SECONDS = 90.0
BEAT_SECONDS = 15.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that makes calls. `started` tells it from a later process with the same number; empty where the kernel does not say."""

    name: str
    machine: str
    pid: int
    started: str

    @classmethod
    def this_process(cls) -> Owner:
        """A new owner on behalf of this process."""
        pid = os.getpid()
        return cls(f"{socket.gethostname()}:{pid}:{uuid.uuid4().hex[:8]}", _this_machine(), pid, _started(pid) or "")

    @classmethod
    def named(cls, text: str) -> Owner:
        """The owner whose `name_of_process` this is.

        Raises:
            ValueError: it is none.
        """
        machine, pid, started = text.split(" ")
        return cls(text, machine, int(pid), started)

    @property
    def name_of_process(self) -> str:
        """What tells its process from all others, as one line."""
        return f"{self.machine} {self.pid} {self.started}"

    @property
    def gone(self) -> bool:
        """Whether its process is known to have ended: of one on another machine nothing is known."""
        return self.machine == _this_machine() and bool(self.started) and _started(self.pid) != self.started

    def lives(self, *, lease_until: float, now: float) -> bool:
        """Whether the process may still settle its calls."""
        if self.machine != _this_machine():
            return now < lease_until
        if not self.started:
            return _exists(self.pid) and now < lease_until
        return _started(self.pid) == self.started


class Heartbeat:
    """Calls `beat` every `BEAT_SECONDS` in a thread until it is stopped. A beat that fails is logged; the next may succeed."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ledger-heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """End, after the beat under way."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            try:
                self._beat()
            except DBAPIError as error:
                _log.warning("The lease on calls under way could not be renewed: %s", error.orig)


@cache
def _this_machine() -> str:
    """Tells machines, boots and containers apart: process numbers mean something only within one of them."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    namespace = Path("/proc/self/ns/pid")
    parts = (socket.gethostname(), boot.read_text() if boot.exists() else "", str(namespace.readlink()) if namespace.exists() else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _started(pid: int) -> str | None:
    """The process's start time as the kernel counts; None where there is no such process, it has ended, or the kernel does not tell."""
    return _own_start(pid) if pid == os.getpid() else _start_of(pid)


@cache  # by number: after a fork it is another
def _own_start(pid: int) -> str | None:
    return _start_of(pid)


def _start_of(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name of the program stands in brackets and may itself hold brackets and spaces.
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in "ZX" else rest[18]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
