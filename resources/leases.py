"""Leases: the right to be the only one who drives something, across processes and machines.

A lease ends when its holder releases it, when its process is gone, or, for a holder on another machine, when it was not renewed.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from research_pipeline.errors import LeaseHeld
from resources.clock import Clock, SystemClock
from resources.opstore import migrate, reading
from resources.owners import LEASE_SECONDS, Heartbeat, Owner

_log = logging.getLogger(__name__)

_INSERT = sa.text(
    "INSERT INTO leases (name, token, holder, machine, pid, started, lease_until) "
    "VALUES (:name, :token, :holder, :machine, :pid, :started, :until) ON CONFLICT (name) DO NOTHING"
)
_READ = sa.text("SELECT token, holder, machine, pid, started, lease_until FROM leases WHERE name = :name")
# The dead holder's token in the condition: of several who find it dead, one takes its place.
_REPLACE = sa.text(
    "UPDATE leases SET token = :token, holder = :holder, machine = :machine, pid = :pid, started = :started, lease_until = :until "
    "WHERE name = :name AND token = :dead"
)
_RENEW = sa.text("UPDATE leases SET lease_until = :until WHERE token = :token")
_KEEP = sa.text("UPDATE leases SET lease_until = :until WHERE name = :name AND token = :token")
_RELEASE = sa.text("DELETE FROM leases WHERE token = :token")
_LET_GO = sa.text("DELETE FROM leases WHERE token = :token AND name = :name")


@dataclass(frozen=True, slots=True)
class Lease:
    """One taking of one or more names; `let_go` are those that were given back before the others."""

    token: str
    names: tuple[str, ...]
    let_go: set[str] = field(default_factory=set[str], compare=False)


class Leases:
    """The leases of an operational store."""

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()

    def acquire(self, *names: str, holder: str) -> Lease:
        """Take all of the names or none. `holder` is what a person is told: `research run`, `driver`.

        Raises:
            LeaseHeld: another process has one of them, or this one has already.
        """
        lease = Lease(uuid.uuid4().hex, tuple(sorted(set(names))))
        with self._engine.begin() as connection:
            for name in lease.names:
                if (other := self._take(connection, name, lease.token, holder)) is not None:
                    raise _held(name, other)
        return lease

    def acquire_free(self, *names: str, holder: str) -> Lease:
        """Take those of the names that nobody has; `Lease.names` says which."""
        token = uuid.uuid4().hex
        with self._engine.begin() as connection:
            taken = tuple(name for name in sorted(set(names)) if self._take(connection, name, token, holder) is None)
        return Lease(token, taken)

    def keep(self, name: str, *, holder: str, seconds: float) -> None:
        """Take a name, or hold on to it, for so many seconds, on behalf of somebody who works now and then and in any process.

        Raises:
            LeaseHeld: another than this holder has it.
        """
        values = {"name": name, "token": f"{holder} of {name}", "holder": holder, "until": self._clock.now() + seconds}
        values |= {"machine": "", "pid": 0, "started": ""}
        with self._engine.begin() as connection:
            if connection.execute(_KEEP, values).rowcount:
                return
            if (other := self._insert_or_replace(connection, values)) is not None:
                raise _held(name, other)

    def give_back(self, name: str, *, holder: str) -> None:
        """End what `keep` holds; a name that somebody else has is left alone."""
        with self._engine.begin() as connection:
            connection.execute(_RELEASE, {"token": f"{holder} of {name}"})

    def renew(self, lease: Lease) -> None:
        """Hold on to a lease.

        Raises:
            LeaseHeld: it was lost to another process meanwhile.
        """
        with self._engine.begin() as connection:
            kept = connection.execute(_RENEW, {"until": self._until(), "token": lease.token}).rowcount
        if kept < len(lease.names) - len(lease.let_go):
            raise LeaseHeld(f"The lease on {', '.join(lease.names)} ran out and was taken by another process.", remedy="Run again.")

    def release(self, lease: Lease) -> None:
        """Give a lease back; one that was lost meanwhile is left to whoever has it."""
        with self._engine.begin() as connection:
            connection.execute(_RELEASE, {"token": lease.token})

    def let_go(self, lease: Lease, name: str) -> None:
        """Give one name of a lease back before the others."""
        lease.let_go.add(name)  # before the row goes, so that no renewal meanwhile takes it for lost
        with self._engine.begin() as connection:
            connection.execute(_LET_GO, {"token": lease.token, "name": name})

    @contextmanager
    def held(self, *names: str, holder: str) -> Generator[Lease]:
        """Hold all of the names for the block, renewed by a thread.

        Raises:
            LeaseHeld: another process has one of them.
        """
        with self._kept(self.acquire(*names, holder=holder)) as lease:
            yield lease

    @contextmanager
    def held_free(self, *names: str, holder: str) -> Generator[Lease]:
        """Hold those of the names that nobody has for the block, renewed by a thread."""
        with self._kept(self.acquire_free(*names, holder=holder)) as lease:
            yield lease

    def holder_of(self, name: str, *, besides: str = "") -> str | None:
        """Who has a name, in words; None where nobody who lives has it, nor anybody but the holder `besides`."""
        with reading(self._engine) as connection:
            row = connection.execute(_READ, {"name": name}).one_or_none()
        return _described(row) if row is not None and self._lives(row) and row.holder != besides else None

    @contextmanager
    def _kept(self, lease: Lease) -> Generator[Lease]:
        heartbeat = Heartbeat(lambda: self._beat(lease))
        heartbeat.start()
        try:
            yield lease
        finally:
            heartbeat.stop()
            self.release(lease)

    def _beat(self, lease: Lease) -> None:
        try:
            self.renew(lease)
        except LeaseHeld as error:
            # Two then drive the same thing, which costs work and no money: calls are paid once and every writing is kept.
            _log.warning("%s", error)

    def _take(self, connection: sa.Connection, name: str, token: str, holder: str) -> str | None:
        """None where the name was taken, else who has it."""
        owner = Owner.this_process()
        values = {"name": name, "token": token, "holder": holder, "until": self._until()}
        values |= {"machine": owner.machine, "pid": owner.pid, "started": owner.started}
        return self._insert_or_replace(connection, values)

    def _insert_or_replace(self, connection: sa.Connection, values: Mapping[str, object]) -> str | None:
        name = values["name"]
        while not connection.execute(_INSERT, values).rowcount:
            row = connection.execute(_READ, {"name": name}).one_or_none()
            if row is None:  # given back between the two statements
                continue
            if self._lives(row):
                return _described(row)
            if connection.execute(_REPLACE, {**values, "dead": row.token}).rowcount:
                return None
        return None

    def _lives(self, row: sa.Row[tuple[object, ...]]) -> bool:
        owner = Owner(row.holder, row.machine, row.pid, row.started)
        return owner.lives(lease_until=row.lease_until, now=self._clock.now())

    def _until(self) -> float:
        return self._clock.now() + LEASE_SECONDS


def _held(name: str, other: str) -> LeaseHeld:
    return LeaseHeld(f"{name!r} is being driven by {other}.", remedy="Let it finish, or stop it, then run again.")


def _described(row: sa.Row[tuple[object, ...]]) -> str:
    until = datetime.fromtimestamp(row.lease_until, UTC)
    process = f"PID {row.pid}, " if row.pid else ""
    return f"{row.holder} ({process}lease until {until:%H:%M:%S} UTC)"
