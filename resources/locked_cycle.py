"""The money of one cycle, inside one transaction that holds the lock on its budget row.

While the transaction lasts, no other process can change the cycle's counters: they are counted here and written once, at its end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from research_pipeline.errors import LimitReached, UnknownName
from research_pipeline.limits import StopRule, warnings_at
from resources.admission import check, not_counting
from resources.calls import Call, CallContext, CallState, Reservation, Wait
from resources.clock import Clock, moment
from resources.ledger_tables import Budget, Row, budget_of, budgets, call_warnings, calls, owners, to_micros
from resources.owners import Owner

OPEN = (CallState.RESERVED, CallState.PENDING)
_NOBODY = ""
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of surrogate pairs

# Built once: SQLAlchemy takes longer to put a statement together than SQLite to run it. SQLite has no row locks and needs none.
_LOCK = sa.select(budgets).where(budgets.c.cycle == sa.bindparam("wanted")).with_for_update()
_OWNER = sa.select(owners).where(owners.c.owner == sa.bindparam("wanted"))
_LATEST = sa.select(calls).where(calls.c.call_key == sa.bindparam("key")).order_by(calls.c.attempt.desc()).limit(1)
_THIS = (calls.c.call_key == sa.bindparam("key"), calls.c.attempt == sa.bindparam("number"))
_ATTEMPT = sa.select(calls).where(*_THIS)
_CHANGE_ATTEMPT = sa.update(calls).where(*_THIS)
_SEND = sa.update(calls).where(*_THIS, calls.c.state == CallState.RESERVED)
_INSERT_ATTEMPT = sa.insert(calls)


@dataclass(frozen=True, slots=True)
class Charge:
    """What an attempt cost. None means that nobody knows: it is charged what was reserved."""

    tokens: int | None
    micros: int | None


@contextmanager
def locked_cycle(engine: sa.Engine, cycle: str, *, owner: Owner, clock: Clock) -> Generator[LockedCycle]:
    """A transaction on a cycle; what was changed is written when the block ends, and nothing of it when the block raises.

    Raises:
        UnknownName: there is no such cycle.
    """
    with engine.begin() as connection:
        row = connection.execute(_LOCK, {"wanted": cycle}).mappings().one_or_none()
        if row is None:
            raise no_such_cycle(cycle)
        book = LockedCycle(connection, dict(row), owner=owner, clock=clock)
        yield book
        book.write()


class LockedCycle:
    """See the module. `owner` is the process on whose behalf changes are made."""

    def __init__(self, connection: sa.Connection, row: dict[Any, Any], *, owner: Owner, clock: Clock) -> None:
        self._connection = connection
        self._row = row
        self._before = dict(row)
        self._owner = owner
        self._clock = clock

    @property
    def budget(self) -> Budget:
        """The budget as it stands now."""
        return budget_of(self._row)

    def change(self, **columns: Any) -> None:
        """Set columns of the budget."""
        self._row.update(columns)

    def add(self, **counters: int) -> None:
        """Add to counters of the budget."""
        for name, amount in counters.items():
            self._row[name] += amount

    def write(self) -> None:
        """Write what was changed."""
        changed = {name: value for name, value in self._row.items() if value != self._before[name]}
        if changed:
            self._connection.execute(sa.update(budgets).where(budgets.c.cycle == self._row["cycle"]).values(changed))

    def latest(self, key: str) -> Row | None:
        """The newest attempt of a call."""
        return self._connection.execute(_LATEST, {"key": key}).mappings().one_or_none()

    def attempt(self, reservation: Reservation) -> Row:
        """One attempt as it stands now."""
        return self._connection.execute(_ATTEMPT, {"key": reservation.key, "number": reservation.attempt}).mappings().one()

    # ── before a call ─────────────────────────────────────────────────────────────────────────────────────────────────

    def admit(self, call: Call, context: CallContext, *, again: bool) -> Wait | None:
        """Check every stop rule; None where the call may be made.

        Args:
            again: the call was counted before: this is a further attempt.

        Raises:
            LimitReached: a rule forbids the call, whatever the calls under way will cost.
        """
        budget = self.budget
        spent = not_counting(budget.spent, call.tool) if again else budget.spent
        try:
            check(budget, spent, call, for_report=context.for_report)
        except LimitReached as refusal:
            # Calls under way mostly cost less than was set aside for them: only what is spent for good is a reason to stop.
            check(budget, spent.without_reservations, call, for_report=context.for_report)
            self.sweep()
            return Wait(refusal.message)
        return None

    def reserve(self, call: Call, context: CallContext, *, latest: Row | None, again: bool) -> Reservation:
        """Set the call's cost aside and write the attempt down."""
        cost = to_micros(call.cost_usd)
        made = int(not again)
        self.add(steps=made, discover_calls=made * call.tool.discovers, pages=made * call.tool.reads)
        self.add(tokens_reserved=call.tokens, cost_reserved=cost)
        number = 1 if latest is None else latest["attempt"] + 1
        reservation = Reservation(call.key(context.cycle), number, context.cycle, for_report=context.for_report)
        row: dict[str, Any] = {
            "call_key": reservation.key,
            "attempt": reservation.attempt,
            "try_number": 1 if latest is None else latest["try_number"] + made,
            "study": context.study,
            "cycle": context.cycle,
            "sub_question_id": context.sub_question_id,
            "round": context.round,
            "run_id": context.run_id,
            "tool": call.tool,
            "url": call.url,
            "arguments": json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True),
            "state": CallState.RESERVED,
            "final": False,
            "owner": self._owner.name,
            "tokens_reserved": call.tokens,
            "tokens_spent": 0,
            "cost_reserved": cost,
            "cost_spent": 0,
            "cost_known": False,
            "error_class": "",
            "error": "",
            "reserved_at": moment(self._clock),
            "body_hash": "",
        }
        self._connection.execute(_INSERT_ATTEMPT, row)
        return reservation

    def mark_pending(self, reservation: Reservation) -> bool:
        """Write down that an attempt is about to be sent; False where it is no longer reserved."""
        values = {"state": CallState.PENDING, "sent_at": moment(self._clock)}
        sent = self._connection.execute(_SEND, {"key": reservation.key, "number": reservation.attempt, **values})
        return sent.rowcount == 1

    # ── after a call ──────────────────────────────────────────────────────────────────────────────────────────────────

    def end(self, attempt: Row, charge: Charge, *, state: CallState, **facts: Any) -> None:
        """Turn what was set aside for an attempt into what it cost, and write down how it ended.

        A reply above its reservation is booked as it is, warned of, and stops the cycle. An attempt that was given up for lost and
        ends after all is charged what it cost instead of everything.
        """
        tokens = attempt["tokens_reserved"] if charge.tokens is None else charge.tokens
        micros = attempt["cost_reserved"] if charge.micros is None else charge.micros
        if attempt["state"] in OPEN:
            self.add(tokens_reserved=-attempt["tokens_reserved"], cost_reserved=-attempt["cost_reserved"])
        self.add(tokens_spent=tokens - attempt["tokens_spent"], cost_spent=micros - attempt["cost_spent"], settled=1)
        values = {
            "state": state,
            "tokens_spent": tokens,
            "cost_spent": micros,
            "cost_known": charge.tokens is not None and charge.micros is not None,
            "settled_at": moment(self._clock),
            "sequence": self._row["settled"],
            **{name: _storable(fact) if isinstance(fact, str) else fact for name, fact in facts.items()},
        }
        self._connection.execute(_CHANGE_ATTEMPT, {"key": attempt["call_key"], "number": attempt["attempt"], **values})
        self._watch_overrun(attempt, tokens, micros)
        self._warn_of_limits()

    def let_go(self, attempt: Row) -> None:
        """End an attempt whose outcome is not known: what was never sent costs nothing, what may have been is charged in full."""
        if attempt["state"] == CallState.RESERVED:
            never_sent = "Never sent: whoever asked for it went away first."
            self.end(attempt, Charge(0, 0), state=CallState.FAILED, owner=_NOBODY, error=never_sent)
        elif attempt["state"] == CallState.PENDING:
            lost = "Its outcome is not known: whoever sent it went away."
            self.end(attempt, Charge(None, None), state=CallState.UNKNOWN, owner=_NOBODY, error=lost)
        elif attempt["state"] == CallState.FAILED and not attempt["final"]:
            # Another attempt was to follow; now anybody may make it.
            self._connection.execute(_CHANGE_ATTEMPT, {"key": attempt["call_key"], "number": attempt["attempt"], "owner": _NOBODY})

    def sweep(self) -> int:
        """Let go of the attempts under way whose processes are gone; how many there were."""
        query = sa.select(calls).where(calls.c.cycle == self._row["cycle"], calls.c.state.in_(OPEN))
        lost = [attempt for attempt in self._connection.execute(query).mappings().all() if not self.lives(attempt["owner"])]
        for attempt in lost:
            self.let_go(attempt)
        return len(lost)

    def lives(self, owner: str) -> bool:
        """Whether the process that holds an attempt may still end it."""
        row = self._connection.execute(_OWNER, {"wanted": owner}).mappings().one_or_none()
        if row is None:
            return False
        return Owner(row["owner"], row["machine"], row["pid"], row["started"]).lives(lease_until=row["lease_until"], now=self._clock.now())

    def stop(self, rule: StopRule, note: str) -> None:
        """Forbid every further call. The first reason stands."""
        if not self._row["stop_rule"]:
            self.change(stop_rule=rule, stop_note=_storable(note))

    def count_time(self, since: float) -> float:
        """Add the working time from `since` to now, except what another process has counted already; the moment counted to."""
        now = self._clock.now()
        until = self._row["worked_until"]
        self.change(seconds=self._row["seconds"] + max(now - max(since, until), 0.0), worked_until=max(now, until))
        return now

    def _watch_overrun(self, attempt: Row, tokens: int, micros: int) -> None:
        if tokens > attempt["tokens_reserved"]:
            rule, figures = StopRule.TOKEN_LIMIT, f"{tokens} tokens where {attempt['tokens_reserved']} were its most"
        elif micros > attempt["cost_reserved"]:
            rule, figures = StopRule.MODEL_COST_LIMIT, f"{micros} millionths of a USD where {attempt['cost_reserved']} were its most"
        else:
            return
        note = f"A {attempt['tool']} call for {attempt['url'] or 'a model'} cost {figures}; no budget can be kept against such replies."
        self._warn(f"overrun of {rule}", note)
        self.stop(rule, note)

    def _warn_of_limits(self) -> None:
        budget = self.budget
        for gauge in warnings_at(budget.limits, budget.spent.without_reservations):
            self._warn(gauge.rule, f"{gauge}.")

    def _warn(self, rule: str, message: str) -> None:
        known = sa.select(call_warnings.c.rule).where(call_warnings.c.cycle == self._row["cycle"], call_warnings.c.rule == rule)
        if self._connection.execute(known).one_or_none() is None:
            values = {"cycle": self._row["cycle"], "rule": rule, "message": message, "warned_at": moment(self._clock)}
            self._connection.execute(sa.insert(call_warnings), values)


def _storable(text: str) -> str:
    """What a service says may hold characters that PostgreSQL, or any database, has no place for."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def no_such_cycle(cycle: str) -> UnknownName:
    """What is said of a cycle without a budget."""
    return UnknownName(f"There is no budget for a cycle {cycle!r}.", remedy="It gets one with its first call.")
