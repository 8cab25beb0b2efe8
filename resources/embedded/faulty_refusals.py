"""Faults before any work: calls that are turned down, in every form that is documented or seen, and calls that are misunderstood."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from resources.embedded.fault_kinds import EVERY, FaultKind
from resources.embedded.protocol import Call, RawText, Reply, Tool, error_body

_WAIT = 7  # seconds that a throttled caller is told to wait
_TOO_MANY = {"message": "Too many requests. Please try again later."}
_BAD_GATEWAY = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>"


def _refuse(status: int, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None, cost: int = 0) -> Callable[[Call], Reply]:
    """A reply that names no cost beyond what its body says."""
    reply = Reply(body, status, cost, headers=headers or {}, tells_usage=False)
    return lambda _call: reply


def _throttle_with_date(_call: Call) -> Reply:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=_WAIT), usegmt=True)
    return Reply(_TOO_MANY, 429, headers={"retry-after": moment}, tells_usage=False)


def _bad_gateway(_call: Call) -> Reply:
    return Reply({}, 502, text=RawText(_BAD_GATEWAY, "text/html"), tells_usage=False)


def _string_alone(call: Call) -> Call | Reply:
    refused = isinstance(call.body.include_patterns, list) and call.body.include_patterns
    return Reply(error_body(422, "includePatterns must be a string"), 422) if refused else call


def _array_alone(call: Call) -> Call | Reply:
    return Reply(error_body(422, "includePatterns must be an array"), 422) if isinstance(call.body.include_patterns, str) else call


def _as_globs(call: Call) -> Call | Reply:
    patterns = call.body.include_patterns
    globs = [patterns] if isinstance(patterns, str) else patterns
    matched = [rf"\A{fnmatch.translate(pattern)}" for pattern in globs if pattern]
    return replace(call, body=call.body.model_copy(update={"include_patterns": matched}))


def _everywhere(says: str, status: int, body: Mapping[str, Any]) -> FaultKind:
    """A refusal of paid calls and of questions about the account alike."""
    refuse = _refuse(status, body)
    return FaultKind(says, EVERY, before=refuse, account=lambda _reply: Reply(body, status, tells_usage=False))


def _overlooked(status: int) -> FaultKind:
    return _everywhere(f"the token is overlooked: {status}", status, {"message": "API token is required", "data": None})


_REJECTED = error_body(401, "Unauthorized access")
_USED_UP = "Token limit exceeded"

REFUSALS = {
    "throttled": FaultKind("429 without a time", before=_refuse(429, _TOO_MANY)),
    "throttled-seconds": FaultKind(f"429 with `Retry-After: {_WAIT}`", before=_refuse(429, _TOO_MANY, headers={"retry-after": str(_WAIT)})),
    "throttled-date": FaultKind("429 with `Retry-After` as a date", before=_throttle_with_date),
    "throttled-absurd": FaultKind(
        "429 with a `Retry-After` of a year", before=_refuse(429, _TOO_MANY, headers={"retry-after": "31536000"})
    ),
    "throttled-in-words": FaultKind(
        "429 with the time in the message alone", before=_refuse(429, {"message": f"Too many requests. Try again in {_WAIT} seconds."})
    ),
    "limit-as-400": FaultKind("400 that means “not now”", before=_refuse(400, error_body(400, "Concurrency limit reached, slow down"))),
    "server-error": FaultKind("500 that says nothing of its cost", before=_refuse(500, error_body(500, "Internal server error"))),
    "server-error-charged": FaultKind(
        "500 that names its cost", before=_refuse(500, {**error_body(500, "Internal server error"), "token_usage": 2}, cost=2)
    ),
    "server-error-free": FaultKind(
        "500 that says it was free", before=_refuse(500, {**error_body(500, "Internal server error"), "token_usage": 0})
    ),
    "server-error-of-site": FaultKind(
        "500 with the site's own 503 beside it",
        before=_refuse(500, error_body(500, "Internal server error"), headers={"x-status-code": "503"}),
    ),
    "overloaded": FaultKind(
        "520 with `Retry-After: 60`", before=_refuse(520, error_body(520, "Website ban"), headers={"retry-after": "60"})
    ),
    "bad-gateway": FaultKind("502 as a page of HTML", before=_bad_gateway),
    "forbidden": FaultKind("403 that names a missing scope", before=_refuse(403, error_body(403, "insufficient_scope"))),
    "token-rejected": _everywhere("401 with `message` and `error`", 401, _REJECTED),
    "token-rejected-with-code": _everywhere("401 with `statusCode` besides", 401, {**_REJECTED, "statusCode": 401}),
    "token-overlooked": _overlooked(401),
    "token-overlooked-403": _overlooked(403),
    "quota-exhausted": FaultKind("403 with a limit message", before=_refuse(403, error_body(403, _USED_UP))),
    "quota-exhausted-402": FaultKind("402", before=_refuse(402, error_body(402, _USED_UP))),
    "patterns-string-alone": FaultKind("URL patterns are taken as one string alone: 422", frozenset({Tool.MAP}), before=_string_alone),
    "patterns-array-alone": FaultKind("URL patterns are taken as an array alone: 422", frozenset({Tool.MAP}), before=_array_alone),
    "patterns-as-globs": FaultKind("URL patterns are taken as globs of the whole URL", frozenset({Tool.MAP}), before=_as_globs),
}
