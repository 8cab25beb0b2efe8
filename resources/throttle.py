"""One limiter per host and account, shared by all calls of all processes: when a service says "too many", everybody slows down.

While a host takes every call there is no limiter at all, only one read. After a 429 the host is closed until it may be asked again;
then calls go out one by one with a space between them that doubles with each further 429 and shrinks with each success.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from resources.clock import Clock, SystemClock
from resources.opstore import migrate, reading

_FIRST_SPACING = 0.25  # seconds
_LARGEST_SPACING = 10.0
_EASING = 0.8
_NEGLIGIBLE_SPACING = 0.05

throttle = sa.Table(
    "throttle",
    sa.MetaData(),
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("closed_until", sa.Double, nullable=False),
    sa.Column("next_slot", sa.Double, nullable=False),
    sa.Column("spacing", sa.Double, nullable=False),
)


class Throttle:
    """The limiters of an operational store."""

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()

    async def turn(self, host: str, account: str) -> None:
        """Return when a call may go out."""
        if self._is_open(host, account):
            return
        slot = self._take_slot(host, account)
        while slot > self._clock.now():
            await self._clock.sleep(slot - self._clock.now())
            if self._closed_until(host, account) > self._clock.now():
                slot = self._take_slot(host, account)

    def slow_down(self, host: str, account: str, *, seconds: float) -> None:
        """Close the host for so many seconds, for everybody. Calls refused together count once."""
        self._make_row(host, account)
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            now = self._clock.now()
            closed_until = max(row["closed_until"], now + seconds)
            spacing = row["spacing"]
            if row["closed_until"] <= now:
                spacing = min(max(2 * spacing, _FIRST_SPACING), _LARGEST_SPACING)
            change = sa.update(throttle).where(*_is(host, account))
            connection.execute(change.values(closed_until=closed_until, next_slot=max(row["next_slot"], closed_until), spacing=spacing))

    def ease(self, host: str, account: str) -> None:
        """Let calls follow each other more closely, after one that succeeded."""
        if self._is_open(host, account):
            return
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            eased = row["spacing"] * _EASING
            spacing = eased if eased > _NEGLIGIBLE_SPACING else 0.0
            connection.execute(sa.update(throttle).where(*_is(host, account)).values(spacing=spacing))

    def _take_slot(self, host: str, account: str) -> float:
        with self._engine.begin() as connection:
            row = self._locked_row(connection, host, account)
            slot: float = max(self._clock.now(), row["closed_until"], row["next_slot"])
            connection.execute(sa.update(throttle).where(*_is(host, account)).values(next_slot=slot + row["spacing"]))
        return slot

    def _is_open(self, host: str, account: str) -> bool:
        row = self._row(host, account)
        return row is None or (not row["spacing"] and row["closed_until"] <= self._clock.now())

    def _closed_until(self, host: str, account: str) -> float:
        row = self._row(host, account)
        return 0.0 if row is None else row["closed_until"]

    def _row(self, host: str, account: str) -> sa.RowMapping | None:
        with reading(self._engine) as connection:
            return connection.execute(sa.select(throttle).where(*_is(host, account))).mappings().one_or_none()

    def _locked_row(self, connection: sa.Connection, host: str, account: str) -> sa.RowMapping:
        return connection.execute(sa.select(throttle).where(*_is(host, account)).with_for_update()).mappings().one()

    def _make_row(self, host: str, account: str) -> None:
        if self._row(host, account) is not None:
            return
        row = {"host": host, "account": account, "closed_until": 0.0, "next_slot": 0.0, "spacing": 0.0}
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.insert(throttle).values(row))
        except IntegrityError:
            return  # another process was quicker; its row is as good


def _is(host: str, account: str) -> tuple[sa.ColumnElement[bool], ...]:
    return throttle.c.host == host, throttle.c.account == account
