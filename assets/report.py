"""report: the cycle's findings, cited and checked, as Markdown, HTML and JSON."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
# No postponed annotations here: Dagster reads those of a context, config and resource as they are.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

import dagster as dg

from assets.bench import read_archived
from assets.checks import check_results, check_specs
from assets.concluding import concluded
from assets.describing import described, key_of
from assets.failures import failure_of
from assets.opening import Footing, Services, current_cycle
from assets.previews import Shown, document, preview
from research_pipeline.auditing import Check, all_asked, budget_kept, conclusions_supported, quotes_stand
from research_pipeline.errors import ResearchError
from research_pipeline.limits import Spent, StopRule
from research_pipeline.loop import State
from research_pipeline.loop_state import EventKind, LoopEvent
from research_pipeline.records import Evidence, Finding
from research_pipeline.reporting.archived import archived_pages
from research_pipeline.reporting.building import ReportInput, build
from research_pipeline.reporting.html import to_html
from research_pipeline.reporting.markdown import to_markdown
from research_pipeline.reporting.report import Approval, PaidCall, Provenance, Report, Spend, to_json
from resources.calls import CallRow
from resources.channels import ChannelResource
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from resources.operations import LoopStep
from resources.report_files import write_report
from resources.stores import ResearchHome, Stores
from resources.studies import StudyFile
from resources.warehouse import STUDY_LEVEL, Snapshot

DESCRIPTION = """\
What the cycle found, with the quote, page and time behind every answer; what it did not find, and why.

It goes by the current plan: a sub-question without a finding is reported as not asked. Each materialisation is a new revision."""

CHECKED = ("all_asked", "conclusions_supported", "quotes_stand", "budget_kept")

_SHAPING_LIBRARIES = ("evidence-research-pipeline", "selectolax", "regex", "rapidfuzz")


def report(file: StudyFile) -> dg.AssetsDefinition:
    """The asset of a study."""

    @dg.asset(
        **described(file, "report", DESCRIPTION, kinds=("markdown", "json"), work=write, table="reports"),
        deps=[dg.AssetDep(key_of(file.name, "resolved_findings"), partition_mapping=dg.AllPartitionMapping())],
        check_specs=check_specs(key_of(file.name, "report"), CHECKED),
    )
    def report(  # pyright: ignore[reportUnknownParameterType]  # beside checks Dagster takes the bare class alone
        context: dg.AssetExecutionContext,
        research: ResearchHome,
        scraper: MrScraperResource,
        model: ModelResource,
        channels: ChannelResource,
    ) -> dg.MaterializeResult:  # pyright: ignore[reportMissingTypeArgument]  # as above
        stores = research.stores()
        try:
            footing = current_cycle(stores, file.name)
            written = write(stores, Services(scraper, model, channels), footing, run_id=context.run.run_id)
        except ResearchError as error:
            raise failure_of(error) from error
        return dg.MaterializeResult(metadata=_metadata(written), check_results=check_results(written.checks), value=None)

    return report


@dataclass(frozen=True, slots=True)
class Written:
    """A report and where it lies."""

    report: Report
    folder: str
    markdown: str
    checks: Sequence[Check]


def write(stores: Stores, services: Services, footing: Footing, *, run_id: str) -> Written:
    """Build the report of the cycle, write it to the tables and to disk, and end the cycle.

    In this order: a run that is killed in between leaves a cycle that goes on with its next report, and files that nobody overwrites.
    """
    plan, cycle = footing.plan, footing.cycle.cycle
    known = stores.operations.cycle(cycle).steps  # before reading: whoever looks later sees what this report cannot know of
    given = concluded(stores, services, footing, _gather(stores, footing, run_id=run_id), run_id=run_id)
    given = replace(given, **_end(stores, footing))
    made = build(given)
    revision = stores.warehouse.revision("reports", plan.study, cycle) + 1
    markdown = to_markdown(made)
    files = {"report.md": markdown, "report.html": to_html(made), "report.json": to_json(made), **archived_pages(made, given)}
    stores.warehouse.write(_snapshots(made, run_id=run_id))
    folder = write_report(
        stores.home, plan.study, cycle=cycle, revision=revision, files={name: text.encode() for name, text in files.items()}
    )
    step = LoopStep(
        plan.study, cycle, STUDY_LEVEL, 0, State.REPORT, State(made.state), made.stop_reason or "", {"steps_known": known}, run_id
    )
    told = LoopEvent(EventKind.REPORTED, {"state": made.state, "stop_reason": made.stop_reason, "revision": revision})
    stores.operations.record_steps([step], events=[told])
    stores.copy_operations(cycle)
    stores.operations.finish_cycle(cycle, State(made.state), stop_reason=made.stop_reason or "")
    return Written(made, str(folder), markdown, _checks(stores, footing, made))


def _checks(stores: Stores, footing: Footing, made: Report) -> list[Check]:
    spent, warned = stores.ledger.spent(footing.cycle.cycle), stores.ledger.warnings(footing.cycle.cycle)
    kept = budget_kept(spent, footing.plan.limits, warnings=[warning.message for warning in warned])
    return [all_asked(made), conclusions_supported(made), quotes_stand(made), kept]


def _gather(stores: Stores, footing: Footing, *, run_id: str) -> ReportInput:
    plan, cycle = footing.plan, footing.cycle
    findings = stores.warehouse.read_findings(plan.study, cycle.cycle, plan.questions)
    evidence = stores.warehouse.read_evidence(plan.study, cycle.cycle, plan.questions)
    pages = stores.warehouse.read_pages(plan.study, cycle.cycle, plan.questions)
    every = {page.id: page for found in pages.values() for page in found}
    faults = {key for key, item in stores.operations.progress_of(cycle.cycle).items() if item.rule == StopRule.FAULT}
    stores.ledger.open_cycle(cycle.cycle, plan.study, limits=plan.limits)
    return ReportInput(
        plan=plan,
        cycle=cycle.cycle,
        **_end(stores, footing),
        findings=[finding for found in findings.values() for finding in found],
        pages=list(every.values()),
        texts={
            page_id: read_archived(stores, every[page_id], today=cycle.started_at.date())
            for page_id in _needed(findings, {key: items for key, items in evidence.items() if key not in faults})
            if page_id in every and every[page_id].body_hash
        },
        provenance=_provenance(stores, footing, run_id=run_id),
        unverified=[item for key, items in evidence.items() if key not in faults for item in items if not item.verified],
        tried={key: [page.id for page in found] for key, found in pages.items()},
        calls=_calls(stores, cycle.cycle),
        added=frozenset(stores.loop.state(cycle.cycle).added),
    )


def _calls(stores: Stores, cycle: str) -> dict[str, PaidCall]:
    attempts: dict[str, list[CallRow]] = {}
    for call in stores.ledger.calls(cycle):
        attempts.setdefault(call.call_key, []).append(call)
    return {
        key: PaidCall(
            key=key,
            tool=made[-1].tool,
            attempts=len(made),
            tokens=sum(call.tokens_spent for call in made),
            run_id=made[-1].run_id,
            settled_at=made[-1].settled_at,
        )
        for key, made in attempts.items()
    }


def _end(stores: Stores, footing: Footing) -> dict[str, Any]:
    """How the cycle ends and what it spent, as of now: what drafts the report may be what stops it."""
    budget = stores.ledger.budget(footing.cycle.cycle)
    stop = budget.stop_rule or _met_rule(stores, footing)
    return {"state": "STOPPED" if stop else "DONE", "stop_reason": stop.value if stop else None, "spend": _spend(budget.spent)}


def _needed(findings: Mapping[str, list[Finding]], evidence: Mapping[str, list[Evidence]]) -> list[str]:
    """Pages that the report quotes or shows a refused candidate of."""
    cited = {item.page_id for found in findings.values() for finding in found for item in finding.evidence}
    refused = {item.page_id for items in evidence.values() for item in items if not item.verified}
    return sorted(cited | refused)


def _met_rule(stores: Stores, footing: Footing) -> StopRule | None:
    """The rule of the cycle by which a sub-question was aborted."""
    progress = stores.operations.progress_of(footing.cycle.cycle)
    rules = [StopRule(item.rule) for key, item in sorted(progress.items()) if key in footing.plan.questions and item.rule]
    return next((rule for rule in rules if rule.ends_cycle), None)


def _spend(spent: Spent) -> Spend:
    return Spend(
        tokens=spent.tokens,
        pages=spent.pages,
        discover_calls=spent.discover_calls,
        model_cost_usd=spent.model_cost_usd,
        seconds=round(spent.seconds, 3),
    )


def _provenance(stores: Stores, footing: Footing, *, run_id: str) -> Provenance:
    plan, cycle = footing.plan, footing.cycle
    given = stores.operations.approval_of(plan.study, plan.plan_id)
    runs = dict.fromkeys([cycle.dagster_run_id, *(step.run_id for step in stores.operations.steps(cycle.cycle)), run_id])
    return Provenance(
        plan_id=plan.plan_id,
        approval=Approval(by=given.approved_by, at=given.approved_at, plan_id=given.plan_id, note=given.note) if given else None,
        cycle=cycle.cycle,
        run_ids=[run for run in runs if run],
        versions={name: version(name) for name in _SHAPING_LIBRARIES},
        engine=plan.engine,
        extractor=plan.extractor,
        run_date=cycle.started_at.date(),
    )


def _snapshots(made: Report, *, run_id: str) -> list[Snapshot]:
    conclusions = [
        {
            "text": item.sentence,
            "verdict": verdict,
            "reason": "; ".join(item.reasons),
            "sub_question_ids": item.sub_question_ids,
            "evidence_ids": item.evidence_ids,
        }
        for verdict in ("supported", "disputed", "rejected")
        for item in getattr(made.conclusions, verdict)
    ]
    reviews = [
        {
            "review_id": item.id,
            "kind": item.kind,
            "text": item.question,
            "reason": item.reason,
            "sub_question_ids": [item.sub_question_id],
            "evidence_ids": item.evidence_ids,
        }
        for item in made.reviews
    ]
    tables: dict[str, Sequence[Mapping[str, object]]] = {
        "conclusions": conclusions,
        "reviews": reviews,
        "reports": [{"state": made.state, "stop_reason": made.stop_reason, "report": made.model_dump(mode="json")}],
    }
    return [Snapshot(table, made.study, made.cycle, STUDY_LEVEL, 0, run_id, rows) for table, rows in tables.items()]


def _metadata(written: Written) -> dict[str, Shown]:
    made, columns = written.report, ("sub-question", "status", "answer", "sources")
    counts = {status: sum(finding.status == status for finding in made.findings) for status in ("agreed", "conflict", "unresolved", "gap")}
    answers = (
        {
            "sub-question": finding.sub_question_id,
            "status": finding.gap_kind or finding.status,
            "answer": finding.answer,
            "sources": finding.independent_sources,
        }
        for finding in made.findings
    )
    page = f"{written.folder}/report.html"
    return {
        "state": made.state,
        "stop reason": made.stop_reason or "–",
        "cycle": made.cycle,
        **counts,
        "tokens": made.spend.tokens,
        "pages": made.spend.pages,
        "maps and searches": made.spend.discover_calls,
        "model cost (USD)": made.spend.model_cost_usd,
        "seconds of work": made.spend.seconds,
        "HTML": dg.MetadataValue.path(page),
        "answers": preview(answers, columns),
        "report": document(written.markdown, whole=page),
    }
