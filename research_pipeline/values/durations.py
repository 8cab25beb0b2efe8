"""Lengths of time: `90 days`, `30-day`, `sixty days`, `1 year and 6 months`, `3 時間`; not points in time, ages or rates.

Seconds and months are two dimensions: a month has no fixed number of days. Weeks are seven days, a day is 24 hours; business days are a
dimension of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.languages import LANGUAGES, gathered, words
from research_pipeline.values.phrases import PhraseTable, phrase_set
from research_pipeline.values.quantities import Quantity, bound_after, bound_before, join_ranges, quantities_in, rising
from research_pipeline.values.units import TIME_UNITS, TimeUnit, unit_at

_AGO_BEFORE = phrase_set(gathered("ago_before"))
_AGO_AFTER = phrase_set(gathered("ago_after"))


def _denominators() -> dict[str, frozenset[str]]:
    """`per` → the languages in which it does not mean `for` as well."""
    rows = {word: [row for row in LANGUAGES if word in words(row.per)] for word in gathered("per")}
    return {word: frozenset(row.code for row in found if word not in words(row.lasting)) for word, found in rows.items()}


_OVER = PhraseTable(_denominators())
_AND_A_HALF = phrase_set(gathered("and_a_half"))
_LASTING = phrase_set(gathered("lasting"))
_AGE = re.compile(r"-olds?\b")
_LASTS_SECONDS = re.compile(
    r"(?:^|[:=(|\n])\s*$|\b(?:for|within|after|takes?|timeout|of|is|than|to|most|about|least|every|in)\s$", re.IGNORECASE
)
_STATUS_CODE = re.compile(r"[45]\d\d")
_ORDINAL = re.compile(r"\s\w")
_DECADE = re.compile(r"\bthe\s$", re.IGNORECASE)
_COMPOUND = re.compile(r"\s?(?:,\s|,?\s?(?:and|und|et|y|e|en)\s)?\s?", re.IGNORECASE)
_LARGEST_STEP = 60  # of an hour to a minute; a day and 500 ms are two values of a list
_MINUTES = re.compile(r"\dh\s?(?P<after>\d{1,2}m)\b|(?<![\w.])(?P<before>\d{1,3}m)(?=\s?\d{1,2}s\b)")
_MINUTE = TimeUnit("minute", "seconds", Fraction(60))
_BUSINESS_DAY = TimeUnit("business day", "business days", Fraction(1))
_NEXT_DAY = re.compile(r"\b(?:next|following)[\s-](?:business|working)[\s-]day\b", re.IGNORECASE)
_CALENDAR_BEFORE = re.compile(r"[月毎每월]\s?$")
_ARTICLES = phrase_set(gathered("articles"))


def durations_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every duration of the text, in order. `whole`: the text is one value, so that `a week` needs no context."""
    numbered = list(_numbered(text, whole=whole))
    ends = {mention.end for mention, _ in numbered}
    further = [part for part in (*_with_article(text, whole=whole), *_clocked(text), *_next_day(text)) if part[0].end not in ends]
    parts = sorted([*numbered, *further], key=lambda part: part[0].start)
    return join_ranges(text, _compounds(text, parts), rising)


def _numbered(text: str, *, whole: bool) -> Iterator[tuple[Mention, TimeUnit]]:
    last = -1
    for quantity in quantities_in(text):
        found = unit_at(text, quantity.end)
        if found is None:
            continue
        unit, end = found
        is_next = last >= 0 and text[last : quantity.start].strip() == "/"  # `1h / 4h / 24h`
        if quantity.languages and unit.languages.isdisjoint(quantity.languages):
            continue  # Spanish eleven and French year in `once an hour`
        if whole or is_next or not _is_something_else(text, quantity, unit, end):
            last = end
            yield _mention(text, quantity, unit, end), unit


def _mention(text: str, quantity: Quantity, unit: TimeUnit, end: int) -> Mention:
    upper = None if quantity.high is None else str(quantity.high * unit.size)
    more, end = _half_at(text, end) if quantity.high is None else (Fraction(0), end)
    bound = quantity.bound or bound_after(text, end)
    value = TypedValue(AnswerType.DURATION, str((quantity.low + more) * unit.size), unit.dimension, upper=upper, bound=bound)
    return Mention(text[quantity.start : end], quantity.start, end, value)


def _half_at(text: str, position: int) -> tuple[Fraction, int]:
    """What `and a half` behind a unit adds to the count, and where the value then ends."""
    found = _AND_A_HALF.at(text, position + 1) if text[position : position + 1].isspace() else None
    return (Fraction(1, 2), found[1]) if found else (Fraction(0), position)


def _is_something_else(text: str, quantity: Quantity, unit: TimeUnit, end: int) -> bool:
    """Whether this is a time ago, an age, a denominator, a decade, a year or a day of the month."""
    before = text[max(0, quantity.start - 12) : quantity.start]
    following = end + 1 if text[end : end + 1].isspace() else end
    if _AGO_AFTER.at(text, following) or _AGO_BEFORE.before(text, quantity.start) or _AGE.match(text, end):
        return True
    if unit.languages & (_OVER.before(text, quantity.start) or frozenset()) or before.rstrip().endswith("/"):
        return True
    if quantity.ambiguous and unit.name == "day" and not _LASTING.before(text, quantity.start):
        return True
    if unit.name == "second" and unit.tight and (_DECADE.search(before) or _is_status_code(text, quantity)):
        return True
    if unit.name == "year" and 1900 <= quantity.low <= 2100:
        return True
    if text[quantity.start : end] == "十分":  # sufficient
        return True
    return unit.name == "day" and text[end - 1] in "日일" and bool(_CALENDAR_BEFORE.search(before))


def _is_status_code(text: str, quantity: Quantity) -> bool:
    """`400s` are answers of servers, unless a word or mark before says that something takes so long."""
    is_code = _STATUS_CODE.fullmatch(text, quantity.start, quantity.end) is not None
    return is_code and not _LASTS_SECONDS.search(text[max(0, quantity.start - 20) : quantity.start])


def _with_article(text: str, *, whole: bool) -> Iterator[tuple[Mention, TimeUnit]]:
    """`for a week`, `within an hour`, `une semaine`: an article counts as one only where a word before it says that something lasts."""
    if not TIME_UNITS.may_stand_in(text):
        return
    for _, start, article_end in _ARTICLES.find(text):
        found = TIME_UNITS.at(text, article_end + 1 if text[article_end : article_end + 1].isspace() else article_end)
        if found is None or found[0].tight or (found[0].name == "second" and _ORDINAL.match(text, found[1])):
            continue
        unit, end = found
        more, end = _half_at(text, end)
        following = end + 1 if text[end : end + 1].isspace() else end
        if whole or (_LASTING.before(text, start) and not _AGO_AFTER.at(text, following)):
            value = TypedValue(AnswerType.DURATION, str((1 + more) * unit.size), unit.dimension, bound=bound_before(text, start))
            yield Mention(text[start:end], start, end, value), unit


def _clocked(text: str) -> Iterator[tuple[Mention, TimeUnit]]:
    """`5m30s` and `30m` of `1h 30m`: a lone `m` may be metres or millions."""
    for match in _MINUTES.finditer(text) if quantities_in(text) else ():
        start, end = match.span(match.lastgroup or 0)
        value = TypedValue(AnswerType.DURATION, str(int(text[start : end - 1]) * _MINUTE.size), _MINUTE.dimension)
        yield Mention(text[start:end], start, end, value), _MINUTE


def _next_day(text: str) -> Iterator[tuple[Mention, TimeUnit]]:
    """`Next business day` as a time to respond."""
    for match in _NEXT_DAY.finditer(text):
        value = TypedValue(AnswerType.DURATION, "1", _BUSINESS_DAY.dimension, bound="up to")
        yield Mention(match[0], match.start(), match.end(), value), _BUSINESS_DAY


def _compounds(text: str, parts: list[tuple[Mention, TimeUnit]]) -> Iterator[Mention]:
    """Joins `1 year and 6 months` and `1h 30m` into one value: one dimension, falling units, nothing but a joint between."""
    index = 0
    while index < len(parts):
        mention, unit = parts[index]
        index += 1
        while index < len(parts) and _continues(text, mention, unit, *parts[index]):
            following, unit = parts[index]
            amount = str(Fraction(mention.value.amount) + Fraction(following.value.amount))
            bound = mention.value.bound or following.value.bound
            value = replace(mention.value, amount=amount, bound=bound)
            mention = Mention(text[mention.start : following.end], mention.start, following.end, value)
            index += 1
        yield mention


def _continues(text: str, mention: Mention, unit: TimeUnit, following: Mention, smaller: TimeUnit) -> bool:
    falls = smaller.dimension == unit.dimension and smaller.size < unit.size <= _LARGEST_STEP * smaller.size
    falls = falls and Fraction(following.value.amount) < unit.size
    single = mention.value.upper is None and following.value.upper is None
    return falls and single and bool(_COMPOUND.fullmatch(text[mention.end : following.start]))
