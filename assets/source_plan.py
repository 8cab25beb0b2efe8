"""source_plan: what is asked where, under which limits; it begins a cycle, or finds the one that is under way."""

# No postponed annotations here: Dagster reads those of a context, config and resource as they are.

import dagster as dg
from pydantic import Field

from assets.checks import check_results, check_specs
from assets.describing import described, key_of
from assets.failures import failure_of
from assets.opening import Services, changes_metadata, since_approval
from assets.previews import Shown, preview
from research_pipeline.auditing import budget_suffices, plan_covered
from research_pipeline.errors import ResearchError
from research_pipeline.planning import Forecast, SourcePlan, forecast
from resources.channels import ChannelResource
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from resources.operations import Cycle
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile, load_study
from resources.warehouse import STUDY_LEVEL, Snapshot

DESCRIPTION = """\
The study file, checked, as a plan with an id that is the hash of its content.

Materialising it reads the file anew. An unfinished cycle of the same plan goes on; otherwise a new cycle begins."""


CHECKED = ("plan_covered", "budget_suffices")


class PlanConfig(dg.Config):
    """How to begin."""

    new_cycle: bool = Field(default=False, description="Begin a new cycle even though the last one is unfinished.")
    cause: str = Field(default="a person in Dagster", description="Why the cycle begins; kept with it.")
    slot: str = Field(default="", description="The moment of the schedule that it is for; a slot has one cycle.")


def source_plan(file: StudyFile) -> dg.AssetsDefinition:
    """The asset of a study."""

    @dg.asset(
        **described(file, "source_plan", DESCRIPTION, kinds=("yaml",), work=begin_cycle, table="plans"),
        check_specs=check_specs(key_of(file.name, "source_plan"), CHECKED),
    )
    def source_plan(  # pyright: ignore[reportUnknownParameterType]  # beside checks Dagster takes the bare class alone
        context: dg.AssetExecutionContext,
        config: PlanConfig,
        research: ResearchHome,
        scraper: MrScraperResource,
        model: ModelResource,
        channels: ChannelResource,
    ) -> dg.MaterializeResult:  # pyright: ignore[reportMissingTypeArgument]  # as above
        try:
            plan = load_study(file.path).plan()
            stores = research.stores()
            # A model or channel that cannot be asked is refused before anything is paid.
            services = Services(scraper, model, channels)
            services.model_client(stores, plan)
            services.channel_client(stores, plan)
            cycle = begin_cycle(stores, plan, config, run_id=context.run.run_id)
        except ResearchError as error:
            raise failure_of(error) from error
        checks = check_results([plan_covered(plan), budget_suffices(plan)])
        metadata = {**_metadata(plan, cycle), **changes_metadata(since_approval(stores, plan))}
        return dg.MaterializeResult(metadata=metadata, check_results=checks, value=None)

    return source_plan


def begin_cycle(stores: Stores, plan: SourcePlan, config: PlanConfig, *, run_id: str) -> Cycle:
    """The cycle that follows the plan from here on, with the plan stored in it. A run that is tried again finds the cycle it began."""
    operations = stores.operations
    operations.save_plan(plan.study, plan.plan_id, plan=plan.model_dump(mode="json"))
    cycle = operations.cycle_of_run(plan.study, run_id)
    if cycle is None and not config.new_cycle:
        cycle = operations.unfinished_cycle(plan.study, plan.plan_id)
    if cycle is None:
        cycle = operations.start_cycle(plan.study, plan.plan_id, dagster_run_id=run_id, cause=config.cause, slot=config.slot)
    rows = [{"plan_id": plan.plan_id, "plan": plan.model_dump(mode="json")}]
    stores.warehouse.write([Snapshot("plans", plan.study, cycle.cycle, STUDY_LEVEL, 0, run_id, rows)])
    return cycle


def _metadata(plan: SourcePlan, cycle: Cycle) -> dict[str, Shown]:
    questions = ({"id": q.id, "question": q.text, "answer": q.answer.value} for q in plan.sub_questions)
    sources = ({"id": s.id, "where": s.place, "authority": s.authority.value, "answers": ", ".join(s.answers)} for s in plan.sources)
    return {
        "question": plan.question,
        "plan id": plan.plan_id,
        "cycle": cycle.cycle,
        "approval": plan.approval,
        **forecast_metadata(forecast(plan)),
        "sub-questions": preview(questions, ("id", "question", "answer")),
        "sources": preview(sources, ("id", "where", "authority", "answers")),
        "domains that may be read": ", ".join(plan.approved_domains),
        "limits": dg.MetadataValue.json(plan.limits.model_dump(mode="json")),
    }


def forecast_metadata(expected: Forecast) -> dict[str, Shown]:
    """What a cycle may cost, for a person who is to approve it."""
    return {
        "tokens likely": expected.tokens_likely,
        "tokens at most": expected.tokens_at_most,
        "pages at most": expected.pages_at_most,
        "maps": expected.discover_calls - expected.searches,
        "searches of channels": expected.searches,
    }
