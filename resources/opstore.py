"""The operational store: one SQLAlchemy engine for ledger, budgets, approvals, leases and loop state.

SQLite in WAL mode by default, PostgreSQL by URL. Every transaction on SQLite begins IMMEDIATE: one that starts by reading and then
writes would otherwise fail with "database is locked" instead of waiting for its turn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

_BUSY_SECONDS = 60


def open_engine(url: str | Path) -> sa.Engine:
    """An engine on a SQLite file (a path, or `sqlite:///…`) or on PostgreSQL (`postgresql+psycopg2://…`)."""
    address = f"sqlite:///{url}" if isinstance(url, Path) else url
    if not address.startswith("sqlite"):
        return sa.create_engine(address, pool_pre_ping=True)
    engine = sa.create_engine(address, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL: a settled call must survive a power cut, or it would be paid twice.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_immediate(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
