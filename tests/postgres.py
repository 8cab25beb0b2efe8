"""A throwaway PostgreSQL server: a real one with its ordinary settings, reached by a socket in its own folder, gone with the tests."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

REMEDY = "No PostgreSQL server: install one (Debian: apt-get install postgresql)."
_USER = "research"


def binaries() -> Path | None:
    """Where `initdb` and `pg_ctl` are: on the path, or where Debian keeps them, the newest version."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


@dataclass
class Server:
    """A running server."""

    folder: Path
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def new_database(self) -> str:
        """The URL of an empty place for tables: a schema of its own, since a database of its own is 300 files to make and remove."""
        name = f"test{next(self._numbers)}"
        engine = sa.create_engine(self._url)
        with engine.begin() as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA {name}")
        engine.dispose()
        return f"{self._url}&options=-csearch_path%3D{name}"

    @property
    def _url(self) -> str:
        return f"postgresql+psycopg2://{_USER}@/postgres?host={self.folder}"


@contextmanager
def server() -> Iterator[Server]:
    """A new server for the block."""
    where = binaries()
    assert where, REMEDY
    # Not below pytest's folder: the name of a socket may have 107 characters, and the server's user may not look into that folder.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    user = _unprivileged()
    if user:
        shutil.chown(folder, user)

    def run(program: str, *arguments: str) -> None:
        command = [str(where / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    try:
        run("initdb", "--username", _USER, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
        run("pg_ctl", "start", "--wait", "--log", str(folder / "log"), "--options", f"-c listen_addresses='' -k {folder}")
        try:
            yield Server(folder)
        finally:
            run("pg_ctl", "stop", "--wait", "--mode", "immediate")
    finally:
        shutil.rmtree(folder)


def _unprivileged() -> str | None:
    """PostgreSQL refuses to run as root: whom it is to run as, where that is needed."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
