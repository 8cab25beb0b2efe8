"""MrScraper's gateway protocol, server side: what a call may say, checked, and the shapes of replies and errors.

Flags travel in the query, everything else in the JSON body; `GET` carries all of it in the query. Flags that steer a browser, a proxy or
the account's result store are accepted and have no effect here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from w3lib.url import safe_url_string

from research_pipeline.ids import host_of
from resources.embedded.metering import BYTES_PER_MEGABYTE

WITHOUT_EFFECT = frozenset(
    {
        "geoCode", "proxyCountry", "browserRendering", "super", "waitForSelector", "waitUntil", "warmStart", "homePage", "blockResources",
        "bypassProxy", "useProxy", "proxy", "cookieJar", "headers", "returnCookie", "saveResult", "detectedJson",
    }
)  # fmt: skip
_NAMES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    422: "Unprocessable Entity",
}


class Tool(StrEnum):
    """What a call asks for."""

    PAGE = "page"
    MAP = "map"
    GENERAL = "general"
    ACCOUNT = "account"


def _web_address(url: str) -> str:
    if urlsplit(url).scheme.lower() not in ("http", "https"):
        raise ValueError("must be an http or https address")
    host_of(url)
    return safe_url_string(url)


def _patterns(value: list[str] | str) -> list[str] | str:
    for pattern in [value] if isinstance(value, str) else value:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
    return value


Patterns = Annotated[list[Annotated[str, Field(min_length=1)]] | str, AfterValidator(_patterns)]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel)


class Flags(_Wire):
    """The query of a call."""

    html: bool = False
    markdown: bool = False
    timeout: float | None = Field(default=None, gt=0, le=600, description="Seconds that the whole call may take.")


class CallBody(_Wire):
    """The body of a call."""

    url: Annotated[str, AfterValidator(_web_address)]
    agent: Literal["map", "general"] | None = None
    prompt: str | None = None
    max_depth: int = Field(default=2, ge=0, le=10)
    max_pages: int = Field(default=3, ge=1, le=1000)
    limit: int = Field(default=1000, ge=1, le=100_000)
    include_patterns: Patterns = []
    exclude_patterns: Patterns = []
    max_retries: int | None = Field(default=None, ge=0)
    token_cap: int | None = Field(default=None, ge=0)  # the documented default: it bounds retries, never the call itself

    @property
    def include(self) -> tuple[re.Pattern[str], ...]:
        """The include patterns, ready to search; both wire forms are one thing here."""
        return _compiled(self.include_patterns)

    @property
    def exclude(self) -> tuple[re.Pattern[str], ...]:
        """The exclude patterns, ready to search."""
        return _compiled(self.exclude_patterns)


@dataclass(frozen=True, slots=True)
class Call:
    """A checked call. `arguments` are as they arrived, for the book."""

    tool: Tool
    flags: Flags
    body: CallBody
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RawText:
    """A body that is no JSON, or not whole."""

    content: str
    content_type: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: HTTP status of the service, JSON body, tokens charged; of the target its status and its size in bytes.

    `text` goes out in place of the body; without `tells_usage` no header says what was charged or what the target answered.
    """

    body: Mapping[str, Any]
    status: int = 200
    cost: int = 0
    target_status: int | None = None
    size: int = 0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    text: RawText | None = None
    tells_usage: bool = True

    def wire_headers(self) -> dict[str, str]:
        """The usage headers, with the deterministic runtime of this engine."""
        if not self.tells_usage:
            return dict(self.headers)
        usage = {"token_usage": str(self.cost), "bandwidth_usage": f"{self.size / BYTES_PER_MEGABYTE:.6f}", "runtime": "0"}
        target = {} if self.target_status is None else {"x-status-code": str(self.target_status)}
        return {**self.headers, **usage, **target}


class CallRefused(Exception):
    """A call that the service itself turns down, with its status and a message for the caller; `body` where it has a shape of its own."""

    def __init__(self, status: int, message: str, *, body: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self._body = body

    def reply(self) -> Reply:
        """The refusal on the wire; it costs nothing."""
        return Reply(self._body or error_body(self.status, self.message), status=self.status)


def parse_call(method: str, query: Mapping[str, str], raw_body: bytes) -> Call:
    """Read a call off the wire.

    Raises:
        CallRefused: 400 for a body that is no JSON object, 422 for fields that are unknown or wrong, each named.
    """
    fields = {name: value for name, value in query.items() if name not in WITHOUT_EFFECT}
    flag_names = {name for name in fields if name in Flags.model_fields}
    flags = {name: fields.pop(name) for name in flag_names}
    if method == "POST":
        if fields:
            raise CallRefused(422, f"unknown query parameter: {', '.join(sorted(fields))}")
        fields = _json_object(raw_body)
    try:
        call_flags, body = Flags.model_validate(flags), CallBody.model_validate(fields)
    except ValidationError as error:
        raise CallRefused(422, describe(error)) from error
    if body.agent == "general" and not body.prompt:
        raise CallRefused(422, "prompt: the general agent needs one")
    return Call(Tool(body.agent or Tool.PAGE), call_flags, body, {**flags, **fields})


def error_body(status: int, message: str) -> dict[str, Any]:
    """The documented error shape."""
    return {"message": message, "error": _NAMES.get(status, "Error")}


def _json_object(raw_body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw_body)
    except (ValueError, RecursionError) as error:
        raise CallRefused(400, "the body is no JSON") from error
    if not isinstance(data, dict):
        raise CallRefused(400, "the body is no JSON object")
    return data  # pyright: ignore[reportUnknownVariableType]  # a JSON object has string keys


def _compiled(patterns: list[str] | str) -> tuple[re.Pattern[str], ...]:
    several = [patterns] if isinstance(patterns, str) else patterns
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in several if pattern)


def describe(error: ValidationError) -> str:
    """Every problem of a failed validation, each with its field, as one line."""
    return "; ".join(
        f"{'.'.join(map(str, item['loc'])) or 'body'}: {item['msg']}" for item in error.errors(include_url=False, include_input=False)
    )
