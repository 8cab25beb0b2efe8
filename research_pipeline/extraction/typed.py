"""Candidates whose answer is a typed value: every mention of the right type, judged by where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from research_pipeline.extraction.question import COUNTED_TYPES, Ask
from research_pipeline.extraction.ranking import fit
from research_pipeline.extraction.scope import ScopeMatch, bound_scopes, in_scope, page_scopes
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Candidate, Mention, Region
from research_pipeline.study import AnswerType
from research_pipeline.values.units import window_size
from research_pipeline.wording import Term, terms

REGION_FACTOR = 0.25  # of what stands outside a page's main part (measured on real documentation sites)
CODE_FACTOR = 0.7  # code shows an instance more often than it states a rule
UNASKED_LABEL = 0.1  # lost where no word of a row's label is asked for
SPECIAL_FACTOR = 0.93  # of what one plan governs, where the question names none
UNBOUND_FACTOR, OTHER_PLAN_FACTOR = 0.8, 0.4
LABEL_FACTOR = 0.6  # of a value in the cell that labels its row: a key of the table, not what it tells
OTHER_WINDOW_FACTOR = 0.3  # a rate per second does not answer a question per hour
OTHER_NOUN_FACTOR, NARROWER_NOUN_FACTOR, GENERIC_NOUN_FACTOR = 0.5, 0.85, 0.9  # a count of something else, of some of it, of requests
CONDITION_FACTOR = 0.75
FURTHER_FACTOR = 0.6  # the price of more than what is asked for
OFFSET_FACTOR = 0.5  # `7 days before` where no offset is asked for, and the reverse

# `kept for 30 days before being deleted` lasts; `7 days before it expires` is a point in time
_BEFORE = re.compile(
    r"\s+(?:before|prior to|ahead of|in advance|avant|vor|antes)\b(?!\W+(?:\w+\W+){0,4}?(?:delet|remov|purg|eras|discard|archiv|destroy|lös|supprim|elimin))",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:^|[,;.:(])\s*(?:if|unless|si|wenn|falls|sofern|se)\b[^,;:()]*$", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:additional|extra|each further|overage|thereafter|supplémentaire|zusätzlich\w*|adicional)\b", re.IGNORECASE)
_GENERIC_NOUNS = frozenset(["request", "operation", "time", "attempt", "message", "item"])
_LISTED = re.compile(r"\s*(?:,|/|&|,?\s*(?:and|or|und|oder|et|ou|y|o))\s*", re.IGNORECASE)
_NEXT_WORDS = re.compile(r"(?:[\s-]+[^\W\d_]+){0,2}")

_BOUNDS = {
    "at least": frozenset(["minimum"]),
    "more than": frozenset(["minimum"]),
    "up to": frozenset(["limit"]),
    "less than": frozenset(["limit"]),
}
_ABBREVIATED = re.compile(r"[rqtcm]p[smhd]|[a-z]")  # RPM, /s
_NUMBER = re.compile(r"[\d][\d.,\u00a0\u202f' ]*\d|\d")


def typed_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Every mention of the asked type, scored."""
    question = ask.sub_question
    for unit in units.units:
        found = [mention for mention in _mentions(ask, units, unit) if not _asked_itself(ask, mention)]
        spans = [(unit.start + mention.start, unit.start + mention.end) for mention in found]
        for mention, span in zip(found, spans, strict=True):
            judged = fit(ask, units, unit, span, spans, implied=_BOUNDS.get(mention.value.bound, frozenset()))
            score = (
                judged.score
                * scope_factor(ask, units, unit, span)
                * place_factor(unit)
                * label_factor(ask, units, unit, span)
                * _kind_factor(ask, units, unit, mention)
            )
            yield Candidate(question.id, _value(ask, mention), unit.text, unit.start, round(score, 4), why=" ".join(judged.local))


def _mentions(ask: Ask, units: PageUnits, unit: Unit) -> list[Mention]:
    """The values of a unit; versions that are listed together are one answer: `TLS 1.2 and TLS 1.3`."""
    question = ask.sub_question
    found = [mention for mention in units.mentions(unit, question.answer, question.choices) if not _is_plan(units, unit, mention)]
    if question.answer is not AnswerType.VERSION:
        return found
    joined: list[Mention] = []
    for mention in found:
        if joined and _LISTED.fullmatch(unit.text, joined[-1].end, mention.start):
            start = joined.pop().start
            mention = replace(mention, verbatim=unit.text[start : mention.end], start=start)
        joined.append(mention)
    return joined


def _is_plan(units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """`Free Forever` and `Unlimited` may be names of plans."""
    if not mention.value.unlimited:
        return False
    return any(plan.start < mention.end and mention.start < plan.end for plan in page_scopes(units.page).reader.plans(unit.text))


def place_factor(unit: Unit) -> float:
    """What a place is worth by its kind, whatever it says."""
    factor = 1.0 if unit.block.region is Region.MAIN else REGION_FACTOR
    return factor * CODE_FACTOR if unit.block.kind is BlockKind.CODE else factor


def scope_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    """What another plan governs, or none where one is asked for, comes after what the asked plan governs."""
    if not ask.scope.names:
        return SPECIAL_FACTOR if bound_scopes(units.page, unit.block, *span) else 1.0
    match = in_scope(ask.scope, units.page, unit.block, *span)
    return {ScopeMatch.MATCH: 1.0, ScopeMatch.UNBOUND: UNBOUND_FACTOR, ScopeMatch.OTHER: OTHER_PLAN_FACTOR}[match]


def label_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    """In a table, what a row is about: a value in the label is its key, and a label with unasked words is about something else."""
    cells, own = unit.block.cells, unit.cell_at(*span)
    if own is None or len(cells) < 2:
        return 1.0
    if own.start == cells[0].start:
        return LABEL_FACTOR
    label = units.words(units.page.text[cells[0].start : cells[0].end]).terms
    unasked = sum(not ask.bears(term) for term in label)
    return 1 - UNASKED_LABEL * unasked / len(label) if label else 1.0


def _asked_itself(ask: Ask, mention: Mention) -> bool:
    """A quantity that the question itself names is its condition, not its answer."""
    return mention.verbatim.casefold() in ask.sub_question.text.casefold()


def _kind_factor(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """Whether the value is of the asked kind: it counts what is counted, against the window that is asked; it lasts and is no offset."""
    if ask.sub_question.answer is AnswerType.MONEY:
        return (
            1.0
            if _FURTHER.search(unit.text, mention.start, mention.end + 24) is None or _FURTHER.search(ask.sub_question.text)
            else FURTHER_FACTOR
        )
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


def _condition_factor(unit: Unit, mention: Mention) -> float:
    """A quantity in a condition (`if it is issued for only 1 name`) is oftener a case than the rule."""
    return CONDITION_FACTOR if _CONDITION.search(unit.text[: mention.start]) else 1.0


def _is_offset(unit: Unit, mention: Mention) -> bool:
    """`20 days before your certificate expires` is a point in time, not how long something lasts."""
    return _BEFORE.match(unit.text, mention.end) is not None


def _same_window(asked: tuple[str, str], per: str) -> bool:
    """Whether a rate's window (`connection 3-hour`, `minute`) is as long as the asked one."""
    wanted = window_size(asked[0] if asked[1] == "1" else f"{asked[1]}-{asked[0]}")
    return wanted is not None and wanted in [window_size(part) for part in per.split()]


def _has_window(per: str) -> bool:
    return any(window_size(part) for part in per.split())


def _counts(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """1 where the counted noun stands with the number; where no noun does, it may stand anywhere in the unit and its headings."""
    head = ask.counted[-1]
    following = _NEXT_WORDS.match(unit.text, mention.end)
    behind = unit.text[mention.start : following.end() if following else mention.end]
    terms_behind = units.words(behind).terms
    for index, term in enumerate(terms_behind):
        if _is_noun(head, term):
            between = [other for other in terms_behind[:index] if not other.number]
            return 1.0 if all(ask.bears(other) for other in between) else NARROWER_NOUN_FACTOR
    named = units.words(" . ".join((unit.text, unit.block.lead_in, *unit.block.heading_path)))
    found = head.stem in named.by_stem or head.concept in named.by_concept
    if not found:
        return OTHER_NOUN_FACTOR
    nouns = _nouns(units, mention)
    return 1.0 if not nouns else GENERIC_NOUN_FACTOR if nouns <= _GENERIC_NOUNS else OTHER_NOUN_FACTOR


def _is_noun(head: Term, term: Term) -> bool:
    """`hostnames` are names."""
    return term.concept == head.concept or term.stem == head.stem or (len(head.stem) > 3 and term.stem.endswith(head.stem))


def _nouns(units: PageUnits, mention: Mention) -> set[str]:
    """Concepts of the words in a mention that are neither its number nor its window."""
    per = {term.concept for term in terms(mention.value.per.replace("-", " "))}
    words = [term for term in units.words(mention.verbatim).terms if not term.number and not _ABBREVIATED.fullmatch(term.stem)]
    return {term.concept for term in words} - per


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
