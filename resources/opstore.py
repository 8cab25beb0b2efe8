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
from sqlalchemy.exc import ArgumentError, DatabaseError

from research_pipeline.errors import ConfigurationError, StorageInvalid

_BUSY_SECONDS = 60
_POSTGRESQL = "postgresql+psycopg2"
_URL_REMEDY = "Write `postgresql+psycopg2://USER:PASSWORD@HOST/DATABASE`, or leave it out to use SQLite in the home."
_FILE = re.compile(r"(\d{4})_(\w+)\.sql")
_MIGRATION_LOCK = 7_302_461  # any number that no other program uses for its advisory locks in the same database

_migrations = sa.Table(
    "opstore_migrations",
    sa.MetaData(),
    sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
)


def open_engine(url: str | Path) -> sa.Engine:
    """An engine on a SQLite file (a path, or `sqlite:///…`) or on PostgreSQL (`postgresql://…`).

    Raises:
        ConfigurationError: the URL names no database that can be opened here, or its driver is not installed.
    """
    address = _address(url)
    if address.drivername.startswith("sqlite"):
        engine = sa.create_engine(address, connect_args={"timeout": _BUSY_SECONDS})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin)
        return engine
    try:
        return sa.create_engine(address, pool_pre_ping=True)
    except ModuleNotFoundError as missing:
        raise ConfigurationError(
            f"The operational store is on PostgreSQL, whose driver {missing.name} is not installed.",
            remedy="Install the extra `postgres`: pip install 'evidence-research-pipeline[postgres]'.",
        ) from missing


@contextmanager
def reading(engine: sa.Engine) -> Generator[sa.Connection]:
    """A transaction that sees one moment of the store, waits for no writer and makes none wait. It must not write."""
    options: dict[str, Any] = {"reading": True}
    if engine.dialect.name == "postgresql":
        options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with engine.connect().execution_options(**options) as connection, connection.begin():
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
        StorageInvalid: a newer release has written the store, or it is damaged.
    """
    try:
        _migrate(engine, packaged_steps() if steps is None else steps)
    except DatabaseError as error:
        if "not a database" not in str(error.orig) and "malformed" not in str(error.orig):
            raise
        remedy = "Put back a backup of it; without one, move it away: a new one is made, and cycles that were under way are forgotten."
        raise StorageInvalid(f"The operational store {engine.url.database} is damaged: {error.orig}.", remedy=remedy) from error


def _migrate(engine: sa.Engine, wanted: Sequence[SchemaStep]) -> None:
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


def _address(url: str | Path) -> sa.URL:
    if isinstance(url, Path):
        return sa.URL.create("sqlite", database=str(url))
    try:
        address = sa.make_url(url)
    except ArgumentError as error:  # its text may show a password
        raise ConfigurationError("The address of the operational store is no database URL.", remedy=_URL_REMEDY) from error
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise ConfigurationError(f"The operational store cannot be kept in {address.get_backend_name()!r}.", remedy=_URL_REMEDY)
    # SQLAlchemy's own choice of a driver differs from Dagster's, with which the database may be shared.
    return address.set(drivername=_POSTGRESQL) if address.drivername == "postgresql" else address


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
