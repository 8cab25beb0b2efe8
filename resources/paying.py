"""A paid call from its claim to its booked reply, for whichever service: claim, send, settle, and again as often as it is worth it.

Whoever pays says how one exchange is made; the order of things, the waiting, the retries and the turns are the same for all.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from research_pipeline.errors import CallFailed, LeaseHeld, Throttled
from research_pipeline.retrying import RetryPolicy
from resources.calls import Call, CallContext, Outcome, Reservation, Settled, Wait
from resources.clock import Clock
from resources.ledger import Ledger
from resources.throttle import Throttle

_FIRST_POLL, _LARGEST_POLL = 0.05, 2.0  # seconds between looks at a call that somebody else has under way

_log = logging.getLogger(__name__)

Exchange = Callable[[], Awaitable[Outcome]]
Judge = Callable[[CallFailed, CallContext], Awaitable[CallFailed]]


@dataclass(frozen=True, slots=True)
class Payee:
    """Who is paid: a host and, as a fingerprint, the account there. Both name the limiter that its callers share.

    `apart` are the seconds that its operators want between two calls.
    """

    host: str
    account: str
    max_concurrency: int
    apart: float = 0.0


async def _as_it_is(failure: CallFailed, _context: CallContext) -> CallFailed:
    return failure


class Payer:
    """Pays one service; make it in the event loop that uses it.

    `settled` raises:
        LimitReached: a stop rule forbids the call; nothing was sent.
        CallFailed: nothing usable came, after as many attempts as are worth it. A `ServiceStop` ends the cycle.
        CallNotRecorded: the context allows no sending, and the ledger has no reply.
    """

    def __init__(
        self, payee: Payee, *, ledger: Ledger, throttle: Throttle, retry: RetryPolicy, clock: Clock, judge: Judge = _as_it_is
    ) -> None:
        self._payee = payee
        self._ledger = ledger
        self._throttle = throttle
        self._retry = retry
        self._clock = clock
        self._judge = judge
        self._slots = throttle.slots(payee.host, payee.account)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def settled(self, call: Call, context: CallContext, exchange: Exchange) -> Settled:
        """The booked reply of a call: from the ledger, or by an exchange that is made now."""
        turn = self._turns.setdefault(call.key(context.cycle), asyncio.Lock())
        async with turn:  # callers of this payer who ask the same at once are answered by the first one's reply
            held = await self._claim(call, context)
            return await self._persist(held, call, context, exchange) if isinstance(held, Reservation) else held

    async def _claim(self, call: Call, context: CallContext, *, after: Reservation | None = None) -> Reservation | Settled:
        pause = _FIRST_POLL
        while isinstance(claim := self._ledger.claim(call, context, after=after), Wait):
            _log.debug("The %s call for %s waits: %s", call.tool, call.url or "a model", claim.reason)
            await self._clock.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
            pause = min(2 * pause, _LARGEST_POLL)
        return claim

    async def _persist(self, held: Reservation, call: Call, context: CallContext, exchange: Exchange) -> Settled:
        """Send until a reply is booked, as often as it is worth it. Whatever happens, nothing stays under way behind."""
        attempt = 1
        try:
            while True:
                try:
                    return await self._send(held, exchange)
                except LeaseHeld:
                    wait = 0.0
                except CallFailed as failure:
                    failure = await self._judge(failure, context)
                    wait = self._retry.wait(failure, attempt, chance=random.random())  # noqa: S311 - as above
                    self._ledger.fail(held, failure, final=wait is None)
                    if wait is None:
                        raise failure from failure.__cause__
                    if isinstance(failure, Throttled):
                        self._throttle.slow_down(self._payee.host, self._payee.account, seconds=wait)
                        wait = 0.0  # the limiter makes everybody wait, this call too
                await self._clock.sleep(wait)
                attempt += 1
                claim = await self._claim(call, context, after=held)
                if isinstance(claim, Settled):
                    return claim
                held = claim
        except BaseException:
            self._ledger.let_go(held)
            raise

    async def _send(self, held: Reservation, exchange: Exchange) -> Settled:
        who, account, most = self._payee.host, self._payee.account, self._payee.max_concurrency
        async with self._slots.one(self, most=most), self._throttle.place(who, account, most=most):
            await self._throttle.turn(who, account, apart=self._payee.apart)
            self._ledger.mark_pending(held)
            outcome = await exchange()
        self._throttle.ease(who, account, most=most)
        return self._ledger.settle(held, outcome)
