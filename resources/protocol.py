"""MrScraper's gateway as this client speaks it: requests with every flag spelled out, replies read leniently.

No complete reply of the gateway is published, so nothing is taken for granted that can be looked at: JSON or raw text is told by the
content type, tokens may stand in the body or in a header under several spellings, and the payload may be a JSON text within JSON.
What is sent is never left to a default of the server: an absent `maxRetries` means no limit there.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from w3lib.url import safe_url_string

from research_pipeline.errors import TransientFailure
from research_pipeline.ids import canonical_url
from research_pipeline.limits import Tool
from research_pipeline.reading import decode
from resources.calls import Call

TOKEN_HEADER = "x-api-token"  # noqa: S105 - the header's name, no secret
ACCOUNT_PATH = "/subscription-accounts"
SCHEMA_MARKER = "Json Schema:"  # the service has no field for a schema; it reads one after this marker in the prompt

PatternForm = Literal["array", "string"]

_LARGEST = 2**53  # above this a JSON number is no longer exact, and no bill is that high
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class WireSettings:
    """What every request says besides its subject. `page_timeout` is in seconds and bounds the service's work on one page."""

    page_timeout: float = 120.0
    max_retries: int = 1
    page_tokens: int = 5
    general_tokens: int = 20
    map_tokens: int = 60
    pattern_form: PatternForm = "array"


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """A call and the way it goes over the wire: `POST /` with flags in the query and everything else in the JSON body."""

    call: Call
    flags: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Envelope:
    """A 2xx reply, opened. `payload` is empty where the reply was raw text; `tokens` is None where the reply does not say."""

    payload: Mapping[str, Any]
    text: str
    tokens: int | None
    target_status: int | None
    status: int = 200
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """Tokens that an account may use in its period and has used. `limit` is None where it names none."""

    limit: int | None
    used: int

    @property
    def left(self) -> int | None:
        """Tokens left, never negative; None: no limit."""
        return None if self.limit is None else max(self.limit - self.used, 0)


@dataclass(frozen=True, slots=True)
class MapRequest:
    """What a map is to find: pages reachable from `url` in `depth` steps, at most `pages` of them read for links, `limit` URLs returned.

    Patterns are regexes searched in the URL.
    """

    url: str
    include: Sequence[str] = field(default=())
    exclude: Sequence[str] = field(default=())
    depth: int = 2
    pages: int = 3
    limit: int = 1000


def map_request(wanted: MapRequest, settings: WireSettings) -> ServiceRequest:
    """Ask for the URLs of a site."""
    arguments = {
        "url": canonical_url(wanted.url),
        "include": list(wanted.include),
        "exclude": list(wanted.exclude),
        "depth": wanted.depth,
        "pages": wanted.pages,
        "limit": wanted.limit,
    }
    body: dict[str, Any] = {"agent": "map", "maxDepth": wanted.depth, "maxPages": wanted.pages, "limit": wanted.limit}
    for name, patterns in (("includePatterns", wanted.include), ("excludePatterns", wanted.exclude)):
        if patterns:
            body[name] = list(patterns) if settings.pattern_form == "array" else "|".join(f"(?:{pattern})" for pattern in patterns)
    return _request(Call(Tool.MAP, safe_url_string(wanted.url), arguments, tokens=settings.map_tokens), {}, body, settings)


def page_request(url: str, *, markdown: bool, settings: WireSettings) -> ServiceRequest:
    """Ask for a page as HTML, or as Markdown."""
    tool = Tool.MARKDOWN if markdown else Tool.HTML
    call = Call(tool, safe_url_string(url), {"url": canonical_url(url)}, tokens=settings.page_tokens)
    return _request(call, {tool.value: "true"}, {}, settings)


def general_request(url: str, prompt: str, *, schema: Mapping[str, Any] | None, settings: WireSettings) -> ServiceRequest:
    """Ask the general agent to extract from a page what `prompt` says, in the form of a JSON Schema where one is given."""
    arguments = {"url": canonical_url(url), "prompt": prompt, "schema": None if schema is None else dict(schema)}
    full_prompt = prompt if schema is None else f"{prompt}\n\n{SCHEMA_MARKER}\n{json.dumps(schema, ensure_ascii=False)}"
    call = Call(Tool.GENERAL, safe_url_string(url), arguments, tokens=settings.general_tokens)
    return _request(call, {"html": "true"}, {"agent": "general", "prompt": full_prompt}, settings)


def _request(call: Call, flags: Mapping[str, str], body: Mapping[str, Any], settings: WireSettings) -> ServiceRequest:
    everywhere = {"url": call.url, "maxRetries": settings.max_retries, "tokenCap": call.tokens}
    # Unless told not to, the service keeps addresses and results in the account.
    return ServiceRequest(call, {**flags, "timeout": f"{settings.page_timeout:g}", "saveResult": "false"}, {**everywhere, **body})


def open_reply(status: int, headers: Mapping[str, str], content: bytes) -> Envelope:
    """Read a 2xx reply.

    Args:
        headers: with names in lower case.

    Raises:
        TransientFailure: it says that it is JSON and is not, or not whole; its cost is that of the usage header, if there is one.
    """
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    target_status = whole_number(headers.get("x-status-code"))
    payload = _json_object(content)
    if payload is None:
        if not content_type.startswith("text/"):
            raise TransientFailure(
                f"The service sent {content_type or 'a reply without a type'} that is no JSON object.",
                status=status,
                cost=_tokens_in(headers),
            )
        text = decode(content, content_type=headers.get("content-type", ""))
        return Envelope({}, well_formed(text), _tokens_in(headers), target_status, status, content_type)
    named_status = whole_number(payload.get("target_status"))
    return Envelope(
        payload, "", charged_tokens(headers, content), target_status if named_status is None else named_status, status, content_type
    )


def charged_tokens(headers: Mapping[str, str], content: bytes) -> int | None:
    """What a reply says it cost, in its body or else in its headers; None where it does not say."""
    payload = _json_object(content) or {}
    said = (_tokens_in(payload), _tokens_in(as_object(payload.get("data"))), _tokens_in(headers))
    return next((found for found in said if found is not None), None)


def read_account(content: bytes) -> Account:
    """Read a reply about the account: numbers may be strings, the object may stand bare or under `data`; nothing else is kept of it.

    Raises:
        TransientFailure: the reply is no such object.
    """
    payload = _json_object(content)
    data = None if payload is None else payload.get("data", payload)
    if not isinstance(data, dict):
        raise TransientFailure("The service's reply about the account cannot be read.", cost=0)
    account = cast("Mapping[str, Any]", data)
    return Account(limit=whole_number(account.get("tokenLimit")), used=whole_number(account.get("tokenUsage")) or 0)


def error_message(content: bytes) -> str:
    """What an error body says: `message`, else `error` or `errors`; the start of the text where it is no JSON."""
    payload = _json_object(content)
    if payload is None:
        return one_line(content.decode("utf-8", "replace"))
    said = [payload[name] for name in ("message", "error", "errors") if payload.get(name)]
    return one_line(said[0] if said and isinstance(said[0], str) else json.dumps(said[0], ensure_ascii=False) if said else "")


def unwrapped(value: Any) -> Any:
    """A payload out of its wrappings: a JSON text within JSON, and `data` within `data`."""
    for _ in range(3):  # the platform nests it twice, and may encode it once
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
            inner = _json(value.encode("utf-8", "surrogatepass"))
            if inner is None:
                return value
            value = inner
        elif isinstance(value, dict) and "data" in value:
            value = as_object(cast("Any", value))["data"]
        else:
            break
    return cast("Any", value)


def as_object(value: Any) -> Mapping[str, Any]:
    """A JSON object; what is none is an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> Sequence[Any]:
    """A JSON array; what is none is an empty one."""
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def whole_number(value: Any) -> int | None:
    """A count, rounded up; None for what is none: absent, negative, not a number, beyond all reason."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return math.ceil(number) if 0 <= number < _LARGEST else None


def well_formed(text: str) -> str:
    """The text with lone surrogates, which JSON may spell and no encoding can carry, replaced."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def _tokens_in(fields: Mapping[str, Any]) -> int | None:
    # Proxies drop or rename headers with underscores; the platform spells the field in camel case.
    spellings: Iterator[Any] = (fields.get(name) for name in ("token_usage", "tokenUsage", "token-usage", "x-token-usage"))
    return next((found for found in map(whole_number, spellings) if found is not None), None)


def _json_object(content: bytes) -> Mapping[str, Any] | None:
    value = _json(content)
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def _json(content: bytes) -> Any:
    """What the bytes say, None where they are no JSON."""
    try:
        return json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None


def _no_number(_name: str) -> None:
    """NaN and Infinity, which are no JSON: nothing can be equal to them, so nothing is kept of them."""


def one_line(text: str) -> str:
    """The start of what somebody else says, fit for a message and for every database."""
    return " ".join(well_formed(text).replace("\0", "").split())[:300]
