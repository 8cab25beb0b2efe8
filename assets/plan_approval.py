"""plan_approval: who approved the plan, when, and what it may cost; nothing is spent before."""

# No postponed annotations here: Dagster reads those of a context, config and resource as they are.

from collections.abc import Mapping

import dagster as dg
from pydantic import Field

from assets.bench import opening_event
from assets.describing import described, key_of
from assets.failures import failure_of
from assets.opening import Footing, changes_metadata, current_cycle, require_approval, since_approval
from assets.previews import Shown
from research_pipeline.errors import ApprovalMissing, ResearchError
from research_pipeline.loop import State
from research_pipeline.planning import forecast
from resources.operations import Approval, LoopStep
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile
from resources.warehouse import STUDY_LEVEL

DESCRIPTION = """\
The approval of the current plan, bound to its hash: person, time, note and budget.

Where the study says `approval: required`, a person materialises this asset with their name in the run config
(`by`), or types `research approve`. Where it says `automatic`, that is what gets recorded. With the approval the sub-questions
become partitions."""


class ApprovalConfig(dg.Config):
    """Who approves, and what."""

    by: str = Field(default="", description="Your name. Needed where the study requires approval.")
    note: str = Field(default="", description="What a reader of the audit should know.")
    rounds: int = Field(default=0, ge=0, description="Rounds granted beyond the study's limit.")
    refuse: bool = Field(default=False, description="Refuse the plan instead; nothing of it will run.")
    plan_id: str = Field(default="", description="The plan that you looked at; another one is not approved. Empty: the current one.")


def plan_approval(file: StudyFile) -> dg.AssetsDefinition:
    """The asset of a study."""

    @dg.asset(
        **described(file, "plan_approval", DESCRIPTION, kinds=("python",), work=decide, table="approvals"),
        deps=[key_of(file.name, "source_plan")],
    )
    def plan_approval(context: dg.AssetExecutionContext, config: ApprovalConfig, research: ResearchHome) -> dg.MaterializeResult[None]:
        stores = research.stores()
        try:
            footing = current_cycle(stores, file.name)
            _refuse_what_no_person_gives(config, context.run.tags)
            since = since_approval(stores, footing.plan)
            approval = decide(stores, footing, config, run_id=context.run.run_id)
        except ResearchError as error:
            raise failure_of(error) from error
        context.instance.add_dynamic_partitions(file.name, list(footing.plan.questions))
        return dg.MaterializeResult(metadata={**_metadata(approval, footing), **changes_metadata(since)}, value=None)

    return plan_approval


def _refuse_what_no_person_gives(config: ApprovalConfig, tags: Mapping[str, str]) -> None:
    """A name in the config of a run that the deployment itself started is nobody's signature."""
    starter = next((f"{tag.removeprefix('dagster/')} {tags[tag]}" for tag in _STARTED_BY_ITSELF if tag in tags), "")
    if config.by and starter:
        raise ApprovalMissing(
            f"{config.by} did not start this run ({starter}), and an approval is given by a person.",
            remedy="Materialise `plan_approval` yourself, or type `research approve`.",
        )


# Tags of Dagster's own: what started a run where no person did.
_STARTED_BY_ITSELF = (
    "dagster/sensor_name",
    "dagster/schedule_name",
    "dagster/from_automation_condition",
    "dagster/auto_materialize",
    "dagster/retry_number",
)


def decide(stores: Stores, footing: Footing, config: ApprovalConfig, *, run_id: str) -> Approval:
    """Record what was decided on the plan of the current cycle, or find it decided.

    Raises:
        ApprovalMissing: a person is needed and none is named, or the decision is a refusal.
    """
    plan, operations = footing.plan, stores.operations
    if config.plan_id not in ("", plan.plan_id):
        raise ApprovalMissing(
            f"Plan {config.plan_id} is not the current one of study {plan.study!r}, which is {plan.plan_id}.",
            remedy="Look at that, then approve it.",
        )
    standing = operations.approval_of(plan.study, plan.plan_id)
    if config.by or (plan.approval == "automatic" and standing is None):
        limits = plan.limits.model_dump(mode="json")
        operations.approve(
            plan.study,
            plan.plan_id,
            by=config.by or "automatic",
            note=config.note,
            budget={key: value for key, value in limits.items() if key.startswith("max_")},
            approved=not config.refuse,
            automatic=not config.by,
            rounds=config.rounds,
            run_id=run_id,
        )
    approval = require_approval(stores, plan)
    if footing.cycle.state is State.PLAN:
        step = LoopStep(plan.study, footing.cycle.cycle, STUDY_LEVEL, 0, State.PLAN, State.DISCOVER, "approved", {}, run_id)
        operations.record_steps([step], events=[opening_event(plan)])
        operations.set_state(footing.cycle.cycle, State.DISCOVER)
    stores.copy_operations(footing.cycle.cycle)
    return approval


def _metadata(approval: Approval, footing: Footing) -> dict[str, Shown]:
    expected = forecast(footing.plan)
    return {
        "plan id": approval.plan_id,
        "approved by": approval.approved_by,
        "approved at": approval.approved_at.isoformat(timespec="seconds"),
        "note": approval.note or "–",
        "tokens at most": expected.tokens_at_most,
        "pages at most": expected.pages_at_most,
        "sources": "; ".join(source.place for source in footing.plan.sources),
        "sub-questions": len(footing.plan.sub_questions),
        "budget": dg.MetadataValue.json(dict(approval.budget)),
    }
