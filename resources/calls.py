"""Paid calls as the ledger knows them: what is asked, on whose behalf, how an attempt stands, and what an auditor reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from research_pipeline.ids import content_id
from research_pipeline.limits import Tool
from research_pipeline.study import Limits


class CallState(StrEnum):
    """How an attempt stands: reserved → pending → settled, failed or unknown."""

    RESERVED = "reserved"  # its cost is set aside; nothing was sent
    PENDING = "pending"  # about to be sent, or sent; no reply yet
    SETTLED = "settled"  # a reply was received and booked: the call is never sent again
    FAILED = "failed"  # no reply that could be booked
    UNKNOWN = "unknown"  # whoever sent it is gone: charged in full


@dataclass(frozen=True, slots=True)
class Call:
    """One paid call.

    Args:
        url: what is asked about, as it is sent; empty for a model.
        arguments: JSON-ready; everything that decides the reply and nothing else, since equal arguments are one call.
        tokens: the most that the scraping service may charge; what is reserved.
        cost_usd: the most that a model provider may charge; what is reserved.
    """

    tool: Tool
    url: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tokens: int = 0
    cost_usd: float = 0.0

    def key(self, cycle: str) -> str:
        """The same for the same question in the same cycle."""
        return content_id("call", cycle, self.tool, dict(self.arguments))


@dataclass(frozen=True, slots=True)
class CallContext:
    """On whose behalf a call is made.

    Args:
        limits: those of the cycle's plan; they count from the first call of the cycle on.
        retry_failed: repeat a call that failed before, at most once in a run and round. Otherwise its failure is the answer.
        ledger_only: answer from the ledger or not at all.
        for_report: the call is part of the report, which may use what was held back for it and is written after a stop, too.
    """

    study: str
    cycle: str
    sub_question_id: str
    limits: Limits
    round: int = 1
    run_id: str = ""
    retry_failed: bool = False
    ledger_only: bool = False
    for_report: bool = False


@dataclass(frozen=True, slots=True)
class Reservation:
    """The right to send a call once, its cost set aside."""

    key: str
    attempt: int
    cycle: str
    for_report: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """The booked reply of a call. `response` holds its facts, `body_hash` names its body in the archive (empty: none).

    `from_ledger` tells that nothing was paid this time.
    """

    key: str
    attempt: int
    response: Mapping[str, Any]
    body_hash: str
    tokens: int
    cost_usd: float
    from_ledger: bool = True


@dataclass(frozen=True, slots=True)
class Wait:
    """The call can be neither answered nor made now; `reason` says what is in the way. It goes by itself."""

    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply, to be booked. None for `tokens` or `cost_usd` means that the reply does not say: charged in full.

    `hollow` says in which way the service itself called its reply a failure; the call is settled all the same.
    """

    response: Mapping[str, Any]
    body_hash: str = ""
    status: int | None = 200
    tokens: int | None = 0
    cost_usd: float | None = 0.0
    hollow: str = ""


@dataclass(frozen=True, slots=True)
class CallRow:
    """An attempt as an auditor reads it. Amounts are charged in full where `cost_known` is false."""

    study: str
    cycle: str
    sub_question_id: str
    round: int
    run_id: str
    call_key: str
    attempt: int
    try_number: int
    tool: Tool
    url: str
    arguments: Mapping[str, Any]
    state: CallState
    final: bool
    owner: str
    tokens_reserved: int
    tokens_spent: int
    usd_reserved: float
    usd_spent: float
    cost_known: bool
    http_status: int | None
    error_class: str
    error: str
    requested_at: datetime
    sent_at: datetime | None
    settled_at: datetime | None
    sequence: int | None
    body_hash: str

    def as_row(self) -> dict[str, Any]:
        """The columns of the evidence table `calls`; an amount that nobody knows is absent."""
        return {
            "study": self.study,
            "cycle": self.cycle,
            "sub_question_id": self.sub_question_id,
            "round": self.round,
            "run_id": self.run_id,
            "call_key": self.call_key,
            "attempt": self.attempt,
            "tool": self.tool.value,
            "url": self.url,
            "arguments": json.dumps(dict(self.arguments), ensure_ascii=False, sort_keys=True),
            "state": self.state.value,
            "http_status": self.http_status,
            "error_class": self.error_class or None,
            "error": self.error or None,
            "body_hash": self.body_hash or None,
            "tokens_reserved": self.tokens_reserved,
            "tokens_spent": self.tokens_spent if self.cost_known else None,
            "usd_reserved": self.usd_reserved,
            "usd_spent": self.usd_spent if self.cost_known else None,
            "requested_at": self.requested_at,
            "settled_at": self.settled_at,
        }


@dataclass(frozen=True, slots=True)
class CallWarning:
    """Something a person should know while the cycle runs: a limit nearly used up, a reply above its reservation."""

    rule: str
    message: str
    warned_at: datetime
