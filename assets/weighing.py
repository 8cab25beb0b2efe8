"""What the stages before have written for a sub-question, what it adds up to, and what the loop makes of it by its rules."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from assets.bench import MAPS, Bench
from assets.opinions import opinions_on
from research_pipeline.limits import StopRule
from research_pipeline.loop import (
    Decision,
    Progress,
    RoundOutcome,
    State,
    goes_on,
    next_action,
    pursue_rubrics,
    round_ended,
    stop_where_nothing_changes,
    with_rounds,
)
from research_pipeline.loop_state import EventKind, LoopEvent, NextStep, evaluated, next_step
from research_pipeline.planning import SourcePlan
from research_pipeline.records import DiscoveredUrl, Evidence, Finding, Page, PageStatus
from research_pipeline.resolution import may_answer, resolve
from research_pipeline.rubrics import RubricResult, failing, judge, share_failing
from research_pipeline.study import SubQuestion
from research_pipeline.translations import not_looked_at, to_compare


@dataclass(frozen=True, slots=True)
class Found:
    """What the stages before have written for a sub-question."""

    evidence: Sequence[Evidence]
    pages: Sequence[Page]
    candidates: Sequence[DiscoveredUrl]
    map_failed: bool
    not_extracted: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """A round that was weighed. `bench` knows how each decided sub-question stands, also those that the rubrics took up again.

    `standing` is how all of the cycle stood before, `stop` the rule that ended the cycle.
    """

    bench: Bench
    found: Mapping[str, Found]
    decisions: Mapping[str, Decision]
    rubrics: Sequence[RubricResult]
    standing: Mapping[str, Progress]
    stop: StopRule | None


async def weigh(bench: Bench, keys: Sequence[str]) -> Weighed:
    """Decide what comes next for some sub-questions; once all of the cycle have ended the round, its rubrics are judged, too."""
    standing = _standing(bench)
    stop = cycle_stop(bench)
    found = await asyncio.to_thread(found_by, bench, keys)
    decisions = _decided(bench, found, stop)
    after = {**standing, **{key: decision.progress for key, decision in decisions.items()}}
    results: list[RubricResult] = []
    if bench.plan.rubrics and round_ended(after.values()):
        last = max(item.round for item in after.values())
        others = {key: item for key, item in standing.items() if key not in found and item.round == last}
        bench = replace(bench, progress={**others, **bench.progress})
        every = {**found, **await asyncio.to_thread(found_by, bench, list(others))}
        results = await _judged(bench, every)
        pursued = _pursued(bench, every, stop, results)
        reopened = {key: pursued[key] for key in others if not pursued[key].progress.closed}
        found, decisions = {key: every[key] for key in (*found, *reopened)}, {**{key: pursued[key] for key in decisions}, **reopened}
    return Weighed(bench, found, stop_where_nothing_changes(decisions, standing), results, standing, stop)


def told(weighed: Weighed) -> list[LoopEvent]:
    """What the loop remembers of a round that was weighed."""
    bench, decisions = weighed.bench, weighed.decisions
    events = [
        evaluated(key, decision.progress, evidence=[item.id for item in weighed.found[key].evidence if item.verified])
        for key, decision in decisions.items()
    ]
    if weighed.rubrics:
        events.append(LoopEvent(EventKind.JUDGED, {"failures": [result.as_row() for result in failing(weighed.rubrics)]}))
    standing = {**weighed.standing, **{key: decision.progress for key, decision in decisions.items()}}
    visited = set(bench.stores.loop.state(bench.cycle).visited)
    candidates = {key: found.candidates for key, found in weighed.found.items()}
    compared = {key: _to_compare(bench, key, found) for key, found in weighed.found.items()}
    step = wanted_next(
        bench.plan, standing, candidates, visited=visited, stop=weighed.stop, granted=bench.rounds_granted, compared=compared
    )
    return [*events, LoopEvent(EventKind.DECIDED, {"decision": step.model_dump(mode="json")})]


def wanted_next(
    plan: SourcePlan,
    standing: Mapping[str, Progress],
    candidates: Mapping[str, Sequence[DiscoveredUrl]],
    *,
    visited: Collection[str],
    stop: str | None,
    granted: int,
    compared: Mapping[str, Sequence[DiscoveredUrl]] = MappingProxyType({}),
) -> NextStep:
    """What the loop wants next: the rule, what to look for, and the candidates that the next round aims at and nobody has read.

    `compared` are the translations to look at of what some sub-questions were answered by.
    """
    still_open = [key for key, item in standing.items() if goes_on(item, plan.limits, granted=granted)]
    urls = {
        key: [url.url for url in _aimed_at(plan, standing[key], candidates.get(key, ()), compared.get(key, ())) if url.url not in visited]
        for key in still_open
    }
    queries = {key: query_of(plan.questions[key]) for key in still_open}
    return next_step(standing, still_open, stop=stop, queries=queries, urls=urls)


def _aimed_at(
    plan: SourcePlan, progress: Progress, candidates: Sequence[DiscoveredUrl], compared: Sequence[DiscoveredUrl]
) -> Sequence[DiscoveredUrl]:
    if progress.rule == StopRule.TRANSLATIONS_UNREAD:
        return compared
    reach = progress.reach(plan.limits.pages_per_round, ahead=1)
    return sorted((url for url in candidates if url.rank <= reach), key=lambda url: url.rank)


def query_of(question: SubQuestion) -> str:
    """What to look for: the study's own keywords, else the question."""
    return " ".join(question.keywords) or question.text


def found_by(bench: Bench, keys: Collection[str]) -> dict[str, Found]:
    """What was found for some sub-questions."""
    if not keys:
        return {}
    study, cycle, warehouse = bench.plan.study, bench.cycle, bench.stores.warehouse
    evidence = warehouse.read_evidence(study, cycle, keys)
    pages = warehouse.read_pages(study, cycle, keys)
    candidates = warehouse.read_discovered(study, cycle, keys)
    unmapped = bench.stores.ledger.failed_maps(cycle)
    unasked = _not_extracted(bench)
    return {
        key: Found(
            evidence.get(key, []),
            pages.get(key, []),
            candidates.get(key, []),
            map_failed=bench.plan.has_source_in(unmapped, key=key),
            not_extracted=key in unasked,
        )
        for key in keys
    }


def finding_of(bench: Bench, key: str, found: Found, *, stop_reason: str | None) -> Finding:
    """What it adds up to."""
    return resolve(
        bench.plan.questions[key],
        found.evidence,
        pages=found.pages,
        candidates_known=bool(found.candidates),
        stop_reason=stop_reason,
        not_all_asked=found.map_failed or found.not_extracted,
    )


def cycle_stop(bench: Bench) -> StopRule | None:
    """The rule that ended the cycle: said by the service or a person, met in this run, or kept from the cycle's end."""
    budget = bench.stores.ledger.budget(bench.cycle)
    if budget.stop_rule:
        return budget.stop_rule
    met = [step.rule for step in bench.stores.operations.steps(bench.cycle) if step.run_id == bench.run_id and step.rule]
    ended = bench.stores.operations.cycle(bench.cycle).stop_reason
    return next((StopRule(rule) for rule in (*met, *filter(None, [ended])) if StopRule(rule).ends_cycle), None)


def _not_extracted(bench: Bench) -> set[str]:
    """Sub-questions of which the newest extraction did not come to its end, for a reason that is no limit."""
    newest = {step.sub_question_id: step.rule for step in bench.stores.operations.steps(bench.cycle) if step.state is State.EXTRACT}
    return {key for key, rule in newest.items() if rule == StopRule.NOT_EXTRACTED}


def _standing(bench: Bench) -> dict[str, Progress]:
    known = bench.stores.operations.progress_of(bench.cycle)
    return {key: known.get(key, Progress()) for key in bench.plan.questions}


def _outcome(bench: Bench, key: str, found: Found, stop: StopRule | None) -> RoundOutcome:
    progress = bench.progress[key]
    reach = progress.reach(bench.plan.limits.pages_per_round)
    return RoundOutcome(
        status=finding_of(bench, key, found, stop_reason=None).status,
        verified=tuple(item.id for item in found.evidence if may_answer(item)),
        unread=sum(url.rank > reach for url in found.candidates),
        failed=sum(page.status is PageStatus.FAILED for page in found.pages) + found.not_extracted,
        can_widen=progress.depth < len(MAPS) - 1,
        cycle_stop=stop,
        reached=tuple(page.url for page in found.pages if page.call_key),
        translations=0 if progress.comparing else len(_to_compare(bench, key, found)),
    )


def _to_compare(bench: Bench, key: str, found: Found) -> list[DiscoveredUrl]:
    """Translations that nobody has looked at of the page that gives the answer, where asking them costs nothing but reading them."""
    if not bench.extracts_for_free:
        return []
    return not_looked_at(to_compare(finding_of(bench, key, found, stop_reason=None), found.candidates), found.pages)


def _decided(bench: Bench, found: Mapping[str, Found], stop: StopRule | None) -> dict[str, Decision]:
    limits = with_rounds(bench.plan.limits, bench.rounds_granted)
    return {key: next_action(bench.progress[key], _outcome(bench, key, item, stop), limits) for key, item in found.items()}


async def _judged(bench: Bench, found: Mapping[str, Found]) -> list[RubricResult]:
    """The rubrics on these findings, and on those that earlier rounds have settled."""
    findings = await asyncio.to_thread(_to_be_judged, bench, found)
    context = bench.call_context(min(found))
    opinions = await opinions_on(bench.connected_model, bench.plan, findings, context, today=bench.today)
    return judge(bench.plan.rubrics, findings, today=bench.today, opinions=opinions)


def _to_be_judged(bench: Bench, found: Mapping[str, Found]) -> list[Finding]:
    fresh = {key: finding_of(bench, key, item, stop_reason=None) for key, item in found.items()}
    settled = bench.stores.warehouse.read_findings(bench.plan.study, bench.cycle, [key for key in bench.plan.questions if key not in fresh])
    return [*fresh.values(), *(rows[-1] for rows in settled.values() if rows)]


def _pursued(bench: Bench, found: Mapping[str, Found], stop: StopRule | None, results: Sequence[RubricResult]) -> dict[str, Decision]:
    demanded = {key for result in failing(results) for key in result.sub_question_ids}
    outcomes = {key: _outcome(bench, key, item, stop) for key, item in found.items()}
    return pursue_rubrics(
        _decided(bench, found, stop),
        outcomes,
        bench.plan.limits,
        demanded=demanded,
        share=share_failing(results),
        granted=bench.rounds_granted,
    )
