"""Where a study stands: its cycle, what was spent, and how far each sub-question is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assets.opening import Footing, current_cycle
from research_pipeline.loop import Progress
from research_pipeline.records import PageStatus
from resources.operations import Approval, Cycle
from resources.stores import Stores


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one sub-question stands in a cycle."""

    sub_question_id: str
    state: str
    round: int
    status: str
    rule: str
    answer: str
    failed_pages: int


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


def failed_pages(stores: Stores, footing: Footing) -> dict[str, int]:
    """How many pages of each sub-question failed, and would be asked for again."""
    pages = stores.warehouse.read_pages(footing.plan.study, footing.cycle.cycle)
    return {key: sum(page.status is PageStatus.FAILED for page in pages.get(key, ())) for key in footing.plan.questions}


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
    failed = failed_pages(stores, footing)
    latest = {step.sub_question_id: step for step in stores.operations.steps(cycle)}
    rows: list[Standing] = []
    for key in footing.plan.questions:
        known = progress.get(key, Progress())
        finding = findings[key][-1] if findings.get(key) else None
        state = latest[key].next_state.value if key in latest else footing.cycle.state.value
        rows.append(Standing(key, state, known.round, known.status, known.rule, (finding.answer or "") if finding else "", failed[key]))
    return rows
