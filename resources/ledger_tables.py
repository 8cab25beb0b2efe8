"""The ledger's tables for SQLAlchemy; `opstore_sql` makes them. And their rows as the records that the rest of the code knows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from research_pipeline.errors import (
    AccountExhausted,
    CallFailed,
    PermissionRefused,
    ReplyMalformed,
    RequestRefused,
    Throttled,
    TokenRejected,
    TransientFailure,
)
from research_pipeline.limits import Spent, StopRule, Tool
from research_pipeline.study import Limits
from resources.calls import CallRow, CallState, Settled

_MICROS = 1_000_000

# A row as a mapping, whether it comes from SQLAlchemy or was changed since.
Row = Mapping[Any, Any]

metadata = sa.MetaData()


def _whole(name: str, **options: Any) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False, **options)


def _text(name: str, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, **options)


def _real(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=False)


budgets = sa.Table(
    "budgets",
    metadata,
    _text("cycle", primary_key=True),
    _text("study"),
    _text("limits"),
    sa.Column("account_tokens", sa.BigInteger),
    _whole("report_reserve"),
    _whole("steps"),
    _whole("discover_calls"),
    _whole("pages"),
    _whole("tokens_spent"),
    _whole("tokens_reserved"),
    _whole("cost_spent"),
    _whole("cost_reserved"),
    _real("seconds"),
    _real("worked_until"),
    _whole("failures_in_a_row"),
    _whole("settled"),
    _text("stop_rule"),
    _text("stop_note"),
    _text("opened_at"),
)

owners = sa.Table(
    "owners",
    metadata,
    _text("owner", primary_key=True),
    _text("machine"),
    _whole("pid"),
    _text("started"),
    _real("lease_until"),
)

calls = sa.Table(
    "calls",
    metadata,
    _text("call_key", primary_key=True),
    _whole("attempt", primary_key=True, autoincrement=False),
    _whole("try_number"),
    _text("study"),
    _text("cycle"),
    _text("sub_question_id"),
    _whole("round"),
    _text("run_id"),
    _text("tool"),
    _text("url"),
    _text("arguments"),
    _text("state"),
    sa.Column("final", sa.Boolean, nullable=False),
    _text("owner"),
    _whole("tokens_reserved"),
    _whole("tokens_spent"),
    _whole("cost_reserved"),
    _whole("cost_spent"),
    sa.Column("cost_known", sa.Boolean, nullable=False),
    sa.Column("http_status", sa.BigInteger),
    _text("error_class"),
    _text("error"),
    _text("reserved_at"),
    sa.Column("sent_at", sa.Text),
    sa.Column("settled_at", sa.Text),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("response", sa.Text),
    _text("body_hash"),
)

call_warnings = sa.Table(
    "call_warnings",
    metadata,
    _text("cycle", primary_key=True),
    _text("rule", primary_key=True),
    _text("message"),
    _text("warned_at"),
)


def to_micros(usd: float) -> int:
    """Millionths of a USD, rounded up: what is set aside or charged is never less than what was said."""
    return math.ceil(round(usd * _MICROS, 3))


def to_usd(micros: int) -> float:
    """USD."""
    return micros / _MICROS


@dataclass(frozen=True, slots=True)
class Budget:
    """What a cycle may spend and has spent.

    `account_tokens` is what the account grants this cycle in all, what it has spent included. `stop_rule` is set when no further
    call may be made, whatever the limits say; `stop_note` then says why.
    """

    cycle: str
    study: str
    limits: Limits
    spent: Spent
    account_tokens: int | None
    report_reserve_usd: float
    stop_rule: StopRule | None
    stop_note: str
    opened_at: datetime


def budget_of(row: Row) -> Budget:
    """From a row of `budgets`."""
    spent = Spent(
        steps=row["steps"],
        discover_calls=row["discover_calls"],
        pages=row["pages"],
        tokens=row["tokens_spent"],
        tokens_reserved=row["tokens_reserved"],
        model_cost_usd=to_usd(row["cost_spent"]),
        model_cost_reserved=to_usd(row["cost_reserved"]),
        seconds=row["seconds"],
        failures_in_a_row=row["failures_in_a_row"],
    )
    return Budget(
        cycle=row["cycle"],
        study=row["study"],
        limits=Limits.model_validate_json(row["limits"]),
        spent=spent,
        account_tokens=row["account_tokens"],
        report_reserve_usd=to_usd(row["report_reserve"]),
        stop_rule=StopRule(row["stop_rule"]) if row["stop_rule"] else None,
        stop_note=row["stop_note"],
        opened_at=datetime.fromisoformat(row["opened_at"]),
    )


def call_row_of(row: Row) -> CallRow:
    """From a row of `calls`."""
    return CallRow(
        study=row["study"],
        cycle=row["cycle"],
        sub_question_id=row["sub_question_id"],
        round=row["round"],
        run_id=row["run_id"],
        call_key=row["call_key"],
        attempt=row["attempt"],
        try_number=row["try_number"],
        tool=Tool(row["tool"]),
        url=row["url"],
        arguments=json.loads(row["arguments"]),
        state=CallState(row["state"]),
        final=row["final"],
        owner=row["owner"],
        tokens_reserved=row["tokens_reserved"],
        tokens_spent=row["tokens_spent"],
        usd_reserved=to_usd(row["cost_reserved"]),
        usd_spent=to_usd(row["cost_spent"]),
        cost_known=row["cost_known"],
        http_status=row["http_status"],
        error_class=row["error_class"],
        error=row["error"],
        requested_at=datetime.fromisoformat(row["reserved_at"]),
        sent_at=_moment(row["sent_at"]),
        settled_at=_moment(row["settled_at"]),
        sequence=row["sequence"],
        body_hash=row["body_hash"],
    )


def settled_of(row: Row, *, from_ledger: bool) -> Settled:
    """From a settled row of `calls`."""
    return Settled(
        key=row["call_key"],
        attempt=row["attempt"],
        response=json.loads(row["response"]),
        body_hash=row["body_hash"],
        tokens=row["tokens_spent"],
        cost_usd=to_usd(row["cost_spent"]),
        from_ledger=from_ledger,
    )


_FAILURES: Mapping[str, type[CallFailed]] = {
    failure.__name__: failure
    for failure in (TransientFailure, ReplyMalformed, Throttled, RequestRefused, TokenRejected, AccountExhausted, PermissionRefused)
}


def failure_of(row: Row) -> CallFailed:
    """The failure that a failed row of `calls` records."""
    cost = row["tokens_spent"] if row["cost_known"] else None
    return _FAILURES.get(row["error_class"], CallFailed)(row["error"], status=row["http_status"], cost=cost)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
