"""A site over the network, reached through addresses that were checked: none but public ones, unless the origin is approved loopback.

The name is resolved here and the connection goes to the address that was checked, so that a name that changes its mind
between check and connection gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpx

from resources.embedded.answers import SiteAnswer

_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")


class SiteUnreachable(Exception):
    """The site could not be asked, or broke off: its text is the reason. Another attempt may succeed."""


class AddressRefused(Exception):
    """An address that may not be asked: out of scope, or one that leads to a private, loopback, link-local or reserved network."""


class Network:
    """Asks sites; holds no connection beyond `open`, so one object serves any number of event loops."""

    def __init__(self, user_agent: str) -> None:
        self._headers = {"user-agent": user_agent, "accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5"}

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[httpx.AsyncClient]:
        """A client for the requests of one call."""
        # Environment proxies would resolve names on their own, past the check of addresses.
        async with httpx.AsyncClient(headers=self._headers, verify=_certificates(), trust_env=False, timeout=None) as client:  # noqa: S113  # the caller bounds each attempt
            yield client

    async def answer(self, client: httpx.AsyncClient, url: str, *, max_bytes: int, loopback: bool) -> SiteAnswer:
        """One request, without redirects; the caller bounds its time.

        Raises:
            AddressRefused: before anything is sent.
            SiteUnreachable: no response, or a broken one.
        """
        target = httpx.URL(url)
        addresses = await resolve(
            target.raw_host.decode("ascii"), target.port or (443 if target.scheme == "https" else 80), loopback=loopback
        )
        for address in addresses[:-1]:
            try:
                return await self._ask(client, target, address, max_bytes)
            except httpx.ConnectError:
                continue  # the next address of the same name may answer
            except httpx.HTTPError as error:
                raise SiteUnreachable(_reason(error)) from error
        try:
            return await self._ask(client, target, addresses[-1], max_bytes)
        except httpx.HTTPError as error:
            raise SiteUnreachable(_reason(error)) from error

    async def _ask(self, client: httpx.AsyncClient, target: httpx.URL, address: str, max_bytes: int) -> SiteAnswer:
        # httpx checks the certificate against `sni_hostname`, and pools connections by the address alone: closing each keeps
        # two sites at one address apart.
        headers = {"host": target.netloc.decode("ascii"), "connection": "close"}
        request = client.build_request(
            "GET", target.copy_with(host=address), headers=headers, extensions={"sni_hostname": target.raw_host.decode("ascii")}
        )
        response = await client.send(request, stream=True)
        try:
            body, truncated = await _read(response, max_bytes)
        finally:
            await response.aclose()
        return SiteAnswer(response.status_code, dict(response.headers.items()), body, truncated)


async def resolve(host: str, port: int, *, loopback: bool) -> list[str]:
    """The addresses that a name leads to, all of them allowed.

    Raises:
        AddressRefused: one of them is not.
        SiteUnreachable: the name leads nowhere.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise SiteUnreachable(f"the name {host!r} leads nowhere ({error})") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    allowed = _is_loopback if loopback else is_public
    for address in addresses:
        if not allowed(address):
            raise AddressRefused(f"{host} leads to {address}, which is not a {'loopback' if loopback else 'public'} address")
    return addresses


def is_public(address: str) -> bool:
    """Whether anybody on the internet means the same machine by this address; what an IPv6 address wraps counts."""
    ip = _unwrapped(ip_address(address.partition("%")[0]))
    return ip.is_global and not ip.is_multicast and (isinstance(ip, IPv4Address) or ip in _GLOBAL_UNICAST)


def _is_loopback(address: str) -> bool:
    return _unwrapped(ip_address(address.partition("%")[0])).is_loopback


def _unwrapped(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else ip)


async def _read(response: httpx.Response, max_bytes: int) -> tuple[bytes, bool]:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > max_bytes:
            return bytes(body[:max_bytes]), True
    return bytes(body), False


def _reason(error: httpx.HTTPError) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()
