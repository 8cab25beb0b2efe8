"""Sub-questions that a fault kept from ending their round: which they are, and how the cycle goes on without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assets.opening import Footing
from research_pipeline.limits import StopRule
from research_pipeline.loop import Action, Progress, State
from research_pipeline.loop_state import evaluated
from research_pipeline.records import Finding, FindingStatus, GapKind
from resources.operations import LoopStep
from resources.record_tables import finding_rows
from resources.stores import Stores
from resources.warehouse import Snapshot


def fallen(stores: Stores, footing: Footing, keys: Sequence[str], *, run_id: str) -> list[str]:
    """Which of the sub-questions that a grouped run took on did not end their round in it.

    One that another run works on at the same time is among them: its own run waits for the other's lease, and then tells.
    """
    steps = stores.operations.steps(footing.cycle.cycle)
    ended = {step.sub_question_id for step in steps if step.run_id == run_id and step.state is State.EVALUATE}
    return [key for key in keys if key not in ended]


def give_up(stores: Stores, footing: Footing, key: str, *, reason: str, run_id: str) -> None:
    """Close a sub-question whose own run failed too: a gap of infrastructure, which is evidence of nothing."""
    plan, cycle = footing.plan, footing.cycle.cycle
    question = plan.questions[key]
    finding = Finding(
        key,
        question.vendor,
        question.text,
        status=FindingStatus.GAP,
        gap_kind=GapKind.FAILED,
        stop_reason=StopRule.FAULT,
        note=f"{StopRule.FAULT.explanation} {reason}",
    )
    known = stores.operations.progress_of(cycle).get(key, Progress())
    ended = replace(known, closed=True, action=Action.FINALIZE.value, rule=StopRule.FAULT.value, status=finding.status.value)
    stores.warehouse.write([Snapshot("findings", plan.study, cycle, key, known.round, run_id, finding_rows([finding]))])
    step = LoopStep(plan.study, cycle, key, known.round, State.EVALUATE, State.REPORT, StopRule.FAULT.value, {}, run_id)
    known_questions = stores.loop.state(cycle).questions
    events = [evaluated(key, ended, evidence=[])] if known_questions else []
    stores.operations.record_steps([step], progress={key: ended}, events=events)
