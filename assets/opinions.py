"""Demands of a study in free words, judged by its model: one request for all of them, and for the same findings never a second one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from assets.bench import log
from research_pipeline.demands import (
    NO_ANSWERS,
    JudgedDemands,
    anything_answered,
    demands_json,
    demands_of,
    findings_json,
    opinions_of,
)
from research_pipeline.errors import AnswerUnusable, CallFailed, LimitReached
from research_pipeline.planning import SourcePlan
from research_pipeline.prompts import load_prompt, quoted
from research_pipeline.records import Finding
from research_pipeline.rubrics import Opinion
from resources.calls import CallContext

if TYPE_CHECKING:
    from resources.models.client import ModelClient


async def opinions_on(
    model: ModelClient | None, plan: SourcePlan, findings: Sequence[Finding], context: CallContext, *, today: date
) -> Mapping[int, Opinion]:
    """Number of a rubric in free words → what the model said of it; none of any without a model.

    Where the model could not be asked, or there is nothing to judge, the opinion says so, and the rubric stays unchecked.
    """
    demands = demands_of(plan.rubrics)
    if model is None or not demands:
        return {}
    if not anything_answered(findings):
        return {number: Opinion(None, NO_ANSWERS) for number in demands}
    prompt = load_prompt("rubrics")
    task = prompt.fill(
        today=today.isoformat(),
        question=repr(plan.question),
        findings=quoted(findings_json(findings), "findings"),
        demands=demands_json(demands),
    )
    try:
        answer = await model.ask(prompt, task, JudgedDemands, context)
    except (LimitReached, CallFailed, AnswerUnusable) as failure:
        log.warning("The rubrics in free words are not judged: %s", failure)
        return {number: Opinion(None, f"The model could not be asked: {failure}") for number in demands}
    said = opinions_of(answer.output, demands, findings)
    return {number: said.get(number, Opinion(None, "The model said nothing of it.")) for number in demands}
