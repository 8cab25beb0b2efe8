"""Whether a duration is the asked one: how long something lasts, not how often it happens, how long it takes or how long before it is."""

from __future__ import annotations

import re

from research_pipeline.extraction.counting import LOOK_BACK
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import Mention

UNLIMITED_USE = 0.5  # `unlimited` is said of use, not of time
OFFSET = 0.5  # `7 days before` where no offset is asked for, and the reverse
RECURRING = 0.4  # `every 24 hours` says how often, not how long
OTHER_UNIT = 0.85  # hours where it is asked how many days
NOT_OF_KEEPING = 0.85  # where it is asked how long something is kept, and nothing around says that anything is
OF_DELETING = 0.5  # where it is asked how long deleted things are kept, and nothing around says that anything is
TAKES_TIME = 0.75  # of what something takes, where it is asked how long something lasts
OTHER_END = 0.6  # when an issue is resolved, where it is asked when it is answered, and the reverse
IN_A_WHILE = 0.8  # `within 24 hours` says when something happens, not how long it lasts

_ENDING = r"delet|remov|purg|eras|discard|archiv|destroy|lös|supprim|elimin"
_BEFORE = re.compile(
    rf"\s+(?:before|prior to|ahead of|in advance|avant|vor|antes)\b(?!\W+(?:\w+\W+){{0,4}}?(?:{_ENDING}))",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\s+(?:of (?:its |the |their )?\w+ )?(?:(?:is|are) left|left|remain(?:s|ing)?)\b", re.IGNORECASE)  # before the end
_KEEPS_DELETED = re.compile(
    r"\b(?:keep|kept|retain|store|hold|preserve|recover|restore)\w*\b[^?]*?"
    r"(?<!is )(?<!are )(?<!was )(?<!been )\b(?:deleted|removed|erased) (?!from|by)\w",
    re.IGNORECASE,
)
_BROUGHT_BACK = re.compile(r"\b(?:restor|recover|undelet|undo|trash|bin\b|recycl)", re.IGNORECASE)
_UNBOUNDED_USE = re.compile(r"unlimited|no limits?|unbegrenzt|illimité\w*|ilimitad\w*", re.IGNORECASE)  # of use, not of time
_EVERY = re.compile(r"\b(?:every|each|once (?:in|per)|toutes les|tous les|alle|cada)\s+(?:the\s+)?$", re.IGNORECASE)
_KEPT = frozenset(["retain", "delete", "expire"])  # concepts
_COUNTED_UNIT = re.compile(r"\bhow many (second|minute|hour|day|week|month|year)s\b", re.IGNORECASE)
_TAKES = re.compile(
    r"\b(?:takes?|taking|took)\s+(?:(?:up to|about|around|approximately|roughly|less than|at most|as long as|only)\s+)?$", re.IGNORECASE
)
_TAKES_ASKED = re.compile(r"\b(?:takes?|taking|need|until|before|soon|fast|quick\w*|respon\w+)\b", re.IGNORECASE)
_HOW_LONG = re.compile(r"\b(?:duration|lifetime|lifespan|time[ -]to[ -]live|TTL)\b", re.IGNORECASE)
_CADENCE = re.compile(r"(?:[\s-]+\w+)?[\s-]+(?:frequency|interval|cadence|schedule)\b", re.IGNORECASE)
_LASTS = re.compile(r"\bhow (?:long|many \w+)\b.*\b(?:last|valid|kept|keep\w*|retain\w*|stored?|remains?|available|live)\b", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|within)\s+$", re.IGNORECASE)
_ENDS = re.compile(r"expir|valid|\blast|\bends?\b|delet|remov|purg|eras|laps|clos|terminat", re.IGNORECASE)
_ANSWERED = re.compile(r"\b(?:respon[ds]\w*|repl(?:y|ies|ied)|answer\w*|acknowledg\w*)\b", re.IGNORECASE)
_MENDED = re.compile(r"\b(?:resol[uv]\w*|fix(?:ed|es)?|workarounds?|restor\w*|repair\w*|update frequency|updates? every)\b", re.IGNORECASE)
_CLAUSE_BEFORE = re.compile(r"[^,;.|]*$")
_OFTEN = re.compile(r"\b(?:often|frequen\w+|interval\w*|fréquence|häufig|oft)\b", re.IGNORECASE)


def lasting_factor(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """What a duration is worth, from 0 to 1."""
    is_offset = _BEFORE.match(unit.text, mention.end) is not None or _LEFT.match(unit.text, mention.end) is not None
    factor = 1.0 if is_offset == ask.offset else OFFSET
    asked_in = _COUNTED_UNIT.search(ask.sub_question.text)
    if asked_in and asked_in[1].casefold() not in mention.verbatim.casefold():
        factor *= OTHER_UNIT
    if mention.value.unlimited and _UNBOUNDED_USE.fullmatch(mention.verbatim):
        return UNLIMITED_USE
    if _KEPT & {word.term.concept for word in ask.words} and not _speaks_of_keeping(units, unit, _KEPT):
        factor *= NOT_OF_KEEPING
    if _KEEPS_DELETED.search(ask.sub_question.text) and not _keeps_deleted(units, unit):
        factor *= OF_DELETING
    if _LASTS.search(ask.sub_question.text) and _IN.search(unit.text[: mention.start]) and not _ENDS.search(unit.text):
        factor *= IN_A_WHILE
    if _TAKES.search(unit.text[: mention.start]) and not _TAKES_ASKED.search(ask.sub_question.text):
        factor *= TAKES_TIME
    asked, said = ask.sub_question.text, _said_with(unit, mention)
    if (_is_answering(asked) and _is_mending(said)) or (_is_mending(asked) and _is_answering(said)):
        factor *= OTHER_END
    recurs = _EVERY.search(unit.text[: mention.start]) is not None or _CADENCE.match(unit.text, mention.end) is not None
    return factor if not recurs or _OFTEN.search(ask.sub_question.text) else factor * RECURRING


def _said_with(unit: Unit, mention: Mention) -> str:
    """The value's column headers, or what its clause says before it."""
    cell = unit.cell_at(unit.start + mention.start, unit.start + mention.end)
    return (
        " . ".join(cell.column_headers)
        if cell is not None
        else _CLAUSE_BEFORE.findall(unit.text[max(0, mention.start - LOOK_BACK) : mention.start])[0]
    )


def _is_answering(text: str) -> bool:
    return _ANSWERED.search(text) is not None and _MENDED.search(text) is None


def _is_mending(text: str) -> bool:
    return _MENDED.search(text) is not None and _ANSWERED.search(text) is None


def _keeps_deleted(units: PageUnits, unit: Unit) -> bool:
    """Whether something deleted is kept, by the unit and what heads it: it is brought back, or both are said."""
    if _BROUGHT_BACK.search(unit.text):
        return True
    return all(_speaks_of_keeping(units, unit, words) for words in (_KEPT - {"delete"}, frozenset(["delete"])))


def _speaks_of_keeping(units: PageUnits, unit: Unit, words: frozenset[str]) -> bool:
    """Whether the unit, or what heads it, says that something is kept, deleted or expires, by one of these concepts."""
    headers = [header for cell in unit.block.cells for header in (*cell.column_headers, *cell.row_headers)]
    if "expire" in words and _HOW_LONG.search(" . ".join((unit.text, *headers))):
        return True
    around = (unit.text, unit.before, unit.block.lead_in, *unit.block.heading_path, *headers)
    return not words.isdisjoint(units.words(" . ".join(around)).by_concept)
