"""What one embedded engine may reach, and how: a frozen value, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from research_pipeline.domains import comparable_domain, is_loopback
from research_pipeline.errors import ConfigurationError
from research_pipeline.ids import origin_of
from resources.embedded.faults import Fault

DEFAULT_USER_AGENT = "EvidenceResearchBot/0.1"


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Limits and permissions of one engine.

    Args:
        mounts: https origin → folder that is served as that origin; such an origin never touches the network.
        allowed_hosts: hosts (`host` or `host:port`) that calls and their redirects may reach; None allows any public host,
            and then a redirect may not leave the host of the call.
        approved_loopback: origins such as `http://127.0.0.1:8080` that the study approves: the one exception to "no private addresses".
        tokens: accepted values of the header `x-api-token`; None asks for none.
        token_limit: what the account may use in all; the calls after that are refused with 403.
        user_agent: sent to sites; its part before the slash is the name that robots.txt may address.
        max_bytes: of a page's body after decompression; what comes after is cut off and said to be.
        timeout: seconds that a call may take where it does not say (`timeout` flag).
        politeness_seconds: between two requests to one host; none for mounts and approved loopback origins.
        max_crawl_delay: seconds; the longest `Crawl-delay` of a robots.txt that is honoured.
        faults: switches that make the service go wrong on purpose.
        book: file that gets a JSON line per request received and per reply sent; None keeps the account in memory.

    Raises:
        ConfigurationError: an origin, host or folder that cannot be used.
    """

    mounts: Mapping[str, Path] = field(default_factory=dict[str, Path])
    allowed_hosts: frozenset[str] | None = None
    approved_loopback: frozenset[str] = frozenset()
    tokens: frozenset[str] | None = None
    token_limit: int = 1_000_000
    user_agent: str = DEFAULT_USER_AGENT
    max_bytes: int = 10_000_000
    timeout: float = 120.0
    politeness_seconds: float = 1.0
    max_crawl_delay: float = 10.0
    faults: tuple[Fault, ...] = ()
    book: Path | None = None

    def __post_init__(self) -> None:
        self._set("mounts", {_https_origin(origin): _folder(origin, folder) for origin, folder in self.mounts.items()})
        self._set("approved_loopback", frozenset(_loopback_origin(origin) for origin in self.approved_loopback))
        if self.allowed_hosts is not None:
            self._set("allowed_hosts", frozenset(_host(entry) for entry in self.allowed_hosts))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def _host(entry: str) -> str:
    try:
        return comparable_domain(entry)
    except ValueError as error:
        raise ConfigurationError(f"allowed_hosts: {error}.", remedy="Write a host such as docs.example.com.") from error


def _https_origin(origin: str) -> str:
    parts = urlsplit(origin)
    if parts.scheme.lower() != "https" or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ConfigurationError(f"mounts: {origin!r} is no https origin.", remedy="Write one such as https://docs.example.com.")
    return origin_of(origin)


def _loopback_origin(origin: str) -> str:
    if urlsplit(origin).scheme.lower() not in ("http", "https") or not is_loopback(origin):
        raise ConfigurationError(
            f"approved_loopback: {origin!r} is not on this machine.", remedy="Write one such as http://127.0.0.1:8080."
        )
    return origin_of(origin)


def _folder(origin: str, folder: Path) -> Path:
    if not folder.is_dir():
        raise ConfigurationError(f"mounts: {str(folder)!r}, mounted as {origin}, is no folder.", remedy="Name a folder that is there.")
    return folder.resolve()
