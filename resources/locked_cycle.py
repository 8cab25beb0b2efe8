"""The money of one cycle, inside one transaction that holds the lock on its budget row.

While this object lives, no other process can change the cycle's counters: what is read here is true until the commit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from research_pipeline.errors import LimitReached, StorageInvalid
from research_pipeline.limits import Spent, StopRule, Tool, check_before_call, warnings_at
from resources.calls import Call, CallContext, CallState, Reservation, Wait
from resources.clock import Clock, moment
from resources.ledger_tables import Budget, budget_of, budgets, call_warnings, calls, owners, to_micros
from resources.owners import Owner

OPEN = (CallState.RESERVED, CallState.PENDING)
_NOBODY = ""


@dataclass(frozen=True, slots=True)
class Charge:
    """What an attempt cost. None means that nobody knows: it is charged what was reserved."""

    tokens: int | None
    micros: int | None


class LockedCycle:
    """See the module. `owner` is the process on whose behalf changes are made."""

    def __init__(self, connection: sa.Connection, cycle: str, *, owner: Owner, clock: Clock) -> None:
        self._connection = connection
        self._cycle = cycle
        self._owner = owner
        self._clock = clock

    @property
    def row(self) -> sa.RowMapping:
        """The budget row as it stands now."""
        return self._connection.execute(sa.select(budgets).where(budgets.c.cycle == self._cycle)).mappings().one()

    @property
    def budget(self) -> Budget:
        """The same, as a record."""
        return budget_of(self.row)

    def change(self, **counters: Any) -> None:
        """Set columns of the budget row."""
        self._connection.execute(sa.update(budgets).where(budgets.c.cycle == self._cycle).values(**counters))

    def latest(self, key: str) -> sa.RowMapping | None:
        """The newest attempt of a call."""
        query = sa.select(calls).where(calls.c.call_key == key).order_by(calls.c.attempt.desc()).limit(1)
        return self._connection.execute(query).mappings().one_or_none()

    def attempt(self, reservation: Reservation) -> sa.RowMapping:
        """One attempt as it stands now."""
        return self._connection.execute(sa.select(calls).where(*is_attempt(reservation.key, reservation.attempt))).mappings().one()

    # ── before a call ─────────────────────────────────────────────────────────────────────────────────────────────────

    def admit(self, call: Call, context: CallContext, *, again: bool) -> Wait | None:
        """Check every stop rule; None where the call may be made.

        Args:
            again: the call was counted before: this is a further attempt.

        Raises:
            LimitReached: a rule forbids the call, whatever the calls under way will cost.
        """
        budget = self.budget
        spent = _not_counting(budget.spent, call.tool) if again else budget.spent
        try:
            _check(budget, spent, call, for_report=context.for_report)
        except LimitReached as refusal:
            # Calls under way mostly cost less than was set aside for them: only what is spent for good is a reason to stop.
            _check(budget, spent.without_reservations, call, for_report=context.for_report)
            self.sweep()
            return Wait(refusal.message)
        return None

    def reserve(self, call: Call, context: CallContext, *, latest: sa.RowMapping | None, again: bool) -> Reservation:
        """Set the call's cost aside and write the attempt down."""
        cost = to_micros(call.cost_usd)
        made = int(not again)
        self._set_aside(call, cost, made=made)
        reservation = Reservation(
            call.key(self._cycle), 1 if latest is None else latest["attempt"] + 1, self._cycle, for_report=context.for_report
        )
        self._connection.execute(
            sa.insert(calls).values(
                call_key=reservation.key,
                attempt=reservation.attempt,
                try_number=1 if latest is None else latest["try_number"] + made,
                study=context.study,
                cycle=self._cycle,
                sub_question_id=context.sub_question_id,
                round=context.round,
                run_id=context.run_id,
                tool=call.tool,
                url=call.url,
                arguments=json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True),
                state=CallState.RESERVED,
                final=False,
                owner=self._owner.name,
                tokens_reserved=call.tokens,
                tokens_spent=0,
                cost_reserved=cost,
                cost_spent=0,
                cost_known=False,
                error_class="",
                error="",
                reserved_at=moment(self._clock),
                body_hash="",
            )
        )
        return reservation

    def _set_aside(self, call: Call, cost: int, *, made: int) -> None:
        guards = [budgets.c.cycle == self._cycle]
        if call.tokens:
            guards.append(budgets.c.tokens_spent + budgets.c.tokens_reserved + call.tokens <= budgets.c.token_cap)
        if cost:
            guards.append(budgets.c.cost_spent + budgets.c.cost_reserved + cost <= budgets.c.cost_cap)
        change = sa.update(budgets).values(
            steps=budgets.c.steps + made,
            discover_calls=budgets.c.discover_calls + made * call.tool.discovers,
            pages=budgets.c.pages + made * call.tool.reads,
            tokens_reserved=budgets.c.tokens_reserved + call.tokens,
            cost_reserved=budgets.c.cost_reserved + cost,
        )
        if self._connection.execute(change.where(*guards)).rowcount != 1:
            raise StorageInvalid(f"The budget of cycle {self._cycle} holds figures that do not agree with each other.")

    def mark_pending(self, reservation: Reservation) -> bool:
        """Write down that an attempt is about to be sent; False where it is no longer reserved."""
        attempt = sa.update(calls).where(*is_attempt(reservation.key, reservation.attempt), calls.c.state == CallState.RESERVED)
        return self._connection.execute(attempt.values(state=CallState.PENDING, sent_at=moment(self._clock))).rowcount == 1

    # ── after a call ──────────────────────────────────────────────────────────────────────────────────────────────────

    def end(self, attempt: sa.RowMapping, charge: Charge, *, state: CallState, counters: Mapping[str, Any], **facts: Any) -> None:
        """Turn what was set aside for an attempt into what it cost, and write down how it ended.

        A reply above its reservation is booked as it is, warned of, and stops the cycle. An attempt that was given up for lost and
        ends after all is charged what it cost instead of everything.
        """
        tokens = attempt["tokens_reserved"] if charge.tokens is None else charge.tokens
        micros = attempt["cost_reserved"] if charge.micros is None else charge.micros
        held = int(attempt["state"] in OPEN)
        sequence = self.row["settled"] + 1
        self.change(
            tokens_spent=budgets.c.tokens_spent + tokens - attempt["tokens_spent"],
            tokens_reserved=budgets.c.tokens_reserved - held * attempt["tokens_reserved"],
            cost_spent=budgets.c.cost_spent + micros - attempt["cost_spent"],
            cost_reserved=budgets.c.cost_reserved - held * attempt["cost_reserved"],
            settled=sequence,
            **counters,
        )
        self._connection.execute(
            sa.update(calls)
            .where(*is_attempt(attempt["call_key"], attempt["attempt"]))
            .values(
                state=state,
                tokens_spent=tokens,
                cost_spent=micros,
                cost_known=charge.tokens is not None and charge.micros is not None,
                settled_at=moment(self._clock),
                sequence=sequence,
                **facts,
            )
        )
        self._watch_overrun(attempt, tokens, micros)
        self._warn_of_limits()

    def let_go(self, attempt: sa.RowMapping) -> None:
        """End an attempt whose outcome is not known: what was never sent costs nothing, what may have been is charged in full."""
        if attempt["state"] == CallState.RESERVED:
            never_sent = "Never sent: whoever asked for it went away first."
            self.end(attempt, Charge(0, 0), state=CallState.FAILED, counters={}, owner=_NOBODY, error=never_sent)
        elif attempt["state"] == CallState.PENDING:
            lost = "Its outcome is not known: whoever sent it went away."
            self.end(attempt, Charge(None, None), state=CallState.UNKNOWN, counters={}, owner=_NOBODY, error=lost)
        elif attempt["state"] == CallState.FAILED and not attempt["final"]:
            # Another attempt was to follow; now anybody may make it.
            condition = is_attempt(attempt["call_key"], attempt["attempt"])
            self._connection.execute(sa.update(calls).where(*condition).values(owner=_NOBODY))

    def sweep(self) -> int:
        """Let go of the attempts under way whose processes are gone; how many there were."""
        under_way = self._connection.execute(sa.select(calls).where(calls.c.cycle == self._cycle, calls.c.state.in_(OPEN))).mappings().all()
        lost = [attempt for attempt in under_way if not self.lives(attempt["owner"])]
        for attempt in lost:
            self.let_go(attempt)
        return len(lost)

    def lives(self, owner: str) -> bool:
        """Whether the process that holds an attempt may still end it."""
        row = self._connection.execute(sa.select(owners).where(owners.c.owner == owner)).mappings().one_or_none()
        if row is None:
            return False
        return Owner(row["owner"], row["machine"], row["pid"], row["started"]).lives(lease_until=row["lease_until"], now=self._clock.now())

    def stop(self, rule: StopRule, note: str) -> None:
        """Forbid every further call. The first reason stands."""
        if not self.row["stop_rule"]:
            self.change(stop_rule=rule, stop_note=note)

    def count_time(self, since: float) -> float:
        """Add the working time from `since` to now, except what another process has counted already; the moment counted to."""
        now = self._clock.now()
        row = self.row
        worked = max(now - max(since, row["worked_until"]), 0.0)
        self.change(seconds=row["seconds"] + worked, worked_until=max(now, row["worked_until"]))
        return now

    def _watch_overrun(self, attempt: sa.RowMapping, tokens: int, micros: int) -> None:
        if tokens > attempt["tokens_reserved"]:
            rule, figures = StopRule.TOKEN_LIMIT, f"{tokens} tokens where {attempt['tokens_reserved']} were its most"
        elif micros > attempt["cost_reserved"]:
            rule, figures = StopRule.MODEL_COST_LIMIT, f"{micros} millionths of a USD where {attempt['cost_reserved']} were its most"
        else:
            return
        note = f"A {attempt['tool']} call for {attempt['url'] or 'a model'} cost {figures}; the budget cannot be kept against such replies."
        self._warn(f"overrun of {rule}", note)
        self.stop(rule, note)

    def _warn_of_limits(self) -> None:
        budget = self.budget
        for gauge in warnings_at(budget.limits, budget.spent.without_reservations):
            self._warn(gauge.rule, f"{gauge}.")

    def _warn(self, rule: str, message: str) -> None:
        known = sa.select(call_warnings.c.rule).where(call_warnings.c.cycle == self._cycle, call_warnings.c.rule == rule)
        if self._connection.execute(known).one_or_none() is None:
            values = {"cycle": self._cycle, "rule": rule, "message": message, "warned_at": moment(self._clock)}
            self._connection.execute(sa.insert(call_warnings).values(values))


def is_attempt(key: str, attempt: int) -> Sequence[sa.ColumnElement[bool]]:
    """The condition that names one attempt."""
    return calls.c.call_key == key, calls.c.attempt == attempt


def stopped(budget: Budget) -> LimitReached | None:
    """The refusal of every call in a cycle that was stopped."""
    rule = budget.stop_rule
    return None if rule is None else LimitReached(rule, f"{rule.explanation} {budget.stop_note}".rstrip())


def _check(budget: Budget, spent: Spent, call: Call, *, for_report: bool) -> None:
    if for_report:
        # The report is written after every stop but a person's, from what was held back for it.
        if budget.stop_rule is StopRule.ABORTED:
            raise LimitReached(budget.stop_rule, f"{budget.stop_rule.explanation} {budget.stop_note}".rstrip())
        spent = Spent(model_cost_usd=spent.model_cost_usd, model_cost_reserved=spent.model_cost_reserved)
    elif refusal := stopped(budget):
        raise refusal
    check_before_call(
        budget.limits,
        spent,
        tool=call.tool,
        tokens=call.tokens,
        cost=call.cost_usd,
        account_tokens=budget.account_tokens,
        held_back=0.0 if for_report else budget.report_reserve_usd,
    )


def _not_counting(spent: Spent, tool: Tool) -> Spent:
    """What stands without the call itself, which was counted when it was first made."""
    return replace(spent, steps=spent.steps - 1, discover_calls=spent.discover_calls - tool.discovers, pages=spent.pages - tool.reads)
