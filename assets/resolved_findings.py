"""resolved_findings: what the evidence of a sub-question adds up to, and what the loop does next."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

from assets.bench import Bench, Outcome, log
from assets.partitioned import StageSpec
from assets.previews import preview
from assets.weighing import finding_of, told, weigh
from research_pipeline.auditing import answer_unchanged, answered
from research_pipeline.limits import StopRule
from research_pipeline.loop import Decision, State
from research_pipeline.records import Finding
from research_pipeline.rubrics import failing
from resources.record_tables import finding_rows

DESCRIPTION = """\
The answer of a sub-question: agreed, conflict, unresolved, or a gap with its kind.

Verified evidence is grouped by equal value; authority, then date, prefers a side of a conflict. Then a rule, which is named, decides
whether another round is worth its price; when every sub-question has ended the round, by the study's rubrics, too."""


async def evaluate(bench: Bench, keys: Sequence[str]) -> Mapping[str, Outcome]:
    """Resolve, decide what comes next, write `findings` and the loop's state."""
    weighed = await weigh(bench, keys)
    bench, decisions = weighed.bench, weighed.decisions
    findings = {key: finding_of(bench, key, weighed.found[key], stop_reason=_ended_early(decision)) for key, decision in decisions.items()}
    rows = [bench.snapshot("findings", key, finding_rows([finding])) for key, finding in findings.items()]
    await asyncio.to_thread(bench.stores.warehouse.write, rows)
    bench.record(
        State.EVALUATE,
        {key: (decision.next_state, decision.rule) for key, decision in decisions.items()},
        progress={key: decision.progress for key, decision in decisions.items()},
        events=told(weighed),
    )
    for result in failing(weighed.rubrics):
        log.info("rubric %d is not met: %s %s", result.number, result.demand, result.reason)
    log.info("%d of %d sub-question(s) need no further round", sum(decisions[key].progress.closed for key in keys), len(keys))
    before, tokens = await asyncio.to_thread(_last_findings, bench, keys), _tokens(bench)
    return {key: _outcome(bench, key, findings[key], decisions[key], before=before.get(key), tokens=tokens[key]) for key in keys}


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


def _ended_early(decision: Decision) -> str | None:
    """The rule that a finding names: none where it is answered, or still worked on."""
    return decision.rule if decision.progress.closed and decision.rule is not StopRule.ANSWERED else None


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
    together=True,
)
