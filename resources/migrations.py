"""Numbered SQL files, each applied once, in order and whole; never edited after they were released.

A view lists the columns that its table had when the view was made: a migration that adds a column makes the table's views anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import duckdb

from research_pipeline.errors import StorageInvalid

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """The change that leads to schema `version`, counted from 1."""

    version: int
    name: str
    sql: str


def packaged_migrations() -> tuple[Migration, ...]:
    """Those of this release, by version."""
    folder = files("research_pipeline") / "sql"
    named = {entry.name: entry for entry in folder.iterdir()}
    found = [(match, named[name]) for name in sorted(named) if (match := _FILE.fullmatch(name))]
    return tuple(Migration(int(match[1]), match[2], entry.read_text(encoding="utf-8")) for match, entry in found)


def schema_version(connection: duckdb.DuckDBPyConnection) -> int:
    """The version of the newest migration applied; 0 where there was none."""
    try:
        row = connection.execute("SELECT coalesce(max(version), 0) FROM schema_migrations").fetchone()
    except duckdb.CatalogException:  # no such table; asking for the list of tables first takes ten times as long
        return 0
    return int(row[0]) if row else 0


def check_version(found: int, *, known: int, what: str) -> None:
    """Refuse what a newer release has written.

    Raises:
        StorageInvalid: the file is newer than this release.
    """
    if found > known:
        raise StorageInvalid(
            f"{what} has schema {found}; this release knows schemas up to {known}.",
            remedy="Use the release that wrote it, or a newer one; nothing was changed.",
        )


def migrate(connection: duckdb.DuckDBPyConnection, migrations: Sequence[Migration], *, what: str) -> None:
    """Bring a file up to the newest schema in one transaction; `what` names it in errors.

    Raises:
        StorageInvalid: the file is newer than this release.
    """
    found = schema_version(connection)
    check_version(found, known=migrations[-1].version, what=what)
    due = [migration for migration in migrations if migration.version > found]
    if not due:
        return
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER, name VARCHAR, applied_at TIMESTAMPTZ)")
    for migration in due:
        connection.execute(migration.sql)
        connection.execute("INSERT INTO schema_migrations VALUES (?, ?, now())", [migration.version, migration.name])
    connection.execute("COMMIT")
