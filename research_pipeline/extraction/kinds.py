"""Whether a value is of the asked kind beyond its type: it counts what is counted, in the asked window, as a rule and for the asked use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from research_pipeline.extraction.extremes import asked_extreme, end_of, with_strict_bound
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind, Mention
from research_pipeline.study import AnswerType
from research_pipeline.values.units import window_size
from research_pipeline.wording import SUBJECT_WEIGHT, Term, importance, terms

OTHER_WINDOW = 0.3  # a rate per second does not answer a question per hour
OTHER_NOUN, NARROWER_NOUN, GENERIC_NOUN = 0.5, 0.85, 0.9  # a count of something else, of some of it, of requests
OFFSET = 0.5  # `7 days before` where no offset is asked for, and the reverse
RECURRING = 0.4  # `every 24 hours` says how often, not how long
IN_A_CASE = 0.85  # what holds in a case that the question does not name
OTHER_UNIT = 0.85  # hours where it is asked how many days
NOT_OF_KEEPING = 0.85  # where it is asked how long something is kept, and nothing around says that anything is
TAKES_TIME = 0.75  # of what something takes, where it is asked how long something lasts
IN_A_WHILE = 0.8  # `within 24 hours` says when something happens, not how long it lasts
OTHER_HOLDER = 0.8  # what each user may do, where it is asked what an organization may
FURTHER = 0.6  # the price of more than what is asked for
PARTIAL = 0.7  # what holds for some of them only
CODE_OF_SOMETHING = 0.3  # a digit that only stands for something
OF_SOMETHING = 0.7  # a share of something that is not asked about
CONDITION = 0.65  # a quantity in a condition is oftener a case than the rule

# `kept for 30 days before being deleted` lasts; `7 days before it expires` is a point in time
_ENDING = r"delet|remov|purg|eras|discard|archiv|destroy|lös|supprim|elimin"
_BEFORE = re.compile(
    rf"\s+(?:before|prior to|ahead of|in advance|avant|vor|antes)\b(?!\W+(?:\w+\W+){{0,4}}?(?:{_ENDING}))",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:^|\s)(?:values?|anything|everything|those|settings?|numbers?) (?:below|above|under|over|less than|more than)\s+$|"
    r"(?:^|[,;.:(])\s*(?:if|unless|si|wenn|falls|sofern|se)\b[^,;:()]*$|"
    r"\b(?:\w*activity|inactiv\w*|active|at least \w+(?: \w+){0,2})\s+(?:in|over|within|for|during)\s+(?:the |an? )?(?:past |last |previous )?$",
    re.IGNORECASE,
)
_LIMIT_ON = re.compile(r"\s+(?:on|to|for)\s+([^,;.:()]+)", re.IGNORECASE)
_NUMBER_OF = re.compile(r"(?:the\s+)?(?:number|count)\s+of\b", re.IGNORECASE)
_CASE = re.compile(r"\s*(?:if|when|whenever|wenn|falls|si|lorsque)\b([^,;:.()]*),", re.IGNORECASE)
_PRODUCT = re.compile(r"\b([A-Z][\w.+-]*)\s+(?:[Vv]ersions?\s+)?$")  # whose version one is
_KINDS_OF = re.compile(
    r"\W*\w+(?:\s+\w+)?\s+(?:types?|kinds?|sorts?|classes|categories|forms|ways)\s+of\b", re.IGNORECASE
)  # kinds are counted
_SOME = re.compile(r"\bsome\b(?! point)[^.;:()]*$", re.IGNORECASE)
_TERM_OF_FORMULA = re.compile(r"[^\W\d_](?:[/*^]|\+\+)$")  # N/2, HTTP/2, C++11
_OR_NEWER = re.compile(r"\s*(?:\+|or (?:newer|later|higher|above|greater))", re.IGNORECASE)  # the condition is what a version is asked for
_UNBOUNDED_USE = re.compile(r"unlimited|no limits?|unbegrenzt|illimité\w*|ilimitad\w*", re.IGNORECASE)  # of use, not of time
_HABIT = re.compile(
    r"\bmost\s+\w+(?:\s+(?!should|must|can|may)\w+)?\s+(?:consume|use|take|need|run|finish|complete|last|stay)\b[^.;:()]*$", re.IGNORECASE
)
_HABIT_ASKED = re.compile(r"\b(?:usual\w*|typical\w*|normal\w*|average)\b|\bmost (?!of the)\w+s\b", re.IGNORECASE)
_CODE_FOR = re.compile(r"(?<![\w.,$€£-])\d(?=\s+(?:\([^()]*\)\s+)?(?:for|to|means?|if|when|indicates?)\b|\s*[=:])")
_SHARE_OF = re.compile(r"\s+of\s+(?:the\s+|our\s+|your\s+|all\s+|each\s+|every\s+|an?\s+)*((?:\w+\s+)?\w+)", re.IGNORECASE)
_TIME_WORD = re.compile(r"\b(?:time|minutes?|hours?|days?|weeks?|months?|quarters?|years?|requests?)\b", re.IGNORECASE)
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_BOUND_NAME = re.compile(r"MAX|MIN|LIMIT|COUNT|SIZE|NUM|DEFAULT|LENGTH|TIMEOUT")
_STEP = re.compile(r"\bby\s+$", re.IGNORECASE)
_LENGTH_ASKED = re.compile(r"\s*how (?:long|deep)\b", re.IGNORECASE)
_LENGTH_NOUNS = frozenset(["character", "letter", "word", "byte", "line", "level", "digit"])
_HOLDERS = frozenset(
    [
        "user",
        "org",
        "account",
        "address",
        "ip",
        "token",
        "project",
        "workspace",
        "repo",
        "app",
        "bot",
        "team",
        "channel",
        "domain",
        "key",
        "device",
        "site",
        "host",
        "connection",
        "server",
        "guild",
    ]
)
_AGAINST = re.compile(r"\b(?:per|each|every)[\s-]+((?:[\w-]+ )??[\w-]+)", re.IGNORECASE)
_WINDOW_HEADER = re.compile(
    r"\s*(?:time[\s-]?)?(?:duration|window|period|interval|per|seconds|minutes|hours|days)\b(?!.*\b(?:limit|requests?|quota)\b)",
    re.IGNORECASE,
)
_PER_TIME = re.compile(r"\s*(?:/|per|an?|each|every)\s*(?:milli)?(?:second|sec|minute|min|hour|day|week|month|year|s|h)\b", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:every|each|once (?:in|per)|toutes les|tous les|alle|cada)\s+(?:the\s+)?$", re.IGNORECASE)
_KEPT = frozenset(["retain", "delete", "expire"])  # concepts
_COUNTED_UNIT = re.compile(r"\bhow many (second|minute|hour|day|week|month|year)s\b", re.IGNORECASE)
_TAKES = re.compile(
    r"\b(?:takes?|taking|took)\s+(?:(?:up to|about|around|approximately|roughly|less than|at most|as long as|only)\s+)?$", re.IGNORECASE
)
_TAKES_ASKED = re.compile(r"\b(?:takes?|taking|need|until|before|soon|fast|quick\w*|respon\w+)\b", re.IGNORECASE)
_CADENCE = re.compile(r"(?:[\s-]+\w+)?[\s-]+(?:frequency|interval|cadence|schedule)\b", re.IGNORECASE)
_LASTS = re.compile(r"\bhow (?:long|many \w+)\b.*\b(?:last|valid|kept|keep\w*|retain\w*|stored?|remains?|available|live)\b", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|within)\s+$", re.IGNORECASE)
_ENDS = re.compile(r"expir|valid|\blast|\bends?\b|delet|remov|purg|eras|laps|clos|terminat", re.IGNORECASE)
_OFTEN = re.compile(r"\b(?:often|frequen\w+|interval\w*|fréquence|häufig|oft)\b", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:additional|extra|each further|overage|thereafter|supplémentaire|zusätzlich\w*|adicional)\b", re.IGNORECASE)
_LOOK_AHEAD = 24  # characters behind a price in which it may say that it is for more
_GENERIC_NOUNS = frozenset(["request", "operation", "time", "attempt", "message", "item"])
_NEXT_WORDS = re.compile(r"(?:[\s-]+[^\W\d_]+){0,2}")
_ABBREVIATED = re.compile(r"[rqtcm]p[smhd]|[a-z]")  # RPM, /s
_OF_A_UNIT = re.compile(  # `2 total VM hours`: no things are counted
    r"(?:[\s-]+(?!(?:within|in|per|for|every|each|over|during|after|of|a|an)\b)[^\W\d][\w-]*){0,2}[\s-]+(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|[KMGT]i?B|(?:mega|giga|kilo|tera)?bytes?)\b"
)
_NUMBER = re.compile(r"[\d][\d.,\u00a0\u202f' ]*\d|\d")


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


def is_asked_window(ask: Ask, mention: Mention) -> bool:
    """Whether the question gives a window, and a rate or price is against one as long."""
    return _is_asked_window(ask, mention)


def stated_value(ask: Ask, text: str, mention: Mention) -> str:
    """The mention of a text; of a range the end that is asked for.

    Of a rate whose window of several units the question gives, the number alone (`10` accounts in three hours).
    """
    extreme = asked_extreme(ask.sub_question.text)
    if extreme and (stated := end_of(mention, extreme, ask.sub_question.answer) or with_strict_bound(text, mention, extreme)):
        return stated
    if ask.sub_question.answer is AnswerType.COUNT and ask.counted and not _bears_noun(ask, mention):
        number = _NUMBER.match(mention.verbatim)
        return number[0] if number else mention.verbatim
    given = ask.per is not None and ask.per[1] != "1" and _is_asked_window(ask, mention)
    number = _NUMBER.match(mention.verbatim) if given and ask.sub_question.answer is AnswerType.RATE else None
    return number[0] if number else mention.verbatim


def _duration(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    is_offset = _BEFORE.match(unit.text, mention.end) is not None
    factor = 1.0 if is_offset == ask.offset else OFFSET
    asked_in = _COUNTED_UNIT.search(ask.sub_question.text)
    if asked_in and asked_in[1].casefold() not in mention.verbatim.casefold():
        factor *= OTHER_UNIT
    if mention.value.unlimited and _UNBOUNDED_USE.fullmatch(mention.verbatim):
        return OTHER_NOUN
    if _KEPT & {word.term.concept for word in ask.words} and not _speaks_of_keeping(units, unit):
        factor *= NOT_OF_KEEPING
    if _LASTS.search(ask.sub_question.text) and _IN.search(unit.text[: mention.start]) and not _ENDS.search(unit.text):
        factor *= IN_A_WHILE
    if _TAKES.search(unit.text[: mention.start]) and not _TAKES_ASKED.search(ask.sub_question.text):
        factor *= TAKES_TIME
    recurs = _EVERY.search(unit.text[: mention.start]) is not None or _CADENCE.match(unit.text, mention.end) is not None
    return factor if not recurs or _OFTEN.search(ask.sub_question.text) else factor * RECURRING


def _speaks_of_keeping(units: PageUnits, unit: Unit) -> bool:
    """Whether the unit, or what heads it, says that something is kept, deleted or expires."""
    headers = (header for cell in unit.block.cells for header in (*cell.column_headers, *cell.row_headers))
    around = (unit.text, unit.before, unit.block.lead_in, *unit.block.heading_path, *headers)
    return not _KEPT.isdisjoint(units.words(" . ".join(around)).by_concept)


def _percent(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """`50% of users` is a share of what the question may not name."""
    whole = _SHARE_OF.match(unit.text, mention.end)
    if whole is None or _TIME_WORD.search(whole[1]):
        return 1.0
    return 1.0 if all(ask.bears(term) for term in units.words(whole[1]).terms) else OF_SOMETHING


def _money(ask: Ask, _units: PageUnits, unit: Unit, mention: Mention) -> float:
    is_further = _FURTHER.search(unit.text, mention.start, mention.end + _LOOK_AHEAD) is not None
    is_each = any(window_size(part) is None for part in mention.value.per.split())
    asked = _FURTHER.search(ask.sub_question.text) is not None
    factor = FURTHER if is_further != asked and not (asked and is_each) else 1.0
    return factor * _window(ask, mention)


def _size(ask: Ask, units: PageUnits, _unit: Unit, mention: Mention) -> float:
    """`40 MB per sector` is the size of each sector, which the question may not name."""
    per = units.words(mention.value.per.replace("-", " ")).terms
    is_asked = all(ask.bears(term) or window_size(term.stem) is not None for term in per)
    return 1.0 if is_asked else NARROWER_NOUN


def _version(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """`OpenSSL 1.0` is no version of what is asked about, even where that stands in the same sentence."""
    named = _PRODUCT.search(unit.text[: mention.start])
    return 1.0 if named is None or all(ask.bears(term) for term in units.words(named[1]).terms) else OTHER_NOUN


def _counted(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    if _TERM_OF_FORMULA.search(unit.text[: mention.start]):
        return OTHER_NOUN
    if _is_code(unit.text, mention) or (ask.sub_question.answer is AnswerType.COUNT and _is_key(unit, mention)):
        return CODE_OF_SOMETHING
    if not (ask.counted and window_size(ask.counted[-1].concept)) and _is_of_a_window(unit, mention):
        return OTHER_WINDOW
    if ask.sub_question.answer is AnswerType.COUNT and _STEP.search(unit.text[: mention.start]):
        return OTHER_NOUN
    if not ask.counted and _LENGTH_ASKED.match(ask.sub_question.text):
        return 1.0 if _nouns(units, mention) <= _LENGTH_NOUNS else OTHER_NOUN
    if ask.sub_question.answer is AnswerType.COUNT and ask.per is None and _PER_TIME.match(unit.text, mention.end):
        return OTHER_WINDOW
    factor = OTHER_HOLDER if _is_of_another_holder(ask, units, unit, mention) else 1.0
    return factor * _window(ask, mention) * (_noun(ask, units, unit, mention) if ask.counted else 1.0)


def _is_of_another_holder(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """Whether the row's label, the term or the value says against whom it counts (`per user`), and the question names somebody else."""
    counted = {term.concept for term in ask.counted}
    asked = {word.term.concept for word in ask.words if word.term.concept in _HOLDERS} - counted
    cells = unit.block.cells
    label = unit.text[: cells[0].end - unit.start] if cells else unit.block.lead_in if unit.block.kind is BlockKind.DEFINITION else ""
    named = (match[1] for text in (label, mention.verbatim) for match in _AGAINST.finditer(text))
    against = {term.concept for name in named for term in units.words(name).terms[-1:] if term.concept in _HOLDERS}
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


def _is_code(text: str, mention: Mention) -> bool:
    """One of several digits in a row that stand for something: `either 0 for PING or 1 for events`."""
    codes = [(found.start(), int(found[0][0])) for found in _CODE_FOR.finditer(text)]
    known = {code for _, code in codes}
    return any(start == mention.start and not known.isdisjoint((code - 1, code + 1)) for start, code in codes)


_JUDGES: Mapping[AnswerType, Callable[[Ask, PageUnits, Unit, Mention], float]] = MappingProxyType(
    {
        AnswerType.DURATION: _duration,
        AnswerType.PERCENT: _percent,
        AnswerType.MONEY: _money,
        AnswerType.SIZE: _size,
        AnswerType.VERSION: _version,
        AnswerType.COUNT: _counted,
        AnswerType.RATE: _counted,
    }
)


def _window(ask: Ask, mention: Mention) -> float:
    named = any(window_size(part) for part in mention.value.per.split())
    return OTHER_WINDOW if ask.per and named and not _is_asked_window(ask, mention) else 1.0


def _is_asked_window(ask: Ask, mention: Mention) -> bool:
    """Whether a rate's window (`connection 3-hour`, `minute`) is as long as the asked one."""
    if ask.per is None:
        return False
    unit, count = ask.per
    wanted = window_size(unit if count == "1" else f"{count}-{unit}")
    return wanted is not None and wanted in [window_size(part) for part in mention.value.per.split()]


def _noun(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """1 where the counted noun stands with the number; where no noun does, it may stand anywhere in the unit and its headings."""
    head = ask.counted[-1]
    if window_size(head.concept) is None and _OF_A_UNIT.match(unit.text, mention.end):
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
    alike = {term.concept for term in ask.counted}
    if ask.sub_question.answer is AnswerType.RATE:
        alike |= _GENERIC_NOUNS
    return GENERIC_NOUN if nouns <= alike else OTHER_NOUN


def _bears_noun(ask: Ask, mention: Mention) -> bool:
    return any(_is_noun(ask.counted[-1], term) for term in terms(mention.verbatim, ask.language))


def _is_noun(head: Term, term: Term) -> bool:
    """`hostnames` are names."""
    return term.concept == head.concept or term.stem == head.stem or (len(head.stem) > 3 and term.stem.endswith(head.stem))


def _nouns(units: PageUnits, mention: Mention) -> set[str]:
    """Concepts of the words in a mention that are neither its number nor its window."""
    per = {term.concept for term in terms(mention.value.per.replace("-", " "))}
    words = [term for term in units.words(mention.verbatim).terms if not term.number and not _ABBREVIATED.fullmatch(term.stem)]
    return {term.concept for term in words} - per
