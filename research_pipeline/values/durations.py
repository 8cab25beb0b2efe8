"""Lengths of time: `90 days`, `30-day`, `sixty days`, `1 year and 6 months`, `3 時間`; not points in time, ages or rates.

Seconds and months are two dimensions: a month has no fixed number of days. Weeks are seven days, a day is 24 hours; business days are a
dimension of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.numbers import Quantity, bound_after, quantities_in
from research_pipeline.values.units import TimeUnit, unit_at

_AGO = re.compile(r"\s+(?:ago|old(?=\s+(?:account|company|business))|geleden|fa\b)|-olds?\b|\s*前(?![にま])|之前", re.IGNORECASE)
_AGO_BEFORE = re.compile(r"(?:\bvor|\bil y a|\bhace|\bhá)\s+$", re.IGNORECASE)
_PER_BEFORE = re.compile(r"(?:\bper|\bevery|\beach|\bpro|\bpar|\bpor|/)\s*$", re.IGNORECASE)
_SPAN_BEFORE = re.compile(
    r"(?:\b(?:for|within|after|in|up to|than|at least|at most|about|around|under|lasts?|takes?|takes up to|every|next|past|first"
    r"|pour|pendant|après|dans|sous|jusqu['’]à|für|nach|innerhalb|binnen|bis zu|durante|después de|dentro de|hasta|após|por|até|entro|dopo|fino a"
    r"|na|tot)|^)\s*(?:only |just |exactly |approximately |roughly )?[(\"'“]?$",
    re.IGNORECASE,
)
_DECADE = re.compile(r"\bthe\s$", re.IGNORECASE)
_COMPOUND = re.compile(r"\s?(?:,\s|\s?and\s|\s?und\s|\s?et\s|\s?y\s|\s?e\s|\s?en\s)?\s?", re.IGNORECASE)
_CALENDAR_BEFORE = re.compile(r"[月毎每]\s?$")


def durations_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every duration of the text, in order. `whole`: the text is one value, so that `a week` needs no context."""
    parts = list(_single(text, whole=whole))
    return list(_joined(text, parts))


def _single(text: str, *, whole: bool) -> Iterator[tuple[Mention, TimeUnit]]:
    for quantity in quantities_in(text):
        found = unit_at(text, quantity.end)
        if found is None:
            continue
        unit, end = found
        if not whole and _is_no_duration(text, quantity, unit, end):
            continue
        bound = quantity.bound or bound_after(text, end)
        value = TypedValue(
            AnswerType.DURATION,
            str(quantity.low * unit.size),
            unit.dimension,
            upper=None if quantity.high is None else str(quantity.high * unit.size),
            bound=bound,
        )
        yield Mention(text[quantity.start : end], quantity.start, end, value), unit


def _is_no_duration(text: str, quantity: Quantity, unit: TimeUnit, end: int) -> bool:
    before = text[max(0, quantity.start - 20) : quantity.start]
    if _AGO.match(text, end) or _AGO_BEFORE.search(before) or _PER_BEFORE.search(before):
        return True
    if quantity.article and not _SPAN_BEFORE.search(before):
        return True
    if unit.name == "second" and unit.tight and _DECADE.search(before):
        return True
    if unit.name == "year" and 1900 <= quantity.low <= 2100 and quantity.low.denominator == 1:
        return True
    return (
        bool(unit.name in ("day", "month") and text[end - 1] in "日月" and _CALENDAR_BEFORE.search(before))
        or text[quantity.end : end].strip() == "月"
    )


def _joined(text: str, parts: list[tuple[Mention, TimeUnit]]) -> Iterator[Mention]:
    """Joins `1 year and 6 months`, `1h 30m` into one: same dimension, falling units, nothing but a joint between."""
    index = 0
    while index < len(parts):
        mention, unit = parts[index]
        index += 1
        while index < len(parts):
            following, smaller = parts[index]
            gap = text[mention.end : following.start]
            same = smaller.dimension == unit.dimension and smaller.size < unit.size
            if not same or mention.value.upper or following.value.upper or not _COMPOUND.fullmatch(gap):
                break
            amount = str(Fraction(mention.value.amount) + Fraction(following.value.amount))
            value = TypedValue(AnswerType.DURATION, amount, unit.dimension, bound=mention.value.bound or following.value.bound)
            mention = Mention(text[mention.start : following.end], mention.start, following.end, value)
            unit = smaller
            index += 1
        yield mention
