"""The approved domains: which addresses may be read, followed and cited. One rule, asked at every hop."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from research_pipeline.errors import OutOfScope
from research_pipeline.ids import host_of


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine: `localhost`, 127.0.0.0/8 or ::1."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def comparable_domain(domain: str) -> str:
    """A domain as a study writes it (`Docs.Acme.example`, `bücher.example`, `127.0.0.1:8080`) in the form that hosts are compared in.

    Raises:
        ValueError: it is a URL, a pattern or otherwise no host name.
    """
    if "/" in domain or "*" in domain or "@" in domain or any(c.isspace() for c in domain):
        raise ValueError(f"{domain!r} is no host name")
    return host_of(f"https://{domain}")


@dataclass(frozen=True, slots=True)
class ApprovedDomains:
    """An allow-list of exact hosts. `www.` is another host unless the list names it too; ports, case and IDNA are normalised."""

    hosts: frozenset[str]

    @classmethod
    def of(cls, domains: Iterable[str]) -> ApprovedDomains:
        """From names as a study writes them.

        Raises:
            ValueError: one of them is no host name.
        """
        return cls(frozenset(comparable_domain(domain) for domain in domains))

    def refusal(self, url: str) -> str:
        """Why a URL may not be read or cited, as half a sentence; empty where it may."""
        try:
            scheme, host = urlsplit(url).scheme.lower(), host_of(url)
        except ValueError as error:
            return str(error)
        if scheme != "https" and not (scheme == "http" and is_loopback(url)):
            return f"{scheme or 'no'} scheme: only https is read (http for this machine alone)"
        if host not in self.hosts:
            return f"{host} is not among the approved domains"
        return ""

    def require(self, url: str) -> None:
        """Raises:
        OutOfScope: the URL may not be read.
        """
        if refusal := self.refusal(url):
            raise OutOfScope(f"{url} is refused: {refusal}.")
