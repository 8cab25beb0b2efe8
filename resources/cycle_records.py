"""What the operational store keeps of cycles: records named as its columns, and the way from one to the other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import Enum
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter

from research_pipeline.loop import State
from resources.record_tables import Row


@dataclass(frozen=True, slots=True)
class Cycle:
    """One execution of a study.

    Args:
        cycle: its id: UTC time to the second and a suffix, later ones sort after earlier ones.
        cause: what began it, such as a person or a schedule and its slot.
        stop_reason: the rule that stopped it; empty where none did.
        stop_requested_by: the person who asked for its end; empty where nobody did.
        slot: the moment of the schedule that it was begun for; empty where none.
    """

    cycle: str
    study: str
    plan_id: str
    dagster_run_id: str
    cause: str
    state: State
    stop_reason: str
    stop_requested_by: str
    steps: int
    started_at: datetime
    finished_at: datetime | None
    slot: str = ""

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""
        return self.finished_at is not None


@dataclass(frozen=True, slots=True)
class Approval:
    """A decision on a plan. `rounds_granted` is how many rounds a person allowed beyond the study's limits."""

    approval_id: str
    study: str
    plan_id: str
    approved: bool
    approved_by: str
    note: str
    automatic: bool
    rounds_granted: int
    budget: Mapping[str, Any]
    run_id: str
    approved_at: datetime


@dataclass(frozen=True, slots=True)
class LoopStep:
    """A transition of a sub-question, or with an empty `sub_question_id` of the cycle as a whole.

    `spent` is what the cycle had spent, JSON-ready; `step` and `happened_at` are given in recording.
    """

    study: str
    cycle: str
    sub_question_id: str
    round: int
    state: State
    next_state: State
    rule: str = ""
    spent: Mapping[str, Any] = field(default_factory=dict[str, Any])
    run_id: str = ""
    step: int = 0
    happened_at: datetime | None = None


CYCLE, APPROVAL, STEP = TypeAdapter(Cycle), TypeAdapter(Approval), TypeAdapter(LoopStep)


def insert_statement(table: str, record: type[Cycle | Approval | LoopStep]) -> sa.TextClause:
    """The statement that adds a record, given `stored_row` of it."""
    names = [item.name for item in fields(record)]
    return sa.text(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})")  # noqa: S608 - names of fields


def stored_row(record: Cycle | Approval | LoopStep) -> Row:
    """A record as its table stores it."""
    return {item.name: _stored(getattr(record, item.name)) for item in fields(record)}


def _stored(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case datetime():
            return value.isoformat(timespec="microseconds")
        case Mapping():
            return json.dumps(dict(value), ensure_ascii=False)  # pyright: ignore[reportUnknownArgumentType] - matched from object
        case _:
            return value
