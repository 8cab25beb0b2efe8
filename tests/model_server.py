"""A model's provider on a port of this machine, in two wire formats: it answers as a script says, and keeps its own count.

A script is a function from what was asked (`Asked`) to what the model does: a mapping or a text as its answer, or one of the classes
here. It runs in the server's thread, one request at a time per connection, several at once.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.polling import eventually

PRICE = {"input": 2.0, "output": 10.0}  # USD per million tokens
KEY = "sk-0123456789abcdefghij"


@dataclass(frozen=True)
class Asked:
    """A request: the system's words, all messages as one text, and how often a correction was asked for in it."""

    system: str
    text: str
    corrections: int
    wire: str
    most: int
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass(frozen=True)
class Status:
    """An error of the provider."""

    status: int
    message: str = "something is wrong"
    headers: dict[str, str] = field(default_factory=dict)
    code: str = "an_error"


@dataclass(frozen=True)
class Refuses:
    """The model declines."""

    words: str = "I cannot help with that."


@dataclass(frozen=True)
class CutOff:
    """The reply is longer than it may be, and ends in the middle of the answer."""

    said: str = '{"items": [{"question": "'


@dataclass(frozen=True)
class Raw:
    """Bytes that are no reply of the API."""

    content: bytes = b"<html>gateway"


class Hangs:
    """No answer, until the client goes away."""


class Provider:
    """The server's side: what it was asked and what it charged."""

    def __init__(self, script):
        self.script = script
        self.asked: list[Asked] = []
        self.usd = 0.0
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()

    async def openai(self, request):
        body = await request.json()
        system = "\n".join(_words(message) for message in body["messages"] if message["role"] == "system")
        corrections = sum(message["role"] == "tool" for message in body["messages"])
        asked = Asked(system, _all(body["messages"]), corrections, "openai", body["max_completion_tokens"], body, dict(request.headers))
        return await self._answered(request, asked, _openai_reply, body["tools"][0]["function"]["name"] if body.get("tools") else None)

    async def anthropic(self, request):
        body = await request.json()
        blocks = [block for message in body["messages"] if isinstance(message["content"], list) for block in message["content"]]
        corrections = sum(block.get("type") == "tool_result" for block in blocks)
        system = "\n".join(part["text"] for part in body["system"])
        asked = Asked(system, _all(body["messages"]), corrections, "anthropic", body["max_tokens"], body, dict(request.headers))
        return await self._answered(request, asked, _anthropic_reply, body["tools"][0]["name"])

    async def _answered(self, request, asked, reply_of, tool):
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            said = await asyncio.to_thread(self.script, asked)
            if isinstance(said, Hangs):
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                return Response(status_code=499)
            if isinstance(said, Raw):
                return Response(said.content, media_type="application/json")
            if isinstance(said, Status):
                error = {"message": said.message, "type": said.code, "code": said.code}
                return JSONResponse({"type": "error", "error": error}, said.status, headers=said.headers)
            used = (len(asked.text + asked.system) // 4, 60)
            with self._lock:
                self.usd += (used[0] * PRICE["input"] + used[1] * PRICE["output"]) / 1e6
            return JSONResponse(reply_of(said, tool, used, asked))
        finally:
            with self._lock:
                self._now -= 1


@contextmanager
def provider(script):
    """A provider that is there for as long as the block; `.url` is the address for OpenAI's format, `.host` for Anthropic's."""
    made = Provider(script)
    routes = [
        Route("/v1/chat/completions", made.openai, methods=["POST"]),
        Route("/v1/messages", made.anthropic, methods=["POST"]),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="critical", lifespan="off", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        eventually(lambda: server.started, what="the provider listens")
        made.host = f"http://127.0.0.1:{listener.getsockname()[1]}"
        made.url = f"{made.host}/v1"
        try:
            yield made
        finally:
            server.should_exit = True
            thread.join(timeout=10)


def _words(message):
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content or "", ensure_ascii=False)


def _all(messages):
    return "\n".join(_words(message) for message in messages)


def _openai_reply(said, tool, used, asked):
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish = "stop"
    if isinstance(said, Refuses):
        message["refusal"] = said.words
    elif tool is None:
        message["content"] = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    else:
        finish = "length" if isinstance(said, CutOff) else "tool_calls"
        arguments = said.said if isinstance(said, CutOff) else said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": {"name": tool, "arguments": arguments}}]
    usage = {"prompt_tokens": used[0], "completion_tokens": used[1], "total_tokens": sum(used)}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": asked.body["model"], "choices": [choice], "usage": usage}


def _anthropic_reply(said, tool, used, asked):
    content, stop = [], "tool_use"
    if isinstance(said, Refuses):
        content, stop = [{"type": "text", "text": said.words}], "refusal"
    elif isinstance(said, str | CutOff):
        content, stop = [{"type": "text", "text": said if isinstance(said, str) else said.said}], "max_tokens"
    else:
        content = [{"type": "tool_use", "id": "t1", "name": tool, "input": said}]
    usage = {"input_tokens": used[0], "output_tokens": used[1]}
    head = {"id": "m", "type": "message", "role": "assistant", "model": asked.body["model"]}
    return {**head, "content": content, "stop_reason": stop, "stop_sequence": None, "usage": usage}
