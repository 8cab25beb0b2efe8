"""Conclusions and summary by the plan's model: asked for once the findings stand, checked where the report is built."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assets.bench import log
from assets.opening import Footing, Services
from assets.opinions import opinions_on
from research_pipeline.errors import AnswerUnusable, CallFailed, LimitReached
from research_pipeline.prompts import load_prompt, quoted
from research_pipeline.reporting.building import ReportInput, summary_problems
from research_pipeline.reporting.claim import Conclusion
from research_pipeline.reporting.drafted import MOST_CONCLUSIONS, DraftedSentences, Facts
from resources.calls import CallContext
from resources.stores import Stores

if TYPE_CHECKING:
    from resources.models.client import ModelClient

_TRIES = 2  # for a summary: one more, with what was wrong


@dataclass(frozen=True)
class _Desk:
    model: ModelClient
    context: CallContext
    facts: Facts
    question: str

    async def ask(self, name: str, **values: str) -> list[Conclusion]:
        prompt = load_prompt(name)
        task = prompt.fill(findings=quoted(self.facts.as_json(), "findings"), question=repr(self.question), **values)
        answer = await self.model.ask(prompt, task, DraftedSentences, self.context)
        return [self.facts.conclusion(item, origin=self.model.setup.name) for item in answer.output.items]


def concluded(stores: Stores, services: Services, footing: Footing, given: ReportInput, *, run_id: str) -> ReportInput:
    """The report's input with what the plan's model drafted and what it says of the rubrics in free words; as it is where there is no
    model, nothing to conclude from, or no answer."""
    facts = Facts(given.findings)
    if given.plan.model is None or (facts.empty and not given.plan.rubrics):
        return given
    context = CallContext(given.plan.study, given.cycle, "", limits=given.plan.limits, run_id=run_id, retry_failed=True, for_report=True)
    return asyncio.run(_drafted(stores, services, footing, given, facts, context))


async def _drafted(
    stores: Stores, services: Services, footing: Footing, given: ReportInput, facts: Facts, context: CallContext
) -> ReportInput:
    async with services.model_client(stores, footing.plan) as model:
        if model is None:
            return given
        desk = _Desk(model, context, facts, given.plan.question)
        with stores.ledger.working(given.cycle):
            opinions = await opinions_on(model, given.plan, given.findings, context, today=given.provenance.run_date)
            given = replace(given, opinions=opinions)
            if facts.empty:
                return given
            try:
                drafts = await desk.ask("conclusions", most=str(MOST_CONCLUSIONS))
                return replace(given, drafts=drafts, summary=await _summary(desk, given))
            except (LimitReached, CallFailed, AnswerUnusable) as failure:
                log.warning("The model drafted no conclusions: %s", failure)
                return given


async def _summary(desk: _Desk, given: ReportInput) -> Sequence[Conclusion]:
    problems: list[str] = []
    for _ in range(_TRIES):
        said = "\n".join(["Your last summary was refused:", *(f"- {problem}" for problem in problems)]) if problems else ""
        sentences = await desk.ask("summary", problems=said)
        problems = summary_problems(replace(given, summary=sentences))
        if not problems:
            return sentences
    log.info("The model's summary is left out: %s", "; ".join(problems))
    return ()
