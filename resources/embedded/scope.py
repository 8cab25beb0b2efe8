"""Which addresses a call may ask, judged before each request: scheme, host, and no way around either."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from research_pipeline.ids import host_of, origin_of
from resources.embedded.network import is_public
from resources.embedded.settings import EngineSettings


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
            host = host_of(url)
            httpx.URL(url)
        except (ValueError, httpx.InvalidURL) as error:
            return f"the address cannot be read: {error}"
        if not self._names(host):
            return "the address leaves the scope"
        if self.is_mount(url) or self.is_loopback(url):
            return ""
        parts = urlsplit(url)
        if parts.scheme.lower() != "https":
            return "the address is not https"
        if parts.username is not None or parts.password is not None:
            return "the address carries credentials"
        return _literal_refusal(parts.hostname or "")

    def is_mount(self, url: str) -> bool:
        """Whether `url` is served from a folder."""
        return origin_of(url) in self.settings.mounts

    def is_loopback(self, url: str) -> bool:
        """Whether `url` is on a loopback origin that the study approves."""
        return origin_of(url) in self.settings.approved_loopback

    def _names(self, host: str) -> bool:
        allowed = self.settings.allowed_hosts
        return host in allowed if allowed is not None else host == self.start_host


def _literal_refusal(host: str) -> str:
    try:
        ip_address(host)
    except ValueError:
        return ""
    return "" if is_public(host) else f"{host} is not a public address"
