"""resolved_findings: what the evidence of a sub-question adds up to, and what the loop does next."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assets.bench import MAPS, Bench, Outcome, log
from assets.partitioned import StageSpec
from assets.previews import preview
from research_pipeline.auditing import answer_unchanged, answered
from research_pipeline.limits import StopRule
from research_pipeline.loop import Decision, Progress, RoundOutcome, State, next_action, stop_where_nothing_changes
from research_pipeline.records import DiscoveredUrl, Evidence, Finding, Page, PageStatus
from research_pipeline.resolution import resolve
from resources.record_tables import finding_rows

DESCRIPTION = """\
The answer of a sub-question: agreed, conflict, unresolved, or a gap with its kind.

Verified evidence is grouped by equal value; authority, then date, prefers a side of a conflict. Then a rule, which is named, decides
whether another round is worth its price."""


async def evaluate(bench: Bench, keys: Sequence[str]) -> Mapping[str, Outcome]:
    """Resolve, decide what comes next, write `findings` and the loop's state."""
    study, cycle, warehouse = bench.plan.study, bench.cycle, bench.stores.warehouse
    evidence = await asyncio.to_thread(warehouse.read_evidence, study, cycle, keys)
    pages = await asyncio.to_thread(warehouse.read_pages, study, cycle, keys)
    candidates = await asyncio.to_thread(warehouse.read_discovered, study, cycle, keys)
    stop = _cycle_stop(bench)
    unasked = _not_extracted(bench)
    unmapped = bench.stores.ledger.failed_maps(bench.cycle)
    found = {
        key: _Found(
            evidence.get(key, []),
            pages.get(key, []),
            candidates.get(key, []),
            map_failed=bench.plan.has_source_in(unmapped, key=key),
            not_extracted=key in unasked,
        )
        for key in keys
    }
    decisions = stop_where_nothing_changes({key: _decide(bench, key, found[key], stop) for key in keys}, _standing(bench))
    decided = {key: (_resolve(bench, key, found[key], stop_reason=_ended_early(decision)), decision) for key, decision in decisions.items()}
    rows = [bench.snapshot("findings", key, finding_rows([finding])) for key, (finding, _) in decided.items()]
    await asyncio.to_thread(warehouse.write, rows)
    bench.record(
        State.EVALUATE,
        {key: (decision.next_state, decision.rule) for key, (_, decision) in decided.items()},
        progress={key: decision.progress for key, (_, decision) in decided.items()},
    )
    log.info("%d of %d sub-question(s) need no further round", sum(decision.progress.closed for _, decision in decided.values()), len(keys))
    before, tokens = await asyncio.to_thread(_last_findings, bench, keys), _tokens(bench)
    return {
        key: _outcome(bench, key, finding, decision, before=before.get(key), tokens=tokens[key])
        for key, (finding, decision) in decided.items()
    }


def _last_findings(bench: Bench, keys: Sequence[str]) -> dict[str, Finding]:
    """What the cycle before this one had found, where there was one and it came so far."""
    earlier = [cycle.cycle for cycle in bench.stores.operations.cycles(bench.plan.study) if cycle.cycle < bench.cycle and cycle.finished]
    found = bench.stores.warehouse.read_findings(bench.plan.study, earlier[-1], keys) if earlier else {}
    return {key: findings[-1] for key, findings in found.items() if findings}


def _tokens(bench: Bench) -> Counter[str]:
    """What the calls cost that a sub-question was the first to ask for."""
    spent: Counter[str] = Counter()
    for call in bench.stores.ledger.calls(bench.cycle):
        spent[call.sub_question_id] += call.tokens_spent
    return spent


@dataclass(frozen=True, slots=True)
class _Found:
    """What the stages before have written for a sub-question."""

    evidence: Sequence[Evidence]
    pages: Sequence[Page]
    candidates: Sequence[DiscoveredUrl]
    map_failed: bool
    not_extracted: bool


def _not_extracted(bench: Bench) -> set[str]:
    """Sub-questions of which the newest extraction did not come to its end, for a reason that is no limit."""
    newest = {step.sub_question_id: step.rule for step in bench.stores.operations.steps(bench.cycle) if step.state is State.EXTRACT}
    return {key for key, rule in newest.items() if rule == StopRule.NOT_EXTRACTED}


def _standing(bench: Bench) -> dict[str, Progress]:
    known = bench.stores.operations.progress_of(bench.cycle)
    return {key: known.get(key, Progress()) for key in bench.plan.questions}


def _cycle_stop(bench: Bench) -> StopRule | None:
    """The rule that ended the cycle: said by the service or a person, met in this run, or kept from the cycle's end."""
    budget = bench.stores.ledger.budget(bench.cycle)
    if budget.stop_rule:
        return budget.stop_rule
    met = [step.rule for step in bench.stores.operations.steps(bench.cycle) if step.run_id == bench.run_id and step.rule]
    ended = bench.stores.operations.cycle(bench.cycle).stop_reason
    return next((StopRule(rule) for rule in (*met, *filter(None, [ended])) if StopRule(rule).ends_cycle), None)


def _decide(bench: Bench, key: str, found: _Found, stop: StopRule | None) -> Decision:
    progress = bench.progress[key]
    limits = bench.plan.limits.model_copy(update={"max_rounds": bench.plan.limits.max_rounds + bench.rounds_granted})
    reach = progress.round * limits.pages_per_round
    outcome = RoundOutcome(
        status=_resolve(bench, key, found, stop_reason=None).status,
        verified=tuple(item.id for item in found.evidence if item.verified),
        unread=sum(url.rank > reach for url in found.candidates),
        failed=sum(page.status is PageStatus.FAILED for page in found.pages) + found.not_extracted,
        can_widen=progress.depth < len(MAPS) - 1,
        cycle_stop=stop,
        reached=tuple(page.url for page in found.pages if page.call_key),
    )
    return next_action(progress, outcome, limits)


def _ended_early(decision: Decision) -> str | None:
    """The rule that a finding names: none where it is answered, or still worked on."""
    return decision.rule if decision.progress.closed and decision.rule is not StopRule.ANSWERED else None


def _resolve(bench: Bench, key: str, found: _Found, *, stop_reason: str | None) -> Finding:
    question = bench.plan.questions[key]
    return resolve(
        question,
        found.evidence,
        pages=found.pages,
        candidates_known=bool(found.candidates),
        stop_reason=stop_reason,
        not_all_asked=found.map_failed or found.not_extracted,
    )


def _outcome(bench: Bench, key: str, finding: Finding, decision: Decision, *, before: Finding | None, tokens: int) -> Outcome:
    rows = (
        {"value": item.value, "quote": item.quote, "page": item.url, "authority": item.authority.value, "updated": item.page_updated}
        for item in finding.evidence
    )
    gap = f" ({finding.gap_kind.value})" if finding.gap_kind else ""
    return Outcome(
        {
            "status": finding.status.value + gap,
            "answer": finding.answer or "–",
            "question": finding.text,
            "note": finding.note or "–",
            "loop": "closed" if decision.progress.closed else "open",
            "rule": decision.rule.value,
            "next": f"{decision.action.value}: {decision.rule.explanation}",
            "round": bench.progress[key].round,
            "tokens": tokens,
            "independent sources": finding.independent_sources,
            "evidence": preview(rows, ("value", "quote", "page", "authority", "updated")),
        },
        [answered(finding, closed=decision.progress.closed, why=decision.rule.explanation), answer_unchanged(finding, before)],
    )


RESOLVED_FINDINGS = StageSpec(
    name="resolved_findings",
    stage=evaluate,
    after="extracted_evidence",
    description=DESCRIPTION,
    table="findings",
    checks=("answered", "answer_unchanged"),
)
