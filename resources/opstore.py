"""The operational store: one SQLAlchemy engine for ledger, budgets, approvals, leases and loop state.

SQLite in WAL mode by default, PostgreSQL by URL. Every transaction on SQLite begins IMMEDIATE: one that starts by reading and then
writes would otherwise fail with "database is locked" instead of waiting for its turn. `reading` is for those that only read.

The schema is made by the numbered files of `opstore_sql`, each applied once and never edited; they are written in the SQL that
both databases share, one set for both.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from research_pipeline.errors import StorageInvalid

_BUSY_SECONDS = 60
_FILE = re.compile(r"(\d{4})_(\w+)\.sql")
_MIGRATION_LOCK = 7_302_461  # any number that no other program uses for its advisory locks in the same database

_migrations = sa.Table(
    "opstore_migrations",
    sa.MetaData(),
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
)


def open_engine(url: str | Path) -> sa.Engine:
    """An engine on a SQLite file (a path, or `sqlite:///…`) or on PostgreSQL (`postgresql+psycopg2://…`)."""
    address = f"sqlite:///{url}" if isinstance(url, Path) else url
    if not address.startswith("sqlite"):
        return sa.create_engine(address, pool_pre_ping=True)
    engine = sa.create_engine(address, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def reading(engine: sa.Engine) -> Generator[sa.Connection]:
    """A transaction that sees one moment of the store, waits for no writer and makes none wait. It must not write."""
    with engine.connect().execution_options(reading=True) as connection, connection.begin():
        yield connection


@dataclass(frozen=True, slots=True)
class SchemaStep:
    """The change that leads to schema `version`, counted from 1."""

    version: int
    name: str
    statements: tuple[str, ...]


def packaged_steps() -> tuple[SchemaStep, ...]:
    """Those of this release, in order."""
    entries = sorted((files("resources") / "opstore_sql").iterdir(), key=lambda entry: entry.name)
    found = [(match, entry) for entry in entries if (match := _FILE.fullmatch(entry.name))]
    return tuple(SchemaStep(int(match[1]), match[2], _statements(entry.read_text(encoding="utf-8"))) for match, entry in found)


def migrate(engine: sa.Engine, *, steps: Sequence[SchemaStep] | None = None) -> None:
    """Bring the store up to this release's schema: in one transaction, by one process at a time, whoever comes first.

    Raises:
        StorageInvalid: a newer release has written the store.
    """
    wanted = packaged_steps() if steps is None else steps
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        _migrations.create(connection, checkfirst=True)
        found = connection.execute(sa.select(sa.func.coalesce(sa.func.max(_migrations.c.version), 0))).scalar_one()
        if found > wanted[-1].version:
            raise StorageInvalid(
                f"The operational store has schema {found}; this release knows schemas up to {wanted[-1].version}.",
                remedy="Use the release that wrote it, or a newer one; nothing was changed.",
            )
        for step in wanted[found:]:
            for statement in step.statements:
                connection.exec_driver_sql(statement)
            connection.execute(sa.insert(_migrations).values(version=step.version, name=step.name))


def _statements(script: str) -> tuple[str, ...]:
    bare = "\n".join(line.partition("--")[0].rstrip() for line in script.splitlines())
    return tuple(statement.strip() for statement in bare.split(";") if statement.strip())


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL: a settled call must survive a power cut, or it would be paid twice.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    reads_only = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")
