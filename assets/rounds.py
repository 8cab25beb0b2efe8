"""A grouped run: one round of many sub-questions in one Dagster run, logged as the materialisation of each partition.

A run per sub-question costs about two seconds of processor time, a grouped one a few hundredths. Ranges of partitions are no way
out: over dynamic keys they follow the order of insertion and may silently run nothing. So the run takes its keys from its config.
"""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
# No postponed annotations here: Dagster reads those of a context, config and resource as they are.

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import dagster as dg
from pydantic import Field

from assets.bench import log
from assets.discovered_urls import DISCOVERED_URLS
from assets.extracted_evidence import EXTRACTED_EVIDENCE
from assets.failures import failure_of
from assets.falling import Aside
from assets.fetched_pages import FETCHED_PAGES
from assets.flowing import flow
from assets.opening import Footing, Services, begun, bench_for, guard
from assets.partitioned import lease_name
from assets.resolved_findings import RESOLVED_FINDINGS
from assets.telling import Teller
from research_pipeline.errors import ResearchError
from research_pipeline.loop import Progress, begin_round
from resources.channels import ChannelResource
from resources.dagster_home import POOL
from resources.leases import Lease
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile

STAGES = (DISCOVERED_URLS, FETCHED_PAGES, EXTRACTED_EVIDENCE, RESOLVED_FINDINGS)


class RoundConfig(dg.Config):
    """Which sub-questions, and which part of a round."""

    keys: list[str] = Field(description="Sub-question ids.")
    next_round: bool = Field(default=True, description="Begin each one's next round; else do the present one over.")
    read_on: bool = Field(default=False, description="Grant one round more than the limits do.")
    stages: list[str] = Field(default=[], description="Names of the stages to do; empty: all.")
    cycle: str = Field(default="", description="The cycle that is meant; in another one nothing is done. Empty: whichever is current.")
    round: int = Field(
        default=0, description="The round that is meant; sub-questions that have ended it are left out. 0: whichever is next."
    )


def round_job(file: StudyFile, resources: Mapping[str, dg.ConfigurableResource[Any]]) -> dg.JobDefinition:
    """The grouped run of a study, as a job with its resources: a sensor that starts it would otherwise be made twice."""

    @dg.op(name=f"{file.name}__round", pool=POOL, description="One round of the named sub-questions.")
    def work(
        context: dg.OpExecutionContext,
        config: RoundConfig,
        research: ResearchHome,
        scraper: MrScraperResource,
        model: ModelResource,
        channels: ChannelResource,
    ) -> None:
        stores = research.stores()
        try:
            footing = guard(stores, file.name)
            wanted = still_wanted(stores, footing, config)
            names = [lease_name(file.name, key) for key in wanted]
            with stores.leases.held_free(*names, holder=f"run {context.run.run_id[:8]}") as lease:
                keys = [key for key in wanted if lease_name(file.name, key) in lease.names]
                if busy := sorted(set(wanted) - set(keys)):
                    log.info("%d sub-question(s) are being worked on by another run: %s", len(busy), ", ".join(busy))
                services = Services(scraper, model, channels)
                let_go = partial(_let_go, stores, lease, file.name)
                asyncio.run(_round(context, stores, services, file, footing, config, keys=keys, let_go=let_go))
            stores.copy_operations(footing.cycle.cycle)
        except ResearchError as error:
            raise failure_of(error) from error

    @dg.job(
        name=f"{file.name}_round",
        description="One round of many sub-questions in one run.",
        tags={"study": file.name},
        resource_defs=resources,
    )
    def job() -> None:
        work()

    return job


def still_wanted(stores: Stores, footing: Footing, config: RoundConfig) -> list[str]:
    """The sub-questions of a config that there is work for. One that the plan has dropped, or that has meanwhile ended the round that is
    meant, is none of them: a run may start long after it was asked for."""
    if config.cycle not in ("", footing.cycle.cycle):
        log.info("Nothing to do: cycle %s was meant, and the current one is %s", config.cycle, footing.cycle.cycle)
        return []
    if dropped := [key for key in config.keys if key not in footing.plan.questions]:
        log.info("%d sub-question(s) are left out, since the current plan no longer asks them: %s", len(dropped), ", ".join(dropped))
    progress = stores.operations.progress_of(footing.cycle.cycle)
    ended = {key for key, item in progress.items() if config.round and item.round >= config.round}
    return [key for key in config.keys if key in footing.plan.questions and key not in ended]


async def _round(
    context: dg.OpExecutionContext,
    stores: Stores,
    services: Services,
    file: StudyFile,
    footing: Footing,
    config: RoundConfig,
    *,
    keys: Sequence[str],
    let_go: Callable[[str], None],
) -> None:
    if config.next_round:
        known = stores.operations.progress_of(footing.cycle.cycle)
        progress = {key: begin_round(known.get(key, Progress()), read_on=config.read_on) for key in keys}
    else:
        progress = begun(stores, footing, keys)
    chosen = [spec for spec in STAGES if not config.stages or spec.name in config.stages]
    async with bench_for(stores, services, file, footing, progress=progress, run_id=context.run.run_id) as bench:
        teller = Teller(context, file.name)
        telling, aside = asyncio.create_task(teller.work()), Aside(let_go)
        try:
            await flow(chosen, bench, keys, tell=teller.tell, aside=aside)
        finally:
            teller.end()
            await asyncio.gather(telling, aside.settled())


def _let_go(stores: Stores, lease: Lease, study: str, key: str) -> None:
    stores.leases.let_go(lease, lease_name(study, key))
