"""One partition per sub-question: the shape that the four stages between plan and report share as Dagster assets."""

# No postponed annotations here: Dagster reads those of a context, config and resource as they are.

import asyncio
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import dagster as dg
from dagster_shared.utils.warnings import PreviewWarning

from assets.bench import Check, Outcome, Stage
from assets.failures import failure_of
from assets.opening import ROUND_TAG, begun, bench_for, guard
from research_pipeline.errors import ResearchError
from resources.mrscraper import MrScraperResource
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile

OWNERS = ["team:research"]


@dataclass(frozen=True, slots=True)
class StageSpec:
    """A stage as an asset: its name and words, the asset before it, and its check with what it asserts."""

    name: str
    stage: Stage
    after: str
    description: str
    check: str
    check_description: str
    kinds: frozenset[str]


def key_of(study: str, asset: str) -> dg.AssetKey:
    """The key of a study's asset."""
    return dg.AssetKey([study, asset])


def partitions_of(study: str) -> dg.DynamicPartitionsDefinition:
    """The sub-questions of a study: they come with its plan, so they cannot be static."""
    return dg.DynamicPartitionsDefinition(name=study)


def check_spec(study: str, spec: StageSpec) -> dg.AssetCheckSpec:
    """The stage's check, with a status for each partition."""
    with warnings.catch_warnings():
        # Checks by partition are a preview in this Dagster; this is the one place that makes them.
        warnings.simplefilter("ignore", PreviewWarning)
        return dg.AssetCheckSpec(
            spec.check, asset=key_of(study, spec.name), description=spec.check_description, partitions_def=partitions_of(study)
        )


def stage_asset(file: StudyFile, spec: StageSpec) -> dg.AssetsDefinition:
    """The stage as an asset with one partition per sub-question."""

    @dg.asset(
        key=key_of(file.name, spec.name),
        deps=[key_of(file.name, spec.after)],
        partitions_def=partitions_of(file.name),
        group_name=file.name,
        description=spec.description,
        kinds=set(spec.kinds),
        owners=OWNERS,
        check_specs=[check_spec(file.name, spec)],
    )
    def stage(context: dg.AssetExecutionContext, research: ResearchHome, scraper: MrScraperResource) -> dg.MaterializeResult:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]  # beside checks Dagster takes the bare class alone
        key = context.partition_key
        try:
            outcome = _run_one(research.stores(), scraper, file, spec.stage, key=key, run=context.run)
        except ResearchError as error:
            raise failure_of(error) from error
        results = [check_result(spec.check, outcome.check)] if outcome.check else []
        return dg.MaterializeResult(metadata=outcome.metadata, check_results=results, value=None)

    return stage


def _run_one(stores: Stores, scraper: MrScraperResource, file: StudyFile, stage: Stage, *, key: str, run: dg.DagsterRun) -> Outcome:
    footing = guard(stores, file.name, [key])
    at_round = int(run.tags.get(ROUND_TAG, 1))

    async def work() -> Mapping[str, Outcome]:
        progress = begun(stores, footing, [key], at_round=at_round)
        async with bench_for(stores, scraper, file, footing, progress=progress, run_id=run.run_id) as bench:
            return await stage(bench, [key])

    with stores.leases.held(lease_name(file.name, key), holder=f"run {run.run_id[:8]}"):
        outcome = asyncio.run(work())[key]
    stores.copy_operations(footing.cycle.cycle)
    return outcome


def lease_name(study: str, key: str) -> str:
    """The lease that keeps two runs from working on one sub-question."""
    return f"{study}/{key}"


def check_result(name: str, check: Check) -> dg.AssetCheckResult:
    """A check that did not pass is a warning: what is missing is named in the report, and nothing wrong was printed."""
    return dg.AssetCheckResult(
        passed=check.passed,
        check_name=name,
        severity=dg.AssetCheckSeverity.WARN,
        description=check.advice,
        metadata={"what to do": check.advice},
    )
