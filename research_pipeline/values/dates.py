"""Calendar dates with the precision they state: a day, a month or a year.

`dd.mm.yyyy` reads day first; `a/b/yyyy` is a date only where one side is above twelve, since it is ambiguous otherwise. Relative times
(`3 days ago`) are no dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.languages import ENGLISH, LANGUAGES, words
from research_pipeline.values.spans import Taken


def _month_numbers(attribute: str) -> dict[str, int]:
    return {word: number for language in LANGUAGES for number, word in enumerate(words(getattr(language, attribute)), 1)}


MONTHS = _month_numbers("short_months") | {"sept": 9, "jänner": 1} | _month_numbers("months")
_SAFE_MONTHS = [*_month_numbers("months"), *words(ENGLISH.short_months), "sept"]  # no `out 2026` without a day
_MONTH, _MONTH_ALONE = (rf"(?P<month>{'|'.join(sorted(names, key=len, reverse=True))})" for names in (MONTHS, _SAFE_MONTHS))
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|[.,]\d)"
_PLAIN_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})"
_TIME_OF_DAY = r"(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
_START = r"(?<![\w.,/])"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\w/-]){_PLAIN_YEAR}[-/.](?P<number>\d{{1,2}})[-/.]{_DAY}{_TIME_OF_DAY}(?![\w/-]|\.\d)",
        rf"{_START}{_DAY}\.\s?(?P<number>\d{{1,2}})\.\s?{_YEAR}",
        rf"{_START}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/{_YEAR}",
        rf"(?<!\d){_PLAIN_YEAR}\s?[年년]\s?(?:(?P<number>\d{{1,2}})\s?[月월]\s?(?:{_DAY}\s?[日일])?)?",
        rf"\b{_MONTH}\.?\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"{_START}{_DAY}(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?{_MONTH}\.?,?\s+(?:de\s+|del\s+)?{_YEAR}",
        rf"\b{_MONTH_ALONE}\.?,?\s+(?:de\s+|of\s+)?{_YEAR}",
        rf"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\bby\s)|(?<=\bseit\s)|(?<=\bdepuis\s)|(?<=\ben\s)){_YEAR}",
    )
)
_YEAR_ONLY = re.compile(r"(?P<year>(?:19|20)\d\d)")
_YEAR_MONTH_ONLY = re.compile(r"(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)")


def dates_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every date of the text, in order. `whole`: the text is one value, so that `2026` and `2026-03` need no context."""
    if whole and (match := _YEAR_MONTH_ONLY.fullmatch(text) or _YEAR_ONLY.fullmatch(text)):
        return list(_read(match))
    found: list[Mention] = []
    if not _YEAR_ONLY.search(text):
        return found
    taken = Taken(text)
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            found.extend(mention for mention in _read(match) if taken.take(mention.start, mention.end))
    return sorted(found, key=lambda mention: mention.start)


def _read(match: re.Match[str]) -> Iterator[Mention]:
    fields = match.groupdict()
    year = int(fields["year"])
    month = MONTHS[fields["month"].casefold()] if fields.get("month") else int(fields.get("number") or 0)
    day = int(fields.get("day") or 0)
    if fields.get("a"):
        first, second = int(fields["a"]), int(fields["b"])
        if (first > 12) == (second > 12):
            return
        day, month = (first, second) if first > 12 else (second, first)
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return
    precision = "day" if day else "month" if month else "year"
    amount = f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if day else "")
    yield Mention(match[0], match.start(), match.end(), TypedValue(AnswerType.DATE, amount, precision))
