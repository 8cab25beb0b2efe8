"""The embedded extractor: finds, without a model, the places of a page that answer a question, and says how well each fits.

It proposes; the gate verifies, and resolution decides. Scores are a share between 0 and 1 and compare across pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from research_pipeline.extraction.polar import polar_candidates
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.textual import textual_candidates
from research_pipeline.extraction.typed import typed_candidates
from research_pipeline.extraction.units import PageUnits, page_units
from research_pipeline.records import Candidate, PageText
from research_pipeline.study import AnswerType, SubQuestion

FLOOR = 0.3  # a place that bears less of the question is about something else, and no rival of a better one either
# What a value keeps beside which no subject word stands: where another has so many beside it, has one, or where it fits in part only.
FEWEST_NAMED, UNNAMED, BESIDE_NAMED, IN_PART = 2, 0.75, 0.9, 0.57
_PER_VALUE, _PER_QUESTION = 3, 8  # candidates kept: several places of one value, so that a refused one has a substitute


def extract(text: PageText, sub_questions: Sequence[SubQuestion]) -> list[Candidate]:
    """The best few candidates of a page for each sub-question, best first."""
    candidates: list[Candidate] = []
    for sub_question in sub_questions:
        ask = Ask.of(sub_question)
        candidates.extend(_best(_candidates(ask, page_units(text, ask.language))))
    return candidates


def _candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    match ask.sub_question.answer:
        case AnswerType.BOOLEAN:
            return polar_candidates(ask, units)
        case AnswerType.TEXT:
            return textual_candidates(ask, units)
        case _:
            return iter(_named_first(ask, typed_candidates(ask, units)))


def _named_first(ask: Ask, candidates: Sequence[Candidate]) -> list[Candidate]:
    """A value beside which no subject stands counts less: where another has some beside it, and where it fits in part only."""
    in_unit: dict[int, int] = {}  # a subject that stands with one value of a sentence is said of the others too
    for candidate in candidates:
        named = len(ask.own_subjects.intersection(candidate.why.split()))
        in_unit[candidate.start] = max(named, in_unit.get(candidate.start, 0))
    near = [in_unit[candidate.start] for candidate in candidates]
    outdone = UNNAMED if max(near, default=0) >= FEWEST_NAMED else BESIDE_NAMED if any(near) else 1.0
    return [
        candidate if named else replace(candidate, score=round(candidate.score * min(outdone, _in_part(candidate)), 4))
        for candidate, named in zip(candidates, near, strict=True)
    ]


def _in_part(candidate: Candidate) -> float:
    return UNNAMED if candidate.score < IN_PART else 1.0


def _best(candidates: Iterator[Candidate]) -> list[Candidate]:
    kept: list[Candidate] = []
    per_value: dict[str, int] = {}
    for candidate in sorted(candidates, key=lambda item: (-item.score, item.start, item.value)):
        value = candidate.value.casefold()
        if candidate.score < FLOOR or len(kept) == _PER_QUESTION:
            break
        if per_value.get(value, 0) < _PER_VALUE:
            per_value[value] = per_value.get(value, 0) + 1
            kept.append(candidate)
    return kept
