"""Which end of a range a question asks for, and how the page writes it: of `between 6 hours and 90 days` the longest is `90 days`."""

from __future__ import annotations

import re
from enum import StrEnum

from research_pipeline.records import Mention
from research_pipeline.study import AnswerType
from research_pipeline.values import mentions, parse


class Extreme(StrEnum):
    """An end of a range."""

    LEAST = "least"
    MOST = "most"


_MOST = re.compile(r"\b(?:longest|largest|biggest|highest|maximum|max|greatest|at most|latest|oldest)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:shortest|smallest|lowest|minimum|min|least|fewest|earliest|fastest|quickest|soonest)\b", re.IGNORECASE)
_JOINT = re.compile(r"\s*(?:,|and|or|to|through|-|–|—)\s*$", re.IGNORECASE)
_STRICTLY = re.compile(r"\bmore than\s+$", re.IGNORECASE)


def asked_extreme(text: str) -> Extreme | None:
    """The end that a question asks for, None where it asks for neither or for both."""
    least, most = _LEAST.search(text), _MOST.search(text)
    if (least is None) == (most is None):
        return None
    return Extreme.LEAST if least else Extreme.MOST


def end_of(mention: Mention, extreme: Extreme, answer: AnswerType) -> str:
    """The end of a range in the page's characters; empty where the mention is none, or does not write that end as a value of its own."""
    if mention.value.upper is None:
        return ""
    parts = mentions(mention.verbatim, answer)
    if len(parts) > 1:
        return parts[0 if extreme is Extreme.LEAST else -1].verbatim
    return _written(mention.verbatim, extreme, answer)


def with_strict_bound(text: str, mention: Mention, extreme: Extreme | None) -> str:
    """`More than 10 users` where the least is asked for: ten are too few."""
    before = _STRICTLY.search(text, 0, mention.start) if extreme is Extreme.LEAST else None
    return text[before.start() : mention.end] if before else ""


def _written(verbatim: str, extreme: Extreme, answer: AnswerType) -> str:
    starts = [found.start() for found in re.finditer(r"(?<![\d.,])\d", verbatim)]
    if len(starts) < 2:
        return ""
    part = verbatim[starts[-1] :] if extreme is Extreme.MOST else _JOINT.sub("", verbatim[starts[0] : starts[-1]])
    try:
        value = parse(part, answer)
    except ValueError:
        return ""
    return part if value.upper is None and value.dimension else ""
