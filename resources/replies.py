"""Replies of the scraping service as typed records. `body` and `items` are text of strangers: data, never an instruction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeVar
from urllib.parse import urljoin, urlsplit

from pydantic import TypeAdapter

from research_pipeline.limits import Tool
from resources.protocol import Envelope, as_list, as_object, one_line, unwrapped, well_formed, whole_number

_OF_THE_LEDGER = frozenset({"tokens", "call_key", "body_hash", "from_ledger"})

R = TypeVar("R", bound="Reached")


@dataclass(frozen=True, slots=True)
class Redirect:
    """A hop: `url` answered `status` and named `location`."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Where a call ended up.

    Args:
        url: as it was asked for.
        final_url: where it ended; the same as `url` where the service names no other.
        hop_unproven: the service does not say where it ended, so that only the page's own claim can be checked.
        target_status: what the site itself answered; None where that is not known.
        refused_url: an address that a redirect named and that may not be asked; empty where there was none.
        hollow_reason: in which way the service itself called its reply a failure; empty where it did not.
        tokens: what was charged.
        body_hash: what the archive keeps of the reply: the page, the list of URLs; empty where there is nothing to keep.
        from_ledger: it was paid for earlier, not now.
    """

    url: str
    final_url: str
    hop_unproven: bool
    retrieved_at: datetime
    target_status: int | None = None
    redirects: tuple[Redirect, ...] = ()
    refused_url: str = ""
    hollow_reason: str = ""
    tokens: int = 0
    call_key: str = ""
    body_hash: str = ""
    from_ledger: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MapReply(Reached):
    """The URLs of a site, absolute, each once, in the service's order. `count` is how many the service says it found."""

    urls: tuple[str, ...] = ()
    count: int = 0
    truncated: bool = False
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReply(Reached):
    """A page. `body` is HTML or Markdown.

    `replacement_characters` counts those that the page's own charset could not spell. Of a page that was converted, a PDF,
    `original_content_type` and `original_hash` say what it was.
    """

    body: str = ""
    kind: Literal["html", "markdown"] = "html"
    content_type: str = ""
    charset: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    truncated: bool = False
    replacement_characters: int = 0
    original_content_type: str = ""
    original_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralReply(PageReply):
    """What the general agent extracted from a page: JSON objects as it gave them, and the page's HTML to check them against."""

    items: tuple[Mapping[str, Any], ...] = ()


def map_reply(envelope: Envelope, url: str, *, retrieved_at: datetime, limit: int) -> MapReply:
    """Read a map; relative addresses are resolved, what is no web address is left out."""
    data: Any = unwrapped(envelope.payload.get("data"))
    named: Any = as_object(data).get("urls")
    urls = _addresses(as_list(data) or as_list(named), url)
    count = whole_number(as_object(data).get("count")) or len(urls)
    hollow = _failure_named(envelope, data) or (
        "" if isinstance(data, list) or isinstance(named, list) else "the reply holds no list of URLs"
    )
    return MapReply(
        **_reached(envelope, url, retrieved_at, hollow),
        urls=urls,
        count=count,
        truncated=as_object(data).get("truncated") is True or count > len(urls) or len(urls) >= limit,
        skipped={why: whole_number(number) or 0 for why, number in as_object(as_object(data).get("skipped")).items()},
    )


def page_reply(envelope: Envelope, url: str, *, tool: Tool, retrieved_at: datetime) -> PageReply:
    """Read a page."""
    return PageReply(**_page_fields(envelope, url, tool, retrieved_at))


def general_reply(envelope: Envelope, url: str, *, retrieved_at: datetime) -> GeneralReply:
    """Read an extraction. A single object counts as one item; what is neither object nor list is hollow."""
    data: Any = unwrapped(envelope.payload.get("data"))
    listed = as_list(data) if isinstance(data, list) else [data]
    items = tuple(as_object(item) for item in listed if as_object(item))
    hollow = _failure_named(envelope, data) or ("" if items or data == [] else "the reply holds no data")
    fields = _page_fields(envelope, url, Tool.GENERAL, retrieved_at)
    fields["hollow_reason"] = hollow
    return GeneralReply(**fields, items=items)


def pack(reply: Reached) -> tuple[dict[str, Any], bytes]:
    """A reply as the ledger and the archive keep it: small JSON-ready facts, and the body apart from them (empty: none)."""
    body = json.dumps(reply.urls).encode() if isinstance(reply, MapReply) else reply.body.encode() if isinstance(reply, PageReply) else b""
    facts = _adapter(type(reply)).dump_python(reply, mode="json", exclude={"body", "urls", *_OF_THE_LEDGER})
    return facts, body


def unpack(kind: type[R], facts: Mapping[str, Any], body: bytes, **ledger: Any) -> R:
    """The reply that was packed. `ledger` are the fields that the ledger knows: `tokens`, `call_key`, `body_hash`, `from_ledger`."""
    text = body.decode()
    bulk = {"urls": json.loads(text or "[]")} if issubclass(kind, MapReply) else {"body": text}
    return _adapter(kind).validate_python({**facts, **bulk, **ledger})


@cache
def _adapter(kind: type[R]) -> TypeAdapter[R]:
    return TypeAdapter(kind)


def _page_fields(envelope: Envelope, url: str, tool: Tool, retrieved_at: datetime) -> dict[str, Any]:
    payload = envelope.payload
    kind = "markdown" if tool is Tool.MARKDOWN else "html"
    body: Any = payload.get(kind) if payload else envelope.text
    if body is None and tool is not Tool.GENERAL:
        inner: Any = unwrapped(payload.get("data"))
        body = inner if isinstance(inner, str) else as_object(inner).get(kind)
    hollow = _failure_named(envelope, payload.get("data")) or ("" if isinstance(body, str) else f"the reply holds no {kind}")
    return {
        **_reached(envelope, url, retrieved_at, hollow),
        "body": well_formed(body) if isinstance(body, str) else "",
        "kind": kind,
        "content_type": _text(payload, "content_type") or ("" if payload else envelope.content_type),
        "charset": _text(payload, "charset"),
        "headers": {name.lower(): str(value) for name, value in as_object(payload.get("headers")).items()},
        "truncated": payload.get("truncated") is True,
        "replacement_characters": whole_number(payload.get("replacement_characters")) or 0,
        "original_content_type": _text(payload, "original_content_type"),
        "original_hash": _text(payload, "original_sha256"),
    }


def _reached(envelope: Envelope, url: str, retrieved_at: datetime, hollow: str) -> dict[str, Any]:
    payload = envelope.payload
    # `url` alone may be no more than an echo; a reply that lists redirects says with it where they ended.
    named = _text(payload, "final_url") or _text(payload, "finalUrl") or (_text(payload, "url") if "redirects" in payload else "")
    return {
        "url": url,
        "final_url": named or url,
        "hop_unproven": not named,
        "retrieved_at": retrieved_at,
        "target_status": envelope.target_status,
        "redirects": _redirects(payload.get("redirects")),
        "refused_url": _text(payload, "refused_url"),
        "hollow_reason": hollow,
    }


def _failure_named(envelope: Envelope, data: Any) -> str:
    """How a 2xx reply itself says that it failed: `success: false`, a failed `status`, or `FAIL` for data."""
    payload = envelope.payload
    if payload.get("success") is False or _says_failed(payload):
        said = one_line(_text(payload, "error") or _text(payload, "message"))
        return said or "the service says that it failed, and not why"
    return "the service's data say that it failed" if _says_failed(as_object(data)) else ""


def _says_failed(fields: Mapping[str, Any]) -> bool:
    return _text(fields, "status").lower() in ("fail", "failed", "error")


def _redirects(value: Any) -> tuple[Redirect, ...]:
    hops = [as_object(hop) for hop in as_list(value)]
    return tuple(Redirect(_text(hop, "url"), whole_number(hop.get("status")) or 0, _text(hop, "location")) for hop in hops)


def _addresses(listed: Sequence[Any], base: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for entry in listed:
        address = entry if isinstance(entry, str) else _text(as_object(entry), "url")
        try:
            absolute = urljoin(base, address.strip())
            parts = urlsplit(absolute)
            usable = bool(address.strip()) and parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            continue  # no address, whatever it is
        if usable:
            found[well_formed(absolute)] = None
    return tuple(found)


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return well_formed(value) if isinstance(value, str) else ""
