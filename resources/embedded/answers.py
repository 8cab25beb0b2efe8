"""What a site said to one request, and how a fetch of a page ended after all its redirects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """One HTTP response of a site. Header names are in lower case; `body` is decompressed and cut at the size cap."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect that a site asked for: `url` answered `status` and named `location` (absolute)."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """How a fetch ended.

    `failure` says why there is no page: the site could not be reached, or `refused_url` is an address that may not be asked.
    A page that the site itself answers with 404 or 500 is no failure. `unreachable` tells that the site, or the network before it,
    gave no answer: the same call may succeed later.
    """

    url: str  # where it ended
    answer: SiteAnswer | None = None
    redirects: tuple[Hop, ...] = ()
    failure: str = ""
    refused_url: str = ""
    unreachable: bool = False

    @property
    def target_status(self) -> int | None:
        """What the site said last; None where it said nothing."""
        if self.answer is not None:
            return self.answer.status
        return self.redirects[-1].status if self.redirects else None

    @property
    def size(self) -> int:
        """Bytes of the body."""
        return len(self.answer.body) if self.answer is not None else 0

    @property
    def found(self) -> bool:
        """Whether the site answered with a page rather than an error."""
        return self.answer is not None and self.answer.status < 400
