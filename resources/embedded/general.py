"""The general agent: answers the questions that a prompt carries with the rules extractor, without a model.

The prompt holds `Questions:` followed by a JSON array of sub-questions as a study writes them (`id`, `text`, `answer`, …). What else it
says, a `Json Schema:` included, is for services that read prose: the items here have one shape, `{sub_question_id, value, quote}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from research_pipeline.extraction import rules
from research_pipeline.reading.page import read_html
from research_pipeline.study import SubQuestion
from resources.embedded.protocol import CallRefused, describe

QUESTIONS_MARKER = "Questions:"
_QUESTIONS = TypeAdapter(list[SubQuestion])


def parse_questions(prompt: str) -> Sequence[SubQuestion]:
    """The questions in a prompt.

    Raises:
        CallRefused: 422, there are none or they cannot be read.
    """
    _, marker, rest = prompt.partition(QUESTIONS_MARKER)
    if not marker:
        raise CallRefused(422, f"prompt: holds no `{QUESTIONS_MARKER}` with a JSON array of questions after it")
    try:
        data, _ = json.JSONDecoder().raw_decode(rest.lstrip())
        return _QUESTIONS.validate_python(data)
    except ValidationError as error:
        raise CallRefused(422, f"prompt: questions: {describe(error)}") from error
    except ValueError as error:
        raise CallRefused(422, f"prompt: what follows `{QUESTIONS_MARKER}` is no JSON: {error}") from error


def read_items(html: str, url: str, questions: Sequence[SubQuestion]) -> list[Mapping[str, Any]]:
    """What the page says to the questions, best first for each."""
    candidates = rules.extract(read_html(html, url=url), questions)
    return [{"sub_question_id": found.sub_question_id, "value": found.value, "quote": found.quote} for found in candidates]
