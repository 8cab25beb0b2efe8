"""Fetch a page: each hop is checked before it is asked, sites are not hurried, and a site that cannot be reached is asked again.

The seam for target faults is `Sites.answer`: whatever a site may do wrong is a `SiteAnswer` or a `SiteUnreachable` of that one method.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urldefrag, urljoin

import httpx
from w3lib.url import safe_url_string

from research_pipeline.ids import host_of, origin_of
from research_pipeline.retrying import parse_retry_after
from resources.embedded.answers import Fetched, Hop, SiteAnswer
from resources.embedded.mounting import MountedFolder
from resources.embedded.network import AddressRefused, Network, SiteUnreachable
from resources.embedded.refreshing import refresh_target
from resources.embedded.scope import ADDRESS_LEAVES_SCOPE, Scope
from resources.embedded.settings import EngineSettings

REDIRECT_LEAVES_SCOPE = "redirect leaves the scope"
MAX_REDIRECTS = 5
MAX_RETRIES = 10  # more than that helps nobody
DEFAULT_RETRIES = 3  # where a call leaves `maxRetries` out, which the service documents as no limit
_FIRST_PAUSE = 0.5  # seconds after a first attempt, doubling
_PASSING = frozenset({429, 502, 503, 504})  # a site that says this may soon say something else
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class RedirectsAstray(Exception):
    """A site sends its readers round and round: asking again would end the same."""


class Pace:
    """The next moment at which each host may be asked."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._delays: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def slow_down(self, host: str, seconds: float) -> None:
        """Honour a host's own wish."""
        self._delays[host] = max(seconds, self._seconds)

    async def turn(self, host: str) -> None:
        """Wait for the host's next slot, and take it."""
        now = time.monotonic()
        slot = max(now, self._next.get(host, now))
        self._next[host] = slot + self._delays.get(host, self._seconds)
        if slot > now:
            await asyncio.sleep(slot - now)


class Sites:
    """Every site the engine can ask: folders and the network behind one method."""

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._mounts = {origin: MountedFolder(folder) for origin, folder in settings.mounts.items()}
        self._network = Network(settings.user_agent)
        self.pace = Pace(settings.politeness_seconds)

    def mount(self, url: str) -> MountedFolder | None:
        """The folder that serves `url`; None where the network does."""
        return self._mounts.get(origin_of(url))

    @asynccontextmanager
    async def visit(self, scope: Scope, *, deadline: float, retries: int | None) -> AsyncGenerator[Visit]:
        """What one call may fetch, until `deadline` (of `time.monotonic`)."""
        async with self._network.open() as client:
            yield Visit(self, scope, client, deadline, DEFAULT_RETRIES if retries is None else min(retries, MAX_RETRIES))

    async def answer(self, client: httpx.AsyncClient, url: str, *, loopback: bool, max_bytes: int | None) -> SiteAnswer:
        """One request, without redirects.

        Raises:
            SiteUnreachable: no response, or a broken one.
            AddressRefused: the name leads to an address that may not be asked.
        """
        cap = self._settings.max_bytes if max_bytes is None else max_bytes
        folder = self.mount(url)
        if folder is not None:
            return await folder.answer(url, max_bytes=cap)
        if not loopback:
            await self.pace.turn(host_of(url))
        return await self._network.answer(client, url, max_bytes=cap, loopback=loopback)


@dataclass(frozen=True, slots=True)
class Visit:
    """The fetches of one call."""

    sites: Sites
    scope: Scope
    client: httpx.AsyncClient
    deadline: float
    retries: int

    @property
    def seconds_left(self) -> float:
        """Until the call must have ended."""
        return self.deadline - time.monotonic()

    async def fetch(self, url: str, *, max_bytes: int | None = None) -> Fetched:
        """Fetch a page through at most five redirects, and say how that ended. `max_bytes` stands in for the cap of the settings."""
        hops: list[Hop] = []
        current = tidy(url)
        while True:
            try:
                self._check(current, hops)
                answer = await self._persist(current, max_bytes)
            except AddressRefused as error:
                reached = hops[-1].url if hops else current
                return Fetched(reached, redirects=tuple(hops), failure=str(error), refused_url=current)
            except RedirectsAstray as error:
                return Fetched(current, redirects=tuple(hops), failure=str(error))
            except SiteUnreachable as error:
                return Fetched(current, redirects=tuple(hops), failure=str(error), unreachable=True)
            target = _redirect(current, answer)
            if not target:
                return Fetched(current, answer, tuple(hops))
            hops.append(Hop(current, answer.status, target))
            current = target

    def _check(self, url: str, hops: Sequence[Hop]) -> None:
        refusal = self.scope.refusal(url)
        if refusal:
            raise AddressRefused(REDIRECT_LEAVES_SCOPE if hops and refusal == ADDRESS_LEAVES_SCOPE else refusal)
        if any(hop.url == url for hop in hops):
            raise RedirectsAstray("the redirects run in a circle")
        if len(hops) > MAX_REDIRECTS:
            raise RedirectsAstray(f"more than {MAX_REDIRECTS} redirects")

    async def _persist(self, url: str, max_bytes: int | None) -> SiteAnswer:
        """Ask until the site answers for good; each attempt gets its share of the time that is left."""
        attempt = 0
        while True:
            outcome = await self._attempt(url, self.seconds_left / (self.retries + 1 - attempt), max_bytes)
            pause = self._pause(url, outcome, attempt)
            if pause is None:
                break
            await asyncio.sleep(pause)
            attempt += 1
        if isinstance(outcome, SiteUnreachable):
            raise outcome
        return outcome

    async def _attempt(self, url: str, seconds: float, max_bytes: int | None) -> SiteAnswer | SiteUnreachable:
        try:
            async with asyncio.timeout(seconds):
                return await self.sites.answer(self.client, url, loopback=self.scope.is_loopback(url), max_bytes=max_bytes)
        except TimeoutError:
            return SiteUnreachable("the site did not answer in time")
        except SiteUnreachable as error:
            return error

    def _pause(self, url: str, outcome: SiteAnswer | SiteUnreachable, attempt: int) -> float | None:
        """Seconds until another attempt; None where there is to be none."""
        pause = _FIRST_PAUSE * 2**attempt
        if isinstance(outcome, SiteAnswer):
            if outcome.status not in _PASSING or self.sites.mount(url) is not None:
                return None
            pause = max(pause, parse_retry_after(outcome.headers.get("retry-after"), now=datetime.now(UTC)) or 0.0)
        return pause if attempt < self.retries and pause < self.seconds_left else None


def tidy(url: str) -> str:
    """A URL as it is asked for: without fragment, what needs it percent-encoded."""
    return safe_url_string(urldefrag(url).url)


def _redirect(url: str, answer: SiteAnswer) -> str:
    """Where the answer sends its reader; empty for a page."""
    location = answer.headers.get("location", "").strip() if answer.status in _REDIRECTS else ""
    try:
        target = urljoin(url, location) if location else refresh_target(url, answer)
        return tidy(target) if target else ""
    except ValueError:
        return location  # the scope refuses what cannot be read, and shows it
