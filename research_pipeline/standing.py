"""Where a study stands: its cycle, what was spent, and how far each sub-question is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assets.opening import Footing, current_cycle
from research_pipeline.limits import StopRule
from research_pipeline.loop import Progress
from research_pipeline.records import PageStatus
from resources.operations import Approval, Cycle
from resources.stores import Stores


@dataclass(frozen=True, slots=True)
class Failed:
    """What came to nothing for a sub-question and would be tried again: pages, maps of its sources, or its own run by a fault."""

    pages: int = 0
    maps: bool = False
    fault: bool = False

    def __bool__(self) -> bool:
        """Whether anything did."""
        return bool(self.pages or self.maps or self.fault)

    def __str__(self) -> str:
        parts = [f"{self.pages} page(s)" * bool(self.pages), "map" * self.maps, "fault" * self.fault]
        return ", ".join(filter(None, parts)) or "–"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one sub-question stands in a cycle."""

    sub_question_id: str
    state: str
    round: int
    status: str
    rule: str
    answer: str
    failed: Failed


@dataclass(frozen=True, slots=True)
class Status:
    """Where a study stands."""

    study: str
    cycle: Cycle | None
    approval: Approval | None
    driven_by: str
    spent: Mapping[str, float]
    warnings: Sequence[str]
    sub_questions: Sequence[Standing]


def status_of(stores: Stores, study: str, *, driven_by: str) -> Status:
    """Where a study stands; one that never ran has no cycle."""
    if stores.operations.last_cycle(study) is None:
        return Status(study, None, None, driven_by, {}, (), ())
    footing = current_cycle(stores, study)
    return Status(
        study,
        footing.cycle,
        stores.operations.approval_of(study, footing.plan.plan_id),
        driven_by,
        _spent(stores, footing),
        tuple(warning.message for warning in stores.ledger.warnings(footing.cycle.cycle)),
        _standings(stores, footing),
    )


def failed_of(stores: Stores, footing: Footing) -> dict[str, Failed]:
    """What failed for each sub-question of the plan."""
    plan, cycle = footing.plan, footing.cycle.cycle
    pages = stores.warehouse.read_pages(plan.study, cycle)
    unmapped = stores.ledger.failed_maps(cycle)
    progress = stores.operations.progress_of(cycle)
    return {
        key: Failed(
            pages=sum(page.status is PageStatus.FAILED for page in pages.get(key, ())),
            maps=plan.has_source_in(unmapped, key=key),
            fault=progress.get(key, Progress()).rule == StopRule.FAULT,
        )
        for key in plan.questions
    }


def _spent(stores: Stores, footing: Footing) -> dict[str, float]:
    spent = stores.ledger.open_cycle(footing.cycle.cycle, footing.plan.study, limits=footing.plan.limits).spent
    limits = footing.plan.limits
    return {
        "tokens": spent.tokens,
        "tokens_reserved": spent.tokens_reserved,
        "max_tokens": limits.max_tokens,
        "pages": spent.pages,
        "max_pages": limits.max_pages,
        "discover_calls": spent.discover_calls,
        "max_discover_calls": limits.max_discover_calls,
        "steps": spent.steps,
        "max_steps": limits.max_steps,
        "seconds": round(spent.seconds, 1),
        "max_seconds": limits.max_seconds,
    }


def _standings(stores: Stores, footing: Footing) -> list[Standing]:
    study, cycle = footing.plan.study, footing.cycle.cycle
    progress = stores.operations.progress_of(cycle)
    findings = stores.warehouse.read_findings(study, cycle)
    failed = failed_of(stores, footing)
    latest = {step.sub_question_id: step for step in stores.operations.steps(cycle)}
    rows: list[Standing] = []
    for key in footing.plan.questions:
        known = progress.get(key, Progress())
        finding = findings[key][-1] if findings.get(key) else None
        state = latest[key].next_state.value if key in latest else footing.cycle.state.value
        rows.append(Standing(key, state, known.round, known.status, known.rule, (finding.answer or "") if finding else "", failed[key]))
    return rows
