"""Percentages: `99.9%`, `99,9 %`, `five percent`, `5-10 %`."""

from __future__ import annotations

import re

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.numbers import bound_after, quantities_in

_SIGN = re.compile(r"\s?(?:[%％﹪]|(?:percent|per cent|pct|Prozent|pour cent|pourcents?|por ciento|por cento|per cento|procent)\b|パーセント)", re.IGNORECASE)  # fmt: skip


def percents_in(text: str) -> list[Mention]:
    """Every percentage of the text, in order."""
    found: list[Mention] = []
    for quantity in quantities_in(text):
        sign = _SIGN.match(text, quantity.end)
        if sign is None or quantity.article:
            continue
        value = TypedValue(
            AnswerType.PERCENT,
            str(quantity.low),
            "percent",
            upper=None if quantity.high is None else str(quantity.high),
            bound=quantity.bound or bound_after(text, sign.end()),
        )
        found.append(Mention(text[quantity.start : sign.end()], quantity.start, sign.end(), value))
    return found
