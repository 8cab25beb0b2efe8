"""Numbers of things: `100 Names`, `1.5 million users`, `10k`; not amounts that carry a unit, a year, a status code or a list number."""

from __future__ import annotations

import re

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.money import money_in, scale_at
from research_pipeline.values.numbers import LETTER, bound_after, quantities_in
from research_pipeline.values.percents import percents_in
from research_pipeline.values.sizes import size_unit_at
from research_pipeline.values.units import unit_at

_NOUN = re.compile(rf"[ \u00a0\u202f]([{LETTER}][{LETTER}'’-]*)|\s?(回|次|件|個|个|条|名|人|つ|ドメイン名?|[ァ-ヺー一-鿿]+)")
_NO_NOUN = frozenset(
    ["and", "or", "of", "to", "in", "on", "at", "for", "with", "per", "is", "are", "was", "were", "be", "by", "from", "as", "the", "a", "an", "if", "then", "than", "that", "this", "which", "who", "can", "may", "will", "must", "should", "und", "oder", "von", "zu", "in", "im", "für", "mit", "pro", "je", "ist", "sind", "et", "ou", "de", "du", "des", "par", "pour", "avec", "y", "o", "por", "para", "con", "e", "em", "com", "del", "di", "per"]
)
_AMBIGUOUS_WORDS = frozenset(["once", "due", "media", "mil", "sei", "dos", "sept", "elf", "half", "six"]) - {"six"}
_BEFORE_NO_COUNT = re.compile(
    r"(?:\b(?:version|section|step|figure|fig|table|chapter|page|port|http|https|error|code|status|rfc|iso|soc|article|part|appendix|level|tier"
    r"|type|phase|question|line|no|nr|example|note|option|rule|id|api|tls|ssl)\.?\s|[#№§©v]\s?|[€$£¥]\s?)$",
    re.IGNORECASE,
)
_STATUS_AFTER = re.compile(r"\s(?:errors?|status|response|not found|forbidden|unauthorized|too many requests|redirects?)\b", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s")
_YEAR_BEFORE = re.compile(r"\b(?:in|since|until|by|of|from|january|february|march|april|may|june|july|august|september|october|november|december)\s$|,\s$", re.IGNORECASE)  # fmt: skip
_LETTER_BEHIND = re.compile(rf"[{LETTER}]|[-‐][{LETTER}]")


def counts_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every count of the text, in order; verbatim is the number with the noun that directly follows it."""
    others = [mention for find in (money_in, percents_in) for mention in find(text)]
    list_number = _LIST_NUMBER.match(text)
    found: list[Mention] = []
    for quantity in quantities_in(text):
        if quantity.article or (list_number and quantity.start < list_number.end() and not whole):
            continue
        if any(other.start <= quantity.start < other.end for other in others):
            continue
        scale, end = scale_at(text, quantity.end)
        if _LETTER_BEHIND.match(text, end) or unit_at(text, end) or size_unit_at(text, end):
            continue
        before = text[max(0, quantity.start - 14) : quantity.start]
        if not whole and (_BEFORE_NO_COUNT.search(before) or _is_code_or_year(text, quantity.start, end, before)):
            continue
        noun = _NOUN.match(text, end)
        follows = bool(noun and (noun[1] or noun[2]).casefold() not in _NO_NOUN)
        if quantity.spelled and (not follows or text[quantity.start : quantity.end].casefold() in _AMBIGUOUS_WORDS):
            continue
        if quantity.low.denominator != 1 and scale == 1:
            continue
        stop = noun.end() if noun and follows else end
        upper = None if quantity.high is None else str(quantity.high * scale)
        bound = quantity.bound or bound_after(text, end)
        value = TypedValue(AnswerType.COUNT, str(quantity.low * scale), upper=upper, bound=bound)
        found.append(Mention(text[quantity.start : stop], quantity.start, stop, value))
    return found


def _is_code_or_year(text: str, start: int, end: int, before: str) -> bool:
    literal = text[start:end]
    if not literal.isdecimal():
        return False
    if len(literal) == 4 and literal[:2] in ("19", "20") and _YEAR_BEFORE.search(before):
        return True
    return len(literal) == 3 and literal[0] in "12345" and bool(_STATUS_AFTER.match(text, end))
