"""What an extractor that reads prose is asked, and what it claims: questions as JSON, items as candidates for the gate."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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


def candidates(claims: Claims, asked: Collection[str], *, places: Mapping[str, int] | None = None) -> tuple[Candidate, ...]:
    """What was claimed for the questions with these ids, as candidates, each once. `places` is quote → where on the page it begins."""
    found = places or {}
    own = (item for item in claims.items if item.question in asked)
    return tuple(
        dict.fromkeys(Candidate(item.question, item.value, item.quote, start=found.get(item.quote, -1), score=1.0) for item in own)
    )


def claims_of(items: Iterable[Mapping[str, Any]]) -> Claims:
    """What can be read of the items of an agent, which was asked for `Claims` and holds itself to no schema: they may stand in a list
    of their own below `items`, and name their question `sub_question_id`."""
    flat = [part for item in items for part in _listed(item.get("items"), item)]
    return Claims.model_construct(items=[item for part in flat for item in _item(part)])


def _listed(inner: object, item: object) -> list[object]:
    return cast("list[object]", inner) if isinstance(inner, list) else [item]


def _item(part: object) -> Iterator[ClaimedItem]:
    if isinstance(part, dict) and "sub_question_id" in part:
        part = {**cast("dict[str, object]", part), "question": cast("dict[str, object]", part)["sub_question_id"]}
    with suppress(ValidationError):
        yield ClaimedItem.model_validate(part)
