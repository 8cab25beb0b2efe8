"""One limiter per host and account, shared by all calls of all processes: so many at once, and when a service says "too many", fewer.

A call takes a place among those under way and gives it back; the places of a process that was killed are free again at once. While a
host takes every call that is all. After a 429 it is closed until it may be asked again. Then half as many calls are let go at once as
were under way, one more for each round of successes (additive increase, multiplicative decrease, as TCP avoids congestion); and they go
out one by one with a space between them that doubles with each further 429 and shrinks with each success.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from resources.clock import Clock, SystemClock
from resources.opstore import migrate, reading
from resources.owners import Owner
from resources.slots import Slots

_FIRST_SPACING = 0.25  # seconds
_LARGEST_SPACING = 10.0
_EASING = 0.8
_NEGLIGIBLE_SPACING = 0.05
_FIRST_LOOK, _LARGEST_LOOK = 0.02, 1.0  # seconds between looks for a free place
_LONGEST_CALL = 900.0  # seconds after which a place of another machine counts as left behind

throttle = sa.Table(
    "throttle",
    sa.MetaData(),
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("closed_until", sa.Double, nullable=False),
    sa.Column("next_slot", sa.Double, nullable=False),
    sa.Column("spacing", sa.Double, nullable=False),
    sa.Column("width", sa.Double, nullable=False),
)

places = sa.Table(
    "places",
    throttle.metadata,
    sa.Column("place", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("machine", sa.Text, nullable=False),
    sa.Column("pid", sa.BigInteger, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("lease_until", sa.Double, nullable=False),
)

# Built once: SQLAlchemy takes longer to put a statement together than SQLite to run it.
_HOST, _ACCOUNT = sa.bindparam("of_host", type_=sa.Text), sa.bindparam("of_account", type_=sa.Text)
_ROW = sa.select(throttle).where(throttle.c.host == _HOST, throttle.c.account == _ACCOUNT)
_LOCKED_ROW = _ROW.with_for_update()
_HELD = sa.select(places).where(places.c.host == _HOST, places.c.account == _ACCOUNT)
_TAKE = sa.insert(places)
_GIVE_BACK = sa.delete(places).where(places.c.place == sa.bindparam("given_back"))


class Throttle:
    """The limiters of an operational store."""

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()
        self._slots: dict[tuple[str, str], Slots] = {}

    def slots(self, host: str, account: str) -> Slots:
        """Those of this process, whose callers need not look for a place in the database all at once."""
        return self._slots.setdefault((host, account), Slots())

    @asynccontextmanager
    async def place(self, host: str, account: str, *, most: int) -> AsyncGenerator[None]:
        """A place among the calls under way at once, for the block: at most `most` of all processes together, fewer after throttling."""
        pause, taken = _FIRST_LOOK, uuid.uuid4().hex
        self._make_row(host, account)
        while not self._take_place(host, account, taken, most):
            await self._clock.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
            pause = min(2 * pause, _LARGEST_LOOK)
        try:
            yield
        finally:
            self._give_back(taken)

    async def turn(self, host: str, account: str, *, apart: float = 0.0) -> None:
        """Return when a call may go out: `apart` seconds at least after the one before, whatever process made that."""
        if not apart and self._is_open(host, account):
            return
        slot = self._take_slot(host, account, apart)
        while slot > self._clock.now():
            await self._clock.sleep(slot - self._clock.now())
            if self._closed_until(host, account) > self._clock.now():
                slot = self._take_slot(host, account, apart)

    def slow_down(self, host: str, account: str, *, seconds: float) -> None:
        """Close the host for so many seconds, for everybody. Calls refused together count once."""
        self._make_row(host, account)
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            now = self._clock.now()
            closed_until = max(row["closed_until"], now + seconds)
            spacing, width = row["spacing"], row["width"]
            if row["closed_until"] <= now:
                spacing = min(max(2 * spacing, _FIRST_SPACING), _LARGEST_SPACING)
                width = max(self._under_way(connection, host, account) / 2, 1.0)
            next_slot = max(row["next_slot"], closed_until)
            change = sa.update(throttle).where(*_is(host, account))
            connection.execute(change.values(closed_until=closed_until, next_slot=next_slot, spacing=spacing, width=width))

    def ease(self, host: str, account: str, *, most: int) -> None:
        """Let calls follow each other more closely, and more of them go at once, after one that succeeded."""
        if self._is_open(host, account):
            return
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            eased = row["spacing"] * _EASING
            spacing = eased if eased > _NEGLIGIBLE_SPACING else 0.0
            width = row["width"] + 1 / row["width"] if row["width"] else 0.0
            change = sa.update(throttle).where(*_is(host, account))
            connection.execute(change.values(spacing=spacing, width=width if width < most else 0.0))

    def _take_place(self, host: str, account: str, place: str, most: int) -> bool:
        owner = Owner.this_process()
        values = {"place": place, "host": host, "account": account, "machine": owner.machine, "pid": owner.pid, "started": owner.started}
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            free = self._under_way(connection, host, account) < (min(most, int(row["width"])) if row["width"] else most)
            if free:
                connection.execute(_TAKE, {**values, "lease_until": self._clock.now() + _LONGEST_CALL})
        return free

    def _give_back(self, place: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(_GIVE_BACK, {"given_back": place})

    def _under_way(self, connection: sa.Connection, host: str, account: str) -> int:
        """How many places are taken by processes that live; those of others are cleared away."""
        held = connection.execute(_HELD, {"of_host": host, "of_account": account}).mappings().all()
        left = [row["place"] for row in held if not self._lives(row)]
        if left:
            connection.execute(sa.delete(places).where(places.c.place.in_(left)))
        return len(held) - len(left)

    def _lives(self, row: sa.RowMapping) -> bool:
        owner = Owner("", row["machine"], row["pid"], row["started"])
        return owner.lives(lease_until=row["lease_until"], now=self._clock.now())

    def _take_slot(self, host: str, account: str, apart: float) -> float:
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            slot: float = max(self._clock.now(), row["closed_until"], row["next_slot"])
            connection.execute(sa.update(throttle).where(*_is(host, account)).values(next_slot=slot + max(row["spacing"], apart)))
        return slot

    def _is_open(self, host: str, account: str) -> bool:
        row = self._row(host, account)
        return row is None or (not row["spacing"] and not row["width"] and row["closed_until"] <= self._clock.now())

    def _closed_until(self, host: str, account: str) -> float:
        row = self._row(host, account)
        return 0.0 if row is None else row["closed_until"]

    def _row(self, host: str, account: str) -> sa.RowMapping | None:
        with reading(self._engine) as connection:
            return connection.execute(_ROW, {"of_host": host, "of_account": account}).mappings().one_or_none()

    def _locked_row(self, connection: sa.Connection, host: str, account: str) -> sa.RowMapping:
        return connection.execute(_LOCKED_ROW, {"of_host": host, "of_account": account}).mappings().one()

    def _make_row(self, host: str, account: str) -> None:
        if self._row(host, account) is not None:
            return
        row = {"host": host, "account": account, "closed_until": 0.0, "next_slot": 0.0, "spacing": 0.0, "width": 0.0}
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.insert(throttle).values(row))
        except IntegrityError:
            return  # another process was quicker; its row is as good


def _is(host: str, account: str) -> tuple[sa.ColumnElement[bool], ...]:
    return throttle.c.host == host, throttle.c.account == account
