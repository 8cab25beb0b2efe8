"""The ledger of paid calls: nothing is sent before it is written down, nothing settled is ever sent again, no budget is exceeded.

The order is always reserve → pending → send → settle. What a crash in between leaves behind:

    after reserve      nothing was sent; whoever comes next takes the reservation back
    after pending      it may have been sent: charged in full as unknown, and made again under a reservation of its own
    after settle       the reply is in the ledger, its body in the archive: the answer from now on

Every transaction that moves money first locks the cycle's budget row, so that for any number of processes spent + reserved ≤ budget
holds at every moment. A call that somebody alive has under way is waited for. Each method is one short transaction that blocks its
thread: an event loop that calls it cannot be cancelled between a write and the knowledge of it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from research_pipeline.errors import (
    AccountExhausted,
    CallFailed,
    CallNotRecorded,
    LeaseHeld,
    PermissionRefused,
    TokenRejected,
    UnknownName,
)
from research_pipeline.limits import Spent, StopRule, Tool
from research_pipeline.study import Limits
from resources.calls import Call, CallContext, CallRow, CallState, CallWarning, Outcome, Reservation, Settled, Wait
from resources.clock import Clock, SystemClock, moment
from resources.ledger_tables import Budget, budget_of, budgets, call_row_of, call_warnings, calls, failure_of, owners, settled_of, to_micros
from resources.locked_cycle import OPEN, Charge, LockedCycle, stopped
from resources.opstore import migrate, reading
from resources.owners import LEASE_SECONDS, Heartbeat, Owner

_STOPS: Mapping[type[CallFailed], StopRule] = {
    TokenRejected: StopRule.TOKEN_REJECTED,
    AccountExhausted: StopRule.ACCOUNT_EXHAUSTED,
    PermissionRefused: StopRule.PERMISSION_REFUSED,
}


class Ledger:
    """The ledger in an operational store; one object serves all threads and event loops of a process.

    Closing it lets go of what it still has under way. The engine stays open: it belongs to whoever opened it.
    """

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()
        self._owner = Owner.this_process()
        self._heartbeat: Heartbeat | None = None
        self._starting = threading.Lock()
        self._working: dict[str, float] = {}

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

    # ── cycles ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def open_cycle(
        self, cycle: str, study: str, *, limits: Limits, account_left: int | None = None, report_reserve_usd: float = 0.0
    ) -> Budget:
        """Begin a cycle's budget, or find it as it stands: limits count from the first opening on.

        Also lets go of what processes that are gone have left under way.

        Args:
            account_left: tokens that the account has left now; None: it sets no limit.
            report_reserve_usd: kept for the model calls of the report.
        """
        self._insert_budget(cycle, study, limits, report_reserve_usd)
        if account_left is not None:
            self.set_account_left(cycle, account_left)
        self.sweep(cycle)
        return self.budget(cycle)

    def set_account_left(self, cycle: str, left: int) -> None:
        """What the account has left now, on top of what this cycle has spent, bounds the cycle from here on."""
        with self._locked(cycle) as book:
            budget = book.budget
            account = budget.spent.tokens + max(left, 0)
            book.change(account_tokens=account, token_cap=min(budget.limits.max_tokens, account))

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
        """Count the time of the block as working time. What several processes work at once counts once."""
        self._register()
        self._working[cycle] = self._clock.now()
        try:
            yield
        finally:
            since = self._working.pop(cycle)
            with self._locked(cycle) as book:
                book.count_time(since)

    # ── what an auditor reads ─────────────────────────────────────────────────────────────────────────────────────────

    def budget(self, cycle: str) -> Budget:
        """What the cycle may spend and has spent.

        Raises:
            UnknownName: there is no such cycle.
        """
        with reading(self._engine) as connection:
            row = connection.execute(sa.select(budgets).where(budgets.c.cycle == cycle)).mappings().one_or_none()
        if row is None:
            raise _no_such_cycle(cycle)
        return budget_of(row)

    def spent(self, cycle: str) -> Spent:
        """What the cycle has spent, and what its calls under way may still spend."""
        return self.budget(cycle).spent

    def calls(self, cycle: str, *, sub_question_id: str | None = None) -> list[CallRow]:
        """Every attempt of the cycle in the order of reserving; with a sub-question, those that were made on its behalf."""
        query = sa.select(calls).where(calls.c.cycle == cycle).order_by(calls.c.reserved_at, calls.c.call_key, calls.c.attempt)
        if sub_question_id is not None:
            query = query.where(calls.c.sub_question_id == sub_question_id)
        with reading(self._engine) as connection:
            return [call_row_of(row) for row in connection.execute(query).mappings()]

    def warnings(self, cycle: str) -> list[CallWarning]:
        """What a person is to be told of, oldest first."""
        query = sa.select(call_warnings).where(call_warnings.c.cycle == cycle).order_by(call_warnings.c.warned_at)
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings().all()
        return [CallWarning(row["rule"], row["message"], datetime.fromisoformat(row["warned_at"])) for row in rows]

    # ── one call ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def answer(self, call: Call, cycle: str) -> Settled | None:
        """The booked reply of a call; None where there is none yet."""
        query = sa.select(calls).where(calls.c.call_key == call.key(cycle), calls.c.state == CallState.SETTLED)
        with reading(self._engine) as connection:
            row = connection.execute(query.order_by(calls.c.sequence).limit(1)).mappings().one_or_none()
        return None if row is None else settled_of(row, from_ledger=True)

    def claim(self, call: Call, context: CallContext, *, after: Reservation | None = None) -> Reservation | Settled | Wait:
        """The reply if there is one, else the right to send the call, its cost set aside; or what to wait for.

        Args:
            after: the caller's own attempt that failed and is now to be followed by another.

        Raises:
            LimitReached: a stop rule forbids the call.
            CallFailed: the call failed before, and that is the answer (see `CallContext.retry_failed`).
            CallNotRecorded: the context allows no sending, and the ledger holds neither reply nor failure.
        """
        settled = self.answer(call, context.cycle)
        if settled is not None:
            return settled
        if not context.ledger_only:
            self._register()
            self._insert_budget(context.cycle, context.study, context.limits, 0.0)
        with self._locked(context.cycle) as book:
            latest = book.latest(call.key(context.cycle))
            if context.ledger_only:
                raise _recorded(latest, call)
            standing = _standing(book, latest, context, after)
            if standing is not None:
                return standing
            if context.cycle in self._working:
                self._working[context.cycle] = book.count_time(self._working[context.cycle])
            again = latest is not None and not latest["final"]
            return book.admit(call, context, again=again) or book.reserve(call, context, latest=latest, again=again)

    def mark_pending(self, reservation: Reservation) -> None:
        """Write down that the call is about to go out.

        Raises:
            LimitReached: the cycle was stopped meanwhile. The reservation is still to be let go.
            LeaseHeld: another process took this one for gone, and the call over: it must not be sent from here.
        """
        with self._locked(reservation.cycle) as book:
            refusal = stopped(book.budget)
            if refusal is not None and not reservation.for_report:
                raise refusal
            if not book.mark_pending(reservation):
                raise LeaseHeld(f"The call {reservation.key} was taken over by another process.")

    def settle(self, reservation: Reservation, outcome: Outcome) -> Settled:
        """Book a reply: from now on it is the answer. Booking it twice books it once."""
        charge = Charge(outcome.tokens, None if outcome.cost_usd is None else to_micros(outcome.cost_usd))
        with self._locked(reservation.cycle) as book:
            attempt = book.attempt(reservation)
            if attempt["state"] != CallState.SETTLED:
                book.end(
                    attempt,
                    charge,
                    state=CallState.SETTLED,
                    counters={"failures_in_a_row": 0},
                    owner=self._owner.name,
                    http_status=outcome.status,
                    error=outcome.hollow,
                    response=json.dumps(dict(outcome.response), sort_keys=True),
                    body_hash=outcome.body_hash,
                )
            return settled_of(book.attempt(reservation), from_ledger=False)

    def fail(self, reservation: Reservation, failure: CallFailed, *, final: bool) -> None:
        """Book that an attempt came to nothing, with what it cost; `final` where no further one follows by itself.

        A final failure counts among those in a row and gives back the call's place in the page or discovery limit.
        """
        with self._locked(reservation.cycle) as book:
            attempt = book.attempt(reservation)
            book.end(
                attempt,
                Charge(failure.cost, None if failure.cost is None else 0),
                state=CallState.FAILED,
                counters=_counters_after_failure(Tool(attempt["tool"])) if final else {},
                final=final,
                http_status=failure.status,
                error_class=type(failure).__name__,
                error=failure.message,
            )
            rule = _STOPS.get(type(failure))
            if rule is not None:
                book.stop(rule, failure.message)

    def let_go(self, reservation: Reservation) -> None:
        """End an attempt whose outcome will not be known here: what was never sent costs nothing, what may have been is charged in full."""
        with self._locked(reservation.cycle) as book:
            book.let_go(book.attempt(reservation))

    # ── within ────────────────────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _locked(self, cycle: str) -> Generator[LockedCycle]:
        with self._engine.begin() as connection:
            lock = sa.select(budgets.c.cycle).where(budgets.c.cycle == cycle).with_for_update()
            if connection.execute(lock).one_or_none() is None:
                raise _no_such_cycle(cycle)
            yield LockedCycle(connection, cycle, owner=self._owner, clock=self._clock)

    def _insert_budget(self, cycle: str, study: str, limits: Limits, report_reserve_usd: float) -> None:
        with reading(self._engine) as connection:
            if connection.execute(sa.select(budgets.c.cycle).where(budgets.c.cycle == cycle)).one_or_none() is not None:
                return
        counters = dict.fromkeys(
            (
                "steps",
                "discover_calls",
                "pages",
                "tokens_spent",
                "tokens_reserved",
                "cost_spent",
                "cost_reserved",
                "failures_in_a_row",
                "settled",
            ),
            0,
        )
        row: dict[str, Any] = {
            "cycle": cycle,
            "study": study,
            "limits": limits.model_dump_json(),
            "token_cap": limits.max_tokens,
            "cost_cap": to_micros(limits.max_model_cost_usd),
            "report_reserve": to_micros(report_reserve_usd),
            "seconds": 0.0,
            "worked_until": 0.0,
            "stop_rule": "",
            "stop_note": "",
            "opened_at": moment(self._clock),
            **counters,
        }
        # Another process may open the same cycle in the same moment; its row is as good.
        with suppress(IntegrityError), self._engine.begin() as connection:
            connection.execute(sa.insert(budgets).values(row))

    def _register(self) -> None:
        with self._starting:
            if self._heartbeat is not None:
                return
            row = {"owner": self._owner.name, "machine": self._owner.machine, "pid": self._owner.pid, "started": self._owner.started}
            with self._engine.begin() as connection:
                connection.execute(sa.insert(owners).values(**row, lease_until=self._clock.now() + LEASE_SECONDS))
            self._heartbeat = Heartbeat(self._beat)
            self._heartbeat.start()

    def _beat(self) -> None:
        with self._engine.begin() as connection:
            mine = sa.update(owners).where(owners.c.owner == self._owner.name)
            connection.execute(mine.values(lease_until=self._clock.now() + LEASE_SECONDS))
        for cycle, since in list(self._working.items()):
            with self._locked(cycle) as book:
                self._working[cycle] = book.count_time(since)


def _standing(book: LockedCycle, latest: sa.RowMapping | None, context: CallContext, after: Reservation | None) -> Settled | Wait | None:
    """What the newest attempt of a call means for whoever asks now; None where the call may be sent."""
    if latest is None or latest["state"] == CallState.UNKNOWN:
        return None
    if latest["state"] == CallState.SETTLED:
        return settled_of(latest, from_ledger=True)
    if latest["final"]:
        repeated_already = (latest["run_id"], latest["round"]) == (context.run_id, context.round)
        if repeated_already or not context.retry_failed:
            raise failure_of(latest)
        return None
    own_failure = after is not None and latest["state"] == CallState.FAILED and latest["attempt"] == after.attempt
    if not own_failure and book.lives(latest["owner"]):
        return Wait("another caller has the same call under way")
    book.let_go(latest)
    return None


def _recorded(latest: sa.RowMapping | None, call: Call) -> CallFailed | CallNotRecorded:
    """What a caller is told who may not send."""
    if latest is not None and latest["final"]:
        return failure_of(latest)
    return CallNotRecorded(f"The ledger holds no reply to the {call.tool} call for {call.url or 'a model'}.")


def _counters_after_failure(tool: Tool) -> dict[str, Any]:
    return {
        "failures_in_a_row": budgets.c.failures_in_a_row + 1,
        "discover_calls": budgets.c.discover_calls - tool.discovers,
        "pages": budgets.c.pages - tool.reads,
    }


def _no_such_cycle(cycle: str) -> UnknownName:
    return UnknownName(f"There is no budget for a cycle {cycle!r}.")
