"""Plans that a model drafts: the shape it fills in, the study file that becomes of it, and what follows when the check finds problems.

A draft is checked by the same code as a file that a person wrote. Its problems go back; after `MOST_DRAFTS` a person gets the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.checking import read_study
from research_pipeline.errors import Problem, StudyInvalid
from research_pipeline.study import AnswerType, Authority, ModelPrice

MOST_DRAFTS = 3


class _Drafted(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


class DraftedQuestion(_Drafted):
    """A sub-question."""

    id: str = Field(max_length=101)
    vendor: str = Field(max_length=50)
    text: str = Field(max_length=400)
    answer: AnswerType
    choices: list[str] = Field(default=[], max_length=30)
    must_mention: list[str] = Field(default=[], max_length=5)


class DraftedSource(_Drafted):
    """A site that may answer."""

    id: str = Field(max_length=100)
    domain: str = Field(max_length=253)
    start_url: str = Field(max_length=2_000)
    authority: Authority
    answers: list[str] = Field(max_length=100)
    include_patterns: list[str] = Field(default=[], max_length=20)


class DraftedPlan(_Drafted):
    """What to ask, and where."""

    sub_questions: list[DraftedQuestion] = Field(max_length=60)
    sources: list[DraftedSource] = Field(max_length=20)


@dataclass(frozen=True, slots=True)
class Brief:
    """What a person gives: the question, the vendors' names, the hosts that may be read, and the model with its price if need be."""

    name: str
    question: str
    vendors: tuple[str, ...]
    domains: tuple[str, ...]
    model: str
    price: ModelPrice | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A study file, with all that the check finds wrong with it."""

    text: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Drafting:
    """The drafts so far. It goes on until one is sound, or there are as many as may be."""

    brief: Brief
    drafts: tuple[Draft, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether no further draft is asked for."""
        return len(self.drafts) == MOST_DRAFTS or any(not draft.problems for draft in self.drafts)

    @property
    def best(self) -> Draft:
        """The one with the fewest problems; of equals the latest.

        Raises:
            ValueError: there is none yet.
        """
        return min(reversed(self.drafts), key=lambda draft: len(draft.problems))

    def feedback(self) -> str:
        """What the model is told of its last draft; empty at first."""
        if not self.drafts:
            return ""
        last = self.drafts[-1]
        return "\n".join(["Your last draft was refused:", *(f"- {problem}" for problem in last.problems), "", last.text])

    def take(self, plan: DraftedPlan) -> Drafting:
        """The drafting with one draft more."""
        return replace(self, drafts=(*self.drafts, drafted(plan, self.brief)))


def drafted(plan: DraftedPlan, brief: Brief) -> Draft:
    """A plan as a study file, checked. The allow-list is the person's: a draft cannot widen it. It waits for approval."""
    text = _as_yaml(plan, brief)
    try:
        read_study(text, name=brief.name)
    except StudyInvalid as invalid:
        return Draft(text, invalid.problems)
    return Draft(text, ())


def _as_yaml(plan: DraftedPlan, brief: Brief) -> str:
    questions: Sequence[dict[str, Any]] = [_without_empty(one.model_dump(mode="json")) for one in plan.sub_questions]
    for question in questions:
        if question["answer"] == AnswerType.CHOICE.value:
            question["answer"] = {"choices": question.pop("choices", [])}
    study: dict[str, Any] = {
        "question": brief.question,
        "vendors": list(brief.vendors),
        "sub_questions": questions,
        "sources": [_without_empty(one.model_dump(mode="json")) for one in plan.sources],
        "approved_domains": list(brief.domains),
        "approval": "required",
        "model": brief.model,
    }
    if brief.price is not None:
        study["model_price"] = brief.price.model_dump()
    written: str = yaml.safe_dump(study, sort_keys=False, allow_unicode=True, width=120)  # pyright: ignore[reportUnknownMemberType]  # untyped in PyYAML
    return written


def _without_empty(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != []}
