"""What an extractor that reads prose is asked, and what it claims: questions as JSON, items as candidates for the gate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.records import Candidate
from research_pipeline.study import SubQuestion

MOST_ITEMS = 60
QUESTIONS_PER_CALL = 12  # a page is dear and a question cheap; with many more, small models begin to leave some out


class ClaimedItem(BaseModel):
    """A passage that is claimed to answer a question."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    question: str = Field(max_length=101, description="The id of the question.")
    value: str = Field(max_length=500, description="The answer alone, as the quote has it; yes or no for a boolean.")
    quote: str = Field(max_length=3_000, description="The passage, character for character as the page has it.")


class Claims(BaseModel):
    """Everything on a page that answers one of the questions; empty where nothing does."""

    model_config = ConfigDict(extra="ignore")

    items: list[ClaimedItem] = Field(max_length=MOST_ITEMS)


@dataclass(frozen=True, slots=True)
class Read:
    """Candidates of some questions, and how many items were claimed for questions that nobody asked."""

    candidates: tuple[Candidate, ...] = ()
    strangers: int = 0


def batches(questions: Sequence[SubQuestion], *, most: int = QUESTIONS_PER_CALL) -> list[tuple[SubQuestion, ...]]:
    """The questions of a source as they go into calls. The same for whoever asks, so that a page is paid once for all of them."""
    return [tuple(questions[start : start + most]) for start in range(0, len(questions), most)]


def described(question: SubQuestion) -> dict[str, Any]:
    """A question as JSON: what a reader of prose needs to know of it."""
    about: dict[str, Any] = {"id": question.id, "vendor": question.vendor, "text": question.text, "answer": question.answer.value}
    if question.choices:
        about["choices"] = list(question.choices)
    if question.must_mention:
        about["must_mention"] = list(question.must_mention)
    return about


def as_json(questions: Iterable[SubQuestion]) -> str:
    """The questions, one a line."""
    return "[\n" + ",\n".join(json.dumps(described(question), ensure_ascii=False) for question in questions) + "\n]"


def candidates(claims: Claims, questions: Iterable[SubQuestion], *, place: Mapping[str, int] | None = None) -> Read:
    """What was claimed, as candidates. `place` is quote → where on the page it begins."""
    asked = {question.id for question in questions}
    own = [item for item in claims.items if item.question in asked]
    found = (Candidate(item.question, item.value, item.quote, start=(place or {}).get(item.quote, -1), score=1.0) for item in own)
    return Read(tuple(dict.fromkeys(found)), len(claims.items) - len(own))
