"""What a failed exchange with the service means: each HTTP status and each broken connection as one of the product's errors.

The token is taken out of every word before it goes anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote

import httpx
from pydantic import SecretStr

from research_pipeline.errors import (
    AccountExhausted,
    CallFailed,
    PermissionRefused,
    RequestRefused,
    Throttled,
    TokenRejected,
    TransientFailure,
)
from research_pipeline.retrying import parse_retry_after, retry_after_in_words
from resources.protocol import charged_tokens, error_message, whole_number

_SHORTEST_TOKEN = 8  # characters that a token of a real service has at least

_USED_UP = re.compile(
    r"(token|plan|usage|quota|credit|balance|monthly|account|subscription)\w*\W+(\w+\W+){0,3}?"
    r"(limits?\b|exceed|exhaust|insufficient|used up|reached|ran out)"
    r"|(insufficient|not enough|no more|out of|exceeded)\W+(\w+\W+){0,3}?(token|credit|balance|quota)",
    re.IGNORECASE,
)
_TOO_FAST = re.compile(r"too many requests|rate.?limit|concurren|slow down|try again later", re.IGNORECASE)
_CREDENTIALS = re.compile(
    r"\b((?:x-api-)?(?:token|key)\s*[=:]\s*|authorization\s*:\s*|bearer\s+)(?:bearer\s+)?(?=\S*\d)[^\s,;&\"']{8,}", re.IGNORECASE
)
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.ProxyError)
_TRANSIENT_4XX = frozenset({408, 425})


class Redactor:
    """Takes the API token out of what others say."""

    def __init__(self, token: SecretStr) -> None:
        secret = token.get_secret_value()
        self._spellings = {secret, quote(secret, safe="")} - {""}

    def content(self, content: bytes) -> bytes:
        """The bytes of a reply without the token; one so short that it stands in ordinary words is left in a page's text."""
        for spelling in self._spellings:
            if len(spelling) >= _SHORTEST_TOKEN:
                content = content.replace(spelling.encode(), b"[redacted]")
        return content

    def message(self, text: str) -> str:
        """A message without the token, and without anything that looks like credentials."""
        for spelling in self._spellings:
            text = text.replace(spelling, "[redacted]")
        return _CREDENTIALS.sub(r"\1[redacted]", text)


def refusal(status: int, headers: Mapping[str, str], content: bytes, *, now: datetime, redactor: Redactor) -> CallFailed:
    """The error that a reply other than 200 or 201 stands for. `headers` have their names in lower case."""
    said = redactor.message(error_message(content))
    site_status = whole_number(headers.get("x-status-code"))
    of_the_site = "" if site_status is None else f" (the site itself answered {site_status})"
    message = f"The service answered {status}{of_the_site}" + (f": {said}" if said else ".")
    reported = charged_tokens(headers, content)
    # A call turned down was not worked on; one that broke down may have been, and costs what nobody knows.
    cost = reported if reported is not None or status >= 500 else 0
    retry_after = parse_retry_after(headers.get("retry-after"), now=now)
    if status == 401:
        return TokenRejected(message, status=status, cost=cost)
    if status == 429 or (400 <= status < 500 and status != 402 and _TOO_FAST.search(said)):
        wait = retry_after if retry_after is not None else retry_after_in_words(said)
        return Throttled(message, status=status, cost=cost, retry_after=wait)
    if status == 402 or (status == 403 and _USED_UP.search(said)):
        return AccountExhausted(message, status=status, cost=cost)
    if status == 403:
        return PermissionRefused(message, status=status, cost=cost)
    if status >= 500 or status in _TRANSIENT_4XX:
        return TransientFailure(message, status=status, cost=cost, retry_after=retry_after)
    if 300 <= status < 400:
        return RequestRefused(
            message, status=status, cost=cost, remedy="The service has moved: correct `base_url`; the token is not sent after a redirect."
        )
    return RequestRefused(message, status=status, cost=cost)


def broken_exchange(error: httpx.HTTPError | TimeoutError, *, redactor: Redactor) -> TransientFailure:
    """The error that a connection that broke stands for. It cost nothing only where nothing can have been sent."""
    what = redactor.message(str(error)) or type(error).__name__
    if isinstance(error, TimeoutError):
        what = "no reply in time"
    cost = 0 if isinstance(error, _UNSENT) else None
    return TransientFailure(f"The service could not be asked: {what}.", cost=cost)
