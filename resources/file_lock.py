"""A lock between processes that the kernel lets go of when its holder dies, however it dies."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


class Held(Exception):
    """Somebody else has it; `holder` says who, as far as is known."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


def this_process() -> str:
    """How this process is named to a person who waits for it."""
    return f"{Path(sys.argv[0]).name or 'python'} (PID {os.getpid()})"


class FileLock:
    """An advisory lock on a file of its own: many shared holders, or one exclusive.

    The file stays behind and names the last holder; deleting it while somebody holds it would let two in.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def taken(self, *, shared: bool = False) -> Generator[None]:
        """Hold the lock for the block.

        Raises:
            Held: it cannot be had at once.
        """
        handle = self._open(shared=shared)
        if handle is None:
            yield
            return
        try:
            _lock_at_once(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _open(self, *, shared: bool) -> int | None:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            # A reader of a folder that it may not write to has no writer beside it that this lock could hold off.
            if shared and error.errno in (errno.EACCES, errno.EROFS):
                return None
            raise


def _lock_at_once(handle: int, kind: int) -> None:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Held(_signature(handle)) from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, this_process().encode(), 0)


def _signature(handle: int) -> str:
    return os.pread(handle, 200, 0).decode(errors="replace") or "another process"
