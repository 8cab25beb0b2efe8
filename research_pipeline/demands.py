"""Demands in free words: what a model is given to judge them by, what it answers, and what of that counts as an opinion."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.ids import host_of
from research_pipeline.records import Evidence, Finding, FindingStatus
from research_pipeline.rubrics import Opinion
from research_pipeline.study import Rubric

_ANSWERED = (FindingStatus.AGREED, FindingStatus.CONFLICT)
NO_ANSWERS = "There is no answer yet that could be judged."


class JudgedDemand(BaseModel):
    """What a model says of one demand."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    number: int = Field(description="Of the demand.")
    met: bool = Field(description="Whether every finding that it is about meets it.")
    reason: str = Field(min_length=1, max_length=600, description="One plain sentence on what was seen.")
    sub_questions: list[str] = Field(default=[], max_length=500, description="Ids of the findings that keep it from being met.")


class JudgedDemands(BaseModel):
    """One item per demand."""

    model_config = ConfigDict(extra="ignore")

    items: list[JudgedDemand] = Field(max_length=100)


def demands_of(rubrics: Sequence[Rubric]) -> dict[int, str]:
    """Number of a rubric, as the study counts them → its demand, of those in free words."""
    return {number: rubric.text for number, rubric in enumerate(rubrics, 1) if rubric.text is not None}


def demands_json(demands: Mapping[int, str]) -> str:
    """The demands as a model reads them."""
    return json.dumps([{"number": number, "demand": text} for number, text in demands.items()], ensure_ascii=False)


def findings_json(findings: Sequence[Finding]) -> str:
    """Every finding with the quotes it stands on, one a line, in the same order whatever order they come in."""
    lines = [json.dumps(_described(item), ensure_ascii=False) for item in sorted(findings, key=lambda item: item.sub_question_id)]
    return "[\n" + ",\n".join(lines) + "\n]"


def anything_answered(findings: Sequence[Finding]) -> bool:
    """Whether there is an answer to judge."""
    return any(finding.status in _ANSWERED for finding in findings)


def opinions_of(said: JudgedDemands, demands: Collection[int], findings: Sequence[Finding]) -> dict[int, Opinion]:
    """The opinions on the demands that were asked about; of several on one, the strictest.

    One that names no finding which fails, or none that there is, is about all that are answered. A demand that is said to be met by
    findings that keep it from being met is not met.
    """
    known = {finding.sub_question_id for finding in findings}
    answered = tuple(sorted(finding.sub_question_id for finding in findings if finding.status in _ANSWERED))
    opinions: dict[int, Opinion] = {}
    for item in said.items:
        named = tuple(sorted(known & set(item.sub_questions)))
        met = item.met and not named
        if item.number in demands and (item.number not in opinions or not met):
            opinions[item.number] = Opinion(met, " ".join(item.reason.split()), () if met else named or answered)
    return opinions


def _described(finding: Finding) -> dict[str, object]:
    return {
        "sub_question": finding.sub_question_id,
        "vendor": finding.vendor,
        "question": finding.text,
        "status": finding.status.value,
        "answer": finding.answer,
        "evidence": [_quoted(item) for item in finding.evidence],
    }


def _quoted(item: Evidence) -> dict[str, object]:
    return {
        "value": item.value,
        "quote": item.quote,
        "headers": list(item.headers),
        "host": host_of(item.url),
        "authority": item.authority.value,
        "page_dated": item.page_updated,
    }
