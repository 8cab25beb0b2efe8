"""From a study's name to a bench: which cycle, which plan, approved by whom; the guard that every partitioned asset passes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assets.bench import Bench
from assets.previews import Shown, preview
from research_pipeline.domains import is_loopback
from research_pipeline.errors import ApprovalMissing, UnknownName
from research_pipeline.ids import origin_of
from research_pipeline.loop import Progress, begin_round
from research_pipeline.plan_changes import plan_changes
from research_pipeline.planning import SourcePlan
from resources.calls import CallContext
from resources.channel_client import ChannelClient
from resources.channels import ChannelResource
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
    """The newest cycle of a study, with the gaps that were added to its plan on the way.

    Raises:
        UnknownName: the study never ran.
    """
    cycle = stores.operations.last_cycle(study)
    if cycle is None:
        raise UnknownName(f"Study {study!r} has no cycle.", remedy="Materialise its `source_plan`, which begins one.")
    plan = SourcePlan.model_validate(stores.operations.plan(study, cycle.plan_id))
    return Footing(cycle, plan.with_questions(stores.loop.state(cycle.cycle).added.values()))


@dataclass(frozen=True, slots=True)
class Changes:
    """How a plan differs from the one that was approved last."""

    approval: Approval
    lines: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Both, for a message."""
        return f"Since plan {self.approval.plan_id}, which {self.approval.approved_by} approved: {'; '.join(self.lines)}."


def changes_metadata(since: Changes | None) -> dict[str, Shown]:
    """What is new to whoever approved the last plan; nothing where there is none, or nothing new."""
    if since is None:
        return {}
    before = f"{since.approval.plan_id}, approved by {since.approval.approved_by}"
    return {"changed since": before, "changes": preview(({"change": line} for line in since.lines), ("change",))}


def since_approval(stores: Stores, plan: SourcePlan) -> Changes | None:
    """What changed since the last plan of the study that was approved; None where none was, or it is this one."""
    approved = [item for item in stores.operations.approvals(plan.study) if item.approved]
    if not approved or approved[-1].plan_id == plan.plan_id:
        return None
    old = SourcePlan.model_validate(stores.operations.plan(plan.study, approved[-1].plan_id))
    return Changes(approved[-1], plan_changes(old, plan))


def require_approval(stores: Stores, plan: SourcePlan) -> Approval:
    """The approval of a plan. Checks gate only the run they are part of, so every asset that spends money asks here.

    Raises:
        ApprovalMissing: nobody has approved the plan, or somebody has refused it.
    """
    approval = stores.operations.approval_of(plan.study, plan.plan_id)
    if approval is None:
        remedy = f"Materialise `plan_approval` with your name, or type `research approve {plan.study} --by NAME` (or the path of its file)."
        since = since_approval(stores, plan)
        changed = f" {since.sentence}" if since else ""
        raise ApprovalMissing(f"Plan {plan.plan_id} of study {plan.study!r} waits for approval.{changed}", remedy=remedy)
    if not approval.approved:
        refused = (
            f"Plan {plan.plan_id} of study {plan.study!r} was refused by {approval.approved_by}: {approval.note or 'no reason given'}."
        )
        raise ApprovalMissing(refused, remedy="Change the study, then approve the new plan.")
    return approval


def guard(stores: Stores, study: str) -> Footing:
    """The footing for work on sub-questions. Which of them the plan still asks, says `Footing.plan`.

    Raises:
        ApprovalMissing: the plan of the current cycle is not approved.
        UnknownName: there is no cycle.
    """
    footing = current_cycle(stores, study)
    approval = require_approval(stores, footing.plan)
    return replace(footing, rounds_granted=approval.rounds_granted)


def cycle_lease(study: str) -> str:
    """The lease of whoever drives a study's cycle."""
    return f"study {study}"


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
    channels: ChannelResource

    def channel_client(self, stores: Stores, plan: SourcePlan) -> AbstractAsyncContextManager[ChannelClient | None]:
        """A client of the plan's channels; nothing to be entered where it names none.

        Raises:
            ConfigurationError: a channel cannot be asked here.
        """
        return self.channels.client(plan.channels, ledger=stores.ledger, archive=stores.archive, throttle=stores.throttle)

    def model_client(self, stores: Stores, plan: SourcePlan) -> AbstractAsyncContextManager[ModelClient | None]:
        """A client of the plan's model; nothing to be entered where it names none.

        Raises:
            ConfigurationError: the model cannot be asked here: the extra, a price or an address is missing.
        """
        if plan.model is None:
            return nullcontext()
        return self.model.client(plan.model, price=plan.model_price, ledger=stores.ledger, archive=stores.archive, throttle=stores.throttle)


def _rehearses(file: StudyFile) -> bool:
    """Whether a folder that is served as a site has rules for how it misbehaves."""
    if not file.mounts:
        return False
    from resources.embedded.rehearsing import read_rules  # the engine with it, which only such a study needs

    return any(map(read_rules, file.mounts.values()))


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
        approved_loopback=frozenset(_loopback_origins(plan)),
        rehearsals=stores.home.rehearsals / f"{cycle.cycle}.jsonl" if _rehearses(file) else None,
    )
    held_back = REPORT_SHARE * plan.limits.max_model_cost_usd if plan.model else 0.0
    channels = services.channel_client(stores, plan)
    async with connection as client, services.model_client(stores, plan) as model, channels as searcher:
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
                connected_channels=searcher,
            )


def _loopback_origins(plan: SourcePlan) -> Iterator[str]:
    """Where this machine is read, since a source lies there."""
    for source in plan.sources:
        starts = [f"http://{host}/" for host in plan.hosts_of(source)] if source.channel else [source.start_url]
        yield from (origin_of(start) for start in starts if is_loopback(start))
