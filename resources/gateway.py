"""The service over HTTP: one request, one reply or one of the product's errors. Nothing here is retried or written down."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from types import TracebackType
from typing import Self

import httpx
from pydantic import SecretStr

from research_pipeline.errors import RequestRefused
from resources.clock import Clock
from resources.failures import Redactor, broken_exchange, refusal
from resources.protocol import ACCOUNT_PATH, TOKEN_HEADER, Account, Envelope, ServiceRequest, open_reply, read_account

CONNECT_SECONDS = 10.0
ACCOUNT_SECONDS = 30.0
LARGEST_REPLY = 64_000_000  # bytes; a page is cut by the service long before
_ACCEPTED = (200, 201)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service is.

    Args:
        base_url: of the gateway. platform_url: of the API that tells about the account.
        token: sent in the header `x-api-token` and nowhere else; empty sends none.
    """

    base_url: str
    platform_url: str
    token: SecretStr


class Gateway:
    """Use it as `async with`; after that it may be entered again, in another event loop too."""

    def __init__(self, address: Address, *, transport: Callable[[], httpx.AsyncBaseTransport] | None, clock: Clock) -> None:
        self._address = address
        self._transport = transport
        self._clock = clock
        self._redactor = Redactor(address.token)
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        token = self._address.token.get_secret_value()
        client = httpx.AsyncClient(
            transport=None if self._transport is None else self._transport(),
            headers={TOKEN_HEADER: token} if token else {},
            follow_redirects=False,  # a redirect would carry the token to another host
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),  # the whole exchange has a deadline of its own
            verify=_trusted(),
        )
        self._http = await self._open.enter_async_context(client)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._open.aclose()

    async def ask(self, request: ServiceRequest, *, seconds: float) -> Envelope:
        """Make a paid call; the whole reply must be there within so many seconds.

        Raises:
            CallFailed: of the class that says what is to be done about it.
        """
        message = self._http.build_request("POST", self._address.base_url, params=dict(request.flags), json=dict(request.body))
        status, headers, content = await self._exchange(message, seconds)
        return open_reply(status, headers, content)

    async def account(self) -> Account:
        """What the account may use and has used.

        Raises:
            CallFailed: as above.
        """
        message = self._http.build_request("GET", self._address.platform_url + ACCOUNT_PATH)
        _status, _headers, content = await self._exchange(message, ACCOUNT_SECONDS)
        return read_account(content)

    def now(self) -> datetime:
        """The moment, in UTC."""
        return datetime.fromtimestamp(self._clock.now(), UTC)

    async def _exchange(self, message: httpx.Request, seconds: float) -> tuple[int, Mapping[str, str], bytes]:
        return await exchanged(self._http, message, seconds=seconds, redactor=self._redactor, now=self.now, largest=LARGEST_REPLY)


async def exchanged(
    http: httpx.AsyncClient,
    message: httpx.Request,
    *,
    seconds: float,
    redactor: Redactor,
    now: Callable[[], datetime],
    largest: int,
) -> tuple[int, Mapping[str, str], bytes]:
    """Status, headers with names in lower case, and content without the secret, of a reply that was accepted.

    Raises:
        CallFailed: no whole reply came within so many seconds, one that is no acceptance, or one of more than `largest` bytes.
    """
    try:
        async with asyncio.timeout(seconds):
            response = await http.send(message, stream=True)
            try:
                content = redactor.content(await _read(response, largest))
            finally:
                await response.aclose()
    except (httpx.HTTPError, TimeoutError) as error:
        raise broken_exchange(error, redactor=redactor) from error
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.status_code not in _ACCEPTED:
        raise refusal(response.status_code, headers, content, now=now(), redactor=redactor)
    return response.status_code, headers, content


@cache  # reading the certificates takes longer than a stage does with what it has
def _trusted() -> ssl.SSLContext:
    return httpx.create_ssl_context()


async def _read(response: httpx.Response, largest: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > largest:
            raise RequestRefused(f"The service's reply is longer than {largest} bytes.", status=response.status_code)
        parts.append(part)
    return b"".join(parts)
