"""Faults of the account: the same numbers in every wrapping that callers have met, and none at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from resources.embedded.fault_kinds import FaultKind
from resources.embedded.protocol import Reply, Tool, error_body

_ACCOUNT = frozenset({Tool.ACCOUNT})


def _kind(says: str, body: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> FaultKind:
    return FaultKind(says, _ACCOUNT, account=lambda reply: replace(reply, body=body(reply.body["data"])))


def _strings(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"message": "ok", "data": {name: str(value) for name, value in data.items()}}


def _nothing(_data: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"message": "ok", "data": {"stripeStatus": "active"}}


def _bare(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return data


def _unavailable(_reply: Reply) -> Reply:
    return Reply(error_body(500, "Internal server error"), 500, tells_usage=False)


ACCOUNT_FAULTS = {
    "account-in-strings": _kind("the account's numbers are strings", _strings),
    "account-unwrapped": _kind("the account stands bare, not under `data`", _bare),
    "account-without-numbers": _kind("the account names no limit and no usage", _nothing),
    "account-unavailable": FaultKind("the account cannot be asked: 500", _ACCOUNT, account=_unavailable),
}
