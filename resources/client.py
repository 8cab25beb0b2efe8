"""The client of the scraping service: every paid call through the ledger, every failure as one of the product's errors.

The service itself and the embedded engine are one to it: an address that httpx can reach, over the network or in process.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import httpx
from pydantic import SecretStr

from research_pipeline.errors import AccountExhausted, CallFailed, LeaseHeld, PermissionRefused, RequestRefused, Throttled, TokenRejected
from research_pipeline.ids import content_id
from research_pipeline.retrying import RetryPolicy
from resources.calls import CallContext, Outcome, Reservation, Settled, Wait
from resources.clock import Clock, SystemClock
from resources.failures import Redactor, broken_exchange, refusal
from resources.ledger import Ledger
from resources.ledger_tables import Budget
from resources.protocol import (
    ACCOUNT_PATH,
    TOKEN_HEADER,
    Account,
    Envelope,
    MapRequest,
    ServiceRequest,
    WireSettings,
    general_request,
    map_request,
    open_reply,
    page_request,
    read_account,
)
from resources.replies import GeneralReply, MapReply, PageReply, Reached, general_reply, map_reply, pack, page_reply, unpack
from resources.throttle import Throttle

R = TypeVar("R", bound=Reached)

_CONNECT_SECONDS = 10.0
_ACCOUNT_SECONDS = 30.0
_LARGEST_REPLY = 64_000_000  # bytes; a page is cut by the service long before
_FIRST_POLL, _LARGEST_POLL = 0.05, 2.0  # seconds between looks at a call that somebody else has under way

_log = logging.getLogger(__name__)


class BodyArchive(Protocol):
    """Where bodies are kept under the hash of their content."""

    def put(self, body: bytes) -> str:
        """Store a body; its SHA-256 in hex."""
        ...

    def get(self, name: str) -> bytes:
        """The body stored under a hash."""
        ...


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """How the service is reached.

    Args:
        base_url: of the gateway. platform_url: of the API that tells about the account.
        token: sent in the header `x-api-token` and nowhere else; empty sends none.
        max_concurrency: calls under way at once from this client.
        grace: seconds that a reply may come later than the page timeout that was sent.
    """

    base_url: str
    platform_url: str
    token: SecretStr = field(default=SecretStr(""))
    wire: WireSettings = field(default=WireSettings())
    retry: RetryPolicy = field(default=RetryPolicy())
    max_concurrency: int = 10
    map_depth: int = 2
    map_pages: int = 3
    map_limit: int = 1000
    grace: float = 30.0


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A reply as it came. Header names are in lower case; the token is taken out of the content."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class ScraperClient:
    """Use it as `async with`; it may be entered again, in another event loop too.

    Every method that pays takes a `CallContext` and raises:
        LimitReached: a stop rule forbids the call; nothing was sent.
        CallFailed: nothing usable came, after as many attempts as are worth it. A `ServiceStop` ends the cycle.
        CallNotRecorded: the context allows no sending, and the ledger has no reply.
    """

    def __init__(
        self,
        settings: ClientSettings,
        *,
        ledger: Ledger,
        archive: BodyArchive,
        throttle: Throttle,
        transport: Callable[[], httpx.AsyncBaseTransport] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings
        self._ledger = ledger
        self._archive = archive
        self._throttle = throttle
        self._transport = transport
        self._clock = clock or SystemClock()
        self._redactor = Redactor(settings.token)
        self._host = urlsplit(settings.base_url).netloc
        # A fingerprint tells accounts apart; the token itself is never written down.
        self._account = content_id("account", settings.token.get_secret_value())
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        settings = self._settings
        token = settings.token.get_secret_value()
        client = httpx.AsyncClient(
            transport=None if self._transport is None else self._transport(),
            headers={TOKEN_HEADER: token} if token else {},
            follow_redirects=False,  # a redirect would carry the token to another host
            timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),  # the whole exchange has a deadline of its own
        )
        self._http = await self._open.enter_async_context(client)
        self._slots = asyncio.Semaphore(settings.max_concurrency)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._open.aclose()

    async def open_cycle(self, context: CallContext, *, report_reserve_usd: float = 0.0) -> Budget:
        """Begin a cycle's budget, or find it as it stands. What the account has left bounds it, asked once per cycle.

        Where the account cannot be asked for now, the study's own limit stands alone.

        Raises:
            TokenRejected: the service does not know the token.
        """
        budget = self._ledger.open_cycle(context.cycle, context.study, limits=context.limits, report_reserve_usd=report_reserve_usd)
        if budget.account_tokens is not None:
            return budget
        try:
            account = await self.account()
        except TokenRejected:
            raise
        except CallFailed as failure:  # a token may scrape and yet not see the account
            _log.warning("The account could not be asked what it has left: %s", failure.message)
            return budget
        if account.left is not None:
            self._ledger.set_account_left(context.cycle, account.left)
        return self._ledger.budget(context.cycle)

    async def map_site(
        self,
        url: str,
        context: CallContext,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        depth: int | None = None,
        pages: int | None = None,
        limit: int | None = None,
    ) -> MapReply:
        """The URLs of a site. Patterns are a wish: what comes back is to be filtered again."""
        settings = self._settings
        wanted = MapRequest(
            url, tuple(include), tuple(exclude), depth or settings.map_depth, pages or settings.map_pages, limit or settings.map_limit
        )
        request = map_request(wanted, settings.wire)

        def read(envelope: Envelope, at: datetime) -> MapReply:
            return map_reply(envelope, url, retrieved_at=at, limit=wanted.limit)

        return await self._ask(request, context, MapReply, read)

    async def read_page(self, url: str, context: CallContext, *, markdown: bool = False) -> PageReply:
        """A page as HTML, or as Markdown."""
        request = page_request(url, markdown=markdown, settings=self._settings.wire)

        def read(envelope: Envelope, at: datetime) -> PageReply:
            return page_reply(envelope, url, tool=request.call.tool, retrieved_at=at)

        return await self._ask(request, context, PageReply, read)

    async def extract(self, url: str, prompt: str, context: CallContext, *, schema: Mapping[str, Any] | None = None) -> GeneralReply:
        """What the general agent finds on a page, in the form of `schema` where one is given; unchecked."""
        request = general_request(url, prompt, schema=schema, settings=self._settings.wire)

        def read(envelope: Envelope, at: datetime) -> GeneralReply:
            return general_reply(envelope, url, retrieved_at=at)

        return await self._ask(request, context, GeneralReply, read)

    async def account(self) -> Account:
        """What the account may use and has used. It costs nothing and is not in the ledger."""
        attempt = 1
        while True:
            try:
                exchange = await self._exchange("GET", self._settings.platform_url + ACCOUNT_PATH, seconds=_ACCOUNT_SECONDS)
                return read_account(self._accepted(exchange).content)
            except CallFailed as failure:
                wait = self._settings.retry.wait(failure, attempt, chance=random.random())  # noqa: S311 - spreads load, guards nothing
                if wait is None:
                    raise
            await self._clock.sleep(wait)
            attempt += 1

    # ── a paid call ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _ask(self, request: ServiceRequest, context: CallContext, kind: type[R], read: Callable[[Envelope, datetime], R]) -> R:
        key = request.call.key(context.cycle)
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:  # callers of this client who ask the same at once are answered by the first one's reply
            held = await self._claim(request, context)
            settled = await self._persist(held, request, context, read) if isinstance(held, Reservation) else held
        body = self._archive.get(settled.body_hash) if settled.body_hash else b""
        return unpack(
            kind,
            settled.response,
            body,
            tokens=settled.tokens,
            call_key=settled.key,
            body_hash=settled.body_hash,
            from_ledger=settled.from_ledger,
        )

    async def _claim(self, request: ServiceRequest, context: CallContext, *, after: Reservation | None = None) -> Reservation | Settled:
        pause = _FIRST_POLL
        while isinstance(claim := self._ledger.claim(request.call, context, after=after), Wait):
            await self._clock.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads load, guards nothing
            pause = min(2 * pause, _LARGEST_POLL)
        return claim

    async def _persist(
        self, held: Reservation, request: ServiceRequest, context: CallContext, read: Callable[[Envelope, datetime], Reached]
    ) -> Settled:
        """Send until a reply is booked, as often as it is worth it. Whatever happens, nothing stays under way behind."""
        attempt = 1
        try:
            while True:
                try:
                    return await self._send(held, request, read)
                except LeaseHeld:
                    wait = 0.0
                except CallFailed as failure:
                    failure = await self._judged(failure, context)
                    wait = self._settings.retry.wait(failure, attempt, chance=random.random())  # noqa: S311 - as above
                    self._ledger.fail(held, failure, final=wait is None)
                    if wait is None:
                        raise failure from failure.__cause__
                    if isinstance(failure, Throttled):
                        self._throttle.slow_down(self._host, self._account, seconds=wait)
                        wait = 0.0  # the limiter makes everybody wait, this call too
                await self._clock.sleep(wait)
                attempt += 1
                claim = await self._claim(request, context, after=held)
                if isinstance(claim, Settled):
                    return claim
                held = claim
        except BaseException:
            self._ledger.let_go(held)
            raise

    async def _send(self, held: Reservation, request: ServiceRequest, read: Callable[[Envelope, datetime], Reached]) -> Settled:
        async with self._slots:
            await self._throttle.turn(self._host, self._account)
            self._ledger.mark_pending(held)
            exchange = await self._exchange(
                "POST", self._settings.base_url, seconds=self._settings.wire.page_timeout + self._settings.grace, request=request
            )
        accepted = self._accepted(exchange)
        self._throttle.ease(self._host, self._account)
        envelope = open_reply(accepted.status, accepted.headers, accepted.content)
        reply = read(envelope, self._now())
        facts, body = pack(reply)
        body_hash = self._archive.put(body) if body else ""
        outcome = Outcome(facts, body_hash, status=accepted.status, tokens=envelope.tokens, hollow=reply.hollow_reason)
        return self._ledger.settle(held, outcome)

    async def _judged(self, failure: CallFailed, context: CallContext) -> CallFailed:
        """A 403 without a reason may mean an account that is used up: only the account knows."""
        if not isinstance(failure, PermissionRefused | AccountExhausted):
            return failure
        try:
            left = (await self.account()).left
        except CallFailed:
            return failure
        if left is not None:
            self._ledger.set_account_left(context.cycle, left)
        if left == 0 and isinstance(failure, PermissionRefused):
            return AccountExhausted(failure.message, status=failure.status, cost=failure.cost)
        return failure

    # ── over the wire ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _exchange(self, method: str, url: str, *, seconds: float, request: ServiceRequest | None = None) -> _Exchange:
        message = self._http.build_request(
            method,
            url,
            params=None if request is None else dict(request.flags),
            json=None if request is None else dict(request.body),
        )
        try:
            async with asyncio.timeout(seconds):
                response = await self._http.send(message, stream=True)
                try:
                    content = await _read(response)
                finally:
                    await response.aclose()
        except (httpx.HTTPError, TimeoutError) as error:
            raise broken_exchange(error, redactor=self._redactor) from error
        headers = {name.lower(): value for name, value in response.headers.items()}
        return _Exchange(response.status_code, headers, self._redactor.content(content))

    def _accepted(self, exchange: _Exchange) -> _Exchange:
        if exchange.status in (200, 201):
            return exchange
        raise refusal(exchange.status, exchange.headers, exchange.content, now=self._now(), redactor=self._redactor)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


async def _read(response: httpx.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > _LARGEST_REPLY:
            raise RequestRefused(f"The service's reply is longer than {_LARGEST_REPLY} bytes.", status=response.status_code)
        parts.append(part)
    return b"".join(parts)
