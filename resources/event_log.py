"""Dagster's storage on SQLite, used by one process for many events.

For each event Dagster sets up SQLAlchemy anew, up to four times, and opens, commits and closes a connection with it; for a hundred
partitions that takes longer than the work that the events tell of. Other databases keep what they need and want none of this.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import cache, lru_cache
from pathlib import Path

import dagster as dg
import sqlalchemy as sa
from dagster._core.storage.event_log import SqliteEventLogStorage  # what `DagsterInstance.event_log_storage` is in a home
from dagster._core.storage.event_log.sqlite.sqlite_event_log import INDEX_SHARD_NAME  # nothing public names it
from dagster._core.storage.runs import SqliteRunStorage
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS


def keep_engines(instance: dg.DagsterInstance) -> None:
    """Let an instance keep what SQLAlchemy knows of its databases, the statements put together included, from one event to the next."""
    storage, runs = instance.event_log_storage, instance.run_storage
    if isinstance(storage, SqliteEventLogStorage):
        plain, one_at_a_time = storage._connect, storage._db_lock  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]  # nothing public makes its connections
        made: set[str] = set()
        blank: list[bytes] = []

        def make(shard: str) -> None:
            """Dagster makes the tables of a new one, which takes a tenth of a second: the first, of which the others are copies."""
            path = Path(storage.path_for_shard(shard))
            if blank and shard != INDEX_SHARD_NAME and _put_where_none_is(path, blank[0]):
                return
            is_new = not path.exists()
            with plain(shard):
                pass
            if is_new and shard != INDEX_SHARD_NAME and not path.with_name(f"{path.name}-wal").exists():
                blank.append(path.read_bytes())

        @contextmanager
        def connect(shard: str) -> Generator[sa.Connection]:
            if shard not in made:
                make(shard)
                made.add(shard)
            with one_at_a_time, _transaction(storage.conn_string_for_shard(shard)) as connection:
                yield connection

        storage._connect = connect  # noqa: SLF001 # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]  # as above
    if isinstance(runs, SqliteRunStorage):
        url = runs._conn_string  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]  # nothing public tells where it lies
        runs.connect = lambda: _transaction(url)  # pyright: ignore[reportAttributeAccessIssue]  # a method, for this instance alone


@contextmanager
def stored_together(instance: dg.DagsterInstance) -> Generator[None]:
    """All events that this thread stores in the block are there when it ends, or, where it is left by an error, none is.

    Keep it short: other processes wait with theirs.
    """
    storage = instance.event_log_storage
    if not isinstance(storage, SqliteEventLogStorage):
        yield
        return
    thread, plain = threading.get_ident(), storage._connect  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]  # nothing public is between an event and its commit
    opened: dict[str, sa.Connection] = {}
    with ExitStack() as transactions:

        @contextmanager
        def again(shard: str) -> Generator[sa.Connection]:
            if shard not in opened:
                with plain(shard):
                    pass  # Dagster makes the tables of a new one
                opened[shard] = transactions.enter_context(_transaction(storage.conn_string_for_shard(shard)))
            yield opened[shard]

        def connect(shard: str) -> AbstractContextManager[sa.Connection]:
            return again(shard) if threading.get_ident() == thread else plain(shard)

        storage._connect = connect  # noqa: SLF001 # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]  # as above
        transactions.callback(setattr, storage, "_connect", plain)
        storage.has_table = cache(storage.has_table)  # asked anew for each check
        transactions.callback(delattr, storage, "has_table")
        yield


@contextmanager
def _transaction(url: str) -> Generator[sa.Connection]:
    with closing(_engine(url).connect()) as connection, connection.begin():
        yield connection


def _put_where_none_is(path: Path, data: bytes) -> bool:
    """Whether there is a new file now, whole from the first moment: not where there was one, nor where the disk knows no links."""
    aside = path.with_name(f".new-{path.name}")
    aside.write_bytes(data)
    try:
        path.hardlink_to(aside)
    except OSError:
        return False
    finally:
        aside.unlink()
    return True


@lru_cache(maxsize=8)  # with the statements that it has put together; it keeps no connection
def _engine(url: str) -> sa.Engine:
    return sa.create_engine(url, poolclass=sa.NullPool, connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS})
