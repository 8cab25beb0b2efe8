"""Amounts per time: `50 requests per second`, `1000 RPH`, `10,000 per 10 minutes`, `50/s`, `週に 5`.

The window's length is part of the value: 10,000 per 10 minutes and 1,000 per minute permit different bursts. Scopes (`per connection`)
stand in `per` beside the window. What is counted does not: the sub-question names it.
"""

from __future__ import annotations

import re
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.money import scale_at
from research_pipeline.values.numbers import LETTER, Quantity, bound_after, quantities_in
from research_pipeline.values.units import per_at, unit_at

_ABBREVIATION = re.compile(rf"\s?([RQTCM]P([SMHD]))(?![{LETTER}0-9])", re.IGNORECASE)
_ABBREVIATED = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
_BANDWIDTH = re.compile(rf"\s?([KMGT])?(bps|bit/s|b/s|Bps|B/s)(?![{LETTER}0-9])")
_NOUN = re.compile(rf"[\s-]+(?!(?:per|and|or|is|are|the|of|to|for|within|in)\b)[{LETTER}][{LETTER}0-9'’-]*", re.IGNORECASE)
_COUNTER = re.compile(r"(?:\s?(?:回|次|件|個|个|条|リクエスト|请求))?")
_WINDOW_BEFORE = re.compile(
    r"(?:(?P<count>\d+)?\s?(?P<unit>秒|分|時間|日|週|か月|月)間?(?:に|あたり|につき)(?:最大)?|[毎每](?P<every>秒|分钟|分|時|小时|日|天|週|周|月))\s?(?:最大|最多)?\s?$"
)
_EAST_ASIAN = {"秒": "second", "分": "minute", "分钟": "minute", "時間": "hour", "時": "hour", "小时": "hour", "日": "day", "天": "day", "週": "week", "周": "week", "か月": "month", "月": "month"}  # fmt: skip


def rates_in(text: str) -> list[Mention]:
    """Every rate of the text, in order; verbatim runs from the number to the end of what it is counted against."""
    found: list[Mention] = []
    for quantity in quantities_in(text):
        if found and quantity.start < found[-1].end:
            continue
        if not quantity.article and (mention := _rate(text, quantity)):
            found.append(mention)
    return found


def _rate(text: str, quantity: Quantity) -> Mention | None:
    scale, end = scale_at(text, quantity.end)
    if short := _ABBREVIATION.match(text, end):
        return _mention(text, quantity, quantity.start, short.end(), scale, _ABBREVIATED[short[2].casefold()])
    if band := _BANDWIDTH.match(text, end):
        scale *= Fraction(1000) ** (1 + "KMGT".index(band[1])) if band[1] else 1
        return _mention(text, quantity, quantity.start, band.end(), scale, "second", "bytes" if "B" in band[2] else "bits")
    if before := _WINDOW_BEFORE.search(text[max(0, quantity.start - 12) : quantity.start]):
        start = quantity.start - (len(before[0]))
        counter = _COUNTER.match(text, end)
        count = f"{int(before['count'])} " if before["count"] and before["count"] != "1" else ""
        window = count + _EAST_ASIAN[before["unit"] or before["every"]]
        return _mention(text, quantity, start, counter.end() if counter else end, scale, window)
    return _rate_in_words(text, quantity, scale, end)


def _rate_in_words(text: str, quantity: Quantity, scale: Fraction, end: int) -> Mention | None:
    if unit_at(text, end) or text[end : end + 1] in "%％":
        return None
    counter = _COUNTER.match(text, end)
    position = counter.end() if counter else end
    for _ in range(5):
        per = per_at(text, position)
        if per and per.window:
            return _mention(text, quantity, quantity.start, per.end, scale, per.name)
        word = re.compile(rf"[\s-]+(?!(?:per|and|or|is|are|the|of|to|for|within|in)\b)[{LETTER}][{LETTER}0-9'’-]*", re.IGNORECASE).match(
            text, position
        )
        if word is None:
            return None
        position = word.end()
    return None


def _mention(text: str, quantity: Quantity, start: int, end: int, scale: Fraction, per: str, dimension: str = "") -> Mention:
    value = TypedValue(
        AnswerType.RATE,
        str(quantity.low * scale),
        dimension,
        upper=None if quantity.high is None else str(quantity.high * scale),
        per=per,
        bound=quantity.bound or bound_after(text, end),
    )
    return Mention(text[start:end], start, end, value)
