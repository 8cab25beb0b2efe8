"""Percentages: `99.9%`, `99,9 %`, `five percent`, `5-10 %`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.languages import gathered
from research_pipeline.values.phrases import phrase_set
from research_pipeline.values.quantities import bound_after, join_ranges, quantities_in, rising

_SIGN = re.compile(r"[%％﹪]|\s[%％](?!\s?\d)")  # `15 % 16` is a remainder
_WORDS = phrase_set(gathered("percent"))


def percents_in(text: str) -> list[Mention]:
    """Every percentage of the text, in order."""
    return join_ranges(text, _single(text), rising)


def _single(text: str) -> Iterator[Mention]:
    for quantity in quantities_in(text):
        end = _sign_end(text, quantity.end)
        if end is None or quantity.ambiguous:
            continue
        upper = None if quantity.high is None else str(quantity.high)
        bound = quantity.bound or bound_after(text, end)
        value = TypedValue(AnswerType.PERCENT, str(quantity.low), "percent", upper=upper, bound=bound)
        yield Mention(text[quantity.start : end], quantity.start, end, value)


def _sign_end(text: str, position: int) -> int | None:
    if sign := _SIGN.match(text, position):
        return sign.end()
    start = position + 1 if text[position : position + 1].isspace() else position
    found = _WORDS.at(text, start)
    return found[1] if found else None
