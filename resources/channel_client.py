"""Asking channels: each query in the ledger before it is sent, spaced as the channel's operators ask, its reply archived as it came.

Channels are strangers to the account at the scraping service: whatever one of them answers is a failure of its own, and stops no cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self
from urllib.parse import urlencode, urlsplit

import httpx
from pydantic import SecretStr

from research_pipeline.channels import Channel, Found, Query, kept
from research_pipeline.errors import CallFailed, CallNotRecorded, ReplyMalformed, RequestRefused, ServiceStop, Throttled, TransientFailure
from research_pipeline.ids import content_id
from research_pipeline.limits import Tool
from research_pipeline.retrying import RetryPolicy
from resources.calls import Call, CallContext, Outcome, Settled
from resources.client import BodyArchive
from resources.clock import Clock
from resources.failures import Redactor
from resources.gateway import CONNECT_SECONDS, exchanged
from resources.ledger import Ledger
from resources.paying import Payee, Payer
from resources.throttle import Throttle

USER_AGENT = "evidence-research-pipeline"
LARGEST_REPLY = 8_000_000  # bytes; a page of results is a hundredth of it


@dataclass(frozen=True, slots=True)
class Reach:
    """A channel and how a deployment reaches it: the address that is asked, a key or none, and the seconds between two calls."""

    channel: Channel
    address: str
    key: SecretStr
    apart: float


class ChannelClient:
    """Use it as `async with`; it may be entered again, in another event loop too.

    Args:
        reaches: by the name of the channel. seconds: wall clock of one call.
    """

    def __init__(
        self,
        reaches: Mapping[str, Reach],
        *,
        seconds: float,
        retry: RetryPolicy,
        ledger: Ledger,
        archive: BodyArchive,
        throttle: Throttle,
        clock: Clock,
        transport: Callable[[], httpx.AsyncBaseTransport] | None = None,
    ) -> None:
        self._reaches = reaches
        self._seconds = seconds
        self._retry = retry
        self._ledger = ledger
        self._archive = archive
        self._throttle = throttle
        self._clock = clock
        self._transport = transport
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        transport = None if self._transport is None else self._transport()
        # A redirect would carry the key, and the query, to another host.
        client = httpx.AsyncClient(
            transport=transport,
            headers={"User-Agent": USER_AGENT},
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        )
        self._http = await self._open.enter_async_context(client)
        self._payers = {name: self._payer(reach) for name, reach in self._reaches.items()}
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._open.aclose()

    async def search(self, channel: str, query: Query, context: CallContext) -> Found:
        """What a channel finds; the same query of a cycle is asked once.

        Raises:
            KeyError: the client does not reach such a channel.
            LimitReached: a stop rule forbids the call; nothing was sent.
            CallFailed: nothing usable came, after as many attempts as are worth it; never a `ServiceStop`.
        """
        reach = self._reaches[channel]

        async def exchange() -> Outcome:
            return await self._exchange(reach, query)

        return self._read(reach, query, await self._payers[channel].settled(_call(reach, query), context, exchange))

    def recorded(self, channel: str, query: Query, context: CallContext) -> Found:
        """What a channel found before; nothing is sent.

        Raises:
            CallNotRecorded: it was not asked in this cycle. CallFailed: it was, and that came to nothing.
        """
        reach = self._reaches[channel]
        held = self._ledger.claim(_call(reach, query), replace(context, ledger_only=True))
        if not isinstance(held, Settled):
            raise CallNotRecorded(f"The channel {channel} was not asked for {query.text!r} in this cycle.")
        return self._read(reach, query, held)

    def _payer(self, reach: Reach) -> Payer:
        account = content_id("account", reach.key.get_secret_value())
        payee = Payee(urlsplit(reach.address).netloc, account, max_concurrency=1, apart=reach.apart)
        return Payer(payee, ledger=self._ledger, throttle=self._throttle, retry=self._retry, clock=self._clock)

    async def _exchange(self, reach: Reach, query: Query) -> Outcome:
        key = reach.key.get_secret_value()
        headers = {reach.channel.key_header: key} if key else {}
        message = self._http.build_request("GET", _url(reach, query), headers=headers)
        try:
            status, said, content = await exchanged(
                self._http, message, seconds=self._seconds, redactor=Redactor(reach.key), now=self._now, largest=LARGEST_REPLY
            )
        except CallFailed as failure:
            raise _of_channel(failure, reach) from failure
        content_type = said.get("content-type", "").partition(";")[0].strip().lower()
        found = _found(reach, query, content, content_type)
        return Outcome({"content_type": content_type, "results": len(found.results)}, self._archive.put(content), status=status)

    def _read(self, reach: Reach, query: Query, settled: Settled) -> Found:
        return _found(reach, query, self._archive.get(settled.body_hash), settled.response["content_type"])

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _call(reach: Reach, query: Query) -> Call:
    return Call(Tool.SEARCH, _url(reach, query), query.arguments(reach.channel.name))


def _url(reach: Reach, query: Query) -> str:
    """What is asked, without the key.

    Raises:
        RequestRefused: the channel could not say how it is asked.
    """
    try:
        return f"{reach.address}?{urlencode(reach.channel.parameters(query))}"
    except Exception as fault:  # a plugin is code of others, see `_found`
        raise RequestRefused(
            f"The channel {reach.channel.name} could not put the query: {type(fault).__name__}: {fault}", cost=0
        ) from fault


def _found(reach: Reach, query: Query, content: bytes, content_type: str) -> Found:
    if not content.strip():
        raise ReplyMalformed(f"The channel {reach.channel.name} sent an empty reply.")
    try:
        return kept(reach.channel.read(content, content_type), query, channel=reach.channel.name, hosts=reach.channel.hosts)
    except CallFailed:
        raise
    except Exception as fault:  # a plugin is code of others: what breaks there is a failure of its channel, and not of the run
        raise ReplyMalformed(f"The channel {reach.channel.name} could not read its reply: {type(fault).__name__}: {fault}") from fault


def _of_channel(failure: CallFailed, reach: Reach) -> CallFailed:
    """The same failure as one of a channel: it says whose it is, costs nothing, and ends no cycle."""
    variable, status, wait = reach.channel.key_variable, failure.status, failure.retry_after
    message = f"The channel {reach.channel.name}: {failure.message}"
    if isinstance(failure, Throttled) or (status == 503 and wait is not None):
        remedy = f"Run again later, or set a key of your own in {variable}." if variable else "Run again later."
        return Throttled(message, status=status, cost=0, retry_after=wait, remedy=remedy)
    if isinstance(failure, ServiceStop):
        remedy = f"Set {variable} to a key that it accepts." if variable else "Run again later; it takes no key."
        return RequestRefused(message, status=status, cost=0, remedy=remedy)
    if isinstance(failure, TransientFailure):
        return TransientFailure(message, status=status, cost=0, retry_after=wait)
    return RequestRefused(message, status=status, cost=0, remedy="See whether its address and the query are right.")
