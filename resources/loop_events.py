"""The loop's events in the operational store: appended, never changed, and beside them the state that they add up to.

Writers of one cycle take turns in the row of its state, so that events are numbered without a gap and the state knows each of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from research_pipeline.loop_state import EventKind, LoopEvent, LoopState, apply, fold
from resources.clock import Clock, SystemClock, moment
from resources.opstore import migrate, reading

_ENSURE = sa.text("INSERT INTO loop_memories (cycle, events, state) VALUES (:cycle, 0, '{}') ON CONFLICT (cycle) DO NOTHING")
# Adding nothing locks the row on PostgreSQL; a transaction on SQLite is alone from its beginning.
_LOCK = sa.text("UPDATE loop_memories SET events = events + 0 WHERE cycle = :cycle RETURNING state")
_SAVE = sa.text("UPDATE loop_memories SET events = :events, state = :state WHERE cycle = :cycle")
_APPEND = sa.text(
    "INSERT INTO loop_events (cycle, number, kind, data, actor, happened_at) VALUES (:cycle, :number, :kind, :data, :actor, :happened_at)"
)
_STATE = sa.text("SELECT state FROM loop_memories WHERE cycle = :cycle")
_EVENTS = sa.text("SELECT * FROM loop_events WHERE cycle = :cycle AND number > :after ORDER BY number LIMIT :most")
_ALL = 2**31 - 1


class LoopEvents:
    """The events of an operational store; safe for any number of threads and processes."""

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()

    def append(self, cycle: str, events: Sequence[LoopEvent], *, actor: str) -> LoopState:
        """Add events to a cycle, all or none; the state after them.

        Raises:
            ValueError: an event that the state does not admit, such as an answer without evidence.
        """
        with self._engine.begin() as connection:
            return append_events(connection, cycle, events, actor=actor, now=moment(self._clock))

    def state(self, cycle: str) -> LoopState:
        """The state of a cycle's loop; that of a cycle without events is empty."""
        with reading(self._engine) as connection:
            text = connection.execute(_STATE, {"cycle": cycle}).scalar_one_or_none()
        return LoopState.model_validate_json(text or "{}")

    def events(self, cycle: str, *, after: int = 0, most: int = _ALL) -> list[LoopEvent]:
        """Events in order, from the one after number `after` on."""
        with reading(self._engine) as connection:
            rows = connection.execute(_EVENTS, {"cycle": cycle, "after": after, "most": most}).mappings().all()
        return [LoopEvent(EventKind(row["kind"]), json.loads(row["data"]), row["number"], row["actor"], row["happened_at"]) for row in rows]

    def rebuilt(self, cycle: str) -> LoopState:
        """The state as its events alone give it."""
        return fold(self.events(cycle))


def append_events(connection: sa.Connection, cycle: str, events: Sequence[LoopEvent], *, actor: str, now: str) -> LoopState:
    """Add events within a transaction that does more.

    Raises:
        ValueError: an event that the state does not admit.
    """
    connection.execute(_ENSURE, {"cycle": cycle})
    state = LoopState.model_validate_json(connection.execute(_LOCK, {"cycle": cycle}).scalar_one())
    for event in events:
        state = apply(state, replace(event, actor=actor))
        row = {"cycle": cycle, "number": state.events, "kind": event.kind.value, "actor": actor, "happened_at": now}
        connection.execute(_APPEND, {**row, "data": json.dumps(dict(event.data), ensure_ascii=False)})
    if events:
        connection.execute(_SAVE, {"cycle": cycle, "events": state.events, "state": state.model_dump_json()})
    return state
