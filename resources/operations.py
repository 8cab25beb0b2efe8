"""Cycles in the operational store: what each follows, who approved it, how far each sub-question is, and every step on the way."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from research_pipeline.errors import InputError, UnknownName
from research_pipeline.ids import content_id
from research_pipeline.loop import Progress, State
from research_pipeline.loop_state import LoopEvent
from resources.clock import Clock, SystemClock, moment
from resources.cycle_records import APPROVAL, CYCLE, STEP, Approval, Cycle, LoopStep, insert_statement, stored_row
from resources.loop_events import append_events
from resources.opstore import migrate, reading
from resources.record_tables import OperationRows, Row


class Operations:
    """The cycles of an operational store; safe for any number of threads and processes."""

    def __init__(self, engine: sa.Engine, *, clock: Clock | None = None) -> None:
        migrate(engine)
        self._engine = engine
        self._clock = clock or SystemClock()

    # ── plans and approvals ───────────────────────────────────────────────────────────────────────────────────────────

    def save_plan(self, study: str, plan_id: str, *, plan: Mapping[str, Any]) -> None:
        """Remember a plan (JSON-ready) under its hash; a second time changes nothing."""
        self._execute(_SAVE_PLAN, study=study, plan_id=plan_id, plan=json.dumps(plan, ensure_ascii=False), now=moment(self._clock))

    def plan(self, study: str, plan_id: str) -> dict[str, Any]:
        """A plan by its hash, as JSON.

        Raises:
            UnknownName: there is none.
        """
        rows = self._rows("SELECT plan FROM plans WHERE study = :study AND plan_id = :plan_id", study=study, plan_id=plan_id)
        if not rows:
            raise UnknownName(f"Study {study!r} has no plan {plan_id!r}.", remedy=f"`research plan {study}` shows the current one.")
        return json.loads(rows[0]["plan"])

    def approve(
        self,
        study: str,
        plan_id: str,
        *,
        by: str,
        note: str = "",
        budget: Mapping[str, Any] | None = None,
        approved: bool = True,
        automatic: bool = False,
        rounds: int = 0,
        run_id: str = "",
    ) -> Approval:
        """Record a decision on a plan; with `approved=False`, a refusal.

        Raises:
            InputError: nobody is named.
        """
        if not by.strip():
            raise InputError("An approval names the person who gives it.", remedy="Name yourself: `--by NAME`.")
        now = self._now()
        approval = Approval(
            content_id("ap", study, plan_id, by, now),
            study,
            plan_id,
            approved,
            by.strip(),
            note,
            automatic,
            rounds,
            budget or {},
            run_id,
            now,
        )
        self._execute(_INSERT_APPROVAL, **stored_row(approval))
        return approval

    def approvals(self, study: str) -> list[Approval]:
        """All decisions on the plans of a study, oldest first."""
        rows = self._rows("SELECT * FROM approvals WHERE study = :study ORDER BY approved_at", study=study)
        return [APPROVAL.validate_python({**row, "budget": json.loads(row["budget"])}) for row in rows]

    def approval_of(self, study: str, plan_id: str) -> Approval | None:
        """The newest decision on a plan, with the most rounds that any approval of it granted; None where nobody has decided."""
        decisions = [decision for decision in self.approvals(study) if decision.plan_id == plan_id]
        granted = max((decision.rounds_granted for decision in decisions if decision.approved), default=0)
        return replace(decisions[-1], rounds_granted=granted) if decisions else None

    # ── cycles ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def start_cycle(self, study: str, plan_id: str, *, dagster_run_id: str = "", cause: str = "", slot: str = "") -> Cycle:
        """Mint a cycle, or for a slot of the schedule find the one that it has. Ids sort after those of all earlier cycles of the study,
        whatever the clock says."""
        with self._engine.begin() as connection:
            last = connection.execute(_LAST_CYCLE, {"study": study}).scalar_one()
            now = self._now()
            cycle = Cycle(_mint(now, after=last), study, plan_id, dagster_run_id, cause, State.PLAN, "", "", 0, now, None, slot)
            if connection.execute(_INSERT_CYCLE, stored_row(cycle)).rowcount:
                return cycle
            found = connection.execute(_CYCLE_OF_SLOT, {"study": study, "slot": slot}).mappings().one()
        return CYCLE.validate_python(dict(found))

    def cycle_of_run(self, study: str, dagster_run_id: str) -> Cycle | None:
        """The cycle that a run began; None where it began none."""
        query = "SELECT * FROM cycles WHERE study = :study AND dagster_run_id = :run_id"
        rows = self._rows(query, study=study, run_id=dagster_run_id)
        return CYCLE.validate_python(rows[0]) if rows else None

    def cycle(self, cycle: str) -> Cycle:
        """A cycle by its id.

        Raises:
            UnknownName: there is none.
        """
        rows = self._rows("SELECT * FROM cycles WHERE cycle = :cycle", cycle=cycle)
        if not rows:
            raise UnknownName(f"There is no cycle {cycle!r}.", remedy="`research status STUDY` lists the cycles of a study.")
        return CYCLE.validate_python(rows[0])

    def cycles(self, study: str) -> list[Cycle]:
        """The cycles of a study, oldest first."""
        return [CYCLE.validate_python(row) for row in self._rows("SELECT * FROM cycles WHERE study = :study ORDER BY cycle", study=study)]

    def last_cycle(self, study: str) -> Cycle | None:
        """The newest cycle of a study; None where it never ran."""
        rows = self._rows("SELECT * FROM cycles WHERE study = :study ORDER BY cycle DESC LIMIT 1", study=study)
        return CYCLE.validate_python(rows[0]) if rows else None

    def unfinished_cycle(self, study: str, plan_id: str) -> Cycle | None:
        """The newest cycle of a study, if it follows this plan and has not come to its end."""
        last = self.last_cycle(study)
        return last if last is not None and last.plan_id == plan_id and not last.finished else None

    def set_state(self, cycle: str, state: State) -> None:
        """Say where a cycle stands."""
        self._execute("UPDATE cycles SET state = :state WHERE cycle = :cycle", cycle=cycle, state=state.value)

    def finish_cycle(self, cycle: str, state: State, *, stop_reason: str = "") -> None:
        """Say that a cycle has come to its end, DONE or STOPPED; again after a rerun."""
        self._execute(_FINISH_CYCLE, cycle=cycle, state=state.value, stop_reason=stop_reason, now=moment(self._clock))

    def reopen_cycle(self, cycle: str) -> None:
        """Let a cycle that has ended go on: a person reruns part of it."""
        self._execute(_REOPEN_CYCLE, cycle=cycle, state=State.DISCOVER.value)

    def request_stop(self, cycle: str, *, by: str) -> None:
        """Remember who asked for the end of a cycle: `Cycle.stop_requested_by`. Whoever drives it looks there before each step."""
        self._execute("UPDATE cycles SET stop_requested_by = :by WHERE cycle = :cycle", cycle=cycle, by=by)

    # ── the loop ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def record_steps(
        self, steps: Sequence[LoopStep], *, progress: Mapping[str, Progress] | None = None, events: Sequence[LoopEvent] = ()
    ) -> None:
        """Append steps of one cycle, and with them how the sub-questions stand after them and what happened in the loop: all or nothing.

        Raises:
            UnknownName: there is no such cycle.
            ValueError: the steps are of several cycles, or progress comes without a step that led to it.
        """
        if not steps and not progress:
            return
        if len({step.cycle for step in steps}) != 1:
            raise ValueError("steps are recorded for one cycle at a time, and progress with the steps that led to it")
        cycle, study, run_id, now = steps[0].cycle, steps[0].study, steps[0].run_id, self._now()
        with self._engine.begin() as connection:
            if events:
                append_events(connection, cycle, events, actor=f"run {run_id[:8]}" if run_id else "", now=moment(self._clock))
            # Counting in the cycle's own row makes writers of one cycle take turns on PostgreSQL, too.
            last = connection.execute(_COUNT_STEPS, {"cycle": cycle, "added": len(steps)}).scalar_one_or_none()
            if last is None:
                raise UnknownName(f"There is no cycle {cycle!r}.", remedy="A step belongs to a cycle that was started.")
            numbered = [replace(step, step=number, happened_at=now) for number, step in enumerate(steps, last - len(steps) + 1)]
            connection.execute(_INSERT_STEP, [stored_row(step) for step in numbered])
            if progress:
                common = {"cycle": cycle, "study": study, "run_id": run_id, "changed_at": now.isoformat(timespec="microseconds")}
                connection.execute(
                    _SAVE_PROGRESS, [{**common, "sub_question_id": key, **_standing(item)} for key, item in progress.items()]
                )

    def steps(self, cycle: str) -> list[LoopStep]:
        """The steps of a cycle in order."""
        rows = self._rows("SELECT * FROM loop_steps WHERE cycle = :cycle ORDER BY step", cycle=cycle)
        return [STEP.validate_python({**row, "spent": json.loads(row["spent"])}) for row in rows]

    def newest_steps(self, cycle: str) -> list[LoopStep]:
        """For each sub-question, and for the cycle as a whole, the newest step of each state, in order."""
        rows = self._rows(_NEWEST_STEPS, cycle=cycle)
        return [STEP.validate_python({**row, "spent": json.loads(row["spent"])}) for row in rows]

    def progress_of(self, cycle: str) -> dict[str, Progress]:
        """How the sub-questions of a cycle stand; one that no round has ended for is absent."""
        rows = self._rows("SELECT sub_question_id, progress FROM loop_state WHERE cycle = :cycle ORDER BY sub_question_id", cycle=cycle)
        return {row["sub_question_id"]: Progress.from_row(json.loads(row["progress"])) for row in rows}

    def audit_rows(self, cycle: str, *, calls: Sequence[Mapping[str, object]] = ()) -> OperationRows:
        """What the evidence tables copy of a cycle: its steps, the decisions on its plan, and `calls`, which the ledger has."""
        followed = self.cycle(cycle)
        approvals = [item for item in self.approvals(followed.study) if item.plan_id == followed.plan_id]
        shared: Row = {"cycle": "", "sub_question_id": ""}
        return OperationRows(
            calls=calls,
            approvals=[{**stored_row(item), **shared} for item in approvals],
            loop_steps=self._rows("SELECT * FROM loop_steps WHERE cycle = :cycle ORDER BY step", cycle=cycle),
        )

    # ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _execute(self, statement: str | sa.TextClause, **values: object) -> None:
        with self._engine.begin() as connection:
            connection.execute(sa.text(statement) if isinstance(statement, str) else statement, values)

    def _rows(self, statement: str, **values: object) -> list[Row]:
        with reading(self._engine) as connection:
            return [dict(row) for row in connection.execute(sa.text(statement), values).mappings()]

    def _now(self) -> datetime:
        return datetime.fromisoformat(moment(self._clock))


_INSERT_CYCLE = sa.text(f"{insert_statement('cycles', Cycle).text} ON CONFLICT (study, slot) WHERE slot <> '' DO NOTHING")
_CYCLE_OF_SLOT = sa.text("SELECT * FROM cycles WHERE study = :study AND slot = :slot")
_INSERT_APPROVAL = insert_statement("approvals", Approval)
_INSERT_STEP = insert_statement("loop_steps", LoopStep)
_LAST_CYCLE = sa.text("SELECT coalesce(max(cycle), '') FROM cycles WHERE study = :study")
_COUNT_STEPS = sa.text("UPDATE cycles SET steps = steps + :added WHERE cycle = :cycle RETURNING steps")
_NEWEST_STEPS = (
    "SELECT * FROM loop_steps WHERE cycle = :cycle AND step IN "
    "(SELECT max(step) FROM loop_steps WHERE cycle = :cycle GROUP BY sub_question_id, state) ORDER BY step"
)
_SAVE_PLAN = "INSERT INTO plans (study, plan_id, plan, planned_at) VALUES (:study, :plan_id, :plan, :now) ON CONFLICT DO NOTHING"
_FINISH_CYCLE = "UPDATE cycles SET state = :state, stop_reason = :stop_reason, finished_at = :now WHERE cycle = :cycle"
_REOPEN_CYCLE = "UPDATE cycles SET state = :state, stop_reason = '', stop_requested_by = '', finished_at = NULL WHERE cycle = :cycle"
_SAVE_PROGRESS = sa.text(
    "INSERT INTO loop_state (cycle, sub_question_id, study, round, closed, rule, progress, run_id, changed_at) "
    "VALUES (:cycle, :sub_question_id, :study, :round, :closed, :rule, :progress, :run_id, :changed_at) "
    "ON CONFLICT (cycle, sub_question_id) DO UPDATE SET round = excluded.round, closed = excluded.closed, "
    "rule = excluded.rule, progress = excluded.progress, run_id = excluded.run_id, changed_at = excluded.changed_at"
)


def _standing(progress: Progress) -> Row:
    as_text = json.dumps(progress.as_row(), ensure_ascii=False)
    return {"round": progress.round, "closed": progress.closed, "rule": progress.rule, "progress": as_text}


def _mint(now: datetime, *, after: str) -> str:
    second = now.replace(microsecond=0)
    if after:
        last = datetime.strptime(after.partition("-")[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        second = max(second, last + timedelta(seconds=1))
    return f"{second:%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"
