"""From a study's name to a bench: which cycle, which plan, approved by whom; the guard that every partitioned asset passes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assets.bench import Bench
from research_pipeline.domains import is_loopback
from research_pipeline.errors import ApprovalMissing, UnknownName
from research_pipeline.ids import origin_of
from research_pipeline.loop import Progress, begin_round
from research_pipeline.planning import SourcePlan
from resources.calls import CallContext
from resources.embedded.rehearsing import read_rules
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from resources.operations import Approval, Cycle
from resources.stores import Stores
from resources.studies import StudyFile

if TYPE_CHECKING:
    from resources.models.client import ModelClient


@dataclass(frozen=True, slots=True)
class Footing:
    """What work on a study stands on: its current cycle and the plan that this follows, with the rounds that a person granted."""

    cycle: Cycle
    plan: SourcePlan
    rounds_granted: int = 0


def current_cycle(stores: Stores, study: str) -> Footing:
    """The newest cycle of a study.

    Raises:
        UnknownName: the study never ran.
    """
    cycle = stores.operations.last_cycle(study)
    if cycle is None:
        raise UnknownName(f"Study {study!r} has no cycle.", remedy="Materialise its `source_plan`, which begins one.")
    return Footing(cycle, SourcePlan.model_validate(stores.operations.plan(study, cycle.plan_id)))


def require_approval(stores: Stores, plan: SourcePlan) -> Approval:
    """The approval of a plan. Checks gate only the run they are part of, so every asset that spends money asks here.

    Raises:
        ApprovalMissing: nobody has approved the plan, or somebody has refused it.
    """
    approval = stores.operations.approval_of(plan.study, plan.plan_id)
    if approval is None:
        remedy = f"Materialise `plan_approval` with your name, or type `research approve {plan.study} --by NAME` (or the path of its file)."
        raise ApprovalMissing(f"Plan {plan.plan_id} of study {plan.study!r} waits for approval.", remedy=remedy)
    if not approval.approved:
        refused = (
            f"Plan {plan.plan_id} of study {plan.study!r} was refused by {approval.approved_by}: {approval.note or 'no reason given'}."
        )
        raise ApprovalMissing(refused, remedy="Change the study, then approve the new plan.")
    return approval


def guard(stores: Stores, study: str, keys: Iterable[str]) -> Footing:
    """The footing for work on some sub-questions.

    Raises:
        ApprovalMissing: the plan of the current cycle is not approved.
        UnknownName: there is no cycle, or its plan has no such sub-question.
    """
    footing = current_cycle(stores, study)
    approval = require_approval(stores, footing.plan)
    if dropped := [key for key in keys if key not in footing.plan.questions]:
        remedy = "Its history stays; choose a sub-question of the current plan."
        raise UnknownName(f"The current plan of study {study!r} does not ask {', '.join(dropped)}.", remedy=remedy)
    return replace(footing, rounds_granted=approval.rounds_granted)


ROUND_TAG = "research/round"  # of a run that does one round of one sub-question: which


def begun(stores: Stores, footing: Footing, keys: Iterable[str], *, at_round: int = 1) -> dict[str, Progress]:
    """How sub-questions stand in the round that they were last in; one that has not ended the round before `at_round` begins that."""
    known = stores.operations.progress_of(footing.cycle.cycle)
    standing = {key: known.get(key, Progress()) for key in keys}
    return {key: begin_round(item) if item.round < at_round else item for key, item in standing.items()}


REPORT_SHARE = 0.2  # of `max_model_cost_usd`, held back for the conclusions and the summary of the report


@dataclass(frozen=True, slots=True)
class Services:
    """Whom a stage may pay, as a deployment has set them."""

    scraper: MrScraperResource
    model: ModelResource

    def model_client(self, stores: Stores, plan: SourcePlan) -> AbstractAsyncContextManager[ModelClient | None]:
        """A client of the plan's model; nothing to be entered where it names none.

        Raises:
            ConfigurationError: the model cannot be asked here: the extra, a price or an address is missing.
        """
        if plan.model is None:
            return nullcontext()
        return self.model.client(plan.model, price=plan.model_price, ledger=stores.ledger, archive=stores.archive, throttle=stores.throttle)


@asynccontextmanager
async def bench_for(
    stores: Stores,
    services: Services,
    file: StudyFile,
    footing: Footing,
    *,
    progress: dict[str, Progress],
    run_id: str,
) -> AsyncGenerator[Bench]:
    """A bench, and a client that lives as long as it."""
    plan, cycle = footing.plan, footing.cycle
    connection = services.scraper.client(
        engine=plan.engine,
        ledger=stores.ledger,
        archive=stores.archive,
        throttle=stores.throttle,
        mounts=file.mounts,
        allowed_hosts=plan.approved.hosts,
        approved_loopback=frozenset(origin_of(source.start_url) for source in plan.sources if is_loopback(source.start_url)),
        rehearsals=stores.home.rehearsals / f"{cycle.cycle}.jsonl" if any(map(read_rules, file.mounts.values())) else None,
    )
    held_back = REPORT_SHARE * plan.limits.max_model_cost_usd if plan.model else 0.0
    async with connection as client, services.model_client(stores, plan) as model:
        context = CallContext(plan.study, cycle.cycle, "", limits=plan.limits, run_id=run_id)
        await client.open_cycle(context, report_reserve_usd=held_back)
        with stores.ledger.working(cycle.cycle):
            yield Bench(
                stores=stores,
                client=client,
                connected_model=model,
                plan=plan,
                cycle=cycle.cycle,
                run_id=run_id,
                today=cycle.started_at.date(),
                progress=progress,
                rounds_granted=footing.rounds_granted,
            )
