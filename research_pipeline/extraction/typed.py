"""Candidates whose answer is a typed value: every mention of the right type, judged by where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.extraction.question import COUNTED_TYPES, Ask
from research_pipeline.extraction.ranking import fit
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Candidate, Mention, Region
from research_pipeline.study import AnswerType
from research_pipeline.values.units import window_size
from research_pipeline.wording import Term, terms

REGION_FACTOR = 0.25  # of what stands outside a page's main part (measured on real documentation sites)
CODE_FACTOR = 0.7  # code shows an instance more often than it states a rule
LABEL_FACTOR = 0.6  # of a value in the cell that labels its row: a key of the table, not what it tells
OTHER_WINDOW_FACTOR = 0.3  # a rate per second does not answer a question per hour
OTHER_NOUN_FACTOR, NARROWER_NOUN_FACTOR = 0.5, 0.85  # a count of something else, or of some of it
OFFSET_FACTOR = 0.5  # `7 days before` where no offset is asked for, and the reverse

_BEFORE = re.compile(r"\s+(?:before|prior to|ahead of|in advance|avant|vor|antes|prima|voor)\b", re.IGNORECASE)
_NEXT_WORDS = re.compile(r"(?:[\s-]+[^\W\d_]+){0,2}")

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
    """Whether the value is of the asked kind: it counts what is counted, against the window that is asked; it lasts and is no offset."""
    if ask.sub_question.answer is AnswerType.DURATION:
        return 1.0 if _is_offset(unit, mention) == ask.offset else OFFSET_FACTOR
    if ask.sub_question.answer not in COUNTED_TYPES:
        return 1.0
    factor = 1.0
    if ask.per and mention.value.per and not _same_window(ask.per, mention.value.per):
        factor *= OTHER_WINDOW_FACTOR
    if ask.counted:
        factor *= _counts(ask, units, unit, mention)
    return factor


def _is_offset(unit: Unit, mention: Mention) -> bool:
    """`20 days before your certificate expires` is a point in time, not how long something lasts."""
    return _BEFORE.match(unit.text, mention.end) is not None


def _same_window(asked: tuple[str, str], per: str) -> bool:
    """Whether a rate's window (`connection 3-hour`, `minute`) is as long as the asked one."""
    wanted = window_size(asked[0] if asked[1] == "1" else f"{asked[1]}-{asked[0]}")
    return wanted is not None and wanted in [window_size(part) for part in per.split()]


def _counts(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """1 where the counted noun stands with the number; where no noun does, it may stand anywhere in the unit and its headings."""
    head = ask.counted[-1]
    behind = unit.text[mention.start : mention.end] + _NEXT_WORDS.match(unit.text, mention.end)[0]  # type: ignore[index] # matches the empty string
    terms_behind = units.words(behind).terms
    for index, term in enumerate(terms_behind):
        if _is_noun(head, term):
            between = [other for other in terms_behind[:index] if not other.number]
            return 1.0 if all(ask.bears(other) for other in between) else NARROWER_NOUN_FACTOR
    named = units.words(" . ".join((unit.text, unit.block.lead_in, *unit.block.heading_path)))
    found = head.stem in named.by_stem or head.concept in named.by_concept
    return 1.0 if found and not _has_noun(units, mention) else OTHER_NOUN_FACTOR


def _is_noun(head: Term, term: Term) -> bool:
    """`hostnames` are names."""
    return term.concept == head.concept or term.stem == head.stem or (len(head.stem) > 3 and term.stem.endswith(head.stem))


def _has_noun(units: PageUnits, mention: Mention) -> bool:
    per = {term.concept for term in terms(mention.value.per)}
    return any(
        not term.number and term.concept not in per and not _ABBREVIATED.fullmatch(term.stem)
        for term in units.words(mention.verbatim).terms
    )


def _value(ask: Ask, mention: Mention) -> str:
    """The mention, without a window of several units that the question has already given: `10` accounts in three hours."""
    if (
        ask.sub_question.answer is AnswerType.RATE
        and ask.per
        and ask.per[1] != "1"
        and mention.value.per
        and _same_window(ask.per, mention.value.per)
    ):
        number = _NUMBER.match(mention.verbatim)
        return number[0] if number else mention.verbatim
    return mention.verbatim
