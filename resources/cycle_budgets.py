"""The budgets of cycles: opened once, bounded by the account, stopped by a person, and read by whoever wants to know."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from research_pipeline.limits import Spent, StopRule
from research_pipeline.study import Limits
from resources.calls import CallWarning
from resources.clock import Clock, SystemClock, moment
from resources.ledger_tables import Budget, budget_of, budgets, call_warnings, calls, owners, to_micros
from resources.locked_cycle import OPEN, LockedCycle, locked_cycle, no_such_cycle
from resources.opstore import migrate, reading
from resources.owners import LEASE_SECONDS, Heartbeat, Owner

_BUDGET = sa.select(budgets).where(budgets.c.cycle == sa.bindparam("wanted"))
_TICK_SECONDS = 1.0  # working time is known to a second; counting it at every call would double the ledger's work
_ZERO = (
    "steps",
    "discover_calls",
    "pages",
    "tokens_spent",
    "tokens_reserved",
    "cost_spent",
    "cost_reserved",
    "failures_in_a_row",
    "settled",
)


class CycleBudgets:
    """The half of the ledger that knows cycles. Closing it lets go of what it has under way; the engine stays open."""

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()
        self._owner = Owner.this_process()
        self._heartbeat: Heartbeat | None = None
        self._starting = threading.Lock()
        self._opened: set[str] = set()
        self._working: dict[object, tuple[str, float]] = {}
        self._timing = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of every call that is still under way here, and end the lease on them."""
        if self._heartbeat is None:
            return
        self._heartbeat.stop()
        self._heartbeat = None
        mine = sa.select(calls.c.cycle).where(calls.c.owner == self._owner.name, calls.c.state.in_(OPEN)).distinct()
        with self._engine.begin() as connection:
            connection.execute(sa.delete(owners).where(owners.c.owner == self._owner.name))
            cycles = connection.execute(mine).scalars().all()
        for cycle in cycles:
            self.sweep(cycle)

    def open_cycle(
        self, cycle: str, study: str, *, limits: Limits, account_left: int | None = None, report_reserve_usd: float = 0.0
    ) -> Budget:
        """Begin a cycle's budget, or find it as it stands: limits count from the first opening on.

        Also lets go of what processes that are gone have left under way.

        Args:
            account_left: tokens that the account has left now; None: it sets no limit.
            report_reserve_usd: kept for the model calls of the report.
        """
        self._ensure(cycle, study, limits, report_reserve_usd)
        if account_left is not None:
            self.set_account_left(cycle, account_left)
        self.sweep(cycle)
        return self.budget(cycle)

    def set_account_left(self, cycle: str, left: int) -> None:
        """What the account has left now, on top of what this cycle has spent, bounds the cycle from here on."""
        with self._locked(cycle) as book:
            budget = book.budget
            book.change(account_tokens=budget.spent.tokens + max(left, 0))

    def abort(self, cycle: str, *, by: str) -> None:
        """A person stops the cycle: no call is made any more."""
        with self._locked(cycle) as book:
            book.stop(StopRule.ABORTED, f"By {by}.")

    def lift_stop(self, cycle: str) -> None:
        """Let calls be made again after what stopped them was put right; failures in a row are forgiven, limits stay."""
        with self._locked(cycle) as book:
            book.change(stop_rule="", stop_note="", failures_in_a_row=0)

    def sweep(self, cycle: str) -> int:
        """Let go of the attempts whose processes are gone; how many there were."""
        with self._locked(cycle) as book:
            return book.sweep()

    @contextmanager
    def working(self, cycle: str) -> Generator[None]:
        """Count the time of the block as working time. What is worked at once, in one process or several, counts once."""
        self._register()
        block = object()
        with self._timing:
            self._working[block] = (cycle, self._clock.now())
        try:
            yield
        finally:
            with self._timing:
                since = self._working.pop(block)[1]
            with self._locked(cycle) as book:
                book.count_time(since)

    def budget(self, cycle: str) -> Budget:
        """What the cycle may spend and has spent.

        Raises:
            UnknownName: there is no such cycle.
        """
        with reading(self._engine) as connection:
            row = connection.execute(_BUDGET, {"wanted": cycle}).mappings().one_or_none()
        if row is None:
            raise no_such_cycle(cycle)
        return budget_of(row)

    def spent(self, cycle: str) -> Spent:
        """What the cycle has spent, and what its calls under way may still spend."""
        return self.budget(cycle).spent

    def warnings(self, cycle: str) -> list[CallWarning]:
        """What a person is to be told of, oldest first."""
        query = sa.select(call_warnings).where(call_warnings.c.cycle == cycle).order_by(call_warnings.c.warned_at)
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings().all()
        return [CallWarning(row["rule"], row["message"], datetime.fromisoformat(row["warned_at"])) for row in rows]

    def _locked(self, cycle: str) -> AbstractContextManager[LockedCycle]:
        return locked_cycle(self._engine, cycle, owner=self._owner, clock=self._clock)

    def _ensure(self, cycle: str, study: str, limits: Limits, report_reserve_usd: float) -> None:
        """Make the cycle's budget where there is none."""
        if cycle in self._opened:
            return
        row: dict[str, Any] = {
            **dict.fromkeys(_ZERO, 0),
            "cycle": cycle,
            "study": study,
            "limits": limits.model_dump_json(),
            "report_reserve": to_micros(report_reserve_usd),
            "seconds": 0.0,
            "worked_until": 0.0,
            "stop_rule": "",
            "stop_note": "",
            "opened_at": moment(self._clock),
        }
        # Another process may have opened the same cycle, earlier or in the same moment; its row is as good.
        with suppress(IntegrityError), self._engine.begin() as connection:
            connection.execute(sa.insert(budgets), row)
        self._opened.add(cycle)

    def _register(self) -> None:
        """Tell the other processes who holds what this one has under way, and go on telling."""
        with self._starting:
            if self._heartbeat is not None:
                return
            row = {"owner": self._owner.name, "machine": self._owner.machine, "pid": self._owner.pid, "started": self._owner.started}
            with self._engine.begin() as connection:
                connection.execute(sa.insert(owners), {**row, "lease_until": self._clock.now() + LEASE_SECONDS})
            self._heartbeat = Heartbeat(self._beat)
            self._heartbeat.start()

    def _beat(self) -> None:
        with self._engine.begin() as connection:
            mine = sa.update(owners).where(owners.c.owner == self._owner.name)
            connection.execute(mine.values(lease_until=self._clock.now() + LEASE_SECONDS))
        with self._timing:
            worked_on = {cycle for cycle, _since in self._working.values()}
        for cycle in worked_on:
            self._count_time(cycle)

    def _count_time(self, cycle: str) -> None:
        """Book the working time so far, in a transaction of its own: one that ends in a refusal would take it back."""
        now = self._clock.now()
        with self._timing:
            due = any(worked_on == cycle and now - since >= _TICK_SECONDS for worked_on, since in self._working.values())
        if not due:
            return
        with self._locked(cycle) as book, self._timing:
            for block, (worked_on, since) in self._working.items():
                if worked_on == cycle:
                    self._working[block] = (cycle, book.count_time(since))
