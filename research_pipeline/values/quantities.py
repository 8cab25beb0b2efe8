"""Numbers with what joins and limits them: ranges (`5-10`, `between 5 and 10`, `7 or 14`) and bounds (`up to`, `at least`, `+`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from research_pipeline.records import Mention, TypedValue
from research_pipeline.values.languages import LANGUAGES, gathered, gathered_cells
from research_pipeline.values.numbers import Number, numbers_in
from research_pipeline.values.phrases import PhraseTable, phrase_set

_BOUNDS = PhraseTable(gathered_cells("bounds"))
_SIGNS = {"≥": "at least", ">=": "at least", ">": "more than", "≤": "up to", "<=": "up to", "<": "less than"}
_SIGN = re.compile(r"(?<![<>=-])(?P<sign>[<>]=?|[≤≥])\s?$")
_BOUNDS_AFTER = PhraseTable(gathered_cells("bounds_after"))
_JOINTS = phrase_set(gathered("range_joints"))
_ALTERNATIVES = phrase_set(gathered("alternatives"))
_DASH_JOINT = re.compile(r"\s?[-‐‑‒–—~〜～]\s?")
_PAIRS = {opener: joint for opener, joint in (language.range_pairs for language in LANGUAGES) if opener}
_PAIR_OPENER = re.compile(rf"(?<!\w)(?P<opener>{'|'.join(_PAIRS)})\s[^\w\s]?$", re.IGNORECASE)
_CHANGES = phrase_set(gathered("changes"))
_FROM = re.compile(r"\b(?:from|von|de|da|van)\s+[^\s\w]?$", re.IGNORECASE)
_PLUS = re.compile(r"\+(?![\w+])")  # `90+ days`
_LONGEST_JOINT = 11
_LOOK_BACK = 14


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range of two, `text[start:end]`, with the bound that the words before it set."""

    start: int
    end: int
    low: Fraction
    high: Fraction | None = None
    bound: str = ""
    spelled: bool = False
    ambiguous: bool = False
    languages: frozenset[str] = frozenset()


@lru_cache(maxsize=1024)
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """The numbers of the text, ranges joined, in order."""
    return tuple(_joined(text, numbers_in(text)))


def _joined(text: str, numbers: list[Number]) -> Iterator[Quantity]:
    index = 0
    while index < len(numbers):
        low = numbers[index]
        high = numbers[index + 1] if index + 1 < len(numbers) else None
        bound = bound_before(text, low.start)
        rising_pair = high is not None and low.value < high.value and not low.ambiguous
        start = _pair_start(text, low, high) if high and rising_pair else None
        if high and start is not None:
            yield Quantity(start, high.end, low.value, high.value, bound)
            index += 2
        else:
            end, bound = (low.end + 1, "at least") if _PLUS.match(text, low.end) else (low.end, bound)
            yield Quantity(low.start, end, low.value, None, bound, low.spelled, low.ambiguous, low.languages)
            index += 1


def _pair_start(text: str, low: Number, high: Number) -> int | None:
    """Where the range or pair of alternatives begins that two numbers share a unit in: `5-10 days`, `7 or 14 days`."""
    if len(joint := text[low.end : high.start]) <= _LONGEST_JOINT and _ALTERNATIVES.meaning(joint.strip()):
        return low.start
    return range_start(text, low.start, low.end, high.start)


def range_start(text: str, start: int, end: int, following: int) -> int | None:
    """Where the range begins that the value `text[start:end]` and the one that begins at `following` make; None where they make none.

    It begins with the first value, or with its opener: `between 5 and 10`.
    """
    joint = text[end:following]
    word = joint.strip().casefold() if len(joint) <= _LONGEST_JOINT else ""
    if not word:
        return None
    if _DASH_JOINT.fullmatch(joint) or _JOINTS.meaning(word):
        return None if _is_change(text, start) else start
    opener = _PAIR_OPENER.search(text, max(0, start - _LOOK_BACK), start)
    return opener.start() if opener and _PAIRS[opener["opener"].casefold()] == word else None


def _is_change(text: str, start: int) -> bool:
    """Whether the text tells of a change (`raised from 30 to 90 days`), of which only the last value stands."""
    before = text[max(0, start - 60) : start]
    return bool(_FROM.search(before)) and any(_CHANGES.meaning(word) for word in before.split())


def bound_before(text: str, start: int) -> str:
    """The bound that the words before a value set, or the empty string."""
    if text[max(0, start - 2) : start].strip()[-1:] in tuple("<>=≤≥"):
        sign = _SIGN.search(text, max(0, start - 4), start)
        return _SIGNS[sign["sign"]] if sign else ""
    return _BOUNDS.before(text, start) or ""


def bound_after(text: str, end: int) -> str:
    """The bound that follows a value (`+`, `or more`, `以上`), or the empty string."""
    following = text[end : end + 1]
    if _PLUS.match(text, end):
        return "at least"
    if following.isspace():
        end += 1
    found = _BOUNDS_AFTER.at(text, end)
    return found[0] if found else ""


def join_ranges(text: str, mentions: Iterable[Mention], is_range: Callable[[TypedValue, TypedValue], bool]) -> list[Mention]:
    """Joins two whole values into a range, as in `$5 to $10` or `30 days - 90 days`, where `is_range` says that they go together."""
    joined: list[Mention] = []
    for mention in mentions:
        low = joined[-1] if joined else None
        start = range_start(text, low.start, low.end, mention.start) if low and is_range(low.value, mention.value) else None
        if low and start is not None:
            value = replace(mention.value, amount=low.value.amount, upper=mention.value.amount, bound=low.value.bound)
            joined[-1] = Mention(text[start : mention.end], start, mention.end, value)
        else:
            joined.append(mention)
    return joined


def rising(low: TypedValue, high: TypedValue) -> bool:
    """Whether two single values of one dimension, the first without a denominator of its own, can be the ends of a range."""
    single = low.upper is None and high.upper is None and not (low.unlimited or high.unlimited)
    return single and low.dimension == high.dimension and low.per in ("", high.per) and Fraction(low.amount) < Fraction(high.amount)
