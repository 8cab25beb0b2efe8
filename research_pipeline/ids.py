"""Ids that are the same in every run: content hashes with a prefix that tells what they name; canonical addresses."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import canonicalize_url


def content_id(prefix: str, *parts: Any) -> str:
    """`prefix_` + 20 hex digits of the SHA-256 of the parts' canonical JSON.

    80 bits: the chance of one collision among a million ids is below 1e-12.
    """
    canonical = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return f"{prefix}_{hashlib.sha256(canonical.encode()).hexdigest()[:20]}"


def body_hash(body: bytes) -> str:
    """The full SHA-256 of an archived body, in hex: the name it is archived under."""
    return hashlib.sha256(body).hexdigest()


def host_of(url: str) -> str:
    """The host a URL names, comparable: lower case, IDNA, without default port; `host:port` where the port is not the default.

    Raises:
        ValueError: the URL names no host, or its port is no number.
    """
    parts = urlsplit(url)
    if not parts.hostname:
        raise ValueError(f"{url!r} names no host")
    host = parts.hostname.rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        host = host.encode("idna").decode("ascii")
    default = {"http": 80, "https": 443}.get(parts.scheme)
    return host if parts.port in (None, default) else f"{host}:{parts.port}"


def origin_of(url: str) -> str:
    """Scheme and host of a URL, comparable."""
    return f"{urlsplit(url).scheme.lower()}://{host_of(url)}"


def canonical_url(url: str) -> str:
    """One spelling per page: for telling pages apart, never for fetching. Drops the fragment and sorts the query."""
    parts = urlsplit(url)
    path = parts.path or "/"
    for index in ("/index.html", "/index.htm"):
        path = path.removesuffix(index) + "/" if path.endswith(index) else path
    return canonicalize_url(urlunsplit((parts.scheme.lower(), host_of(url), path, parts.query, "")))
