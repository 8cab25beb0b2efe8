"""Amounts per time: `50 requests per second`, `1000 RPH`, `10,000 per 10 minutes`, `50/s`, `100 Mbit/s`, `週に 5`.

The window's length is part of the value: 10,000 per 10 minutes and 1,000 per minute permit different bursts, so they are near, not
equal. Scopes (`per connection`) stand in `per` beside the window. What is counted does not: the sub-question names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.denominators import Per, per_at, window_before
from research_pipeline.values.numbers import scale_at
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER
from research_pipeline.values.quantities import Quantity, bound_after, quantities_in
from research_pipeline.values.sizes import size_unit_at
from research_pipeline.values.units import unit_at

_MOST_NOUN_WORDS = 4
_ABBREVIATION = re.compile(rf"\s?[RQTC]P(?P<window>[SMHD])(?![{WORD_CHARACTER}])", re.IGNORECASE)
_ABBREVIATED = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
_BANDWIDTH = re.compile(rf"\s?(?P<prefix>[KkMGT])?(?:(?P<bytes>Bps|B/s)|bps|bit/s|b/s)(?![{WORD_CHARACTER}])")
_NO_NOUN = (
    "per every each and or is are was were be been the a an of to for from within in on at by if when can could may might must should will "
    "would has have had do does did make makes send sends get gets use uses allow allows that which who it they you we and then but not"
).replace(" ", "|")
_NOUN = re.compile(rf"[\s-]+(?!(?:{_NO_NOUN})\b)[{LETTER}][{WORD_CHARACTER}'’-]*", re.IGNORECASE)
_COUNTER = re.compile(r"\s?(?:回|次|件|個|个|条|枚|リクエスト|请求|회|건)")
_BRACKET = re.compile(r"\s?\([^()\d]{1,40}\)")
_NOT_COUNTED = re.compile(r"\s?[%％€$£]")


def rates_in(text: str) -> list[Mention]:
    """Every rate of the text, in order; verbatim runs from the number to the end of what it is counted against."""
    return list(_single(text))


def _single(text: str) -> Iterator[Mention]:
    done = 0
    for quantity in quantities_in(text):
        mention = None if quantity.start < done or quantity.ambiguous else _rate(text, quantity)
        if mention and mention.start >= done:
            done = mention.end
            yield mention


def _rate(text: str, quantity: Quantity) -> Mention | None:
    if text[quantity.start - 1 : quantity.start] in tuple("$€£¥"):
        return None
    scale, end = scale_at(text, quantity.end)
    end += text.startswith("~", end)  # `11,000~ RPS`
    if short := _ABBREVIATION.match(text, end):
        return _mention(text, quantity, Per(quantity.start, short.end(), _ABBREVIATED[short["window"].casefold()]), scale)
    if band := _BANDWIDTH.match(text, end):
        scale *= 1000 ** (1 + "KMGT".index(band["prefix"].upper())) if band["prefix"] else 1
        return _mention(text, quantity, Per(quantity.start, band.end(), "second"), scale, "bytes" if band["bytes"] else "bits")
    if unit_at(text, end) or _NOT_COUNTED.match(text, end):
        return None
    if before := window_before(text, quantity.start):
        counter = _COUNTER.match(text, end)
        return _mention(text, quantity, Per(before.start, counter.end() if counter else end, before.window), scale)
    if size := size_unit_at(text, end):
        dimension, factor, end = size
        per = per_at(text, end)
        return _mention(text, quantity, per, scale * factor, dimension) if per and per.window else None
    per = _per_behind_nouns(text, end)
    return _mention(text, quantity, per, scale) if per else None


def _per_behind_nouns(text: str, position: int) -> Per | None:
    """The denominators with a window that follow a number and the few words that say what is counted."""
    if counter := _COUNTER.match(text, position):
        position = counter.end()
    for _ in range(_MOST_NOUN_WORDS + 1):
        if bracket := _BRACKET.match(text, position):  # `read requests (GET, HEAD) per second`
            position = bracket.end()
        per = per_at(text, position)
        if per and per.window and not (per.adverb and _NOUN.match(text, per.end)):  # `1M monthly active users` is a count
            return per
        noun = _NOUN.match(text, position)
        if noun is None:
            return None
        position = noun.end()
    return None


def _mention(text: str, quantity: Quantity, per: Per, scale: int | Fraction, dimension: str = "") -> Mention:
    start, end = min(quantity.start, per.start), max(quantity.end, per.end)
    upper = None if quantity.high is None else str(quantity.high * scale)
    bound = quantity.bound or bound_after(text, end)
    value = TypedValue(AnswerType.RATE, str(quantity.low * scale), dimension, upper=upper, per=per.name, bound=bound)
    return Mention(text[start:end], start, end, value)
