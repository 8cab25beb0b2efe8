"""Addresses that a deployment sets: a key or token is sent to none that others can listen to."""

from __future__ import annotations

from urllib.parse import urlsplit

from research_pipeline.errors import ConfigurationError


def service_url(name: str, url: str) -> str:
    """The URL, if a secret may be sent there: encrypted, or not off this machine.

    Raises:
        ConfigurationError: it may not; `name` is that of the setting.
    """
    parts = urlsplit(url)
    loopback = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and loopback)):
        raise ConfigurationError(
            f"{name} is {url!r}: the API token is sent over https only.", remedy="Write an address that starts with https://."
        )
    return url
