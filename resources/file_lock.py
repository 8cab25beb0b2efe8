"""A lock between processes that the kernel lets go of when its holder dies, however it dies."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from resources.waiting import Wait

# Our own processes hold such locks for some 50 ms. Waiting for them is worth a word only when something is wrong.
_SPEAK_AFTER_SECONDS = 5.0
# Every name fills the same space, so that two shared holders who write theirs at once leave one of them whole.
_NAME_LENGTH = 200


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
    def taken(self, wait: Wait, *, shared: bool = False) -> Generator[None]:
        """Hold the lock for the block.

        Raises:
            StorageBusy: it could not be had while the patience lasted.
        """
        handle = self._open(shared=shared)
        if handle is None:
            yield
            return
        try:
            _lock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, wait)
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


def _lock(handle: int, kind: int, wait: Wait) -> None:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        _stand_in_line(handle, kind, wait)
    os.pwrite(handle, f"{this_process():<{_NAME_LENGTH}}".encode()[:_NAME_LENGTH], 0)


def _stand_in_line(handle: int, kind: int, wait: Wait) -> None:
    """Leave the order of the waiting to the kernel: asking again and again, a process that writes much would starve the others.

    The kernel's wait has no end of its own, hence the thread. When this side gives up and closes the file, the thread's late lock
    goes with the last use of the file.
    """
    had = threading.Event()

    def stand() -> None:
        fcntl.flock(handle, kind)
        had.set()

    threading.Thread(target=stand, name="file-lock", daemon=True).start()
    while not had.wait(min(wait.remaining, _SPEAK_AFTER_SECONDS)):
        holder = os.pread(handle, _NAME_LENGTH, 0).decode(errors="replace").strip()
        wait.note(holder or "another process", speak_after=_SPEAK_AFTER_SECONDS)
