"""What there is to see of a study at one moment, gathered from the stores and from Dagster for `research_pipeline.moving`."""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg

from assets.opening import Footing, current_cycle, cycle_lease
from research_pipeline.limits import StopRule
from research_pipeline.loop import State
from research_pipeline.moving import Situation
from research_pipeline.runs import attempts, under_way
from resources.operations import LoopStep
from resources.stores import Stores

DRIVER = "the driver sensor"
"""The holder of a cycle's lease in a deployment."""


def situation_of(stores: Stores, instance: dg.DagsterInstance, study: str, *, seen: str = "") -> Situation:
    """The situation of a study."""
    if stores.operations.last_cycle(study) is None:
        return Situation()
    footing = current_cycle(stores, study)
    plan, cycle = footing.plan, footing.cycle
    decision = stores.operations.approval_of(study, plan.plan_id)
    steps = stores.operations.newest_steps(cycle.cycle)
    return Situation(
        cycle=cycle.cycle,
        plan_id=plan.plan_id,
        finished=cycle.finished,
        aborted=_is_aborted(stores, footing),
        required=plan.approval == "required",
        approved=decision.approved if decision else None,
        held_by=stores.leases.holder_of(cycle_lease(study), besides=DRIVER) or "",
        busy=under_way(instance, study),
        questions=tuple(plan.questions),
        limits=plan.limits,
        granted=decision.rounds_granted if decision else 0,
        progress=stores.operations.progress_of(cycle.cycle),
        attempts=attempts(instance, study, cycle.cycle),
        evaluated=max((step.step for step in steps if step.state is State.EVALUATE), default=0),
        reported=max((_known(step) for step in steps if step.state is State.REPORT), default=-1),
        behind=_behind(steps),
        seen=seen,
    )


def _is_aborted(stores: Stores, footing: Footing) -> bool:
    if footing.cycle.stop_requested_by or footing.cycle.finished:
        return bool(footing.cycle.stop_requested_by)
    budget = stores.ledger.open_cycle(footing.cycle.cycle, footing.plan.study, limits=footing.plan.limits)
    return budget.stop_rule is StopRule.ABORTED


def _known(step: LoopStep) -> int:
    """The newest step of the cycle that a report took into account."""
    return int(step.spent.get("steps_known", step.step))


def _behind(steps: Sequence[LoopStep]) -> dict[str, int]:
    """Sub-questions whose pages or evidence are newer than their findings, with the step that made them so."""
    judged = {step.sub_question_id: step.step for step in steps if step.state is State.EVALUATE}
    made = {step.sub_question_id: step.step for step in steps if step.state in (State.READ, State.EXTRACT)}
    return {key: step for key, step in made.items() if step > judged.get(key, step)}
