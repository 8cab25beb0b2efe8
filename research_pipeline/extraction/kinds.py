"""Whether a value is of the asked kind beyond its type: it counts what is counted, in the asked window, as a rule and for the asked use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from research_pipeline.extraction.counting import (
    LOOK_BACK,
    NARROWER_NOUN,
    OTHER_NOUN,
    bears_noun,
    counting_factor,
    is_asked_window,
    number_of,
    window_factor,
)
from research_pipeline.extraction.extremes import asked_extreme, end_of, with_strict_bound
from research_pipeline.extraction.lasting import lasting_factor
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.extraction.versions import version_factor
from research_pipeline.records import Mention
from research_pipeline.study import AnswerType
from research_pipeline.values.units import window_size
from research_pipeline.wording import SUBJECT_WEIGHT, importance

IN_A_CASE = 0.85  # what holds in a case that the question does not name
FURTHER = 0.6  # the price of more than what is asked for
PARTIAL = 0.7  # what holds for some of them only
OF_SOMETHING = 0.7  # a share of something that is not asked about
CONDITION = 0.65  # a quantity in a condition is oftener a case than the rule

_CONDITION = re.compile(
    r"(?:^|\s)(?:values?|anything|everything|those|settings?|numbers?) (?:below|above|under|over|less than|more than)\s+$|"
    r"(?:^|[,;.:(])\s*(?:if|unless|si|wenn|falls|sofern|se)\b[^,;:()]*$|"
    r"\b(?:\w*activity|inactiv\w*|active|at least \w+(?: \w+){0,2})\s+(?:in|over|within|for|during)\s+(?:the |an? )?"
    r"(?:past |last |previous )?$",
    re.IGNORECASE,
)
_LIMIT_ON = re.compile(r"\s+(?:on|to|for)\s+([^,;.:()]+)", re.IGNORECASE)
_NUMBER_OF = re.compile(r"(?:the\s+)?(?:number|count)\s+of\b", re.IGNORECASE)
_CASE = re.compile(r"\s*(?:if|when|whenever|wenn|falls|si|lorsque)\b([^,;:.()]*),", re.IGNORECASE)
_SOME = re.compile(r"\bsome\b(?! point)[^.;:()]*$", re.IGNORECASE)
_OR_NEWER = re.compile(r"\s*(?:\+|or (?:newer|later|higher|above|greater))", re.IGNORECASE)  # the condition is what a version is asked for
_HABIT = re.compile(
    r"\bmost\s+\w+(?:\s+(?!should|must|can|may)\w+)?\s+(?:consume|use|take|need|run|finish|complete|last|stay)\b[^.;:()]*$", re.IGNORECASE
)
_HABIT_ASKED = re.compile(r"\b(?:usual\w*|typical\w*|normal\w*|average)\b|\bmost (?!of the)\w+s\b", re.IGNORECASE)
_PAID_BACK = re.compile(r"\b(?:credit|credited|credits|refund\w*|discount\w*|off|rebate|fees?|tax\w*|VAT)\b", re.IGNORECASE)
_ASKS_PAID_BACK = re.compile(rf"{_PAID_BACK.pattern}|\b(?:reduc\w+|cheaper|sav(?:e|es|ings?)|compensat\w+)\b", re.IGNORECASE)
_WORDS_BEFORE = re.compile(r"[^,;.:()\d]{0,40}$")
_WORDS_BEHIND = re.compile(r"[^,;.:()\d]{0,25}")
_SHARE_OF = re.compile(r"\s+of\s+(?:the\s+|our\s+|your\s+|all\s+|each\s+|every\s+|an?\s+)*((?:\w+\s+)?\w+)", re.IGNORECASE)
_TIME_WORD = re.compile(r"\b(?:time|minutes?|hours?|days?|weeks?|months?|quarters?|years?|requests?)\b", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:additional|extra|each further|overage|thereafter|supplémentaire|zusätzlich\w*|adicional)\b", re.IGNORECASE)
_LOOK_AHEAD = 24  # characters behind a price in which it may say that it is for more


def kind_factor(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """What a mention is worth, from 0 to 1, for what it is a value of."""
    is_bound = ask.sub_question.answer is AnswerType.VERSION and _OR_NEWER.match(unit.text, mention.end) is not None
    if mention.value.unlimited and _of_something_else(ask, units, unit, mention):
        return OTHER_NOUN
    factor = CONDITION if not is_bound and _CONDITION.search(unit.text[: mention.start]) else 1.0
    if _other_case(ask, units, unit, mention):
        factor *= IN_A_CASE
    if _HABIT.search(unit.text[: mention.start]) and not _HABIT_ASKED.search(ask.sub_question.text):
        factor *= PARTIAL
    judge = _JUDGES.get(ask.sub_question.answer)
    if _SOME.search(unit.text[: mention.start]) and not _SOME.search(ask.sub_question.text):
        factor *= PARTIAL
    return factor * judge(ask, units, unit, mention) if judge else factor


def _other_case(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """Whether the sentence begins with a condition of its own: `If you add it in a browser, …` where no browser is asked about."""
    case = _CASE.match(unit.text)
    if case is None or mention.start < case.end():
        return False
    return any(importance(term) >= SUBJECT_WEIGHT and not ask.bears(term) for term in units.words(case[1]).terms)


def _of_something_else(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """`No limit on the number of events` says nothing of their size."""
    named = _LIMIT_ON.match(unit.text, mention.end)
    if named is None:
        return False
    if _NUMBER_OF.match(named[1]) and ask.sub_question.answer not in (AnswerType.COUNT, AnswerType.RATE):
        return True
    return not any(term.stem in ask.own_subjects for term in units.words(named[1]).terms)


def stated_value(ask: Ask, text: str, mention: Mention) -> str:
    """The mention of a text; of a range the end that is asked for.

    Of a rate whose window of several units the question gives, the number alone (`10` accounts in three hours); so of a count that stands
    with another noun than the asked one (`3,000 Acme Runner minutes` of minutes).
    """
    extreme = asked_extreme(ask.sub_question.text)
    if extreme and (stated := end_of(mention, extreme, ask.sub_question.answer) or with_strict_bound(text, mention, extreme)):
        return stated
    is_unnamed = ask.sub_question.answer is AnswerType.COUNT and bool(ask.counted) and not bears_noun(ask, mention)
    is_of_window = (
        ask.sub_question.answer is AnswerType.RATE and ask.per is not None and ask.per[1] != "1" and is_asked_window(ask, mention)
    )
    return number_of(mention) if is_unnamed or is_of_window else mention.verbatim


def _percent(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """`50% of users` is a share of what the question may not name; beside a credit, what is paid back, or the case in which it is."""
    if not _ASKS_PAID_BACK.search(ask.sub_question.text):
        is_of_sla = unit.cell_at(unit.start + mention.start, unit.start + mention.end) is None and _PAID_BACK.search(unit.text) is not None
        if _PAID_BACK.search(_near(unit, mention)) or (is_of_sla and not mention.value.bound):
            return OTHER_NOUN
        if is_of_sla and mention.value.bound == "less than" and not _CONDITION.search(unit.text[: mention.start]):
            return CONDITION
    whole = _SHARE_OF.match(unit.text, mention.end)
    if whole is None or _TIME_WORD.search(whole[1]):
        return 1.0
    return 1.0 if all(ask.bears(term) for term in units.words(whole[1]).terms) else OF_SOMETHING


def _near(unit: Unit, mention: Mention) -> str:
    """The value's cell headers, or the words right around it: none over a comma or another number."""
    cell = unit.cell_at(unit.start + mention.start, unit.start + mention.end)
    if cell is not None and cell.column_headers:
        return " . ".join(cell.column_headers)
    before, behind = (
        _WORDS_BEFORE.search(unit.text, max(0, mention.start - LOOK_BACK), mention.start),
        _WORDS_BEHIND.match(unit.text, mention.end),
    )
    return " . ".join(found[0] for found in (before, behind) if found)


def _money(ask: Ask, _units: PageUnits, unit: Unit, mention: Mention) -> float:
    before = _WORDS_BEFORE.search(unit.text, max(0, mention.start - LOOK_BACK), mention.start)
    is_further = _FURTHER.search(unit.text, before.start() if before else mention.start, mention.end + _LOOK_AHEAD) is not None
    is_each = any(window_size(part) is None for part in mention.value.per.split())
    asked = _FURTHER.search(ask.sub_question.text) is not None
    factor = FURTHER if is_further != asked and not (asked and is_each) else 1.0
    return factor * window_factor(ask, mention)


def _size(ask: Ask, units: PageUnits, _unit: Unit, mention: Mention) -> float:
    """`40 MB per sector` is the size of each sector, which the question may not name."""
    per = units.words(mention.value.per.replace("-", " ")).terms
    is_asked = all(ask.bears(term) or window_size(term.stem) is not None for term in per)
    return 1.0 if is_asked else NARROWER_NOUN


_JUDGES: Mapping[AnswerType, Callable[[Ask, PageUnits, Unit, Mention], float]] = MappingProxyType(
    {
        AnswerType.DURATION: lasting_factor,
        AnswerType.PERCENT: _percent,
        AnswerType.MONEY: _money,
        AnswerType.SIZE: _size,
        AnswerType.VERSION: version_factor,
        AnswerType.COUNT: counting_factor,
        AnswerType.RATE: counting_factor,
    }
)
