"""The engine's own book: one line per request received and per reply sent, so that a test has a witness that no crash can silence.

A line is on disk (fsync) before its reply goes out. Several engines may share a book: each reads what the others wrote.
Lines are JSON objects: `{"event": "request", "id", "at", "tool", "url", "arguments"}` and
`{"event": "reply", "id", "at", "tool", "url", "status", "cost", "rehearsed"}`. No token is ever written.
"""

from __future__ import annotations

import json
import os
import uuid
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from research_pipeline.ids import canonical_url


class Book:
    """Counts tokens and rehearsed failures; on disk where `path` is given, else in memory."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._read_to = 0
        self._tokens = 0
        self._rehearsed: Counter[str] = Counter()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            _end_torn_line(path)

    def received(self, tool: str, url: str, *, arguments: Mapping[str, Any]) -> str:
        """Write a request down; the id ties its reply to it."""
        identifier = uuid.uuid4().hex
        self._enter({"event": "request", "id": identifier, "at": _now(), "tool": tool, "url": url, "arguments": dict(arguments)})
        return identifier

    def replied(self, identifier: str, tool: str, url: str, *, status: int, cost: int, rehearsed: bool = False) -> None:
        """Write a reply down, with what it cost. The charge counts from here on."""
        line = {"event": "reply", "id": identifier, "at": _now(), "tool": tool, "url": url, "status": status, "cost": cost}
        self._enter({**line, "rehearsed": rehearsed})

    def tokens_used(self) -> int:
        """The account's usage so far."""
        self._catch_up()
        return self._tokens

    def rehearsed_failures(self, url: str) -> int:
        """How often a call for `url` has failed because a folder's `responses.yaml` says so."""
        self._catch_up()
        return self._rehearsed[canonical_url(url)]

    def _enter(self, line: Mapping[str, Any]) -> None:
        if self._path is None:
            self._count(line)
            return
        # Unbuffered: a line is one write, and lines of several engines never mix.
        with self._path.open("ab", buffering=0) as file:
            file.write(json.dumps(line).encode() + b"\n")
            os.fsync(file.fileno())

    def _catch_up(self) -> None:
        if self._path is None:
            return
        with self._path.open("rb") as file:
            file.seek(self._read_to)
            unread = file.read()
        complete = unread[: unread.rfind(b"\n") + 1]
        self._read_to += len(complete)
        for line in complete.splitlines():
            try:
                self._count(json.loads(line))
            except ValueError:
                continue  # a line torn by a crash: its reply never went out

    def _count(self, line: Mapping[str, Any]) -> None:
        if line["event"] == "reply":
            self._tokens += line["cost"]
            if line["rehearsed"]:
                self._rehearsed[canonical_url(line["url"])] += 1


def _end_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
