"""Dagster's events of many partitions, stored in one transaction.

On SQLite Dagster opens, commits and closes up to four connections for each event, which for a hundred partitions takes longer than the
work that the events tell of. Other databases keep their connections open and need none of this.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import cache

import dagster as dg
import sqlalchemy as sa
from dagster._core.storage.event_log import SqliteEventLogStorage  # what `DagsterInstance.event_log_storage` is in a home
from dagster._core.storage.sqlite import SQLITE_BUSY_TIMEOUT_SECONDS


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
        transactions.callback(delattr, storage, "_connect")
        storage.has_table = cache(storage.has_table)  # asked anew for each check
        transactions.callback(delattr, storage, "has_table")
        yield


@contextmanager
def _transaction(url: str) -> Generator[sa.Connection]:
    engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"timeout": SQLITE_BUSY_TIMEOUT_SECONDS})
    with closing(engine.connect()) as connection, connection.begin():
        yield connection
