"""Whether a version is the asked one: of the same product, still supported, and the least or greatest of a list where that is asked for."""

from __future__ import annotations

import re

from research_pipeline.extraction.counting import LOOK_BACK, OTHER_NOUN
from research_pipeline.extraction.extremes import Extreme, asked_extreme
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import Mention
from research_pipeline.study import AnswerType

GIVEN_UP = 0.4  # a version that is not supported any longer
NOT_THE_END = 0.8  # of a list, a version that is neither the least nor the greatest, whichever is asked for

_PRODUCT = re.compile(r"\b([A-Z][\w.+-]*)\s+(?:[Vv]ersions?\s+)?$")  # whose version one is
_ASKED = re.compile(r"\b(?i:which|what) (?:\w+ )??([A-Z][\w.+#-]*) versions?\b")
_OF = re.compile(r"\s+of\s+(?:the\s+|our\s+|your\s+)?([\w.+#-]*\w)")
_ENDED = r"(?:drop(?:ped|s)?|removed?|disabled?|deprecate[ds]?|discontinued?|reject(?:ed|s)?|block(?:ed|s)?|retired?|unsupported|sunset)"
_GIVES_UP = re.compile(
    rf"\b(?:{_ENDED}|no longer (?:\w+ )?\w+|(?:do|does|is|are) not support\w*|end(?:ed|s)? (?:the )?support for)\b"
    r"(?:(?!\b(?:we|now|use|needs?|requires?|supports|accepts?)\b)(?:[^.;]|\.(?=\d)))*$",
    re.IGNORECASE,
)
_IS_GIVEN_UP = re.compile(
    r"(?:\s*(?:,|/|&|\band\b|\bor\b)+\s*(?:[A-Za-z]+ )?v?\d[\d.]*)*\s*(?:versions? )?"
    rf"(?:\b(?:is|are|was|were|has been|have been|will be)\s+(?:\w+ly |now |all |also )?(?:{_ENDED}|not support\w*|no longer \w+)\b"
    r"|\b(?:has |have )?reached (?:its |their )?end\b)",
    re.IGNORECASE,
)
_ASKS_ENDED = re.compile(rf"\b(?:{_ENDED}|no longer|end[ -]of[ -](?:life|support)|EOL)\b", re.IGNORECASE)


def version_factor(ask: Ask, units: PageUnits, unit: Unit, mention: Mention) -> float:
    """What a version is worth, from 0 to 1."""
    named = _PRODUCT.search(unit.text[: mention.start])
    is_other = named is not None and not all(ask.bears(term) for term in units.words(named[1]).terms)
    factor = OTHER_NOUN if is_other or _is_of_another(ask, unit, mention) else 1.0
    if _ASKS_ENDED.search(ask.sub_question.text):
        return factor
    if _is_given_up(unit.text, mention):
        return factor * GIVEN_UP
    extreme = asked_extreme(ask.sub_question.text)
    return factor * (NOT_THE_END if extreme and mention != _end(units, unit, mention, extreme) else 1.0)


def _is_of_another(ask: Ask, unit: Unit, mention: Mention) -> bool:
    """`Version 8 of the agent`, where the question is for a version of Python."""
    asked, found = _ASKED.search(ask.sub_question.text), _OF.match(unit.text, mention.end)
    return asked is not None and found is not None and asked[1].casefold() != found[1].casefold()


def _is_given_up(text: str, mention: Mention) -> bool:
    """`TLS 1.0 and 1.1 are disabled`, `we dropped Python 3.6`."""
    return (
        _GIVES_UP.search(text, max(0, mention.start - LOOK_BACK), mention.start) is not None
        or _IS_GIVEN_UP.match(text, mention.end) is not None
    )


def _end(units: PageUnits, unit: Unit, mention: Mention, extreme: Extreme) -> Mention:
    """The least or the greatest of the unit's versions of one product that still stand."""
    alike = {"", _name(mention)}
    standing = [
        other
        for other in units.mentions(unit, AnswerType.VERSION)
        if (_name(other) in alike or not _name(mention)) and not _is_given_up(unit.text, other)
    ]
    return (min if extreme is Extreme.LEAST else max)(standing, key=_in_order, default=mention)


def _name(mention: Mention) -> str:
    """Of `TLS 1.2` the product; of a further one in a list, `1.3`, nothing."""
    return re.split(r"v?\d", mention.verbatim.casefold(), maxsplit=1)[0].strip()


def _in_order(mention: Mention) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", mention.value.amount)]
