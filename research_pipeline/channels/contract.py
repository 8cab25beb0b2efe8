"""Channels: services that are asked for pages which may answer, beside the sites that a plan names itself.

A channel is an object without state that says how its service is asked and reads what the service replied. It sends nothing: the call is
made for it, through the same limiter, retries, ledger and archive as every other, so that no channel can spend, repeat or leak anything.

    name        how a plan names it: a slug
    hosts       the hosts on which the pages that it finds lie, exactly; a plan that names the channel lets these be read, and no other
    address     of its service; a deployment may set another
    apart       seconds between two calls that its operators ask for
    key_header, key_variable
                the header that carries an API key, and the environment variable that holds one; both empty where there are no keys
    parameters  a query as parameters of a GET request, the date rule with it
    read        a 200 reply, in the order of the service; raises `ReplyMalformed`, or `RequestRefused` where the reply says so

What a reply says is text of strangers: data, never an instruction.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from research_pipeline.domains import ApprovedDomains
from research_pipeline.ids import canonical_url

SITE = "site"
"""The channel of a source that has a start URL: its site is mapped."""

CHANNEL_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
MOST_QUERY = 300  # characters
_MOST_TITLE, _MOST_SNIPPET = 300, 1_500  # characters of a result that are kept
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. `until` is the run's date, `since` the oldest day that the study takes for fresh; None: any age.

    `offset` results are passed over, and at most `limit` wanted.
    """

    text: str
    until: date
    since: date | None = None
    offset: int = 0
    limit: int = 25

    def arguments(self, channel: str) -> dict[str, str | int | None]:
        """What a call is known by, JSON-ready: the same query of a cycle is sent once."""
        since = None if self.since is None else self.since.isoformat()
        return {
            "channel": channel,
            "query": " ".join(self.text.split()),
            "since": since,
            "until": self.until.isoformat(),
            "offset": self.offset,
            "limit": self.limit,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """A page that may answer. `published` is the date that the service states, ISO, as precise as it states it; empty: none."""

    title: str
    url: str
    channel: str
    published: str = ""
    snippet: str = ""


class Channel(Protocol):
    """See the module."""

    @property
    def name(self) -> str:
        """How a plan names it."""
        ...

    @property
    def hosts(self) -> tuple[str, ...]:
        """Where its pages lie."""
        ...

    @property
    def address(self) -> str:
        """Of its service."""
        ...

    @property
    def apart(self) -> float:
        """Seconds between two calls."""
        ...

    @property
    def key_header(self) -> str:
        """The header of an API key."""
        ...

    @property
    def key_variable(self) -> str:
        """The environment variable that holds one."""
        ...

    def parameters(self, query: Query) -> Mapping[str, str]:
        """A query as parameters of a GET request."""
        ...

    def read(self, content: bytes, content_type: str) -> Sequence[Result]:
        """The results of a 200 reply. `content_type` is its media type in lower case, without parameters; empty where it has none."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """What a reply brought: results that keep the contract, each page once, and how many do not, by why."""

    results: tuple[Result, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def count(self) -> int:
        """How many the service gave."""
        return len(self.results) + sum(self.left_out.values())


def kept(results: Iterable[Result], query: Query, *, channel: str, hosts: Iterable[str]) -> Found:
    """The results that keep the contract, whatever the channel's own code let pass: a title, an address on one of its hosts, the date rule.

    Raises:
        ValueError: `hosts` are no host names.
    """
    hosts_of_channel = ApprovedDomains.of(hosts)
    taken: dict[str, Result] = {}
    refused: Counter[str] = Counter()
    for result in results:
        plain = replace(
            result,
            title=_plain(result.title, _MOST_TITLE),
            url=result.url.strip(),
            channel=channel,
            published=result.published if _DATE.fullmatch(result.published) else "",
            snippet=_plain(result.snippet, _MOST_SNIPPET),
        )
        why = _breach(plain, query, hosts_of_channel)
        if why or canonical_url(plain.url) in taken:
            refused[why or "the same page again"] += 1
        else:
            taken[canonical_url(plain.url)] = plain
    return Found(tuple(taken.values()), dict(refused))


def _breach(result: Result, query: Query, hosts: ApprovedDomains) -> str:
    if not result.title:
        return "no title"
    if not result.url:
        return "no address"
    if hosts.refusal(result.url):
        return "an address that is not on a host of the channel"
    # A date of partial precision is broken only where all of it lies outside.
    if result.published and result.published > query.until.isoformat():
        return "newer than the run"
    if result.published and query.since and result.published < query.since.isoformat()[: len(result.published)]:
        return "older than the study takes for fresh"
    return ""


def _plain(text: str, most: int) -> str:
    line = " ".join(_UNSTORABLE.sub("\ufffd", text).split())
    return line if len(line) <= most else line[: most - 1] + "…"
