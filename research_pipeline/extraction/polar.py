"""Candidates for yes-or-no questions: places that say of the subject that it is there, or that it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.extraction.places import place_factor
from research_pipeline.extraction.polarity import Answer, cell_polarity, polarity
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.ranking import fit, promising
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.extraction.yes_no_judge import refers_back
from research_pipeline.records import BlockKind, Candidate

UNQUALIFIED = 0.6  # where a subject word stands neither in the sentence nor above it


def polar_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Places that say whether. A page that does not bear the subject's own words says nothing."""
    subject = [word.term for word in ask.words if word.term.stem in ask.subjects]
    for unit in promising(ask, units, units.units):
        before = _before(unit)
        own = units.words(" . ".join((before, _question(unit), unit.text)))
        if not any(term.stem in own.by_stem for term in subject):
            continue
        begin = units.page.text.rfind(before, unit.block.start, unit.start) if before else unit.start
        for answer, start, end in _said(ask, unit):
            span = (unit.start + start, unit.start + end)
            judged = fit(ask, units, unit, span, [span])
            score = judged.score * place_factor(ask, units, unit, span) * _qualified_factor(ask, units, unit, span)
            yield Candidate(
                ask.sub_question.id,
                str(answer),
                units.page.text[begin : unit.end],
                begin,
                round(score, 4),
                claim=unit.text[start:end],
                why=" ".join(judged.near),
            )


_ANSWERS = re.compile(
    r"(?:yes|no|not|none|never|absolutely|certainly|of course|sure|currently|unfortunately|there (?:is|are|isn't|aren't)|we do(?:n't)?"
    r"|ja|nein|oui|non|sí|sim)(?!\w)",
    re.IGNORECASE,
)


def _before(unit: Unit) -> str:
    """The sentence before, where the unit's pronoun takes it up."""
    return unit.before if unit.before and refers_back(unit.text) else ""


def _question(unit: Unit) -> str:
    """The question that the unit answers by its first word."""
    asked = unit.before or unit.block.lead_in or "".join(unit.block.heading_path[-1:])
    return asked if asked.rstrip().endswith("?") and _ANSWERS.match(unit.text) else ""


def _qualified_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    """A yes or no holds for what its own sentence and headings name: `for groups` says nothing of personal accounts."""
    cell = unit.cell_at(*span)
    headers = (*cell.column_headers, *cell.row_headers) if cell is not None else ()
    texts = (unit.text, _before(unit), *headers, unit.block.lead_in, *unit.block.heading_path, units.page.title)
    named = units.words(" . ".join(texts))
    return 1.0 if all(stem in named.by_stem or stem in ask.plan_words for stem in ask.subjects) else UNQUALIFIED


def _said(ask: Ask, unit: Unit) -> Iterator[tuple[Answer, int, int]]:
    if unit.block.kind is BlockKind.ROW:
        for cell in unit.block.cells:
            start, end = cell.start - unit.start, cell.end - unit.start
            found = cell_polarity(unit.text[start:end]) if end > start else None
            if found is not None and found.answer is not Answer.UNKNOWN:
                yield found.answer, start, end
        return
    found = polarity(unit.text, [ask.sub_question.text[word.term.start : word.term.end] for word in ask.words])
    if found.answer is not Answer.UNKNOWN and not found.hedged:
        yield found.answer, found.start, found.end
