"""Candidates for yes-or-no questions: places that say of the subject that it is there, or that it is not."""

from __future__ import annotations

from collections.abc import Iterator

from research_pipeline.extraction.places import place_factor
from research_pipeline.extraction.polarity import Answer, cell_polarity, polarity
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.ranking import fit, promising
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Candidate

UNQUALIFIED = 0.6  # where a subject word stands neither in the sentence nor above it


def polar_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Places that say whether. A page that does not bear the subject's own words says nothing."""
    subject = [word.term for word in ask.words if word.term.stem in ask.subjects]
    for unit in promising(ask, units, units.units):
        own = units.words(unit.text)
        if not any(term.stem in own.by_stem for term in subject):
            continue
        for answer, start, end in _said(ask, unit):
            span = (unit.start + start, unit.start + end)
            judged = fit(ask, units, unit, span, [span])
            score = judged.score * place_factor(ask, units, unit, span) * _qualified_factor(ask, units, unit)
            yield Candidate(
                ask.sub_question.id,
                str(answer),
                unit.text,
                unit.start,
                round(score, 4),
                claim=unit.text[start:end],
                why=" ".join(judged.near),
            )


def _qualified_factor(ask: Ask, units: PageUnits, unit: Unit) -> float:
    """A yes or no holds for what its own sentence and headings name: `for groups` says nothing of personal accounts."""
    named = units.words(" . ".join((unit.text, unit.block.lead_in, *unit.block.heading_path, units.page.title)))
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
