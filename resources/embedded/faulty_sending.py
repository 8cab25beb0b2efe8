"""Faults on the wire: the reply stands in the book, charged, and does not arrive as it should. They need a port.

A server that stops in the middle of a response closes the connection: that is how it breaks here.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from resources.embedded.fault_kinds import EVERY, PAID, FaultKind

_LATENESS = 25 / 24  # of the page timeout: 125 s where the page may take 120
_TOKEN_HEADER = "x-api-token"  # noqa: S105 - the header's name, no secret


class BrokenOff(Response):
    """The head of a response and a share of its body; then the connection closes."""

    def __init__(self, whole: Response, *, share: float) -> None:
        super().__init__(status_code=whole.status_code)
        self.raw_headers = whole.raw_headers
        self._sent = bytes(whole.body)[: int(len(whole.body) * share)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send as much as there is to be, and stop."""
        del scope, receive
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self._sent, "more_body": True})


class Late(Response):
    """A response that comes after so many seconds; None: never."""

    def __init__(self, whole: Response, *, seconds: float | None) -> None:
        super().__init__(status_code=whole.status_code)
        self._whole = whole
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, then send; or wait until the caller gives up."""
        if self._seconds is not None:
            await asyncio.sleep(self._seconds)
            await self._whole(scope, receive, send)
            return
        while (await receive())["type"] != "http.disconnect":
            continue


def _lost(_request: Request, response: Response) -> Response:
    return BrokenOff(response, share=0.0)


def _cut(_request: Request, response: Response) -> Response:
    return BrokenOff(response, share=0.5)


def _never(_request: Request, response: Response) -> Response:
    return Late(response, seconds=None)


def _late(request: Request, response: Response) -> Response:
    return Late(response, seconds=float(request.query_params.get("timeout", "1")) * _LATENESS)


def _echo(request: Request, response: Response) -> Response:
    """As saved results do, which repeat the caller's request."""
    curl = f"curl -H '{_TOKEN_HEADER}: {request.headers.get(_TOKEN_HEADER, '')}' {request.url}"
    try:
        body: Any = json.loads(bytes(response.body))
    except ValueError:
        return Response(bytes(response.body) + curl.encode(), response.status_code, media_type=response.media_type)
    told = {
        name: f"{value} {curl}"
        for name, value in body.items()
        if isinstance(value, str) and name in ("html", "markdown", "message", "error")
    }
    data: Any = body.get("data")
    user = {"data": {**cast("dict[str, Any]", data), "user": {"latestApiToken": curl}}} if isinstance(data, dict) else {}
    headers = {name: value for name, value in response.headers.items() if name not in ("content-length", "content-type")}
    return JSONResponse({**body, **told, **user, "curl": curl}, response.status_code, headers)


SENDING_FAULTS = {
    "reply-lost": FaultKind("the work is done and charged, and the connection breaks before the reply", PAID, sending=_lost),
    "reply-cut": FaultKind("the work is done and charged, and the connection breaks in the middle of the reply", PAID, sending=_cut),
    "no-reply": FaultKind("the work is done and charged, and nothing is ever said", PAID, sending=_never),
    "reply-after-timeout": FaultKind("the reply comes a twenty-fourth later than the page timeout", PAID, sending=_late),
    "token-echoed": FaultKind("the reply repeats the caller's token, in text, message and fields", EVERY, sending=_echo),
}
