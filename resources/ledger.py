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
from collections.abc import Mapping

import sqlalchemy as sa

from research_pipeline.errors import AccountExhausted, CallFailed, CallNotRecorded, LeaseHeld, PermissionRefused, ServiceStop, TokenRejected
from research_pipeline.ids import canonical_url
from research_pipeline.limits import StopRule, Tool
from resources.admission import stopped
from resources.calls import Call, CallContext, CallRow, CallState, Outcome, Reservation, Settled, Wait
from resources.cycle_budgets import CycleBudgets
from resources.ledger_tables import Row, call_row_of, calls, failure_of, settled_of, to_micros
from resources.locked_cycle import OPEN, Charge, LockedCycle
from resources.opstore import reading

_STOPS: Mapping[type[CallFailed], StopRule] = {
    TokenRejected: StopRule.TOKEN_REJECTED,
    AccountExhausted: StopRule.ACCOUNT_EXHAUSTED,
    PermissionRefused: StopRule.PERMISSION_REFUSED,
}

_ATTEMPTS = sa.select(calls).where(calls.c.call_key == sa.bindparam("key"))
_SETTLED = _ATTEMPTS.where(calls.c.state == CallState.SETTLED).order_by(calls.c.sequence).limit(1)
_FAILED = _ATTEMPTS.where(calls.c.state == CallState.FAILED, calls.c.final).order_by(calls.c.attempt.desc()).limit(1)


class Ledger(CycleBudgets):
    """The ledger in an operational store; one object serves all threads and event loops of a process."""

    def calls(self, cycle: str, *, sub_question_id: str | None = None) -> list[CallRow]:
        """Every attempt of the cycle in the order of reserving; with a sub-question, those that were made on its behalf."""
        query = sa.select(calls).where(calls.c.cycle == cycle).order_by(calls.c.reserved_at, calls.c.call_key, calls.c.attempt)
        if sub_question_id is not None:
            query = query.where(calls.c.sub_question_id == sub_question_id)
        with reading(self._engine) as connection:
            return [call_row_of(row) for row in connection.execute(query).mappings()]

    def failed_maps(self, cycle: str) -> frozenset[str]:
        """Canonical start URLs of which the newest map came to nothing, and channels with the query of which the newest search did
        (`Source.place`), so that pages which answer may be unknown."""
        newest = {_place_of(call): call.state for call in self.calls(cycle) if call.tool.discovers}
        return frozenset(url for url, state in newest.items() if state in (CallState.FAILED, CallState.UNKNOWN))

    def answer(self, call: Call, cycle: str) -> Settled | None:
        """The booked reply of a call; None where there is none yet."""
        with reading(self._engine) as connection:
            row = connection.execute(_SETTLED, {"key": call.key(cycle)}).mappings().one_or_none()
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
        if context.ledger_only:
            raise self._recorded_failure(call, context.cycle)
        self._register()
        self._ensure(context.cycle, context.study, context.limits, 0.0)
        self._count_time(context.cycle)
        with self._locked(context.cycle) as book:
            latest = book.latest(call.key(context.cycle))
            standing = _standing(book, latest, context, after)
            if standing is not None:
                return standing
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
                    owner=self._owner.name,
                    http_status=outcome.status,
                    error=outcome.hollow,
                    response=json.dumps(dict(outcome.response), sort_keys=True),
                    body_hash=outcome.body_hash,
                )
                book.change(failures_in_a_row=0)
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
                final=final,
                http_status=failure.status,
                error_class=type(failure).__name__,
                error=failure.message,
            )
            if final and attempt["state"] in OPEN:
                tool = Tool(attempt["tool"])
                book.add(failures_in_a_row=1, discover_calls=-tool.discovers, pages=-tool.reads)
            rule = _STOPS.get(type(failure))
            if rule is not None:
                book.stop(rule, failure.message)

    def stop(self, cycle: str, failure: ServiceStop) -> None:
        """Forbid every further call, since the service said that none makes sense."""
        with self._locked(cycle) as book:
            book.stop(_STOPS[type(failure)], failure.message)

    def let_go(self, reservation: Reservation) -> None:
        """End an attempt whose outcome will not be known here: what was never sent costs nothing, what may have been is charged in full."""
        with self._locked(reservation.cycle) as book:
            book.let_go(book.attempt(reservation))

    def _recorded_failure(self, call: Call, cycle: str) -> CallFailed | CallNotRecorded:
        with reading(self._engine) as connection:
            row = connection.execute(_FAILED, {"key": call.key(cycle)}).mappings().one_or_none()
        if row is not None:
            return failure_of(row)
        return CallNotRecorded(f"The ledger holds no reply to the {call.tool} call for {call.url or 'a model'}.")


def _place_of(call: CallRow) -> str:
    return f"{call.arguments['channel']}: {call.arguments['query']}" if call.tool is Tool.SEARCH else canonical_url(call.url)


def _standing(book: LockedCycle, latest: Row | None, context: CallContext, after: Reservation | None) -> Settled | Wait | None:
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
