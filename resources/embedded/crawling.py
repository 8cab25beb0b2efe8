"""The map of a site: what its links and sitemaps list, in one order that never varies.

First what a breadth-first crawl finds, level by level in page order, then the sitemaps, with what lies below the start path ahead.
Include patterns choose what is listed, never what is crawled; exclude patterns do both.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urljoin, urlsplit, urlunsplit

from research_pipeline.ids import canonical_url, host_of, origin_of
from resources.embedded.answers import Fetched
from resources.embedded.documents import NoText, read_document
from resources.embedded.fetching import Sites, Visit, tidy
from resources.embedded.links import is_asset, links_of
from resources.embedded.protocol import CallBody
from resources.embedded.robots import Robots, read_robots
from resources.embedded.settings import EngineSettings
from resources.embedded.sitemaps import MAX_FILES, MAX_NESTING, read_sitemap


class Skipped(StrEnum):
    """Why an address that was found is not in the map."""

    OTHER_HOST = "other host"
    ASSET = "no text"
    ROBOTS = "robots.txt"
    EXCLUDED = "exclude pattern"
    NOT_INCLUDED = "no include pattern"
    NOWHERE = "leads nowhere"
    UNREADABLE = "unreadable address"


@dataclass(slots=True)
class SiteMap:
    """What a map call found: addresses in order, what was left out and why, and how the start page was fetched."""

    start: Fetched
    urls: list[str] = field(default_factory=list[str])
    skipped: Counter[str] = field(default_factory=Counter[str])
    pages_fetched: int = 0
    truncated: bool = False


class Crawler:
    """One map call on one site."""

    def __init__(self, sites: Sites, visit: Visit, body: CallBody, *, settings: EngineSettings) -> None:
        self._sites = sites
        self._visit = visit
        self._body = body
        self._settings = settings
        self._site = ""
        self._base_path = "/"
        self._robots: Robots | None = None
        self._listed: dict[str, str] = {}  # key → address, in order
        self._judged: set[str] = set()
        self._map = SiteMap(Fetched(body.url))

    async def map(self) -> SiteMap:
        """Crawl, read the sitemaps, and list."""
        start = tidy(self._body.url)
        await self._enter(start)
        if self._may(start):
            await self._crawl(start)
        else:
            self._map.skipped[Skipped.ROBOTS] += 1
        if not self._map.start.refused_url:
            self._list(await self._sitemap_pages())
        return self._finished()

    async def _enter(self, url: str) -> None:
        """Take the site that `url` is on as the one to map, with its rules."""
        self._site = origin_of(url)
        self._base_path = urlsplit(url).path.rpartition("/")[0] + "/"
        self._robots = read_robots(await self._visit.fetch(f"{self._site}/robots.txt"), self._settings.user_agent)
        delay = min(self._robots.crawl_delay(), self._settings.max_crawl_delay)
        if delay and self._sites.mount(url) is None:
            self._sites.pace.slow_down(host_of(url), delay)

    async def _crawl(self, start: str) -> None:
        level = await self._fetch_start(start)
        for _ in range(1, self._body.max_depth):
            following: list[str] = []
            for url in sorted(level, key=self._promise):
                if not self._has_room():
                    return
                following += await self._follow(url)
            level = following

    async def _fetch_start(self, start: str) -> list[str]:
        fetched = self._map.start = await self._visit.fetch(start)
        self._map.pages_fetched += 1
        if not fetched.found:
            return []
        if origin_of(fetched.url) != self._site:
            await self._enter(fetched.url)
        self._list([fetched.url])
        return self._list(await self._links(fetched)) if self._body.max_depth else []

    async def _follow(self, url: str) -> list[str]:
        """Fetch a listed page; its links join the list. What leads nowhere leaves it, and what was moved stands under its new address."""
        fetched = await self._visit.fetch(url)
        self._map.pages_fetched += 1
        key = _key(url)
        if fetched.answer is None:
            return []  # a page call will tell why
        if not fetched.found:
            self._listed.pop(key, None)
            self._map.skipped[Skipped.NOWHERE] += 1
            return []
        if _key(fetched.url) != key:
            self._listed.pop(key, None)
            self._list([fetched.url])
        return self._list(await self._links(fetched))

    async def _links(self, fetched: Fetched) -> list[str]:
        if fetched.answer is None:
            return []
        try:
            document = await asyncio.to_thread(read_document, fetched.answer)
        except NoText:
            return []
        return links_of(document.html, fetched.url)

    async def _sitemap_pages(self) -> list[str]:
        """What the sitemaps list, those below the start path first."""
        robots = self._robots
        waiting = [(urljoin(self._site, address), 0) for address in [*(robots.sitemaps() if robots else []), "/sitemap.xml"]]
        pages: list[str] = []
        read: set[str] = set()
        while waiting and len(read) < MAX_FILES and self._visit.seconds_left > 0:
            address, nesting = waiting.pop(0)
            if address in read or nesting > MAX_NESTING:
                continue
            read.add(address)
            if self._is_elsewhere(address):
                self._map.skipped[Skipped.OTHER_HOST] += 1
                continue
            fetched = await self._visit.fetch(address)
            if fetched.answer is None or not fetched.found:
                continue
            sitemap = await asyncio.to_thread(read_sitemap, fetched.answer.body)
            pages += sitemap.pages
            waiting += [(nested, nesting + 1) for nested in sitemap.sitemaps]
        self._map.truncated |= bool(waiting)
        return sorted(pages, key=lambda url: not self._is_below_start(url))

    def _list(self, addresses: Iterable[str]) -> list[str]:
        """Take addresses up; those that are new and may be crawled come back, listed or not."""
        fresh: list[str] = []
        for address in addresses:
            try:
                url = self._spelled(address)
                key = _key(url)
            except ValueError:
                self._map.skipped[Skipped.UNREADABLE] += 1
                continue
            if key in self._judged:
                continue
            self._judged.add(key)
            reason = self._objection(url)
            if reason is None:
                fresh.append(url)
                reason = self._not_included(url)
            if reason is None:
                self._listed[key] = url
            else:
                self._map.skipped[reason] += 1
        return fresh

    def _spelled(self, address: str) -> str:
        """The address as it is asked for; a host's other scheme is taken for the one that the call uses."""
        url = tidy(address)
        parts = urlsplit(url)
        scheme = urlsplit(self._site).scheme
        return url if parts.scheme == scheme else urlunsplit((scheme, parts.netloc, parts.path or "/", parts.query, ""))

    def _objection(self, url: str) -> Skipped | None:
        if self._is_elsewhere(url):
            return Skipped.OTHER_HOST
        if is_asset(url):
            return Skipped.ASSET
        if any(pattern.search(url) for pattern in self._body.exclude):
            return Skipped.EXCLUDED
        if not self._may(url):
            return Skipped.ROBOTS
        folder = self._sites.mount(url)
        return Skipped.NOWHERE if folder is not None and not folder.exists(url) else None

    def _not_included(self, url: str) -> Skipped | None:
        include = self._body.include
        return None if not include or any(pattern.search(url) for pattern in include) else Skipped.NOT_INCLUDED

    def _promise(self, url: str) -> tuple[bool, bool]:
        """Sorts a level: what the caller wants first, then what lies below the start."""
        return self._not_included(url) is not None, not self._is_below_start(url)

    def _has_room(self) -> bool:
        return self._map.pages_fetched < self._body.max_pages and self._visit.seconds_left > 0

    def _may(self, url: str) -> bool:
        return self._robots is None or self._robots.allows(url)

    def _is_elsewhere(self, url: str) -> bool:
        return origin_of(url) != self._site

    def _is_below_start(self, url: str) -> bool:
        return urlsplit(url).path.startswith(self._base_path)

    def _finished(self) -> SiteMap:
        urls = list(self._listed.values())
        self._map.truncated |= len(urls) > self._body.limit or self._visit.seconds_left <= 0
        self._map.urls = urls[: self._body.limit]
        return self._map


def _key(url: str) -> str:
    """What tells two pages apart here: sites serve `/x` and `/x/` alike, or send one to the other."""
    return canonical_url(url).rstrip("/")
