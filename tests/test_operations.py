from __future__ import annotations

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from research_pipeline.errors import InputError, UnknownName
from research_pipeline.loop import Progress, State
from resources.operations import LoopStep, Operations
from resources.warehouse import Warehouse

DATABASES = ["sqlite", "postgresql"]
STUDY, PLAN = "logs", "pl_1"


class Stopped:
    """A clock that stands where it is put."""

    def __init__(self):
        self.seconds = datetime(2026, 11, 30, 16, 45, tzinfo=UTC).timestamp()

    def now(self):
        return self.seconds

    async def sleep(self, seconds):
        self.seconds += seconds


@pytest.fixture
def clock():
    return Stopped()


@pytest.fixture
def operations(opstore, clock):
    return Operations(opstore, clock=clock)


def step(cycle, key="acme.retention", **changes):
    return LoopStep(STUDY, cycle.cycle, key, 1, State.READ, State.EXTRACT, run_id="run-1", **changes)


# ── cycles ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_id_of_a_cycle_tells_its_time_and_sorts_by_it(operations, clock):
    first = operations.start_cycle(STUDY, PLAN, dagster_run_id="run-1", cause="schedule")
    assert first.cycle.startswith("20261130T164500Z-")
    same_second = operations.start_cycle(STUDY, PLAN)
    clock.seconds -= 3600  # the clock is set back
    last = operations.start_cycle(STUDY, PLAN)
    assert first.cycle < same_second.cycle < last.cycle
    assert operations.cycles(STUDY) == [first, same_second, last]
    assert operations.last_cycle(STUDY) == last


def test_an_unfinished_cycle_goes_on_only_under_the_plan_it_follows(operations):
    assert operations.unfinished_cycle(STUDY, PLAN) is None
    cycle = operations.start_cycle(STUDY, PLAN)
    assert operations.unfinished_cycle(STUDY, PLAN) == cycle
    assert operations.unfinished_cycle(STUDY, "pl_2") is None
    assert operations.unfinished_cycle("another", PLAN) is None


def test_a_cycle_that_has_ended_is_not_gone_on_with_until_it_is_opened_again(operations):
    cycle = operations.start_cycle(STUDY, PLAN)
    operations.request_stop(cycle.cycle, by="Ann")
    operations.finish_cycle(cycle.cycle, State.STOPPED, stop_reason="aborted")
    ended = operations.cycle(cycle.cycle)
    assert (ended.state, ended.stop_reason, ended.stop_requested_by, ended.finished) == (State.STOPPED, "aborted", "Ann", True)
    assert operations.unfinished_cycle(STUDY, PLAN) is None
    operations.reopen_cycle(cycle.cycle)
    assert operations.unfinished_cycle(STUDY, PLAN) == replace(cycle, state=State.DISCOVER)


def test_what_is_not_there_is_named(operations):
    with pytest.raises(UnknownName, match="'20200101T000000Z-0000'"):
        operations.cycle("20200101T000000Z-0000")
    with pytest.raises(UnknownName, match="no plan 'pl_9'"):
        operations.plan(STUDY, "pl_9")
    with pytest.raises(UnknownName, match="no cycle"):
        operations.record_steps([LoopStep(STUDY, "20200101T000000Z-0000", "", 0, State.PLAN, State.DISCOVER)])


# ── plans and approvals ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_plan_once_saved_stays_as_it_is(operations):
    operations.save_plan(STUDY, PLAN, plan={"question": "Wie lange?"})
    operations.save_plan(STUDY, PLAN, plan={"question": "another"})
    assert operations.plan(STUDY, PLAN) == {"question": "Wie lange?"}


def test_an_approval_belongs_to_one_plan_and_the_newest_decision_holds(operations, clock):
    given = operations.approve(STUDY, PLAN, by=" Ann ", note="fine", budget={"max_tokens": 300}, rounds=10)
    assert (given.approved_by, given.approved, given.budget, given.approved_at.tzinfo) == ("Ann", True, {"max_tokens": 300}, UTC)
    assert operations.approval_of(STUDY, PLAN) == given
    assert operations.approval_of(STUDY, "pl_2") is None
    assert operations.approval_of("another", PLAN) is None
    clock.seconds += 1
    operations.approve(STUDY, PLAN, by="Bob", approved=False)
    decision = operations.approval_of(STUDY, PLAN)
    assert (decision.approved, decision.approved_by) == (False, "Bob")
    assert len(operations.approvals(STUDY)) == 2


def test_rounds_that_were_granted_outlast_a_later_approval(operations, clock):
    operations.approve(STUDY, PLAN, by="Ann", rounds=10)
    clock.seconds += 1
    operations.approve(STUDY, PLAN, by="Ann")
    assert operations.approval_of(STUDY, PLAN).rounds_granted == 10


def test_nobody_approves_nothing(operations):
    with pytest.raises(InputError, match="--by NAME"):
        operations.approve(STUDY, PLAN, by="  ")
    assert operations.approvals(STUDY) == []


# ── the loop ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_steps_are_numbered_in_the_order_they_were_recorded(operations):
    cycle = operations.start_cycle(STUDY, PLAN)
    operations.record_steps([step(cycle), step(cycle, "acme.price", rule="answered", spent={"tokens": 3})])
    operations.record_steps([step(cycle)])
    recorded = operations.steps(cycle.cycle)
    assert [(item.step, item.sub_question_id, item.rule) for item in recorded] == [
        (1, "acme.retention", ""),
        (2, "acme.price", "answered"),
        (3, "acme.retention", ""),
    ]
    assert recorded[1].spent == {"tokens": 3}
    assert recorded[0].state is State.READ


def test_progress_is_kept_with_the_steps_that_led_to_it(operations):
    cycle = operations.start_cycle(STUDY, PLAN)
    progress = Progress(round=2, verified=("ev_1", "ev_2"), closed=True, rule="answered")
    operations.record_steps([step(cycle)], progress={"acme.retention": Progress(round=1), "acme.price": Progress(round=1)})
    operations.record_steps([step(cycle)], progress={"acme.retention": progress})
    assert operations.progress_of(cycle.cycle) == {"acme.retention": progress, "acme.price": Progress(round=1)}
    assert operations.progress_of("another") == {}


def test_progress_without_a_step_and_steps_of_two_cycles_are_refused(operations):
    cycle, other = operations.start_cycle(STUDY, PLAN), operations.start_cycle(STUDY, PLAN)
    operations.record_steps([])
    for steps, progress in (([], {"acme.retention": Progress(round=1)}), ([step(cycle), step(other)], None)):
        with pytest.raises(ValueError, match="one cycle at a time"):
            operations.record_steps(steps, progress=progress)
    assert operations.steps(cycle.cycle) == []


def test_threads_that_record_at_once_number_every_step_once(operations):
    cycle = operations.start_cycle(STUDY, PLAN)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: operations.record_steps([step(cycle, f"acme.q{number}")] * 2), range(20)))
    assert [item.step for item in operations.steps(cycle.cycle)] == list(range(1, 41))


def test_processes_that_open_a_new_store_at_once_all_find_it_ready(database, opstore):
    script = """
        import sys
        from resources.operations import Operations
        from resources.opstore import open_engine

        print(Operations(open_engine(sys.argv[1])).start_cycle("logs", "pl_1").cycle)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), database]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    minted = [process.communicate()[0].strip() for process in processes]
    assert [cycle.cycle for cycle in Operations(opstore).cycles(STUDY)] == sorted(minted)


def test_what_an_auditor_needs_is_copied_to_the_evidence_tables_once(operations, tmp_path):
    operations.approve(STUDY, PLAN, by="Ann", budget={"max_tokens": 300})
    operations.approve(STUDY, "pl_2", by="Ann")
    cycle = operations.start_cycle(STUDY, PLAN)
    operations.record_steps([step(cycle, spent={"tokens": 3})])
    warehouse = Warehouse(tmp_path / "evidence.duckdb")
    for _ in range(2):
        warehouse.copy_operations(operations.audit_rows(cycle.cycle))
    operations.record_steps([step(cycle)])
    warehouse.copy_operations(operations.audit_rows(cycle.cycle))
    approvals = warehouse.query("SELECT plan_id, approved_by, budget->>'max_tokens' AS tokens FROM approvals")
    assert approvals.to_numpy().tolist() == [[PLAN, "Ann", "300"]]
    steps = warehouse.query("SELECT step, revision, spent->>'tokens' AS tokens FROM loop_steps ORDER BY step")
    assert steps["step"].tolist() == [1, 2]
    assert steps["revision"].tolist() == [1, 1]
    assert steps["tokens"].tolist()[0] == "3"
