"""The ASGI application: token, book, rehearsed failures, faults and error bodies around the engine."""

from __future__ import annotations

import hmac
import socket
from collections.abc import Callable, Sequence

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from research_pipeline.domains import is_loopback
from research_pipeline.errors import ConfigurationError
from resources.embedded.book import Book
from resources.embedded.engine import Engine
from resources.embedded.fault_kinds import FaultKind
from resources.embedded.faults import FaultLayer
from resources.embedded.protocol import Call, CallRefused, Reply, Tool, error_body, parse_call
from resources.embedded.settings import EngineSettings

_ACCOUNT_PATH = "/subscription-accounts"
_LAST_WORDS = 3  # seconds that replies under way have when the service is interrupted
_CONTENT_HEADERS = frozenset({"content-type", "content-length", "content-encoding", "transfer-encoding"})


class Gateway:
    """The service as its callers see it."""

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._engine = Engine(settings)
        self._book = Book(settings.book)
        self._faults = FaultLayer(settings.faults)

    async def call(self, request: Request) -> Response:
        """`GET /` and `POST /`: a page, a map or an extraction."""
        try:
            self._check_token(request)
            call = parse_call(request.method, request.query_params, await request.body())
        except CallRefused as refusal:
            return self._refused(refusal)
        tool, url = call.tool.value, call.body.url
        identifier = self._book.received(tool, url, arguments=call.arguments)
        rehearsed = self._rehearsed_failure(call)
        faults = self._faults.on(call.tool, url)
        try:
            reply = rehearsed or await self._answer(call, faults)
        except CallRefused as refusal:
            reply = refusal.reply()
        self._book.replied(identifier, tool, url, status=reply.status, cost=reply.cost, rehearsed=rehearsed is not None)
        return _sent(request, reply, faults)

    async def account(self, request: Request) -> Response:
        """`GET /subscription-accounts`: what the account may use and has used."""
        try:
            self._check_token(request)
        except CallRefused as refusal:
            return self._refused(refusal)
        identifier = self._book.received(Tool.ACCOUNT.value, "", arguments={})
        data = {"tokenLimit": self._settings.token_limit, "tokenUsage": self._book.tokens_used(), "rateLimit": 0, "rateTtl": 0}
        reply = Reply({"message": "ok", "data": data}, tells_usage=False)
        faults = self._faults.on(Tool.ACCOUNT, "")
        for fault in faults:
            reply = fault.account(reply)
        self._book.replied(identifier, Tool.ACCOUNT.value, "", status=reply.status, cost=0)
        return _sent(request, reply, faults)

    async def _answer(self, call: Call, faults: Sequence[FaultKind]) -> Reply:
        for fault in faults:
            understood = fault.before(call)
            if isinstance(understood, Reply):
                return understood
            call = understood
        reply = await self._paid(call, faults)
        for fault in faults:
            reply = fault.after(call, reply)
        return reply

    async def _paid(self, call: Call, faults: Sequence[FaultKind]) -> Reply:
        if self._book.tokens_used() >= self._settings.token_limit:
            raise CallRefused(403, "Token limit exceeded")
        return await self._engine.answer(call, distortions=[fault.page for fault in faults])

    def _rehearsed_failure(self, call: Call) -> Reply | None:
        folder = self._engine.sites.mount(call.body.url)
        rule = folder.rule(call.body.url) if folder is not None else None
        if rule is None or self._book.rehearsed_failures(call.body.url) >= rule.fail_first:
            return None
        headers = {name.lower(): value for name, value in rule.headers.items() if name.lower() not in _CONTENT_HEADERS}
        return Reply(error_body(rule.fail_status, "Rehearsed failure"), status=rule.fail_status, headers=headers)

    def _check_token(self, request: Request) -> None:
        tokens = self._settings.tokens
        if tokens is None:
            return
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        given = request.headers.get("x-api-token") or bearer
        if not given:
            message = "API token is required"
            raise CallRefused(401, message, body={"message": message, "data": None})
        if not any(hmac.compare_digest(given.encode(), token.encode()) for token in tokens):
            raise CallRefused(401, "Unauthorized access")

    def _refused(self, refusal: CallRefused) -> Response:
        identifier = self._book.received("refused", "", arguments={})
        self._book.replied(identifier, "refused", "", status=refusal.status, cost=0)
        return _on_the_wire(refusal.reply())


def create_app(settings: EngineSettings) -> Starlette:
    """The service for these settings; it may be called from one event loop after another.

    Raises:
        ConfigurationError: a mounted folder's `responses.yaml` is wrong.
    """
    gateway = Gateway(settings)
    routes = [
        Route("/", gateway.call, methods=["GET", "POST"]),
        Route(_ACCOUNT_PATH, gateway.account, methods=["GET"]),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _http_error})


def serve(settings: EngineSettings, *, host: str, port: int, announce: Callable[[str], None]) -> None:
    """Put the service on a port (0: any free one) until it is interrupted; `announce` is told its address once it listens.

    Raises:
        ConfigurationError: the port is taken, or the address is open to other machines and no token is set, which would let
            anybody crawl from here.
    """
    name = f"[{host}]" if ":" in host else host
    if settings.tokens is None and not is_loopback(f"http://{name}"):
        raise ConfigurationError(f"{host} can be reached from other machines.", remedy="Set a token, or serve on 127.0.0.1.")
    server = uvicorn.Server(
        uvicorn.Config(create_app(settings), log_level="warning", lifespan="off", timeout_graceful_shutdown=_LAST_WORDS)
    )
    with _listen(host, port) as listener:
        announce(f"http://{name}:{listener.getsockname()[1]}")
        server.run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ConfigurationError(f"{host}:{port} cannot be listened on ({error}).", remedy="Name a free port.") from error


def _sent(request: Request, reply: Reply, faults: Sequence[FaultKind]) -> Response:
    response = _on_the_wire(reply)
    for fault in faults:
        response = fault.sending(request, response)
    return response


def _on_the_wire(reply: Reply) -> Response:
    if reply.text is not None:
        return Response(reply.text.content, reply.status, {**reply.wire_headers(), "content-type": reply.text.content_type})
    return JSONResponse(dict(reply.body), reply.status, reply.wire_headers())


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 404:
        return JSONResponse({"message": f"Cannot {request.method} {request.url.path}", "errors": "Not Found"}, 404)
    return JSONResponse(error_body(status, f"{request.method} is not allowed here" if status == 405 else "Error"), status)
