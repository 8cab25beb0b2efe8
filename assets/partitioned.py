"""One partition per sub-question: the shape that the four stages between plan and report share as Dagster assets."""

# No postponed annotations here: Dagster reads those of a context, config and resource as they are.

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import dagster as dg

from assets.bench import Arriving, Outcome, Stage
from assets.checks import check_results, check_specs
from assets.describing import described, key_of
from assets.failures import failure_of
from assets.opening import ROUND_TAG, Services, begun, bench_for, guard
from research_pipeline.auditing import Check
from research_pipeline.errors import ResearchError
from resources.channels import ChannelResource
from resources.dagster_home import POOL
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile

KINDS = ("python", "duckdb")

_DROPPED = "The current plan no longer asks this, so nothing was done. What was found before stays."


@dataclass(frozen=True, slots=True)
class StageSpec:
    """A stage as an asset: its name and words, the asset before it, the table it writes, and the names of its checks.

    `arriving` is the stage for a grouped run, where it waits for replies. `together`: it weighs the sub-questions of a round against each
    other, so that it begins when all have come to it.
    """

    name: str
    stage: Stage
    after: str
    description: str
    table: str
    checks: tuple[str, ...]
    arriving: Arriving | None = None
    together: bool = False


def partitions_of(study: str) -> dg.DynamicPartitionsDefinition:
    """The sub-questions of a study: they come with its plan, so they cannot be static."""
    return dg.DynamicPartitionsDefinition(name=study)


def stage_asset(file: StudyFile, spec: StageSpec) -> dg.AssetsDefinition:
    """The stage as an asset with one partition per sub-question."""

    @dg.asset(
        **described(file, spec.name, spec.description, kinds=KINDS, work=spec.stage, table=spec.table),
        deps=[key_of(file.name, spec.after)],
        partitions_def=partitions_of(file.name),
        check_specs=check_specs(key_of(file.name, spec.name), spec.checks, partitions=partitions_of(file.name)),
        pool=POOL,
    )
    def stage(  # pyright: ignore[reportUnknownParameterType]  # beside checks Dagster takes the bare class alone
        context: dg.AssetExecutionContext,
        research: ResearchHome,
        scraper: MrScraperResource,
        model: ModelResource,
        channels: ChannelResource,
    ) -> dg.MaterializeResult:  # pyright: ignore[reportMissingTypeArgument]  # as above
        key = context.partition_key
        try:
            outcome = _run_one(research.stores(), Services(scraper, model, channels), file, spec, key=key, run=context.run)
        except ResearchError as error:
            raise failure_of(error) from error
        return dg.MaterializeResult(metadata=outcome.metadata, check_results=check_results(outcome.checks), value=None)

    return stage


def _run_one(stores: Stores, services: Services, file: StudyFile, spec: StageSpec, *, key: str, run: dg.DagsterRun) -> Outcome:
    footing = guard(stores, file.name)
    if key not in footing.plan.questions:
        return Outcome({"skipped": _DROPPED}, [Check(name, passed=True, advice=_DROPPED) for name in spec.checks])
    at_round = int(run.tags.get(ROUND_TAG, 1))

    async def work() -> Mapping[str, Outcome]:
        progress = begun(stores, footing, [key], at_round=at_round)
        async with bench_for(stores, services, file, footing, progress=progress, run_id=run.run_id) as bench:
            return await spec.stage(bench, [key])

    with stores.leases.held(lease_name(file.name, key), holder=f"run {run.run_id[:8]}"):
        outcome = asyncio.run(work())[key]
    stores.copy_operations(footing.cycle.cycle)
    return outcome


def lease_name(study: str, key: str) -> str:
    """The lease that keeps two runs from working on one sub-question."""
    return f"{study}/{key}"
