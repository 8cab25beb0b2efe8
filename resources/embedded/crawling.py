"""The map of a site: what its links and sitemaps list, in one order that never varies.

First what a breadth-first crawl finds, level by level in page order, then the sitemaps, with what lies below the start path ahead.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from research_pipeline.ids import host_of, origin_of
from resources.embedded import robots, sitemaps
from resources.embedded.answers import Fetched
from resources.embedded.documents import NoText, read_document
from resources.embedded.fetching import Sites, Visit, tidy
from resources.embedded.links import links_of
from resources.embedded.listing import Listing, Skipped
from resources.embedded.protocol import CallBody
from resources.embedded.settings import EngineSettings


@dataclass(frozen=True, slots=True)
class SiteMap:
    """What a map call found: addresses in order, what was left out and why, and how the start page was fetched.

    `truncated`: there is more, which the limit, the time or the cap on sitemaps left out.
    """

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
        self._pages_fetched = 0

    async def map(self) -> SiteMap:
        """Crawl, read the sitemaps, and list."""
        url = tidy(self._body.url)
        answer, rules = await self._robots_of(url)
        if not rules.reachable:
            return SiteMap(
                Fetched(url, redirects=answer.redirects, failure=f"robots.txt cannot be read, so nothing may be crawled: {_why(answer)}")
            )
        listing = self._listing(url, rules)
        if not rules.allows(url):
            listing.strike(url, Skipped.ROBOTS)
            return await self._finish(Fetched(url), listing)
        start = await self._fetch(url)
        if start.refused_url:
            return SiteMap(start, pages_fetched=self._pages_fetched)
        if start.found and origin_of(start.url) != listing.site:
            listing = self._listing(start.url, (await self._robots_of(start.url))[1])
        await self._crawl(start, listing)
        return await self._finish(start, listing)

    async def _robots_of(self, url: str) -> tuple[Fetched, robots.Robots]:
        fetched = await self._visit.fetch(f"{origin_of(url)}/robots.txt", max_bytes=robots.MAX_BYTES)
        rules = robots.read_robots(fetched, self._settings.user_agent)
        delay = min(rules.crawl_delay(), self._settings.max_crawl_delay)
        if delay and self._sites.mount(url) is None:
            self._sites.pace.slow_down(host_of(url), delay)
        return fetched, rules

    def _listing(self, url: str, rules: robots.Robots) -> Listing:
        return Listing(url, rules, body=self._body, sites=self._sites)

    async def _fetch(self, url: str) -> Fetched:
        self._pages_fetched += 1
        return await self._visit.fetch(url)

    async def _crawl(self, start: Fetched, listing: Listing) -> None:
        if not start.found:
            if start.answer is not None:
                listing.strike(start.url, Skipped.NOWHERE)
            return
        listing.add([start.url])
        level = listing.add(await _links(start)) if self._body.max_depth else []
        for _ in range(1, self._body.max_depth):
            # First what the caller asks for, then what lies below the start.
            pages = sorted(level, key=lambda url: (not listing.wants(url), not listing.is_below_start(url)))
            level = [link for url in filter(_may_hold_links, pages) for link in await self._follow(url, listing)]

    async def _follow(self, url: str, listing: Listing) -> list[str]:
        if self._pages_fetched >= self._body.max_pages or self._visit.seconds_left <= 0:
            return []
        fetched = await self._fetch(url)
        if fetched.answer is None:
            return []  # it stays listed: the call that reads it will tell why
        if not fetched.found:
            listing.strike(url, Skipped.NOWHERE)
            return []
        listing.replace(url, fetched.url)
        return listing.add(await _links(fetched))

    async def _finish(self, start: Fetched, listing: Listing) -> SiteMap:
        pages, all_read = await self._sitemap_pages(listing)
        listing.add(sorted(pages, key=lambda url: not listing.is_below_start(url)))
        more = len(listing.urls) > self._body.limit or not all_read or self._visit.seconds_left <= 0
        return SiteMap(start, listing.urls[: self._body.limit], listing.skipped, self._pages_fetched, more)

    async def _sitemap_pages(self, listing: Listing) -> tuple[list[str], bool]:
        """What the sitemaps list, and whether all of them were read."""
        waiting = deque((address, 0) for address in [*listing.robots.sitemaps(), "/sitemap.xml"])
        pages: list[str] = []
        read: set[str] = set()
        while waiting and len(read) < sitemaps.MAX_FILES and self._visit.seconds_left > 0:
            address, nesting = waiting.popleft()
            if address in read or nesting > sitemaps.MAX_NESTING:
                continue
            read.add(address)
            found, nested = await self._read_sitemap(address, listing)
            pages += found
            waiting.extend((further, nesting + 1) for further in nested)
        return pages, not waiting

    async def _read_sitemap(self, address: str, listing: Listing) -> tuple[list[str], list[str]]:
        try:
            url = listing.spelled(urljoin(listing.site, address))
            elsewhere = listing.is_elsewhere(url)
        except ValueError:
            listing.skipped[Skipped.UNREADABLE] += 1
            return [], []
        if elsewhere:
            listing.skipped[Skipped.OTHER_HOST] += 1
            return [], []
        fetched = await self._visit.fetch(url, max_bytes=sitemaps.MAX_BYTES)
        if fetched.answer is None or not fetched.found:
            return [], []
        sitemap = await asyncio.to_thread(sitemaps.read_sitemap, fetched.answer.body)
        return sitemap.pages, sitemap.sitemaps


async def _links(page: Fetched) -> list[str]:
    if page.answer is None:
        return []
    try:
        document = await asyncio.to_thread(read_document, page.answer)
    except NoText:
        return []
    return links_of(document.html, page.url)


def _may_hold_links(url: str) -> bool:
    return not urlsplit(url).path.lower().endswith((".pdf", ".txt", ".md"))


def _why(answer: Fetched) -> str:
    return answer.failure or f"the site answers {answer.target_status}"
