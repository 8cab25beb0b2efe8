"""Cron lines of five fields: is one well-formed?"""

from __future__ import annotations

import re
from typing import NamedTuple


class _Field(NamedTuple):
    name: str
    low: int
    high: int
    words: tuple[str, ...] = ()


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of week", 0, 7, _DAYS),
)
_PART = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d+))?")


def cron_problem(line: str) -> str:
    """What is wrong with a cron line, as a sentence; empty where nothing is."""
    fields = line.split()
    if len(fields) != len(_FIELDS):
        return f"{line!r} has {len(fields)} fields, a cron line has five."
    for text, field in zip(fields, _FIELDS, strict=True):
        for part in text.split(","):
            if not _is_valid(part, field):
                return f"{part!r} is no {field.name} ({field.low} to {field.high})."
    return ""


def _is_valid(part: str, field: _Field) -> bool:
    found = _PART.fullmatch(part)
    if not found or (found["step"] is not None and int(found["step"]) == 0):
        return False
    ends = [_number(word, field) for word in (found["first"], found["last"]) if word is not None]
    return all(field.low <= end <= field.high for end in ends) and ends == sorted(ends)


def _number(word: str, field: _Field) -> int:
    if word.lower() in field.words:
        return field.words.index(word.lower()) + (1 if field.low == 1 else 0)
    return int(word) if word.isdecimal() else -1
