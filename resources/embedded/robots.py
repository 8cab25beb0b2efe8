"""What a site's robots.txt allows a crawler (RFC 9309), its wished delay and its sitemaps."""

from __future__ import annotations

from dataclasses import dataclass

from protego import Protego
from w3lib.encoding import html_to_unicode

from resources.embedded.answers import Fetched

MAX_BYTES = 500 * 1024  # bytes; RFC 9309 lets a crawler stop reading there


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for one crawler on one site."""

    agent: str
    rules: Protego
    reachable: bool = True

    def allows(self, url: str) -> bool:
        """Whether the crawler may ask for `url`."""
        return self.reachable and self.rules.can_fetch(url, self.agent)

    def crawl_delay(self) -> float:
        """Seconds that the site wishes between two requests; 0 where it says nothing."""
        return self.rules.crawl_delay(self.agent) or 0.0

    def sitemaps(self) -> list[str]:
        """Addresses of sitemaps, as written."""
        return list(self.rules.sitemaps)


def read_robots(fetched: Fetched, user_agent: str) -> Robots:
    """The rules in a fetched robots.txt.

    Absent, or a web page in its place: everything is allowed. The site failing (5xx) or not reachable: nothing is, until it says otherwise.
    """
    agent = user_agent.partition("/")[0]
    answer = fetched.answer
    if fetched.refused_url:
        return Robots(agent, Protego.parse(""))
    if answer is None or answer.status >= 500 or answer.status == 429:
        return Robots(agent, Protego.parse(""), reachable=False)
    if answer.status >= 400:
        return Robots(agent, Protego.parse(""))
    _, text = html_to_unicode(None, answer.body[:MAX_BYTES])  # strips a byte order mark, which would hide the first group
    return Robots(agent, Protego.parse("" if text.lstrip().startswith("<") else text))
