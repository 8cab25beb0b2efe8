"""Whether a count or rate is the asked one: of the same noun, against the same window, for the same holder, and no key or code."""

from __future__ import annotations

import re

from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Mention
from research_pipeline.study import AnswerType
from research_pipeline.values.units import window_size
from research_pipeline.wording import Term, terms

OTHER_NOUN, NARROWER_NOUN = 0.5, 0.85  # a count of something else, of some of it
OTHER_WINDOW = 0.3  # a rate per second does not answer a question per hour
NO_LENGTH = 0.6  # a bare number where it is asked how long a text may be, and nothing around speaks of length
NO_WINDOW = 0.8  # `unlimited` as such, where it is asked how many in a time
GENERIC_NOUN = 0.9  # a count of requests or the like
OTHER_HOLDER = 0.8  # what each user may do, where it is asked what an organization may
LOOK_BACK = 200  # characters before a value in which what it is said of stands
CODE_OF_SOMETHING = 0.3  # a digit that only stands for something

_KINDS_OF = re.compile(
    r"\W*\w+(?:\s+\w+)?\s+(?:types?|kinds?|sorts?|classes|categories|forms|ways)\s+of\b", re.IGNORECASE
)  # kinds are counted
_TERM_OF_FORMULA = re.compile(r"[^\W\d_](?:[/*^]|\+\+)$|[\w)]\s[*/^]\s$")  # N/2, HTTP/2, C++11, (count / 1000) * 5
_CODE_FOR = re.compile(r"(?<![\w.,$€£-])\d(?=\s+(?:\([^()]*\)\s+)?(?:for|to|means?|if|when|indicates?)\b|\s*[=:])")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_QUOTES = tuple("\"'“”‘’`")
_CONSTANT_BEFORE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\s*(?:\(|=|:)\s*$")  # `STATUS_UPDATE (192)`
_BOUND_NAME = re.compile(r"MAX|MIN|LIMIT|COUNT|SIZE|NUM|DEFAULT|LENGTH|TIMEOUT")
_STEP = re.compile(r"\bby\s+$", re.IGNORECASE)
_LENGTH_ASKED = re.compile(r"^\s*how (?:long|deep)\b|\blength\b", re.IGNORECASE)
_SAYS_LENGTH = re.compile(r"\b(?:length|long(?:er)?|short(?:er)?|characters?|chars?|letters|words|bytes)\b", re.IGNORECASE)
_LENGTH_NOUNS = frozenset(["character", "letter", "word", "byte", "line", "level", "digit"])
_HOLDERS = re.compile(  # concepts of those who may do so much of something
    r"user|org|account|address|ip|token|project|workspace|repo|app|bot|team|channel|domain|key|device|site|host|connection|server|guild"
)
_AGAINST = re.compile(r"\b(?:per|each|every)[\s-]+((?:[\w-]+ )??[\w-]+)", re.IGNORECASE)
_WINDOW_HEADER = re.compile(
    r"\s*(?:time[\s-]?)?(?:duration|window|period|interval|per|seconds|minutes|hours|days)\b(?!.*\b(?:limit|requests?|quota)\b)",
    re.IGNORECASE,
)
_PER_TIME = re.compile(r"\s*(?:/|per|an?|each|every)\s*(?:milli)?(?:second|sec|minute|min|hour|day|week|month|year|s|h)\b", re.IGNORECASE)
_AMONG = re.compile(r"\bfor (?:\w+ ){1,2}(?:in|with|having) (?:(?:under|over|more than|fewer than|less than|at least) )?$", re.IGNORECASE)
_RATE_UNIT = re.compile(r"\d\s?[RQTC]P[SMHD]\b", re.IGNORECASE)
_GENERIC_NOUNS = frozenset(["request", "operation", "time", "attempt", "message", "item"])
_OR_MORE = re.compile(r"\s+or (?:more|fewer|less)\s+((?:[^\W\d_]+\s)?[^\W\d_]+)")  # `100 or more servers`
_NEXT_WORDS = re.compile(r"(?:[\s-]+[^\W\d_]+){0,2}")
_ABBREVIATED = re.compile(r"[rqtcm]p[smhd]|[a-z]|\d+[kmb]")  # RPM, /s, 25k
_OF_A_UNIT = re.compile(  # `2 total VM hours`: no things are counted
    r"(?:[\s-]+(?!(?:within|in|per|for|every|each|over|during|after|of|a|an)\b)[^\W\d][\w-]*){0,2}[\s-]+"
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|[KMGT]i?B|(?:mega|giga|kilo|tera)?bytes?)\b"
)
_NUMBER = re.compile(r"[\d][\d.,\u00a0\u202f' ]*\d|\d")


def counting_factor(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """What a count or rate is worth, from 0 to 1."""
    if _TERM_OF_FORMULA.search(unit.text[: mention.start]):
        return OTHER_NOUN
    if (
        _is_named(unit.text, mention)
        or _is_code(unit.text, mention)
        or (ask.sub_question.answer is AnswerType.COUNT and _is_key(unit, mention))
    ):
        return CODE_OF_SOMETHING
    if not (ask.counted and window_size(ask.counted[-1].concept)) and _is_of_a_window(unit, mention):
        return OTHER_WINDOW
    if ask.sub_question.answer is AnswerType.COUNT and _STEP.search(unit.text[: mention.start]):
        return OTHER_NOUN
    if not ask.counted and _LENGTH_ASKED.search(ask.sub_question.text):
        nouns = _nouns(units, mention)
        return OTHER_NOUN if not nouns <= _LENGTH_NOUNS else 1.0 if nouns or _SAYS_LENGTH.search(_heads(unit, mention)) else NO_LENGTH
    is_rate = _PER_TIME.match(unit.text, mention.end) or _RATE_UNIT.search(mention.verbatim)
    if ask.sub_question.answer is AnswerType.COUNT and ask.per is None and is_rate:
        return OTHER_WINDOW
    if _AMONG.search(unit.text, max(0, mention.start - LOOK_BACK), mention.start):
        return OTHER_NOUN
    factor = OTHER_HOLDER if _is_of_another_holder(ask, units, unit, mention) else 1.0
    return factor * window_factor(ask, mention) * (_noun(ask, units, unit, mention) if ask.counted else 1.0)


def window_factor(ask: Ask, mention: Mention) -> float:
    """Less for a rate or price against another window than the asked one."""
    named = any(window_size(part) for part in mention.value.per.split())
    if ask.per and mention.value.unlimited and not named:
        return NO_WINDOW
    return OTHER_WINDOW if ask.per and named and not is_asked_window(ask, mention) else 1.0


def is_asked_window(ask: Ask, mention: Mention) -> bool:
    """Whether a rate's window (`connection 3-hour`, `minute`) is as long as the asked one."""
    if ask.per is None:
        return False
    unit, count = ask.per
    wanted = window_size(unit if count == "1" else f"{count}-{unit}")
    return wanted is not None and wanted in [window_size(part) for part in mention.value.per.split()]


def _heads(unit: Unit, mention: Mention) -> str:
    """The text and headers that a value stands under."""
    cell = unit.cell_at(unit.start + mention.start, unit.start + mention.end)
    headers = (*cell.column_headers, *cell.row_headers) if cell is not None else ()
    return " . ".join((unit.text, *headers, unit.block.lead_in, *unit.block.heading_path[-1:]))


def _is_of_another_holder(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """Whether the row's label, the term or the value says against whom it counts (`per user`), and the question names somebody else."""
    counted = {term.concept for term in ask.counted}
    asked = {word.term.concept for word in ask.words if _HOLDERS.fullmatch(word.term.concept)} - counted
    cells = unit.block.cells
    label = unit.text[: cells[0].end - unit.start] if cells else unit.block.lead_in if unit.block.kind is BlockKind.DEFINITION else ""
    named = (match[1] for text in (label, mention.verbatim) for match in _AGAINST.finditer(text))
    against = {term.concept for name in named for term in units.words(name).terms[-1:] if _HOLDERS.fullmatch(term.concept)}
    return bool(asked and against) and asked.isdisjoint(against)


def _is_of_a_window(unit: Unit, mention: Mention) -> bool:
    """Whether the column gives times, against which another one counts: `120 | 3600` under `Limit | Duration (seconds)`."""
    cell = unit.cell_at(unit.start + mention.start, unit.start + mention.end)
    return cell is not None and any(_WINDOW_HEADER.match(header) for header in cell.column_headers)


def _is_key(unit: Unit, mention: Mention) -> bool:
    """A number that names its row (`20031 | Not allowed`), or the value of a constant (`PINNED_MESSAGE | 6`)."""
    if len(unit.block.cells) < 2:
        return False
    text = unit.text.partition("|")[0].strip()
    is_label = unit.block.cells[0].start <= unit.start + mention.start < unit.block.cells[0].end
    return is_label or (_CONSTANT.fullmatch(text) is not None and _BOUND_NAME.search(text) is None)


def _is_named(text: str, mention: Mention) -> bool:
    """A number that a constant stands for, or one in quotation marks: `STATUS_UPDATE (192)`, `the value is "0"`."""
    is_quoted = text[mention.start - 1 : mention.start] in _QUOTES and text[mention.end : mention.end + 1] in _QUOTES
    return is_quoted or _CONSTANT_BEFORE.search(text, max(0, mention.start - LOOK_BACK), mention.start) is not None


def _is_code(text: str, mention: Mention) -> bool:
    """One of several digits in a row that stand for something: `either 0 for PING or 1 for events`."""
    codes = [(found.start(), int(found[0][0])) for found in _CODE_FOR.finditer(text)]
    known = {code for _, code in codes}
    return any(start == mention.start and not known.isdisjoint((code - 1, code + 1)) for start, code in codes)


def _noun(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """1 where the counted noun stands with the number; where no noun does, it may stand anywhere in the unit and its headings."""
    head = ask.counted[-1]
    if window_size(head.concept) is None and _OF_A_UNIT.match(unit.text, mention.end):
        return OTHER_NOUN
    further = _OR_MORE.match(unit.text, mention.end)
    if further and not any(_is_noun(head, term) for term in units.words(further[1]).terms):
        return OTHER_NOUN
    following = _NEXT_WORDS.match(unit.text, mention.end)
    behind = units.words(unit.text[mention.start : following.end() if following else mention.end]).terms
    for index, term in enumerate(behind):
        if _is_noun(head, term):
            if _KINDS_OF.match(unit.text, mention.start):
                return OTHER_NOUN
            return 1.0 if all(other.number or ask.bears(other) for other in behind[:index]) else NARROWER_NOUN
    cell = unit.cell_at(unit.start + mention.start, unit.start + mention.end)
    headers = (*cell.column_headers, *cell.row_headers) if cell is not None else ()
    named = units.words(" . ".join((unit.text, unit.before, unit.block.lead_in, *headers, *unit.block.heading_path)))
    if head.stem not in named.by_stem and head.concept not in named.by_concept:
        return OTHER_NOUN
    nouns = _nouns(units, mention)
    if not nouns:
        return 1.0
    if _is_labelled(units, unit, nouns) and any(_is_noun(head, term) for term in units.words(unit.text).terms):
        return NARROWER_NOUN
    alike = {term.concept for term in ask.counted}
    if ask.sub_question.answer is AnswerType.RATE:
        alike |= _GENERIC_NOUNS
    return GENERIC_NOUN if nouns <= alike else OTHER_NOUN


def _is_labelled(units: PageUnits, unit: Unit, nouns: set[str]) -> bool:
    """Whether the row's label names the counted things as the value does (`IP addresses per token | … Default: 24 addresses`)."""
    if len(unit.block.cells) < 2:
        return False
    label = unit.text[: unit.block.cells[0].end - unit.start]
    return nouns <= {term.concept for term in units.words(label).terms}


def bears_noun(ask: Ask, mention: Mention) -> bool:
    """Whether the mention names what the question counts."""
    return any(_is_noun(ask.counted[-1], term) for term in terms(mention.verbatim, ask.language))


def _is_noun(head: Term, term: Term) -> bool:
    """`hostnames` are names."""
    return term.concept == head.concept or term.stem == head.stem or (len(head.stem) > 3 and term.stem.endswith(head.stem))


def _nouns(units: PageUnits, mention: Mention) -> set[str]:
    """Concepts of the words in a mention that are neither its number nor its window."""
    per = {term.concept for term in terms(mention.value.per.replace("-", " "))}
    words = [term for term in units.words(mention.verbatim).terms if not term.number and not _ABBREVIATED.fullmatch(term.stem)]
    return {term.concept for term in words} - per


def number_of(mention: Mention) -> str:
    """The number alone, as the page writes it."""
    number = _NUMBER.match(mention.verbatim)
    return number[0] if number else mention.verbatim
