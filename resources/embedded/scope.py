"""Which addresses a call may ask, judged by what they say before each request; where their names lead is judged in `network`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from research_pipeline.ids import host_of, origin_of
from resources.embedded.settings import EngineSettings

ADDRESS_LEAVES_SCOPE = "the address leaves the scope"


@dataclass(frozen=True, slots=True)
class Scope:
    """What one call may reach: the allowed hosts, or where none are given, the host it asks for."""

    settings: EngineSettings
    start_host: str

    @classmethod
    def of(cls, settings: EngineSettings, url: str) -> Scope:
        """The scope of a call for `url`."""
        return cls(settings, host_of(url))

    def refusal(self, url: str) -> str:
        """Why `url` may not be asked; empty where it may."""
        try:
            host, asked_host = host_of(url), host_of(str(httpx.URL(url)))
        except (ValueError, httpx.InvalidURL) as error:
            return f"the address cannot be read: {error}"
        if host != asked_host:
            return f"the address can be read in two ways, as {host} and as {asked_host}"
        if not self._names(host):
            return ADDRESS_LEAVES_SCOPE
        if self.is_mount(url) or self.is_loopback(url):
            return ""
        parts = urlsplit(url)
        if parts.scheme.lower() != "https":
            return "the address is not https"
        return "the address carries credentials" if "@" in parts.netloc else ""

    def is_mount(self, url: str) -> bool:
        """Whether `url` is served from a folder."""
        return origin_of(url) in self.settings.mounts

    def is_loopback(self, url: str) -> bool:
        """Whether `url` is on a loopback origin that the study approves."""
        return origin_of(url) in self.settings.approved_loopback

    def _names(self, host: str) -> bool:
        allowed = self.settings.allowed_hosts
        return host in allowed if allowed is not None else host == self.start_host
