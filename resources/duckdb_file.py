"""Opening one DuckDB file from many processes, none of which may fail on its lock.

DuckDB lets one process write a file, or several read it. So every use is short: the lock of this process, a lock file between our own
processes, connect, one transaction, close. Whoever opens the file with another tool meanwhile is waited for, by name.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import duckdb

from research_pipeline.errors import StorageInvalid
from resources.atomic_write import sync_folder
from resources.file_lock import FileLock
from resources.waiting import OnWait, Wait

# A person looks at a table for minutes, not hours; a run that waits that long has lost nothing.
PATIENCE_SECONDS = 600.0
# A foreign holder is a person: an attempt takes about 10 ms of processor time, and a second is when waiting becomes noticeable.
_PAUSE_SECONDS = 0.25
_SPEAK_AFTER_SECONDS = 1.0

_HOLDER = re.compile(r"held in (.*?\(?PID \d+\)?)")

_process_locks: dict[Path, threading.Lock] = {}


class DuckDBFile:
    """A database file. `create` fills a new one; it becomes visible only when it is complete."""

    def __init__(
        self,
        path: Path,
        *,
        create: Callable[[duckdb.DuckDBPyConnection], None],
        on_wait: OnWait | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self.path = path.resolve()
        self._create = create
        self._on_wait = on_wait
        self._patience = patience
        self._file_lock = FileLock(self.path.with_name(f"{self.path.name}.lock"))
        self._process_lock = _process_locks.setdefault(self.path, threading.Lock())

    @contextmanager
    def opened(self, *, read_only: bool) -> Generator[duckdb.DuckDBPyConnection]:
        """A connection for the block, closed with it; not to be nested. Times are in UTC.

        Raises:
            StorageBusy: another program kept it longer than the patience lasts.
            StorageInvalid: it is damaged, or no DuckDB file, or of a newer DuckDB.
        """
        wait = Wait(str(self.path), patience=self._patience, on_wait=self._on_wait)
        while True:
            with ExitStack() as attempt:
                try:
                    connection = self._attempt(attempt, wait, read_only=read_only)
                except _HeldElsewhere as held:
                    holder = held.holder
                else:
                    yield connection
                    return
            # All is let go of before pausing: others of ours may read while a writer waits for a person who reads.
            wait.note(holder, speak_after=_SPEAK_AFTER_SECONDS)
            wait.pause(about=_PAUSE_SECONDS)

    def _attempt(self, attempt: ExitStack, wait: Wait, *, read_only: bool) -> duckdb.DuckDBPyConnection:
        while not self._process_lock.acquire(timeout=min(wait.remaining, _SPEAK_AFTER_SECONDS)):
            wait.note("another thread of this process", speak_after=5 * _SPEAK_AFTER_SECONDS)
        attempt.callback(self._process_lock.release)
        if not self.path.exists():
            with self._file_lock.taken(wait):
                self._make()
        attempt.enter_context(self._file_lock.taken(wait, shared=read_only))
        return attempt.enter_context(closing(_connect(self.path, read_only=read_only)))

    def _make(self) -> None:
        if self.path.exists():
            return
        log = self.path.with_name(f"{self.path.name}.wal")
        if log.exists():
            # DuckDB would play it into the new file.
            raise StorageInvalid(
                f"{self.path} is gone, and the log of its last writes, {log.name}, is still there.",
                remedy="Put the file back from a backup, or move its log away to start anew.",
            )
        # Built aside and renamed: a process killed while making the file must not leave half a file in its place.
        aside = self.path.with_name(f".new-{self.path.name}")
        for leftover in (aside, aside.with_name(f"{aside.name}.wal")):
            leftover.unlink(missing_ok=True)
        with closing(_connect(aside, read_only=False)) as connection:
            self._create(connection)
        aside.replace(self.path)
        sync_folder(self.path.parent)


class _HeldElsewhere(Exception):
    """By a program that does not take our lock."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


def _connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        connection = duckdb.connect(path, read_only=read_only)
    except duckdb.ConnectionException as error:
        raise _HeldElsewhere("this very process, through a connection of another kind") from error
    except duckdb.Error as error:
        if "lock on file" in str(error):
            found = _HOLDER.search(str(error))
            raise _HeldElsewhere(found[1] if found else "another program") from error
        raise StorageInvalid(
            f"{path} cannot be opened: {error}",
            remedy="It must be a DuckDB file that you may read and write; put back a backup if it is damaged.",
        ) from error
    connection.execute("SET TimeZone = 'UTC'")
    return connection
