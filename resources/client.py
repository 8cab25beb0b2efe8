"""The client of the scraping service: every paid call through the ledger, every failure as one of the product's errors.

The service itself and the embedded engine are one to it: an address that httpx can reach, over the network or in process.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from research_pipeline.errors import AccountExhausted, CallFailed, PermissionRefused, TokenRejected
from research_pipeline.ids import content_id
from research_pipeline.retrying import RetryPolicy
from resources.calls import CallContext, Outcome
from resources.clock import Clock, SystemClock
from resources.gateway import Address, Gateway
from resources.ledger import Ledger
from resources.ledger_tables import Budget
from resources.paying import Payee, Payer
from resources.protocol import (
    Account,
    Envelope,
    MapRequest,
    ServiceRequest,
    WireSettings,
    general_request,
    map_request,
    page_request,
)
from resources.replies import GeneralReply, MapReply, PageReply, Reached, general_reply, map_reply, pack, page_reply, unpack
from resources.throttle import Throttle

R = TypeVar("R", bound=Reached)

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
        self._clock = clock or SystemClock()
        address = Address(settings.base_url, settings.platform_url, settings.token)
        self._gateway = Gateway(address, transport=transport, clock=self._clock)
        self._host = urlsplit(settings.base_url).netloc
        # A fingerprint tells accounts apart; the token itself is never written down.
        self._account = content_id("account", settings.token.get_secret_value())

    async def __aenter__(self) -> Self:
        await self._gateway.__aenter__()
        self._payer = Payer(
            Payee(self._host, self._account, self._settings.max_concurrency),
            ledger=self._ledger,
            throttle=self._throttle,
            retry=self._settings.retry,
            clock=self._clock,
            judge=self._judged,
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._gateway.__aexit__(kind, error, trace)

    async def open_cycle(self, context: CallContext, *, report_reserve_usd: float = 0.0) -> Budget:
        """Begin a cycle's budget, or find it as it stands. What the account has left bounds it, asked once per cycle.

        Where the account cannot be asked for now, the study's own limit stands alone. A service that does not know the token stops the
        cycle here, so that its report is written all the same.
        """
        budget = self._ledger.open_cycle(context.cycle, context.study, limits=context.limits, report_reserve_usd=report_reserve_usd)
        if budget.account_tokens is not None:
            return budget
        try:
            account = await self.account()
        except TokenRejected as failure:
            self._ledger.stop(context.cycle, failure)
            return self._ledger.budget(context.cycle)
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
                return await self._gateway.account()
            except CallFailed as failure:
                wait = self._settings.retry.wait(failure, attempt, chance=random.random())  # noqa: S311 - spreads load, guards nothing
                if wait is None:
                    raise
            await self._clock.sleep(wait)
            attempt += 1

    # ── a paid call ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _ask(self, request: ServiceRequest, context: CallContext, kind: type[R], read: Callable[[Envelope, datetime], R]) -> R:
        async def exchange() -> Outcome:
            return await self._exchange(request, read)

        settled = await self._payer.settled(request.call, context, exchange)
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

    async def _exchange(self, request: ServiceRequest, read: Callable[[Envelope, datetime], Reached]) -> Outcome:
        envelope = await self._gateway.ask(request, seconds=self._settings.wire.page_timeout + self._settings.grace)
        reply = read(envelope, self._gateway.now())
        facts, body = pack(reply)
        body_hash = await asyncio.to_thread(self._archive.put, body) if body else ""  # it waits for the disk
        return Outcome(facts, body_hash, status=envelope.status, tokens=envelope.tokens, hollow=reply.hollow_reason)

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
