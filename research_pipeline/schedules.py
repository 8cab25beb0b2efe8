"""The schedule of a study: a slot begins one cycle, unless the last one stands in its way."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
# No postponed annotations here: Dagster reads those of a context and of resources as they are.

from datetime import UTC

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition  # dg exports no name for it

from research_pipeline.errors import InputError
from research_pipeline.moving import in_the_way
from research_pipeline.runs import under_way
from research_pipeline.situations import situation_of
from research_pipeline.study import Schedule
from resources.stores import ResearchHome
from resources.studies import StudyFile, load_study

DESCRIPTION = """\
Begins a cycle for each slot, one at most: a slot that comes twice, and a run that is tried again, find the cycle that it has.

While the last cycle is under way, or the same plan still waits for approval, a slot is skipped, and its tick says why. A slot that falls
into the hour that a clock change leaves out comes at the end of that hour; one in the hour that comes twice, in its second one, alone."""


def plan_schedule(file: StudyFile, schedule: Schedule, job: UnresolvedAssetJobDefinition) -> dg.ScheduleDefinition:
    """The schedule that a study's file states, on by default."""

    @dg.schedule(
        name=f"{file.name}_schedule",
        description=DESCRIPTION,
        job=job,
        cron_schedule=schedule.cron,
        execution_timezone=schedule.timezone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
    )
    def begin(context: dg.ScheduleEvaluationContext, research: ResearchHome) -> dg.RunRequest | dg.SkipReason:
        slot = context.scheduled_execution_time.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")
        if reason := _why_not(context.instance, research, file):
            return dg.SkipReason(f"Slot {slot}: {reason}")
        config = {"new_cycle": True, "cause": f"schedule, slot {slot}", "slot": slot}
        return dg.RunRequest(run_key=slot, run_config={"ops": {f"{file.name}__source_plan": {"config": config}}}, tags={"slot": slot})

    return begin


def _why_not(instance: dg.DagsterInstance, research: ResearchHome, file: StudyFile) -> str:
    planning = [run for run in under_way(instance, file.name) if run.startswith(f"{file.name}_plan ")]
    if planning:
        return f"{planning[0]} is still under way, so this slot is skipped; the next one asks again."
    try:
        plan = load_study(file.path).plan()
    except InputError as error:
        return f"the study file cannot be used. {error}"
    return in_the_way(situation_of(research.stores(), instance, file.name), plan.plan_id)
