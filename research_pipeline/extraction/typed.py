"""Candidates whose answer is a typed value: every mention of the right type, judged by where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.ranking import fit
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import Candidate, Mention, Region
from research_pipeline.values import mentions

REGION_FACTOR = 0.25  # of what stands outside a page's main part (measured on real documentation sites)


def typed_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Every mention of the asked type, scored."""
    question = ask.sub_question
    for unit in units.units:
        found = [mention for mention in mentions(unit.text, question.answer, choices=question.choices) if not _asked_itself(ask, mention)]
        spans = [(unit.start + mention.start, unit.start + mention.end) for mention in found]
        for mention, span in zip(found, spans, strict=True):
            judged = fit(ask, units, unit, span, spans)
            score = judged.score * _region_factor(unit) * 0.8 ** len(judged.missing)
            yield Candidate(question.id, mention.verbatim, unit.text, unit.start, round(score, 4), why=" ".join(judged.local))


def _region_factor(unit: Unit) -> float:
    return 1.0 if unit.block.region is Region.MAIN else REGION_FACTOR


def _asked_itself(ask: Ask, mention: Mention) -> bool:
    """A quantity that the question itself names is its condition, not its answer."""
    return mention.verbatim.casefold() in ask.sub_question.text.casefold()
