"""What a map lists: each address that a crawl or a sitemap brings is judged once, and what is left out is counted by reason.

Include patterns choose what is listed, never what is crawled; exclude patterns do both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from urllib.parse import urlsplit, urlunsplit

from research_pipeline.ids import canonical_url, origin_of
from resources.embedded.fetching import Sites, tidy
from resources.embedded.links import is_asset
from resources.embedded.protocol import CallBody
from resources.embedded.robots import Robots


class Skipped(StrEnum):
    """Why an address that was found is not in the map."""

    OTHER_HOST = "other host"
    ASSET = "no text"
    ROBOTS = "robots.txt"
    EXCLUDED = "exclude pattern"
    NOT_INCLUDED = "no include pattern"
    NOWHERE = "leads nowhere"
    UNREADABLE = "unreadable address"


class Listing:
    """The addresses of one site, in the order in which they were found."""

    def __init__(self, start: str, robots: Robots, *, body: CallBody, sites: Sites) -> None:
        self.site = origin_of(start)
        self.robots = robots
        self.skipped: Counter[str] = Counter()
        self._start_path = _directory(start)
        self._include, self._exclude = body.include, body.exclude
        self._folder = sites.mount(start)
        self._listed: dict[str, str] = {}
        self._judged: set[str] = set()

    @property
    def urls(self) -> list[str]:
        """What is listed."""
        return list(self._listed.values())

    def add(self, addresses: Iterable[str]) -> list[str]:
        """Take addresses up; those that are new and may be crawled come back, listed or not."""
        fresh: list[str] = []
        for address in addresses:
            try:
                url = self.spelled(address)
                key = _key(url)
            except ValueError:
                self.skipped[Skipped.UNREADABLE] += 1
                continue
            if key in self._judged:
                continue
            self._judged.add(key)
            objection = self._objection(url)
            if objection is None:
                fresh.append(url)
                objection = None if self.wants(url) else Skipped.NOT_INCLUDED
            if objection is None:
                self._listed[key] = url
            else:
                self.skipped[objection] += 1
        return fresh

    def strike(self, url: str, reason: Skipped) -> None:
        """Take an address off the list for good."""
        self._judged.add(_key(url))
        self._listed.pop(_key(url), None)
        self.skipped[reason] += 1

    def replace(self, url: str, moved_to: str) -> None:
        """List a page under the address that it was found at in the end."""
        if _key(url) != _key(moved_to):
            self._listed.pop(_key(url), None)
            self.add([moved_to])

    def spelled(self, address: str) -> str:
        """The address as it is asked for: in the scheme of the site, whichever of http and https a link is written in."""
        parts = urlsplit(tidy(address))
        return urlunsplit((urlsplit(self.site).scheme, parts.netloc, parts.path or "/", parts.query, ""))

    def wants(self, url: str) -> bool:
        """Whether the include patterns choose `url`."""
        return not self._include or any(pattern.search(url) for pattern in self._include)

    def is_below_start(self, url: str) -> bool:
        """Whether `url` lies in the start page's part of the site."""
        return f"{urlsplit(url).path.rstrip('/')}/".startswith(self._start_path)

    def is_elsewhere(self, url: str) -> bool:
        """Whether `url` is on another site."""
        return origin_of(url) != self.site

    def _objection(self, url: str) -> Skipped | None:
        if self.is_elsewhere(url):
            return Skipped.OTHER_HOST
        if is_asset(url):
            return Skipped.ASSET
        if any(pattern.search(url) for pattern in self._exclude):
            return Skipped.EXCLUDED
        if not self.robots.allows(url):
            return Skipped.ROBOTS
        return Skipped.NOWHERE if self._folder is not None and not self._folder.exists(url) else None


def _directory(url: str) -> str:
    """The part of a site that a page heads: `/docs/` of `/docs`, `/docs/` and `/docs/index.html`."""
    above, _, name = urlsplit(url).path.rpartition("/")
    return f"{above}/{name}/" if name and "." not in name else f"{above}/"


def _key(url: str) -> str:
    """What tells two pages apart here: sites serve `/x` and `/x/` alike, or send one to the other."""
    return canonical_url(url).rstrip("/")
