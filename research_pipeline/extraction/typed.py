"""Candidates whose answer is a typed value: every mention of the right type, judged by where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.ranking import fit
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Candidate, Mention, Region
from research_pipeline.study import AnswerType
from research_pipeline.wording import terms

REGION_FACTOR = 0.25  # of what stands outside a page's main part (measured on real documentation sites)
CODE_FACTOR = 0.7  # code shows an instance more often than it states a rule
LABEL_FACTOR = 0.6  # of a value in the cell that labels its row: a key of the table, not what it tells
OTHER_WINDOW_FACTOR = 0.3  # a rate per second does not answer a question per hour
OTHER_NOUN_FACTOR = 0.5  # a count of something else

_COUNTED = frozenset({AnswerType.COUNT, AnswerType.RATE})
_ABBREVIATED = re.compile(r"[rqtcm]p[smhd]|[a-z]")  # RPM, /s
_NUMBER = re.compile(r"[\d][\d.,\u00a0\u202f' ]*\d|\d")


def typed_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Every mention of the asked type, scored."""
    question = ask.sub_question
    for unit in units.units:
        found = [mention for mention in units.mentions(unit, question.answer, question.choices) if not _asked_itself(ask, mention)]
        spans = [(unit.start + mention.start, unit.start + mention.end) for mention in found]
        for mention, span in zip(found, spans, strict=True):
            judged = fit(ask, units, unit, span, spans)
            score = judged.score * place_factor(unit) * _label_factor(unit, span) * _kind_factor(ask, units, unit, mention)
            yield Candidate(question.id, _value(ask, mention), unit.text, unit.start, round(score, 4), why=" ".join(judged.local))


def place_factor(unit: Unit) -> float:
    """What a place is worth by its kind, whatever it says."""
    factor = 1.0 if unit.block.region is Region.MAIN else REGION_FACTOR
    return factor * CODE_FACTOR if unit.block.kind is BlockKind.CODE else factor


def _label_factor(unit: Unit, span: tuple[int, int]) -> float:
    cell = unit.cell_at(*span)
    return LABEL_FACTOR if cell is not None and len(unit.block.cells) > 1 and cell.start == unit.block.cells[0].start else 1.0


def _asked_itself(ask: Ask, mention: Mention) -> bool:
    """A quantity that the question itself names is its condition, not its answer."""
    return mention.verbatim.casefold() in ask.sub_question.text.casefold()


def _kind_factor(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """Whether the value counts what is counted, against the window that is asked."""
    if ask.sub_question.answer not in _COUNTED:
        return 1.0
    factor = 1.0
    if ask.per and mention.value.per and not _same_window(ask.per, mention.value.per):
        factor *= OTHER_WINDOW_FACTOR
    if ask.counted and not _counts(ask, units, unit, mention):
        factor *= OTHER_NOUN_FACTOR
    return factor


def _same_window(asked: tuple[str, str], per: str) -> bool:
    words = terms(per)
    numbers = [term.stem for term in words if term.number] or ["1"]
    return any(term.concept == asked[0] for term in words) and asked[1] in numbers


def _counts(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """The counted noun stands in the mention or right behind it; a mention without a noun takes any of its context."""
    behind = unit.text[mention.start : mention.end + 40]
    head = ask.counted[-1]
    for term in units.words(behind).terms:
        if term.concept == head.concept or term.stem == head.stem or (len(head.stem) > 3 and term.stem.endswith(head.stem)):
            return True
    context = " . ".join((unit.text, unit.block.lead_in, *unit.block.heading_path))
    named = units.words(context)
    return not _has_noun(units, mention) and (head.stem in named.by_stem or head.concept in named.by_concept)


def _has_noun(units: PageUnits, mention: Mention) -> bool:
    per = {term.concept for term in terms(mention.value.per)}
    return any(
        not term.number and term.concept not in per and not _ABBREVIATED.fullmatch(term.stem) for term in units.words(mention.verbatim).terms
    )


def _value(ask: Ask, mention: Mention) -> str:
    """The mention, without a window of several units that the question has already given: `10` accounts in three hours."""
    if ask.sub_question.answer is AnswerType.RATE and ask.per and ask.per[1] != "1" and mention.value.per and _same_window(ask.per, mention.value.per):
        number = _NUMBER.match(mention.verbatim)
        return number[0] if number else mention.verbatim
    return mention.verbatim
